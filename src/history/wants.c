/* SPDX-License-Identifier: Apache-2.0 */
/* Inverts the rules: from arcs by name to what the events of each operation of a trace require and supply. */
#include "wants.h"

#include <string.h>

/* The class of operations that leave the program. */
#define OUTSIDE_CLASS "io"

guint32
lc_wants_find_operation (LcTrace *trace, const char *name)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static gboolean
wants_is_plain (const LcWant *want)
{
  return !want->counted && !want->group;
}

static gboolean
wants_is_group (const LcRules *rules, const LcArcRule *rule)
{
  return lc_rules_get_operation (rules, rule->to)->members && strcmp (rule->from, rule->to) == 0;
}

/* Arcs to the same operation with the same step are alternatives if they are not counted. If they are counted in the
 * same way, their events are counted together. */
static LcWant *
find_want (LcWants *wants, const LcRules *rules, guint32 to, const LcArcRule *rule)
{
  GPtrArray *of = wants->operations[to].wants;

  for (guint i = 0; of != NULL && !wants_is_group (rules, rule) && i < of->len; i++)
    {
      LcWant *want = of->pdata[i];

      if (want->step == rule->step && !want->group && want->counted == rule->counted && want->less == rule->less &&
          want->keeps == rule->keeps && want->soft == rule->soft)
        return want;
    }
  return NULL;
}

static LcWant *
add_want (LcWants *wants, const LcRules *rules, guint32 to, const LcArcRule *rule)
{
  const LcClassRule *class_rule = lc_rules_get_class (rules, rule->class_name);
  LcWant *want = g_new0 (LcWant, 1);

  want->id = wants->wants->len;
  want->from = LC_TRACE_NONE;
  want->to = to;
  want->step = rule->step;
  want->counted = rule->counted;
  want->less = rule->less;
  want->group = wants_is_group (rules, rule);
  want->first = class_rule->first;
  want->given = class_rule->given;
  want->keeps = rule->keeps;
  want->soft = rule->soft;
  want->told = class_rule->taken && rule->kind == LC_ARC_DATA && !want->group;
  want->answers = g_array_new (FALSE, FALSE, sizeof (LcAnswer));
  g_ptr_array_add (wants->wants, want);
  if (wants->operations[to].wants == NULL)
    wants->operations[to].wants = g_ptr_array_new ();
  g_ptr_array_add (wants->operations[to].wants, want);
  return want;
}

static void
add_answer (LcWant *want, guint32 from, const LcArcRule *given, const LcArcRule *rule)
{
  const LcAnswer answer = {from, given, rule};
  gboolean is_first = TRUE;

  for (guint i = 0; i < want->answers->len; i++)
    is_first &= rule->place < g_array_index (want->answers, LcAnswer, i).rule->place;
  if (is_first)
    want->from = from;
  want->lasting |= !rule->uses.by_value && rule->uses.number == 0;
  g_array_append_val (want->answers, answer);
}

static void
add_gift (LcWants *wants, guint32 from, const LcWant *want, const LcArcRule *rule)
{
  GArray **gifts =
      rule->from_point == LC_POINT_BEGIN ? &wants->operations[from].at_begin : &wants->operations[from].at_end;
  const LcGift gift = {want, rule, rule->uses, NULL};

  if (*gifts == NULL)
    *gifts = g_array_new (FALSE, FALSE, sizeof gift);
  g_array_append_val (*gifts, gift);
}

/* --- Shared entries ---------------------------------------------------------------------------------------------- */

static void
wants_unite (LcWants *wants, guint32 id, guint32 with)
{
  for (guint i = 0; i < wants->wants->len; i++)
    {
      LcWant *want = wants->wants->pdata[i];

      if (want->id == id)
        want->id = with;
    }
}

/* Operations that take the same points are alternatives too: the supplier does not know which of them will take its
 * point. */
static void
wants_share (LcWants *wants, const GArray *gifts)
{
  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    for (guint k = i + 1; k < gifts->len; k++)
      {
        const LcWant *one = g_array_index (gifts, LcGift, i).want, *other = g_array_index (gifts, LcGift, k).want;

        if (wants_is_plain (one) && wants_is_plain (other) && one->step == other->step && one->id != other->id)
          wants_unite (wants, other->id, one->id);
      }
}

