/* SPDX-License-Identifier: Apache-2.0 */
/* When processes communicate: the union of waiting, holding, and events on objects that order processes, as far as
 * they were not preempted or outside of the program meanwhile. */
#include <string.h>

#include "communication.h"
#include "off-times.h"

/* Holding spans read at once, about. */
enum
{
  SPANS = 1 << 16,
};

/* Joins all that a process holds into stretches that do not overlap. The time is read in pieces, to bound the
 * memory. */
typedef struct
{
  LcHistory *history;
  guint32 timeline;
  guint32 process;
  GCancellable *cancellable;
  guint64 from; /* begin of the next piece */
  guint64 to;   /* end of the process */
  guint64 piece;
  GArray *spans; /* LcHoldingSpan of the present piece, by begin */
  guint at;
  guint64 begin; /* the present stretch; begin == end: there are no more */
  guint64 end;
} Holding;

/* A part of the time in which a process waits, holds or is inside an event that orders, whatever else it does. */
typedef struct
{
  guint64 begin;
  guint64 end;
} Part;

typedef struct
{
  const LcCommunicationSink *sink;
  gpointer data;
  gboolean *orders; /* by operation */
  Holding holding;
  LcOffTimes off;
  GArray *parts;     /* Part, of the present event and the time before it */
  guint64 done;      /* everything before it is in the parts */
  guint64 off_until; /* end of the last time in which the process was off */
  GError *error;
} Scan;

/* --- Holding --------------------------------------------------------------------------------------------------- */

static gboolean
load_piece (Holding *holding, GError **error)
{
  guint64 until = MIN (holding->to, holding->from + holding->piece);
  const LcWindow window = {holding->timeline, LC_AXIS_TIME, holding->from, until, &holding->process, 1};

  g_clear_pointer (&holding->spans, g_array_unref);
  holding->at = 0;
  if (!lc_history_list_holding (holding->history, &window, G_MAXSIZE, holding->cancellable, &holding->spans, error))
    return FALSE;
  for (guint i = 0; i < holding->spans->len; i++)
    {
      LcHoldingSpan *span = &g_array_index (holding->spans, LcHoldingSpan, i);

      span->begin = MAX (span->begin, holding->from);
      span->end = MIN (span->end, until);
    }
  holding->from = until;
  return TRUE;
}

