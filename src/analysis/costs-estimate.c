/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates unknown costs from the trace itself, in a sweep of its own. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "costs-wakes.h"
#include "lightcone/sweep.h"

enum
{
  ENOUGH = 1 << 20, /* events after which the sweep stops: more would hardly change the fastest */
};

typedef struct
{
  LcTiming timing;
  gboolean matters; /* its events can come after others */
  LcSamples nowait, wait;
} Operation;

/* The samples for one model of messages. */
typedef struct
{
  LcFit fit;
  LcSamples samples;
} Messages;

typedef struct
{
  LcSweepVisitor visitor;
  LcCosts *costs;
  GCancellable *cancellable;
  gboolean is_enough;
  guint32 n_processes;
  Operation *operations;
  LcWakes *wakes; /* NULL: not our recorder's trace */
  LcSamples beta, copy;
  Messages of_short, of_long;
} Estimate;

/* --- Unknown costs ----------------------------------------------------------------------------------------- */

static gboolean
costs_estimate_is_unknown (const LcCost *cost)
{
  return cost->source == LC_COST_UNKNOWN;
}

static gboolean
costs_estimate_is_known (const LcMessageCosts *messages)
{
  return !costs_estimate_is_unknown (&messages->startup);
}

/* Only operations that an arc leads to can end sooner or later than measured. */
static gboolean
comes_after (const LcRules *rules, const LcOperationRule *rule)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; rule != NULL && i < arcs->len; i++)
    if (strcmp (((const LcArcRule *)arcs->pdata[i])->to, rule->name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_objects (LcTrace *trace, const char *class_name)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    {
      LcTraceObject object;

      lc_trace_get_object (trace, i, &object);
      if (g_strcmp0 (object.class_name, class_name) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
costs_estimate_lacks (const LcCosts *costs, guint32 operation, LcTiming timing)
{
  const LcOperationCosts *of_operation = &costs->operations[operation];

  if (lc_timing_is_message (timing) &&
      (costs_estimate_is_unknown (&costs->copy) || !costs_estimate_is_known (&costs->of_long)))
    return TRUE;
  if (timing == LC_TIMING_RELEASE)
    return costs_estimate_is_unknown (&of_operation->nowait) || costs_estimate_is_unknown (&of_operation->wait);
  return lc_timing_completes (timing) && costs_estimate_is_unknown (&of_operation->nowait);
}

/* What going on after a wait takes is in the trace of our recorder, unless somebody has said what it is. */
static gboolean
costs_estimate_shows_wakes (const LcCosts *costs, LcTrace *trace, guint32 operation, LcTiming timing)
{
  return timing == LC_TIMING_RELEASE && lc_costs_are_recorded (trace) &&
         !lc_cost_is_fixed (costs->operations[operation].wait.source);
}

gboolean
lc_costs_need_estimate (const LcCosts *costs, LcTrace *trace, const LcRules *rules)
{
  g_autoptr (GHashTable) classes = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcOperationRule *rule = lc_costs_get_rule (trace, rules, i);

      if (rule == NULL || !comes_after (rules, rule) ||
          !(costs_estimate_lacks (costs, i, rule->timing) ||
            costs_estimate_shows_wakes (costs, trace, i, rule->timing)) ||
          !g_hash_table_add (classes, rule->class_name))
        continue;
      if (has_objects (trace, rule->class_name))
        return TRUE;
    }
  return FALSE;
}

/* --- Samples ----------------------------------------------------------------------------------------------- */

static gboolean
costs_estimate_is_group (LcTiming timing)
{
  return timing == LC_TIMING_BARRIER || timing == LC_TIMING_TOGETHER;
}

/* Carries the end of a group's member, or the bytes of any other event. */
static void
costs_estimate_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  const Estimate *estimate = (const Estimate *)(const void *)visitor;
  const LcTraceEvent *event = step->event;

  if (costs_estimate_is_group (estimate->operations[event->operation].timing))
    *step->carried = event->end;
  else if (event->flags & LC_TRACE_EVENT_BYTES)
    *step->carried = event->bytes;
}

static const LcSweepPoint *
get_last (const LcSweepStep *step)
{
  const LcSweepPoint *last = NULL;

  for (gsize i = 0; i < step->n_arcs; i++)
    if (last == NULL || step->arcs[i].time > last->time)
      last = &step->arcs[i];
  return last;
}

static double
costs_estimate_measure (guint64 from, guint64 to, const LcCost *inside)
{
  return MAX (0, (double)to - (double)from - inside->value);
}

/* A release is stamped before it is carried out, with its instrumentation in between. */
static void
look_at_wake (LcWakes *wakes, const LcCost *inside, const LcSweepStep *step, const LcSweepPoint *last)
{
  const LcTraceEvent *event = step->event;
  const guint64 released = last->time + (last->point == LC_POINT_END ? last->carried[0] : 0);

  if (released > event->begin && released <= event->end)
    lc_wakes_add (wakes, event->operation, event->object, released - event->begin,
                  costs_estimate_measure (released, event->end, inside));
}

static void
look_at_release (Estimate *estimate, Operation *operation, const LcOperationCosts *costs, const LcSweepStep *step)
{
  const LcSweepPoint *last = get_last (step);
  const LcTraceEvent *event = step->event;
  const LcCost *inside = lc_costs_get_inside (estimate->costs, event);

  if (last != NULL && last->time > event->begin)
    {
      lc_samples_add (&operation->wait, costs_estimate_measure (last->time, event->end, inside));
      if (estimate->wakes != NULL && !lc_cost_is_fixed (costs->wait.source))
        look_at_wake (estimate->wakes, inside, step, last);
    }
  else if (last != NULL || !(event->flags & LC_EVENT_CONTENDED))
    lc_samples_add (&operation->nowait, costs_estimate_measure (event->begin, event->end, inside));
}

/* Handles each group once, with its first member. */
static void
look_at_barrier (Estimate *estimate, const LcSweepStep *step)
{
  const LcSweepGroup *group = step->group;
  guint64 first = G_MAXUINT64, last = 0;

  if (group == NULL || group->n_members < 2 || group->members[0].process != step->process ||
      group->members[0].ordinal != step->ordinal)
    return;
  for (gsize i = 0; i < group->n_members; i++)
    {
      first = MIN (first, group->members[i].carried[0]);
      last = MAX (last, group->members[i].carried[0]);
    }
  lc_samples_add (&estimate->beta, (double)(last - first) / (double)(group->n_members - 1));
}

/* Notes how long a message took whose receiver has waited for it. */
static void
costs_estimate_add_message (Estimate *estimate, const LcOperationCosts *operation, const LcSweepStep *step,
                            const LcSweepPoint *sent)
{
  const LcCosts *costs = estimate->costs;
  const LcTraceEvent *event = step->event;
  const guint64 bytes = event->flags & LC_TRACE_EVENT_BYTES ? event->bytes : sent->carried[0];
  const double took =
      MAX (0, costs_estimate_measure (sent->time, event->end, &operation->inside) - 2 * costs->copy.value);
  const guint32 hops = lc_costs_count_hops (costs, estimate->n_processes, sent->process, step->process);
  Messages *messages = bytes < costs->short_below ? &estimate->of_short : &estimate->of_long;

  lc_fit_add (&messages->fit, bytes, hops, took);
  lc_samples_add (&messages->samples, took);
}

/* While the cost of copying is unknown, only a receive that began before the message was sent has surely waited. */
static void
look_at_message (Estimate *estimate, const LcOperationCosts *operation, const LcSweepStep *step)
{
  const LcCosts *costs = estimate->costs;
  const LcTraceEvent *event = step->event;
  const LcSweepPoint *sent = get_last (step);
  const double lasted = costs_estimate_measure (event->begin, event->end, &operation->inside);
  gboolean waited;

  if (sent == NULL)
    return;
  waited = costs_estimate_is_unknown (&costs->copy) ? sent->time > event->begin : lasted > costs->copy.value;
  if (!waited)
    {
      lc_samples_add (&estimate->copy, lasted);
      return;
    }
  costs_estimate_add_message (estimate, operation, step, sent);
}

/* A receive that is completed shows when its message came if it was waited for before the message was sent. */
static void
look_at_completion (Estimate *estimate, const LcOperationCosts *operation, const LcSweepStep *step)
{
  const LcTraceEvent *event = step->event;
  const LcSweepPoint *sent = get_last (step);

  lc_samples_add (&estimate->operations[event->operation].nowait,
                  costs_estimate_measure (event->begin, event->end, &operation->inside));
  if (estimate->operations[event->operation].timing == LC_TIMING_COMPLETE && sent != NULL &&
      sent->process != step->process && sent->time > event->begin && sent->time < event->end)
    costs_estimate_add_message (estimate, operation, step, sent);
}

/* An instant event is stamped so long before it is carried out. */
static guint64
costs_estimate_get_late (const LcCosts *costs, const LcTraceEvent *event)
{
  const LcCost *after = lc_costs_get_after (costs, event);

  return after->source == LC_COST_CALIBRATED ? (guint64)MAX (0, llround (after->value)) : 0;
}

static void
costs_estimate_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Estimate *estimate = (Estimate *)(void *)visitor;
  Operation *operation = &estimate->operations[step->event->operation];
  const LcOperationCosts *costs = &estimate->costs->operations[step->event->operation];

  *step->carried = step->event->begin == step->event->end ? costs_estimate_get_late (estimate->costs, step->event) : 0;
  if (!operation->matters)
    return;
  if (operation->timing == LC_TIMING_RELEASE)
    look_at_release (estimate, operation, costs, step);
  else if (operation->timing == LC_TIMING_BARRIER)
    look_at_barrier (estimate, step);
  else if (operation->timing == LC_TIMING_MESSAGE)
    look_at_message (estimate, costs, step);
  else if (lc_timing_completes (operation->timing))
    look_at_completion (estimate, costs, step);
}

static gboolean
costs_estimate_go_on (guint64 events, gpointer data)
{
  Estimate *estimate = data;

  estimate->is_enough = events >= ENOUGH;
  return !estimate->is_enough && !g_cancellable_is_cancelled (estimate->cancellable);
}

/* --- Results ----------------------------------------------------------------------------------------------- */

static void
take_least (LcCost *cost, const LcSamples *samples, const char *how)
{
  if (costs_estimate_is_unknown (cost) && samples->n > 0)
    lc_samples_describe (samples, samples->least, how, cost);
}

static void
take_fit (LcMessageCosts *costs, const Messages *messages)
{
  double coefficients[LC_FIT_COLUMNS];
  LcCost *const all[LC_FIT_COLUMNS] = {&costs->startup, &costs->per_byte, &costs->per_hop};

  if (costs_estimate_is_known (costs) || !lc_fit_solve (&messages->fit, coefficients))
    return;
  if (coefficients[1] <= 0 && coefficients[2] <= 0)
    {
      /* Neither size nor way matters: then a receiver that had no processor must not, either. */
      lc_samples_describe (&messages->samples, lc_samples_get_median (&messages->samples),
                           _ ("receives that waited, the median"), all[0]);
      for (int i = 1; i < LC_FIT_COLUMNS; i++)
        lc_samples_describe (&messages->samples, 0, _ ("receives that waited, the median"), all[i]);
      return;
    }
  for (int i = 0; i < LC_FIT_COLUMNS; i++)
    lc_samples_describe (&messages->samples, coefficients[i], _ ("least squares over receives that waited"), all[i]);
}

static void
costs_estimate_take_all (Estimate *estimate)
{
  LcCosts *costs = estimate->costs;

  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      if (estimate->wakes != NULL && estimate->operations[i].nowait.n > 0)
        lc_samples_describe (&estimate->operations[i].nowait, lc_samples_get_median (&estimate->operations[i].nowait),
                             _ ("those that did not wait, the median"), &costs->operations[i].seen);
      take_least (&costs->operations[i].nowait, &estimate->operations[i].nowait,
                  _ ("the fastest of those that did not wait"));
      take_least (&costs->operations[i].wait, &estimate->operations[i].wait,
                  _ ("the fastest to go on after having waited"));
    }
  if (estimate->wakes != NULL)
    lc_wakes_take (estimate->wakes, costs);
  if (costs_estimate_is_unknown (&costs->beta) && estimate->beta.n > 0)
    lc_samples_describe (&estimate->beta, lc_samples_get_median (&estimate->beta),
                         _ ("the exits of each barrier, the median"), &costs->beta);
  take_fit (&costs->of_short, &estimate->of_short);
  take_fit (&costs->of_long, &estimate->of_long);
  take_least (&costs->copy, &estimate->copy, _ ("the fastest receive of a message that may have been there"));
}

