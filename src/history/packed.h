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
void lc_block_append (LcBlock *block, const LcHistoryEvent *event, const LcBlockArc *arcs);

#endif
