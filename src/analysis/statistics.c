/* SPDX-License-Identifier: Apache-2.0 */
/* The waiting of each process, and the time spent on each operation: one pass over all events. */
#include "lightcone/statistics.h"

#include "lightcone/states.h"
#include "trace/gaps.h"

typedef struct
{
  const LcHistory *history;
  LcWaitingStatistics statistics;
  const GArray *gaps; /* on this timeline; or NULL */
  guint64 end;        /* of the last event */
  guint64 unknown;    /* between events, when nothing was recorded */
} Waiting;

static gboolean
statistics_add_all_waiting (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Waiting *waiting = data;
  LcWaitingStatistics *statistics = &waiting->statistics;

  if (event->ordinal == 0)
    waiting->end = lc_history_get_followed (waiting->history, event->process, event->begin);
  if (G_UNLIKELY (waiting->gaps != NULL))
    waiting->unknown += lc_gaps_measure (waiting->gaps, waiting->end, event->begin);
  waiting->end = event->end;
  if (event->waited == 0)
    return TRUE;
  statistics->waits++;
  if (event->waited > statistics->longest)
    {
      statistics->longest = event->waited;
      statistics->longest_ordinal = event->ordinal;
      statistics->longest_object = event->object;
    }
  return TRUE;
}

static gboolean
statistics_add_state (const LcStateSpan *span, gpointer data)
{
  LcSummaryBucket *states = data;

  lc_summary_bucket_add_state (states, span->state, span->end - span->begin);
  return TRUE;
}

static gboolean
statistics_add_states (Waiting *waiting, LcHistory *history, guint32 timeline, GCancellable *cancellable,
                       GError **error)
{
  LcWaitingStatistics *statistics = &waiting->statistics;
  LcSummaryBucket states = {0};

  if (!lc_history_visit_states (history, timeline, statistics->process, 0, G_MAXUINT64, statistics_add_state, &states,
                                cancellable, error))
    return FALSE;
  statistics->waiting = states.waiting;
  statistics->woken = states.woken;
  statistics->preempted = states.preempted;
  statistics->outside = states.outside;
  statistics->unseen = states.unseen;
  statistics->running = states.running - MIN (states.running, waiting->unknown);
  statistics->span = lc_summary_bucket_get_alive (&states) - waiting->unknown;
  return TRUE;
}

GArray *
lc_statistics_waiting (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcWaitingStatistics));
  const GArray *gaps = lc_history_get_gaps (history);

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      Waiting waiting = {.history = history,
                         .statistics = {.process = i, .longest_object = LC_TRACE_NONE},
                         .gaps = timeline == LC_TIMELINE_MEASURED && gaps->len > 0 ? gaps : NULL};

      if (!lc_history_visit (history, timeline, i, 0, G_MAXUINT64, statistics_add_all_waiting, &waiting, cancellable,
                             error) ||
          !statistics_add_states (&waiting, history, timeline, cancellable, error))
        return NULL;
      g_array_append_val (result, waiting.statistics);
    }
  return g_steal_pointer (&result);
}

/* --- Each wait ----------------------------------------------------------------------------------------------- */

typedef struct
{
  LcWaitingInterval interval; /* the last one, not visited yet; without waits: there is none */
  guint64 resolution;
  LcWaitingVisit visit;
  gpointer data;
  gboolean ended;
} Intervals;

static void
statistics_tell (Intervals *intervals)
{
  if (intervals->interval.waits > 0 && !intervals->ended)
    intervals->ended = !intervals->visit (&intervals->interval, intervals->data);
  intervals->interval.waits = 0;
}

static gboolean
statistics_add_interval (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Intervals *intervals = data;
  LcWaitingInterval *last = &intervals->interval;

  if (event->waited == 0)
    return TRUE;
  if (last->waits > 0 && event->begin - last->end >= intervals->resolution)
    statistics_tell (intervals);
  if (last->waits == 0)
    *last = (LcWaitingInterval){
        .process = event->process, .object = event->object, .ordinal = event->ordinal, .begin = event->begin};
  else if (last->object != event->object)
    last->object = LC_TRACE_NONE;
  last->end = event->begin + event->waited;
  last->waiting += event->waited;
  last->waits++;
  return !intervals->ended;
}

gboolean
lc_statistics_visit_waiting (LcHistory *history, guint32 timeline, guint64 resolution, LcWaitingVisit visit,
                             gpointer data, GCancellable *cancellable, GError **error)
{
  Intervals intervals = {.resolution = resolution, .visit = visit, .data = data};

  for (guint32 i = 0; i < lc_history_get_n_processes (history) && !intervals.ended; i++)
    {
      if (!lc_history_visit (history, timeline, i, 0, G_MAXUINT64, statistics_add_interval, &intervals, cancellable,
                             error))
        return FALSE;
      statistics_tell (&intervals);
    }
  return TRUE;
}

/* --- Operations ---------------------------------------------------------------------------------------------- */

static gboolean
statistics_add_operation (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  LcOperationStatistics *statistics = (LcOperationStatistics *)data + event->operation;
  guint64 length = event->end - event->begin;

  statistics->events++;
  statistics->time += length;
  statistics->waits += event->waited > 0;
  statistics->waited += event->waited;
  statistics->longest = MAX (statistics->longest, length);
  return TRUE;
}

static int
compare_operations (gconstpointer a, gconstpointer b)
{
  const LcOperationStatistics *of_a = a, *of_b = b;

  if (of_a->time != of_b->time)
    return of_a->time > of_b->time ? -1 : 1;
  return of_a->operation < of_b->operation ? -1 : of_a->operation > of_b->operation;
}

GArray *
lc_statistics_operations (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcOperationStatistics));
  guint32 n = lc_history_get_n_operations (history);
  g_autofree LcOperationStatistics *operations = g_new0 (LcOperationStatistics, MAX (n, 1));

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit (history, timeline, i, 0, G_MAXUINT64, statistics_add_operation, operations, cancellable,
                           error))
      return NULL;
  for (guint32 i = 0; i < n; i++)
    {
      operations[i].operation = i;
      if (operations[i].events > 0)
        g_array_append_val (result, operations[i]);
    }
  g_array_sort (result, compare_operations);
  return g_steal_pointer (&result);
}

/* --- The span of a run --------------------------------------------------------------------------------------- */

gboolean
lc_statistics_span (LcHistory *history, guint32 timeline, guint64 *begin, guint64 *end, GError **error)
{
  gboolean any = FALSE;

  *begin = *end = 0;
  if (timeline == LC_TIMELINE_MEASURED)
    {
      lc_history_get_span (history, begin, end);
      return TRUE;
    }
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      guint64 its_begin, its_end, events;

      if (!lc_history_count_events (history, timeline, i, &events, error))
        return FALSE;
      if (events == 0)
        continue;
      if (!lc_history_get_process_span (history, timeline, i, &its_begin, &its_end, error))
        return FALSE;
      *begin = any ? MIN (*begin, its_begin) : its_begin;
      *end = MAX (*end, its_end);
      any = TRUE;
    }
  return TRUE;
}

gboolean
lc_statistics_total (LcHistory *history, guint32 timeline, guint64 *total, GError **error)
{
  g_autofree char *meta = lc_history_dup_meta (history, "ready");
  guint64 ready = meta != NULL ? g_ascii_strtoull (meta, NULL, 10) : 0, begin, end;

  if (!lc_statistics_span (history, timeline, &begin, &end, error))
    return FALSE;
  *total = end - MIN (end, ready);
  return TRUE;
}
