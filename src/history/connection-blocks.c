/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks that a connection decoded last. A block joins the timeline's own columns with those of its base. */
#include "connection.h"

static LcSlot *
slot_at (const LcConnection *connection, guint i)
{
  return &g_array_index (connection->slots, LcSlot, i);
}

void
lc_connection_forget_blocks (LcConnection *connection)
{
  for (guint i = 0; i < connection->slots->len; i++)
    slot_at (connection, i)->columns = 0;
}

void
lc_connection_free_blocks (LcConnection *connection)
{
  for (guint i = 0; i < connection->slots->len; i++)
    lc_block_free (slot_at (connection, i)->block);
  g_array_unref (connection->slots);
}

static LcSlot *
connection_blocks_find_slot (LcConnection *connection, guint32 timeline, guint32 process, guint64 number)
{
  for (guint i = 0; i < connection->slots->len; i++)
    {
      LcSlot *slot = slot_at (connection, i);

      if (slot->number == number && slot->process == process && slot->timeline == timeline && slot->columns != 0)
        return slot;
    }
  return NULL;
}

/* Returns the slot that was unused longest and is not held, or a new one. */
static LcSlot *
choose_slot (LcConnection *connection)
{
  LcSlot fresh = {NULL}, *oldest = NULL;

  for (guint i = 0; i < connection->slots->len; i++)
    {
      LcSlot *slot = slot_at (connection, i);

      if (slot->held == 0 && (oldest == NULL || slot->used < oldest->used))
        oldest = slot;
    }
  if (oldest != NULL && connection->slots->len >= LC_CONNECTION_BLOCKS)
    return oldest;
  fresh.block = lc_block_new ();
  g_array_append_val (connection->slots, fresh);
  return slot_at (connection, connection->slots->len - 1);
}

static LcSlot *
connection_blocks_slot_of (LcConnection *connection, const LcBlock *block)
{
  for (guint i = 0; i < connection->slots->len; i++)
    if (slot_at (connection, i)->block == block)
      return slot_at (connection, i);
  g_assert_not_reached ();
}

void
lc_connection_hold_block (LcConnection *connection, const LcBlock *block)
{
  connection_blocks_slot_of (connection, block)->held++;
}

void
lc_connection_release_block (LcConnection *connection, const LcBlock *block)
{
  connection_blocks_slot_of (connection, block)->held--;
}

void
lc_connection_trim_blocks (LcConnection *connection)
{
  for (guint i = connection->slots->len; i > 0 && connection->slots->len > LC_CONNECTION_BLOCKS; i--)
    if (slot_at (connection, i - 1)->held == 0)
      {
        lc_block_free (slot_at (connection, i - 1)->block);
        g_array_remove_index_fast (connection->slots, i - 1);
      }
}

static gboolean
connection_blocks_decode (LcConnection *connection, guint32 timeline, LcBlock *block, guint64 row, LcColumns columns,
                          GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_BLOCK, error);
  gboolean good = FALSE;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, lc_timeline_key (timeline, row));
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      good = (columns & ~lc_block_get_columns (bytes, size)) == 0 && lc_block_decode (block, bytes, size, columns);
    }
  lc_statement_reset (statement);
  if (!good && step != LC_STEP_ERROR)
    lc_history_set_damaged (connection->history, error,
                            "block %" G_GUINT64_FORMAT " of process %u (row %" G_GUINT64_FORMAT ")",
                            block->first_ordinal / LC_BLOCK_EVENTS, block->process, row);
  return good;
}

/* Operations, objects, processes and rules are indices into tables, so they must be in range; LC_TRACE_NONE is
 * allowed. */
static gboolean
has_valid_numbers (const LcHistory *history, const LcBlock *block, LcColumns columns)
{
  guint32 operation = 0, object = 0, peer = 0, stack = 0;

  for (guint32 i = 0; columns & LC_COLUMN_IDENTITY && i < block->n_events; i++)
    {
      operation = MAX (operation, block->operation[i]);
      object = MAX (object, block->object[i] + 1);
    }
  for (guint32 i = 0; columns & LC_COLUMN_DETAIL && i < block->n_events; i++)
    peer = MAX (peer, block->peer[i] + 1);
  for (guint32 i = 0; columns & LC_COLUMN_PLACE && i < block->n_events; i++)
    stack = MAX (stack, block->stack[i] + 1);
  if ((columns & LC_COLUMN_IDENTITY && operation >= history->operations->len) || object > history->n_objects ||
      peer > history->processes->len || stack > history->n_stacks)
    return FALSE;
  for (guint i = 0; columns & LC_COLUMN_ARCS && i < block->arcs->len; i++)
    {
      const LcBlockArc *arc = &g_array_index (block->arcs, LcBlockArc, i);

      if (arc->process >= history->processes->len || arc->rule >= history->rules->len)
        return FALSE;
    }
  for (guint32 i = 0; columns & LC_COLUMN_ORIGIN && i < block->n_events; i++)
    if (block->origin_process[i] >= history->processes->len)
      return FALSE;
  for (guint i = 0; columns & LC_COLUMN_HELD && i < block->held->len; i++)
    if (g_array_index (block->held, LcBlockHeld, i).object >= history->n_objects)
      return FALSE;
  return TRUE;
}

