/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the costs of MPI's messages on this machine, and of recording MPI's operations. */
#include "measurement-mpi.h"

#include <string.h>

#include "lightcone/costs.h"

/* --- Messages -------------------------------------------------------------------------------------------------- */

static guint32
process_of_rank (const LcTrace *trace, guint32 rank)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    if (lc_trace_get_process (trace, i)->rank == rank)
      return i;
  return 0;
}

/* Only the shorter half is used, as for other operations, since it was not disturbed. */
static LcSpread
spread_of_messages (const LcWorkloadSeries *series, double ns_per_tick)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < series->head->count; i++)
    {
      double ns = (double)(series->pairs[i].after - series->pairs[i].before) * ns_per_tick / series->head->repeat;

      g_array_append_val (values, ns);
    }
  lc_spread_of (values);
  g_array_set_size (values, (values->len + 1) / 2);
  return lc_spread_of (values);
}

static void
measure_messages (LcMpiMeasurement *measurement, const LcWorkloadRuns *runs, const LcCosts *costs)
{
  const LcTrace *trace = runs->recorded.trace;
  const guint32 n_processes = lc_trace_get_n_processes (trace), first = process_of_rank (trace, 0);
  const double ns_per_tick = 1e9 / (double)lc_trace_get_frequency (trace);

  measurement->messages = g_array_new (FALSE, FALSE, sizeof (LcMpiMessages));
  for (guint i = 0; i < runs->bare.series->len; i++)
    {
      const LcWorkloadSeries *series = &g_array_index (runs->bare.series, LcWorkloadSeries, i);
      LcMpiMessages messages = {.bytes = series->head->bytes};

      if (series->head->kind != LC_STAMPS_MESSAGE || series->head->count == 0)
        continue;
      messages.hops = lc_costs_count_hops (costs, n_processes, first, process_of_rank (trace, series->head->peer));
      messages.ns = spread_of_messages (series, ns_per_tick);
      g_array_append_val (measurement->messages, messages);
    }
}

/* The cost of copying is that of a receive whose message is there already; it is limited so that both ends fit into the
 * time of the shortest message. */
static double
find_copy (const LcMpiMeasurement *measurement)
{
  const LcMeasurementRow *receive = lc_measurement_find (measurement->operations, "recv", "mpi");
  double copy = receive != NULL ? receive->cost.median : 0;

  for (guint i = 0; i < measurement->messages->len; i++)
    copy = MIN (copy, g_array_index (measurement->messages, LcMpiMessages, i).ns.median / 2);
  return copy;
}

static void
fit_messages (LcMpiMeasurement *measurement)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (LcMessageSample));
  const double copies = 2 * measurement->operations->copy;

  for (guint i = 0; i < measurement->messages->len; i++)
    {
      const LcMpiMessages *messages = &g_array_index (measurement->messages, LcMpiMessages, i);
      LcMessageSample sample = {messages->bytes, messages->hops, messages->ns.median};

      g_array_append_val (samples, sample);
    }
  measurement->fit = lc_message_fit (samples);
  measurement->fit.of_short.startup = MAX (0, measurement->fit.of_short.startup - copies);
  measurement->fit.of_long.startup = MAX (0, measurement->fit.of_long.startup - copies);
}

/* --- The whole measurement ---------------------------------------------------------------------------------------- */

LcMpiMeasurement *
lc_mpi_measurement_new (const LcWorkloadPlan *plan, const char *topology, GError **error)
{
  g_autofree char *setting = topology != NULL ? g_strconcat ("communication.topology=", topology, NULL) : NULL;
  const char *settings[] = {setting, NULL};
  g_autoptr (LcWorkloadRuns) runs = lc_workload_runs_new (plan, error);
  g_autoptr (LcMpiMeasurement) result = g_new0 (LcMpiMeasurement, 1);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcCosts) costs = runs != NULL ? lc_costs_new (runs->recorded.trace, rules, settings, error) : NULL;

  if (costs == NULL)
    return NULL;
  result->topology = g_strdup (topology != NULL ? topology : "none");
  result->operations = lc_measurement_of_runs (runs, error);
  if (result->operations == NULL)
    return NULL;
  measure_messages (result, runs, costs);
  result->operations->copy = find_copy (result);
  fit_messages (result);
  return g_steal_pointer (&result);
}

