/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the holders of an object by a sweep over the spans that touch a wait. */
#include "hold-times.h"

#include "within.h"

enum
{
  WINDOW_EVENTS = 1 << 10, /* reading the spans of a window costs about as much as so many events on end */
};

typedef struct
{
  guint64 begin, end; /* G_MAXUINT64: never given back */
  guint64 reach;      /* the last end of this one and of all that begin before it */
  guint64 ordinal;    /* of the event that took it */
  guint32 process;
} Hold;

/* A begin or an end of a span within a wait. */
typedef struct
{
  guint64 time;
  guint32 process;
  gboolean is_begin;
} HoldEdge;

struct _LcHoldTimes
{
  guint32 n_objects;
  GArray **objects; /* Hold, by begin; NULL: the object was never held */
  GArray *edges;    /* HoldEdge, of the wait that is looked at */
  GArray *holding;  /* guint32: processes that hold the object at a time of the sweep */
  GArray *shares;   /* LcHolderShare */
  guint *places;    /* by process: its place in `shares` + 1, or 0; the last one is nobody's */
  guint32 n_processes;
};

/* --- Spans -------------------------------------------------------------------------------------------------------- */

/* Spans come in parts, but a process holds an object once at a time: parts of one span follow each other. */
static void
hold_times_add_span (const LcHoldingSpan *span, guint64 held, gpointer data)
{
  LcHoldTimes *times = data;
  const Hold hold = {span->begin, span->end, span->end, span->begin_ordinal, span->process};
  const Hold *last;
  GArray *holds;

  if (span->object >= times->n_objects)
    return;
  if (times->objects[span->object] == NULL)
    times->objects[span->object] = g_array_new (FALSE, FALSE, sizeof (Hold));
  holds = times->objects[span->object];
  last = holds->len > 0 ? &g_array_index (holds, Hold, holds->len - 1) : NULL;
  if (last == NULL || last->process != hold.process || last->ordinal != hold.ordinal)
    g_array_append_val (holds, hold);
}

static int
hold_times_compare_holds (gconstpointer a, gconstpointer b)
{
  const Hold *one = a, *other = b;

  if (one->begin != other->begin)
    return one->begin < other->begin ? -1 : 1;
  return (one->process > other->process) - (one->process < other->process);
}

static void
hold_times_sort (GArray *holds)
{
  guint64 reach = 0;

  g_array_sort (holds, hold_times_compare_holds);
  for (guint i = 0; i < holds->len; i++)
    {
      Hold *hold = &g_array_index (holds, Hold, i);

      hold->reach = reach = MAX (reach, hold->end);
    }
}

static LcHoldTimes *
hold_times_new_empty (LcHistory *history)
{
  LcHoldTimes *times = g_new0 (LcHoldTimes, 1);

  times->n_objects = lc_history_get_n_objects (history);
  times->objects = g_new0 (GArray *, MAX (times->n_objects, 1));
  times->n_processes = lc_history_get_n_processes (history);
  times->places = g_new0 (guint, times->n_processes + 1);
  times->edges = g_array_new (FALSE, FALSE, sizeof (HoldEdge));
  times->holding = g_array_new (FALSE, FALSE, sizeof (guint32));
  times->shares = g_array_new (FALSE, TRUE, sizeof (LcHolderShare));
  return times;
}

static void
hold_times_sort_all (LcHoldTimes *times)
{
  for (guint32 i = 0; i < times->n_objects; i++)
    if (times->objects[i] != NULL)
      hold_times_sort (times->objects[i]);
}

LcHoldTimes *
lc_hold_times_new (LcHistory *history, guint32 timeline, guint64 from, guint64 to, GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (LcHoldTimes) times = hold_times_new_empty (history);

  for (guint32 i = 0; i < times->n_processes; i++)
    if (!lc_within_visit_spans (history, timeline, i, from, to, hold_times_add_span, times, cancellable, error))
      return NULL;
  hold_times_sort_all (times);
  return g_steal_pointer (&times);
}

