/* SPDX-License-Identifier: Apache-2.0 */
/* The cost settings that matter for a trace, with their values and sources. */
#include "app/time/approximate-settings.h"

#include <glib/gi18n.h>

#include "analysis/costs-private.h"
#include "lightcone/merge.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

/* Indexed by LcCostSource. */
static const char *const sources[] = {N_ ("unknown"), N_ ("given"), N_ ("calibrated"), N_ ("estimated")};

static void
free_setting (gpointer data)
{
  LcCostSetting *setting = data;

  g_free (setting->section);
  g_free (setting->key);
  g_free (setting->label);
  g_free (setting->value);
  g_free (setting->source);
  g_free (setting->how);
  g_free (setting);
}

/* --- Numbers -------------------------------------------------------------------------------------------------------
 */

static char *
dup_how (const LcCost *cost)
{
  g_autofree char *samples = NULL, *least = NULL, *median = NULL, *most = NULL;

  if (cost->source != LC_COST_ESTIMATED)
    return NULL;
  samples = lc_format_count (cost->samples);
  least = lc_format_cost (cost->least);
  median = lc_format_cost (cost->median);
  most = lc_format_cost (cost->most);
  /* TRANSLATORS: a method; how many samples; the least, the median and the most of them. */
  return g_strdup_printf (_ ("%s; %s samples: %s, %s, %s"), cost->how, samples, least, median, most);
}

/* Adds a setting of one or several numbers; unknown numbers at its end are left out, other unknown ones become 0. */
static void
approximate_settings_add_setting (LcCostSettings *settings, const char *section, const char *key, const char *label,
                                  const LcCost *const *costs, guint n_costs, gboolean all)
{
  LcCostSetting *setting = g_new0 (LcCostSetting, 1);
  g_autoptr (GString) value = g_string_new (NULL);
  LcCostSource source = LC_COST_UNKNOWN;
  guint n = n_costs;

  while (n > 0 && costs[n - 1]->source == LC_COST_UNKNOWN)
    n--;
  for (guint i = 0; i < (n > 0 && all ? n_costs : n); i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (value, "%s%s", i > 0 ? ";" : "",
                              g_ascii_formatd (number, sizeof number, "%.10g", costs[i]->value));
      source = MAX (source, costs[i]->source);
    }
  setting->section = g_strdup (section);
  setting->key = g_strdup (key);
  setting->label = g_strdup (label);
  setting->value = g_strdup (value->str);
  setting->source = g_strdup (_ (sources[source]));
  setting->how = n > 0 ? dup_how (costs[0]) : NULL;
  g_ptr_array_add (settings->settings, setting);
}

/* Adds a setting that is a choice; "" if no choice was made. */
static void
approximate_settings_add_word (LcCostSettings *settings, const char *section, const char *key, const char *label,
                               const char *value)
{
  LcCostSetting *setting;

  approximate_settings_add_setting (settings, section, key, label, NULL, 0, FALSE);
  setting = g_ptr_array_index (settings->settings, settings->settings->len - 1);
  if (value == NULL)
    return;
  g_free (setting->value);
  g_free (setting->source);
  setting->value = g_strdup (value);
  setting->source = g_strdup (_ (sources[LC_COST_GIVEN]));
}

/* --- Single settings --------------------------------------------------------------------------------------------- */

static void
add_overheads (LcCostSettings *settings, const GArray *operations)
{
  approximate_settings_add_word (settings, "overhead", "*", _ ("all others: before; inside; after, ns"), NULL);
  for (guint i = 0; i < operations->len; i++)
    {
      guint32 operation = g_array_index (operations, LcOperationStatistics, i).operation;
      const LcOperationCosts *costs = &settings->costs->operations[operation];
      const LcCost *const parts[] = {&costs->before, &costs->inside, &costs->after};

      if (operation < settings->costs->n_operations)
        approximate_settings_add_setting (settings, "overhead",
                                          lc_trace_get_operation (settings->trace, operation)->name,
                                          _ ("before; inside; after, ns"), parts, G_N_ELEMENTS (parts), TRUE);
    }
}

static void
approximate_settings_add_messages (LcCostSettings *settings)
{
  const LcCosts *costs = settings->costs;
  const LcCost *const copy[] = {&costs->copy};
  const LcCost below = {.value = (double)costs->short_below,
                        .source = costs->short_below > 0 ? costs->of_short.startup.source : LC_COST_UNKNOWN};
  const LcCost *const of_short[] = {&below, &costs->of_short.startup, &costs->of_short.per_byte,
                                    &costs->of_short.per_hop};
  const LcCost *const of_long[] = {&costs->of_long.startup, &costs->of_long.per_byte, &costs->of_long.per_hop};

  g_autofree char *topology = NULL;

  if (costs->topology == LC_TOPOLOGY_MESH || costs->topology == LC_TOPOLOGY_TORUS)
    topology = g_strdup_printf ("%s:%ux%u", lc_costs_topology_name (costs->topology), costs->width, costs->height);
  else if (costs->topology != LC_TOPOLOGY_NONE)
    topology = g_strdup (lc_costs_topology_name (costs->topology));
  approximate_settings_add_setting (settings, "cost", "copy", _ ("copying a message, ns"), copy, 1, FALSE);
  approximate_settings_add_setting (settings, "communication", "short",
                                    _ ("up to bytes; startup; per byte; per hop, ns"), of_short,
                                    G_N_ELEMENTS (of_short), TRUE);
  approximate_settings_add_setting (settings, "communication", "long", _ ("startup; per byte; per hop, ns"), of_long,
                                    G_N_ELEMENTS (of_long), TRUE);
  approximate_settings_add_word (settings, "communication", "topology",
                                 _ ("none, full, ring, mesh:WxH, torus:WxH or hypercube"), topology);
}

