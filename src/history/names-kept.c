/* SPDX-License-Identifier: Apache-2.0 */
/* Which file of names a history is made with: the one that is asked for, or the one that it was made with before. */
#include "names-kept.h"

#include <string.h>

#include "schema.h"

enum
{
  MOST_KEPT = 1 << 20, /* bytes of names in a history */
};

gboolean
lc_names_asked (const char *asked, gboolean *said, LcGivenNames **names, GError **error)
{
  const char *path = asked != NULL ? asked : g_getenv (LC_NAMES_VARIABLE);

  *names = NULL;
  *said = path != NULL;
  if (path == NULL || *path == '\0')
    return TRUE;
  *names = lc_given_names_load (path, error);
  return *names != NULL;
}

/* NULL: the history has no such key, or more than names take. */
static char *
names_kept_read (LcDatabase *database, const char *key)
{
  LcStatement *statement =
      lc_database_prepare (database, "SELECT value FROM meta WHERE key = ?1 AND length (value) <= ?2", NULL, NULL);
  char *text = NULL;

  if (statement == NULL)
    return NULL;
  lc_statement_bind_text (statement, 1, key);
  lc_statement_bind_int (statement, 2, MOST_KEPT);
  if (lc_statement_step (statement, NULL) == LC_STEP_ROW)
    text = g_strdup (lc_statement_text (statement, 0));
  lc_statement_free (statement);
  return text;
}

/* A file that has become wrong is told, for its author thinks that it is in use; one that has gone is not missed. */
static gboolean
names_kept_load (const char *path, const char *text, LcGivenNames **names, GError **error)
{
  g_autoptr (GError) wrong = NULL;

  if (g_path_is_absolute (path))
    *names = lc_given_names_load (path, &wrong);
  if (*names != NULL)
    return TRUE;
  if (wrong != NULL && wrong->domain == G_KEY_FILE_ERROR)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&wrong),
                                  "the names of this history (--names gives others): ");
      return FALSE;
    }
  *names = lc_given_names_parse (path, text, strlen (text), NULL);
  return TRUE;
}

gboolean
lc_names_kept (const LcHistoryFile *file, LcGivenNames **names, GError **error)
{
  LcDatabase *database = NULL;
  g_autofree char *path = NULL, *text = NULL;
  gboolean good;

  *names = NULL;
  if (!lc_history_file_is_trusted (file) || lc_history_file_has_journal (file))
    return FALSE;
  database = lc_database_open_descriptor (file->fd, file->path, NULL);
  good = database != NULL && lc_schema_check (database, LC_SCHEMA_HISTORY, NULL);
  if (good)
    {
      path = names_kept_read (database, "names_file");
      text = names_kept_read (database, "names");
    }
  lc_database_close (database);
  if (path == NULL || text == NULL)
    return good;
  return names_kept_load (path, text, names, error);
}

gboolean
lc_names_are_of (LcDatabase *database, const LcGivenNames *names)
{
  g_autofree char *path = names_kept_read (database, "names_file"), *text = names_kept_read (database, "names");

  return g_strcmp0 (path, names != NULL ? lc_given_names_get_path (names) : NULL) == 0 &&
         g_strcmp0 (text, names != NULL ? lc_given_names_get_text (names) : NULL) == 0;
}