/* --- Some waits --------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 from, to;
} HoldWindow;

static int
hold_times_compare_windows (gconstpointer a, gconstpointer b)
{
  const HoldWindow *one = a, *other = b;

  return (one->from > other->from) - (one->from < other->from);
}

/* Lists when any wait on an object was, as windows that do not touch. */
static GArray *
hold_times_list_windows (const GArray *waits)
{
  GArray *windows = g_array_sized_new (FALSE, FALSE, sizeof (HoldWindow), waits->len);
  guint n = 0;

  for (guint i = 0; i < waits->len; i++)
    {
      const LcHistoryEvent *wait = &g_array_index (waits, LcHistoryEvent, i);
      const HoldWindow window = {wait->begin, wait->begin + wait->waited};

      if (wait->waited > 0 && wait->object != LC_TRACE_NONE)
        g_array_append_val (windows, window);
    }
  g_array_sort (windows, hold_times_compare_windows);
  for (guint i = 0; i < windows->len; i++)
    {
      const HoldWindow next = g_array_index (windows, HoldWindow, i);
      HoldWindow *last = n > 0 ? &g_array_index (windows, HoldWindow, n - 1) : NULL;

      if (last != NULL && next.from <= last->to)
        last->to = MAX (last->to, next.to);
      else
        g_array_index (windows, HoldWindow, n++) = next;
    }
  g_array_set_size (windows, n);
  return windows;
}

typedef struct
{
  LcHoldTimes *times;
  GHashTable *objects; /* of the waits */
} HoldSome;

static void
hold_times_add_some (const LcHoldingSpan *span, guint64 held, gpointer data)
{
  const HoldSome *some = data;

  if (g_hash_table_contains (some->objects, GUINT_TO_POINTER (span->object)))
    hold_times_add_span (span, held, some->times);
}

