/* SPDX-License-Identifier: Apache-2.0 */
/* Events of one process that wait to become a block: as bytes, so that ten thousand processes need little memory. */
#ifndef LC_HISTORY_PACKED_H
#define LC_HISTORY_PACKED_H

#include "block.h"

typedef struct
{
  guint8 *bytes;
  gsize size;
  gsize room;
  guint32 n_events;
  guint64 end; /* of the last event */
  guint64 layer;
  gint64 sequence;
} LcPacked;

/* `event` and its `n_arcs` arcs; process and ordinal are not kept. */
void lc_packed_add (LcPacked *packed, const LcHistoryEvent *event, const LcBlockArc *arcs);

/* Appends all events to a block, and forgets them. */
void lc_packed_take (LcPacked *packed, LcBlock *block);
void lc_packed_clear (LcPacked *packed);

/* Adds an event at the end of a block that has room for it. */
static inline void
lc_block_append (LcBlock *block, const LcHistoryEvent *event, const LcBlockArc *arcs)
{
  guint32 i = block->n_events++;

  block->begin[i] = event->begin;
  block->end[i] = event->end;
  block->waited[i] = event->waited;
  block->layer[i] = event->layer;
  block->sequence[i] = event->sequence;
  block->value[i] = event->value;
  block->bytes[i] = event->bytes;
  block->object[i] = event->object;
  block->peer[i] = event->peer;
  block->operation[i] = event->operation;
  block->cpu[i] = event->cpu;
  block->flags[i] = event->flags;
  block->basis[i] = event->basis;
  block->first_arc[i] = block->arcs->len;
  if (event->n_arcs > 0)
    g_array_append_vals (block->arcs, arcs, event->n_arcs);
  block->first_arc[i + 1] = block->arcs->len;
}

#endif
