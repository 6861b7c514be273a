/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a part of a history: SQL, and windows of time. */
#include <glib/gi18n.h>
#include <string.h>

#include "history/tables.h"
#include "script-private.h"

/* --- SQL ---------------------------------------------------------------------------------------------------------- */

enum
{
  ROWS = 256, /* in one batch */
};

/* A statement that a script goes through, and the texts that are bound to it. */
static SCM statement_type;

static LcDatabase *
queries_get_database (LcScriptHistory *history)
{
  GError *error = NULL;
  LcDatabase *database = history->database;

  if (database != NULL)
    return database;
  database = lc_database_open (lc_history_get_path (history->history), &error);
  if (database == NULL || !lc_tables_add (database, &error))
    {
      lc_database_close (database);
      lc_script_throw (error);
    }
  history->database = database;
  return database;
}

/* Ctrl-C reaches the database by the cancellable. */
static void
queries_interrupt (GCancellable *cancellable, gpointer database)
{
  lc_database_interrupt (database);
}

static LcStatement *
queries_get_statement (SCM object)
{
  scm_assert_foreign_object_type (statement_type, object);
  return scm_foreign_object_ref (object, 0);
}

/* Binds a number, a text, or nothing for #f. Texts must live as long as the statement: `texts` keeps them. */
static void
queries_bind (LcStatement *statement, GPtrArray *texts, int at, SCM value)
{
  if (scm_is_false (value))
    lc_statement_bind_null (statement, at);
  else if (scm_is_signed_integer (value, G_MININT64, G_MAXINT64))
    lc_statement_bind_int (statement, at, scm_to_int64 (value));
  else if (scm_is_real (value))
    lc_statement_bind_real (statement, at, scm_to_double (value));
  else if (!scm_is_string (value) && !scm_is_symbol (value))
    lc_script_fail (_ ("sql: ~S is no parameter, which is a number, a text, a symbol or #f"), scm_list_1 (value));
  else
    {
      g_ptr_array_add (texts, scm_to_utf8_stringn (scm_is_symbol (value) ? scm_symbol_to_string (value) : value, NULL));
      lc_statement_bind_text (statement, at, texts->pdata[texts->len - 1]);
    }
}

static SCM
queries_prepare (SCM sql)
{
  LcDatabase *database = queries_get_database (lc_script_get ());
  char *text = scm_to_utf8_stringn (sql, NULL);
  GError *error = NULL;
  LcStatement *statement = lc_database_prepare (database, text, NULL, &error);

  free (text);
  if (statement == NULL && error != NULL)
    lc_script_throw (error);
  if (statement == NULL)
    return SCM_BOOL_F;
  return scm_make_foreign_object_2 (statement_type, statement, g_ptr_array_new_with_free_func (free));
}

static SCM
queries_bind_all (SCM object, SCM parameters)
{
  LcStatement *statement = queries_get_statement (object);

  for (int at = 1; scm_is_pair (parameters); parameters = scm_cdr (parameters), at++)
    queries_bind (statement, scm_foreign_object_ref (object, 1), at, scm_car (parameters));
  return SCM_UNSPECIFIED;
}

static SCM
queries_free (SCM object)
{
  LcStatement *statement = queries_get_statement (object);

  scm_foreign_object_set_x (object, 0, NULL);
  lc_statement_free (statement);
  g_ptr_array_unref (scm_foreign_object_ref (object, 1));
  return SCM_UNSPECIFIED;
}

static SCM
queries_get_blob (LcStatement *statement, int column)
{
  gsize size;
  gconstpointer data = lc_statement_blob (statement, column, &size);
  SCM bytes = scm_c_make_bytevector (size);

  if (size > 0)
    memcpy (SCM_BYTEVECTOR_CONTENTS (bytes), data, size);
  return bytes;
}

static SCM
queries_get_value (LcStatement *statement, int column)
{
  switch (lc_statement_type (statement, column))
    {
    case LC_VALUE_INT:
      return scm_from_int64 (lc_statement_int (statement, column));
    case LC_VALUE_REAL:
      return scm_from_double (lc_statement_real (statement, column));
    case LC_VALUE_TEXT:
      return lc_script_from_text (lc_statement_text (statement, column));
    case LC_VALUE_BLOB:
      return queries_get_blob (statement, column);
    case LC_VALUE_NULL:
    default:
      return SCM_BOOL_F;
    }
}

static SCM
queries_get_row (LcStatement *statement)
{
  SCM row = SCM_EOL;

  for (int i = lc_statement_n_columns (statement); i-- > 0;)
    row = scm_cons (queries_get_value (statement, i), row);
  return row;
}

/* Some more rows, and whether they were the last. */
static SCM
queries_step (SCM object)
{
  LcStatement *statement = queries_get_statement (object);
  LcDatabase *database = queries_get_database (lc_script_get ());
  gulong handler = g_cancellable_connect (lc_script.cancellable, G_CALLBACK (queries_interrupt), database, NULL);
  GError *error = NULL;
  LcStep step = LC_STEP_ROW;
  SCM rows = SCM_EOL;

  for (guint i = 0; i < ROWS && step == LC_STEP_ROW; i++)
    {
      step = lc_statement_step (statement, &error);
      if (step == LC_STEP_ROW)
        rows = scm_cons (queries_get_row (statement), rows);
    }
  g_cancellable_disconnect (lc_script.cancellable, handler);
  lc_database_resume (database);
  if (step == LC_STEP_ERROR)
    lc_script_throw (error);
  return scm_cons (scm_reverse_x (rows, SCM_EOL), scm_from_bool (step == LC_STEP_DONE));
}