/* Finds the next stretch in a piece. A stretch that goes on in the next piece becomes two that touch. */
static gboolean
find_stretch (Holding *holding, GError **error)
{
  const LcHoldingSpan *span;

  holding->begin = holding->end = 0;
  while (holding->begin == holding->end)
    {
      while (holding->spans == NULL || holding->at == holding->spans->len)
        if (holding->from == holding->to)
          return TRUE;
        else if (!load_piece (holding, error))
          return FALSE;
      span = &g_array_index (holding->spans, LcHoldingSpan, holding->at++);
      if (span->end <= span->begin)
        continue;
      holding->begin = span->begin;
      holding->end = span->end;
    }
  for (; holding->at < holding->spans->len; holding->at++)
    {
      span = &g_array_index (holding->spans, LcHoldingSpan, holding->at);
      if (span->begin > holding->end)
        break;
      holding->end = MAX (holding->end, span->end);
    }
  return TRUE;
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

static void
communication_keep_part (Scan *scan, guint64 begin, guint64 end)
{
  const Part part = {begin, end};

  g_array_append_val (scan->parts, part);
}

/* Keeps what is held up to `time`. */
static gboolean
communication_go_on (Scan *scan, guint64 time)
{
  Holding *holding = &scan->holding;

  while (holding->begin < holding->end && holding->begin < time)
    {
      guint64 from = MAX (holding->begin, scan->done), to = MIN (holding->end, time);

      if (to > from)
        communication_keep_part (scan, from, to);
      if (holding->end > time)
        break;
      if (!find_stretch (holding, &scan->error))
        return FALSE;
    }
  scan->done = MAX (scan->done, time);
  return TRUE;
}

/* Visits the times before `time` in which the process was off, and what of [begin, time) is left. */
static gboolean
communication_visit_off (Scan *scan, const LcHistoryEvent *event, guint64 begin, guint64 time, gboolean is_part)
{
  const LcStateSpan *span;

  begin = MAX (begin, scan->off_until);
  while (lc_off_times_get (&scan->off, &span, &scan->error))
    {
      guint64 until = span != NULL ? MIN (span->begin, time) : time;

      if (is_part && until > begin)
        scan->sink->part (event, begin, until, scan->data);
      if (span == NULL || span->begin >= time)
        return TRUE;
      begin = scan->off_until = span->end;
      scan->sink->off (event, span, scan->data);
      lc_off_times_skip (&scan->off);
    }
  return FALSE;
}

/* Visits the event's parts. What is held is read in pieces, so a part may begin while the process is off. */
static gboolean
communication_visit_parts (Scan *scan, const LcHistoryEvent *event)
{
  for (guint i = 0; i < scan->parts->len; i++)
    {
      const Part *part = &g_array_index (scan->parts, Part, i);

      if (!communication_visit_off (scan, event, 0, part->begin, FALSE) ||
          !communication_visit_off (scan, event, part->begin, part->end, TRUE))
        return FALSE;
    }
  return communication_visit_off (scan, event, 0, event->end, FALSE);
}

static gboolean
communication_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Scan *scan = data;
  gboolean orders = event->object != LC_TRACE_NONE && scan->orders[event->operation];
  guint64 until = orders ? event->end : event->begin + event->waited;

  g_array_set_size (scan->parts, 0);
  if (!communication_go_on (scan, event->begin))
    return FALSE;
  if (until > event->begin)
    communication_keep_part (scan, event->begin, until);
  scan->done = until;
  return communication_go_on (scan, event->end) && communication_visit_parts (scan, event) &&
         scan->sink->event (event, scan->data);
}

/* All operations with a class order processes, except marks. */
static gboolean *
find_ordering (const LcHistory *history)
{
  guint32 n = lc_history_get_n_operations (history);
  gboolean *orders = g_new0 (gboolean, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      orders[i] = operation != NULL && operation->class_name != NULL && strcmp (operation->class_name, "mark") != 0;
    }
  return orders;
}

gboolean
lc_communication_scan (LcHistory *history, guint32 timeline, guint32 process, const LcCommunicationSink *sink,
                       gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree gboolean *orders = find_ordering (history);
  Scan scan = {.sink = sink,
               .data = data,
               .orders = orders,
               .holding = {.history = history, .timeline = timeline, .process = process, .cancellable = cancellable}};
  Holding *holding = &scan.holding;
  guint64 events;
  gboolean good;

  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  if (!lc_history_get_process_span (history, timeline, process, &holding->from, &holding->to, error))
    return FALSE;
  scan.done = holding->from;
  holding->piece = (holding->to - holding->from) / (events / SPANS + 1) + 1;
  scan.off = (LcOffTimes){.history = history,
                          .timeline = timeline,
                          .process = process,
                          .cancellable = cancellable,
                          .from = lc_history_get_followed (history, process, holding->from),
                          .to = holding->to,
                          .piece = holding->piece};
  scan.parts = g_array_new (FALSE, FALSE, sizeof (Part));
  good = find_stretch (holding, error) && lc_history_visit (history, timeline, process, 0, G_MAXUINT64,
                                                            communication_add_event, &scan, cancellable, error);
  g_clear_pointer (&holding->spans, g_array_unref);
  lc_off_times_clear (&scan.off);
  g_array_unref (scan.parts);
  if (scan.error == NULL)
    return good;
  g_propagate_error (error, scan.error);
  return FALSE;
}

/* --- Sums of processes ----------------------------------------------------------------------------------------- */

typedef struct
{
  LcCommunicationStatistics statistics;
  guint64 begin;
  guint64 end;
} Sum;

