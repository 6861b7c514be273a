/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at every event for every question: slow, and hard to get wrong. */
#include "model.h"

#include <string.h>

#include "lightcone/sweep.h"

typedef struct
{
  LcSweepVisitor visitor;
  Model *model;
  const LcRules *rules;
} Collector;

static guint16
rule_number (const LcRules *rules, const LcArcRule *rule)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < arcs->len; i++)
    if (arcs->pdata[i] == rule)
      return (guint16)i;
  g_assert_not_reached ();
}

static void
collect (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Collector *collector = (Collector *)visitor;
  const LcTraceEvent *event = step->event;
  ModelEvent found = {.event = {.process = step->process,
                                .ordinal = step->ordinal,
                                .begin = event->begin,
                                .end = event->end,
                                .waited = step->waited,
                                .woken = step->woken,
                                .layer = step->layer,
                                .sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0,
                                .value = event->flags & LC_TRACE_EVENT_VALUE ? event->value : 0,
                                .bytes = event->flags & LC_TRACE_EVENT_BYTES ? event->bytes : 0,
                                .object = event->object,
                                .peer = event->peer,
                                .stack = event->stack,
                                .operation = event->operation,
                                .cpu = event->cpu,
                                .flags = event->flags | (step->group != NULL ? LC_HISTORY_EVENT_GROUP : 0),
                                .basis = (gint16)step->basis,
                                .n_arcs = (guint32)step->n_arcs,
                                .origin_process = step->process,
                                .origin_ordinal = step->ordinal}};

  found.arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  for (gsize i = 0; i < step->n_arcs; i++)
    {
      LcHistoryArcEnd end;

      memset (&end, 0, sizeof end);
      end.process = step->arcs[i].process;
      end.point = step->arcs[i].point;
      end.ordinal = step->arcs[i].ordinal;
      end.rule = rule_number (collector->rules, step->arcs[i].rule);
      g_array_append_val (found.arcs, end);
    }
  g_array_append_val (collector->model->events[step->process], found);
}

ModelEvent *
model_event (const Model *model, guint32 process, guint64 ordinal)
{
  return &g_array_index (model->events[process], ModelEvent, ordinal);
}

/* --- What follows from the events --------------------------------------------------------------------------- */

static void
list_arcs (Model *model)
{
  g_array_set_size (model->arcs, 0);
  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      {
        const ModelEvent *to = model_event (model, i, j);

        for (guint k = 0; k < to->arcs->len; k++)
          {
            const LcHistoryArcEnd *end = &g_array_index (to->arcs, LcHistoryArcEnd, k);
            const LcHistoryEvent *from = &model_event (model, end->process, end->ordinal)->event;
            LcHistoryArc arc;

            memset (&arc, 0, sizeof arc);
            arc.from_process = end->process;
            arc.from_ordinal = end->ordinal;
            arc.from_point = end->point;
            arc.from_time = end->point == LC_POINT_BEGIN ? from->begin : from->end;
            arc.to_process = i;
            arc.to_ordinal = j;
            arc.to_time = to->event.end;
            arc.object = to->event.object;
            arc.rule = end->rule;
            g_array_append_val (model->arcs, arc);
          }
      }
}

static gboolean
gives_back (guint16 operation, guint16 taken)
{
  return (taken == LC_LOCK && operation == LC_UNLOCK) || (taken == LC_READ_START && operation == LC_READ_END) ||
         (taken == LC_WRITE_START && operation == LC_WRITE_END);
}

/* The last span that is open and fits. */
static LcHoldingSpan *
find_open (Model *model, guint32 process, const LcHistoryEvent *event)
{
  for (guint k = model->spans[process]->len; k-- > 0;)
    {
      LcHoldingSpan *span = &g_array_index (model->spans[process], LcHoldingSpan, k);
      const LcHistoryEvent *from = &model_event (model, process, span->begin_ordinal)->event;

      if (span->end_ordinal == G_MAXUINT64 && span->object == event->object && from->sequence == event->sequence &&
          gives_back (event->operation, from->operation))
        return span;
    }
  return NULL;
}