static void
add_costs (LcCostSettings *settings, const GArray *operations)
{
  gboolean barriers = FALSE, messages = FALSE;

  for (guint i = 0; i < operations->len; i++)
    {
      guint32 operation = g_array_index (operations, LcOperationStatistics, i).operation;
      const LcTraceOperation *named = lc_trace_get_operation (settings->trace, operation);
      const LcOperationRule *rule = named != NULL ? lc_rules_get_operation (settings->rules, named->name) : NULL;
      const LcOperationCosts *costs = &settings->costs->operations[operation];
      const LcCost *const parts[] = {&costs->nowait, &costs->wait};

      if (rule == NULL || operation >= settings->costs->n_operations)
        continue;
      barriers |= rule->timing == LC_TIMING_BARRIER;
      messages |= rule->timing == LC_TIMING_RENDEZVOUS || lc_timing_is_message (rule->timing);
      if (rule->timing == LC_TIMING_RELEASE)
        approximate_settings_add_setting (settings, "cost", named->name, _ ("without waiting; after waiting, ns"),
                                          parts, 2, FALSE);
      else if (lc_timing_completes (rule->timing))
        approximate_settings_add_setting (settings, "cost", named->name, _ ("without waiting, ns"), parts, 1, FALSE);
    }
  if (barriers)
    {
      const LcCost *const beta[] = {&settings->costs->beta};

      approximate_settings_add_setting (settings, "barrier", "beta", _ ("each further one to leave, ns"), beta, 1,
                                        FALSE);
      approximate_settings_add_word (
          settings, "barrier", "exit", _ ("measured, linear, simultaneous, logarithmic or sequential"),
          settings->costs->exit_source != LC_COST_UNKNOWN ? lc_costs_exit_name (settings->costs->exit) : NULL);
    }
  if (messages)
    approximate_settings_add_messages (settings);
}

/* --- All settings ------------------------------------------------------------------------------------------------ */

LcCostSettings *
lc_cost_settings_new (const LcOpened *opened, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcCostSettings) settings = g_new0 (LcCostSettings, 1);
  g_autoptr (GArray) operations = NULL;

  settings->settings = g_ptr_array_new_with_free_func (free_setting);
  operations = lc_statistics_operations (opened->history, LC_TIMELINE_MEASURED, cancellable, error);
  settings->rules = operations != NULL ? lc_merge_load_rules (opened->directory, NULL, error) : NULL;
  settings->trace = settings->rules != NULL ? lc_trace_open (opened->directory, error) : NULL;
  if (settings->trace == NULL || !lc_history_name_trace (opened->history, settings->trace, error))
    return NULL;
  settings->costs = lc_costs_new (settings->trace, settings->rules, NULL, error);
  if (settings->costs == NULL)
    return NULL;
  if (lc_costs_need_estimate (settings->costs, settings->trace, settings->rules) &&
      !lc_costs_estimate (settings->costs, settings->trace, settings->rules, cancellable, error))
    return NULL;
  add_overheads (settings, operations);
  add_costs (settings, operations);
  return g_steal_pointer (&settings);
}

void
lc_cost_settings_free (LcCostSettings *settings)
{
  g_clear_pointer (&settings->costs, lc_costs_free);
  g_clear_pointer (&settings->trace, lc_trace_free);
  g_clear_pointer (&settings->rules, lc_rules_free);
  g_ptr_array_unref (settings->settings);
  g_free (settings);
}

char *
lc_cost_settings_dup_sources (const LcCostSettings *settings, const char *section)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint counts[G_N_ELEMENTS (sources)] = {0};
  gboolean overhead = g_str_equal (section, "overhead");

  for (guint i = 0; i < settings->settings->len; i++)
    {
      const LcCostSetting *setting = g_ptr_array_index (settings->settings, i);

      if (g_str_equal (setting->section, "overhead") != overhead || setting->label == NULL ||
          (setting->value[0] == '\0' && setting->key[0] == '*'))
        continue;
      for (guint source = 0; source < G_N_ELEMENTS (sources); source++)
        counts[source] += g_str_equal (setting->source, _ (sources[source]));
    }
  for (guint source = G_N_ELEMENTS (sources); source > 0; source--)
    if (counts[source - 1] > 0)
      /* TRANSLATORS: "12 calibrated" */
      g_string_append_printf (text, _ ("%s%u %s"), text->len > 0 ? ", " : "", counts[source - 1],
                              _ (sources[source - 1]));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
