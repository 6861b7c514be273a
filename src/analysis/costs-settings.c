/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the costs: the values that each key may have, and the errors about other values. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "costs-private.h"

enum
{
  MOST_NUMBERS = 4,
};

static const char *const exit_names[] = {"measured", "linear", "simultaneous", "logarithmic", "sequential"};
static const char *const topology_names[] = {"none", "full", "ring", "mesh", "torus", "hypercube"};

/* A setting and its source. */
typedef struct
{
  LcCosts *costs;
  const LcCostsLayer *layer;
  const char *section, *key, *value;
} Setting;

const char *
lc_costs_exit_name (LcBarrierExit exit)
{
  return exit_names[exit];
}

const char *
lc_costs_topology_name (LcTopology topology)
{
  return topology_names[topology];
}

/* --- Values ------------------------------------------------------------------------------------------------ */

static gboolean
costs_settings_fail (const Setting *setting, LcCostsError code, const char *what, GError **error)
{
  const LcCostsLayer *layer = setting->layer;

  if (layer->file != NULL)
    g_set_error (error, LC_COSTS_ERROR, code, "%s: [%s] %s: %s", layer->file, setting->section, setting->key, what);
  else
    g_set_error (error, LC_COSTS_ERROR, code, "%s.%s=%s: %s", setting->section, setting->key, setting->value, what);
  return FALSE;
}

static LcCost
make_cost (const Setting *setting, double value)
{
  return (LcCost){.value = value, .source = setting->layer->source};
}

/* Reads numbers of 0 or more, separated by ';'; a ';' at the end is allowed. Returns how many, or -1 for anything
 * else. */
static int
costs_settings_get_numbers (const char *value, double numbers[MOST_NUMBERS])
{
  const char *at = value;
  int n = 0;

  while (*at != '\0')
    {
      char *end;

      if (n == MOST_NUMBERS)
        return -1;
      numbers[n] = g_ascii_strtod (at, &end);
      if (end == at || !isfinite (numbers[n]) || numbers[n] < 0 || numbers[n] > 1e15)
        return -1;
      n++;
      end += strspn (end, " \t");
      if (*end != ';' && *end != '\0')
        return -1;
      at = *end == ';' ? end + 1 + strspn (end + 1, " \t") : end;
    }
  return n;
}

static gboolean
costs_settings_get_choice (const Setting *setting, const char *const *words, guint n, guint *choice, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *what = NULL;

  for (guint i = 0; i < n; i++)
    {
      if (strcmp (setting->value, words[i]) == 0)
        {
          *choice = i;
          return TRUE;
        }
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", words[i]);
    }
  what = g_strdup_printf (_ ("it may be %s"), list->str);
  return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE, what, error);
}

/* --- Operations -------------------------------------------------------------------------------------------- */

/* Returns LC_TRACE_NONE if the trace has no operation of this name. */
static guint32
costs_settings_find_operation (const LcCostsLayer *layer, const char *name)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (layer->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (layer->trace, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static gboolean
costs_settings_get_operation (const Setting *setting, guint32 *operation, GError **error)
{
  *operation = costs_settings_find_operation (setting->layer, setting->key);
  if (*operation != LC_TRACE_NONE || lc_rules_get_operation (setting->layer->rules, setting->key) != NULL)
    return TRUE;
  return costs_settings_fail (setting, LC_COSTS_ERROR_KEY, _ ("there is no operation of this name"), error);
}

/* What a user says of an operation is said of all its events, unless the user says another thing of others. */
static void
set_overhead_of (const Setting *setting, guint32 operation, const double *numbers)
{
  LcOperationCosts *costs = &setting->costs->operations[operation];

  if (setting->layer->file == NULL && !costs->other.is_asked)
    costs->other = (LcOtherOverhead){0};
  costs->before = make_cost (setting, numbers[0]);
  costs->inside = make_cost (setting, numbers[1]);
  costs->after = make_cost (setting, numbers[2]);
}

static gboolean
costs_settings_set_overhead (const Setting *setting, GError **error)
{
  gboolean is_others = strcmp (setting->key, "*") == 0;
  double numbers[MOST_NUMBERS];
  guint32 operation = LC_TRACE_NONE;

  if (!is_others && !costs_settings_get_operation (setting, &operation, error))
    return FALSE;
  if (costs_settings_get_numbers (setting->value, numbers) != 3)
    return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE,
                                _ ("it must be three numbers, BEFORE;INSIDE;AFTER, in ns, 0 or more"), error);
  for (guint32 i = 0; is_others && i < setting->costs->n_operations; i++)
    if (!setting->layer->named[i])
      set_overhead_of (setting, i, numbers);
  if (operation != LC_TRACE_NONE)
    {
      set_overhead_of (setting, operation, numbers);
      setting->layer->named[operation] = TRUE;
    }
  return TRUE;
}

static gboolean
costs_settings_set_other (const Setting *setting, GError **error)
{
  double numbers[MOST_NUMBERS];
  guint32 operation = LC_TRACE_NONE;
  LcOtherOverhead *other;
  int n;

  if (!costs_settings_get_operation (setting, &operation, error))
    return FALSE;
  n = costs_settings_get_numbers (setting->value, numbers);
  if (n != 3 && n != 4)
    return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE,
                                _ ("it must be BEFORE;INSIDE;AFTER;WAIT, or the first three, in ns, 0 or more"), error);
  if (operation == LC_TRACE_NONE)
    return TRUE;
  other = &setting->costs->operations[operation].other;
  *other = (LcOtherOverhead){TRUE, setting->layer->file == NULL, make_cost (setting, numbers[0]),
                             make_cost (setting, numbers[1]), make_cost (setting, numbers[2])};
  if (n == 4)
    other->wait = make_cost (setting, numbers[3]);
  return TRUE;
}

