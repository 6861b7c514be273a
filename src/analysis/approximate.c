/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a timeline of the run without its measurement: finds the costs, sweeps the trace once, and reports. */
#include "lightcone/approximate.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "approximate-private.h"
#include "lightcone/what-if.h"
#include "scaled-place.h"
#include "trace/json.h"

#define TICK (G_TIME_SPAN_SECOND / 10)

static const char *const blind_names[] = {"preserve", "fifo", "lifo"};

/* --- The run ----------------------------------------------------------------------------------------------- */

void
lc_approximate_run_init (LcApproximateRun *run, const LcApproximateOptions *options)
{
  *run = (LcApproximateRun){.options = options};
  for (guint i = 0; i < G_N_ELEMENTS (run->unscaled); i++)
    run->unscaled[i] = LC_TRACE_UNKNOWN;
}

void
lc_approximate_run_clear (LcApproximateRun *run)
{
  g_clear_pointer (&run->approximator, lc_approximator_free);
  g_clear_pointer (&run->writer, lc_timeline_writer_free);
  g_clear_pointer (&run->redecide, lc_redecide_free);
  g_clear_pointer (&run->approximation, lc_approximation_free);
  g_clear_pointer (&run->rules, lc_rules_free);
  g_clear_pointer (&run->trace, lc_trace_free);
  g_clear_pointer (&run->history, lc_history_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcApproximateRun, lc_approximate_run_clear)

LcApproximation *
lc_approximation_new (const LcApproximateOptions *options)
{
  LcApproximation *approximation = g_new0 (LcApproximation, 1);

  approximation->model = options->model;
  approximation->chosen = options->model == LC_MODEL_AUTO;
  approximation->low = approximation->high = approximation->unscaled = LC_TRACE_UNKNOWN;
  approximation->processes = g_array_new (FALSE, FALSE, sizeof (LcApproximatedProcess));
  approximation->operations = g_array_new (FALSE, FALSE, sizeof (guint32));
  approximation->decided = g_array_new (FALSE, FALSE, sizeof (LcDecided));
  approximation->warnings = g_ptr_array_new_with_free_func (g_free);
  approximation->warning_kinds = g_ptr_array_new ();
  return approximation;
}

void
lc_approximation_free (LcApproximation *approximation)
{
  if (approximation == NULL)
    return;
  g_free (approximation->name);
  g_clear_pointer (&approximation->costs, lc_costs_free);
  g_array_unref (approximation->processes);
  g_array_unref (approximation->operations);
  g_array_unref (approximation->decided);
  g_ptr_array_unref (approximation->warnings);
  g_ptr_array_unref (approximation->warning_kinds);
  g_free (approximation);
}

/* --- The parameters, as stored with the timeline ------------------------------------------------------------ */

static void
append_scale (LcJson *json, const LcScale *scale)
{
  static const char *const kinds[] = {"operation", "object", "region", "communication", NULL, "process"};

  lc_json_begin_object (json, NULL);
  lc_json_add_string (json, "kind",
                      scale->kind == LC_SCALE_PLACE ? lc_place_kind_get_name (scale->place->kind) : kinds[scale->kind]);
  if (scale->kind == LC_SCALE_PLACE)
    lc_json_add_string (json, "name", scale->place->name);
  else
    lc_json_add_count (json, "id", scale->id);
  if (scale->name != NULL)
    lc_json_add_string (json, "text", scale->name);
  lc_json_add_real (json, "factor", scale->factor);
  lc_json_end_object (json);
}

/* What the approximation has found out about itself; its costs are not in it. */
static void
append_judgement (LcJson *json, const LcApproximation *approximation)
{
  lc_json_add_boolean (json, "chosen", approximation->chosen);
  lc_json_add_boolean (json, "kept", approximation->kept);
  if (approximation->low != LC_TRACE_UNKNOWN)
    {
      lc_json_add_count (json, "low", approximation->low);
      lc_json_add_count (json, "high", approximation->high);
    }
  if (approximation->unscaled != LC_TRACE_UNKNOWN)
    lc_json_add_count (json, "unscaled", approximation->unscaled);
  lc_json_begin_array (json, "warnings");
  for (guint i = 0; i < approximation->warnings->len; i++)
    lc_json_add_string (json, NULL, approximation->warnings->pdata[i]);
  lc_json_end_array (json);
}

/* How the timeline is made comes before the judgement and after it. */
static void
approximate_append_way (LcJson *json, const LcApproximateRun *run)
{
  lc_json_add_string (json, "model", lc_model_get_name (run->approximation->model));
  lc_json_add_string (json, "blind", blind_names[run->options->blind]);
  lc_json_add_boolean (json, "keep_measurement", run->options->keep_measurement);
}

static void
approximate_append_amounts (LcJson *json, const LcApproximateRun *run)
{
  const LcApproximateOptions *options = run->options;
  g_autofree char *costs = lc_costs_dup_json (run->approximation->costs, run->trace);

  lc_json_begin_array (json, "scales");
  for (gsize i = 0; i < options->n_scales; i++)
    append_scale (json, &options->scales[i]);
  lc_json_end_array (json);
  lc_json_add_number (json, "costs", costs);
}

static char *
dup_parameters (const LcApproximateRun *run)
{
  LcJson json = LC_JSON_INIT_COMPACT ();

  lc_json_begin_object (&json, NULL);
  approximate_append_way (&json, run);
  append_judgement (&json, run->approximation);
  approximate_append_amounts (&json, run);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}

/* Whether a timeline has been made in the same way, whatever was found out about it. */
static gboolean
approximate_is_same_way (const LcApproximateRun *run, const char *parameters)
{
  LcJson begin = LC_JSON_INIT_COMPACT (), end = LC_JSON_INIT_COMPACT ();
  g_autofree char *head = NULL, *tail = NULL;

  lc_json_begin_object (&begin, NULL);
  approximate_append_way (&begin, run);
  lc_json_end_object (&begin);
  head = lc_json_finish (&begin);
  lc_json_begin_object (&end, NULL);
  approximate_append_amounts (&end, run);
  lc_json_end_object (&end);
  tail = lc_json_finish (&end);
  head[strlen (head) - 1] = ','; /* instead of its } */
  tail[0] = ',';
  return g_str_has_prefix (parameters, head) && g_str_has_suffix (parameters, tail);
}

/* --- The sweep --------------------------------------------------------------------------------------------- */

static gboolean
approximation_tell (LcApproximateRun *run, guint64 events, gint64 now)
{
  const double elapsed = (double)(now - run->begun) / G_TIME_SPAN_SECOND;
  LcMergeProgress report = {.events = events, .seconds_left = -1};

  report.fraction = run->total > 0 ? MIN (1, (double)events / (double)run->total) : 0;
  if (events > 0 && elapsed >= 0.3)
    report.seconds_left = elapsed / (double)events * (double)run->total * (1 - report.fraction);
  run->told = now;
  return run->options->report (&report, run->options->data);
}

static gboolean
approximation_go_on (guint64 events, gpointer data)
{
  LcApproximateRun *run = data;
  const gint64 now = g_get_monotonic_time ();

  if ((run->writer != NULL && !lc_timeline_writer_can_write (run->writer)) ||
      g_cancellable_is_cancelled (run->options->cancellable))
    return FALSE;
  return run->options->report == NULL || now - run->told < TICK || approximation_tell (run, events, now);
}

static guint64
approximation_get_begin (gpointer data, guint32 process)
{
  return lc_approximator_get_begin (data, process);
}

static guint64
get_arrival (gpointer data, guint32 from, guint32 to, guint64 bytes, guint64 sent)
{
  return lc_approximator_get_arrival (data, from, to, bytes, sent);
}

static guint64
get_grant (gpointer data, guint32 process, const LcSweepNext *given, guint32 giver)
{
  return lc_approximator_get_grant (data, process, given, giver);
}

static gboolean
is_barged (gpointer data, guint32 operation)
{
  return lc_approximator_is_barged (data, operation);
}

/* Whether decisions are taken again in this way; where nothing is taken off they stay as they were. */
static gboolean
approximate_is_directed (const LcApproximateRun *run, const LcApproximateWay *way)
{
  return run->redecide != NULL && lc_redecide_is_needed (run->redecide) && !way->keeps &&
         (way->model == LC_MODEL_LIBERAL || run->options->blind != LC_BLIND_PRESERVE);
}

static LcTimelineWriter *
approximate_open_writer (LcApproximateRun *run, const LcApproximateWay *way, GError **error)
{
  const LcApproximation *approximation = run->approximation;
  const LcTimelineDescription description = {.name = approximation->name,
                                             .model = lc_model_get_name (approximation->model),
                                             .own = approximate_is_directed (run, way)};

  return lc_timeline_writer_new (lc_history_get_path (run->history), run->trace, run->rules, &description, error);
}

static LcApproximator *
approximate_new_approximator (LcApproximateRun *run, const LcApproximateWay *way, LcTimelineWriter *writer)
{
  LcApproximateOptions options = *run->options;
  LcApproximator *approximator;

  options.model = way->model;
  options.keep_measurement |= way->keeps;
  options.n_scales = way->is_plain ? 0 : options.n_scales;
  approximator = lc_approximator_new (run->trace, run->rules, run->approximation->costs, &options, writer);
  lc_approximator_set_spread (approximator, way->spread);
  return approximator;
}

/* FALSE with G_IO_ERROR_WOULD_BLOCK: the decisions led into a deadlock, so the next sweep must decide less. */
static gboolean
approximation_sweep (LcApproximateRun *run, LcApproximator *approximator, gboolean is_directed, GError **error)
{
  const LcRedecideClock clock = {approximation_get_begin, get_arrival, get_grant, is_barged, approximator};
  LcSweepVisitor *const visitors[] = {lc_approximator_get_visitor (approximator), NULL};
  LcSweepDirector *director = NULL;
  LcSweepResult swept;
  GError *local = NULL, *of_history = NULL;
  gboolean good;

  if (is_directed)
    {
      director = lc_redecide_start (run->redecide, &clock, error);
      if (director == NULL)
        return FALSE;
    }
  good = lc_sweep_run_directed (run->trace, run->rules, director, visitors, approximation_go_on, run, &swept, &local);
  lc_sweep_result_clear (&swept);
  /* A sweep may stall because the history could not be read. That would happen again, so it is an error. */
  if (is_directed && !lc_redecide_finish (run->redecide, &of_history))
    {
      g_propagate_error (error, of_history);
      g_clear_error (&local);
      return FALSE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return good;
}

LcApproximator *
lc_approximate_try (LcApproximateRun *run, const LcApproximateWay *way, GError **error)
{
  const gboolean is_directed = approximate_is_directed (run, way);
  g_autoptr (GError) local = NULL;

  for (;;)
    {
      g_autoptr (LcApproximator) approximator = approximate_new_approximator (run, way, NULL);

      if (approximation_sweep (run, approximator, is_directed, &local))
        return g_steal_pointer (&approximator);
      if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      run->was_stuck = TRUE;
      g_clear_error (&local);
    }
}

/* If writing has failed, the sweep was cancelled because of that: then the writer's error is the one to report. */
static gboolean
approximate_fail (LcApproximateRun *run, GError *local, GError **error)
{
  if (run->writer == NULL || lc_timeline_writer_can_write (run->writer))
    g_propagate_error (error, local);
  else
    {
      g_error_free (local);
      if (lc_timeline_writer_commit (run->writer, &run->approximation->timeline, error))
        g_return_val_if_reached (FALSE);
    }
  return FALSE;
}

gboolean
lc_approximate_write (LcApproximateRun *run, const LcApproximateWay *way, GError **error)
{
  const gboolean is_directed = approximate_is_directed (run, way);
  GError *local = NULL;

  if (run->is_trial)
    {
      g_clear_pointer (&run->approximator, lc_approximator_free);
      run->approximator = lc_approximate_try (run, way, error);
      return run->approximator != NULL;
    }
  for (;;)
    {
      g_clear_pointer (&run->approximator, lc_approximator_free);
      g_clear_pointer (&run->writer, lc_timeline_writer_free);
      run->writer = approximate_open_writer (run, way, error);
      if (run->writer == NULL)
        return FALSE;
      run->approximator = approximate_new_approximator (run, way, run->writer);
      if (approximation_sweep (run, run->approximator, is_directed, &local))
        return TRUE;
      if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        return approximate_fail (run, local, error);
      g_clear_error (&local);
    }
}

/* --- All of it --------------------------------------------------------------------------------------------- */

static gboolean
find_costs (LcApproximateRun *run, GError **error)
{
  LcApproximation *approximation = run->approximation;

  approximation->costs = lc_costs_new (run->trace, run->rules, run->options->settings, error);
  if (approximation->costs == NULL)
    return FALSE;
  return !lc_costs_need_estimate (approximation->costs, run->trace, run->rules) ||
         lc_costs_estimate (approximation->costs, run->trace, run->rules, run->options->cancellable, error);
}

gboolean
lc_approximate_open (LcApproximateRun *run, const char *directory, GError **error)
{
  const LcApproximateOptions *options = run->options;
  const LcMergeOptions merge = {
      .rules = options->rules, .report = options->report, .data = options->data, .cancellable = options->cancellable};

  run->history = lc_merge_open (directory, &merge, error);
  if (run->history == NULL)
    return FALSE;
  run->rules = lc_merge_load_rules (directory, options->rules, error);
  run->trace = run->rules != NULL ? lc_trace_open (directory, error) : NULL;
  if (run->trace == NULL || !lc_history_name_trace (run->history, run->trace, error))
    return FALSE;
  for (guint32 i = 0; i < lc_trace_get_n_processes (run->trace); i++)
    run->total += lc_trace_count_events (run->trace, i);
  return find_costs (run, error);
}

/* Whether the run has decisions that may be taken again, also to find out what they would change. */
static gboolean
approximate_may_decide (const LcApproximateOptions *options)
{
  if (options->model == LC_MODEL_TIME)
    return options->blind != LC_BLIND_PRESERVE;
  return options->model == LC_MODEL_LIBERAL || options->model == LC_MODEL_AUTO || options->blind != LC_BLIND_PRESERVE ||
         (options->model == LC_MODEL_EVENT && !options->keep_measurement && options->n_scales == 0);
}

static LcModel
approximate_get_survey_model (const LcApproximateOptions *options)
{
  const gboolean is_open = options->model == LC_MODEL_EVENT && options->blind == LC_BLIND_PRESERVE;

  return is_open || options->model == LC_MODEL_AUTO ? LC_MODEL_LIBERAL : options->model;
}

gboolean
lc_approximate_survey (LcApproximateRun *run, GError **error)
{
  const LcApproximateOptions *options = run->options;

  run->was_stuck = FALSE;
  g_clear_pointer (&run->redecide, lc_redecide_free);
  if (!approximate_may_decide (options))
    return TRUE;
  run->redecide = lc_redecide_new (run->trace, run->rules, run->history, approximate_get_survey_model (options),
                                   options->blind, options->cancellable, error);
  if (run->redecide == NULL)
    return FALSE;
  run->in_time = lc_redecide_depends_on_time (run->redecide);
  return TRUE;
}

static char *
approximate_dup_name (const LcApproximateRun *run)
{
  const LcApproximateOptions *options = run->options;

  if (options->name != NULL)
    return g_strdup (options->name);
  return options->n_scales > 0 ? lc_what_if_dup_name (options->scales, options->n_scales)
                               : g_strdup (lc_model_get_name (run->approximation->model));
}

void
lc_approximate_set_model (LcApproximateRun *run, LcModel model)
{
  run->approximation->model = model;
  g_free (run->approximation->name);
  run->approximation->name = approximate_dup_name (run);
}

void
lc_approximate_choose (LcApproximateRun *run)
{
  LcModel model = run->approximation->model;

  run->approximation->in_time = run->in_time;
  if (run->options->model == LC_MODEL_AUTO)
    model = run->in_time ? LC_MODEL_LIBERAL : LC_MODEL_EVENT;
  lc_approximate_set_model (run, model);
}

gboolean
lc_approximate_compute (LcApproximateRun *run, GError **error)
{
  const LcApproximateWay way = {run->approximation->model, LC_SPREAD_MIDDLE, FALSE, FALSE};
  const gboolean decides = way.model == LC_MODEL_LIBERAL || run->options->blind != LC_BLIND_PRESERVE;

  run->begun = g_get_monotonic_time ();
  if (!lc_approximate_write (run, &way, error))
    return FALSE;
  if (run->redecide != NULL && decides)
    lc_redecide_report (run->redecide, run->approximation);
  if (!lc_approximate_judge (run, error))
    return FALSE;
  lc_approximator_report (run->approximator, run->approximation);
  return TRUE;
}

/* A what-if must neither replace an approximation nor pass for one. */
static gboolean
approximate_check_name (const LcApproximateRun *run, GError **error)
{
  const char *name = run->approximation->name;
  g_autoptr (GPtrArray) timelines = NULL;
  LcModel model;

  if (run->options->n_scales == 0)
    return TRUE;
  timelines = lc_history_list_timelines (run->history, error);
  if (timelines == NULL)
    return FALSE;
  if (!lc_model_parse (name, &model) && lc_what_if_may_be_called (timelines, name))
    return TRUE;
  g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE,
               _ ("“%s” is the name of an approximation: a what-if needs another one"), name);
  return FALSE;
}

/* Finds a timeline of the same name that was made in the same way. FALSE without an error: there is none. */
static gboolean
approximate_find_made (LcApproximateRun *run, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (run->history, error);
  LcApproximation *approximation = run->approximation;

  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      if (timeline->parameters == NULL || strcmp (timeline->name, approximation->name) != 0 ||
          !approximate_is_same_way (run, timeline->parameters))
        continue;
      approximation->timeline = timeline->id;
      return TRUE;
    }
  return FALSE;
}

