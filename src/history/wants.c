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
  const LcGift gift = {want, rule, NULL, NULL};

  if (*gifts == NULL)
    *gifts = g_array_new (FALSE, FALSE, sizeof gift);
  g_array_append_val (*gifts, gift);
}

/* The arc from one operation that fulfils a want. */
static const LcArcRule *
find_answer (const LcWants *wants, guint32 from, const LcWant *want)
{
  const GArray *gifts[] = {wants->operations[from].at_begin, wants->operations[from].at_end};

  for (gsize i = 0; i < G_N_ELEMENTS (gifts); i++)
    for (guint k = 0; gifts[i] != NULL && k < gifts[i]->len; k++)
      if (g_array_index (gifts[i], LcGift, k).want == want)
        return g_array_index (gifts[i], LcGift, k).rule;
  return NULL;
}

/*
 * A rendezvous: what its one side gives at its begin, for the other side, is for nobody if another operation than the
 * other side's has been its partner.
 */
static void
add_refusals (LcWants *wants, guint32 operation, LcWant *want)
{
  GArray *gifts = wants->operations[operation].at_begin;

  for (guint i = 0; gifts != NULL && want->once && !want->counted && !want->group && i < gifts->len; i++)
    {
      LcGift *gift = &g_array_index (gifts, LcGift, i);
      const LcWant *given = gift->want;
      const LcRefusal refusal = {find_answer (wants, given->to, want), given};

      if (refusal.answer == NULL || !given->once || given->counted || given->group || given->step != -want->step)
        continue;
      if (want->refusals == NULL)
        want->refusals = g_array_new (FALSE, FALSE, sizeof refusal);
      g_array_append_val (want->refusals, refusal);
      gift->unless = want;
      gift->answer = refusal.answer;
    }
}

static gboolean
is_holding_pair (const LcClassRule *rule, const char *from, const char *to)
{
  for (gsize i = 0; rule->holding != NULL && rule->holding[i] != NULL && rule->holding[i + 1] != NULL; i += 2)
    if (strcmp (rule->holding[i], from) == 0 && strcmp (rule->holding[i + 1], to) == 0)
      return TRUE;
  return FALSE;
}

/* Whoever has ended to hold something has begun to, and needs no more what that had to wait for. */
static void
add_closings (LcWants *wants, LcTrace *trace, const LcRules *rules, LcWant *want)
{
  const char *to = lc_trace_get_operation (trace, want->to)->name;
  const char *from = lc_trace_get_operation (trace, want->from)->name;
  const LcClassRule *class_rule = lc_rules_get_class (rules, lc_rules_get_operation (rules, to)->class_name);

  for (guint i = 0; want->counted && !want->group && i < wants->wants->len; i++)
    {
      const LcWant *other = wants->wants->pdata[i];
      const LcClosing closing = {other, -want->step};

      if (other->once || other->counted || other->group ||
          !is_holding_pair (class_rule, lc_trace_get_operation (trace, other->to)->name, from))
        continue;
      if (want->closings == NULL)
        want->closings = g_array_new (FALSE, FALSE, sizeof closing);
      g_array_append_val (want->closings, closing);
    }
}

static void
want_free (gpointer data)
{
  LcWant *want = data;

  g_clear_pointer (&want->closings, g_array_unref);
  g_clear_pointer (&want->refusals, g_array_unref);
  g_free (want);
}

LcWants *
lc_wants_new (LcTrace *trace, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);
  LcWants *wants = g_new0 (LcWants, 1);

  wants->n_operations = lc_trace_get_n_operations (trace);
  wants->operations = g_new0 (LcOperationWants, wants->n_operations);
  wants->wants = g_ptr_array_new_with_free_func (want_free);
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
  for (guint i = 0; i < wants->wants->len; i++)
    {
      LcWant *want = wants->wants->pdata[i];

      add_refusals (wants, want->to, want);
      add_closings (wants, trace, rules, want);
      wants->operations[want->to].has_groups |= want->group;
      wants->operations[want->to].has_closings |= want->closings != NULL;
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
