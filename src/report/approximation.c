/* SPDX-License-Identifier: Apache-2.0 */
/* What an approximation has found. Its keys and columns must never change. */
#include "report/approximation.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/facts.h"
#include "report/lost.h"
#include "report/output.h"
#include "trace/quantities.h"

/* Returns NAN if the approximated time is 0. */
static double
approximation_get_ratio (const LcApproximation *approximation)
{
  if (approximation->approximated_total == 0)
    return NAN;
  return (double)approximation->measured_total / (double)approximation->approximated_total;
}

/* --- Processes ----------------------------------------------------------------------------------------------- */

static const LcRowsColumn process_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"measured_begin", NULL, LC_CELL_TIME},
    {"measured_end", N_ ("Measured end"), LC_CELL_TIME},
    {"measured_waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"measured_percent", N_ ("Share"), LC_CELL_PERCENT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"removed", N_ ("Removed"), LC_CELL_TIME},
    {"events", NULL, LC_CELL_COUNT},
    {"moved", NULL, LC_CELL_COUNT},
    {"gained", NULL, LC_CELL_COUNT},
    {"lost", NULL, LC_CELL_COUNT},
    {"reordered", NULL, LC_CELL_COUNT},
    {"clamped", NULL, LC_CELL_COUNT},
    {"preempted", NULL, LC_CELL_COUNT},
};

static void
approximation_add_process (const LcApproximationShow *show, LcRows *rows, const LcApproximatedProcess *process)
{
  lc_rows_add_count (rows, process->process);
  lc_rows_add_text (rows, lc_names_process (show->names, process->process));
  lc_rows_add_count (rows, process->measured_begin);
  lc_rows_add_count (rows, process->measured_end);
  lc_rows_add_count (rows, process->measured_waiting);
  lc_rows_add_percent (rows, process->measured_waiting, process->measured_end - process->measured_begin);
  lc_rows_add_count (rows, process->begin);
  lc_rows_add_count (rows, process->end);
  lc_rows_add_count (rows, process->waiting);
  lc_rows_add_percent (rows, process->waiting, process->end - process->begin);
  lc_rows_add_count (rows, process->removed);
  lc_rows_add_count (rows, process->events);
  lc_rows_add_count (rows, process->moved);
  lc_rows_add_count (rows, process->gained);
  lc_rows_add_count (rows, process->lost);
  lc_rows_add_count (rows, process->reordered);
  lc_rows_add_count (rows, process->clamped);
  lc_rows_add_count (rows, process->preempted);
}

static void
approximation_show_processes (const LcApproximationShow *show, LcJson *json)
{
  const GArray *processes = show->approximation->processes;
  LcRows *rows = lc_rows_begin (show->json ? LC_FORMAT_JSON : LC_FORMAT_TEXT, process_columns,
                                G_N_ELEMENTS (process_columns), json, "processes");

  for (guint i = 0; i < processes->len; i++)
    approximation_add_process (show, rows, &g_array_index (processes, LcApproximatedProcess, i));
  lc_rows_end (rows, 0);
}

/* --- Decisions taken again ---------------------------------------------------------------------------------------- */

static const LcRowsColumn decided_columns[] = {
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Decided again"), LC_CELL_TEXT},
    {"work", NULL, LC_CELL_BOOLEAN},
    {"decisions", N_ ("Decisions"), LC_CELL_COUNT},
    {"changed", N_ ("Changed"), LC_CELL_COUNT},
    {"kept", N_ ("Kept"), LC_CELL_BOOLEAN},
};

/* Objects of which people are told; programs are told of all. */
#define MOST_DECIDED 10

/* What changed most comes first. */
static int
approximation_compare_decided (gconstpointer a, gconstpointer b)
{
  const LcDecided *left = a, *right = b;

  if (left->changed != right->changed)
    return left->changed < right->changed ? 1 : -1;
  if (left->decisions != right->decisions)
    return left->decisions < right->decisions ? 1 : -1;
  return (left->object > right->object) - (left->object < right->object);
}

