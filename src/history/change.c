/* SPDX-License-Identifier: Apache-2.0 */
/* Changes a copy of a history, and puts the copy into the place of the old file. */
#include "change.h"

#include "aside.h"
#include "freshness.h"
#include "reader.h"

static gboolean
change_set_old (const char *path, GError **error)
{
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_OLD,
               "%s: this history has been made again, or removed, while it was to be added to: try again", path);
  return FALSE;
}

static gboolean
change_check_run (const LcHistory *history, const LcHistoryFile *file, GError **error)
{
  return lc_history_file_is_of_run (file, history->run, NULL) || change_set_old (history->path, error);
}

/* Closes the database before it returns, so that the file is complete. */
static gboolean
change_copy (const LcAside *aside, int made, LcChange change, gpointer data, GError **error)
{
  LcDatabase *database = lc_database_open_writable (lc_aside_get_descriptor (aside), lc_aside_get_path (aside), error);
  gboolean good = database != NULL && (made < 0 || lc_database_attach (database, made, "made", error)) &&
                  lc_database_run (database, "BEGIN", error) && change (database, data, error) &&
                  lc_database_commit (database, error);

  lc_database_close (database);
  return good;
}

gboolean
lc_change_history (LcHistory *history, int made, gint64 patience, LcChange change, gpointer data, GError **error)
{
  GError *own = NULL;
  g_autoptr (LcHistoryFile) file = lc_history_file_lock (history->path, patience, &own);
  g_autoptr (LcAside) aside = NULL;
  guint64 size;

  if (g_error_matches (own, LC_HISTORY_ERROR, LC_HISTORY_ERROR_NONE))
    {
      g_error_free (own);
      return change_set_old (history->path, error);
    }
  if (own != NULL)
    {
      g_propagate_error (error, own);
      return FALSE;
    }
  if (!change_check_run (history, file, error))
    return FALSE;
  aside = lc_aside_new (history->path, error);
  /* The time stamp of a history is the begin of its merge: adding to it does not make it younger. */
  return aside != NULL && lc_aside_copy (aside, file, error) && change_copy (aside, made, change, data, error) &&
         lc_aside_publish (aside, lc_history_file_get_time (file), &size, error);
}
