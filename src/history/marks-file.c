/* SPDX-License-Identifier: Apache-2.0 */
/* The file of the marks, beside a history: it is read as data from others is, and changed by making it anew. */
#include <string.h>

#include "aside.h"
#include "database.h"
#include "lightcone/history.h"
#include "lightcone/marks.h"
#include "schema.h"

#define HISTORY_SUFFIX "history.lightcone"
#define MARKS_SUFFIX "marks.lightcone"
#define PATIENCE (10 * G_TIME_SPAN_SECOND) /* how long to wait for others, who may never unlock the history */

enum
{
  PAGE_SIZE = 4096,
};

/* Of DIR/history.lightcone this is DIR/marks.lightcone; of another name, as in the cache, NAME.marks.lightcone. */
char *
lc_marks_dup_path (const char *history_path)
{
  g_autofree char *folder = g_path_get_dirname (history_path), *name = g_path_get_basename (history_path);
  g_autofree char *marks =
      g_str_equal (name, HISTORY_SUFFIX) ? g_strdup (MARKS_SUFFIX) : g_strconcat (name, "." MARKS_SUFFIX, NULL);

  return g_build_filename (folder, marks, NULL);
}

/* --- Reading ----------------------------------------------------------------------------------------------------- */

static gboolean
marks_file_set_damaged (LcDatabase *database, const char *what, GError **error)
{
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: %s", lc_database_get_path (database),
               what);
  return FALSE;
}

/* Reads `n` numbers from a column on; FALSE if one of them is none, or negative. */
static gboolean
marks_file_read_numbers (LcStatement *statement, int column, int n, gint64 *numbers)
{
  for (int i = 0; i < n; i++)
    {
      numbers[i] = lc_statement_int (statement, column + i);
      if (lc_statement_type (statement, column + i) != LC_VALUE_INT || numbers[i] < 0)
        return FALSE;
    }
  return numbers[0] < LC_TRACE_NONE;
}

static gboolean
marks_file_read_mark (LcMarks *marks, LcStatement *statement)
{
  gint64 numbers[4];
  LcUserMark mark = {.name = lc_statement_text (statement, 4)};

  if (mark.name == NULL || !marks_file_read_numbers (statement, 0, 4, numbers) || numbers[1] > 1)
    return FALSE;
  mark.process = (guint32)numbers[0];
  mark.is_span = numbers[1] != 0;
  mark.begin = (guint64)numbers[2];
  mark.end = (guint64)numbers[3];
  return lc_marks_add (marks, &mark, NULL);
}

static gboolean
marks_file_read_annotation (LcMarks *marks, LcStatement *statement)
{
  gint64 numbers[2];
  LcAnnotation annotation = {.text = lc_statement_text (statement, 2)};

  if (annotation.text == NULL || !marks_file_read_numbers (statement, 0, 2, numbers))
    return FALSE;
  annotation.process = (guint32)numbers[0];
  annotation.ordinal = (guint64)numbers[1];
  return lc_marks_annotate (marks, &annotation, NULL);
}

