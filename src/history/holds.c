/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what a process holds at the begin of a block, with all that is needed to follow it from there, and follows it
 * through the block. */
#include "connection.h"

static gboolean
fill_hold (LcConnection *connection, guint32 timeline, guint32 process, const LcBlockHeld *held, gboolean since,
           LcHold *hold, GError **error)
{
  const LcColumns columns = LC_COLUMN_IDENTITY | (since ? LC_COLUMN_TIME : 0);
  guint32 i = (guint32)(held->ordinal % LC_BLOCK_EVENTS);
  const LcBlock *block =
      lc_connection_get_block (connection, timeline, process, held->ordinal / LC_BLOCK_EVENTS, columns, error);

  if (block == NULL)
    return FALSE;
  *hold = (LcHold){.ordinal = held->ordinal,
                   .since = since ? block->end[i] : 0,
                   .sequence = block->sequence[i],
                   .object = held->object,
                   .operation = block->operation[i],
                   .flags = block->flags[i]};
  return TRUE;
}

GArray *
lc_connection_list_holds (LcConnection *connection, guint32 timeline, const LcBlock *block, gboolean since,
                          GError **error)
{
  g_autoptr (GArray) holds = g_array_new (FALSE, FALSE, sizeof (LcHold));
  guint32 process = block->process;
  gboolean good = TRUE;

  lc_connection_hold_block (connection, block);
  for (guint i = 0; good && i < block->held->len; i++)
    {
      const LcBlockHeld *held = &g_array_index (block->held, LcBlockHeld, i);
      LcHold hold;

      if (held->ordinal < block->first_ordinal)
        good = fill_hold (connection, timeline, process, held, since, &hold, error);
      else
        {
          lc_history_set_damaged (lc_connection_get_history (connection), error,
                                  "what process %u holds at event %" G_GUINT64_FORMAT, process, block->first_ordinal);
          good = FALSE;
        }
      if (good)
        g_array_append_val (holds, hold);
    }
  lc_connection_release_block (connection, block);
  return good ? g_steal_pointer (&holds) : NULL;
}

/* --- Through a block ---------------------------------------------------------------------------------------------- */

static inline void
holds_set (guint64 *bits, guint32 i, gboolean set)
{
  bits[i / 64] |= (guint64)(set != 0) << i % 64;
}

/* `gaps`: NULL, or those in which what was held may have been given back. */
static void
holds_follow (const LcHoldingPairs *pairs, const GArray *gaps, const LcBlock *block, GArray *holds,
              LcBlockHolding *holding)
{
  const guint8 *changes = lc_holding_pairs_get_changes (pairs);

  for (guint32 i = 0; i < block->n_events; i++)
    {
      const gboolean changed = changes[block->operation[i]];
      LcHold ended;
      guint64 until;

      while (gaps != NULL && lc_holding_lose (gaps, holds, block->begin[i], &ended, &until))
        ;
      holds_set (holding->before, i, holds->len > 0);
      if (changed)
        lc_holding_end (pairs, holds, block, i, &ended);
      holds_set (holding->inside, i, holds->len > 0);
      holds_set (holding->outside, i, block->flags[i] & LC_HISTORY_EVENT_OUTSIDE);
      if (changed)
        lc_holding_begin (pairs, &holds, block, i);
    }
}

/* Whoever asks needs the times of the block next, so they are read along. NULL: an error. */
static LcBlockHolding *
holds_read (LcConnection *connection, guint32 timeline, guint32 process, guint number, GError **error)
{
  LcHistory *history = lc_connection_get_history (connection);
  const GArray *gaps = timeline == LC_TIMELINE_MEASURED ? lc_history_get_gaps (history) : NULL;
  const LcBlock *block =
      lc_connection_get_block (connection, timeline, process, number,
                               LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_STATE | LC_COLUMN_HELD, error);
  g_autoptr (GArray) holds = NULL;
  LcBlockHolding *holding;

  if (gaps != NULL && gaps->len == 0)
    gaps = NULL;
  /* When something was taken matters only where a gap may have ended it. */
  if (block != NULL)
    holds = lc_connection_list_holds (connection, timeline, block, gaps != NULL, error);
  if (holds == NULL)
    return NULL;
  holding = g_new0 (LcBlockHolding, 1);
  holds_follow (history->pairs, gaps, block, holds, holding);
  return holding;
}

gboolean
lc_connection_get_holding (LcConnection *connection, guint32 timeline, guint32 process, guint number,
                           LcBlockHolding *holding, GError **error)
{
  const LcCacheKey key = {LC_CACHED_HELD, timeline, (guint64)process << 32 | number};
  LcBlockHolding *kept = lc_connection_find (connection, &key);

  if (kept == NULL)
    {
      kept = holds_read (connection, timeline, process, number, error);
      if (kept == NULL)
        return FALSE;
      kept = lc_connection_keep (connection, &key, kept, sizeof *kept + sizeof (LcCacheItem), g_free);
    }
  *holding = *kept;
  return TRUE;
}
