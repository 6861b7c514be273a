/* SPDX-License-Identifier: Apache-2.0 */
/* What a model has as what a sweep would give, event by event, to the writer of timelines. */
#include "add-timeline.h"

typedef struct
{
  LcSweepVisitor visitor;
  const Model *model;
  LcTrace *trace;
  LcRules *rules;
  LcTimelineWriter *writer;
} Adding;

static gboolean
begin (Adding *adding, const char *path, const char *directory, const char *name, gboolean own, GError **error)
{
  const LcTimelineDescription description = {name, "moved", "{\"by\": 3}", own};

  adding->trace = lc_trace_open (directory, NULL);
  adding->rules = lc_rules_new ();
  g_assert_nonnull (adding->trace);
  adding->writer = lc_timeline_writer_new (path, adding->trace, adding->rules, &description, error);
  return adding->writer != NULL;
}

static gboolean
finish (Adding *adding, gboolean good, guint32 *number, GError **error)
{
  if (good)
    good = lc_timeline_writer_commit (adding->writer, number, error);
  lc_timeline_writer_free (adding->writer);
  lc_rules_free (adding->rules);
  lc_trace_free (adding->trace);
  return good;
}

static LcTimelineEvent
describe (const LcHistoryEvent *event)
{
  return (LcTimelineEvent){.begin = event->begin,
                           .end = event->end,
                           .waited = event->waited,
                           .woken = event->woken,
                           .removed = event->removed,
                           .gained = event->gained,
                           .reordered = (event->flags & LC_HISTORY_EVENT_REORDERED) != 0,
                           .origin_process = event->origin_process,
                           .origin_ordinal = event->origin_ordinal};
}

/* --- By a sweep ------------------------------------------------------------------------------------------------- */

static void
move_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  const Adding *adding = (Adding *)visitor;

  *step->carried = model_event (adding->model, step->process, step->ordinal)->event.begin;
}

static void
move_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  const Adding *adding = (Adding *)visitor;
  const LcTimelineEvent event = describe (&model_event (adding->model, step->process, step->ordinal)->event);

  *step->carried = event.end;
  lc_timeline_writer_add (adding->writer, step, &event);
}

gboolean
add_timeline (const char *path, const char *directory, const Model *model, const char *name, guint32 *number,
              GError **error)
{
  Adding adding = {{move_begin, move_end}, model, NULL, NULL, NULL};
  LcSweepVisitor *const visitors[] = {&adding.visitor, NULL};
  gboolean good = begin (&adding, path, directory, name, FALSE, error);
  LcSweepResult swept;

  if (good)
    {
      good = lc_sweep_run (adding.trace, adding.rules, visitors, NULL, NULL, &swept, error);
      lc_sweep_result_clear (&swept);
    }
  return finish (&adding, good, number, error);
}

/* --- Without the trace ------------------------------------------------------------------------------------------ */

static void
add_event (const Adding *adding, const ModelEvent *of)
{
  static const LcSweepGroup group = {NULL, 0, 0};
  const LcHistoryEvent *event = &of->event;
  const LcTimelineEvent moved = describe (event);
  const LcTraceEvent traced = {.begin = 1, /* whatever it was when measured */
                               .end = 2,
                               .sequence = event->sequence,
                               .value = event->value,
                               .bytes = event->bytes,
                               .object = event->object,
                               .peer = event->peer,
                               .stack = event->stack,
                               .operation = event->operation,
                               .cpu = event->cpu,
                               .flags =
                                   event->flags & (guint16) ~(LC_HISTORY_EVENT_GROUP | LC_HISTORY_EVENT_REORDERED)};
  g_autofree LcSweepPoint *arcs = g_new0 (LcSweepPoint, of->arcs->len + 1);
  guint64 carried = 0;
  const LcSweepStep step = {.process = event->process,
                            .ordinal = event->ordinal,
                            .event = &traced,
                            .layer = event->layer,
                            .arcs = arcs,
                            .n_arcs = of->arcs->len,
                            .basis = event->basis,
                            .group = event->flags & LC_HISTORY_EVENT_GROUP ? &group : NULL,
                            .carried = &carried};

  for (guint i = 0; i < of->arcs->len; i++)
    {
      const LcHistoryArcEnd *end = &g_array_index (of->arcs, LcHistoryArcEnd, i);
      const LcHistoryEvent *from = &model_event (adding->model, end->process, end->ordinal)->event;

      arcs[i].process = end->process;
      arcs[i].ordinal = end->ordinal;
      arcs[i].point = end->point;
      arcs[i].rule = lc_rules_get_arcs (adding->rules)->pdata[end->rule];
      arcs[i].carried[0] = end->point == LC_POINT_BEGIN ? from->begin : from->end;
    }
  lc_timeline_writer_add (adding->writer, &step, &moved);
}

/* Some of each process, in turn. */
gboolean
add_own_timeline (const char *path, const char *directory, const Model *model, const char *name, guint32 *number,
                  GError **error)
{
  Adding adding = {{NULL, NULL}, model, NULL, NULL, NULL};
  gboolean good = begin (&adding, path, directory, name, TRUE, error), more = good;

  for (guint ordinal = 0; more; ordinal++)
    {
      more = FALSE;
      for (guint32 i = 0; i < model->n_processes; i++)
        if (ordinal < model->events[i]->len)
          {
            add_event (&adding, model_event (model, i, ordinal));
            more = TRUE;
          }
    }
  return finish (&adding, good, number, error);
}
