/* SPDX-License-Identifier: Apache-2.0 */
/* Adds timelines to a history: a timeline is written to a file aside, and copied into the history when it is
 * complete. */
#include "lightcone/timeline.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "change.h"
#include "describe.h"
#include "freshness.h"
#include "schema.h"
#include "store.h"

enum
{
  PAGE_SIZE = 8192,
};

/* The times to wait for others who change the history: before the work is done, and after it. */
#define PATIENCE_BEFORE (10 * G_TIME_SPAN_SECOND)
#define PATIENCE_AFTER (10 * G_TIME_SPAN_MINUTE)

struct _LcTimelineWriter
{
  char *path;
  char *name, *model, *parameters;
  gboolean own;
  LcTrace *trace;
  LcHistory *history;
  LcAside *aside;
  LcDatabase *made; /* NULL: closed already */
  LcWriter *writer;
};

/* --- The history ------------------------------------------------------------------------------------------------ */

static gboolean
set_old (const char *path, GError **error, const char *what)
{
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_OLD, "%s: %s: merge the trace again", path, what);
  return FALSE;
}

static gboolean
timeline_check_origin (LcHistory *history, LcTrace *trace, const LcRules *rules, GError **error)
{
  g_autofree char *checksum = lc_rules_dup_checksum (rules), *own = lc_history_dup_meta (history, "rules");

  if (g_strcmp0 (checksum, own) != 0)
    return set_old (lc_history_get_path (history), error, "this history was made with other rules");
  if (lc_history_get_n_processes (history) != lc_trace_get_n_processes (trace))
    return set_old (lc_history_get_path (history), error, "this history was made of another trace");
  return TRUE;
}

/* Waits until nobody makes the history again, because the new file would lack the new timeline. */
static gboolean
wait_for_others (const char *path, GError **error)
{
  g_autoptr (LcHistoryFile) file = lc_history_file_lock (path, PATIENCE_BEFORE, error);

  return file != NULL;
}

static gboolean
open_history (LcTimelineWriter *writer, LcTrace *trace, const LcRules *rules, GError **error)
{
  if (!wait_for_others (writer->path, error))
    return FALSE;
  writer->history = lc_history_open (writer->path, error);
  if (writer->history == NULL)
    return FALSE;
  if (access (writer->path, W_OK) != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", writer->path, g_strerror (errno));
      return FALSE;
    }
  return timeline_check_origin (writer->history, trace, rules, error);
}

/* --- The table timeline ----------------------------------------------------------------------------------------- */

static gboolean
timeline_find_number (LcDatabase *database, const char *name, gint64 *number, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "SELECT id FROM timeline WHERE name = ?1", NULL, error);
  LcStep step = LC_STEP_ERROR;

  *number = -1;
  if (statement == NULL)
    return FALSE;
  lc_statement_bind_text (statement, 1, name);
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    *number = lc_statement_int (statement, 0);
  lc_statement_free (statement);
  return step != LC_STEP_ERROR;
}

/* Chooses the smallest free number. */
static gboolean
choose_number (LcDatabase *database, gint64 *number, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "SELECT id FROM timeline ORDER BY id", NULL, error);
  LcStep step = LC_STEP_ERROR;

  *number = 0;
  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW &&
         lc_statement_int (statement, 0) == *number)
    ++*number;
  lc_statement_free (statement);
  if (step == LC_STEP_ERROR)
    return FALSE;
  if (*number < LC_TIMELINES)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "%s: a history has room for %d timelines: remove one",
               lc_database_get_path (database), LC_TIMELINES);
  return FALSE;
}

/* Tables whose key begins with the number of the timeline, and tables with a column for it. */
static const char *const keyed[] = {"block",        "posting", "posting_index", "summary",
                                    "longest_arcs", "origin",  "origin_index"};
static const struct
{
  const char *name, *columns;
} numbered[] = {
    {"block_index", "process, data"},
    {"summary_index", "process, data"},
    {"operation_total", "process, operation, events, time, waited, longest"},
};

static gboolean
remove_rows (LcDatabase *database, guint32 number, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (keyed); i++)
    g_string_append_printf (sql, "DELETE FROM %s WHERE id BETWEEN %" G_GINT64_FORMAT " AND %" G_GINT64_FORMAT ";",
                            keyed[i], lc_timeline_key (number, 0),
                            lc_timeline_key (number, (G_GUINT64_CONSTANT (1) << LC_TIMELINE_SHIFT) - 1));
  for (gsize i = 0; i < G_N_ELEMENTS (numbered); i++)
    g_string_append_printf (sql, "DELETE FROM %s WHERE timeline = %u;", numbered[i].name, number);
  g_string_append_printf (sql, "DELETE FROM timeline WHERE id = %u", number);
  return lc_database_run (database, sql->str, error);
}