static GArray *
approximation_choose_decided (const LcApproximationShow *show)
{
  const GArray *all = show->approximation->decided;
  GArray *decided = g_array_new (FALSE, FALSE, sizeof (LcDecided));

  if (all != NULL)
    g_array_append_vals (decided, all->data, all->len);
  if (show->json)
    return decided;
  g_array_sort (decided, approximation_compare_decided);
  g_array_set_size (decided, MIN (decided->len, MOST_DECIDED));
  return decided;
}

static void
show_decided (const LcApproximationShow *show, LcJson *json)
{
  g_autoptr (GArray) decided = approximation_choose_decided (show);
  const guint n = show->approximation->decided != NULL ? show->approximation->decided->len : 0;
  LcRows *rows;

  if (!show->json && n == 0)
    return;
  rows = lc_rows_begin (show->json ? LC_FORMAT_JSON : LC_FORMAT_TEXT, decided_columns, G_N_ELEMENTS (decided_columns),
                        json, "decided");
  for (guint i = 0; i < decided->len; i++)
    {
      const LcDecided *one = &g_array_index (decided, LcDecided, i);

      lc_rows_add_count (rows, one->object);
      lc_rows_add_text (rows, lc_names_object (show->names, one->object));
      lc_rows_add_boolean (rows, one->work, _ ("hands out work"));
      lc_rows_add_count (rows, one->decisions);
      lc_rows_add_count (rows, one->changed);
      lc_rows_add_boolean (rows, one->kept, _ ("as measured: it could have led to a deadlock"));
    }
  lc_rows_end (rows, 0);
  if (n > decided->len)
    {
      g_autofree char *left = lc_format_count (n - decided->len);

      g_print (_ ("  ... and %s more, of which less changed (--json tells of all)\n"), left);
    }
}

/* --- Warnings ------------------------------------------------------------------------------------------------ */

void
lc_approximation_show_warnings (const LcApproximation *approximation, LcJson *json)
{
  guint n = approximation->warnings != NULL ? approximation->warnings->len : 0;

  if (json != NULL)
    lc_json_begin_array (json, "warnings");
  for (guint i = 0; i < n; i++)
    {
      const char *warning = approximation->warnings->pdata[i];
      g_autofree char *printable = lc_format_text (warning);

      if (json != NULL)
        lc_json_add_string (json, NULL, warning);
      else
        {
          g_print ("%s", i == 0 ? "\n" : "");
          g_print (_ ("Warning: %s\n"), printable);
        }
    }
  if (json != NULL)
    lc_json_end_array (json);
}

/* --- The whole output --------------------------------------------------------------------------------------------- */

static char *
describe_moved (const LcApproximation *approximation)
{
  g_autofree char *moved = lc_format_count (approximation->moved);
  g_autofree char *events = lc_format_count (approximation->events);

  return g_strdup_printf (_ ("%s of %s events"), moved, events);
}

static char *
describe_model (const LcApproximation *approximation)
{
  const char *name = lc_model_get_name (approximation->model);

  if (!approximation->chosen)
    return g_strdup (name);
  if (approximation->model == LC_MODEL_LIBERAL)
    return g_strdup_printf (_ ("%s, as time decides who gets something next"), name);
  if (approximation->in_time)
    return g_strdup_printf (_ ("%s, as another order is further off than recording can have made it"), name);
  return g_strdup_printf (_ ("%s, as the order of events is fixed"), name);
}

/* Tells the total and its interval, if that is known. */
static char *
describe_total (const LcApproximation *approximation)
{
  g_autofree char *total = lc_format_duration (approximation->approximated_total), *low = NULL, *high = NULL;

  if (approximation->low == LC_TRACE_UNKNOWN || (approximation->low == approximation->high && !approximation->kept))
    return g_steal_pointer (&total);
  low = lc_format_duration (approximation->low);
  high = lc_format_duration (approximation->high);
  return g_strdup_printf (approximation->kept ? _ ("%s (%s to %s), the measured run is kept") : _ ("%s (%s to %s)"),
                          total, low, high);
}

