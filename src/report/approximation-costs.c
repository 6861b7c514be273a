/* SPDX-License-Identifier: Apache-2.0 */
/* The costs that an approximation has used, and their sources. */
#include <glib/gi18n.h>
#include <math.h>

#include "report/approximation-costs.h"
#include "report/approximation.h"

/* The costs that the operations in the history make use of, beyond their own. */
typedef struct
{
  gboolean barriers;
  gboolean messages;
} Needs;

static void
add_used (GArray *used, const char *section, const char *key, const char *part, const char *label, const LcCost *cost)
{
  const LcUsedCost one = {section, key, part, label, cost};

  g_array_append_val (used, one);
}

/* What the trace shows of going on after waits, in the order of LcWaitLength. */
static void
add_wakes (GArray *used, const LcCosts *costs, guint32 operation, const char *key)
{
  static const char *const parts[] = {"wake_moment", "wake_short", "wake_long", "wake_longer"};
  static const char *const labels[] = {N_ ("after waiting up to 4 µs"), N_ ("after waiting up to 50 µs"),
                                       N_ ("after waiting up to 1 ms"), N_ ("after waiting longer")};

  for (guint i = 0; i < LC_WAIT_N_LENGTHS; i++)
    {
      const LcCost *cost = lc_costs_get_wake (costs, operation, LC_TRACE_NONE, (LcWaitLength)i);

      if (cost != NULL)
        add_used (used, "cost", key, parts[i], labels[i], cost);
    }
}

static void
add_waits (GArray *used, const LcOperationRule *rule, const LcOperationCosts *costs)
{
  if (rule->timing == LC_TIMING_RELEASE || lc_timing_completes (rule->timing))
    add_used (used, "cost", rule->name, "nowait", N_ ("without waiting"), &costs->nowait);
  if (rule->timing == LC_TIMING_RELEASE)
    add_used (used, "cost", rule->name, "wait", N_ ("after waiting"), &costs->wait);
}

static void
add_needs (Needs *needs, LcTiming timing)
{
  needs->barriers |= timing == LC_TIMING_BARRIER;
  needs->messages |= timing == LC_TIMING_RENDEZVOUS || lc_timing_is_message (timing);
}

static void
approximation_costs_add_messages (GArray *used, const char *key, const LcMessageCosts *costs)
{
  add_used (used, "communication", key, "startup", N_ ("startup"), &costs->startup);
  add_used (used, "communication", key, "per_byte", N_ ("per byte"), &costs->per_byte);
  add_used (used, "communication", key, "per_hop", N_ ("per hop"), &costs->per_hop);
}

GArray *
lc_used_costs_list (const LcCosts *costs, LcNames *names, const LcRules *rules, const GArray *operations,
                    gboolean to_set)
{
  GArray *used = g_array_new (FALSE, FALSE, sizeof (LcUsedCost));
  Needs needs = {FALSE, FALSE};

  for (guint i = 0; i < operations->len; i++)
    {
      guint32 operation = g_array_index (operations, guint32, i);
      const char *name = lc_names_operation (names, operation);
      const LcOperationRule *rule = name != NULL ? lc_rules_get_operation (rules, name) : NULL;

      if (rule == NULL || operation >= costs->n_operations)
        continue;
      add_needs (&needs, rule->timing);
      add_waits (used, rule, &costs->operations[operation]);
      if (!to_set)
        add_wakes (used, costs, operation, rule->name);
    }
  if (needs.barriers)
    add_used (used, "barrier", "beta", NULL, N_ ("each further one to leave"), &costs->beta);
  if (!needs.messages)
    return used;
  add_used (used, "cost", "copy", NULL, N_ ("copying a message"), &costs->copy);
  if (to_set || costs->short_below > 0)
    approximation_costs_add_messages (used, "short", &costs->of_short);
  approximation_costs_add_messages (used, "long", &costs->of_long);
  return used;
}

/* --- Instrumentation ----------------------------------------------------------------------------------------- */

GArray *
lc_used_costs_list_overheads (const LcCosts *costs, LcNames *names, const GArray *operations)
{
  GArray *used = g_array_new (FALSE, FALSE, sizeof (LcUsedCost));

  for (guint i = 0; i < operations->len; i++)
    {
      guint32 operation = g_array_index (operations, guint32, i);
      const char *name = lc_names_operation (names, operation);

      if (name == NULL || operation >= costs->n_operations)
        continue;
      add_used (used, "overhead", name, "before", NULL, &costs->operations[operation].before);
      add_used (used, "overhead", name, "inside", NULL, &costs->operations[operation].inside);
      add_used (used, "overhead", name, "after", NULL, &costs->operations[operation].after);
    }
  return used;
}

