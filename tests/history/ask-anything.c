/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to histories that may be damaged: whatever the answer is, it must be one. */
#include "questions.h"

/* Those that it may have. */
enum
{
  TIMELINES = 3,
};

static gboolean
count (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  guint64 *sum = data;

  for (guint i = 0; i < event->n_arcs; i++)
    *sum += arcs[i].ordinal;
  *sum += event->begin;
  return TRUE;
}

static void
ask_window (LcHistory *history, const LcWindow *window, gsize limit, guint64 *sum)
{
  g_autoptr (LcWindowResult) result = lc_history_query_window (history, window, limit, 0, NULL, NULL);
  g_autoptr (GArray) spans = NULL, arcs = NULL;
  const LcHistoryEvent *events;
  gsize n;

  if (lc_history_list_holding (history, window, limit, NULL, &spans, NULL))
    *sum += spans->len;
  if (lc_history_list_longest_arcs (history, window, limit, NULL, &arcs, NULL))
    *sum += arcs->len;
  if (result == NULL)
    return;
  events = lc_window_result_get_events (result, &n);
  for (gsize i = 0; i < n; i++)
    *sum += events[i].end;
  if (events == NULL)
    for (gsize i = 0; i < lc_window_result_get_summary (result)->n_rows; i++)
      for (gsize k = 0; k < lc_window_result_get_summary (result)->rows[i].n_buckets; k++)
        *sum += lc_window_result_get_summary (result)->rows[i].buckets[k].running;
}

static void
ask_event (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, guint64 *sum)
{
  g_autoptr (GArray) in = NULL, out = NULL, found = NULL;
  const LcHistoryStack *stack;
  LcHistoryEvent event;

  lc_history_find_event_at (history, timeline, process, *sum % 1000, &event, NULL);
  lc_history_find_event_at_layer (history, timeline, process, *sum % 100, &event, NULL);
  lc_history_list_arcs_in (history, timeline, process, ordinal, &in, NULL);
  lc_history_list_arcs_out (history, timeline, process, ordinal, NULL, &out, NULL);
  if (lc_history_locate (history, timeline, process, ordinal, &process, &ordinal, NULL))
    *sum += ordinal;
  if (!lc_history_get_event (history, timeline, process, ordinal, &event, NULL))
    return;
  *sum += event.begin + event.removed;
  for (guint32 at = event.stack; (stack = lc_history_get_stack (history, at)) != NULL; at = stack->parent)
    *sum += lc_history_get_site (history, stack->own)->line + lc_history_get_site (history, stack->site)->offset;
  if (lc_history_find_by_key (history, timeline, event.object, event.sequence, 100, NULL, &found, NULL))
    *sum += found->len;
}

void
ask_anything (LcHistory *history, GRand *random, guint some)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, NULL);
  guint64 begin, end, sum = timelines != NULL ? timelines->len : 0;
  LcHistoryObject object;

  lc_history_get_span (history, &begin, &end);
  for (guint32 i = 0; i < MIN (lc_history_get_n_processes (history), some); i++)
    for (guint32 timeline = 0; timeline < TIMELINES; timeline++)
      lc_history_visit (history, timeline, i, 0, G_MAXUINT64, count, &sum, NULL, NULL);
  for (guint32 i = 0; i < MIN (lc_history_get_n_objects (history), some); i++)
    {
      lc_history_visit_object (history, i % TIMELINES, i, count, &sum, NULL, NULL);
      if (lc_history_get_object (history, i, &object, NULL))
        lc_history_object_clear (&object);
    }
  for (guint i = 0; i < some && lc_history_get_n_processes (history) > 0; i++)
    {
      guint32 process = g_rand_int (random) % lc_history_get_n_processes (history);
      guint64 from = g_rand_int (random) % (MIN (end, G_MAXUINT32 - 1) + 1);
      LcWindow window = {.timeline = i % TIMELINES,
                         .axis = i % 2 == 0 ? LC_AXIS_TIME : LC_AXIS_LAYER,
                         .from = from,
                         .to = i % 5 == 0 ? G_MAXUINT64 : from + g_rand_int (random) % 5000};

      ask_window (history, &window, (gsize)1 << (i % 12), &sum);
      ask_event (history, i / 2 % TIMELINES, process,
                 g_rand_int (random) % (lc_history_get_process (history, process)->events + 1), &sum);
    }
}
