/* SPDX-License-Identifier: Apache-2.0 */
/* Judges an approximation: what else the run could have taken, and why not to believe what was found. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "approximate-private.h"
#include "approximation-warning.h"
#include "costs-private.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

enum
{
  MOST_TRIED = 1 << 24, /* events: of longer traces only the timeline is made */
  APART = 33,           /* models are apart if it is more than one part in so many, 3 % */
  PART = 20,            /* of the processes' lives, that matters */
  NOISE = 1000000,      /* ns: shorter ones do not */
  COLD = 3,             /* so many times the calibrated cost, and some ns, is another case */
  COLD_NS = 20,
  ENOUGH_SEEN = 8,
};

/* Instrumentation that is a larger share of what was not waiting matters more than what else is not known. */
#define DENSE 0.25

/* Totals that are no further apart are the same, however little was taken off. */
#define TRUE_ENOUGH 0.01

/* Another order can change so many times as much as recording took, as what waits for whom is another then. */
#define FAR_APART 5

/* What the other ways to sweep the trace have found. 0: not tried. */
typedef struct
{
  guint64 low, high;
  guint64 other; /* of the model that decides again, or not */
} Trials;

/* --- Warnings ---------------------------------------------------------------------------------------------- */

static void
warn_of_kept (LcApproximation *approximation, guint64 total, guint64 measured)
{
  g_autofree char *found = lc_format_duration (total), *was = lc_format_duration (measured);

  lc_approximation_warn (
      approximation, "kept",
      _ ("Without the measurement the run would take %s, longer than the %s that were measured, which no "
         "order of its events explains: the measured run is kept"),
      found, was);
}

static void
warn_of_slower (LcApproximation *approximation, guint64 total, guint64 measured)
{
  g_autofree char *found = lc_format_duration (total), *was = lc_format_duration (measured);

  if (total > measured)
    lc_approximation_warn (
        approximation, "slower",
        _ ("The approximated run (%s) is longer than the measured one (%s): the costs that were given, or "
           "clocks that disagree, make it so"),
        found, was);
}

static void
warn_of_order (LcApproximation *approximation, guint64 total, guint64 other)
{
  const guint64 least = MIN (total, other), most = MAX (total, other);
  const gboolean is_liberal = approximation->model == LC_MODEL_LIBERAL;
  g_autofree char *liberal = lc_format_duration (is_liberal ? total : other);
  g_autofree char *event = lc_format_duration (is_liberal ? other : total);

  if (other > 0 && most - least > least / APART)
    lc_approximation_warn (approximation, "order",
                           _ ("The order of events matters: model liberal finds %s, model event finds %s"), liberal,
                           event);
}

/* Gives how long a process was ready without a processor where that counts as running: as it was recorded, or as the
 * kernel counted it, which began to count before the first event. */
static guint64
judge_get_ready (const LcHistoryProcess *process, const LcWaitingStatistics *states)
{
  if (process->is_scheduled && states != NULL)
    return states->preempted;
  return process->account.runnable != LC_TRACE_UNKNOWN ? MIN (process->account.runnable, process->end - process->begin)
                                                       : 0;
}

/* Warns of time for which the events have no explanation, as a part of the processes' lives. */
static void
warn_of_kernel (const LcApproximateRun *run)
{
  g_autoptr (GArray) states = lc_statistics_waiting (run->history, LC_TIMELINE_MEASURED, NULL, NULL);
  guint64 lives = 0, unseen = 0, ready = 0;

  for (guint32 i = 0; i < lc_history_get_n_processes (run->history); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (run->history, i);

      lives += process->end - process->begin;
      unseen += process->unseen != LC_TRACE_UNKNOWN ? process->unseen : 0;
      ready += judge_get_ready (process, states != NULL ? &g_array_index (states, LcWaitingStatistics, i) : NULL);
    }
  if (unseen > NOISE && unseen > lives / PART)
    lc_approximation_warn (
        run->approximation, "unseen",
        _ ("For %.1f %% of their time the processes were blocked on something that no event explains: that stays "
           "as long as it was measured"),
        100 * (double)unseen / (double)lives);
  if (ready > NOISE && ready > lives / PART && !run->approximation->costs->removes_preemption)
    lc_approximation_warn (
        run->approximation, "preempted",
        _ ("For %.1f %% of their time the processes were ready but had no processor: there are more of them than "
           "processors, and that counts as if they had been running (--set preemption=remove takes it off)"),
        100 * (double)ready / (double)lives);
}

