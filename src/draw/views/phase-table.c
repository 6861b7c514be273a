/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the views of phases: an amount of time for each process and phase that is shown. */
#include "phase-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "lightcone/statistics.h"
#include "trace/quantities.h"

/* A scale ends at the amount that MOST of the amounts do not exceed, if the largest is more than FAR times as large and
 * there are at least MANY; else at the largest. */
#define FAR 2.0
#define MOST 0.99
#define MANY 100

struct _LcPhaseTable
{
  const LcViewContext *context;
  GArray *all; /* LcPhaseStatistics by phase and process */
  guint32 n_processes;
  guint first; /* index of the first phase that is shown */
  guint n_phases;
  const char **phase_names;
  const char **row_names;
};

const LcAmount lc_phase_amounts[LC_PHASE_MEASURES] = {
    [LC_PHASE_TRANSFER] = {"transfer", N_ ("Transfer"), LC_AMOUNT_TIME},
    [LC_PHASE_WAITING] = {"waiting", N_ ("Waiting"), LC_AMOUNT_TIME},
    [LC_PHASE_COMMUNICATION] = {"communication", N_ ("Communication"), LC_AMOUNT_TIME},
    [LC_PHASE_COMPUTING] = {"computing", N_ ("Computing"), LC_AMOUNT_TIME},
};

gboolean
lc_phase_measure_parse (const char *name, LcPhaseMeasure *measure, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < LC_PHASE_MEASURES; i++)
    {
      *measure = (LcPhaseMeasure)i;
      if (name == NULL || strcmp (lc_phase_amounts[i].measure, name) == 0)
        return TRUE;
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", lc_phase_amounts[i].measure);
    }
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION,
               _ ("“%s” is nothing that phases are measured by, only: %s"), name, names->str);
  return FALSE;
}

const char *
lc_phase_measure_get_title (LcPhaseMeasure measure)
{
  return _ (lc_phase_amounts[measure].title);
}

/* --- The table -----------------------------------------------------------------------------------------------------
 */

static const LcPhaseStatistics *
phase_table_get (const LcPhaseTable *table, guint row, guint phase)
{
  guint32 process = table->context->options.selection.processes[row];

  return &g_array_index (table->all, LcPhaseStatistics, (gsize)(table->first + phase) * table->n_processes + process);
}

LcPhaseTable *
lc_phase_table_new (const LcViewContext *context, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcPhaseTable) table = g_new0 (LcPhaseTable, 1);
  const LcPictureOptions *options = &context->options;

  table->context = context;
  table->n_processes = lc_history_get_n_processes (context->history);
  table->all = lc_statistics_phases (context->history, options->timelines[0], context->phases, cancellable, error);
  if (table->all == NULL)
    return NULL;
  table->first = lc_phases_has_generations (context->phases) ? 0 : 1;
  table->n_phases = lc_phases_get_n (context->phases) - table->first;
  table->phase_names = g_new0 (const char *, table->n_phases);
  for (guint i = 0; i < table->n_phases; i++)
    table->phase_names[i] = lc_phase_get_title (lc_phases_get (context->phases, table->first + i));
  table->row_names = g_new0 (const char *, options->selection.n_processes + 1);
  for (guint i = 0; i < options->selection.n_processes; i++)
    table->row_names[i] = lc_names_process (context->names, options->selection.processes[i]);
  return g_steal_pointer (&table);
}

void
lc_phase_table_free (LcPhaseTable *table)
{
  if (table == NULL)
    return;
  g_clear_pointer (&table->all, g_array_unref);
  g_free (table->phase_names);
  g_free (table->row_names);
  g_free (table);
}

guint
lc_phase_table_get_n_phases (const LcPhaseTable *table)
{
  return table->n_phases;
}

const LcPhase *
lc_phase_table_get_phase (const LcPhaseTable *table, guint phase)
{
  return lc_phases_get (table->context->phases, table->first + phase);
}

guint
lc_phase_table_get_n_rows (const LcPhaseTable *table)
{
  return table->context->options.selection.n_processes;
}

const char *const *
lc_phase_table_get_phase_names (const LcPhaseTable *table)
{
  return table->phase_names;
}

const char *const *
lc_phase_table_get_row_names (const LcPhaseTable *table)
{
  return table->row_names;
}

static guint64
measure_of (const LcPhaseStatistics *row, LcPhaseMeasure measure)
{
  switch (measure)
    {
    case LC_PHASE_WAITING:
      return row->waiting;
    case LC_PHASE_COMMUNICATION:
      return row->communication;
    case LC_PHASE_COMPUTING:
      return row->computing;
    case LC_PHASE_TRANSFER:
    case LC_PHASE_MEASURES:
    default:
      return row->transfer;
    }
}

guint64
lc_phase_table_get (const LcPhaseTable *table, LcPhaseMeasure measure, guint row, guint phase)
{
  return measure_of (phase_table_get (table, row, phase), measure);
}

guint64
lc_phase_table_get_events (const LcPhaseTable *table, guint row, guint phase)
{
  return phase_table_get (table, row, phase)->events;
}