static void
estimate_clear (Estimate *estimate)
{
  for (guint32 i = 0; i < estimate->costs->n_operations; i++)
    {
      lc_samples_clear (&estimate->operations[i].nowait);
      lc_samples_clear (&estimate->operations[i].wait);
    }
  g_free (estimate->operations);
  g_clear_pointer (&estimate->wakes, lc_wakes_free);
  lc_samples_clear (&estimate->beta);
  lc_samples_clear (&estimate->copy);
  lc_samples_clear (&estimate->of_short.samples);
  lc_samples_clear (&estimate->of_long.samples);
}

gboolean
lc_costs_estimate (LcCosts *costs, LcTrace *trace, const LcRules *rules, GCancellable *cancellable, GError **error)
{
  Estimate estimate = {.visitor = {costs_estimate_begin, costs_estimate_end},
                       .costs = costs,
                       .cancellable = cancellable,
                       .n_processes = lc_trace_get_n_processes (trace),
                       .operations = g_new0 (Operation, MAX (costs->n_operations, 1))};
  LcSweepVisitor *const visitors[] = {&estimate.visitor, NULL};
  g_autoptr (GError) local = NULL;
  LcSweepResult result;
  gboolean done;

  if (lc_costs_are_recorded (trace))
    estimate.wakes = lc_wakes_new ();
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcOperationRule *rule = lc_costs_get_rule (trace, rules, i);

      estimate.operations[i].timing = rule != NULL ? rule->timing : LC_TIMING_LOCAL;
      estimate.operations[i].matters = comes_after (rules, rule);
    }
  done = lc_sweep_run (trace, rules, visitors, costs_estimate_go_on, &estimate, &result, &local) ||
         (estimate.is_enough && !g_cancellable_is_cancelled (cancellable));
  if (done)
    costs_estimate_take_all (&estimate);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  lc_sweep_result_clear (&result);
  estimate_clear (&estimate);
  return done;
}
