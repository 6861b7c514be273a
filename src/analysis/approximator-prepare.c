/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares what the approximator needs to know of operations and processes, before the first event. */
#include <string.h>

#include "approximator-private.h"
#include "costs-private.h"

enum
{
  LONGEST_SEARCH = 1000000 << LC_FINE, /* 1 ms: what is longer is no measurement */
  FEWEST_SEEN = 8,                     /* events of an operation that did not wait, to know what they took */
  DEAREST = 3,
};

/* By so much what an event costs in a program differs from what it costs in the calibration's loop: see
 * docs/calibration.md. */
#define APART 0.2

/* --- What-if ----------------------------------------------------------------------------------------------- */

static void
scale_region (LcApproximator *approximator, guint32 region, double factor)
{
  double *sum;

  if (approximator->region_factors == NULL)
    approximator->region_factors = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  sum = g_hash_table_lookup (approximator->region_factors, GUINT_TO_POINTER (region));
  if (sum == NULL)
    {
      sum = g_new (double, 1);
      *sum = 1;
      g_hash_table_insert (approximator->region_factors, GUINT_TO_POINTER (region), sum);
    }
  *sum *= factor;
}

static void
scale_object (LcApproximator *approximator, guint32 object, double factor)
{
  const guint32 n = lc_trace_get_n_objects (approximator->trace);

  g_return_if_fail (object < n);
  if (approximator->object_factors == NULL)
    {
      approximator->object_factors = g_new (double, n);
      for (guint32 i = 0; i < n; i++)
        approximator->object_factors[i] = 1;
    }
  approximator->object_factors[object] *= factor;
}

static void
prepare_scale (LcApproximator *approximator, const LcScale *scale)
{
  g_return_if_fail (scale->factor >= 0);
  approximator->scaled |= scale->factor != 1;
  switch (scale->kind)
    {
    case LC_SCALE_OPERATION:
      g_return_if_fail (scale->id < approximator->n_operations);
      approximator->operations[scale->id].factor *= scale->factor;
      break;
    case LC_SCALE_OBJECT:
      scale_object (approximator, scale->id, scale->factor);
      break;
    case LC_SCALE_REGION:
      scale_region (approximator, scale->id, scale->factor);
      break;
    case LC_SCALE_COMMUNICATION:
      approximator->communication_factor *= scale->factor;
      break;
    case LC_SCALE_PLACE:
      g_return_if_fail (scale->place != NULL);
      break;
    case LC_SCALE_PROCESS:
      g_return_if_fail (scale->id < approximator->n_processes);
      approximator->processes[scale->id].own_factor *= scale->factor;
      break;
    default:
      g_return_if_reached ();
    }
}

/* --- Operations -------------------------------------------------------------------------------------------- */

static gint64
make_fine (const LcCost *cost)
{
  return (gint64)llround (cost->value * (1 << LC_FINE));
}

static gboolean
prepare_is_named (const LcTraceOperation *operation, const char *name)
{
  return operation != NULL && strcmp (operation->name, name) == 0;
}

static gboolean
has_overheads (const LcCosts *costs, LcCostSource source)
{
  for (guint32 i = 0; i < costs->n_operations; i++)
    if (costs->operations[i].before.source == source || costs->operations[i].inside.source == source ||
        costs->operations[i].after.source == source || costs->operations[i].other.before.source == source)
      return TRUE;
  return FALSE;
}

static LcInstrumentation
prepare_instrumentation (const LcCost *before, const LcCost *inside, const LcCost *after)
{
  return (LcInstrumentation){make_fine (before), make_fine (inside), make_fine (after),
                             after->source == LC_COST_CALIBRATED ? llround (after->value) : 0};
}

static gboolean
prepare_is_some (const LcInstrumentation *instrumentation)
{
  return instrumentation->before + instrumentation->inside + instrumentation->after > 0;
}

