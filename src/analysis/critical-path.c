/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the critical path: walks back from the last event over what each event had to wait for. */
#include "basis.h"
#include "lightcone/statistics.h"
#include "path.h"
#include "trace/gaps.h"

/* The state of the walk: it has come down to `time`, and goes on with the events of a process before `before`. */
typedef struct
{
  LcCriticalPath *path;
  LcHistoryWalk *events;
  const LcBasisFinder *finder;
  guint32 process;
  guint64 before;
  guint64 time;
  guint64 layer; /* of the event that was looked at last */
  guint64 floor; /* nothing is known of what was before */
  LcPathOff off;
} Walk;

/* --- Shares ------------------------------------------------------------------------------------------------ */

void
lc_path_add_share (LcCriticalPath *path, LcCriticalShareKind kind, guint32 id, guint64 time, guint64 visits)
{
  LcPathShares *shares = &path->shares[kind];
  LcCriticalShare *share;

  if (shares->last == 0 || shares->last_id != id)
    {
      const LcCriticalShare fresh = {.id = id};

      shares->last_id = id;
      shares->last = GPOINTER_TO_UINT (g_hash_table_lookup (shares->by_id, GUINT_TO_POINTER (id)));
      if (shares->last == 0)
        {
          g_array_append_val (shares->shares, fresh);
          shares->last = shares->shares->len;
          g_hash_table_insert (shares->by_id, GUINT_TO_POINTER (id), GUINT_TO_POINTER (shares->last));
        }
    }
  share = &g_array_index (shares->shares, LcCriticalShare, shares->last - 1);
  share->time += time;
  share->visits += visits;
}

static int
critical_path_compare_shares (gconstpointer a, gconstpointer b)
{
  const LcCriticalShare *of_a = a, *of_b = b;

  if (of_a->time != of_b->time)
    return of_a->time > of_b->time ? -1 : 1;
  return of_a->id < of_b->id ? -1 : of_a->id > of_b->id;
}

/* --- The parts of the path, from its end ------------------------------------------------------------------ */

/* Goes down to `time`, unless the walk is there already: time that clocks disagree about must not count twice. */
static guint64
go_down (Walk *walk, guint64 time)
{
  guint64 length;

  time = MAX (time, walk->floor);
  length = walk->time > time ? walk->time - time : 0;
  walk->time -= length;
  lc_path_add_share (walk->path, LC_CRITICAL_PROCESSES, walk->process, length, 0);
  return length;
}

/* Adds the time down to the end of the event that is before the next one, or to where the path begins. */
static gboolean
critical_path_add_computing (Walk *walk, guint64 begin, GError **error)
{
  const guint64 end = walk->time, length = go_down (walk, begin);

  if (length == 0)
    return TRUE;
  walk->path->summary.computing += length;
  lc_path_add_share (walk->path, LC_CRITICAL_OPERATIONS, LC_TRACE_NONE, length, 1);
  lc_path_add_share (walk->path, LC_CRITICAL_OBJECTS, LC_TRACE_NONE, length, 1);
  return lc_path_off_add_computing (&walk->off, walk->events, walk->process, walk->before, walk->time, end, error);
}

/* Adds an event, or the hop that ended with it. `visits` is 0 if the event is counted already. */
static void
critical_path_add_event (Walk *walk, const LcHistoryEvent *event, guint64 begin, guint64 *sum, guint64 visits)
{
  guint64 length = go_down (walk, begin);

  *sum += length;
  walk->path->summary.events += visits;
  lc_path_add_share (walk->path, LC_CRITICAL_OPERATIONS, event->operation, length, visits);
  lc_path_add_share (walk->path, LC_CRITICAL_OBJECTS, event->object, length, visits);
}

/* Adds an event that the path goes through, and how long of it the process was blocked until something happened that is
 * not recorded. */
static void
critical_path_add_inside (Walk *walk, const LcHistoryEvent *event)
{
  const guint64 before = walk->path->summary.inside;

  critical_path_add_event (walk, event, event->begin, &walk->path->summary.inside, 1);
  lc_path_off_add_event (&walk->off, event, walk->path->summary.inside - before);
}

/* --- The walk ---------------------------------------------------------------------------------------------- */

