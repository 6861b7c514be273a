/* SPDX-License-Identifier: Apache-2.0 */
/* Follows what one process holds; holds usually nest, but need not. */
#include "holding.h"
#include "trace/gaps.h"

#include <string.h>

typedef struct
{
  gboolean takes;
  GArray *gives; /* guint16: the operations whose hold this one ends; or NULL */
} Effect;

struct _LcHoldingPairs
{
  Effect *effects; /* by operation */
  guint8 *changes; /* by operation: whether it has an effect */
  guint32 n_operations;
};

static guint32
holding_find_operation (LcTrace *trace, const char *name)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

LcHoldingPairs *
lc_holding_pairs_new_empty (guint32 n_operations)
{
  LcHoldingPairs *pairs = g_new0 (LcHoldingPairs, 1);

  pairs->n_operations = n_operations;
  pairs->effects = g_new0 (Effect, MAX (n_operations, 1));
  pairs->changes = g_new0 (guint8, MAX (n_operations, 1));
  return pairs;
}

void
lc_holding_pairs_add (LcHoldingPairs *pairs, guint32 from, guint32 to)
{
  const guint16 taken = (guint16)from;

  if (from >= pairs->n_operations || to >= pairs->n_operations)
    return;
  pairs->changes[from] = pairs->changes[to] = TRUE;
  pairs->effects[from].takes = TRUE;
  if (pairs->effects[to].gives == NULL)
    pairs->effects[to].gives = g_array_new (FALSE, FALSE, sizeof taken);
  g_array_append_val (pairs->effects[to].gives, taken);
}

LcHoldingPairs *
lc_holding_pairs_new (LcTrace *trace, const LcRules *rules)
{
  const GPtrArray *classes = lc_rules_get_classes (rules);
  LcHoldingPairs *pairs = lc_holding_pairs_new_empty (lc_trace_get_n_operations (trace));

  for (guint i = 0; i < classes->len; i++)
    {
      char **names = ((const LcClassRule *)classes->pdata[i])->holding;

      for (gsize j = 0; names != NULL && names[j] != NULL && names[j + 1] != NULL; j += 2)
        lc_holding_pairs_add (pairs, holding_find_operation (trace, names[j]),
                              holding_find_operation (trace, names[j + 1]));
    }
  return pairs;
}

void
lc_holding_pairs_free (LcHoldingPairs *pairs)
{
  for (guint32 i = 0; i < pairs->n_operations; i++)
    g_clear_pointer (&pairs->effects[i].gives, g_array_unref);
  g_free (pairs->effects);
  g_free (pairs->changes);
  g_free (pairs);
}

const guint8 *
lc_holding_pairs_get_changes (const LcHoldingPairs *pairs)
{
  return pairs->changes;
}

static gboolean
holding_is_pair (const GArray *gives, const LcHold *hold, const LcBlock *block, guint32 i)
{
  if (hold->object != block->object[i] ||
      (hold->flags & block->flags[i] & LC_TRACE_EVENT_SEQUENCE && hold->sequence != block->sequence[i]))
    return FALSE;
  for (guint k = 0; k < gives->len; k++)
    if (g_array_index (gives, guint16, k) == hold->operation)
      return TRUE;
  return FALSE;
}

gboolean
lc_holding_end (const LcHoldingPairs *pairs, GArray *holds, const LcBlock *block, guint32 i, LcHold *ended)
{
  const GArray *gives = pairs->effects[block->operation[i]].gives;

  if (gives == NULL || holds == NULL || block->object[i] == LC_TRACE_NONE)
    return FALSE;
  for (guint k = holds->len; k-- > 0;)
    if (holding_is_pair (gives, &g_array_index (holds, LcHold, k), block, i))
      {
        *ended = g_array_index (holds, LcHold, k);
        g_array_remove_index (holds, k);
        return TRUE;
      }
  return FALSE;
}

static void
holding_take (GArray **holds, const LcBlock *block, guint32 i)
{
  const LcHold hold = {.ordinal = block->first_ordinal + i,
                       .since = block->end[i],
                       .sequence = block->sequence[i],
                       .object = block->object[i],
                       .operation = block->operation[i],
                       .flags = block->flags[i]};

  if (*holds == NULL)
    *holds = g_array_new (FALSE, FALSE, sizeof hold);
  if ((*holds)->len < LC_HOLDING_LIMIT)
    g_array_append_val (*holds, hold);
}

void
lc_holding_begin (const LcHoldingPairs *pairs, GArray **holds, const LcBlock *block, guint32 i)
{
  if (pairs->effects[block->operation[i]].takes && block->object[i] != LC_TRACE_NONE)
    holding_take (holds, block, i);
}

gboolean
lc_holding_lose (const GArray *gaps, GArray *holds, guint64 time, LcHold *lost, guint64 *until)
{
  for (guint k = 0; gaps->len > 0 && holds != NULL && k < holds->len; k++)
    {
      const LcTraceGap *gap = lc_gaps_find_between (gaps, g_array_index (holds, LcHold, k).since, time);

      if (gap == NULL)
        continue;
      *lost = g_array_index (holds, LcHold, k);
      *until = gap->from;
      g_array_remove_index (holds, k);
      return TRUE;
    }
  return FALSE;
}

gboolean
lc_holding_takes (const LcHoldingPairs *pairs, guint16 operation)
{
  return pairs->effects[operation].takes;
}

gboolean
lc_holding_gives (const LcHoldingPairs *pairs, guint16 operation)
{
  return pairs->effects[operation].gives != NULL;
}