static gboolean
approximate_finish (LcApproximateRun *run, GError **error)
{
  g_autofree char *parameters = dup_parameters (run);

  lc_timeline_writer_set_parameters (run->writer, parameters);
  return lc_timeline_writer_commit (run->writer, &run->approximation->timeline, error);
}

static gboolean
approximate_make (LcApproximateRun *run, GError **error)
{
  if (!lc_approximate_survey (run, error))
    return FALSE;
  lc_approximate_choose (run);
  return approximate_check_name (run, error) && lc_approximate_compute (run, error) && approximate_finish (run, error);
}

LcApproximation *
lc_approximate (const char *directory, const LcApproximateOptions *options, GError **error)
{
  g_auto (LcApproximateRun) run = {0};
  gint64 begun = g_get_monotonic_time ();
  GError *local = NULL;

  g_return_val_if_fail (directory != NULL && options != NULL, NULL);
  g_return_val_if_fail (!options->reuse || options->model != LC_MODEL_AUTO, NULL);
  lc_approximate_run_init (&run, options);
  run.approximation = lc_approximation_new (options);
  if (!lc_approximate_open (&run, directory, error))
    return NULL;
  if (options->reuse)
    {
      lc_approximate_choose (&run);
      if (approximate_find_made (&run, &local))
        return g_steal_pointer (&run.approximation);
      g_clear_pointer (&run.approximation->name, g_free);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  if (!approximate_make (&run, error))
    return NULL;
  g_debug ("%s: timeline %s made in %.1f ms", directory, run.approximation->name,
           (double)(g_get_monotonic_time () - begun) / 1e3);
  return g_steal_pointer (&run.approximation);
}