static void
communication_add_part (const LcHistoryEvent *event, guint64 begin, guint64 end, gpointer data)
{
  ((Sum *)data)->statistics.communication += end - begin;
}

static void
communication_add_off (const LcHistoryEvent *event, const LcStateSpan *span, gpointer data)
{
  Sum *sum = data;

  if (span->state == LC_IS_PREEMPTED)
    sum->statistics.preempted += span->end - span->begin;
  else
    sum->statistics.outside += span->end - span->begin;
}

static gboolean
add_to_sum (const LcHistoryEvent *event, gpointer data)
{
  Sum *sum = data;

  if (event->ordinal == 0)
    sum->begin = event->begin;
  sum->end = event->end;
  sum->statistics.waiting += event->waited;
  return TRUE;
}

GArray *
lc_statistics_communication (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  static const LcCommunicationSink sink = {communication_add_part, communication_add_off, add_to_sum};
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcCommunicationStatistics));

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      Sum sum = {.statistics = {.process = i}};
      LcCommunicationStatistics *statistics = &sum.statistics;

      if (!lc_communication_scan (history, timeline, i, &sink, &sum, cancellable, error))
        return NULL;
      if (sum.end > 0)
        sum.begin = lc_history_get_followed (history, i, sum.begin);
      statistics->span = sum.end - sum.begin;
      statistics->computing =
          statistics->span - statistics->communication - statistics->preempted - statistics->outside;
      statistics->transfer = statistics->communication - statistics->waiting;
      g_array_append_val (result, *statistics);
    }
  return g_steal_pointer (&result);
}

/* --- Stretches ------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcCommunicationVisit visit;
  gpointer data;
  guint64 begin; /* the last stretch, not visited yet; begin == end: there is none */
  guint64 end;
  guint64 waiting;
  guint64 first;
  guint64 last;
  gboolean ended;
} Stretches;

static void
communication_tell (Stretches *stretches)
{
  if (stretches->begin < stretches->end && !stretches->ended)
    stretches->ended = !stretches->visit (stretches->begin, stretches->end, stretches->waiting, stretches->first,
                                          stretches->last, stretches->data);
  stretches->begin = stretches->end = stretches->waiting = 0;
}

/* Tells how much of a part is waiting, which is at the begin of the event. */
static guint64
communication_get_waiting (const LcHistoryEvent *event, guint64 begin, guint64 end)
{
  guint64 released = event->begin + event->waited, from = MAX (begin, event->begin), to = MIN (end, released);

  return to > from ? to - from : 0;
}

static void
add_to_stretch (const LcHistoryEvent *event, guint64 begin, guint64 end, gpointer data)
{
  Stretches *stretches = data;

  if (stretches->begin == stretches->end || begin != stretches->end)
    {
      communication_tell (stretches);
      stretches->begin = begin;
      /* A part before an event is a hold, which lasts since the end of the previous event. */
      stretches->first = stretches->last = begin < event->begin ? event->ordinal - 1 : event->ordinal;
    }
  stretches->end = end;
  stretches->waiting += communication_get_waiting (event, begin, end);
  if (end >= event->begin)
    stretches->last = event->ordinal;
}

static void
communication_pass_by (const LcHistoryEvent *event, const LcStateSpan *span, gpointer data)
{
}

static gboolean
add_to_stretches (const LcHistoryEvent *event, gpointer data)
{
  Stretches *stretches = data;

  if (stretches->begin < stretches->end && stretches->end >= event->begin)
    stretches->last = event->ordinal;
  return !stretches->ended;
}

gboolean
lc_statistics_visit_communication (LcHistory *history, guint32 timeline, guint32 process, LcCommunicationVisit visit,
                                   gpointer data, GCancellable *cancellable, GError **error)
{
  static const LcCommunicationSink sink = {add_to_stretch, communication_pass_by, add_to_stretches};
  Stretches stretches = {.visit = visit, .data = data};

  if (!lc_communication_scan (history, timeline, process, &sink, &stretches, cancellable, error))
    return FALSE;
  communication_tell (&stretches);
  return TRUE;
}
