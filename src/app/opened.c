/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is open in the browser, shared by the session and by whatever works on it in the background. */
#include "app/opened.h"

LcOpened *
lc_opened_new (LcHistory *history, const char *directory, gboolean partial)
{
  LcOpened *opened = g_atomic_rc_box_new0 (LcOpened);
  g_autofree char *absolute = g_canonicalize_filename (directory, NULL);

  opened->history = history;
  opened->title = g_filename_display_basename (absolute);
  opened->directory = g_steal_pointer (&absolute);
  opened->partial = partial;
  return opened;
}

LcOpened *
lc_opened_ref (LcOpened *opened)
{
  return g_atomic_rc_box_acquire (opened);
}

static void
clear (LcOpened *opened)
{
  lc_history_free (opened->history);
  g_free (opened->directory);
  g_free (opened->title);
}

void
lc_opened_unref (LcOpened *opened)
{
  g_atomic_rc_box_release_full (opened, (GDestroyNotify)clear);
}
