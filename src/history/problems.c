/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the problems that a merge found in the trace. */
#include "reader.h"

static void
free_problem (gpointer data)
{
  LcHistoryProblem *problem = data;

  g_free (problem->kind);
  g_free (problem->file);
  g_free (problem->operation);
  g_free (problem->wants);
  g_free (problem->description);
  g_free (problem->detail);
  g_free (problem);
}

static LcTraceSeverity
severity_of (const char *name)
{
  if (g_strcmp0 (name, "note") == 0)
    return LC_TRACE_NOTE;
  return g_strcmp0 (name, "warning") == 0 ? LC_TRACE_WARNING : LC_TRACE_FAULT;
}

static gboolean
problems_is_there (LcStatement *statement, int column)
{
  return lc_statement_type (statement, column) == LC_VALUE_INT;
}

static guint32
problems_number_of (LcStatement *statement, int column, guint32 before)
{
  gint64 number = lc_statement_int (statement, column);

  return problems_is_there (statement, column) && number >= 0 && number < before ? (guint32)number : LC_TRACE_NONE;
}

/* The columns are those of LC_QUERY_PROBLEMS. */
static LcHistoryProblem *
read_problem (const LcHistory *history, LcStatement *statement)
{
  LcHistoryProblem *problem = g_new0 (LcHistoryProblem, 1);

  problem->kind = g_strdup (lc_statement_text (statement, 0));
  problem->severity = severity_of (lc_statement_text (statement, 1));
  problem->count = (guint64)lc_statement_int (statement, 2);
  problem->file = g_strdup (lc_statement_text (statement, 3));
  problem->is_line = problems_is_there (statement, 4);
  problem->has_place = problem->is_line || problems_is_there (statement, 5);
  problem->where = (guint64)lc_statement_int (statement, problem->is_line ? 4 : 5);
  problem->process = problems_number_of (statement, 6, history->processes->len);
  problem->has_event = problem->process != LC_TRACE_NONE && problems_is_there (statement, 7);
  problem->ordinal = (guint64)lc_statement_int (statement, 7);
  problem->operation = g_strdup (lc_statement_text (statement, 8));
  problem->object = problems_number_of (statement, 9, history->n_objects);
  problem->has_sequence = problems_is_there (statement, 10);
  problem->sequence = lc_statement_int (statement, 10);
  problem->wants = g_strdup (lc_statement_text (statement, 11));
  problem->wants_sequence = lc_statement_int (statement, 12);
  problem->there = (guint64)lc_statement_int (statement, 13);
  problem->needed = (guint64)lc_statement_int (statement, 14);
  problem->other = problems_number_of (statement, 15, history->processes->len);
  problem->other_ordinal = (guint64)lc_statement_int (statement, 16);
  problem->description = g_strdup (lc_statement_text (statement, 17));
  problem->detail = g_strdup (lc_statement_text (statement, 18));
  return problem;
}

GPtrArray *
lc_history_list_problems (LcHistory *history, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcStatement *statement = connection != NULL ? lc_connection_prepare (connection, LC_QUERY_PROBLEMS, error) : NULL;
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (free_problem);
  LcStep step = LC_STEP_ERROR;

  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    g_ptr_array_add (list, read_problem (history, statement));
  if (statement != NULL)
    lc_statement_reset (statement);
  return step == LC_STEP_DONE ? g_steal_pointer (&list) : NULL;
}
