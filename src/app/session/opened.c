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
  g_mutex_init (&opened->lock);
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

/* Slacks that nobody holds are forgotten: they are held from here on. */
static LcSlacks *
opened_hold_slacks (LcOpened *opened, guint32 timeline)
{
  g_autoptr (LcSlacks) slacks = lc_slacks_of (opened->history, timeline);

  g_mutex_lock (&opened->lock);
  if (opened->slacks != slacks)
    {
      g_clear_pointer (&opened->slacks, lc_slacks_unref);
      opened->slacks = lc_slacks_ref (slacks);
    }
  g_mutex_unlock (&opened->lock);
  return g_steal_pointer (&slacks);
}

LcSlacks *
lc_opened_find_slacks (LcOpened *opened, guint32 timeline, gboolean anyway, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSlacks) slacks = opened_hold_slacks (opened, timeline);

  if (anyway || lc_history_get_n_events (opened->history) <= LC_SLACKS_QUICK)
    return lc_slacks_find (slacks, cancellable, error) ? g_steal_pointer (&slacks) : NULL;
  return lc_slacks_are_found (slacks) ? g_steal_pointer (&slacks) : NULL;
}

gboolean
lc_opened_find_deadlocks (LcOpened *opened, GCancellable *cancellable, GError **error)
{
  LcDeadlocks *found = NULL;

  if (lc_opened_get_deadlocks (opened) == NULL)
    found = lc_deadlocks_find_in_history (opened->history, cancellable, error);
  g_mutex_lock (&opened->lock);
  if (opened->deadlocks == NULL)
    opened->deadlocks = g_steal_pointer (&found);
  g_mutex_unlock (&opened->lock);
  lc_deadlocks_free (found);
  return lc_opened_get_deadlocks (opened) != NULL;
}

const LcDeadlocks *
lc_opened_get_deadlocks (LcOpened *opened)
{
  const LcDeadlocks *deadlocks;

  g_mutex_lock (&opened->lock);
  deadlocks = opened->deadlocks;
  g_mutex_unlock (&opened->lock);
  return deadlocks;
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
  lc_deadlocks_free (opened->deadlocks);
  g_clear_pointer (&opened->slacks, lc_slacks_unref);
  g_mutex_clear (&opened->lock);
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