char *
lc_phase_table_dup_title (const LcPhaseTable *table)
{
  return g_strdup_printf (_ ("Phase (by %s)"), lc_phases_get_definition (table->context->phases));
}

/* --- Scales --------------------------------------------------------------------------------------------------------
 */

static int
compare_amounts (gconstpointer a, gconstpointer b)
{
  guint64 of_a = *(const guint64 *)a, of_b = *(const guint64 *)b;

  return of_a < of_b ? -1 : of_a > of_b;
}

guint64
lc_phase_limit_find (GArray *amounts, guint64 *highest, guint *n_above)
{
  guint64 limit;
  guint last = amounts->len;

  *highest = 0;
  *n_above = 0;
  if (last == 0)
    return 1;
  g_array_sort (amounts, compare_amounts);
  *highest = g_array_index (amounts, guint64, last - 1);
  limit = g_array_index (amounts, guint64, (guint)((last - 1) * MOST));
  if (amounts->len < MANY || (double)*highest <= FAR * (double)limit || limit == 0)
    limit = *highest;
  for (; last > 0 && g_array_index (amounts, guint64, last - 1) > limit; last--)
    ++*n_above;
  return MAX (limit, 1);
}

guint64
lc_phase_table_find_limit (const LcPhaseTable *table, LcPhaseMeasure measure, guint64 *highest, guint *n_above)
{
  g_autoptr (GArray) amounts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint row = 0; row < lc_phase_table_get_n_rows (table); row++)
    for (guint phase = 0; phase < table->n_phases; phase++)
      {
        const LcPhaseStatistics *statistics = phase_table_get (table, row, phase);
        guint64 amount = measure_of (statistics, measure);

        if (statistics->events > 0)
          g_array_append_val (amounts, amount);
      }
  return lc_phase_limit_find (amounts, highest, n_above);
}

/* --- Texts ---------------------------------------------------------------------------------------------------------
 */

void
lc_phase_limit_add_note (LcFrame *frame, guint64 highest, guint n_above)
{
  g_autofree char *largest = lc_format_duration (highest), *count = lc_format_count (n_above);
  g_autofree char *note = NULL;

  if (n_above == 0)
    return;
  note = g_strdup_printf (
      ngettext ("%s amount is larger than the scale: %s", "%s amounts are larger than the scale: up to %s", n_above),
      count, largest);
  lc_frame_add_note (frame, note);
}

void
lc_phase_table_add_notes (const LcPhaseTable *table, LcFrame *frame)
{
  guint64 behind = lc_phases_get_n_behind (table->context->phases);

  if (table->first > 0 && lc_phases_get (table->context->phases, 0)->events > 0)
    lc_frame_add_note (frame, _ ("What comes before the first phase is left out."));
  if (behind > 0)
    {
      g_autofree char *count = lc_format_count (behind);
      g_autofree char *note = g_strdup_printf (
          ngettext ("%s event would have begun a phase before the one that its process was in, and stays there.",
                    "%s events would have begun a phase before the one that their process was in, and stay there.",
                    (gulong)behind),
          count);

      lc_frame_add_note (frame, note);
    }
}

char *
lc_phase_table_dup_text (const LcPhaseTable *table, guint row, guint phase)
{
  const LcPhaseStatistics *statistics = phase_table_get (table, row, phase);
  g_autofree char *computing = lc_format_duration (statistics->computing);
  g_autofree char *waiting = lc_format_duration (statistics->waiting);
  g_autofree char *transfer = lc_format_duration (statistics->transfer);
  g_autofree char *preempted = lc_format_duration (statistics->preempted);
  g_autofree char *outside = lc_format_duration (statistics->outside);
  g_autofree char *events = lc_format_count (statistics->events);

  return g_strdup_printf (
      _ ("%s, phase %s\nComputing: %s\nWaiting: %s\nTransfer: %s\nPreempted: %s\nOutside: %s\nEvents: %s"),
      table->row_names[row], table->phase_names[phase], computing, waiting, transfer, preempted, outside, events);
}

char *
lc_phase_table_tell (const LcPhaseTable *table, LcPhaseMeasure measure)
{
  guint64 sum = 0, most = 0;
  guint at_row = 0, at_phase = 0;
  g_autofree char *total = NULL, *largest = NULL, *count = lc_format_count (table->n_phases);

  for (guint row = 0; row < lc_phase_table_get_n_rows (table); row++)
    for (guint phase = 0; phase < table->n_phases; phase++)
      {
        guint64 amount = lc_phase_table_get (table, measure, row, phase);

        sum += amount;
        if (amount <= most)
          continue;
        most = amount;
        at_row = row;
        at_phase = phase;
      }
  total = lc_format_duration (sum);
  largest = lc_format_duration (most);
  if (most == 0)
    return g_strdup_printf (_ ("%s took no time in %s phases."), lc_phase_measure_get_title (measure), count);
  return g_strdup_printf (_ ("%s took %s in %s phases, at most %s: of %s in phase %s."),
                          lc_phase_measure_get_title (measure), total, count, largest, table->row_names[at_row],
                          table->phase_names[at_phase]);
}