/* If arcs disagree on how many events need a supply, the larger number is taken; 0 is any number. */
static LcHowMany
wants_combine (LcHowMany one, LcHowMany other)
{
  if ((!one.by_value && one.number == 0) || (!other.by_value && other.number == 0))
    return (LcHowMany){FALSE, 0};
  if (one.by_value != other.by_value)
    return (LcHowMany){FALSE, 0};
  return (LcHowMany){one.by_value, one.by_value ? MIN (one.number, other.number) : MAX (one.number, other.number)};
}

/* Supplies for the same entry are given once: the first stands for all. */
static void
give_once (LcWants *wants, GArray *gifts)
{
  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    for (guint k = gifts->len; k-- > i + 1;)
      {
        LcGift *kept = &g_array_index (gifts, LcGift, i);
        const LcGift also = g_array_index (gifts, LcGift, k);

        if (also.want->id != kept->want->id)
          continue;
        kept->uses = wants_combine (kept->uses, also.uses);
        for (guint j = 0; j < wants->wants->len; j++)
          {
            GArray *answers = ((LcWant *)wants->wants->pdata[j])->answers;

            for (guint l = 0; l < answers->len; l++)
              if (g_array_index (answers, LcAnswer, l).given == also.rule)
                g_array_index (answers, LcAnswer, l).given = kept->rule;
          }
        g_array_remove_index (gifts, k);
      }
}

/* A supply counts as missing as soon as one requirement that needs it stays unmet. */
static void
share_told (LcWants *wants)
{
  for (guint i = 0; i < wants->wants->len; i++)
    for (guint k = 0; k < wants->wants->len; k++)
      {
        LcWant *want = wants->wants->pdata[i];
        const LcWant *other = wants->wants->pdata[k];

        want->told |= other->told && other->id == want->id;
      }
}

const LcArcRule *
lc_want_find_answer (const LcWant *want, const LcArcRule *given)
{
  for (guint i = 0; i < want->answers->len; i++)
    if (g_array_index (want->answers, LcAnswer, i).given == given)
      return g_array_index (want->answers, LcAnswer, i).rule;
  return NULL;
}

guint32
lc_wants_find_taker (const LcWants *wants, guint32 id)
{
  guint32 found = LC_TRACE_NONE;
  guint least = G_MAXUINT;

  for (guint i = 0; i < wants->wants->len; i++)
    {
      const LcWant *want = wants->wants->pdata[i];

      for (guint k = 0; want->id == id && k < want->answers->len; k++)
        {
          const guint place = g_array_index (want->answers, LcAnswer, k).rule->place;

          if (found == LC_TRACE_NONE || place < least)
            {
              found = wants->operation_of[want->to];
              least = place;
            }
        }
    }
  return found;
}

/* --- Unneeded supplies ------------------------------------------------------------------------------------------- */

static gboolean
is_answered_by (const LcWant *want, guint32 operation)
{
  for (guint i = 0; i < want->answers->len; i++)
    if (g_array_index (want->answers, LcAnswer, i).from == operation)
      return TRUE;
  return FALSE;
}

/* Whether an event of the operation takes from the same entries as `want`. */
static gboolean
wants_takes (const LcWants *wants, guint32 operation, const LcWant *want)
{
  const GPtrArray *of = wants->operations[operation].wants;

  for (guint i = 0; of != NULL && i < of->len; i++)
    if (((const LcWant *)of->pdata[i])->id == want->id)
      return TRUE;
  return FALSE;
}

/* Recognizes a rendezvous: one side takes what the other supplies, and itself supplies at its begin what the other
 * takes. All that take the supply `back` must also supply what is taken here. */
static gboolean
is_given_back (const LcWants *wants, const LcWant *want, const LcWant *back)
{
  gboolean both = FALSE;

  if (!wants_is_plain (want) || !wants_is_plain (back) || want->keeps || want->lasting || back->lasting ||
      want->id == back->id || back->step != -want->step)
    return FALSE;
  for (guint i = 0; i < wants->wants->len; i++)
    {
      const LcWant *taker = wants->wants->pdata[i];

      if (taker->id == back->id && !is_answered_by (want, taker->to))
        return FALSE;
    }
  for (guint i = 0; i < back->answers->len; i++)
    {
      const LcAnswer *answer = &g_array_index (back->answers, LcAnswer, i);

      both |= answer->rule->from_point == LC_POINT_BEGIN && wants_takes (wants, answer->from, want);
    }
  return both;
}