/* Warns where so much was taken off that what is left depends on each ns of what an event is said to cost. */
static void
warn_of_density (const LcApproximateRun *run)
{
  const double share = lc_approximator_get_removed_share (run->approximator);

  if (lc_costs_are_recorded (run->trace) && share > DENSE)
    lc_approximation_warn (
        run->approximation, "dense",
        _ ("Recording took %.0f %% of the time in which the processes did not wait: where events are as close "
           "together, the total is no better than what each of them is thought to cost; believe the interval"),
        100 * share);
}

static void
warn_of_cold (const LcApproximateRun *run)
{
  const LcCosts *costs = run->approximation->costs;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcOperationCosts *operation = &costs->operations[i];

      if (operation->nowait.source != LC_COST_CALIBRATED || operation->seen.samples < ENOUGH_SEEN ||
          operation->seen.median <= COLD * operation->nowait.value + COLD_NS)
        continue;
      g_string_append_printf (list, list->len > 0 ? _ (", %s %.0f and %.0f ns") : _ ("%s %.0f and %.0f ns"),
                              lc_trace_get_operation (run->trace, i)->name, operation->seen.median,
                              operation->nowait.value);
    }
  if (list->len > 0)
    lc_approximation_warn (
        run->approximation, "cold",
        _ ("Operations that did not wait took longer in this run than when they were calibrated (%s), so that "
           "recording them may have taken longer, too: the run may be shorter than approximated"),
        list->str);
}

/* --- Trials ------------------------------------------------------------------------------------------------ */

static gboolean
judge_try (LcApproximateRun *run, const LcApproximateWay *way, guint64 *total, GError **error)
{
  g_autoptr (LcApproximator) approximator = lc_approximate_try (run, way, error);

  if (approximator == NULL)
    return FALSE;
  *total = lc_approximator_get_total (approximator);
  return TRUE;
}

static gboolean
judge_try_model (LcApproximateRun *run, LcModel model, LcSpread spread, guint64 *total, GError **error)
{
  const LcApproximateWay way = {model, spread, FALSE, FALSE};

  return judge_try (run, &way, total, error);
}

/* Whether other ways would tell something: other models are bounds themselves. */
static gboolean
judge_can_try (const LcApproximateRun *run)
{
  return (run->approximation->model == LC_MODEL_EVENT || run->approximation->model == LC_MODEL_LIBERAL) &&
         run->options->blind == LC_BLIND_PRESERVE && run->total <= MOST_TRIED;
}

static LcModel
judge_get_other_model (const LcApproximateRun *run)
{
  return run->approximation->model == LC_MODEL_LIBERAL ? LC_MODEL_EVENT : LC_MODEL_LIBERAL;
}

static gboolean
judge_try_all (LcApproximateRun *run, guint64 total, Trials *trials, GError **error)
{
  const LcModel model = run->approximation->model;

  trials->low = trials->high = total;
  if (run->in_time && !judge_try_model (run, judge_get_other_model (run), LC_SPREAD_MIDDLE, &trials->other, error))
    return FALSE;
  return !lc_costs_are_recorded (run->trace) || (judge_try_model (run, model, LC_SPREAD_LOW, &trials->low, error) &&
                                                 judge_try_model (run, model, LC_SPREAD_HIGH, &trials->high, error));
}

/* The measured run is no bound where somebody has given costs: they can be those of another machine. */
static void
judge_set_interval (LcApproximateRun *run, const Trials *trials, guint64 total, guint64 measured)
{
  LcApproximation *approximation = run->approximation;
  guint64 low = MIN (total, MIN (trials->low, trials->high)), high = MAX (total, MAX (trials->low, trials->high));

  if (trials->other > 0)
    {
      low = MIN (low, trials->other);
      high = MAX (high, trials->other);
    }
  approximation->low = low;
  approximation->high = lc_costs_are_recorded (run->trace) ? MIN (high, MAX (total, measured)) : high;
}

/* --- Keeping the measured run ------------------------------------------------------------------------------ */

static gboolean
judge_has_settings (const LcApproximateRun *run)
{
  return run->options->settings != NULL && run->options->settings[0] != NULL;
}

