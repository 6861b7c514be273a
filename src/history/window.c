/* SPDX-License-Identifier: Apache-2.0 */
/* Plans what a picture has of a window, and reads it: its events if they are few, else its summary. */
#include "reader.h"

struct _LcWindowResult
{
  GArray *events; /* LcHistoryEvent, or NULL */
  LcSummaryOwner summary;
};

/* If more blocks than this touch the window, and there seem to be too many events, the summary is read first, as it may
 * prove that. If it is close to the limit, the events are counted first. */
enum
{
  MANY_BLOCKS = 64,
};

#define TOO_MANY 1.1
#define CLOSE 0.97

void
lc_window_result_free (LcWindowResult *result)
{
  if (result == NULL)
    return;
  g_clear_pointer (&result->events, g_array_unref);
  lc_summary_owner_clear (&result->summary);
  g_free (result);
}

const LcHistoryEvent *
lc_window_result_get_events (const LcWindowResult *result, gsize *n_events)
{
  *n_events = result->events != NULL ? result->events->len : 0;
  return result->events != NULL ? (const LcHistoryEvent *)(const void *)result->events->data : NULL;
}

const LcSummary *
lc_window_result_get_summary (const LcWindowResult *result)
{
  return result->events == NULL ? &result->summary.summary : NULL;
}

struct _LcWindowPlan
{
  LcHistory *history;
  LcConnection *connection;
  LcWindow window;    /* its processes are `processes` */
  guint32 *processes; /* or NULL */
  GCancellable *cancellable;
  GArray *rows; /* LcTouching, in the order of the window's processes */
};

/* A question about some of the processes of a plan. */
typedef struct
{
  LcConnection *connection;
  const LcWindow *window;
  gsize limit;
  guint64 resolution;
  GCancellable *cancellable;
  GArray *rows; /* LcTouching */
  LcWindowResult *result;
} Query;

static LcTouching
window_add_up (const GArray *rows)
{
  LcTouching sum = {.process = LC_TRACE_NONE};

  for (guint i = 0; i < rows->len; i++)
    {
      const LcTouching *row = &g_array_index (rows, LcTouching, i);

      sum.n_blocks += row->n_blocks;
      sum.certain += row->certain;
      sum.possible += row->possible;
      sum.likely += row->likely;
    }
  return sum;
}

static gboolean
collect_block (Query *query, const LcTouching *row, guint number, GError **error)
{
  const LcBlock *block;
  LcHistoryEvent *events;
  guint32 first, last;
  guint before = query->result->events->len;

  if (g_cancellable_set_error_if_cancelled (query->cancellable, error))
    return FALSE;
  block = lc_connection_get_block (query->connection, query->window->timeline, row->process, number, LC_EVENT_COLUMNS,
                                   error);
  if (block == NULL)
    return FALSE;
  lc_block_find_touching (block, query->window, &first, &last);
  g_array_set_size (query->result->events, before + (last - first));
  events = (LcHistoryEvent *)(void *)query->result->events->data + before;
  for (guint32 i = first; i < last; i++)
    lc_block_get_event (block, i, &events[i - first]);
  return TRUE;
}

/* Reads the events. If they are more than the limit, `events` is NULL afterwards. */
static gboolean
window_collect (Query *query, guint64 possible, GError **error)
{
  guint room = (guint)MIN (possible, MIN (query->limit, 1 << 16) + LC_BLOCK_EVENTS);

  query->result->events = g_array_sized_new (FALSE, FALSE, sizeof (LcHistoryEvent), MAX (room, 1));
  for (guint i = 0; i < query->rows->len; i++)
    {
      const LcTouching *row = &g_array_index (query->rows, LcTouching, i);

      for (guint k = 0; k < row->n_blocks; k++)
        {
          if (!collect_block (query, row, row->first_block + k, error))
            return FALSE;
          if (query->result->events->len > query->limit)
            {
              g_clear_pointer (&query->result->events, g_array_unref);
              return TRUE;
            }
        }
    }
  return TRUE;
}

static gboolean
window_summarize (Query *query, GError **error)
{
  return lc_connection_summarize (query->connection, query->window, query->rows, query->limit, query->resolution,
                                  &query->result->summary, query->cancellable, error);
}

