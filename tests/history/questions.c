/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of every sort, with the answers that the model has. */
#include "questions.h"

#include <string.h>

/* --- Events ------------------------------------------------------------------------------------------------- */

static void
assert_same_event (const LcHistoryEvent *a, const LcHistoryEvent *b)
{
  g_assert_cmpuint (a->process, ==, b->process);
  g_assert_cmpuint (a->ordinal, ==, b->ordinal);
  g_assert_cmpuint (a->begin, ==, b->begin);
  g_assert_cmpuint (a->end, ==, b->end);
  g_assert_cmpuint (a->waited, ==, b->waited);
  g_assert_cmpuint (a->woken, ==, b->woken);
  g_assert_cmpuint (a->preempted, ==, b->preempted);
  g_assert_cmpuint (a->layer, ==, b->layer);
  g_assert_cmpint (a->sequence, ==, b->sequence);
  g_assert_cmpint (a->value, ==, b->value);
  g_assert_cmpuint (a->bytes, ==, b->bytes);
  g_assert_cmpuint (a->object, ==, b->object);
  g_assert_cmpuint (a->peer, ==, b->peer);
  g_assert_cmpuint (a->stack, ==, b->stack);
  g_assert_cmpuint (a->operation, ==, b->operation);
  g_assert_cmpuint (a->cpu, ==, b->cpu);
  g_assert_cmpuint (a->flags, ==, b->flags);
  g_assert_cmpint (a->basis, ==, b->basis);
  g_assert_cmpuint (a->n_arcs, ==, b->n_arcs);
  g_assert_cmpuint (a->removed, ==, b->removed);
  g_assert_cmpint (a->gained, ==, b->gained);
  g_assert_cmpuint (a->origin_process, ==, b->origin_process);
  g_assert_cmpuint (a->origin_ordinal, ==, b->origin_ordinal);
}

typedef struct
{
  const Model *model;
  guint32 process;
  guint64 next;
  gboolean backwards;
  guint64 left; /* the visitor ends it after so many */
} Visit;

static void
assert_same_ends (const LcHistoryArcEnd *arcs, const ModelEvent *expected)
{
  for (guint i = 0; i < expected->event.n_arcs; i++)
    {
      const LcHistoryArcEnd *end = &g_array_index (expected->arcs, LcHistoryArcEnd, i);

      g_assert_cmpuint (arcs[i].process, ==, end->process);
      g_assert_cmpuint (arcs[i].ordinal, ==, end->ordinal);
      g_assert_cmpuint (arcs[i].point, ==, end->point);
      g_assert_cmpuint (arcs[i].rule, ==, end->rule);
    }
}

static gboolean
visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Visit *state = data;
  const ModelEvent *expected;

  if (state->backwards)
    state->next--;
  expected = model_event (state->model, state->process, state->next);
  if (!state->backwards)
    state->next++;
  assert_same_event (event, &expected->event);
  assert_same_ends (arcs, expected);
  return --state->left > 0;
}

/* Goes on to the next event that arcs end at. */
static const ModelEvent *
next_with_arcs (Visit *state, guint64 before)
{
  for (; state->next < before; state->next++)
    if (model_event (state->model, state->process, state->next)->event.n_arcs > 0)
      return model_event (state->model, state->process, state->next++);
  return NULL;
}

static gboolean
visit_arcs (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Visit *state = data;
  const ModelEvent *expected = next_with_arcs (state, state->model->events[state->process]->len);

  g_assert_nonnull (expected);
  g_assert_cmpuint (event->process, ==, state->process);
  g_assert_cmpuint (event->ordinal, ==, expected->event.ordinal);
  g_assert_cmpuint (event->n_arcs, ==, expected->event.n_arcs);
  assert_same_ends (arcs, expected);
  return TRUE;
}

