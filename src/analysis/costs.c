/* SPDX-License-Identifier: Apache-2.0 */
/* The costs of a trace: reads them from trace.ini and from a user's settings, and counts hops. */
#include "lightcone/costs.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "costs-private.h"

G_DEFINE_QUARK (lc - costs - error - quark, lc_costs_error)

const LcOperationRule *
lc_costs_get_rule (LcTrace *trace, const LcRules *rules, guint32 operation)
{
  const LcTraceOperation *of_trace = lc_trace_get_operation (trace, operation);

  return of_trace != NULL ? lc_rules_get_operation (rules, of_trace->name) : NULL;
}

/* --- Sources ----------------------------------------------------------------------------------------------- */

gboolean
lc_costs_are_recorded (LcTrace *trace)
{
  return g_key_file_has_key (lc_trace_get_settings (trace), "trace", "clock_ticks", NULL);
}

static gboolean
costs_read_section (LcCosts *costs, const LcCostsLayer *layer, GKeyFile *file, const char *section, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, section, NULL, NULL);
  gboolean good = TRUE;

  /* The key "*" is read last: it is for the operations that no other key names. */
  for (int others = 0; others < 2; others++)
    for (gsize i = 0; good && keys != NULL && keys[i] != NULL; i++)
      {
        g_autofree char *value = g_key_file_get_value (file, section, keys[i], NULL);

        if ((strcmp (keys[i], "*") == 0) == others)
          good = lc_costs_set (costs, layer, section, keys[i], value != NULL ? g_strstrip (value) : "", error);
      }
  return good;
}

static gboolean
costs_read_file (LcCosts *costs, LcTrace *trace, const LcRules *rules, GError **error)
{
  GKeyFile *file = lc_trace_get_settings (trace);
  g_autofree char *path = g_build_filename (lc_trace_get_path (trace), "trace.ini", NULL);
  g_autofree gboolean *named = g_new0 (gboolean, MAX (costs->n_operations, 1));
  const LcCostsLayer layer = {trace, rules, path, lc_costs_are_recorded (trace) ? LC_COST_CALIBRATED : LC_COST_GIVEN,
                              named};
  g_auto (GStrv) sections = g_key_file_get_groups (file, NULL);

  for (gsize i = 0; sections[i] != NULL; i++)
    if (lc_costs_has_section (sections[i]) && !costs_read_section (costs, &layer, file, sections[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
read_setting (LcCosts *costs, const LcCostsLayer *layer, const char *setting, int others, GError **error)
{
  const char *const of_processors = "preemption=", *dot = strchr (setting, '.'), *equals = strchr (setting, '=');
  g_autofree char *section = NULL, *key = NULL, *value = NULL;

  if (g_str_has_prefix (setting, of_processors))
    return others || lc_costs_set (costs, layer, "processors", "preemption", setting + strlen (of_processors), error);
  if (dot == NULL || equals == NULL || dot > equals)
    {
      g_set_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_KEY, _ ("%s: a setting is SECTION.KEY=VALUE"), setting);
      return FALSE;
    }
  section = g_strndup (setting, (gsize)(dot - setting));
  key = g_strndup (dot + 1, (gsize)(equals - dot - 1));
  value = g_strstrip (g_strdup (equals + 1));
  if ((strcmp (key, "*") == 0) != others)
    return TRUE;
  return lc_costs_set (costs, layer, section, key, value, error);
}

static gboolean
costs_read_settings (LcCosts *costs, LcTrace *trace, const LcRules *rules, const char *const *settings, GError **error)
{
  g_autofree gboolean *named = g_new0 (gboolean, MAX (costs->n_operations, 1));
  const LcCostsLayer layer = {trace, rules, NULL, LC_COST_GIVEN, named};

  for (int others = 0; others < 2; others++)
    for (gsize i = 0; settings != NULL && settings[i] != NULL; i++)
      if (!read_setting (costs, &layer, settings[i], others, error))
        return FALSE;
  return TRUE;
}

/* If processes have MPI ranks, the topology is one of ranks. */
static void
costs_find_places (LcCosts *costs, LcTrace *trace)
{
  const guint32 n = lc_trace_get_n_processes (trace);
  g_autofree guint32 *places = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      places[i] = lc_trace_get_process (trace, i)->rank;
      if (places[i] != LC_TRACE_NONE)
        costs->n_places = MAX (costs->n_places, places[i] + 1);
    }
  if (costs->n_places > 0)
    costs->places = g_steal_pointer (&places);
}

/* Objects of OpenMP's libraries are recorded by wrappers of their own. */
static void
costs_find_openmp (LcCosts *costs, LcTrace *trace)
{
  LcTraceObject object;

  costs->n_objects = lc_trace_get_n_objects (trace);
  costs->is_openmp = g_new0 (guint8, MAX (costs->n_objects, 1));
  for (guint32 i = 0; i < costs->n_objects; i++)
    {
      lc_trace_get_object (trace, i, &object);
      costs->is_openmp[i] = object.kind == LC_KIND_OPENMP;
    }
}

LcCosts *
lc_costs_new (LcTrace *trace, const LcRules *rules, const char *const *settings, GError **error)
{
  g_autoptr (LcCosts) costs = g_new0 (LcCosts, 1);

  costs->n_operations = lc_trace_get_n_operations (trace);
  costs->operations = g_new0 (LcOperationCosts, MAX (costs->n_operations, 1));
  costs_find_places (costs, trace);
  costs_find_openmp (costs, trace);
  if (!costs_read_file (costs, trace, rules, error) || !costs_read_settings (costs, trace, rules, settings, error))
    return NULL;
  return g_steal_pointer (&costs);
}

void
lc_costs_free (LcCosts *costs)
{
  if (costs == NULL)
    return;
  g_free (costs->operations);
  g_free (costs->is_openmp);
  g_free (costs->places);
  g_free (costs->model);
  g_clear_pointer (&costs->wakes, g_hash_table_unref);
  g_free (costs);
}

/* --- Hops -------------------------------------------------------------------------------------------------- */

static guint32
costs_distance (guint32 a, guint32 b)
{
  return a > b ? a - b : b - a;
}

/* Returns the shorter of the two ways around a ring. */
static guint32
distance_around (guint32 a, guint32 b, guint32 length)
{
  const guint32 direct = costs_distance (a, b);

  return direct < length ? MIN (direct, length - direct) : direct;
}

guint32
lc_costs_count_hops (const LcCosts *costs, guint32 n_processes, guint32 from, guint32 to)
{
  const guint32 width = MAX (costs->width, 1);

  if (costs->places != NULL)
    {
      from = costs->places[from];
      to = costs->places[to];
      n_processes = costs->n_places;
    }
  if (from == to || from == LC_TRACE_NONE || to == LC_TRACE_NONE)
    return 0;
  switch (costs->topology)
    {
    case LC_TOPOLOGY_NONE:
      return 0;
    case LC_TOPOLOGY_FULL:
      return 1;
    case LC_TOPOLOGY_RING:
      return distance_around (from, to, n_processes);
    case LC_TOPOLOGY_MESH:
      return costs_distance (from % width, to % width) + costs_distance (from / width, to / width);
    case LC_TOPOLOGY_TORUS:
      return distance_around (from % width, to % width, width) +
             distance_around (from / width, to / width, costs->height);
    case LC_TOPOLOGY_HYPERCUBE:
      return (guint32)__builtin_popcount (from ^ to);
    default:
      g_return_val_if_reached (0);
    }
}