static gboolean
costs_settings_set_cost (const Setting *setting, GError **error)
{
  gboolean is_copy = strcmp (setting->key, "copy") == 0;
  double numbers[MOST_NUMBERS];
  int n = costs_settings_get_numbers (setting->value, numbers);
  guint32 operation = LC_TRACE_NONE;

  if (!is_copy && !costs_settings_get_operation (setting, &operation, error))
    return FALSE;
  if (n != 1 && (is_copy || n != 2))
    return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE,
                                is_copy ? _ ("it must be a number, in ns, 0 or more")
                                        : _ ("it must be NOWAIT;WAIT, or one number, in ns, 0 or more"),
                                error);
  if (is_copy)
    setting->costs->copy = make_cost (setting, numbers[0]);
  if (operation != LC_TRACE_NONE)
    setting->costs->operations[operation].nowait = make_cost (setting, numbers[0]);
  if (operation != LC_TRACE_NONE && n == 2)
    setting->costs->operations[operation].wait = make_cost (setting, numbers[1]);
  return TRUE;
}

/* --- Barriers ---------------------------------------------------------------------------------------------- */

static gboolean
set_exit (const Setting *setting, GError **error)
{
  guint choice;

  if (!costs_settings_get_choice (setting, exit_names, G_N_ELEMENTS (exit_names), &choice, error))
    return FALSE;
  setting->costs->exit = (LcBarrierExit)choice;
  setting->costs->exit_source = setting->layer->source;
  return TRUE;
}

static gboolean
set_beta (const Setting *setting, GError **error)
{
  double numbers[MOST_NUMBERS];

  if (costs_settings_get_numbers (setting->value, numbers) != 1)
    return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE, _ ("it must be a number, in ns, 0 or more"), error);
  setting->costs->beta = make_cost (setting, numbers[0]);
  return TRUE;
}

/* --- Communication ----------------------------------------------------------------------------------------- */

static gboolean
set_model (const Setting *setting, GError **error)
{
  static const char *const models[] = {"linear", "optimistic", "pessimistic"};
  guint choice;

  if (!costs_settings_get_choice (setting, models, G_N_ELEMENTS (models), &choice, error))
    return FALSE;
  g_free (setting->costs->model);
  setting->costs->model = g_strdup (models[choice]);
  return TRUE;
}

/* Reads the extent WxH of a mesh or torus. */
static gboolean
get_extent (const char *text, guint32 *width, guint32 *height)
{
  char *end;
  guint64 first = g_ascii_strtoull (text, &end, 10), second;

  if (!g_ascii_isdigit (*text) || *end != 'x' || !g_ascii_isdigit (end[1]))
    return FALSE;
  second = g_ascii_strtoull (end + 1, &end, 10);
  if (*end != '\0' || first == 0 || second == 0 || first > G_MAXUINT16 || second > G_MAXUINT16)
    return FALSE;
  *width = (guint32)first;
  *height = (guint32)second;
  return TRUE;
}