/* A block whose checksum is right may still be the block of another place. */
static gboolean
check_block (LcConnection *connection, const LcBlock *block, const LcDirectory *directory, LcColumns columns,
             GError **error)
{
  guint64 number = block->first_ordinal / LC_BLOCK_EVENTS, left = directory->n_events - block->first_ordinal;
  const LcDirectoryEntry *entry = &g_array_index (directory->entries, LcDirectoryEntry, number);
  guint32 last = block->n_events - 1;

  if (block->n_events == MIN (left, LC_BLOCK_EVENTS) &&
      (!(columns & LC_COLUMN_TIME) || (block->begin[0] == entry->first_begin && block->end[last] == entry->last_end)) &&
      (!(columns & LC_COLUMN_LAYER) ||
       (block->layer[0] == entry->first_layer && block->layer[last] == entry->last_layer)) &&
      has_valid_numbers (connection->history, block, columns))
    return TRUE;
  lc_history_set_damaged (connection->history, error,
                          "block %" G_GUINT64_FORMAT " of process %u (row %" G_GUINT64_FORMAT ") is another one",
                          number, block->process, entry->row);
  return FALSE;
}

/* Reads some of the columns from the timeline's block. */
static gboolean
connection_blocks_fill (LcConnection *connection, LcSlot *slot, guint32 timeline, LcColumns columns, GError **error)
{
  const LcDirectory *directory = lc_connection_get_directory (connection, timeline, slot->process, error);

  if (directory == NULL)
    return FALSE;
  if (slot->number >= directory->entries->len)
    {
      g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                   "%s: there is no block %" G_GUINT64_FORMAT " of process %u", connection->history->path, slot->number,
                   slot->process);
      return FALSE;
    }
  return connection_blocks_decode (connection, timeline, slot->block,
                                   g_array_index (directory->entries, LcDirectoryEntry, slot->number).row, columns,
                                   error) &&
         check_block (connection, slot->block, directory, columns, error);
}

/* Reads the columns that the base has, then those that the timeline has of its own. */
static gboolean
fill_all (LcConnection *connection, LcSlot *slot, LcColumns columns, GError **error)
{
  LcColumns own = LC_COLUMN_MOVED;
  guint32 base;

  if (!lc_connection_get_base (connection, slot->timeline, &base, error))
    return FALSE;
  if (slot->timeline == base)
    own = base == LC_TIMELINE_MEASURED ? LC_COLUMN_MEASURED : LC_COLUMN_ALL;
  else if (columns & LC_COLUMN_MEASURED & ~(guint)own &&
           !connection_blocks_fill (connection, slot, base, columns & LC_COLUMN_MEASURED & ~(guint)own, error))
    return FALSE;
  return !(columns & own) || connection_blocks_fill (connection, slot, slot->timeline, columns & own, error);
}

const LcBlock *
lc_connection_get_block (LcConnection *connection, guint32 timeline, guint32 process, guint64 number, LcColumns columns,
                         GError **error)
{
  LcSlot *slot = connection_blocks_find_slot (connection, timeline, process, number);
  LcColumns missing = columns & ~(slot != NULL ? slot->columns : 0);
  gboolean good;

  if (slot == NULL)
    {
      slot = choose_slot (connection);
      lc_block_clear (slot->block);
      *slot = (LcSlot){.block = slot->block, .timeline = timeline, .process = process, .number = number};
      slot->block->process = process;
      slot->block->first_ordinal = number * LC_BLOCK_EVENTS;
    }
  slot->used = ++connection->clock;
  good = missing == 0 || fill_all (connection, slot, missing, error);
  if (!good)
    slot->columns = 0;
  else
    slot->columns |= columns;
  return good ? slot->block : NULL;
}
