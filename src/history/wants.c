/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the rules round: from arcs by name to what each operation of a trace waits for and gives. */
#include "wants.h"

#include <string.h>

static guint32
find_operation (LcTrace *trace, const char *name)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

/* Arcs that are not counted, to the same operation and with the same step, are alternatives. */
static LcWant *
find_want (LcWants *wants, guint32 to, const LcArcRule *rule)
{
  GPtrArray *of = wants->operations[to].wants;

  for (guint i = 0; of != NULL && !rule->counted && i < of->len; i++)
    {
      LcWant *want = of->pdata[i];

      if (want->step == rule->step && !want->counted)
        return want;
    }
  return NULL;
}

static LcWant *
add_want (LcWants *wants, const LcRules *rules, guint32 from, guint32 to, const LcArcRule *rule)
{
  const LcOperationRule *operation = lc_rules_get_operation (rules, rule->to);
  const LcClassRule *class_rule = lc_rules_get_class (rules, rule->class_name);
  LcWant *want = g_new0 (LcWant, 1);

  want->id = wants->wants->len;
  want->from = from;
  want->to = to;
  want->step = rule->step;
  want->counted = rule->counted;
  want->group = operation->members && strcmp (rule->from, rule->to) == 0;
  want->once = TRUE;
  want->first = class_rule->first;
  want->given = class_rule->given;
  g_ptr_array_add (wants->wants, want);
  if (wants->operations[to].wants == NULL)
    wants->operations[to].wants = g_ptr_array_new ();
  g_ptr_array_add (wants->operations[to].wants, want);
  return want;
}

static void
add_gift (LcWants *wants, guint32 from, const LcWant *want, const LcArcRule *rule)
{
  GArray **gifts =
      rule->from_point == LC_POINT_BEGIN ? &wants->operations[from].at_begin : &wants->operations[from].at_end;
  const LcGift gift = {want, rule};

  if (*gifts == NULL)
    *gifts = g_array_new (FALSE, FALSE, sizeof gift);
  g_array_append_val (*gifts, gift);
}

LcWants *
lc_wants_new (LcTrace *trace, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);
  LcWants *wants = g_new0 (LcWants, 1);

  wants->n_operations = lc_trace_get_n_operations (trace);
  wants->operations = g_new0 (LcOperationWants, wants->n_operations);
  wants->wants = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *rule = arcs->pdata[i];
      guint32 from = find_operation (trace, rule->from), to = find_operation (trace, rule->to);
      LcWant *want;

      if (from == LC_TRACE_NONE || to == LC_TRACE_NONE)
        continue;
      want = find_want (wants, to, rule);
      if (want == NULL)
        want = add_want (wants, rules, from, to, rule);
      want->once &= rule->once;
      add_gift (wants, from, want, rule);
    }
  return wants;
}

void
lc_wants_free (LcWants *wants)
{
  for (guint32 i = 0; i < wants->n_operations; i++)
    {
      g_clear_pointer (&wants->operations[i].wants, g_ptr_array_unref);
      g_clear_pointer (&wants->operations[i].at_begin, g_array_unref);
      g_clear_pointer (&wants->operations[i].at_end, g_array_unref);
    }
  g_free (wants->operations);
  g_ptr_array_unref (wants->wants);
  g_free (wants);
}
