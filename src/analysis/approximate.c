/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a timeline of the run without its measurement: finds the costs, sweeps the trace once, and reports. */
#include "lightcone/approximate.h"

#include "approximator.h"
#include "redecide.h"
#include "scaled-place.h"
#include "trace/quantities.h"

#define TICK (G_TIME_SPAN_SECOND / 10)

static const char *const blind_names[] = {"preserve", "fifo", "lifo"};

/* --- The run ----------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcApproximateOptions *options;
  LcHistory *history;
  LcTrace *trace;
  LcRules *rules;
  LcRedecide *redecide; /* NULL: no decision of the run is taken again */
  LcApproximation *approximation;
  LcTimelineWriter *writer; /* writes the timeline of the present sweep */
  LcApproximator *approximator;
  guint64 total; /* events that the trace seems to have */
  gint64 begun, told;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->approximator, lc_approximator_free);
  g_clear_pointer (&run->writer, lc_timeline_writer_free);
  g_clear_pointer (&run->redecide, lc_redecide_free);
  g_clear_pointer (&run->approximation, lc_approximation_free);
  g_clear_pointer (&run->rules, lc_rules_free);
  g_clear_pointer (&run->trace, lc_trace_free);
  g_clear_pointer (&run->history, lc_history_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static LcApproximation *
approximation_new (const LcApproximateOptions *options)
{
  LcApproximation *approximation = g_new0 (LcApproximation, 1);

  approximation->model = options->model;
  approximation->name = g_strdup (options->name != NULL ? options->name : lc_model_get_name (options->model));
  approximation->processes = g_array_new (FALSE, FALSE, sizeof (LcApproximatedProcess));
  approximation->operations = g_array_new (FALSE, FALSE, sizeof (guint32));
  approximation->decided = g_array_new (FALSE, FALSE, sizeof (LcDecided));
  approximation->warnings = g_ptr_array_new_with_free_func (g_free);
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
  g_free (approximation);
}

/* --- The parameters, as stored with the timeline ------------------------------------------------------------ */

static void
append_scale (GString *json, const LcScale *scale)
{
  static const char *const kinds[] = {"operation", "object", "region", "communication"};
  char factor[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (factor, sizeof factor, "%.15g", scale->factor);
  if (scale->kind == LC_SCALE_PLACE)
    {
      g_string_append_printf (json, "{\"kind\":\"%s\",\"name\":", lc_place_kind_get_name (scale->place->kind));
      lc_text_append_json (json, scale->place->name);
      g_string_append_printf (json, ",\"factor\":%s}", factor);
    }
  else
    g_string_append_printf (json, "{\"kind\":\"%s\",\"id\":%u,\"factor\":%s}", kinds[scale->kind], scale->id, factor);
}

static char *
dup_parameters (const Run *run)
{
  const LcApproximateOptions *options = run->options;
  g_autofree char *costs = lc_costs_dup_json (run->approximation->costs, run->trace);
  GString *json = g_string_new (NULL);

  g_string_append_printf (json, "{\"model\":\"%s\",\"blind\":\"%s\",\"keep_measurement\":%s,\"scales\":[",
                          lc_model_get_name (options->model), blind_names[options->blind],
                          options->keep_measurement ? "true" : "false");
  for (gsize i = 0; i < options->n_scales; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_scale (json, &options->scales[i]);
    }
  g_string_append_printf (json, "],\"costs\":%s}", costs);
  return g_string_free (json, FALSE);
}

/* --- The sweep --------------------------------------------------------------------------------------------- */

static gboolean
approximation_tell (Run *run, guint64 events, gint64 now)
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
  Run *run = data;
  const gint64 now = g_get_monotonic_time ();

  if (!lc_timeline_writer_can_write (run->writer) || g_cancellable_is_cancelled (run->options->cancellable))
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

static gboolean
approximation_prepare (Run *run, GError **error)
{
  LcApproximation *approximation = run->approximation;
  g_autofree char *parameters = dup_parameters (run);
  const LcTimelineDescription description = {.name = approximation->name,
                                             .model = lc_model_get_name (approximation->model),
                                             .parameters = parameters,
                                             .own = run->redecide != NULL};

  g_clear_pointer (&run->approximator, lc_approximator_free);
  g_clear_pointer (&run->writer, lc_timeline_writer_free);
  run->writer =
      lc_timeline_writer_new (lc_history_get_path (run->history), run->trace, run->rules, &description, error);
  if (run->writer == NULL)
    return FALSE;
  run->approximator = lc_approximator_new (run->trace, run->rules, approximation->costs, run->options, run->writer);
  return TRUE;
}

/* FALSE with G_IO_ERROR_WOULD_BLOCK: the decisions led into a deadlock, so the next sweep must decide less. */
static gboolean
approximation_sweep (Run *run, GError **error)
{
  LcRedecideClock clock = {approximation_get_begin, get_arrival, get_grant, is_barged, NULL};
  LcSweepDirector *director = NULL;
  LcSweepVisitor *visitors[] = {NULL, NULL};
  LcSweepResult swept;
  GError *local = NULL, *of_history = NULL;
  gboolean good;

  if (!approximation_prepare (run, error))
    return FALSE;
  visitors[0] = lc_approximator_get_visitor (run->approximator);
  clock.data = run->approximator;
  if (run->redecide != NULL)
    {
      director = lc_redecide_start (run->redecide, &clock, error);
      if (director == NULL)
        return FALSE;
    }
  good = lc_sweep_run_directed (run->trace, run->rules, director, visitors, approximation_go_on, run, &swept, &local);
  lc_sweep_result_clear (&swept);
  /* A sweep may stall because the history could not be read. That would happen again, so it is an error. */
  if (run->redecide != NULL && !lc_redecide_finish (run->redecide, &of_history))
    {
      g_propagate_error (error, of_history);
      g_clear_error (&local);
      return FALSE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return good;
}

/* If writing has failed, the sweep was cancelled because of that: then the writer's error is the one to report. */
static gboolean
write_timeline (Run *run, GError **error)
{
  g_autoptr (GError) local = NULL;

  while (!approximation_sweep (run, &local))
    {
      if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        {
          if (run->writer == NULL || lc_timeline_writer_can_write (run->writer))
            g_propagate_error (error, g_steal_pointer (&local));
          else if (lc_timeline_writer_commit (run->writer, &run->approximation->timeline, error))
            g_return_val_if_reached (FALSE);
          return FALSE;
        }
      g_clear_error (&local);
    }
  return lc_timeline_writer_commit (run->writer, &run->approximation->timeline, error);
}

/* --- All of it --------------------------------------------------------------------------------------------- */

static gboolean
approximation_open_all (Run *run, const char *directory, GError **error)
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
  return TRUE;
}

static gboolean
find_costs (Run *run, GError **error)
{
  LcApproximation *approximation = run->approximation;

  approximation->costs = lc_costs_new (run->trace, run->rules, run->options->settings, error);
  if (approximation->costs == NULL)
    return FALSE;
  return !lc_costs_need_estimate (approximation->costs, run->trace, run->rules) ||
         lc_costs_estimate (approximation->costs, run->trace, run->rules, run->options->cancellable, error);
}

static gboolean
find_decisions (Run *run, GError **error)
{
  const LcApproximateOptions *options = run->options;

  if (options->model != LC_MODEL_LIBERAL && options->blind == LC_BLIND_PRESERVE)
    return TRUE;
  run->redecide = lc_redecide_new (run->trace, run->rules, run->history, options->model, options->blind,
                                   options->cancellable, error);
  if (run->redecide == NULL)
    return FALSE;
  if (!lc_redecide_is_needed (run->redecide))
    {
      lc_redecide_report (run->redecide, run->approximation);
      g_clear_pointer (&run->redecide, lc_redecide_free);
    }
  return TRUE;
}

LcApproximation *
lc_approximate (const char *directory, const LcApproximateOptions *options, GError **error)
{
  g_auto (Run) run = {.options = options};

  g_return_val_if_fail (directory != NULL && options != NULL, NULL);
  run.approximation = approximation_new (options);
  if (!approximation_open_all (&run, directory, error) || !find_costs (&run, error) || !find_decisions (&run, error))
    return NULL;
  run.begun = g_get_monotonic_time ();
  if (!write_timeline (&run, error))
    return NULL;
  lc_approximator_report (run.approximator, run.approximation);
  if (run.redecide != NULL)
    lc_redecide_report (run.redecide, run.approximation);
  return g_steal_pointer (&run.approximation);
}
