/* SPDX-License-Identifier: Apache-2.0 */
/* Events of one process that wait to become a block, as bytes: ten thousand processes then need little memory. */
#ifndef LC_HISTORY_PACKED_H
#define LC_HISTORY_PACKED_H

#include "block.h"

/*
 * An event of a process as it comes from the sweep. For an event that is only moved in time, `removed` and `gained`
 * take the place of value and bytes, and the fields after the flags are unused, as the measured timeline has them.
 *
 * The fields are ordered so that numbers computed one right after the other are not neighbours. Otherwise a compiler
 * copies both at once, and that load must wait until both stores have reached memory.
 */
typedef struct
{
  guint64 begin;
  guint64 waited;
  guint64 end;
  guint64 woken;
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
  guint32 stack;
  guint32 n_arcs; /* LcBlockArc, stored apart */
  guint16 cpu;
  gint16 basis;
} LcEventRow;

/* Further fields of an event on a timeline with its own order. */
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
  guint64 end; /* end of the last event */
  guint64 layer;
  gint64 sequence;
  LcEventWhy why;
  gboolean has_why; /* all events have it, or none */
  GArray *absences; /* LcBlockAbsence; NULL: none so far */
} LcPacked;

/* `why` may be NULL. */
void lc_packed_add (LcPacked *packed, const LcEventRow *event, const LcEventWhy *why, const LcBlockArc *arcs);

/* Makes a block of all packed events, and empties `packed`. */
void lc_packed_take (LcPacked *packed, LcBlock *block);
void lc_packed_clear (LcPacked *packed);

/* Moves absences, of which there may be none (NULL), into a block. */
void lc_block_take_absences (LcBlock *block, GArray **absences);

/* Makes a block of rows, whose arcs are in the block already. */
void lc_block_set_rows (LcBlock *block, const LcEventRow *rows, guint32 n_rows);

/* Adds the further fields, on timelines that have them. */
void lc_block_set_why (LcBlock *block, const LcEventWhy *rows);

/* Makes a block of rows that are only moved in time. */
void lc_block_set_moved (LcBlock *block, const LcEventRow *rows, guint32 n_rows);

#endif