static void
ask_visit (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint32 process)
{
  guint64 n = model->events[process]->len;
  guint64 first = (guint64)g_rand_int_range (random, 0, (gint32)n + 3);
  guint64 last = (guint64)g_rand_int_range (random, 0, (gint32)n + 3);
  Visit state = {model, process, MIN (first, n), first > last, G_MAXUINT64};
  g_autoptr (GError) error = NULL;
  gboolean good = lc_history_visit (history, timeline, process, first, last, visit, &state, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (good);
  g_assert_cmpuint (state.next, ==, MIN (last, n));
  state = (Visit){model, process, MIN (MIN (first, last), n), FALSE, G_MAXUINT64};
  g_assert_true (lc_history_visit_arcs (history, timeline, process, MIN (first, last), MAX (first, last), visit_arcs,
                                        &state, NULL, &error));
  g_assert_null (next_with_arcs (&state, MIN (MAX (first, last), n)));
  if (n < 10)
    return;
  state = (Visit){model, process, 0, FALSE, 5};
  g_assert_true (lc_history_visit (history, timeline, process, 0, n, visit, &state, NULL, &error));
  g_assert_cmpuint (state.next, ==, 5);
}

static void
ask_places (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint32 process)
{
  guint64 n = model->events[process]->len;
  const LcHistoryEvent *last = &model_event (model, process, n - 1)->event;
  guint64 time = (guint64)g_rand_int_range (random, 0, (gint32)last->end + 20);
  guint64 layer = (guint64)g_rand_int_range (random, 0, (gint32)last->layer + 5), at = 0;
  g_autoptr (GError) error = NULL;
  LcHistoryEvent event;

  for (guint64 i = 0; i < n; i++)
    if (model_event (model, process, i)->event.begin <= time)
      at = i;
  g_assert_true (lc_history_find_event_at (history, timeline, process, time, &event, &error));
  assert_same_event (&event, &model_event (model, process, at)->event);
  at = 0;
  for (guint64 i = 0; i < n; i++)
    if (model_event (model, process, i)->event.layer <= layer)
      at = i;
  g_assert_true (lc_history_find_event_at_layer (history, timeline, process, layer, &event, &error));
  assert_same_event (&event, &model_event (model, process, at)->event);
}

static void
ask_key (LcHistory *history, const Model *model, guint32 timeline, const LcHistoryEvent *of)
{
  g_autoptr (GArray) found = NULL;
  g_autoptr (GError) error = NULL;
  guint at = 0;

  if (!lc_history_find_by_key (history, timeline, of->object, of->sequence, G_MAXSIZE, NULL, &found, &error))
    g_assert_no_error (error);
  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      {
        const LcHistoryEvent *event = &model_event (model, i, j)->event;

        if (event->object != of->object || event->sequence != of->sequence)
          continue;
        g_assert_cmpuint (at, <, found->len);
        assert_same_event (&g_array_index (found, LcHistoryEvent, at++), event);
      }
  g_assert_cmpuint (at, ==, found->len);
  g_clear_pointer (&found, g_array_unref);
  g_assert_true (lc_history_find_by_key (history, timeline, of->object, of->sequence, 1, NULL, &found, &error));
  g_assert_cmpuint (found->len, ==, 1);
}

static gboolean
is_same_arc (const LcHistoryArc *a, const LcHistoryArc *b)
{
  return a->from_process == b->from_process && a->to_process == b->to_process && a->from_ordinal == b->from_ordinal &&
         a->to_ordinal == b->to_ordinal && a->from_time == b->from_time && a->to_time == b->to_time &&
         a->object == b->object && a->rule == b->rule && a->from_point == b->from_point;
}

/* The model's arcs are by process and ordinal of the event that they end at, as those that are listed. */
static void
ask_arcs (LcHistory *history, const Model *model, guint32 timeline, guint32 process, guint64 ordinal)
{
  g_autoptr (GArray) in = NULL, out = NULL;
  g_autoptr (GError) error = NULL;
  guint n_in = 0, n_out = 0;

  g_assert_true (lc_history_list_arcs_in (history, timeline, process, ordinal, &in, &error));
  if (!lc_history_list_arcs_out (history, timeline, process, ordinal, NULL, &out, &error))
    g_assert_no_error (error);
  for (guint i = 0; i < model->arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (model->arcs, LcHistoryArc, i);

      if (arc->to_process == process && arc->to_ordinal == ordinal)
        g_assert_true (n_in < in->len && is_same_arc (&g_array_index (in, LcHistoryArc, n_in++), arc));
      if (arc->from_process == process && arc->from_ordinal == ordinal)
        g_assert_true (n_out < out->len && is_same_arc (&g_array_index (out, LcHistoryArc, n_out++), arc));
    }
  g_assert_cmpuint (n_in, ==, in->len);
  g_assert_cmpuint (n_out, ==, out->len);
}

static gboolean
count_visits (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  guint *counts = data;

  g_assert_cmpuint (event->object, ==, counts[1]);
  counts[0]++;
  return TRUE;
}

static void
ask_object (LcHistory *history, const Model *model, guint32 timeline, guint32 object)
{
  g_autoptr (GError) error = NULL;
  LcHistoryObject found;
  guint counts[] = {0, object}, expected = 0;

  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      expected += model_event (model, i, j)->event.object == object;
  if (!lc_history_visit_object (history, timeline, object, count_visits, counts, NULL, &error))
    g_assert_no_error (error);
  g_assert_cmpuint (counts[0], ==, expected);
  g_assert_true (lc_history_get_object (history, object, &found, &error));
  g_assert_cmpuint (found.events, ==, expected);
  lc_history_object_clear (&found);
}

static void
ask_count (LcHistory *history, const Model *model, guint32 timeline, guint32 process)
{
  g_autoptr (GError) error = NULL;
  guint64 events;

  if (!lc_history_count_events (history, timeline, process, &events, &error))
    g_assert_no_error (error);
  g_assert_cmpuint (events, ==, model->events[process]->len);
}

/* An event is found by what it was when measured. */
static void
ask_name (LcHistory *history, guint32 timeline, const LcHistoryEvent *event)
{
  g_autoptr (GError) error = NULL;
  guint64 ordinal;
  guint32 process;

  if (!lc_history_locate (history, timeline, event->origin_process, event->origin_ordinal, &process, &ordinal, &error))
    g_assert_no_error (error);
  g_assert_cmpuint (process, ==, event->process);
  g_assert_cmpuint (ordinal, ==, event->ordinal);
  g_assert_false (
      lc_history_locate (history, timeline, event->origin_process, G_MAXUINT64, &process, &ordinal, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
}

void
ask_events (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint some)
{
  g_autoptr (GError) error = NULL;
  LcHistoryEvent event;

  for (guint k = 0; k < some; k++)
    {
      guint32 process = (guint32)g_rand_int_range (random, 0, (gint32)model->n_processes);
      guint64 n = model->events[process]->len;
      guint64 ordinal = n > 0 ? (guint64)g_rand_int_range (random, 0, (gint32)n) : 0;

      ask_visit (history, model, timeline, random, process);
      ask_count (history, model, timeline, process);
      g_assert_false (lc_history_get_event (history, timeline, process, n, &event, &error));
      g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
      g_clear_error (&error);
      if (n == 0)
        continue;
      g_assert_true (lc_history_get_event (history, timeline, process, ordinal, &event, &error));
      assert_same_event (&event, &model_event (model, process, ordinal)->event);
      ask_name (history, timeline, &event);
      ask_places (history, model, timeline, random, process);
      ask_arcs (history, model, timeline, process, ordinal);
      if (event.object != LC_TRACE_NONE)
        ask_key (history, model, timeline, &event);
      if (k % 8 == 0 && event.object != LC_TRACE_NONE)
        ask_object (history, model, timeline, event.object);
    }
}

/* --- Windows ------------------------------------------------------------------------------------------------ */

static guint32
nth_process (const LcWindow *window, guint32 i)
{
  return window->processes != NULL ? window->processes[i] : i;
}

static void
check_events (const Model *model, const LcWindow *window, guint32 n, const LcHistoryEvent *events, gsize n_events)
{
  gsize at = 0;

  for (guint32 i = 0; i < n; i++)
    for (guint j = 0; j < model->events[nth_process (window, i)]->len; j++)
      {
        const ModelEvent *event = model_event (model, nth_process (window, i), j);

        if (!model_touches (event, window))
          continue;
        g_assert_cmpuint (at, <, n_events);
        assert_same_event (&events[at++], &event->event);
      }
  g_assert_cmpuint (at, ==, n_events);
}

static void
check_summary (const Model *model, const LcWindow *window, guint32 n, const LcSummary *summary)
{
  g_assert_cmpuint (summary->n_rows, ==, n);
  for (guint32 i = 0; i < n; i++)
    {
      const LcSummaryRow *row = &summary->rows[i];

      g_assert_cmpuint (row->process, ==, nth_process (window, i));
      for (gsize k = 0; k < row->n_buckets; k++)
        {
          const LcSummaryBucket *bucket = &row->buckets[k];
          LcSummaryBucket expected =
              model_bucket (model, window->axis, row->process, summary->level, summary->first + k);

          g_assert_cmpuint (bucket->events, ==, expected.events);
          g_assert_cmpuint (bucket->running, ==, expected.running);
          g_assert_cmpuint (bucket->waiting, ==, expected.waiting);
          g_assert_cmpuint (bucket->woken, ==, expected.woken);
          g_assert_cmpuint (bucket->preempted + bucket->outside + bucket->unseen, ==, 0);
          g_assert_cmpuint (bucket->holding, ==, expected.holding);
          g_assert_cmpuint (bucket->longest, ==, expected.longest);
          if (expected.events > 0)
            g_assert_cmpuint (bucket->longest_ordinal, ==, expected.longest_ordinal);
        }
    }
}

/* Nothing of the window that has events may be outside the summary. */
static void
check_extent (const Model *model, const LcWindow *window, guint32 n, const LcSummary *summary, gsize limit,
              guint64 resolution)
{
  guint64 begin = summary->first << summary->level;
  guint64 end = (summary->first + summary->rows[0].n_buckets) << summary->level;

  g_assert_true (summary->level == 63 || G_GUINT64_CONSTANT (1) << summary->level >= resolution);
  if (limit >= 2 * n)
    g_assert_cmpuint (summary->rows[0].n_buckets * n, <=, limit);
  for (guint32 i = 0; i < n; i++)
    for (guint j = 0; j < model->events[nth_process (window, i)]->len; j++)
      {
        const ModelEvent *event = model_event (model, nth_process (window, i), j);

        if (!model_touches (event, window))
          continue;
        g_assert_cmpuint (window->axis == LC_AXIS_TIME ? event->event.begin : event->event.layer, <, end);
        g_assert_cmpuint (window->axis == LC_AXIS_TIME ? event->event.end : event->event.layer, >=, begin);
      }
}

static void
ask_window (LcHistory *history, const Model *model, const LcWindow *window, guint32 n, gsize limit, guint64 resolution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcWindowResult) result = lc_history_query_window (history, window, limit, resolution, NULL, &error);
  const LcHistoryEvent *events;
  const LcSummary *summary;
  gsize n_events, touching = 0;

  g_assert_no_error (error);
  events = lc_window_result_get_events (result, &n_events);
  summary = lc_window_result_get_summary (result);
  g_assert_true ((events == NULL) != (summary == NULL));
  for (guint32 i = 0; i < n; i++)
    for (guint j = 0; j < model->events[nth_process (window, i)]->len; j++)
      touching += (gsize)model_touches (model_event (model, nth_process (window, i), j), window);
  g_assert_true ((summary != NULL) == (touching > limit));
  if (events != NULL)
    check_events (model, window, n, events, n_events);
  else
    {
      check_extent (model, window, n, summary, limit, resolution);
      check_summary (model, window, n, summary);
    }
}

static void
ask_spans (LcHistory *history, const Model *model, const LcWindow *window, guint32 n, gsize limit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = NULL;
  gsize at = 0;

  if (!lc_history_list_holding (history, window, limit, NULL, &found, &error))
    g_assert_no_error (error);
  for (guint32 i = 0; i < n; i++)
    for (guint j = 0; j < model->spans[nth_process (window, i)]->len && at < limit; j++)
      {
        const LcHoldingSpan *span = &g_array_index (model->spans[nth_process (window, i)], LcHoldingSpan, j), *given;

        if (span->begin >= window->to || span->end < window->from || window->from >= window->to)
          continue;
        g_assert_cmpuint (at, <, found->len);
        given = &g_array_index (found, LcHoldingSpan, at++);
        g_assert_cmpuint (given->process, ==, span->process);
        g_assert_cmpuint (given->object, ==, span->object);
        g_assert_cmpuint (given->begin, ==, span->begin);
        g_assert_cmpuint (given->begin_ordinal, ==, span->begin_ordinal);
        g_assert_cmpuint (given->end_ordinal, ==, span->end_ordinal);
        g_assert_cmpuint (given->end, ==, span->end);
      }
  g_assert_cmpuint (at, ==, found->len);
}

static int
by_length (gconstpointer a, gconstpointer b)
{
  const LcHistoryArc *one = a, *other = b;
  guint64 first = one->to_time - one->from_time, second = other->to_time - other->from_time;

  return (first < second) - (first > second);
}

static gboolean
has_process (const LcWindow *window, guint32 n, guint32 process)
{
  for (guint32 i = 0; i < n; i++)
    if (nth_process (window, i) == process)
      return TRUE;
  return FALSE;
}

/* All arcs that touch the window, longest first. */
static GArray *
list_touching (const Model *model, const LcWindow *window, guint32 n)
{
  GArray *arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));

  for (guint i = 0; i < model->arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (model->arcs, LcHistoryArc, i);

      if (window->from < window->to && arc->from_time < arc->to_time && arc->from_time < window->to &&
          arc->to_time >= window->from && has_process (window, n, arc->from_process) &&
          has_process (window, n, arc->to_process))
        g_array_append_val (arcs, *arc);
    }
  g_array_sort (arcs, by_length);
  return arcs;
}