static gboolean
set_topology (const Setting *setting, GError **error)
{
  static const char *const form = N_ ("it may be none, full, ring, mesh:WxH, torus:WxH or hypercube");
  const char *colon = strchr (setting->value, ':');
  g_autofree char *name =
      colon != NULL ? g_strndup (setting->value, (gsize)(colon - setting->value)) : g_strdup (setting->value);
  LcCosts *costs = setting->costs;

  for (guint i = 0; i < G_N_ELEMENTS (topology_names); i++)
    {
      gboolean is_wide = i == LC_TOPOLOGY_MESH || i == LC_TOPOLOGY_TORUS;

      if (strcmp (topology_names[i], name) != 0 || is_wide != (colon != NULL))
        continue;
      if (is_wide && !get_extent (colon + 1, &costs->width, &costs->height))
        break;
      costs->topology = (LcTopology)i;
      return TRUE;
    }
  return costs_settings_fail (setting, LC_COSTS_ERROR_VALUE, _ (form), error);
}

static gboolean
set_messages (const Setting *setting, GError **error)
{
  gboolean is_short = strcmp (setting->key, "short") == 0;
  LcCosts *costs = setting->costs;
  LcMessageCosts *messages = is_short ? &costs->of_short : &costs->of_long;
  double numbers[MOST_NUMBERS];
  const double *of_message = is_short ? numbers + 1 : numbers;

  if (costs_settings_get_numbers (setting->value, numbers) != (is_short ? 4 : 3))
    return costs_settings_fail (
        setting, LC_COSTS_ERROR_VALUE,
        is_short ? _ ("it must be BYTES;STARTUP;PER_BYTE;PER_HOP: for messages of fewer bytes, in ns")
                 : _ ("it must be STARTUP;PER_BYTE;PER_HOP, in ns"),
        error);
  if (is_short)
    costs->short_below = (guint64)ceil (numbers[0]);
  messages->startup = make_cost (setting, of_message[0]);
  messages->per_byte = make_cost (setting, of_message[1]);
  messages->per_hop = make_cost (setting, of_message[2]);
  return TRUE;
}

/* --- Processors -------------------------------------------------------------------------------------------- */

static gboolean
set_preemption (const Setting *setting, GError **error)
{
  static const char *const choices[] = {"keep", "remove"};
  guint choice;

  if (!costs_settings_get_choice (setting, choices, G_N_ELEMENTS (choices), &choice, error))
    return FALSE;
  setting->costs->removes_preemption = choice == 1;
  return TRUE;
}

/* --- The table of settings --------------------------------------------------------------------------------- */

/* Key NULL: the key is the name of an operation. */
static const struct
{
  const char *section, *key;
  gboolean (*set) (const Setting *setting, GError **error);
} settings[] = {
    {"overhead", NULL, costs_settings_set_overhead},
    {"openmp", NULL, costs_settings_set_other},
    {"trapped", NULL, costs_settings_set_other},
    {"cost", NULL, costs_settings_set_cost},
    {"barrier", "exit", set_exit},
    {"barrier", "beta", set_beta},
    {"communication", "model", set_model},
    {"communication", "topology", set_topology},
    {"communication", "short", set_messages},
    {"communication", "long", set_messages},
    {"processors", "preemption", set_preemption},
};

gboolean
lc_costs_has_section (const char *section)
{
  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    if (strcmp (settings[i].section, section) == 0)
      return TRUE;
  return FALSE;
}

gboolean
lc_costs_set (LcCosts *costs, const LcCostsLayer *layer, const char *section, const char *key, const char *value,
              GError **error)
{
  const Setting setting = {costs, layer, section, key, value};
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autofree char *what = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      if (strcmp (settings[i].section, section) != 0)
        continue;
      if (settings[i].key == NULL || strcmp (settings[i].key, key) == 0)
        return settings[i].set (&setting, error);
      g_string_append_printf (keys, "%s%s", keys->len > 0 ? ", " : "", settings[i].key);
    }
  if (keys->len > 0)
    what = g_strdup_printf (_ ("there is no such key; [%s] has %s"), section, keys->str);
  else
    what = g_strdup (_ ("there is no such section; there are overhead, openmp, trapped, cost, barrier, communication "
                        "and processors"));
  return costs_settings_fail (&setting, LC_COSTS_ERROR_KEY, what, error);
}