const char *const lc_cost_sources[] = {N_ ("unknown"), N_ ("given"), N_ ("calibrated"), N_ ("estimated")};

static const LcRowsColumn overhead_columns[] = {
    {"key", N_ ("Instrumentation"), LC_CELL_TEXT}, {"before", N_ ("Before"), LC_CELL_COST},
    {"inside", N_ ("Inside"), LC_CELL_COST},       {"after", N_ ("After"), LC_CELL_COST},
    {"source", N_ ("From"), LC_CELL_TEXT},
};

static void
print_overheads (const GArray *used)
{
  LcRows *rows;

  if (used->len == 0)
    return;
  rows = lc_rows_begin (LC_FORMAT_TEXT, overhead_columns, G_N_ELEMENTS (overhead_columns), NULL, NULL);
  for (guint i = 0; i < used->len; i += 3)
    {
      const LcUsedCost *parts = &g_array_index (used, LcUsedCost, i);
      LcCostSource source = MAX (MAX (parts[0].cost->source, parts[1].cost->source), parts[2].cost->source);

      lc_rows_add_text (rows, parts[0].key);
      for (guint part = 0; part < 3; part++)
        lc_rows_add_real (rows, parts[part].cost->value);
      lc_rows_add_text (rows, _ (lc_cost_sources[source]));
    }
  lc_rows_end (rows, 0);
}

/* --- All costs ---------------------------------------------------------------------------------------------------- */

static const LcRowsColumn cost_columns[] = {
    {"section", NULL, LC_CELL_TEXT},
    {"key", N_ ("Cost"), LC_CELL_TEXT},
    {"part", NULL, LC_CELL_TEXT},
    {"label", N_ ("Of"), LC_CELL_TEXT},
    {"value", N_ ("Value"), LC_CELL_COST},
    {"source", N_ ("From"), LC_CELL_TEXT},
    {"how", N_ ("How"), LC_CELL_TEXT},
    {"samples", N_ ("Samples"), LC_CELL_COUNT},
    {"least", N_ ("Least"), LC_CELL_COST},
    {"low", N_ ("Quarter"), LC_CELL_COST},
    {"median", N_ ("Median"), LC_CELL_COST},
    {"high", N_ ("Three quarters"), LC_CELL_COST},
    {"most", N_ ("Most"), LC_CELL_COST},
};

static void
approximation_costs_add_row (LcRows *rows, const LcUsedCost *used, gboolean json)
{
  const LcCost *cost = used->cost;
  gboolean estimated = cost->source == LC_COST_ESTIMATED;

  lc_rows_add_text (rows, used->section);
  lc_rows_add_text (rows, used->key);
  lc_rows_add_text (rows, used->part);
  lc_rows_add_text (rows, used->label != NULL ? _ (used->label) : NULL);
  lc_rows_add_real (rows, cost->source != LC_COST_UNKNOWN ? cost->value : NAN);
  lc_rows_add_text (rows, json ? lc_cost_sources[cost->source] : _ (lc_cost_sources[cost->source]));
  lc_rows_add_text (rows, cost->how);
  if (estimated)
    lc_rows_add_count (rows, cost->samples);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_real (rows, estimated ? cost->least : NAN);
  lc_rows_add_real (rows, estimated ? cost->low : NAN);
  lc_rows_add_real (rows, estimated ? cost->median : NAN);
  lc_rows_add_real (rows, estimated ? cost->high : NAN);
  lc_rows_add_real (rows, estimated ? cost->most : NAN);
}

static void
approximation_costs_add_rows (LcRows *rows, const GArray *used, gboolean json)
{
  for (guint i = 0; i < used->len; i++)
    approximation_costs_add_row (rows, &g_array_index (used, LcUsedCost, i), json);
}

void
lc_approximation_show_costs (const LcApproximationShow *show, LcJson *json)
{
  const LcApproximation *approximation = show->approximation;
  g_autoptr (GArray) overheads =
      lc_used_costs_list_overheads (approximation->costs, show->names, approximation->operations);
  g_autoptr (GArray) used =
      lc_used_costs_list (approximation->costs, show->names, show->rules, approximation->operations, FALSE);
  LcRows *rows;

  if (json == NULL)
    print_overheads (overheads);
  if (json == NULL && used->len == 0)
    return;
  rows = lc_rows_begin (json != NULL ? LC_FORMAT_JSON : LC_FORMAT_TEXT, cost_columns, G_N_ELEMENTS (cost_columns), json,
                        "costs");
  if (json != NULL)
    approximation_costs_add_rows (rows, overheads, TRUE);
  approximation_costs_add_rows (rows, used, json != NULL);
  lc_rows_end (rows, 0);
}