/* Ends the present stay at its begin, and goes on from the point that released the event. */
static void
critical_path_hop (Walk *walk, LcCriticalStay *stay, const LcHistoryEvent *event, const LcBasis *source, guint64 visits)
{
  stay->begin = walk->time;
  stay->released = event->ordinal;
  stay->from_process = source->process;
  stay->from_ordinal = source->ordinal;
  stay->from_point = source->point;
  critical_path_add_event (walk, event, source->time, &walk->path->summary.passing, visits);
  walk->path->summary.hops++;
  walk->process = source->process;
  walk->before = source->point == LC_POINT_END ? source->ordinal + 1 : source->ordinal;
}

/* Goes back by one event; sets `left` if the stay ends with it. */
static gboolean
critical_path_step (Walk *walk, LcCriticalStay *stay, gboolean *left, GError **error)
{
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  LcBasis source;

  *left = FALSE;
  if (!lc_history_walk_get (walk->events, walk->process, walk->before - 1, &event, &arcs, error) ||
      !lc_basis_find (walk->finder, &event, arcs, &source, error))
    return FALSE;
  if (event.layer >= walk->layer)
    {
      g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: the layers of process %u are not in order",
                   lc_history_get_path (walk->path->history), walk->process);
      return FALSE;
    }
  walk->layer = event.layer;
  if (!critical_path_add_computing (walk, event.end, error))
    return FALSE;
  *left = source.process != LC_TRACE_NONE;
  if (*left && source.time > event.begin)
    {
      walk->before--;
      stay->first = event.ordinal + 1;
      critical_path_hop (walk, stay, &event, &source, 1);
      return TRUE;
    }
  critical_path_add_inside (walk, &event);
  walk->before--;
  if (*left)
    critical_path_hop (walk, stay, &event, &source, 0);
  return TRUE;
}

static gboolean
walk_back (Walk *walk, GError **error)
{
  gboolean left = TRUE;

  while (left)
    {
      LcCriticalStay stay = {.process = walk->process,
                             .from_process = LC_TRACE_NONE,
                             .end = walk->time,
                             .released = LC_CRITICAL_NONE,
                             .last = walk->before};

      left = FALSE;
      lc_path_add_share (walk->path, LC_CRITICAL_PROCESSES, walk->process, 0, 1);
      while (walk->before > 0 && !left)
        if (!critical_path_step (walk, &stay, &left, error))
          return FALSE;
      if (!left)
        {
          if (!critical_path_add_computing (walk, walk->path->summary.begin, error))
            return FALSE;
          stay.begin = walk->path->summary.begin = walk->time;
        }
      g_array_append_val (walk->path->stays, stay);
    }
  return TRUE;
}

/* Whether the process was blocked to its end, which then is an event. */
static gboolean
critical_path_is_pending (const Walk *walk, guint32 number)
{
  const LcHistoryProcess *process = lc_history_get_process (walk->path->history, number);

  return process->pending.operation != LC_TRACE_NONE && process->end > process->pending.begin;
}

/* Puts the walk after the last event of all. Who was blocked to its end has not made the run so long if somebody else
 * has ended then. */
static gboolean
critical_path_find_end (Walk *walk, GError **error)
{
  LcHistory *history = walk->path->history;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      guint64 events, end;

      if (!lc_history_count_events (history, walk->path->timeline, i, &events, error))
        return FALSE;
      if (events == 0)
        continue;
      if (!lc_history_walk_get_time (walk->events, i, events - 1, LC_POINT_END, &end, error))
        return FALSE;
      if (walk->process == LC_TRACE_NONE || end > walk->time ||
          (end == walk->time && critical_path_is_pending (walk, walk->process) && !critical_path_is_pending (walk, i)))
        {
          walk->process = i;
          walk->before = events;
          walk->time = end;
        }
    }
  return TRUE;
}

static void
put_in_order (LcCriticalPath *path)
{
  LcCriticalStay *stays = (LcCriticalStay *)(void *)path->stays->data;

  for (guint i = 0; i < path->stays->len / 2; i++)
    {
      const LcCriticalStay stay = stays[i];

      stays[i] = stays[path->stays->len - 1 - i];
      stays[path->stays->len - 1 - i] = stay;
    }
}

