/* SPDX-License-Identifier: Apache-2.0 */
/* Events of one process that wait to become a block: as bytes, so that ten thousand processes need little memory. */
#ifndef LC_HISTORY_PACKED_H
#define LC_HISTORY_PACKED_H

#include "block.h"

/* An event of a process as it comes from the sweep. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint64 waited;
  guint64 layer;
  gint64 sequence;
  gint64 value;
  guint64 bytes;
  guint32 object;
  guint32 peer;
  guint16 operation;
  guint16 cpu;
  guint16 flags;
  gint16 basis;
  guint32 n_arcs; /* LcBlockArc, kept apart */
} LcEventRow;

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

void lc_packed_add (LcPacked *packed, const LcEventRow *event, const LcBlockArc *arcs);

/* Makes a block of all events, and forgets them. */
void lc_packed_take (LcPacked *packed, LcBlock *block);
void lc_packed_clear (LcPacked *packed);

/* Makes a block of rows; their arcs are in it already. */
void lc_block_set_rows (LcBlock *block, const LcEventRow *rows, guint32 n_rows);

#endif
