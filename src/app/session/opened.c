/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is open in the browser, shared by the session and its background work. */
#include "app/session/opened.h"

#include <glib/gstdio.h>

#include "lightcone/merge.h"

LcOpened *
lc_opened_new (LcHistory *history, const char *directory, gboolean partial)
{
  LcOpened *opened = g_atomic_rc_box_new0 (LcOpened);
  g_autofree char *absolute = g_canonicalize_filename (directory, NULL);

  opened->history = history;
  opened->title = g_filename_display_basename (absolute);
  opened->directory = g_steal_pointer (&absolute);
  opened->partial = partial;
  opened->home = g_strdup (lc_history_get_path (history));
  opened->blame = lc_kept_blame_new ();
  return opened;
}

LcOpened *
lc_opened_new_beginning (LcHistory *history, const char *directory, const char *file)
{
  LcOpened *opened = lc_opened_new (history, directory, TRUE);

  opened->temporary = g_strdup (file);
  return opened;
}

LcOpened *
lc_opened_new_growing (LcHistory *history, const char *directory, const char *file)
{
  LcOpened *opened = lc_opened_new (history, directory, FALSE);

  opened->temporary = g_strdup (file);
  g_free (opened->home);
  opened->home = lc_merge_dup_path (directory);
  return opened;
}

void
lc_opened_remove_temporary (const char *file)
{
  g_autofree char *folder = g_path_get_dirname (file);

  g_unlink (file);
  g_rmdir (folder);
}

LcOpened *
lc_opened_ref (LcOpened *opened)
{
  return g_atomic_rc_box_acquire (opened);
}

static void
opened_clear (LcOpened *opened)
{
  lc_kept_blame_free (opened->blame);
  lc_history_free (opened->history);
  if (opened->temporary != NULL)
    lc_opened_remove_temporary (opened->temporary);
  g_free (opened->temporary);
  g_free (opened->home);
  g_free (opened->directory);
  g_free (opened->title);
}

void
lc_opened_unref (LcOpened *opened)
{
  g_atomic_rc_box_release_full (opened, (GDestroyNotify)opened_clear);
}