/* Counts the events of one block that touch the window. */
static gboolean
count_block (Query *query, const LcTouching *row, guint number, guint64 *count, GError **error)
{
  LcColumns column = query->window->axis == LC_AXIS_TIME ? LC_COLUMN_TIME : LC_COLUMN_LAYER;
  const LcBlock *block;
  guint32 first, last;

  if (g_cancellable_set_error_if_cancelled (query->cancellable, error))
    return FALSE;
  block = lc_connection_get_block (query->connection, query->window->timeline, row->process, number, column, error);
  if (block == NULL)
    return FALSE;
  lc_block_find_touching (block, query->window, &first, &last);
  *count += last - first;
  return TRUE;
}

/* Only the first and the last block of a process may have events outside of the window. */
static gboolean
is_too_many (Query *query, gboolean *too_many, GError **error)
{
  guint64 count = 0;

  for (guint i = 0; i < query->rows->len && count <= query->limit; i++)
    {
      const LcTouching *row = &g_array_index (query->rows, LcTouching, i);

      if (row->n_blocks > 0 && row->certain == row->possible)
        count += row->certain;
      else if (row->n_blocks > 0)
        {
          if (!count_block (query, row, row->first_block, &count, error) ||
              (row->n_blocks > 1 && !count_block (query, row, row->first_block + row->n_blocks - 1, &count, error)))
            return FALSE;
          count += row->n_blocks > 2 ? (guint64)(row->n_blocks - 2) * LC_BLOCK_EVENTS : 0;
        }
    }
  *too_many = count > query->limit;
  return TRUE;
}

static gboolean
window_run (Query *query, GError **error)
{
  gboolean too_many = FALSE;
  const LcTouching sum = window_add_up (query->rows);

  if (sum.certain > query->limit)
    return window_summarize (query, error);
  if (sum.n_blocks > MANY_BLOCKS && sum.likely > TOO_MANY * (double)query->limit)
    {
      if (!window_summarize (query, error))
        return FALSE;
      if (query->result->summary.certain > query->limit)
        return TRUE;
      lc_summary_owner_clear (&query->result->summary);
    }
  if (sum.n_blocks > MANY_BLOCKS && sum.likely > CLOSE * (double)query->limit)
    {
      if (!is_too_many (query, &too_many, error))
        return FALSE;
      if (too_many)
        return window_summarize (query, error);
    }
  if (!window_collect (query, sum.possible, error))
    return FALSE;
  return query->result->events != NULL || window_summarize (query, error);
}

/* A summary without any bucket. */
static gboolean
summarize_nothing (Query *query)
{
  LcSummaryRow *rows = g_new0 (LcSummaryRow, MAX (query->rows->len, 1));

  for (guint i = 0; i < query->rows->len; i++)
    rows[i].process = g_array_index (query->rows, LcTouching, i).process;
  query->result->summary.rows = rows;
  query->result->summary.summary = (LcSummary){.n_rows = query->rows->len, .rows = rows};
  return TRUE;
}

static gboolean
run_summary (Query *query, GError **error)
{
  return window_add_up (query->rows).possible == 0 ? summarize_nothing (query) : window_summarize (query, error);
}

/* Looks at no summary: that there are too many events is all that is asked. */
static gboolean
run_events (Query *query, GError **error)
{
  const LcTouching sum = window_add_up (query->rows);
  gboolean too_many = sum.certain > query->limit;

  if (!too_many && sum.n_blocks > MANY_BLOCKS && sum.likely > CLOSE * (double)query->limit &&
      !is_too_many (query, &too_many, error))
    return FALSE;
  return too_many || window_collect (query, sum.possible, error);
}

/* --- Plans -------------------------------------------------------------------------------------------------------- */

/* Estimates what each process has in the window, from its directory. */
static gboolean
plan_estimate (LcWindowPlan *plan, GError **error)
{
  const guint32 n = lc_window_n_processes (plan->history, &plan->window);

  for (guint32 i = 0; i < n; i++)
    {
      LcTouching row;

      if (i % 64 == 0 && g_cancellable_set_error_if_cancelled (plan->cancellable, error))
        return FALSE;
      if (!lc_connection_estimate (plan->connection, &plan->window, lc_window_get_process (&plan->window, i), &row,
                                   error))
        return FALSE;
      g_array_append_val (plan->rows, row);
    }
  return TRUE;
}