/* Copies the rows of timeline 0 of the file made aside. */
static gboolean
timeline_copy_rows (LcDatabase *database, guint32 number, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (keyed); i++)
    g_string_append_printf (
        sql, "INSERT INTO main.%s (id, data) SELECT id + %" G_GINT64_FORMAT ", data FROM made.%s ORDER BY id;",
        keyed[i], lc_timeline_key (number, 0), keyed[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (numbered); i++)
    g_string_append_printf (sql, "INSERT INTO main.%s (timeline, %s) SELECT %u, %s FROM made.%s;", numbered[i].name,
                            numbered[i].columns, number, numbered[i].columns, numbered[i].name);
  return lc_database_run (database, sql->str, error);
}

static gboolean
timeline_add_row (LcDatabase *database, const LcTimelineWriter *writer, guint32 number, GError **error)
{
  LcStatement *statement = lc_database_prepare (
      database, "INSERT INTO timeline (id, name, model, parameters, own) VALUES (?1, ?2, ?3, ?4, ?5)", NULL, error);
  gboolean good;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, number);
  lc_statement_bind_text (statement, 2, writer->name);
  lc_statement_bind_text (statement, 3, writer->model);
  lc_statement_bind_text (statement, 4, writer->parameters);
  lc_statement_bind_int (statement, 5, writer->own);
  good = lc_statement_run (statement, error);
  lc_statement_free (statement);
  return good;
}

/* --- Changing the history --------------------------------------------------------------------------------------- */

typedef struct
{
  const LcTimelineWriter *writer;
  gint64 number;
} Addition;

static gboolean
timeline_add_timeline (LcDatabase *database, gpointer data, GError **error)
{
  Addition *addition = data;

  if (!timeline_find_number (database, addition->writer->name, &addition->number, error))
    return FALSE;
  if (addition->number < 0 ? !choose_number (database, &addition->number, error)
                           : !remove_rows (database, (guint32)addition->number, error))
    return FALSE;
  return timeline_copy_rows (database, (guint32)addition->number, error) &&
         timeline_add_row (database, addition->writer, (guint32)addition->number, error);
}

static gboolean
timeline_remove_timeline (LcDatabase *database, gpointer data, GError **error)
{
  const char *name = data;
  gint64 number;

  if (!timeline_find_number (database, name, &number, error))
    return FALSE;
  if (number > LC_TIMELINE_MEASURED)
    return remove_rows (database, (guint32)number, error);
  if (number == LC_TIMELINE_MEASURED)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: the timeline \"%s\" cannot be removed",
                 lc_database_get_path (database), name);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no timeline \"%s\"",
                 lc_database_get_path (database), name);
  return FALSE;
}

gboolean
lc_timeline_remove (const char *path, const char *name, GError **error)
{
  g_autoptr (LcHistory) history = NULL;

  g_return_val_if_fail (path != NULL && name != NULL, FALSE);
  history = lc_history_open (path, error);
  return history != NULL &&
         lc_change_history (history, -1, PATIENCE_BEFORE, timeline_remove_timeline, (gpointer)name, error);
}

/* --- The writer ------------------------------------------------------------------------------------------------- */

static gboolean
timeline_check_name (const char *name, GError **error)
{
  if (*name != '\0' && strcmp (name, "measured") != 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "a timeline cannot have the name \"%s\"", name);
  return FALSE;
}

/* Makes the file aside, and a writer into it. */
static gboolean
timeline_begin (LcTimelineWriter *writer, LcTrace *trace, const LcRules *rules, GError **error)
{
  writer->aside = lc_aside_new (writer->path, error);
  if (writer->aside == NULL)
    return FALSE;
  writer->made =
      lc_database_create (lc_aside_get_descriptor (writer->aside), lc_aside_get_path (writer->aside), PAGE_SIZE, error);
  if (writer->made == NULL || !lc_schema_create (writer->made, LC_SCHEMA_HISTORY, error))
    return FALSE;
  writer->writer = lc_writer_new (writer->made, trace, rules, writer->own ? LC_COLUMN_ALL : LC_COLUMN_MOVED, error);
  return writer->writer != NULL;
}

