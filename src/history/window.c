/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a window for a picture: its events if they are few, else its summary. */
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

/* Estimates each process, and adds the estimates up. */
static gboolean
window_estimate (Query *query, LcTouching *sum, GError **error)
{
  guint32 n = lc_window_n_processes (lc_connection_get_history (query->connection), query->window);

  *sum = (LcTouching){.process = LC_TRACE_NONE};
  for (guint32 i = 0; i < n; i++)
    {
      LcTouching row;

      if (i % 64 == 0 && g_cancellable_set_error_if_cancelled (query->cancellable, error))
        return FALSE;
      if (!lc_connection_estimate (query->connection, query->window, lc_window_get_process (query->window, i), &row,
                                   error))
        return FALSE;
      g_array_append_val (query->rows, row);
      sum->n_blocks += row.n_blocks;
      sum->certain += row.certain;
      sum->possible += row.possible;
      sum->likely += row.likely;
    }
  return TRUE;
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
  LcTouching sum;

  if (!lc_window_check (query->connection, query->window, error) || !window_estimate (query, &sum, error))
    return FALSE;
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
  LcTouching sum;

  if (!lc_window_check (query->connection, query->window, error) || !window_estimate (query, &sum, error))
    return FALSE;
  return sum.possible == 0 ? summarize_nothing (query) : window_summarize (query, error);
}

static LcWindowResult *
window_ask (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
            gboolean (*run_it) (Query *query, GError **error), GCancellable *cancellable, GError **error)
{
  g_autoptr (LcWindowResult) result = g_new0 (LcWindowResult, 1);
  LcConnection *connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (LcTouching));
  Query query = {connection, window, limit, resolution, cancellable, rows, result};
  gboolean good;

  if (connection == NULL)
    return NULL;
  good = run_it (&query, error);
  lc_history_give_connection (history, connection);
  return good ? g_steal_pointer (&result) : NULL;
}

LcWindowResult *
lc_history_query_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
                         GCancellable *cancellable, GError **error)
{
  return window_ask (history, window, limit, resolution, window_run, cancellable, error);
}

LcWindowResult *
lc_history_summarize_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 resolution,
                             GCancellable *cancellable, GError **error)
{
  return window_ask (history, window, limit, resolution, run_summary, cancellable, error);
}
