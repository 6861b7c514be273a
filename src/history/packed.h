/* SPDX-License-Identifier: Apache-2.0 */
/* Events of one process that wait to become a block: as bytes, so that ten thousand processes need little memory. */
#ifndef LC_HISTORY_PACKED_H
#define LC_HISTORY_PACKED_H

#include "block.h"

/*
 * An event of a process as it comes from the sweep. One that has been moved in time, and no more, has removed and
 * gained for value and bytes, and nothing behind the flags: the measured timeline has it. Numbers that have only just
 * been found, one after the other, are not neighbours here: a compiler would take both at once, which has to wait until
 * both have come to memory.
 */
typedef struct
{
  guint64 begin;
  guint64 waited;
  guint64 end;
  guint64 layer;
  union
  {
    guint64 removed;
    gint64 value;
  };
  gint64 sequence;
  union
  {
    gint64 gained;
    guint64 bytes;
  };
  guint32 object;
  guint16 operation;
  guint16 flags;
  guint32 peer;
  guint32 n_arcs; /* LcBlockArc, kept apart */
  guint16 cpu;
  gint16 basis;
} LcEventRow;

/* More of it, on a timeline with an order of its own. */
typedef struct
{
  guint64 removed;
  gint64 gained;
  guint64 origin_ordinal;
  guint32 origin_process;
  gboolean reordered;
} LcEventWhy;

typedef struct
{
  guint8 *bytes;
  gsize size;
  gsize room;
  guint32 n_events;
  guint64 end; /* of the last event */
  guint64 layer;
  gint64 sequence;
  LcEventWhy why;
  gboolean has_why; /* as all of them have, or none */
} LcPacked;

/* `why`: or NULL. */
void lc_packed_add (LcPacked *packed, const LcEventRow *event, const LcEventWhy *why, const LcBlockArc *arcs);

/* Makes a block of all events, and forgets them. */
void lc_packed_take (LcPacked *packed, LcBlock *block);
void lc_packed_clear (LcPacked *packed);

/* Makes a block of rows; their arcs are in it already. */
void lc_block_set_rows (LcBlock *block, const LcEventRow *rows, guint32 n_rows);

/* And the rest of these, if they have it. */
void lc_block_set_why (LcBlock *block, const LcEventWhy *rows);

/* Makes a block of rows that have been moved. */
void lc_block_set_moved (LcBlock *block, const LcEventRow *rows, guint32 n_rows);

#endif