static void
index_by_process (LcCriticalPath *path)
{
  guint32 n = lc_history_get_n_processes (path->history);
  g_autofree guint32 *next = NULL;

  path->firsts = g_new0 (guint32, n + 1);
  path->by_process = g_new (guint32, MAX (path->stays->len, 1));
  for (guint i = 0; i < path->stays->len; i++)
    path->firsts[g_array_index (path->stays, LcCriticalStay, i).process + 1]++;
  for (guint32 process = 0; process < n; process++)
    path->firsts[process + 1] += path->firsts[process];
  next = g_memdup2 (path->firsts, sizeof *next * (n + 1));
  for (guint i = 0; i < path->stays->len; i++)
    path->by_process[next[g_array_index (path->stays, LcCriticalStay, i).process]++] = i;
}

/* Where the gap ends that the history begins with, if it does. */
static guint64
find_floor (const LcCriticalPath *path)
{
  guint64 kept_from, kept_to;

  lc_gaps_get_limits (lc_history_get_gaps (path->history), &kept_from, &kept_to);
  return MIN (kept_from, path->summary.begin);
}

static gboolean
critical_path_find (LcCriticalPath *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) events =
      lc_history_walk_new (path->history, path->timeline, LC_WALK_ARCS, cancellable, error);
  g_autoptr (LcBasisFinder) finder = NULL;
  Walk walk = {.path = path, .events = events, .process = LC_TRACE_NONE, .layer = G_MAXUINT64};
  guint64 total;
  gboolean good;

  if (events == NULL || !critical_path_find_end (&walk, error))
    return FALSE;
  walk.finder = finder = lc_basis_finder_new (path->history, path->timeline, events, cancellable);
  path->summary.pending = LC_TRACE_NONE;
  if (walk.process == LC_TRACE_NONE)
    return TRUE;
  if (critical_path_is_pending (&walk, walk.process))
    path->summary.pending = walk.process;
  if (!lc_statistics_total (path->history, path->timeline, &total, error))
    return FALSE;
  path->summary.begin = walk.time - MIN (total, walk.time);
  path->summary.end = walk.time;
  walk.floor = find_floor (path);
  lc_path_off_init (&walk.off, path);
  good = walk_back (&walk, error);
  lc_path_off_clear (&walk.off);
  if (!good)
    return FALSE;
  put_in_order (path);
  return lc_path_find_regions (path, cancellable, error);
}

LcCriticalPath *
lc_critical_path_find (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcCriticalPath) path = g_new0 (LcCriticalPath, 1);

  path->history = history;
  path->timeline = timeline;
  path->stays = g_array_new (FALSE, FALSE, sizeof (LcCriticalStay));
  for (guint i = 0; i < LC_CRITICAL_SHARES; i++)
    path->shares[i] =
        (LcPathShares){g_hash_table_new (NULL, NULL), g_array_new (FALSE, FALSE, sizeof (LcCriticalShare)), 0, 0};
  if (!critical_path_find (path, cancellable, error))
    return NULL;
  index_by_process (path);
  for (guint i = 0; i < LC_CRITICAL_SHARES; i++)
    g_array_sort (path->shares[i].shares, critical_path_compare_shares);
  return g_steal_pointer (&path);
}

void
lc_critical_path_free (LcCriticalPath *path)
{
  if (path == NULL)
    return;
  g_array_unref (path->stays);
  g_free (path->by_process);
  g_free (path->firsts);
  for (guint i = 0; i < LC_CRITICAL_SHARES; i++)
    {
      g_hash_table_unref (path->shares[i].by_id);
      g_array_unref (path->shares[i].shares);
    }
  g_free (path);
}

const LcCriticalSummary *
lc_critical_path_get_summary (const LcCriticalPath *path)
{
  return &path->summary;
}

const LcCriticalShare *
lc_critical_path_get_shares (const LcCriticalPath *path, LcCriticalShareKind kind, gsize *n_shares)
{
  *n_shares = path->shares[kind].shares->len;
  return (const LcCriticalShare *)(void *)path->shares[kind].shares->data;
}

const LcCriticalStay *
lc_critical_path_get_stays (const LcCriticalPath *path, gsize *n_stays)
{
  *n_stays = path->stays->len;
  return (const LcCriticalStay *)(void *)path->stays->data;
}

const guint32 *
lc_critical_path_get_stays_of (const LcCriticalPath *path, guint32 process, gsize *n_stays)
{
  g_return_val_if_fail (process < lc_history_get_n_processes (path->history), NULL);
  *n_stays = path->firsts[process + 1] - path->firsts[process];
  return path->by_process + path->firsts[process];
}