static void
list_spans (Model *model, guint32 process)
{
  guint open = 0;

  g_array_set_size (model->spans[process], 0);
  for (guint i = 0; i < model->events[process]->len; i++)
    {
      ModelEvent *event = model_event (model, process, i);
      LcHoldingSpan *ended = find_open (model, process, &event->event);
      LcHoldingSpan begun;

      event->gap = open > 0;
      if (ended != NULL)
        {
          ended->end = event->event.begin;
          ended->end_ordinal = i;
          open--;
        }
      event->holding = open > 0;
      if (event->event.operation != LC_LOCK && event->event.operation != LC_READ_START &&
          event->event.operation != LC_WRITE_START)
        continue;
      open++;
      memset (&begun, 0, sizeof begun);
      begun = (LcHoldingSpan){process, event->event.object, event->event.end, G_MAXUINT64, i, G_MAXUINT64};
      g_array_append_val (model->spans[process], begun);
    }
}

static void
derive (Model *model)
{
  list_arcs (model);
  for (guint32 i = 0; i < model->n_processes; i++)
    list_spans (model, i);
}

static void
clear_event (gpointer data)
{
  g_array_unref (((ModelEvent *)data)->arcs);
}

Model *
model_new (const char *directory)
{
  Model *model = g_new0 (Model, 1);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);
  Collector collector = {{NULL, collect}, model, rules};
  LcSweepVisitor *visitors[] = {&collector.visitor, NULL};
  LcSweepResult result;

  g_assert_no_error (error);
  model->n_processes = lc_trace_get_n_processes (trace);
  model->events = g_new0 (GArray *, model->n_processes);
  model->spans = g_new0 (GArray *, model->n_processes);
  model->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      model->events[i] = g_array_new (FALSE, FALSE, sizeof (ModelEvent));
      g_array_set_clear_func (model->events[i], clear_event);
      model->spans[i] = g_array_new (FALSE, FALSE, sizeof (LcHoldingSpan));
    }
  lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  lc_sweep_result_clear (&result);
  lc_trace_free (trace);
  derive (model);
  return model;
}

void
model_free (Model *model)
{
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      g_array_unref (model->events[i]);
      g_array_unref (model->spans[i]);
    }
  g_free (model->events);
  g_free (model->spans);
  g_array_unref (model->arcs);
  g_free (model);
}

void
model_move (Model *model)
{
  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      {
        LcHistoryEvent *event = &model_event (model, i, j)->event;

        event->begin = event->begin * 3 + 7 * i;
        event->end = event->end * 3 + 7 * i;
        event->waited = event->waited * 2;
        event->woken = event->woken * 2;
        event->removed += j / 3 * 20 + i;
        event->gained += (gint64)(j % 7) * 5 - 12;
        event->flags ^= j % 5 == 2 ? LC_HISTORY_EVENT_REORDERED : 0;
      }
  derive (model);
}

/* --- Another execution ------------------------------------------------------------------------------------------ */

/* Where each event goes. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
} Name;

/* Hands out the events of all processes by short runs, and gives each another time and layer. */
static void
hand_out (Model *model, GRand *random, GArray **events, Name **names)
{
  g_autofree guint *next = g_new0 (guint, model->n_processes);

  for (guint left = 1; left > 0;)
    {
      left = 0;
      for (guint32 i = 0; i < model->n_processes; i++)
        {
          guint run = (guint)g_rand_int_range (random, 1, 40);
          guint32 to = g_rand_int_range (random, 0, 4) > 0
                           ? i
                           : (guint32)g_rand_int_range (random, 0, (gint32)model->n_processes);

          for (; run > 0 && next[i] < model->events[i]->len; run--)
            {
              ModelEvent event = *model_event (model, i, next[i]);
              const LcHistoryEvent *before =
                  events[to]->len > 0 ? &g_array_index (events[to], ModelEvent, events[to]->len - 1).event : NULL;
              guint64 length = event.event.end - event.event.begin;

              names[i][next[i]++] = (Name){to, events[to]->len};
              event.event.process = to;
              event.event.ordinal = events[to]->len;
              event.event.begin = (before != NULL ? before->end : 3) + (guint64)g_rand_int_range (random, 0, 30);
              event.event.end = event.event.begin + length;
              event.event.layer = (before != NULL ? before->layer : 0) + (guint64)g_rand_int_range (random, 1, 3);
              event.event.removed = event.event.begin / 2;
              event.event.gained = (gint64)event.event.ordinal % 3;
              g_array_append_val (events[to], event);
            }
          left += model->events[i]->len - next[i];
        }
    }
}

