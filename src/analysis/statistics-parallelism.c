/* SPDX-License-Identifier: Apache-2.0 */
/* How many processes run at the same time: merges the times at which they begin and end to run. */
#include "lightcone/statistics.h"

/* So many processes run from one time to another. */
typedef void (*Elapse) (gpointer data, guint64 from, guint64 to, guint32 running);

/* The next time that a process begins or ends to run. */
typedef struct
{
  guint64 time;
  guint64 ordinal; /* the next event to look at */
  guint64 events;
  guint64 waits_until;
  guint64 end; /* of the event that was looked at last */
  guint32 process;
  gboolean running; /* before that time */
  gboolean waiting; /* it is within an event that waits */
} Change;

typedef struct
{
  LcHistoryWalk *events;
  Elapse elapse;
  gpointer data;
  Change **heap; /* the earliest first */
  guint32 n;     /* in the heap */
  guint32 running;
  guint64 time;
} Merging;

static void
sift (Merging *merging, guint32 place)
{
  Change *change = merging->heap[place];

  for (;;)
    {
      guint32 child = 2 * place + 1;

      if (child + 1 < merging->n && merging->heap[child + 1]->time < merging->heap[child]->time)
        child++;
      if (child >= merging->n || merging->heap[child]->time >= change->time)
        break;
      merging->heap[place] = merging->heap[child];
      place = child;
    }
  merging->heap[place] = change;
}

/* Goes to the begin of the next wait, or to the end of the process. */
static gboolean
find_wait (Merging *merging, Change *change, GError **error)
{
  for (; change->ordinal < change->events; change->ordinal++)
    {
      LcHistoryEvent event;

      if (!lc_history_walk_get (merging->events, change->process, change->ordinal, &event, NULL, error))
        return FALSE;
      change->end = event.end;
      if (event.waited == 0)
        continue;
      change->time = event.begin;
      change->waits_until = event.begin + event.waited;
      change->waiting = TRUE;
      change->ordinal++;
      return TRUE;
    }
  change->time = change->end;
  return TRUE;
}

/* What has happened at the earliest time of all; that process goes to its next one, or leaves the heap. */
static gboolean
happen (Merging *merging, GError **error)
{
  Change *change = merging->heap[0];

  if (change->time > merging->time)
    merging->elapse (merging->data, merging->time, change->time, merging->running);
  merging->time = change->time;
  change->running = !change->running;
  merging->running = change->running ? merging->running + 1 : merging->running - 1;
  if (!change->running && change->waiting)
    {
      change->time = change->waits_until;
      change->waiting = FALSE;
    }
  else if (!change->running)
    merging->heap[0] = merging->heap[--merging->n];
  else if (!find_wait (merging, change, error))
    return FALSE;
  if (merging->n > 0)
    sift (merging, 0);
  return TRUE;
}

static gboolean
begin (Merging *merging, LcHistory *history, guint32 timeline, Change *changes, GError **error)
{
  guint32 n_processes = lc_history_get_n_processes (history);

  for (guint32 i = 0; i < n_processes; i++)
    {
      Change *change = &changes[i];

      change->process = i;
      if (!lc_history_count_events (history, timeline, i, &change->events, error))
        return FALSE;
      if (change->events == 0)
        continue;
      if (!lc_history_walk_get_time (merging->events, i, 0, LC_POINT_BEGIN, &change->time, error))
        return FALSE;
      merging->heap[merging->n++] = change;
    }
  for (guint32 i = merging->n; i > 0; i--)
    sift (merging, i - 1);
  if (merging->n > 0)
    merging->time = merging->heap[0]->time;
  return TRUE;
}

/* Tells of all the time from the first begin to the last end, in order. */
static gboolean
merge (LcHistory *history, guint32 timeline, Elapse elapse, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) events = lc_history_walk_new (history, timeline, LC_WALK_TIMES, cancellable, error);
  guint32 n = lc_history_get_n_processes (history);
  g_autofree Change *changes = g_new0 (Change, MAX (n, 1));
  g_autofree Change **heap = g_new (Change *, MAX (n, 1));
  Merging merging = {.events = events, .elapse = elapse, .data = data, .heap = heap};

  if (events == NULL || !begin (&merging, history, timeline, changes, error))
    return FALSE;
  while (merging.n > 0)
    if (!happen (&merging, error))
      return FALSE;
  return TRUE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