static void
prepare_operation (LcApproximator *approximator, const LcRules *rules, guint32 number)
{
  const LcOperationRule *rule = lc_costs_get_rule (approximator->trace, rules, number);
  const LcTraceOperation *operation = lc_trace_get_operation (approximator->trace, number);
  const LcOperationCosts *costs = &approximator->costs->operations[number];
  LcTimed *timed = &approximator->operations[number];

  timed->timing = rule != NULL ? rule->timing : LC_TIMING_LOCAL;
  /* A pause is nothing but instrumentation, unless a user says how much of it is to be taken off. */
  if (timed->timing == LC_TIMING_PAUSE && costs->inside.source == LC_COST_GIVEN)
    timed->timing = LC_TIMING_LOCAL;
  timed->is_group = timed->timing == LC_TIMING_BARRIER || timed->timing == LC_TIMING_TOGETHER;
  if (rule != NULL && rule->members && !timed->is_group && timed->timing != LC_TIMING_FINISH)
    {
      timed->timing = LC_TIMING_TOGETHER;
      timed->is_group = TRUE;
    }
  timed->enters = prepare_is_named (operation, "enter");
  timed->leaves = prepare_is_named (operation, "leave");
  timed->posts = rule != NULL ? rule->posts : LC_POSTS_NOTHING;
  timed->nowait_fixed = lc_cost_is_fixed (costs->nowait.source);
  timed->wait_fixed = lc_cost_is_fixed (costs->wait.source);
  timed->wait_calibrated = (costs->wait.source == LC_COST_CALIBRATED || approximator->costs->wakes != NULL) &&
                           !timed->wait_fixed && !approximator->keeps_measurement;
  timed->nowait_known = costs->nowait.source != LC_COST_UNKNOWN;
  timed->wait_known = costs->wait.source != LC_COST_UNKNOWN;
  timed->nowait = llround (costs->nowait.value);
  timed->factor = 1;
  if (approximator->keeps_measurement || timed->timing == LC_TIMING_PAUSE)
    return;
  timed->instrumentation = prepare_instrumentation (&costs->before, &costs->inside, &costs->after);
  timed->other = prepare_instrumentation (&costs->other.before, &costs->other.inside, &costs->other.after);
  approximator->collapses |= prepare_is_some (&timed->instrumentation) || prepare_is_some (&timed->other);
}

static void
prepare_soft (LcApproximator *approximator, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint32 i = 0; i < approximator->n_operations; i++)
    for (guint k = 0; k < arcs->len; k++)
      {
        const LcArcRule *arc = arcs->pdata[k];

        approximator->operations[i].is_soft |=
            arc->soft && prepare_is_named (lc_trace_get_operation (approximator->trace, i), arc->to);
      }
}

/* Our recorder (it stores its version) writes the event of a send before it hands the message over, so that the writing
 * delays the message; the recorder of MPI writes it afterwards. */
static void
prepare_late (LcApproximator *approximator, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);
  GKeyFile *settings = lc_trace_get_settings (approximator->trace);
  gboolean is_mpi;
  guint places = 0;

  for (guint i = 0; i < arcs->len; i++)
    places = MAX (places, ((const LcArcRule *)arcs->pdata[i])->place + 1);
  approximator->late = g_new0 (gint64, MAX (places, 1));
  if (!g_key_file_has_key (settings, "trace", "version", NULL))
    return;
  is_mpi = g_key_file_has_key (settings, "trace", "mpi", NULL);
  for (guint32 i = 0; i < approximator->n_operations && !approximator->keeps_measurement; i++)
    {
      const LcOperationCosts *costs = &approximator->costs->operations[i];
      const LcTraceOperation *operation = lc_trace_get_operation (approximator->trace, i);

      if (approximator->operations[i].timing != LC_TIMING_LOCAL || costs->after.source != LC_COST_CALIBRATED)
        continue;
      for (guint k = 0; k < arcs->len; k++)
        {
          const LcArcRule *arc = arcs->pdata[k];

          if (arc->from_point == LC_POINT_BEGIN && prepare_is_named (operation, arc->from))
            approximator->late[arc->place] = llround (costs->inside.value + (is_mpi ? 0 : costs->after.value));
        }
    }
}

static void
prepare_processes (LcApproximator *approximator)
{
  approximator->n_processes = lc_trace_get_n_processes (approximator->trace);
  approximator->processes = g_new0 (LcApproximatorProcess, MAX (approximator->n_processes, 1));
  for (guint32 i = 0; i < approximator->n_processes; i++)
    {
      LcApproximatorProcess *process = &approximator->processes[i];

      process->report.process = i;
      process->region_factor = process->place_factor = process->own_factor = 1;
      process->group_ordinal = G_MAXUINT64;
      if (approximator->owes)
        process->search = (gint64)MIN (lc_trace_get_process (approximator->trace, i)->search, LONGEST_SEARCH);
    }
}