LcWindowPlan *
lc_window_plan_new (LcHistory *history, const LcWindow *window, GCancellable *cancellable, GError **error)
{
  LcConnection *connection = lc_history_take_connection (history, error);
  LcWindowPlan *plan;

  if (connection == NULL)
    return NULL;
  plan = g_new0 (LcWindowPlan, 1);
  plan->history = history;
  plan->connection = connection;
  plan->window = *window;
  if (window->processes != NULL)
    plan->window.processes = plan->processes =
        g_memdup2 (window->processes, sizeof *window->processes * MAX (window->n_processes, 1));
  plan->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  plan->rows = g_array_new (FALSE, FALSE, sizeof (LcTouching));
  if (lc_window_check (connection, &plan->window, error) && plan_estimate (plan, error))
    return plan;
  lc_window_plan_free (plan);
  return NULL;
}

void
lc_window_plan_free (LcWindowPlan *plan)
{
  if (plan == NULL)
    return;
  lc_connection_give (plan->connection);
  g_array_unref (plan->rows);
  g_clear_object (&plan->cancellable);
  g_free (plan->processes);
  g_free (plan);
}

/* Returns the estimates of some members; all: NULL. */
static GArray *
plan_choose (const LcWindowPlan *plan, const guint32 *members, guint32 n)
{
  GArray *rows;

  if (members == NULL)
    return g_array_ref (plan->rows);
  rows = g_array_sized_new (FALSE, FALSE, sizeof (LcTouching), MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    g_array_append_val (rows, g_array_index (plan->rows, LcTouching, members[i]));
  return rows;
}

/* Asks about some members. NULL: an error. */
static LcWindowResult *
plan_ask (LcWindowPlan *plan, const guint32 *members, guint32 n, gsize limit, guint64 resolution,
          gboolean (*run_it) (Query *query, GError **error), GError **error)
{
  g_autoptr (LcWindowResult) result = g_new0 (LcWindowResult, 1);
  g_autoptr (GArray) rows = plan_choose (plan, members, n);
  Query query = {plan->connection, &plan->window, limit, resolution, plan->cancellable, rows, result};

  return run_it (&query, error) ? g_steal_pointer (&result) : NULL;
}

gboolean
lc_window_plan_list_events (LcWindowPlan *plan, const guint32 *members, guint32 n, gsize limit, GArray **events,
                            GError **error)
{
  g_autoptr (LcWindowResult) result = plan_ask (plan, members, n, limit, 0, run_events, error);

  *events = result != NULL ? g_steal_pointer (&result->events) : NULL;
  return result != NULL;
}

gboolean
lc_window_plan_find_level (LcWindowPlan *plan, const guint32 *members, guint32 n, guint level, guint *found,
                           GError **error)
{
  g_autoptr (GArray) rows = plan_choose (plan, members, n);

  *found = level;
  return window_add_up (rows).possible == 0 ||
         lc_connection_find_level (plan->connection, &plan->window, rows, G_MAXSIZE, G_GUINT64_CONSTANT (1) << level,
                                   found, error);
}

static void
plan_visit_nothing (const GArray *rows, LcVisitSummary visit, gpointer data)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const LcSummaryRow row = {.process = g_array_index (rows, LcTouching, i).process};
      const LcSummary nothing = {.n_rows = 1, .rows = &row};

      visit (&nothing, data);
    }
}

gboolean
lc_window_plan_visit_summary (LcWindowPlan *plan, const guint32 *members, guint32 n, guint level, LcVisitSummary visit,
                              gpointer data, GError **error)
{
  g_autoptr (GArray) rows = plan_choose (plan, members, n);

  if (window_add_up (rows).possible > 0)
    return lc_connection_visit_summary (plan->connection, &plan->window, rows, G_GUINT64_CONSTANT (1) << level, visit,
                                        data, plan->cancellable, error);
  plan_visit_nothing (rows, visit, data);
  return TRUE;
}

/* --- Single questions --------------------------------------------------------------------------------------------- */

LcWindowResult *
lc_history_query_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (LcWindowPlan) plan = lc_window_plan_new (history, window, cancellable, error);

  return plan != NULL ? plan_ask (plan, NULL, 0, limit, resolution, window_run, error) : NULL;
}

LcWindowResult *
lc_history_summarize_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
                             GCancellable *cancellable, GError **error)
{
  g_autoptr (LcWindowPlan) plan = lc_window_plan_new (history, window, cancellable, error);

  return plan != NULL ? plan_ask (plan, NULL, 0, limit, resolution, run_summary, error) : NULL;
}