static gboolean
contains (const GArray *arcs, const LcHistoryArc *arc)
{
  for (guint i = 0; i < arcs->len; i++)
    if (is_same_arc (arc, &g_array_index (arcs, LcHistoryArc, i)))
      return TRUE;
  return FALSE;
}

/*
 * Those that are given are there, and longest first. Those that end behind the window may be missing, for others that
 * are as long; but not those that end in it, as these traces are so short that all events can be read.
 */
static void
ask_longest (LcHistory *history, const Model *model, const LcWindow *window, guint32 n, gsize limit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = NULL, expected = list_touching (model, window, n);

  if (!lc_history_list_longest_arcs (history, window, limit, NULL, &found, &error))
    g_assert_no_error (error);
  g_assert_cmpuint (found->len, <=, limit);
  for (guint i = 0; i < found->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (found, LcHistoryArc, i);

      if (i > 0)
        g_assert_cmpint (by_length (arc - 1, arc), <=, 0);
      g_assert_true (contains (expected, arc));
    }
  for (guint i = 0; i < expected->len && found->len < limit; i++)
    {
      const LcHistoryArc *arc = &g_array_index (expected, LcHistoryArc, i);

      g_assert_true (arc->to_time >= window->to || contains (found, arc));
    }
}

static void
choose_window (const Model *model, GRand *random, guint32 timeline, guint32 *processes, LcWindow *window)
{
  guint64 last = 1, width;

  *window = (LcWindow){.timeline = timeline, .axis = g_rand_boolean (random) ? LC_AXIS_TIME : LC_AXIS_LAYER};
  for (guint32 i = 0; i < model->n_processes; i++)
    if (model->events[i]->len > 0)
      {
        const LcHistoryEvent *event = &model_event (model, i, model->events[i]->len - 1)->event;

        last = MAX (last, window->axis == LC_AXIS_TIME ? event->end : event->layer);
      }
  width = last >> g_rand_int_range (random, 0, 12);
  window->from = (guint64)g_rand_int_range (random, 0, (gint32)last + 10);
  window->to = window->from + (guint64)g_rand_int_range (random, 0, (gint32)width + 2);
  if (g_rand_int_range (random, 0, 16) == 0)
    {
      window->from = 0;
      window->to = g_rand_boolean (random) ? G_MAXUINT64 : last + 1;
    }
  if (g_rand_boolean (random))
    return;
  window->processes = processes;
  window->n_processes = (guint32)g_rand_int_range (random, 1, (gint32)model->n_processes + 1);
  for (guint32 i = 0; i < window->n_processes; i++)
    processes[i] = (model->n_processes - 1 - i) % model->n_processes;
}