typedef struct
{
  LcParallelism *parallelism;
  guint64 before; /* running before the parallel part */
} Levels;

static void
add_level (gpointer data, guint64 from, guint64 to, guint32 running)
{
  Levels *levels = data;
  LcParallelism *parallelism = levels->parallelism;

  if (running >= 2 && parallelism->parallel_end == 0)
    {
      parallelism->parallel_begin = from;
      levels->before = parallelism->running;
    }
  parallelism->levels[running] += to - from;
  parallelism->running += (to - from) * running;
  if (running >= 2)
    {
      parallelism->parallel_end = to;
      parallelism->parallel_running = parallelism->running - levels->before;
    }
}

static void
summarise (LcParallelism *parallelism)
{
  guint64 length = parallelism->end - parallelism->begin;
  guint64 parallel = parallelism->parallel_end - parallelism->parallel_begin;

  if (length == 0)
    return;
  parallelism->average = (double)parallelism->running / (double)length;
  if (parallel > 0)
    parallelism->parallel_average = (double)parallelism->parallel_running / (double)parallel;
  while (parallelism->levels[parallelism->lowest] == 0)
    parallelism->lowest++;
  parallelism->highest = parallelism->n_levels - 1;
  while (parallelism->levels[parallelism->highest] == 0)
    parallelism->highest--;
}

LcParallelism *
lc_statistics_parallelism (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcParallelism) result = g_new0 (LcParallelism, 1);
  Levels levels = {result, 0};

  result->n_levels = lc_history_get_n_processes (history) + 1;
  result->levels = g_new0 (guint64, result->n_levels);
  if (!lc_statistics_span (history, timeline, &result->begin, &result->end, error) ||
      !merge (history, timeline, add_level, &levels, cancellable, error))
    return NULL;
  summarise (result);
  return g_steal_pointer (&result);
}

void
lc_parallelism_free (LcParallelism *parallelism)
{
  if (parallelism == NULL)
    return;
  g_free (parallelism->levels);
  g_free (parallelism);
}

/* --- Over time ----------------------------------------------------------------------------------------------- */

typedef struct
{
  LcParallelismInterval *intervals;
  guint n;
  guint at;
} Intervals;

static void
add_interval (gpointer data, guint64 from, guint64 to, guint32 running)
{
  Intervals *intervals = data;

  while (from < to)
    {
      LcParallelismInterval *interval = &intervals->intervals[intervals->at];
      guint64 until = MIN (to, interval->end);

      interval->running += (until - from) * running;
      interval->lowest = MIN (interval->lowest, running);
      interval->highest = MAX (interval->highest, running);
      from = until;
      if (until == interval->end && intervals->at + 1 < intervals->n)
        intervals->at++;
    }
}

GArray *
lc_statistics_parallelism_history (LcHistory *history, guint32 timeline, guint32 n_intervals, GCancellable *cancellable,
                                   GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, TRUE, sizeof (LcParallelismInterval));
  guint64 begin, end, length;
  Intervals intervals;

  if (!lc_statistics_span (history, timeline, &begin, &end, error))
    return NULL;
  length = end - begin;
  intervals = (Intervals){.n = (guint)MIN (length, n_intervals)};
  g_array_set_size (result, intervals.n);
  intervals.intervals = (LcParallelismInterval *)(void *)result->data;
  for (guint64 i = 0; i < intervals.n; i++)
    {
      intervals.intervals[i].begin = begin + length / intervals.n * i + length % intervals.n * i / intervals.n;
      intervals.intervals[i].end =
          begin + length / intervals.n * (i + 1) + length % intervals.n * (i + 1) / intervals.n;
      intervals.intervals[i].lowest = G_MAXUINT32;
    }
  if (intervals.n > 0 && !merge (history, timeline, add_interval, &intervals, cancellable, error))
    return NULL;
  return g_steal_pointer (&result);
}
