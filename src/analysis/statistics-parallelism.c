/* SPDX-License-Identifier: Apache-2.0 */
/* How many processes run at the same time: merges the times at which they begin and end to run. */
#include "lightcone/statistics.h"

/* The next time that a process begins or ends to run. */
typedef struct
{
  guint64 time;
  guint64 ordinal; /* the next event to look at */
  guint64 waits_until;
  guint64 end; /* of the event that was looked at last */
  guint32 process;
  gboolean running; /* before that time */
  gboolean waiting; /* it is within an event that waits */
} Change;

typedef struct
{
  LcHistoryWalk *events;
  const LcHistory *history;
  LcParallelism *parallelism;
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
  guint64 events = lc_history_get_process (merging->history, change->process)->events;

  for (; change->ordinal < events; change->ordinal++)
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
  guint64 length = change->time - merging->time;

  merging->parallelism->levels[merging->running] += length;
  merging->parallelism->running += length * merging->running;
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
begin (Merging *merging, Change *changes, guint32 n_processes, GError **error)
{
  for (guint32 i = 0; i < n_processes; i++)
    {
      Change *change = &changes[i];

      change->process = i;
      if (lc_history_get_process (merging->history, i)->events == 0)
        continue;
      if (!lc_history_walk_get_time (merging->events, i, 0, LC_POINT_BEGIN, &change->time, error))
        return FALSE;
      merging->heap[merging->n++] = change;
    }
  for (guint32 i = merging->n; i > 0; i--)
    sift (merging, i - 1);
  if (merging->n > 0)
    merging->time = merging->parallelism->begin = merging->heap[0]->time;
  return TRUE;
}

static void
summarise (LcParallelism *parallelism)
{
  guint64 length = parallelism->end - parallelism->begin;

  if (length == 0)
    return;
  parallelism->average = (double)parallelism->running / (double)length;
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
  g_autoptr (LcHistoryWalk) events = lc_history_walk_new (history, timeline, LC_WALK_TIMES, cancellable, error);
  guint32 n = lc_history_get_n_processes (history);
  g_autofree Change *changes = g_new0 (Change, MAX (n, 1));
  g_autofree Change **heap = g_new (Change *, MAX (n, 1));
  Merging merging = {.events = events, .history = history, .parallelism = result, .heap = heap};

  result->n_levels = n + 1;
  result->levels = g_new0 (guint64, result->n_levels);
  if (events == NULL || !begin (&merging, changes, n, error))
    return NULL;
  while (merging.n > 0)
    if (!happen (&merging, error))
      return NULL;
  result->end = merging.time;
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
