/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of time: the events of a process that end in one, and what the process held in it. */
#include "within.h"

/* Holding spans read at once, about. */
enum
{
  SPANS = 1 << 16,
};

gboolean
lc_within_find_first (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 *ordinal,
                      GError **error)
{
  LcHistoryEvent event;
  guint64 events;

  *ordinal = 0;
  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events == 0 || from == 0)
    return TRUE;
  if (!lc_history_find_event_at (history, timeline, process, from, &event, error))
    return FALSE;
  for (*ordinal = event.ordinal; event.end < from && ++*ordinal < events;)
    if (!lc_history_get_event (history, timeline, process, *ordinal, &event, error))
      return FALSE;
  for (; *ordinal > 0; --*ordinal)
    {
      if (!lc_history_get_event (history, timeline, process, *ordinal - 1, &event, error))
        return FALSE;
      if (event.end < from)
        break;
    }
  return TRUE;
}

/* Reads the time in pieces, so that the memory is bounded even if a process holds something a million times. */
gboolean
lc_within_visit_spans (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                       LcWithinSpan visit, gpointer data, GCancellable *cancellable, GError **error)
{
  guint64 events, begin, end, length;

  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  if (!lc_history_get_process_span (history, timeline, process, &begin, &end, error))
    return FALSE;
  length = (end - begin) / (events / SPANS + 1) + 1;
  if (from < to)
    {
      begin = MAX (begin, from);
      end = MIN (end, to);
    }
  for (guint64 first = begin; first < end; first += MIN (length, end - first))
    {
      guint64 last = first + MIN (length, end - first);
      const LcWindow window = {timeline, LC_AXIS_TIME, first, last, &process, 1};
      g_autoptr (GArray) spans = NULL;

      if (!lc_history_list_holding (history, &window, G_MAXSIZE, cancellable, &spans, error))
        return FALSE;
      for (guint i = 0; i < spans->len; i++)
        {
          const LcHoldingSpan *span = &g_array_index (spans, LcHoldingSpan, i);

          if (MIN (span->end, last) > MAX (span->begin, first))
            visit (span, MIN (span->end, last) - MAX (span->begin, first), data);
        }
    }
  return TRUE;
}

/* --- Sums ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcWithinHeld visit;
  gpointer data;
} Held;

static void
within_add_held (const LcHoldingSpan *span, guint64 length, gpointer data)
{
  const Held *held = data;

  held->visit (span->object, length, held->data);
}

gboolean
lc_within_visit_held (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                      LcWithinHeld visit, gpointer data, GCancellable *cancellable, GError **error)
{
  Held held = {visit, data};

  return lc_within_visit_spans (history, timeline, process, from, to, within_add_held, &held, cancellable, error);
}