LcTimelineWriter *
lc_timeline_writer_new (const char *path, LcTrace *trace, const LcRules *rules,
                        const LcTimelineDescription *description, GError **error)
{
  g_autoptr (LcTimelineWriter) writer = NULL;

  g_return_val_if_fail (path != NULL && trace != NULL && rules != NULL, NULL);
  g_return_val_if_fail (description != NULL && description->name != NULL, NULL);
  if (!timeline_check_name (description->name, error))
    return NULL;
  writer = g_new0 (LcTimelineWriter, 1);
  writer->path = g_strdup (path);
  writer->name = g_strdup (description->name);
  writer->model = g_strdup (description->model);
  writer->parameters = g_strdup (description->parameters);
  writer->own = description->own != FALSE;
  writer->trace = trace;
  if (!open_history (writer, trace, rules, error) || !timeline_begin (writer, trace, rules, error))
    return NULL;
  return g_steal_pointer (&writer);
}

void
lc_timeline_writer_set_parameters (LcTimelineWriter *writer, const char *parameters)
{
  g_free (writer->parameters);
  writer->parameters = g_strdup (parameters);
}

void
lc_timeline_writer_free (LcTimelineWriter *writer)
{
  if (writer == NULL)
    return;
  g_clear_pointer (&writer->writer, lc_writer_free);
  g_clear_pointer (&writer->made, lc_database_close);
  g_clear_pointer (&writer->aside, lc_aside_free);
  lc_history_free (writer->history);
  g_free (writer->name);
  g_free (writer->model);
  g_free (writer->parameters);
  g_free (writer->path);
  g_free (writer);
}

void
lc_timeline_writer_add (LcTimelineWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event)
{
  lc_writer_add (writer->writer, step, event);
}

gboolean
lc_timeline_writer_can_write (const LcTimelineWriter *writer)
{
  return writer->writer != NULL && lc_writer_can_write (writer->writer);
}

/* A timeline without its own order has a time for each event of the history. */
static gboolean
check_events (const LcTimelineWriter *writer, GError **error)
{
  for (guint32 i = 0; !writer->own && i < lc_history_get_n_processes (writer->history); i++)
    if (lc_writer_get_process (writer->writer, i)->events != lc_history_get_process (writer->history, i)->events)
      return set_old (writer->path, error, "the trace has other events than when this history was made");
  return TRUE;
}

static gboolean
timeline_is_known_unreadable (GPtrArray *known, const char *file)
{
  for (guint i = 0; i < known->len; i++)
    {
      const LcHistoryProblem *problem = known->pdata[i];

      if (strcmp (problem->kind, "file-unreadable") == 0 && g_strcmp0 (problem->file, file) == 0)
        return TRUE;
    }
  return FALSE;
}

/* What was decided while a file could not be read may be another decision than the next time. */
static gboolean
timeline_check_files (const LcTimelineWriter *writer, GError **error)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (writer->trace);
  g_autoptr (GPtrArray) known = lc_history_list_problems (writer->history, error);

  for (guint i = 0; known != NULL && i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      if (strcmp (problem->name, "file-unreadable") == 0 && !timeline_is_known_unreadable (known, problem->file))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s/%s could not be read this time: try again",
                       lc_trace_get_path (writer->trace), problem->file);
          return FALSE;
        }
    }
  return known != NULL;
}

gboolean
lc_timeline_writer_commit (LcTimelineWriter *writer, guint32 *number, GError **error)
{
  Addition addition = {writer, 0};

  g_return_val_if_fail (writer != NULL && writer->made != NULL, FALSE);
  lc_writer_finish (writer->writer);
  while (!lc_writer_wait (writer->writer, g_get_monotonic_time () + G_TIME_SPAN_HOUR))
    continue;
  if (!lc_writer_check (writer->writer, error) || !check_events (writer, error) ||
      !timeline_check_files (writer, error) ||
      !lc_describe_totals (writer->made, lc_writer_get_totals (writer->writer), error) ||
      !lc_database_commit (writer->made, error))
    return FALSE;
  g_clear_pointer (&writer->writer, lc_writer_free);
  g_clear_pointer (&writer->made, lc_database_close);
  if (!lc_change_history (writer->history, lc_aside_get_descriptor (writer->aside), PATIENCE_AFTER,
                          timeline_add_timeline, &addition, error))
    return FALSE;
  if (number != NULL)
    *number = (guint32)addition.number;
  return TRUE;
}
