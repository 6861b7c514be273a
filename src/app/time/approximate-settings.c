/* SPDX-License-Identifier: Apache-2.0 */
/* The cost settings that matter for a trace, with their values and sources. */
#include "app/time/approximate-settings.h"

#include <glib/gi18n.h>

#include "analysis/costs-private.h"
#include "lightcone/merge.h"
#include "lightcone/statistics.h"
#include "report/approximation-costs.h"
#include "trace/quantities.h"

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
  setting->source = g_strdup (_ (lc_cost_sources[source]));
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
  setting->source = g_strdup (_ (lc_cost_sources[LC_COST_GIVEN]));
}

/* --- Single settings --------------------------------------------------------------------------------------------- */

static void
add_overheads (LcCostSettings *settings, LcNames *names, const GArray *operations)
{
  g_autoptr (GArray) used = lc_used_costs_list_overheads (settings->costs, names, operations);

  approximate_settings_add_word (settings, "overhead", "*", _ ("all others: before; inside; after, ns"), NULL);
  for (guint i = 0; i < used->len; i += 3)
    {
      const LcUsedCost *of = &g_array_index (used, LcUsedCost, i);
      const LcCost *const parts[] = {of[0].cost, of[1].cost, of[2].cost};

      approximate_settings_add_setting (settings, of->section, of->key, _ ("before; inside; after, ns"), parts,
                                        G_N_ELEMENTS (parts), TRUE);
    }
}

enum
{
  MOST_PARTS = 4, /* of one setting */
};

/* Adds a setting of the numbers that have one key. */
static void
approximate_settings_add_used (LcCostSettings *settings, const LcUsedCost *used, guint n)
{
  const LcCosts *costs = settings->costs;
  const LcCost below = {.value = (double)costs->short_below,
                        .source = costs->short_below > 0 ? costs->of_short.startup.source : LC_COST_UNKNOWN};
  const LcCost *parts[MOST_PARTS];
  g_autoptr (GString) labels = g_string_new (NULL);
  g_autofree char *label = NULL;
  gboolean of_messages = g_str_equal (used->section, "communication");
  guint n_parts = 0;

  if (of_messages && g_str_equal (used->key, "short"))
    {
      parts[n_parts++] = &below;
      g_string_append (labels, _ ("up to bytes"));
    }
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (labels, "%s%s", labels->len > 0 ? "; " : "", _ (used[i].label));
      parts[n_parts++] = used[i].cost;
    }
  /* TRANSLATORS: what numbers are, in nanoseconds. */
  label = g_strdup_printf (_ ("%s, ns"), labels->str);
  approximate_settings_add_setting (settings, used->section, used->key, label, parts, n_parts, of_messages);
}

/* What else can be chosen of what a number belongs to. */
static void
approximate_settings_add_choices (LcCostSettings *settings, const LcUsedCost *used)
{
  const LcCosts *costs = settings->costs;
  g_autofree char *topology = NULL;

  if (g_str_equal (used->section, "barrier"))
    approximate_settings_add_word (settings, "barrier", "exit",
                                   _ ("measured, linear, simultaneous, logarithmic or sequential"),
                                   costs->exit_source != LC_COST_UNKNOWN ? lc_costs_exit_name (costs->exit) : NULL);
  if (!g_str_equal (used->section, "communication") || !g_str_equal (used->key, "long"))
    return;
  if (costs->topology == LC_TOPOLOGY_MESH || costs->topology == LC_TOPOLOGY_TORUS)
    topology = g_strdup_printf ("%s:%ux%u", lc_costs_topology_name (costs->topology), costs->width, costs->height);
  else if (costs->topology != LC_TOPOLOGY_NONE)
    topology = g_strdup (lc_costs_topology_name (costs->topology));
  approximate_settings_add_word (settings, "communication", "topology",
                                 _ ("none, full, ring, mesh:WxH, torus:WxH or hypercube"), topology);
}

static void
add_costs (LcCostSettings *settings, LcNames *names, const GArray *operations)
{
  g_autoptr (GArray) all = lc_used_costs_list (settings->costs, names, settings->rules, operations, TRUE);

  for (guint i = 0, n; i < all->len; i += n)
    {
      const LcUsedCost *used = &g_array_index (all, LcUsedCost, i);

      for (n = 1;
           i + n < all->len && g_str_equal (used[n].section, used->section) && g_str_equal (used[n].key, used->key);)
        n++;
      approximate_settings_add_used (settings, used, n);
      approximate_settings_add_choices (settings, used);
    }
}

/* The numbers of all operations that the run has. */
static GArray *
approximate_settings_list_operations (LcHistory *history, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_operations (history, LC_TIMELINE_MEASURED, cancellable, error);
  GArray *operations = all != NULL ? g_array_new (FALSE, FALSE, sizeof (guint32)) : NULL;

  for (guint i = 0; operations != NULL && i < all->len; i++)
    g_array_append_val (operations, g_array_index (all, LcOperationStatistics, i).operation);
  return operations;
}

/* --- All settings ------------------------------------------------------------------------------------------------ */

LcCostSettings *
lc_cost_settings_new (const LcOpened *opened, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcCostSettings) settings = g_new0 (LcCostSettings, 1);
  g_autoptr (GArray) operations = NULL;
  g_autoptr (LcNames) names = lc_names_new (opened->history);

  settings->settings = g_ptr_array_new_with_free_func (free_setting);
  operations = approximate_settings_list_operations (opened->history, cancellable, error);
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
  add_overheads (settings, names, operations);
  add_costs (settings, names, operations);
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
  guint counts[G_N_ELEMENTS (lc_cost_sources)] = {0};
  gboolean overhead = g_str_equal (section, "overhead");

  for (guint i = 0; i < settings->settings->len; i++)
    {
      const LcCostSetting *setting = g_ptr_array_index (settings->settings, i);

      if (g_str_equal (setting->section, "overhead") != overhead || setting->label == NULL ||
          (setting->value[0] == '\0' && setting->key[0] == '*'))
        continue;
      for (guint source = 0; source < G_N_ELEMENTS (lc_cost_sources); source++)
        counts[source] += g_str_equal (setting->source, _ (lc_cost_sources[source]));
    }
  for (guint source = G_N_ELEMENTS (lc_cost_sources); source > 0; source--)
    if (counts[source - 1] > 0)
      /* TRANSLATORS: "12 calibrated" */
      g_string_append_printf (text, _ ("%s%u %s"), text->len > 0 ? ", " : "", counts[source - 1],
                              _ (lc_cost_sources[source - 1]));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
