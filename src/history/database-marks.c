/* SPDX-License-Identifier: Apache-2.0 */
/* The functions `add_mark`, `remove_mark` and `annotate`, which put what a query finds into the file of marks. */
#include <string.h>

#include "database-functions.h"
#include "lightcone/history.h"
#include "lightcone/marks.h"
#include "store.h"

typedef struct
{
  LcUserMark *marks;
  gsize n_marks;
  LcAnnotation annotation; /* of process LC_TRACE_NONE: none */
  guint n_removed;
} MarkRequest;

/* Gives the text of an argument: NULL, without an error, if it is null. */
static gboolean
mark_functions_get_text (sqlite3_value *value, const char **text, GError **error)
{
  int type = sqlite3_value_type (value);

  *text = type == SQLITE_TEXT ? (const char *)sqlite3_value_text (value) : NULL;
  if (type == SQLITE_NULL || (*text != NULL && strlen (*text) == (gsize)sqlite3_value_bytes (value)))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "the name of a mark, and what is said of an event, has to be a text");
  return FALSE;
}

static gboolean
mark_functions_refuse_numbers (GError **error)
{
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "a mark is at a process and an ordinal, or a process, a begin and an end: numbers from 0 on, or packs of "
      "them, of the same length");
  return FALSE;
}

/* Makes marks of PROCESS and ORDINAL, or PROCESS, BEGIN and END. */
static gboolean
mark_request_set_places (MarkRequest *request, const char *name, const LcPackedNumbers *columns, int n_columns,
                         GError **error)
{
  request->n_marks = columns[0].n;
  request->marks = g_new0 (LcUserMark, request->n_marks + 1);
  for (gsize i = 0; i < request->n_marks; i++)
    {
      gint64 process = columns[0].all[i], begin = columns[1].all[i], end = columns[n_columns - 1].all[i];

      if (process < 0 || process >= LC_TRACE_NONE || begin < 0 || end < 0)
        return mark_functions_refuse_numbers (error);
      request->marks[i] = (LcUserMark){name, (guint32)process, n_columns == 3, (guint64)begin, (guint64)end};
    }
  return TRUE;
}

/* Reads NAME and columns of numbers. A name alone is that of marks anywhere. */
static gboolean
mark_request_read (MarkRequest *request, int n_values, sqlite3_value **values, GError **error)
{
  LcPackedNumbers columns[3] = {0};
  const char *name;
  gboolean good = mark_functions_get_text (values[0], &name, error);

  if (!good)
    return FALSE;
  if (n_values == 1)
    {
      request->marks = g_new0 (LcUserMark, 1);
      request->marks[0] = (LcUserMark){.name = name, .process = LC_TRACE_NONE};
      request->n_marks = 1;
      return TRUE;
    }
  for (int i = 1; i < n_values && good; i++)
    good = lc_pack_read (values[i], &columns[i - 1]) && columns[i - 1].n == columns[0].n;
  good = good ? mark_request_set_places (request, name, columns, n_values - 1, error)
              : mark_functions_refuse_numbers (error);
  for (int i = 0; i < 3; i++)
    g_free (columns[i].all);
  return good;
}

/* Nothing may be marked that is not there. */
static gboolean
mark_request_check (const MarkRequest *request, LcDatabase *database, GError **error)
{
  LcUserMark place = {
      .process = request->annotation.process, .begin = request->annotation.ordinal, .end = request->annotation.ordinal};
  g_autoptr (LcHistory) history = lc_history_new_for_database (database, error);

  if (history == NULL)
    return FALSE;
  for (gsize i = 0; i < request->n_marks; i++)
    if (!lc_marks_check_place (history, &request->marks[i], error))
      return FALSE;
  return request->annotation.text == NULL || lc_marks_check_place (history, &place, error);
}

static gboolean
mark_request_add (LcMarks *marks, gpointer data, GError **error)
{
  const MarkRequest *request = data;

  for (gsize i = 0; i < request->n_marks; i++)
    if (!lc_marks_add (marks, &request->marks[i], error))
      return FALSE;
  return request->n_marks > 0 || lc_marks_annotate (marks, &request->annotation, error);
}

