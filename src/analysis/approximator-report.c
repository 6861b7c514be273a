/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the approximator's counts, and warns about costs that it would have needed. */
#include <glib/gi18n-lib.h>

#include "approximation-warning.h"
#include "approximator-private.h"

enum
{
  NAMED = 6, /* operations that a warning lists */
};

static inline guint64
approximator_report_since (guint64 ready, guint64 end)
{
  return end - MIN (end, ready);
}

guint64
lc_approximator_get_total (const LcApproximator *approximator)
{
  const guint64 ready = lc_trace_get_ready (approximator->trace);
  guint64 total = 0;

  for (guint32 i = 0; i < approximator->n_processes; i++)
    total = MAX (total, approximator_report_since (ready, approximator->processes[i].report.end));
  return total;
}

guint64
lc_approximator_get_measured_total (const LcApproximator *approximator)
{
  const guint64 ready = lc_trace_get_ready (approximator->trace);
  guint64 total = 0;

  for (guint32 i = 0; i < approximator->n_processes; i++)
    total = MAX (total, approximator_report_since (ready, approximator->processes[i].report.measured_end));
  return total;
}

double
lc_approximator_get_removed_share (const LcApproximator *approximator)
{
  guint64 active = 0, removed = 0;

  for (guint32 i = 0; i < approximator->n_processes; i++)
    {
      const LcApproximatedProcess *process = &approximator->processes[i].report;
      const guint64 lived = process->measured_end - MIN (process->measured_begin, process->measured_end);

      active += lived - MIN (lived, process->measured_waiting);
      removed += process->removed;
    }
  return active > 0 ? (double)removed / (double)active : 0;
}

static void
approximator_report_add_process (const LcApproximatorProcess *process, guint64 ready, LcApproximation *approximation)
{
  const LcApproximatedProcess *report = &process->report;

  g_array_append_val (approximation->processes, *report);
  approximation->measured_total =
      MAX (approximation->measured_total, approximator_report_since (ready, report->measured_end));
  approximation->approximated_total =
      MAX (approximation->approximated_total, approximator_report_since (ready, report->end));
  approximation->events += report->events;
  approximation->moved += report->moved;
  approximation->gained += report->gained;
  approximation->lost += report->lost;
  approximation->reordered += report->reordered;
  approximation->clamped += report->clamped;
  approximation->removed += report->removed;
  approximation->preempted += report->preempted;
}

/* --- Warnings ---------------------------------------------------------------------------------------------- */

typedef gboolean (*IsMeant) (const LcApproximator *approximator, guint32 operation);

static gboolean
is_overhead_known (const LcApproximator *approximator, guint32 operation)
{
  return approximator->costs->operations[operation].before.source != LC_COST_UNKNOWN;
}

static gboolean
lacks_overhead (const LcApproximator *approximator, guint32 operation)
{
  return approximator->operations[operation].events > 0 && !is_overhead_known (approximator, operation);
}

static gboolean
lacks_cost (const LcApproximator *approximator, guint32 operation)
{
  return approximator->operations[operation].lacked > 0;
}

/* Returns "await, lock and 3 more", or NULL. */
static char *
list_operations (const LcApproximator *approximator, IsMeant is_meant)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (guint32 i = 0; i < approximator->n_operations; i++)
    if (is_meant (approximator, i) && ++n <= NAMED)
      g_string_append_printf (list, "%s%s", n > 1 ? ", " : "", lc_trace_get_operation (approximator->trace, i)->name);
  if (n > NAMED)
    return g_strdup_printf (_ ("%s and %u more"), list->str, n - NAMED);
  return n > 0 ? g_strdup (list->str) : NULL;
}

static void
warn_of_overhead (const LcApproximator *approximator, LcApproximation *approximation)
{
  g_autofree char *list = list_operations (approximator, lacks_overhead);
  gboolean any = FALSE;

  for (guint32 i = 0; i < approximator->n_operations; i++)
    any |= is_overhead_known (approximator, i);
  if (list == NULL)
    return;
  if (any)
    lc_approximation_warn (
        approximation, "overhead",
        _ ("Nothing is known about what recording %s costs, so nothing was taken off: add them to [overhead] in "
           "trace.ini, or set overhead.OPERATION=BEFORE;INSIDE;AFTER"),
        list);
  else
    lc_approximation_warn (
        approximation, "overhead",
        _ ("Nothing is known about what the recording cost, so nothing was taken off: add [overhead] "
           "to trace.ini, or set overhead.*=BEFORE;INSIDE;AFTER"));
}