void
lc_mpi_measurement_free (LcMpiMeasurement *measurement)
{
  g_clear_pointer (&measurement->operations, lc_measurement_free);
  g_clear_pointer (&measurement->messages, g_array_unref);
  g_free (measurement->topology);
  g_free (measurement);
}

/* --- trace.ini ------------------------------------------------------------------------------------------------- */

/* Operations on the left cost as much to record as those on the right: they are another part of them, or do much the
 * same. */
static const struct
{
  const char *operation, *like;
} likes[] = {
    {"broadcast-recv", "broadcast-root"},
    {"reduce", "reduce-root"},
    {"scatter", "scatter-root"},
    {"gather", "gather-root"},
    {"communicator", "all-reduce"},
    {"fence", "barrier"},
    {"put", "isend"},
    {"get", "isend"},
    {"accumulate", "isend"},
    {"ibroadcast-root", "ibarrier"},
    {"ibroadcast-recv", "ibarrier"},
    {"iscatter-root", "ibarrier"},
    {"iscatter", "ibarrier"},
    {"ireduce", "ibarrier"},
    {"ireduce-root", "ibarrier"},
    {"igather", "ibarrier"},
    {"igather-root", "ibarrier"},
    {"iall-reduce", "ibarrier"},
    {"iall-gather", "ibarrier"},
    {"iall-to-all", "ibarrier"},
    {"ireduce-scatter", "ibarrier"},
    {"iscan", "ibarrier"},
    {"finish-local", "finish-all"},
    {"finish-from-root", "finish-all"},
    {"finish-at-root", "finish-all"},
    {"finish-failed", "test-failed"},
};

/* Of collective operations, the time of one member says nothing of the time that all of them take. */
static gboolean
has_cost (const char *operation)
{
  static const char *const names[] = {"send",     "ssend",       "isend", "recv",         "irecv",
                                      "complete", "test-failed", "probe", "probe-failed", "finish-all"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], operation) == 0)
      return TRUE;
  return FALSE;
}

static void
measurement_mpi_set_row (GKeyFile *file, const char *operation, const LcMeasurementRow *row)
{
  const double overhead[] = {row->before.median, row->inside.median, row->after.median};

  lc_measurement_set_numbers (file, "overhead", operation, overhead, 3);
  if (has_cost (row->operation))
    lc_measurement_set_numbers (file, "cost", operation, &row->cost.median, 1);
}

GKeyFile *
lc_mpi_measurement_to_key_file (const LcMpiMeasurement *measurement)
{
  const LcMessageFit *fit = &measurement->fit;
  const LcMessageLine *of_short = &fit->of_short, *of_long = &fit->of_long;
  const double short_numbers[] = {fit->short_below, of_short->startup, of_short->per_byte, of_short->per_hop};
  const double long_numbers[] = {of_long->startup, of_long->per_byte, of_long->per_hop};
  GKeyFile *file = g_key_file_new ();

  for (guint i = 0; i < measurement->operations->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->operations->rows, i);

      measurement_mpi_set_row (file, row->operation, row);
      for (gsize k = 0; k < G_N_ELEMENTS (likes); k++)
        if (strcmp (likes[k].like, row->operation) == 0)
          measurement_mpi_set_row (file, likes[k].operation, row);
    }
  lc_measurement_set_numbers (file, "cost", "copy", &measurement->operations->copy, 1);
  g_key_file_set_string (file, "communication", "model", "linear");
  g_key_file_set_string (file, "communication", "topology", measurement->topology);
  lc_measurement_set_numbers (file, "communication", "short", short_numbers, 4);
  lc_measurement_set_numbers (file, "communication", "long", long_numbers, 3);
  return file;
}