/* Marks supplies for `back` as unneeded if their taker is known to have another partner by then. */
static void
set_unless (LcWants *wants, const LcWant *want, const LcWant *back)
{
  for (guint32 i = 0; i < wants->n_rows; i++)
    {
      GArray *gifts = wants->operations[i].at_begin;

      for (guint k = 0; gifts != NULL && k < gifts->len; k++)
        if (g_array_index (gifts, LcGift, k).want->id == back->id)
          g_array_index (gifts, LcGift, k).unless = want;
    }
}

static void
add_refusals (LcWants *wants, LcWant *want)
{
  for (guint i = 0; i < wants->wants->len; i++)
    {
      const LcWant *back = wants->wants->pdata[i];

      if (!is_given_back (wants, want, back))
        continue;
      for (guint k = 0; k < want->answers->len; k++)
        {
          const LcAnswer *answer = &g_array_index (want->answers, LcAnswer, k);
          const LcRefusal refusal = {answer->given, back};

          if (wants_takes (wants, answer->from, back) || lc_want_refuses (want, answer->given, back))
            continue;
          if (want->refusals == NULL)
            want->refusals = g_array_new (FALSE, FALSE, sizeof refusal);
          g_array_append_val (want->refusals, refusal);
          set_unless (wants, want, back);
        }
    }
}

gboolean
lc_want_refuses (const LcWant *want, const LcArcRule *given, const LcWant *unneeded)
{
  for (guint i = 0; want->refusals != NULL && i < want->refusals->len; i++)
    {
      const LcRefusal *refusal = &g_array_index (want->refusals, LcRefusal, i);

      if (refusal->answer == given && refusal->unneeded->id == unneeded->id)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_holding_pair (const LcClassRule *rule, const char *from, const char *to)
{
  for (gsize i = 0; rule->holding != NULL && rule->holding[i] != NULL && rule->holding[i + 1] != NULL; i += 2)
    if (strcmp (rule->holding[i], from) == 0 && strcmp (rule->holding[i + 1], to) == 0)
      return TRUE;
  return FALSE;
}

static const char *
wants_name_of (const LcWants *wants, LcTrace *trace, guint32 row)
{
  return lc_trace_get_operation (trace, wants->operation_of[row])->name;
}

/* An event that ends a hold shows that the hold has begun, so nobody needs any more what its begin had to wait for. */
static void
add_closings (LcWants *wants, LcTrace *trace, const LcRules *rules, LcWant *want)
{
  const char *to = wants_name_of (wants, trace, want->to), *from = wants_name_of (wants, trace, want->from);
  const LcClassRule *class_rule = lc_rules_get_class (rules, lc_rules_get_operation (rules, to)->class_name);

  for (guint i = 0; want->counted && !want->group && i < wants->wants->len; i++)
    {
      const LcWant *other = wants->wants->pdata[i];
      const LcClosing closing = {other, -want->step};

      if (!other->lasting || !wants_is_plain (other) ||
          !is_holding_pair (class_rule, wants_name_of (wants, trace, other->to), from))
        continue;
      if (want->closings == NULL)
        want->closings = g_array_new (FALSE, FALSE, sizeof closing);
      g_array_append_val (want->closings, closing);
    }
}

/* --- All of it --------------------------------------------------------------------------------------------------- */

static void
want_free (gpointer data)
{
  LcWant *want = data;

  g_array_unref (want->answers);
  g_clear_pointer (&want->closings, g_array_unref);
  g_clear_pointer (&want->refusals, g_array_unref);
  g_free (want);
}

/* Adds a row for each operation, and a second one where an event requires more if it has waited. */
static void
wants_add_rows (LcWants *wants, LcTrace *trace, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  wants->n_operations = wants->n_rows = lc_trace_get_n_operations (trace);
  wants->waited = g_new (guint32, wants->n_operations);
  wants->operation_of = g_new (guint32, 2 * (gsize)wants->n_operations);
  for (guint32 i = 0; i < wants->n_operations; i++)
    {
      wants->waited[i] = LC_TRACE_NONE;
      wants->operation_of[i] = i;
    }
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *rule = arcs->pdata[i];
      const guint32 to = rule->soft ? lc_wants_find_operation (trace, rule->to) : LC_TRACE_NONE;

      if (to == LC_TRACE_NONE || wants->waited[to] != LC_TRACE_NONE)
        continue;
      wants->waited[to] = wants->n_rows;
      wants->operation_of[wants->n_rows++] = to;
    }
  wants->operations = g_new0 (LcOperationWants, wants->n_rows);
  for (guint32 i = 0; i < wants->n_rows; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, wants->operation_of[i]);
      const LcOperationRule *rule = operation != NULL ? lc_rules_get_operation (rules, operation->name) : NULL;

      wants->operations[i].outside = rule != NULL && g_strcmp0 (rule->class_name, OUTSIDE_CLASS) == 0;
      wants->operations[i].waits = rule != NULL && rule->waits && rule->timing == LC_TIMING_RELEASE;
      wants->operations[i].polls = rule != NULL && rule->timing == LC_TIMING_POLL;
    }
}