static void
warn_of_mpi (const LcApproximator *approximator, LcApproximation *approximation)
{
  GKeyFile *settings = lc_trace_get_settings (approximator->trace);
  g_autofree char *mpi = g_key_file_get_string (settings, "trace", "mpi", NULL);
  const LcCostSource source = approximator->costs->of_long.startup.source;

  if (mpi != NULL && (source == LC_COST_UNKNOWN || source == LC_COST_ESTIMATED))
    lc_approximation_warn (
        approximation, "mpi",
        _ ("Nothing is known about what MPI's messages take, and what recording MPI's calls cost here: run “lightcone "
           "calibrate --mpi %s” on this machine, and record again"),
        mpi);
}

static const char *
count_of (guint64 number, char **text)
{
  g_free (*text);
  *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
  return *text;
}

static void
warn_of_costs (const LcApproximator *approximator, LcApproximation *approximation)
{
  g_autofree char *count = NULL;
  g_autofree char *list = list_operations (approximator, lacks_cost);
  guint64 events = 0;

  for (guint32 i = 0; i < approximator->n_operations; i++)
    events += approximator->operations[i].lacked;
  if (list != NULL)
    lc_approximation_warn (
        approximation, "cost",
        _ ("Nothing is known about what waiting, or not having to wait, costs in %s events (%s), so it counts as "
           "nothing: add it to [cost] in trace.ini, or set "
           "cost.OPERATION=NOWAIT;WAIT"),
        count_of (events, &count), list);
  if (approximator->lacked_copies > 0)
    lc_approximation_warn (
        approximation, "copy",
        _ ("Nothing is known about what copying a message costs, so it counts as nothing in %s receives: add copy to "
           "[cost] in trace.ini, or set cost.copy=NS"),
        count_of (approximator->lacked_copies, &count));
  if (approximator->lacked_messages > 0)
    lc_approximation_warn (
        approximation, "messages",
        _ ("Nothing is known about what messages take, so %s of them take as long as they can have taken: add "
           "[communication] to trace.ini, or set "
           "communication.long=STARTUP;PER_BYTE;PER_HOP"),
        count_of (approximator->lacked_messages, &count));
}

/* There are operations of names as "put" that a program's functions have, too. */
static void
warn_of_scaled_operations (const LcApproximator *approximator, LcApproximation *approximation)
{
  for (guint32 i = 0; i < approximator->n_operations; i++)
    if (approximator->operations[i].factor != 1 && approximator->operations[i].events == 0)
      {
        const char *name = lc_trace_get_operation (approximator->trace, i)->name;

        lc_approximation_warn (approximation, "operation",
                               _ ("The run has no event of operation %s; a function is called “function %s” here"),
                               name, name);
      }
}

static void
warn_of_place (const LcTimedPlace *timed, LcApproximation *approximation)
{
  g_autofree char *name = lc_scaled_place_dup_text (timed->place), *unknown = NULL, *events = NULL;

  if (timed->unknown > 0)
    lc_approximation_warn (
        approximation, "place",
        _ ("%s: of %s of %s events only the call was recorded, not whether it is there, so they count as elsewhere: "
           "record with --stacks all"),
        name, count_of (timed->unknown, &unknown), count_of (timed->events, &events));
  if (timed->intervals == 0)
    lc_approximation_warn (approximation, "gap", _ ("%s: no two events in a row have the time between them there"),
                           name);
}

static void
warn_of_preemption (const LcApproximator *approximator, LcApproximation *approximation)
{
  const guint unknown = approximator->preemption != NULL ? lc_preemption_count_unknown (approximator->preemption) : 0;

  if (unknown > 0)
    lc_approximation_warn (approximation, "preemption",
                           ngettext ("When %u process had no processor was not recorded, so nothing of that was taken "
                                     "off it: lightcone info says why",
                                     "When %u processes had no processor was not recorded, so nothing of that was "
                                     "taken off them: lightcone info says why",
                                     unknown),
                           unknown);
}

void
lc_approximator_report (const LcApproximator *approximator, LcApproximation *approximation)
{
  const guint64 ready = lc_trace_get_ready (approximator->trace);

  for (guint32 i = 0; i < approximator->n_processes; i++)
    approximator_report_add_process (&approximator->processes[i], ready, approximation);
  for (guint32 i = 0; i < approximator->n_operations; i++)
    if (approximator->operations[i].events > 0)
      g_array_append_val (approximation->operations, i);
  warn_of_mpi (approximator, approximation);
  if (!approximator->keeps_measurement)
    warn_of_overhead (approximator, approximation);
  if (approximator->model != LC_MODEL_TIME)
    warn_of_costs (approximator, approximation);
  warn_of_scaled_operations (approximator, approximation);
  warn_of_preemption (approximator, approximation);
  for (guint i = 0; i < approximator->n_places; i++)
    warn_of_place (&approximator->places[i], approximation);
}