static void
prepare_regions (LcApproximator *approximator)
{
  for (guint32 i = 0; i < approximator->n_processes && approximator->region_factors != NULL; i++)
    approximator->processes[i].regions = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/* --- Spread ------------------------------------------------------------------------------------------------ */

/*
 * Returns how many times as dear as calibrated an operation that did not wait was in the trace, at its upper quartile:
 * where the program's objects are in no cache, those of the recorder are not, either. 0: not known.
 */
static double
prepare_find_dearness (const LcOperationCosts *costs)
{
  const double calibrated = costs->nowait.value + costs->inside.value;

  if (costs->nowait.source != LC_COST_CALIBRATED || costs->seen.samples < FEWEST_SEEN || calibrated <= 0)
    return 0;
  return CLAMP ((costs->seen.high + costs->inside.value) / calibrated, 1, DEAREST);
}

/* Returns the mean over all events of which it is known, for the others. */
static double
prepare_find_mean_dearness (const LcCosts *costs)
{
  double sum = 0, samples = 0;

  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const double dearness = prepare_find_dearness (&costs->operations[i]);

      sum += dearness * (double)costs->operations[i].seen.samples;
      samples += dearness > 0 ? (double)costs->operations[i].seen.samples : 0;
    }
  return samples > 0 ? sum / samples : 1;
}

static void
prepare_scale_instrumentation (LcInstrumentation *instrumentation, double factor)
{
  instrumentation->before = llround ((double)instrumentation->before * factor);
  instrumentation->inside = llround ((double)instrumentation->inside * factor);
  instrumentation->after = llround ((double)instrumentation->after * factor);
}

void
lc_approximator_set_spread (LcApproximator *approximator, LcSpread spread)
{
  const double mean = prepare_find_mean_dearness (approximator->costs);

  approximator->spread = spread;
  if (spread == LC_SPREAD_MIDDLE || !approximator->owes)
    return;
  for (guint32 i = 0; i < approximator->n_operations; i++)
    {
      const double dearness = prepare_find_dearness (&approximator->costs->operations[i]);
      const double factor = spread == LC_SPREAD_HIGH ? 1 - APART : (1 + APART) * (dearness > 0 ? dearness : mean);

      prepare_scale_instrumentation (&approximator->operations[i].instrumentation, factor);
      prepare_scale_instrumentation (&approximator->operations[i].other, factor);
    }
  for (guint32 i = 0; i < approximator->n_processes; i++)
    approximator->processes[i].search =
        llround ((double)approximator->processes[i].search * (spread == LC_SPREAD_HIGH ? 1 - APART : 1 + APART));
}

/* --- Everything -------------------------------------------------------------------------------------------- */

void
lc_approximator_prepare (LcApproximator *approximator, const LcRules *rules, const LcApproximateOptions *options)
{
  const char *communication = approximator->costs->model;

  approximator->model = options->model;
  approximator->keeps_measurement = options->keep_measurement;
  if (options->model == LC_MODEL_OPTIMISTIC || options->model == LC_MODEL_PESSIMISTIC)
    communication = lc_model_get_name (options->model);
  approximator->optimistic = g_strcmp0 (communication, "optimistic") == 0;
  approximator->pessimistic = g_strcmp0 (communication, "pessimistic") == 0;
  approximator->copy = llround (approximator->costs->copy.value);
  approximator->n_operations = approximator->costs->n_operations;
  approximator->operations = g_new0 (LcTimed, MAX (approximator->n_operations, 1));
  for (guint32 i = 0; i < approximator->n_operations; i++)
    prepare_operation (approximator, rules, i);
  prepare_soft (approximator, rules);
  prepare_late (approximator, rules);
  approximator->owes = has_overheads (approximator->costs, LC_COST_CALIBRATED) &&
                       !has_overheads (approximator->costs, LC_COST_GIVEN) && !approximator->keeps_measurement;
  approximator->communication_factor = 1;
  if (approximator->costs->removes_preemption)
    approximator->preemption = lc_preemption_new (approximator->trace);
  prepare_processes (approximator);
  for (gsize i = 0; i < options->n_scales; i++)
    prepare_scale (approximator, &options->scales[i]);
  approximator->collapses = (approximator->collapses || approximator->scaled) && options->model != LC_MODEL_TIME;
  prepare_regions (approximator);
  lc_approximator_prepare_places (approximator, options);
}