static gboolean
marks_file_read_rows (LcMarks *marks, LcDatabase *database, const char *sql,
                      gboolean (*read) (LcMarks *marks, LcStatement *statement), GError **error)
{
  LcStatement *statement = lc_database_prepare (database, sql, NULL, error);
  LcStep step;

  if (statement == NULL)
    return FALSE;
  while ((step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    if (!read (marks, statement))
      break;
  lc_statement_free (statement);
  return step == LC_STEP_DONE ||
         (step == LC_STEP_ROW && marks_file_set_damaged (database, "a row is none of ours", error));
}

static gboolean
marks_file_read_all (LcMarks *marks, LcDatabase *database, GError **error)
{
  lc_database_set_most_rows (database, LC_MARKS_MOST);
  return lc_schema_check (database, LC_SCHEMA_MARKS, error) &&
         marks_file_read_rows (marks, database,
                               "SELECT process, span, first, last, name FROM mark"
                               " ORDER BY name, process, span, first, last",
                               marks_file_read_mark, error) &&
         marks_file_read_rows (marks, database,
                               "SELECT process, ordinal, text FROM annotation ORDER BY process, ordinal",
                               marks_file_read_annotation, error);
}

/* A file that others may write to could be changed while it is read. */
static LcDatabase *
marks_file_open (const char *path, GError **error)
{
  g_autoptr (LcHistoryFile) file = lc_history_file_open (path, error);

  if (file == NULL)
    return NULL;
  if (lc_history_file_is_trusted (file))
    return lc_database_open_descriptor (file->fd, path, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
               "%s: others may write to this file, so the marks in it are not used: check them, then make it your own "
               "(chown, chmod go-w)",
               path);
  return NULL;
}

/* A history is made again when it is damaged; marks are not. */
static void
marks_file_advise (GError **error, GError *own)
{
  if (own->domain == LC_HISTORY_ERROR)
    {
      g_autofree char *message = g_steal_pointer (&own->message);

      own->message = g_strdup_printf ("%s; put a copy of it back, or move it away to go on without marks", message);
    }
  g_propagate_error (error, own);
}

LcMarks *
lc_marks_read (const char *history_path, GError **error)
{
  g_autofree char *path = lc_marks_dup_path (history_path);
  g_autoptr (LcMarks) marks = g_new0 (LcMarks, 1);
  GError *own = NULL;
  LcDatabase *database = marks_file_open (path, &own);
  gboolean good;

  marks->marks = g_array_new (FALSE, FALSE, sizeof (LcUserMark));
  marks->annotations = g_array_new (FALSE, FALSE, sizeof (LcAnnotation));
  marks->texts = g_string_chunk_new (4096);
  if (g_error_matches (own, LC_HISTORY_ERROR, LC_HISTORY_ERROR_NONE))
    {
      g_error_free (own);
      return g_steal_pointer (&marks);
    }
  good = database != NULL && marks_file_read_all (marks, database, &own) && lc_marks_settle (marks, &own);
  lc_database_close (database);
  if (good)
    return g_steal_pointer (&marks);
  marks_file_advise (error, own);
  return NULL;
}

/* --- Writing ----------------------------------------------------------------------------------------------------- */

static gboolean
marks_file_insert_marks (LcDatabase *database, const GArray *marks, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "INSERT INTO mark VALUES (?1, ?2, ?3, ?4, ?5)", NULL, error);
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks, LcUserMark, i);

      lc_statement_bind_text (statement, 1, mark->name);
      lc_statement_bind_int (statement, 2, mark->process);
      lc_statement_bind_int (statement, 3, mark->is_span);
      lc_statement_bind_int (statement, 4, (gint64)mark->begin);
      lc_statement_bind_int (statement, 5, (gint64)mark->end);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

static gboolean
marks_file_insert_annotations (LcDatabase *database, const GArray *annotations, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "INSERT INTO annotation VALUES (?1, ?2, ?3)", NULL, error);
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < annotations->len; i++)
    {
      const LcAnnotation *annotation = &g_array_index (annotations, LcAnnotation, i);

      lc_statement_bind_int (statement, 1, annotation->process);
      lc_statement_bind_int (statement, 2, (gint64)annotation->ordinal);
      lc_statement_bind_text (statement, 3, annotation->text);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

/* Closes the database before it returns, so that the file is complete. */
static gboolean
marks_file_fill (const LcAside *aside, const LcMarks *marks, GError **error)
{
  LcDatabase *database =
      lc_database_create (lc_aside_get_descriptor (aside), lc_aside_get_path (aside), PAGE_SIZE, error);
  gboolean good = database != NULL && lc_schema_create (database, LC_SCHEMA_MARKS, error) &&
                  marks_file_insert_marks (database, marks->marks, error) &&
                  marks_file_insert_annotations (database, marks->annotations, error) &&
                  lc_database_commit (database, error);

  lc_database_close (database);
  return good;
}

/* The lock of the history keeps others from changing the marks between reading and writing. */
gboolean
lc_marks_change (const char *history_path, LcMarksChange change, gpointer data, GError **error)
{
  g_autofree char *path = lc_marks_dup_path (history_path);
  g_autoptr (LcHistoryFile) held = lc_history_file_lock (history_path, PATIENCE, error);
  g_autoptr (LcMarks) marks = held != NULL ? lc_marks_read (history_path, error) : NULL;
  g_autoptr (LcAside) aside = NULL;
  guint64 size;

  if (marks == NULL || !change (marks, data, error) || !lc_marks_settle (marks, error))
    return FALSE;
  aside = lc_aside_new (path, error);
  return aside != NULL && marks_file_fill (aside, marks, error) &&
         lc_aside_publish (aside, g_get_real_time () * 1000, &size, error);
}
