/* SPDX-License-Identifier: Apache-2.0 */
/* The costs as a JSON object. */
#include "costs-private.h"
#include "trace/json.h"

static const char *const source_names[] = {"unknown", "given", "calibrated", "estimated"};

static void
append_cost (LcJson *json, const char *key, const LcCost *cost)
{
  if (cost->source == LC_COST_UNKNOWN)
    return;
  lc_json_begin_object (json, key);
  lc_json_add_real (json, "value", cost->value);
  lc_json_add_string (json, "source", source_names[cost->source]);
  if (cost->source == LC_COST_ESTIMATED)
    {
      lc_json_add_string (json, "how", cost->how);
      lc_json_add_real (json, "samples", (double)cost->samples);
      lc_json_add_real (json, "least", cost->least);
      lc_json_add_real (json, "low", cost->low);
      lc_json_add_real (json, "median", cost->median);
      lc_json_add_real (json, "high", cost->high);
      lc_json_add_real (json, "most", cost->most);
    }
  lc_json_end_object (json);
}

/* Adds the costs of OpenMP's objects and of system calls without the C library, if they have their own. */
static void
append_other_overheads (LcJson *json, const LcCosts *costs, LcTrace *trace)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < costs->n_operations; i++)
    any |= costs->operations[i].other.is_set;
  if (!any)
    return;
  lc_json_begin_object (json, "other_overhead");
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);
      const LcOtherOverhead *other = &costs->operations[i].other;

      if (operation == NULL || !other->is_set)
        continue;
      lc_json_begin_object (json, operation->name);
      append_cost (json, "before", &other->before);
      append_cost (json, "inside", &other->inside);
      append_cost (json, "after", &other->after);
      lc_json_end_object (json);
    }
  lc_json_end_object (json);
}

static void
append_overheads (LcJson *json, const LcCosts *costs, LcTrace *trace)
{
  lc_json_begin_object (json, "overhead");
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);
      const LcOperationCosts *of_operation = &costs->operations[i];

      if (operation == NULL || of_operation->before.source == LC_COST_UNKNOWN)
        continue;
      lc_json_begin_object (json, operation->name);
      append_cost (json, "before", &of_operation->before);
      append_cost (json, "inside", &of_operation->inside);
      append_cost (json, "after", &of_operation->after);
      lc_json_end_object (json);
    }
  lc_json_end_object (json);
}

/* In the order of LcWaitLength. */
static void
append_wakes (LcJson *json, const LcCosts *costs, guint32 operation)
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
append_own_costs (LcJson *json, const LcCosts *costs, LcTrace *trace)
{
  lc_json_begin_object (json, "cost");
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);
      const LcOperationCosts *of_operation = &costs->operations[i];

      if (operation == NULL ||
          (of_operation->nowait.source == LC_COST_UNKNOWN && of_operation->wait.source == LC_COST_UNKNOWN))
        continue;
      lc_json_begin_object (json, operation->name);
      append_cost (json, "nowait", &of_operation->nowait);
      append_cost (json, "wait", &of_operation->wait);
      append_wakes (json, costs, i);
      lc_json_end_object (json);
    }
  append_cost (json, "copy", &costs->copy);
  lc_json_end_object (json);
}

static void
append_messages (LcJson *json, const char *key, const LcMessageCosts *messages)
{
  if (messages->startup.source == LC_COST_UNKNOWN)
    return;
  lc_json_begin_object (json, key);
  append_cost (json, "startup", &messages->startup);
  append_cost (json, "per_byte", &messages->per_byte);
  append_cost (json, "per_hop", &messages->per_hop);
  lc_json_end_object (json);
}

static void
append_processors (LcJson *json)
{
  lc_json_begin_object (json, "processors");
  lc_json_add_string (json, "preemption", "remove");
  lc_json_end_object (json);
}

static void
append_communication (LcJson *json, const LcCosts *costs)
{
  lc_json_begin_object (json, "communication");
  if (costs->model != NULL)
    lc_json_add_string (json, "model", costs->model);
  lc_json_add_string (json, "topology", lc_costs_topology_name (costs->topology));
  if (costs->topology == LC_TOPOLOGY_MESH || costs->topology == LC_TOPOLOGY_TORUS)
    {
      lc_json_add_real (json, "width", costs->width);
      lc_json_add_real (json, "height", costs->height);
    }
  if (costs->short_below > 0)
    lc_json_add_real (json, "short_below", (double)costs->short_below);
  append_messages (json, "short", &costs->of_short);
  append_messages (json, "long", &costs->of_long);
  lc_json_end_object (json);
}

char *
lc_costs_dup_json (const LcCosts *costs, LcTrace *trace)
{
  LcJson json = LC_JSON_INIT_COMPACT ();

  lc_json_begin_object (&json, NULL);
  append_overheads (&json, costs, trace);
  append_other_overheads (&json, costs, trace);
  append_own_costs (&json, costs, trace);
  lc_json_begin_object (&json, "barrier");
  lc_json_add_string (&json, "exit", lc_costs_exit_name (costs->exit));
  lc_json_add_string (&json, "exit_source", source_names[costs->exit_source]);
  append_cost (&json, "beta", &costs->beta);
  lc_json_end_object (&json);
  append_communication (&json, costs);
  if (costs->removes_preemption)
    append_processors (&json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