static SCM
queries_list_columns (SCM object)
{
  LcStatement *statement = queries_get_statement (object);
  SCM names = SCM_EOL;

  for (int i = lc_statement_n_columns (statement); i-- > 0;)
    names = scm_cons (lc_script_from_text (lc_statement_column_name (statement, i)), names);
  return names;
}

/* --- Windows ------------------------------------------------------------------------------------------------------ */

static const LcScriptField bucket_fields[] = {
    {"running", offsetof (LcSummaryBucket, running), LC_FIELD_U64},
    {"waiting", offsetof (LcSummaryBucket, waiting), LC_FIELD_U64},
    {"woken", offsetof (LcSummaryBucket, woken), LC_FIELD_U64},
    {"preempted", offsetof (LcSummaryBucket, preempted), LC_FIELD_U64},
    {"outside", offsetof (LcSummaryBucket, outside), LC_FIELD_U64},
    {"holding", offsetof (LcSummaryBucket, holding), LC_FIELD_U64},
    {"events", offsetof (LcSummaryBucket, events), LC_FIELD_U64},
    {"longest", offsetof (LcSummaryBucket, longest), LC_FIELD_U64},
    {"longest-ordinal", offsetof (LcSummaryBucket, longest_ordinal), LC_FIELD_U64},
};

/* Buckets as lists of process, begin, end and the fields, by process and begin. */
static SCM
queries_list_buckets (const LcSummary *summary)
{
  SCM list = SCM_EOL;

  for (gsize row = summary->n_rows; row-- > 0;)
    for (gsize i = summary->rows[row].n_buckets; i-- > 0;)
      {
        guint64 begin = (summary->first + i) << summary->level;
        SCM fields =
            lc_script_from_struct (&summary->rows[row].buckets[i], bucket_fields, G_N_ELEMENTS (bucket_fields));

        list = scm_cons (scm_cons2 (scm_from_uint32 (summary->rows[row].process), scm_from_uint64 (begin),
                                    scm_cons (scm_from_uint64 (begin + ((guint64)1 << summary->level)), fields)),
                         list);
      }
  return list;
}

static SCM
queries_list_events (const LcHistoryEvent *events, gsize n_events)
{
  SCM list = SCM_EOL;

  for (gsize i = n_events; i-- > 0;)
    list = scm_cons (lc_script_from_event (events[i].process, events[i].ordinal), list);
  return list;
}

/* The events of a window, or (with #t before them) its buckets. */
static SCM
queries_window (SCM from, SCM to, SCM processes, SCM limit, SCM summarize)
{
  LcScriptHistory *history = lc_script_get ();
  gsize n = scm_to_size_t (scm_length (processes)), most = scm_to_size_t (limit), n_events;
  guint32 *numbers = scm_gc_malloc_pointerless (MAX (n, 1) * sizeof (guint32), "processes");
  LcWindow window = {.timeline = lc_script.timeline, .axis = LC_AXIS_TIME, .processes = numbers};
  GError *error = NULL;
  LcWindowResult *result;
  const LcHistoryEvent *events;
  SCM list;

  window.from = lc_script_to_u64 (from);
  window.to = lc_script_to_u64 (to);
  for (; scm_is_pair (processes); processes = scm_cdr (processes))
    numbers[window.n_processes++] = lc_script_to_u32 (scm_car (processes));
  result = scm_is_true (summarize)
               ? lc_history_summarize_window (history->history, &window, most, 0, lc_script.cancellable, &error)
               : lc_history_query_window (history->history, &window, most, 0, lc_script.cancellable, &error);
  if (result == NULL)
    lc_script_throw (error);
  events = lc_window_result_get_events (result, &n_events);
  list = events != NULL ? scm_cons (SCM_BOOL_F, queries_list_events (events, n_events))
                        : scm_cons (SCM_BOOL_T, queries_list_buckets (lc_window_result_get_summary (result)));
  lc_window_result_free (result);
  return list;
}

void
lc_script_init_queries (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%sql-prepare", 1, 0, (scm_t_subr)queries_prepare}, {"%sql-bind", 2, 0, (scm_t_subr)queries_bind_all},
      {"%sql-step", 1, 0, (scm_t_subr)queries_step},       {"%sql-columns", 1, 0, (scm_t_subr)queries_list_columns},
      {"%sql-free", 1, 0, (scm_t_subr)queries_free},       {"%window", 5, 0, (scm_t_subr)queries_window},
  };

  statement_type = scm_gc_protect_object (scm_make_foreign_object_type (
      scm_from_utf8_symbol ("statement"), scm_list_2 (scm_from_utf8_symbol ("pointer"), scm_from_utf8_symbol ("texts")),
      NULL));
  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