GPtrArray *
lc_approximation_list_facts (const LcApproximation *approximation)
{
  GPtrArray *facts = lc_facts_new ();
  double ratio = approximation_get_ratio (approximation);

  lc_facts_take (facts, _ ("Model"), describe_model (approximation));
  lc_facts_take (facts, _ ("Measured"), lc_format_duration (approximation->measured_total));
  lc_facts_take (facts, _ ("Approximated"), describe_total (approximation));
  lc_facts_take (facts, _ ("Measured / approximated"), isfinite (ratio) ? g_strdup_printf ("%.2f", ratio) : NULL);
  lc_facts_take (facts, _ ("Instrumentation removed"), lc_format_duration (approximation->removed));
  if (approximation->costs->removes_preemption)
    lc_facts_take (facts, _ ("Preemption removed"), lc_format_duration (approximation->preempted));
  lc_facts_take (facts, _ ("Moved"), describe_moved (approximation));
  lc_facts_take (facts, _ ("Wait longer"), lc_format_count (approximation->gained));
  lc_facts_take (facts, _ ("Wait shorter"), lc_format_count (approximation->lost));
  lc_facts_take (facts, _ ("In another order"), lc_format_count (approximation->reordered));
  if (approximation->clamped > 0)
    lc_facts_take (facts, _ ("Less time than instrumentation"), lc_format_count (approximation->clamped));
  return facts;
}

static void
approximation_print_summary (const LcApproximation *approximation)
{
  g_autoptr (GPtrArray) facts = lc_approximation_list_facts (approximation);
  g_autofree char *name = lc_format_text (approximation->name), *lines = lc_facts_render (facts, FALSE);

  g_print (_ ("Approximated run, timeline %s\n\n%s"), name, lines);
}

static void
approximation_add_number (LcJson *json, const char *key, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (number))
    lc_json_add_number (json, key, g_ascii_formatd (text, sizeof text, "%.6f", number));
  else
    lc_json_add_null (json, key);
}

static void
approximation_add_limit (LcJson *json, const char *key, guint64 limit)
{
  if (limit == LC_TRACE_UNKNOWN)
    lc_json_add_null (json, key);
  else
    lc_json_add_count (json, key, limit);
}

void
lc_approximation_add_limits (const LcApproximation *approximation, LcJson *json)
{
  approximation_add_limit (json, "low", approximation->low);
  approximation_add_limit (json, "high", approximation->high);
}

static void
approximation_add_summary (const LcApproximationShow *show, LcJson *json)
{
  const LcApproximation *approximation = show->approximation;

  lc_json_add_string (json, "timeline", approximation->name);
  lc_json_add_string (json, "model", lc_model_get_name (approximation->model));
  lc_json_add_boolean (json, "chosen", approximation->chosen);
  lc_json_add_boolean (json, "kept", approximation->kept);
  lc_json_add_count (json, "measured_total", approximation->measured_total);
  lc_json_add_count (json, "approximated_total", approximation->approximated_total);
  lc_approximation_add_limits (approximation, json);
  approximation_add_number (json, "ratio", approximation_get_ratio (approximation));
  lc_json_add_count (json, "removed", approximation->removed);
  lc_json_add_count (json, "preempted", approximation->preempted);
  lc_json_add_count (json, "events", approximation->events);
  lc_json_add_count (json, "moved", approximation->moved);
  lc_json_add_count (json, "gained", approximation->gained);
  lc_json_add_count (json, "lost", approximation->lost);
  lc_json_add_count (json, "reordered", approximation->reordered);
  lc_json_add_count (json, "clamped", approximation->clamped);
  lc_lost_add_json (json, show->history);
}

static void
approximation_show_json (const LcApproximationShow *show)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;

  lc_json_begin_object (&json, NULL);
  approximation_add_summary (show, &json);
  approximation_show_processes (show, &json);
  lc_approximation_show_costs (show, &json);
  show_decided (show, &json);
  lc_approximation_show_warnings (show->approximation, &json);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  lc_output_write (text, -1);
}

void
lc_approximation_show (const LcApproximationShow *show)
{
  if (show->json)
    {
      approximation_show_json (show);
      return;
    }
  approximation_print_summary (show->approximation);
  lc_lost_print (show->history);
  approximation_show_processes (show, NULL);
  lc_approximation_show_costs (show, NULL);
  show_decided (show, NULL);
  lc_approximation_show_warnings (show->approximation, NULL);
}
