/* SPDX-License-Identifier: Apache-2.0 */
/* Column blocks: some hundred events of one process as bytes, and back. */
#ifndef LC_HISTORY_BLOCK_H
#define LC_HISTORY_BLOCK_H

#include "lightcone/history.h"

/* Each block of a process but its last has so many, so that ordinal / LC_BLOCK_EVENTS is the number of the block. */
#define LC_BLOCK_EVENTS 512

/* Arcs of one block at most in the fixed room; an event with more has what it needs all the same. */
typedef struct
{
  guint32 process;
  guint16 rule;
  guint8 point; /* LcPoint */
  guint64 ordinal;
} LcBlockArc;

/* An object that the process held at the begin of the block, since the end of an event of its own. */
typedef struct
{
  guint32 object;
  guint64 ordinal;
} LcBlockHeld;

typedef enum
{
  LC_COLUMN_TIME = 1 << 0,     /* begin, end, waited */
  LC_COLUMN_IDENTITY = 1 << 1, /* operation, object, sequence, flags */
  LC_COLUMN_DETAIL = 1 << 2,   /* value, bytes, peer, cpu */
  LC_COLUMN_LAYER = 1 << 3,
  LC_COLUMN_ARCS = 1 << 4, /* arcs and basis */
  LC_COLUMN_HELD = 1 << 5,
  LC_COLUMN_WHY = 1 << 6,    /* removed, gained, reordered */
  LC_COLUMN_ORIGIN = 1 << 7, /* the event's name on the measured timeline */
  LC_COLUMN_ALL = (1 << 8) - 1,
  LC_COLUMN_MEASURED = LC_COLUMN_WHY - 1,           /* all that the measured timeline has, */
  LC_COLUMN_MOVED = LC_COLUMN_TIME | LC_COLUMN_WHY, /* and what another one has of its own, that has the same events */
} LcColumns;

typedef struct
{
  guint32 n_events;
  guint32 process;       /* not encoded: where it belongs */
  guint64 first_ordinal; /* not encoded */
  guint64 begin[LC_BLOCK_EVENTS];
  guint64 end[LC_BLOCK_EVENTS];
  guint64 waited[LC_BLOCK_EVENTS];
  guint64 layer[LC_BLOCK_EVENTS];
  gint64 sequence[LC_BLOCK_EVENTS];
  gint64 value[LC_BLOCK_EVENTS];
  guint64 bytes[LC_BLOCK_EVENTS];
  guint32 object[LC_BLOCK_EVENTS];
  guint32 peer[LC_BLOCK_EVENTS];
  guint16 operation[LC_BLOCK_EVENTS];
  guint16 cpu[LC_BLOCK_EVENTS];
  guint16 flags[LC_BLOCK_EVENTS];
  gint16 basis[LC_BLOCK_EVENTS];
  LcColumns
      further; /* LC_COLUMN_WHY, LC_COLUMN_ORIGIN: which of them is filled; else an event has none, and its own name */
  guint64 removed[LC_BLOCK_EVENTS];
  gint64 gained[LC_BLOCK_EVENTS];
  guint8 reordered[LC_BLOCK_EVENTS]; /* LC_HISTORY_EVENT_REORDERED, which is not in flags */
  guint32 origin_process[LC_BLOCK_EVENTS];
  guint64 origin_ordinal[LC_BLOCK_EVENTS];
  guint32 first_arc[LC_BLOCK_EVENTS + 1]; /* of event i: arcs first_arc[i] to first_arc[i + 1] */
  GArray *arcs;                           /* LcBlockArc */
  GArray *held;                           /* LcBlockHeld */
} LcBlock;

LcBlock *lc_block_new (void);
void lc_block_free (LcBlock *block);
void lc_block_clear (LcBlock *block);

/*
 * Appends the bytes of these columns of a block to `bytes`. What is given in an event without the flag for it
 * (sequence, value, bytes) is 0 when decoded. Arcs and held objects are told from first_ordinal: it has been set before
 * encoding, and to the same before decoding. There is at least one event; a basis is -1 or less than the event's number
 * of arcs.
 */
void lc_block_encode (const LcBlock *block, LcColumns columns, GByteArray *bytes);

/*
 * Fills the columns asked for, of those that the bytes have; the others are left as they are. FALSE: these are not
 * the bytes that were written (there is a checksum), or not of this version; the block may be empty then. Reads nothing
 * outside, whatever the bytes.
 */
gboolean lc_block_decode (LcBlock *block, const guint8 *bytes, gsize size, LcColumns columns);

/* Which columns these bytes have, if they are a block. */
LcColumns lc_block_get_columns (const guint8 *bytes, gsize size);

/* Event i of a block. */
void lc_block_get_event (const LcBlock *block, guint32 i, LcHistoryEvent *event);

/* A checksum of bytes, the same on every machine. */
guint64 lc_checksum (const guint8 *bytes, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcBlock, lc_block_free)

#endif