static gboolean
mark_request_remove (LcMarks *marks, gpointer data, GError **error G_GNUC_UNUSED)
{
  MarkRequest *request = data;

  request->n_removed = lc_marks_remove (marks, request->marks, request->n_marks);
  return TRUE;
}

static void
mark_functions_add (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  LcDatabase *database = sqlite3_user_data (context);
  g_autoptr (GError) error = NULL;
  MarkRequest request = {.annotation = {.process = LC_TRACE_NONE}};
  gboolean good = mark_request_read (&request, n_values, values, &error);

  for (gsize i = 0; i < request.n_marks && good; i++)
    if (request.marks[i].name == NULL)
      request.marks[i].name = ""; /* which is refused */
  good =
      good && mark_request_check (&request, database, &error) &&
      (request.n_marks == 0 || lc_marks_change (lc_database_get_path (database), mark_request_add, &request, &error));
  if (good)
    sqlite3_result_int64 (context, (sqlite3_int64)request.n_marks);
  else
    sqlite3_result_error (context, error->message, -1);
  g_free (request.marks);
}

static void
mark_functions_remove (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  LcDatabase *database = sqlite3_user_data (context);
  g_autoptr (GError) error = NULL;
  MarkRequest request = {0};

  if (mark_request_read (&request, n_values, values, &error) &&
      (request.n_marks == 0 ||
       lc_marks_change (lc_database_get_path (database), mark_request_remove, &request, &error)))
    sqlite3_result_int64 (context, request.n_removed);
  else
    sqlite3_result_error (context, error->message, -1);
  g_free (request.marks);
}

/* Says something of the event PROCESS, ORDINAL; a text that is null removes what was said. */
static void
mark_functions_annotate (sqlite3_context *context, int n_values G_GNUC_UNUSED, sqlite3_value **values)
{
  LcDatabase *database = sqlite3_user_data (context);
  gint64 process = sqlite3_value_int64 (values[0]), ordinal = sqlite3_value_int64 (values[1]);
  g_autoptr (GError) error = NULL;
  MarkRequest request = {.annotation = {.process = (guint32)process, .ordinal = (guint64)ordinal}};
  gboolean good = sqlite3_value_type (values[0]) == SQLITE_INTEGER &&
                  sqlite3_value_type (values[1]) == SQLITE_INTEGER && process >= 0 && process < LC_TRACE_NONE &&
                  ordinal >= 0;

  if (good ? mark_functions_get_text (values[2], &request.annotation.text, &error)
           : mark_functions_refuse_numbers (&error))
    good = mark_request_check (&request, database, &error) &&
           lc_marks_change (lc_database_get_path (database), mark_request_add, &request, &error);
  if (error != NULL)
    sqlite3_result_error (context, error->message, -1);
  else
    sqlite3_result_int (context, 1);
}

static void
mark_functions_drop_database (void *database)
{
  lc_database_drop_user (database);
}

int
lc_database_add_mark_functions (LcDatabase *database)
{
  static const struct
  {
    const char *name;
    int n_values;
    void (*call) (sqlite3_context *context, int n_values, sqlite3_value **values);
  } functions[] = {
      {"add_mark", 3, mark_functions_add},       {"add_mark", 4, mark_functions_add},
      {"remove_mark", 1, mark_functions_remove}, {"remove_mark", 3, mark_functions_remove},
      {"remove_mark", 4, mark_functions_remove}, {"annotate", 3, mark_functions_annotate},
  };
  int code = SQLITE_OK;

  /* Only who wrote the query may change marks: no view and no trigger of a database. */
  for (gsize i = 0; i < G_N_ELEMENTS (functions) && code == SQLITE_OK; i++)
    {
      database->n_modules++;
      code = sqlite3_create_function_v2 (database->handle, functions[i].name, functions[i].n_values,
                                         SQLITE_UTF8 | SQLITE_DIRECTONLY, database, functions[i].call, NULL, NULL,
                                         mark_functions_drop_database);
    }
  return code;
}