/*
 * Whether the measured run is shorter than what the model has found, with clocks put right in both. Only in our
 * recorder's traces is all of the instrumentation taken off and costs are those of the run, so that it cannot get
 * longer.
 */
static gboolean
judge_find_kept (LcApproximateRun *run, guint64 total, gboolean *keeps, GError **error)
{
  const LcApproximateWay measured = {LC_MODEL_EVENT, LC_SPREAD_MIDDLE, TRUE, FALSE};
  guint64 least;

  *keeps = FALSE;
  if (!lc_costs_are_recorded (run->trace) || judge_has_settings (run) ||
      total <= lc_approximator_get_measured_total (run->approximator))
    return TRUE;
  if (!judge_try (run, &measured, &least, error))
    return FALSE;
  *keeps = total > least;
  return TRUE;
}

static gboolean
judge_keep (LcApproximateRun *run, guint64 total, guint64 measured, GError **error)
{
  const LcApproximateWay way = {LC_MODEL_EVENT, LC_SPREAD_MIDDLE, TRUE, FALSE};
  LcApproximation *approximation = run->approximation;

  if (!lc_approximate_write (run, &way, error))
    return FALSE;
  approximation->kept = TRUE;
  approximation->high = lc_approximator_get_total (run->approximator);
  approximation->low = MIN (approximation->low, approximation->high);
  g_array_set_size (approximation->decided, 0);
  warn_of_kept (approximation, total, measured);
  return TRUE;
}

/* --- What-if ----------------------------------------------------------------------------------------------- */

/* Whether the model, with nothing scaled, does not find the run that is there. */
static gboolean
judge_is_off (const LcApproximateRun *run)
{
  const guint64 found = run->approximation->unscaled;
  const guint64 measured = lc_approximator_get_measured_total (run->approximator);

  return run->options->keep_measurement && (found > measured ? found - measured : measured - found) > measured / APART;
}

static void
warn_of_model (LcApproximation *approximation, guint64 measured)
{
  g_autofree char *found = lc_format_duration (approximation->unscaled), *was = lc_format_duration (measured);

  lc_approximation_warn (
      approximation, "model",
      _ ("Where nothing takes another time, model %s finds %s instead of the %s that were measured: what is "
         "saved or lost may be wrong by as much"),
      lc_model_get_name (approximation->model), found, was);
}

/* Factors do not change what is found without them, so an experiment sweeps for it once. */
static gboolean
judge_try_unscaled (LcApproximateRun *run, const LcApproximateWay *plain, GError **error)
{
  guint64 *known = &run->unscaled[plain->model];

  if (*known == LC_TRACE_UNKNOWN && !judge_try (run, plain, known, error))
    {
      *known = LC_TRACE_UNKNOWN;
      return FALSE;
    }
  run->approximation->unscaled = *known;
  return TRUE;
}

/* Computes the timeline with the order as it was measured, which finds the run that is there. */
static gboolean
judge_keep_order (LcApproximateRun *run, GError **error)
{
  const LcApproximateWay way = {LC_MODEL_EVENT, LC_SPREAD_MIDDLE, FALSE, FALSE};
  const LcApproximateWay plain = {LC_MODEL_EVENT, LC_SPREAD_MIDDLE, FALSE, TRUE};
  LcApproximation *approximation = run->approximation;

  approximation->model = LC_MODEL_EVENT;
  g_array_set_size (approximation->decided, 0);
  return lc_approximate_write (run, &way, error) && judge_try_unscaled (run, &plain, error);
}

static gboolean
judge_what_if (LcApproximateRun *run, GError **error)
{
  LcApproximation *approximation = run->approximation;
  const LcApproximateWay plain = {approximation->model, LC_SPREAD_MIDDLE, FALSE, TRUE};
  guint64 total = lc_approximator_get_total (run->approximator), other = 0;

  if (!judge_try_unscaled (run, &plain, error))
    return FALSE;
  if (approximation->chosen && approximation->model == LC_MODEL_LIBERAL && judge_is_off (run))
    {
      if (!judge_keep_order (run, error))
        return FALSE;
      total = lc_approximator_get_total (run->approximator);
    }
  else if (run->in_time && !judge_try_model (run, judge_get_other_model (run), LC_SPREAD_MIDDLE, &other, error))
    return FALSE;
  approximation->low = other > 0 ? MIN (total, other) : total;
  approximation->high = MAX (total, other);
  if (judge_is_off (run))
    warn_of_model (approximation, lc_approximator_get_measured_total (run->approximator));
  warn_of_order (approximation, total, other);
  warn_of_kernel (run);
  return TRUE;
}