/* Many windows cost more than all that is between them. */
static gboolean
hold_times_read_windows (LcHistory *history, guint32 timeline, guint32 process, const GArray *windows, HoldSome *some,
                         GCancellable *cancellable, GError **error)
{
  guint64 events;
  guint at_once = 1;

  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events / WINDOW_EVENTS < windows->len)
    at_once = windows->len;
  for (guint i = 0; i < windows->len; i += at_once)
    {
      guint64 from = g_array_index (windows, HoldWindow, i).from;
      guint64 to = g_array_index (windows, HoldWindow, i + at_once - 1).to;

      if (!lc_within_visit_spans (history, timeline, process, from, to, hold_times_add_some, some, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

LcHoldTimes *
lc_hold_times_new_for (LcHistory *history, guint32 timeline, const GArray *waits, GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (LcHoldTimes) times = hold_times_new_empty (history);
  g_autoptr (GHashTable) objects = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) windows = hold_times_list_windows (waits);
  HoldSome some = {times, objects};

  for (guint i = 0; i < waits->len; i++)
    g_hash_table_add (objects, GUINT_TO_POINTER (g_array_index (waits, LcHistoryEvent, i).object));
  for (guint32 process = 0; process < times->n_processes; process++)
    if (!hold_times_read_windows (history, timeline, process, windows, &some, cancellable, error))
      return NULL;
  hold_times_sort_all (times);
  return g_steal_pointer (&times);
}

void
lc_hold_times_free (LcHoldTimes *times)
{
  if (times == NULL)
    return;
  for (guint32 i = 0; i < times->n_objects; i++)
    if (times->objects[i] != NULL)
      g_array_unref (times->objects[i]);
  g_free (times->objects);
  g_free (times->places);
  g_array_unref (times->edges);
  g_array_unref (times->holding);
  g_array_unref (times->shares);
  g_free (times);
}

/* --- A wait ------------------------------------------------------------------------------------------------------- */

/* Returns the number of spans that begin before a time. */
static guint
hold_times_count_before (const GArray *holds, guint64 time)
{
  guint low = 0, high = holds->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (holds, Hold, middle).begin < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Of one time, ends come first. */
static int
hold_times_compare_edges (gconstpointer a, gconstpointer b)
{
  const HoldEdge *one = a, *other = b;

  if (one->time != other->time)
    return one->time < other->time ? -1 : 1;
  return one->is_begin - other->is_begin;
}

/* Lists the edges of others' spans that touch a wait: none of those before the first that does not reach into it. */
static void
hold_times_list_edges (LcHoldTimes *times, const GArray *holds, const LcHistoryEvent *event, guint64 end)
{
  for (guint i = hold_times_count_before (holds, end); i > 0; i--)
    {
      const Hold *hold = &g_array_index (holds, Hold, i - 1);
      HoldEdge begin = {MAX (hold->begin, event->begin), hold->process, TRUE};
      HoldEdge last = {MIN (hold->end, end), hold->process, FALSE};

      if (hold->reach <= event->begin)
        break;
      if (hold->process == event->process || last.time <= begin.time)
        continue;
      g_array_append_val (times->edges, begin);
      g_array_append_val (times->edges, last);
    }
  g_array_sort (times->edges, hold_times_compare_edges);
}

static gboolean
hold_times_add_share (LcHoldTimes *times, LcPreempted *preempted, guint32 process, guint64 from, guint64 to,
                      guint64 part, GError **error)
{
  guint *place = &times->places[MIN (process, times->n_processes)];
  LcHolderShare *share;
  guint64 without = 0;

  if (*place == 0)
    {
      g_array_set_size (times->shares, *place = times->shares->len + 1);
      g_array_index (times->shares, LcHolderShare, *place - 1) = (LcHolderShare){.process = process};
    }
  if (process != LC_TRACE_NONE && !lc_preempted_sum (preempted, process, from, to, &without, error))
    return FALSE;
  share = &g_array_index (times->shares, LcHolderShare, *place - 1);
  share->waited += part;
  share->preempted += MIN (without, part);
  return TRUE;
}

/* Gives a part of the wait to those that held the object in all of it; what cannot be divided to the first. */
static gboolean
hold_times_divide (LcHoldTimes *times, LcPreempted *preempted, guint64 from, guint64 to, GError **error)
{
  const guint n = times->holding->len;
  const guint64 length = to - from;

  if (length == 0)
    return TRUE;
  if (n == 0)
    return hold_times_add_share (times, preempted, LC_TRACE_NONE, from, to, length, error);
  for (guint i = 0; i < n; i++)
    if (!hold_times_add_share (times, preempted, g_array_index (times->holding, guint32, i), from, to,
                               length / n + (i == 0 ? length % n : 0), error))
      return FALSE;
  return TRUE;
}

static void
hold_times_turn (LcHoldTimes *times, const HoldEdge *edge)
{
  if (edge->is_begin)
    {
      g_array_append_val (times->holding, edge->process);
      return;
    }
  for (guint i = 0; i < times->holding->len; i++)
    if (g_array_index (times->holding, guint32, i) == edge->process)
      {
        g_array_remove_index_fast (times->holding, i);
        return;
      }
}

static void
hold_times_forget_wait (LcHoldTimes *times)
{
  for (guint i = 0; i < times->shares->len; i++)
    times->places[MIN (g_array_index (times->shares, LcHolderShare, i).process, times->n_processes)] = 0;
  g_array_set_size (times->shares, 0);
  g_array_set_size (times->edges, 0);
  g_array_set_size (times->holding, 0);
}

gboolean
lc_hold_times_share (LcHoldTimes *times, LcPreempted *preempted, const LcHistoryEvent *event, const GArray **shares,
                     GError **error)
{
  const GArray *holds = event->object < times->n_objects ? times->objects[event->object] : NULL;
  guint64 at = event->begin, end = event->begin + event->waited;

  hold_times_forget_wait (times);
  if (holds != NULL)
    hold_times_list_edges (times, holds, event, end);
  for (guint i = 0; i < times->edges->len; i++)
    {
      const HoldEdge *edge = &g_array_index (times->edges, HoldEdge, i);

      if (!hold_times_divide (times, preempted, at, edge->time, error))
        return FALSE;
      at = edge->time;
      hold_times_turn (times, edge);
    }
  if (!hold_times_divide (times, preempted, at, end, error))
    return FALSE;
  *shares = times->shares;
  return TRUE;
}

gboolean
lc_hold_times_find_holder (LcHoldTimes *times, LcPreempted *preempted, const LcHistoryEvent *event,
                           LcHolderShare *holder, GError **error)
{
  const GArray *shares;

  *holder = (LcHolderShare){.process = LC_TRACE_NONE};
  if (!lc_hold_times_share (times, preempted, event, &shares, error))
    return FALSE;
  for (guint i = 0; i < shares->len; i++)
    {
      const LcHolderShare *share = &g_array_index (shares, LcHolderShare, i);

      if (share->process != LC_TRACE_NONE && share->waited > 0 &&
          (share->waited > holder->waited || (share->waited == holder->waited && share->process < holder->process)))
        *holder = *share;
    }
  return TRUE;
}