static const LcArcRule *
copy_rule (LcWants *wants, const LcArcRule *rule)
{
  LcArcRule *copy = g_memdup2 (rule, sizeof *rule);

  g_ptr_array_add (wants->copies, copy);
  return copy;
}

static void
wants_add_arc (LcWants *wants, const LcRules *rules, guint32 from, guint32 to, const LcArcRule *rule)
{
  const guint32 waited = wants->waited[from];
  LcWant *want = find_want (wants, rules, to, rule);

  if (want == NULL)
    want = add_want (wants, rules, to, rule);
  add_answer (want, from, rule, rule);
  add_gift (wants, from, want, rule);
  if (waited != LC_TRACE_NONE)
    {
      const LcArcRule *given = copy_rule (wants, rule);

      add_answer (want, waited, given, rule);
      add_gift (wants, waited, want, given);
    }
}

static void
wants_add_arcs (LcWants *wants, LcTrace *trace, const LcRules *rules)
{
  const GPtrArray *arcs = lc_rules_get_arcs (rules);

  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *rule = arcs->pdata[i];
      const guint32 from = lc_wants_find_operation (trace, rule->from);
      const guint32 to = lc_wants_find_operation (trace, rule->to);

      if (from == LC_TRACE_NONE || to == LC_TRACE_NONE)
        continue;
      if (!rule->soft)
        wants_add_arc (wants, rules, from, to, rule);
      if (wants->waited[to] != LC_TRACE_NONE)
        wants_add_arc (wants, rules, from, wants->waited[to], rule);
    }
}

LcWants *
lc_wants_new (LcTrace *trace, const LcRules *rules)
{
  LcWants *wants = g_new0 (LcWants, 1);

  wants->wants = g_ptr_array_new_with_free_func (want_free);
  wants->copies = g_ptr_array_new_with_free_func (g_free);
  wants_add_rows (wants, trace, rules);
  wants_add_arcs (wants, trace, rules);
  for (guint32 i = 0; i < wants->n_rows; i++)
    {
      wants_share (wants, wants->operations[i].at_begin);
      wants_share (wants, wants->operations[i].at_end);
    }
  for (guint32 i = 0; i < wants->n_rows; i++)
    {
      give_once (wants, wants->operations[i].at_begin);
      give_once (wants, wants->operations[i].at_end);
    }
  share_told (wants);
  for (guint i = 0; i < wants->wants->len; i++)
    {
      LcWant *want = wants->wants->pdata[i];

      add_refusals (wants, want);
      add_closings (wants, trace, rules, want);
      wants->operations[want->to].has_groups |= want->group;
      wants->operations[want->to].lingers |= want->keeps;
      wants->operations[want->to].has_closings |= want->closings != NULL;
    }
  return wants;
}

void
lc_wants_free (LcWants *wants)
{
  for (guint32 i = 0; i < wants->n_rows; i++)
    {
      g_clear_pointer (&wants->operations[i].wants, g_ptr_array_unref);
      g_clear_pointer (&wants->operations[i].at_begin, g_array_unref);
      g_clear_pointer (&wants->operations[i].at_end, g_array_unref);
    }
  g_free (wants->operations);
  g_free (wants->operation_of);
  g_free (wants->waited);
  g_ptr_array_unref (wants->wants);
  g_ptr_array_unref (wants->copies);
  g_free (wants);
}
