/* SPDX-License-Identifier: Apache-2.0 */
/* The number of running processes over time: merges the times at which processes begin and stop running. */
#include "lightcone/statistics.h"

/* Called for a span in which `running` processes run. FALSE stops. */
typedef gboolean (*Elapse) (gpointer data, guint64 from, guint64 to, guint32 running);

/* The next time at which a process begins or stops running. */
typedef struct
{
  guint64 time;
  guint64 ordinal; /* the next event to read */
  guint64 events;
  guint64 at; /* of that event, and of the time before it, what is before this has been read */
  guint64 goes_on;
  guint32 process;
  gboolean running; /* before that time */
  gboolean pausing; /* at that time it begins to wait, or to do anything else than run */
} Change;

typedef struct
{
  LcHistory *history;
  guint32 timeline;
  LcHistoryWalk *events;
  const LcParallelismPart *part;
  Elapse elapse;
  gpointer data;
  gboolean ended; /* `elapse` wants no more */
  Change **heap;  /* the earliest first */
  guint32 n;      /* size of the heap */
  guint32 running;
  guint64 time;
} Merging;

static void
parallelism_sift (Merging *merging, guint32 place)
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

/* Goes to the next time at which it does not run, or to the end of the process. */
static gboolean
parallelism_find_pause (Merging *merging, Change *change, GError **error)
{
  for (; change->ordinal < change->events; change->ordinal++)
    {
      guint64 begin, end;

      if (!lc_history_walk_find_pause (merging->events, change->process, change->ordinal, change->at, &begin, &end,
                                       error))
        return FALSE;
      if (begin < end)
        {
          change->time = begin;
          change->goes_on = change->at = end;
          change->pausing = TRUE;
          return TRUE;
        }
      if (!lc_history_walk_get_time (merging->events, change->process, change->ordinal, LC_POINT_END, &end, error))
        return FALSE;
      change->at = MAX (change->at, end);
    }
  change->time = change->at;
  return TRUE;
}

static void
let_pass (Merging *merging, guint64 time)
{
  guint64 until = MIN (time, merging->part->to);

  if (until > merging->time)
    merging->ended = !merging->elapse (merging->data, merging->time, until, merging->running);
  merging->ended |= time >= merging->part->to;
  merging->time = time;
}

/* Applies the earliest change; its process goes to its next change, or leaves the heap. */
static gboolean
parallelism_happen (Merging *merging, GError **error)
{
  Change *change = merging->heap[0];

  if (change->time > merging->time)
    let_pass (merging, change->time);
  change->running = !change->running;
  merging->running = change->running ? merging->running + 1 : merging->running - 1;
  if (!change->running && change->pausing)
    {
      change->time = change->goes_on;
      change->pausing = FALSE;
    }
  else if (!change->running)
    merging->heap[0] = merging->heap[--merging->n];
  else if (!parallelism_find_pause (merging, change, error))
    return FALSE;
  if (merging->n > 0)
    parallelism_sift (merging, 0);
  return TRUE;
}

/* Adds a process that began before the part of the time. */
static gboolean
join_late (Merging *merging, Change *change, GError **error)
{
  LcHistoryEvent event;

  if (!lc_history_find_event_at (merging->history, merging->timeline, change->process, merging->part->from, &event,
                                 error))
    return FALSE;
  change->ordinal = event.end > merging->part->from ? event.ordinal : event.ordinal + 1;
  change->at = merging->part->from;
  change->running = TRUE;
  if (!parallelism_find_pause (merging, change, error))
    return FALSE;
  if (change->pausing && change->time == merging->part->from)
    {
      change->time = change->goes_on;
      change->running = change->pausing = FALSE;
    }
  merging->running += change->running ? 1 : 0;
  return TRUE;
}

