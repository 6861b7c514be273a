/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a history that is there: in one transaction, and only if it is still the same file. */
#include "change.h"

#include <fcntl.h>

#include "lightcone/history.h"

/* Locks the history alone: BEGIN IMMEDIATE would lock what is attached, too, and two files need a journal of journals.
 */
#define BEGIN "BEGIN; DELETE FROM main.timeline WHERE 0"

gboolean
lc_change_check_file (const char *path, const struct stat *file, GError **error)
{
  struct stat now;

  if (stat (path, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_OLD,
               "%s: this history has been made again, or removed, while it was to be added to: try again", path);
  return FALSE;
}

/* Somebody else has it locked, for longer than we are willing to wait. */
static void
propagate_busy (const char *path, GError **error, GError *own)
{
  if (!g_error_matches (own, G_IO_ERROR, G_IO_ERROR_BUSY))
    {
      g_propagate_error (error, own);
      return;
    }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
               "%s: somebody else has been adding to this history, or reading it, for too long: try again", path);
  g_error_free (own);
}

/* When the merge began is what the time stamp of a history says; adding to it does not make it younger. */
static gboolean
change_within (LcDatabase *database, const char *path, const struct stat *file, LcChange change, gpointer data,
               GError **error)
{
  struct stat before;

  if (!lc_database_run (database, BEGIN, error) || !lc_change_check_file (path, file, error))
    return FALSE;
  if (stat (path, &before) != 0 || !change (database, data, error) || !lc_database_commit (database, error))
    return FALSE;
  utimensat (AT_FDCWD, path, (const struct timespec[]){before.st_atim, before.st_mtim}, 0);
  return lc_change_check_file (path, file, error);
}

gboolean
lc_change_history (const char *path, const struct stat *file, const char *aside, LcChange change, gpointer data,
                   GError **error)
{
  LcDatabase *database = NULL;
  LcStatement *attach = NULL;
  GError *own = NULL;
  gboolean good = lc_change_check_file (path, file, &own);

  if (good)
    database = lc_database_open_writable (path, &own);
  good = database != NULL;
  if (good && aside != NULL)
    {
      attach = lc_database_prepare (database, "ATTACH ?1 AS made", NULL, &own);
      if (attach != NULL)
        lc_statement_bind_text (attach, 1, aside);
      good = attach != NULL && lc_statement_run (attach, &own);
      lc_statement_free (attach);
    }
  good = good && change_within (database, path, file, change, data, &own);
  lc_database_close (database);
  if (!good)
    propagate_busy (path, error, own);
  return good;
}
