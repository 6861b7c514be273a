/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what a process holds at the begin of a block, with all that is needed to follow it from there. */
#include "reader.h"

static gboolean
fill_hold (LcConnection *connection, guint32 timeline, guint32 process, const LcBlockHeld *held, LcHold *hold,
           GError **error)
{
  guint32 i = (guint32)(held->ordinal % LC_BLOCK_EVENTS);
  const LcBlock *block = lc_connection_get_block (connection, timeline, process, held->ordinal / LC_BLOCK_EVENTS,
                                                  LC_COLUMN_TIME | LC_COLUMN_IDENTITY, error);

  if (block == NULL)
    return FALSE;
  *hold = (LcHold){.ordinal = held->ordinal,
                   .since = block->end[i],
                   .sequence = block->sequence[i],
                   .object = held->object,
                   .operation = block->operation[i],
                   .flags = block->flags[i]};
  return TRUE;
}

GArray *
lc_connection_list_holds (LcConnection *connection, guint32 timeline, const LcBlock *block, GError **error)
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
        good = fill_hold (connection, timeline, process, held, &hold, error);
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