/* Arcs name events; some of them are gone, and of some objects the sequence begins elsewhere. */
static void
rename_ends (ModelEvent *event, GRand *random, Name *const *names)
{
  for (guint i = 0; i < event->arcs->len; i++)
    {
      LcHistoryArcEnd *end = &g_array_index (event->arcs, LcHistoryArcEnd, i);
      const Name *name = &names[end->process][end->ordinal];

      end->process = name->process;
      end->ordinal = name->ordinal;
    }
  if (event->arcs->len > 0 && g_rand_int_range (random, 0, 8) == 0)
    g_array_remove_index (event->arcs, event->arcs->len - 1);
  event->event.n_arcs = event->arcs->len;
  event->event.basis = event->event.basis < (gint16)event->arcs->len ? event->event.basis : -1;
  if (event->event.flags & LC_TRACE_EVENT_SEQUENCE && event->event.object % 2 == 1)
    event->event.sequence += 1000;
}

void
model_redecide (Model *model, GRand *random)
{
  g_autofree GArray **events = g_new (GArray *, model->n_processes);
  g_autofree Name **names = g_new (Name *, model->n_processes);

  for (guint32 i = 0; i < model->n_processes; i++)
    {
      events[i] = g_array_new (FALSE, FALSE, sizeof (ModelEvent));
      names[i] = g_new (Name, model->events[i]->len + 1);
    }
  hand_out (model, random, events, names);
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      g_array_set_clear_func (model->events[i], NULL);
      g_array_unref (model->events[i]);
      model->events[i] = events[i];
      g_array_set_clear_func (events[i], clear_event);
      for (guint j = 0; j < events[i]->len; j++)
        rename_ends (model_event (model, i, j), random, names);
    }
  for (guint32 i = 0; i < model->n_processes; i++)
    g_free (names[i]);
  derive (model);
}

/* --- Answers ------------------------------------------------------------------------------------------------ */

gboolean
model_touches (const ModelEvent *event, const LcWindow *window)
{
  if (window->from >= window->to)
    return FALSE;
  if (window->axis == LC_AXIS_LAYER)
    return event->event.layer >= window->from && event->event.layer < window->to;
  return event->event.begin < window->to && event->event.end >= window->from;
}

static guint64
overlap (guint64 from, guint64 to, guint64 begin, guint64 end)
{
  guint64 low = MAX (from, begin), high = MIN (to, end);

  return low < high ? high - low : 0;
}

static void
count (LcSummaryBucket *bucket, const LcHistoryEvent *event)
{
  if (bucket->events == 0 || event->end - event->begin > bucket->longest)
    {
      bucket->longest = event->end - event->begin;
      bucket->longest_ordinal = event->ordinal;
    }
  bucket->events++;
}

LcSummaryBucket
model_bucket (const Model *model, LcAxis axis, guint32 process, guint level, guint64 at)
{
  guint64 from = at << level, to = (at + 1) << level;
  LcSummaryBucket bucket;

  memset (&bucket, 0, sizeof bucket);
  for (guint i = 0; i < model->events[process]->len; i++)
    {
      const ModelEvent *one = model_event (model, process, i);
      const LcHistoryEvent *event = &one->event;
      guint64 before = i > 0 ? model_event (model, process, i - 1)->event.end : event->begin;
      guint64 waited = event->begin + event->waited, woken = waited + event->woken;

      if (axis == LC_AXIS_TIME)
        {
          bucket.waiting += overlap (from, to, event->begin, waited);
          bucket.woken += overlap (from, to, waited, woken);
          bucket.running += overlap (from, to, before, event->begin) + overlap (from, to, woken, event->end);
          bucket.holding += one->gap ? overlap (from, to, before, event->begin) : 0;
          bucket.holding += one->holding ? overlap (from, to, event->begin, event->end) : 0;
          if (event->end >> level == at)
            count (&bucket, event);
        }
      else if (event->layer >> level == at)
        {
          bucket.waiting += event->waited;
          bucket.woken += event->woken;
          bucket.running += event->end - before - event->waited - event->woken;
          bucket.holding += (one->gap ? event->begin - before : 0) + (one->holding ? event->end - event->begin : 0);
          count (&bucket, event);
        }
    }
  return bucket;
}