static gboolean
parallelism_add_process (Merging *merging, Change *change, guint64 *begin, GError **error)
{
  guint64 end;

  if (!lc_history_count_events (merging->history, merging->timeline, change->process, &change->events, error))
    return FALSE;
  if (change->events == 0)
    return TRUE;
  if (!lc_history_walk_get_time (merging->events, change->process, 0, LC_POINT_BEGIN, &change->time, error) ||
      !lc_history_walk_get_time (merging->events, change->process, change->events - 1, LC_POINT_END, &end, error))
    return FALSE;
  change->time = change->at = lc_history_get_followed (merging->history, change->process, change->time);
  *begin = MIN (*begin, change->time);
  if (change->time < merging->part->from && end <= merging->part->from)
    return TRUE;
  if (change->time < merging->part->from && !join_late (merging, change, error))
    return FALSE;
  merging->heap[merging->n++] = change;
  return TRUE;
}

static gboolean
parallelism_begin (Merging *merging, Change *changes, GError **error)
{
  const LcParallelismPart *part = merging->part;
  guint64 begin = G_MAXUINT64;
  guint32 n = part->processes != NULL ? part->n_processes : lc_history_get_n_processes (merging->history);

  for (guint32 i = 0; i < n; i++)
    {
      changes[i].process = part->processes != NULL ? part->processes[i] : i;
      if (!parallelism_add_process (merging, &changes[i], &begin, error))
        return FALSE;
    }
  for (guint32 i = merging->n; i > 0; i--)
    parallelism_sift (merging, i - 1);
  merging->time = MAX (begin, part->from);
  return TRUE;
}

/* Calls `elapse` for all the time from the first begin to the last end, in order. */
static gboolean
parallelism_merge (LcHistory *history, guint32 timeline, const LcParallelismPart *part, Elapse elapse, gpointer data,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) events = lc_history_walk_new (history, timeline, LC_WALK_STATES, cancellable, error);
  guint32 n = MAX (lc_history_get_n_processes (history), part->processes != NULL ? part->n_processes : 1);
  g_autofree Change *changes = g_new0 (Change, n);
  g_autofree Change **heap = g_new (Change *, n);
  Merging merging = {.history = history,
                     .timeline = timeline,
                     .events = events,
                     .part = part,
                     .elapse = elapse,
                     .data = data,
                     .heap = heap};

  if (events == NULL || !parallelism_begin (&merging, changes, error))
    return FALSE;
  while (merging.n > 0 && !merging.ended)
    if (!parallelism_happen (&merging, error))
      return FALSE;
  return TRUE;
}

static const LcParallelismPart whole = {NULL, 0, 0, G_MAXUINT64};

/* --- Totals -------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcParallelism *parallelism;
  guint64 before; /* time running before the parallel part */
} Levels;

static gboolean
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
  return TRUE;
}

static void
parallelism_summarise (LcParallelism *parallelism)
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
      !parallelism_merge (history, timeline, &whole, add_level, &levels, cancellable, error))
    return NULL;
  parallelism_summarise (result);
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

static gboolean
parallelism_add_interval (gpointer data, guint64 from, guint64 to, guint32 running)
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
  return TRUE;
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
  if (intervals.n > 0 &&
      !parallelism_merge (history, timeline, &whole, parallelism_add_interval, &intervals, cancellable, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* --- Changes ------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcParallelismVisit visit;
  gpointer data;
  guint64 from; /* the last span, not visited yet; from == to: there is none */
  guint64 to;
  guint32 running;
} Degrees;

static gboolean
parallelism_add_degree (gpointer data, guint64 from, guint64 to, guint32 running)
{
  Degrees *degrees = data;
  gboolean more = TRUE;

  if (degrees->from < degrees->to && degrees->running == running)
    degrees->to = to;
  else
    {
      if (degrees->from < degrees->to)
        more = degrees->visit (degrees->from, degrees->to, degrees->running, degrees->data);
      degrees->from = more ? from : to;
      degrees->to = to;
      degrees->running = running;
    }
  return more;
}

gboolean
lc_statistics_visit_parallelism (LcHistory *history, guint32 timeline, const LcParallelismPart *part,
                                 LcParallelismVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  LcParallelismPart own = *part;
  Degrees degrees = {.visit = visit, .data = data};

  if (own.from >= own.to)
    {
      own.from = 0;
      own.to = G_MAXUINT64;
    }
  if (!parallelism_merge (history, timeline, &own, parallelism_add_degree, &degrees, cancellable, error))
    return FALSE;
  if (degrees.from < degrees.to)
    visit (degrees.from, degrees.to, degrees.running, data);
  return TRUE;
}
