/* SPDX-License-Identifier: Apache-2.0 */
/* The costs as a JSON object. */
#include "costs-private.h"
#include "trace/quantities.h"

static const char *const source_names[] = {"unknown", "given", "calibrated", "estimated"};

/* Appends the key of a member, with a comma before it unless it is the first. */
static void
append_key (GString *json, const char *key)
{
  if (json->str[json->len - 1] != '{')
    g_string_append_c (json, ',');
  lc_text_append_json (json, key);
  g_string_append_c (json, ':');
}

static void
costs_json_append_number (GString *json, const char *key, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  append_key (json, key);
  g_string_append (json, g_ascii_formatd (buffer, sizeof buffer, "%.15g", number));
}

static void
costs_json_append_string (GString *json, const char *key, const char *text)
{
  append_key (json, key);
  lc_text_append_json (json, text);
}

static void
open_object (GString *json, const char *key)
{
  append_key (json, key);
  g_string_append_c (json, '{');
}

static void
append_cost (GString *json, const char *key, const LcCost *cost)
{
  if (cost->source == LC_COST_UNKNOWN)
    return;
  open_object (json, key);
  costs_json_append_number (json, "value", cost->value);
  costs_json_append_string (json, "source", source_names[cost->source]);
  if (cost->source == LC_COST_ESTIMATED)
    {
      costs_json_append_string (json, "how", cost->how);
      costs_json_append_number (json, "samples", (double)cost->samples);
      costs_json_append_number (json, "least", cost->least);
      costs_json_append_number (json, "low", cost->low);
      costs_json_append_number (json, "median", cost->median);
      costs_json_append_number (json, "high", cost->high);
      costs_json_append_number (json, "most", cost->most);
    }
  g_string_append_c (json, '}');
}

static void
append_overheads (GString *json, const LcCosts *costs, LcTrace *trace)
{
  open_object (json, "overhead");
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);
      const LcOperationCosts *of_operation = &costs->operations[i];

      if (operation == NULL || of_operation->before.source == LC_COST_UNKNOWN)
        continue;
      open_object (json, operation->name);
      append_cost (json, "before", &of_operation->before);
      append_cost (json, "inside", &of_operation->inside);
      append_cost (json, "after", &of_operation->after);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, '}');
}

/* In the order of LcWaitLength. */
static void
append_wakes (GString *json, const LcCosts *costs, guint32 operation)
{
  static const char *const names[] = {"wake_moment", "wake_short", "wake_long", "wake_longer"};

  for (guint i = 0; i < LC_WAIT_N_LENGTHS; i++)
    {
      const LcCost *cost = lc_costs_get_wake (costs, operation, LC_TRACE_NONE, (LcWaitLength)i);

      if (cost != NULL)
        append_cost (json, names[i], cost);
    }
}

static void
append_own_costs (GString *json, const LcCosts *costs, LcTrace *trace)
{
  open_object (json, "cost");
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);
      const LcOperationCosts *of_operation = &costs->operations[i];

      if (operation == NULL ||
          (of_operation->nowait.source == LC_COST_UNKNOWN && of_operation->wait.source == LC_COST_UNKNOWN))
        continue;
      open_object (json, operation->name);
      append_cost (json, "nowait", &of_operation->nowait);
      append_cost (json, "wait", &of_operation->wait);
      append_wakes (json, costs, i);
      g_string_append_c (json, '}');
    }
  append_cost (json, "copy", &costs->copy);
  g_string_append_c (json, '}');
}

static void
append_messages (GString *json, const char *key, const LcMessageCosts *messages)
{
  if (messages->startup.source == LC_COST_UNKNOWN)
    return;
  open_object (json, key);
  append_cost (json, "startup", &messages->startup);
  append_cost (json, "per_byte", &messages->per_byte);
  append_cost (json, "per_hop", &messages->per_hop);
  g_string_append_c (json, '}');
}

static void
append_processors (GString *json)
{
  open_object (json, "processors");
  costs_json_append_string (json, "preemption", "remove");
  g_string_append_c (json, '}');
}

static void
append_communication (GString *json, const LcCosts *costs)
{
  open_object (json, "communication");
  if (costs->model != NULL)
    costs_json_append_string (json, "model", costs->model);
  costs_json_append_string (json, "topology", lc_costs_topology_name (costs->topology));
  if (costs->topology == LC_TOPOLOGY_MESH || costs->topology == LC_TOPOLOGY_TORUS)
    {
      costs_json_append_number (json, "width", costs->width);
      costs_json_append_number (json, "height", costs->height);
    }
  if (costs->short_below > 0)
    costs_json_append_number (json, "short_below", (double)costs->short_below);
  append_messages (json, "short", &costs->of_short);
  append_messages (json, "long", &costs->of_long);
  g_string_append_c (json, '}');
}

char *
lc_costs_dup_json (const LcCosts *costs, LcTrace *trace)
{
  GString *json = g_string_new ("{");

  append_overheads (json, costs, trace);
  append_own_costs (json, costs, trace);
  open_object (json, "barrier");
  costs_json_append_string (json, "exit", lc_costs_exit_name (costs->exit));
  costs_json_append_string (json, "exit_source", source_names[costs->exit_source]);
  append_cost (json, "beta", &costs->beta);
  g_string_append_c (json, '}');
  append_communication (json, costs);
  if (costs->removes_preemption)
    append_processors (json);
  g_string_append_c (json, '}');
  return g_string_free (json, FALSE);
}