/* --- The measured order ------------------------------------------------------------------------------------ */

/* Whether two totals are further apart than this share of the first. */
static gboolean
judge_are_apart (guint64 total, guint64 other, double share)
{
  return (double)(MAX (total, other) - MIN (total, other)) > MAX (share, TRUE_ENOUGH) * (double)total;
}

static void
warn_of_order_kept (LcApproximation *approximation, guint64 found, guint64 measured, double share)
{
  g_autofree char *again = lc_format_duration (found), *was = lc_format_duration (measured);

  lc_approximation_warn (
      approximation, "kept-order",
      _ ("To decide again who gets something next finds %s, and %s were measured: that is further off than "
         "recording can have made it, which took %.1f %% of the time, so the order stays as it was measured"),
      again, was, 100 * share);
}

/*
 * Keeps the order that was measured where a model was to be chosen, and what comes of another order is further off than
 * recording can have made it. That order is one that the program can take without the measurement, too: recording
 * that took little cannot have changed it much, and what another one brings then is chance, or an error of the model.
 */
static gboolean
judge_choose_order (LcApproximateRun *run, GError **error)
{
  const LcApproximateWay plain = {LC_MODEL_LIBERAL, LC_SPREAD_MIDDLE, TRUE, FALSE};
  const LcApproximateWay event = {LC_MODEL_EVENT, LC_SPREAD_MIDDLE, FALSE, FALSE};
  LcApproximation *approximation = run->approximation;
  const guint64 measured = lc_approximator_get_measured_total (run->approximator);
  const guint64 total = lc_approximator_get_total (run->approximator);
  const double share = lc_approximator_get_removed_share (run->approximator);
  guint64 unchanged;
  gboolean is_unlike;

  if (!approximation->chosen || approximation->model != LC_MODEL_LIBERAL || !lc_costs_are_recorded (run->trace))
    return TRUE;
  if (!judge_try (run, &plain, &unchanged, error))
    return FALSE;
  is_unlike = judge_are_apart (measured, unchanged, share);
  if (!is_unlike && !judge_are_apart (measured, total, FAR_APART * share))
    return TRUE;
  lc_approximate_set_model (run, LC_MODEL_EVENT);
  g_array_set_size (approximation->decided, 0);
  lc_approximation_forget_warnings (approximation); /* so far they are about decisions */
  warn_of_order_kept (approximation, is_unlike ? unchanged : total, measured, share);
  return lc_approximate_write (run, &event, error);
}

static gboolean
judge_has_kept_order (const LcApproximation *approximation)
{
  return approximation->chosen && approximation->in_time && approximation->model == LC_MODEL_EVENT;
}

/* --- Everything -------------------------------------------------------------------------------------------- */

static gboolean
judge_run (LcApproximateRun *run, GError **error)
{
  const guint64 measured = lc_approximator_get_measured_total (run->approximator);
  Trials trials = {0, 0, 0};
  guint64 total;
  gboolean keeps;

  if (!judge_choose_order (run, error))
    return FALSE;
  total = lc_approximator_get_total (run->approximator);
  if (!judge_try_all (run, total, &trials, error) || !judge_find_kept (run, total, &keeps, error))
    return FALSE;
  judge_set_interval (run, &trials, total, measured);
  if (keeps && !judge_keep (run, total, measured, error))
    return FALSE;
  if (!keeps)
    warn_of_slower (run->approximation, total, measured);
  if (!judge_has_kept_order (run->approximation)) /* then it has been said */
    warn_of_order (run->approximation, total, trials.other);
  warn_of_kernel (run);
  warn_of_cold (run);
  warn_of_density (run);
  return TRUE;
}

gboolean
lc_approximate_judge (LcApproximateRun *run, GError **error)
{
  if (!judge_can_try (run))
    return TRUE;
  if (run->options->n_scales > 0)
    return judge_what_if (run, error);
  return run->options->keep_measurement || judge_run (run, error);
}