void
ask_windows (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint some)
{
  g_autofree guint32 *processes = g_new0 (guint32, model->n_processes);

  for (guint k = 0; k < some; k++)
    {
      gsize limit = (gsize)1 << g_rand_int_range (random, 0, 13);
      guint64 resolution = g_rand_boolean (random) ? 0 : (guint64)1 << g_rand_int_range (random, 0, 10);
      LcWindow window;
      guint32 n;

      choose_window (model, random, timeline, processes, &window);
      n = window.processes != NULL ? window.n_processes : model->n_processes;
      ask_window (history, model, &window, n, limit, resolution);
      window.axis = LC_AXIS_TIME;
      ask_spans (history, model, &window, n, limit);
      ask_longest (history, model, &window, n, MIN (limit, 64));
    }
}

/* --- Damage -------------------------------------------------------------------------------------------------- */

/* The small tables have no checksum: what is written there is believed. */
static gboolean
has_same_processes (const LcHistory *history, const Model *model)
{
  if (lc_history_get_n_processes (history) != model->n_processes)
    return FALSE;
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (history, i);
      guint64 n = model->events[i]->len;

      if (process->events != n || (n > 0 && (process->begin != model_event (model, i, 0)->event.begin ||
                                             process->end != model_event (model, i, n - 1)->event.end ||
                                             process->layers != model_event (model, i, n - 1)->event.layer)))
        return FALSE;
    }
  return TRUE;
}

void
ask_damaged (LcHistory *history, const Model *model, GRand *random, guint some)
{
  g_autofree guint32 *processes = g_new0 (guint32, model->n_processes);

  for (guint k = 0; k < some && has_same_processes (history, model); k++)
    {
      guint32 process = (guint32)g_rand_int_range (random, 0, (gint32)model->n_processes);
      guint64 ordinal = g_rand_int (random) % (model->events[process]->len + 1);
      g_autoptr (LcWindowResult) result = NULL;
      LcHistoryEvent event;
      const LcHistoryEvent *events;
      LcWindow window;
      gsize n_events;

      if (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL))
        assert_same_event (&event, &model_event (model, process, ordinal)->event);
      choose_window (model, random, LC_TIMELINE_MEASURED, processes, &window);
      result = lc_history_query_window (history, &window, 1000, 0, NULL, NULL);
      events = result != NULL ? lc_window_result_get_events (result, &n_events) : NULL;
      if (events != NULL)
        check_events (model, &window, window.processes != NULL ? window.n_processes : model->n_processes, events,
                      n_events);
    }
}
