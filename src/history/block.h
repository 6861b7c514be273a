/* SPDX-License-Identifier: Apache-2.0 */
/* Column blocks: some hundred events of one process as bytes, and back. */
#ifndef LC_HISTORY_BLOCK_H
#define LC_HISTORY_BLOCK_H

#include "lightcone/history.h"

/* Each block of a process but the last is full, so that ordinal / LC_BLOCK_EVENTS is the number of the block. */
#define LC_BLOCK_EVENTS 512

/* An arc that ends at an event of the block; here is the point that it comes from. */
typedef struct
{
  guint32 process;
  guint16 rule;
  guint8 point; /* LcPoint */
  guint64 ordinal;
} LcBlockArc;

/* An object that the process holds at the begin of the block, since the end of the event `ordinal` of the same
 * process. */
typedef struct
{
  guint32 object;
  guint64 ordinal;
} LcBlockHeld;

/* A time off the processors that no waiting explains: before event `event` of the block or in it. In order, without
 * overlaps. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint32 event;
  guint32 state; /* LC_IS_PREEMPTED or LC_IS_UNSEEN */
} LcBlockAbsence;

typedef enum
{
  LC_COLUMN_TIME = 1 << 0,     /* begin, end, waited, woken */
  LC_COLUMN_IDENTITY = 1 << 1, /* operation, object, sequence, flags */
  LC_COLUMN_DETAIL = 1 << 2,   /* value, bytes, peer, cpu */
  LC_COLUMN_LAYER = 1 << 3,
  LC_COLUMN_ARCS = 1 << 4, /* arcs and basis */
  LC_COLUMN_HELD = 1 << 5,
  LC_COLUMN_PLACE = 1 << 6,  /* stack */
  LC_COLUMN_WHY = 1 << 7,    /* removed, gained, reordered */
  LC_COLUMN_ORIGIN = 1 << 8, /* the event's name on the measured timeline */
  LC_COLUMN_STATE = 1 << 9,  /* absences */
  LC_COLUMN_ALL = (1 << 10) - 1,
  /* Columns of the measured timeline, and those that a timeline with the measured events has of its own. */
  LC_COLUMN_MEASURED = (LC_COLUMN_WHY - 1) | LC_COLUMN_STATE,
  LC_COLUMN_MOVED = LC_COLUMN_TIME | LC_COLUMN_WHY | LC_COLUMN_STATE,
} LcColumns;

typedef struct
{
  guint32 n_events;
  guint32 process;       /* not encoded: whose events they are */
  guint64 first_ordinal; /* not encoded */
  guint64 begin[LC_BLOCK_EVENTS];
  guint64 end[LC_BLOCK_EVENTS];
  guint64 waited[LC_BLOCK_EVENTS];
  guint64 woken[LC_BLOCK_EVENTS];
  guint64 layer[LC_BLOCK_EVENTS];
  gint64 sequence[LC_BLOCK_EVENTS];
  gint64 value[LC_BLOCK_EVENTS];
  guint64 bytes[LC_BLOCK_EVENTS];
  guint32 object[LC_BLOCK_EVENTS];
  guint32 peer[LC_BLOCK_EVENTS];
  guint32 stack[LC_BLOCK_EVENTS];
  guint16 operation[LC_BLOCK_EVENTS];
  guint16 cpu[LC_BLOCK_EVENTS];
  guint16 flags[LC_BLOCK_EVENTS];
  gint16 basis[LC_BLOCK_EVENTS];
  LcColumns further; /* which of LC_COLUMN_WHY and LC_COLUMN_ORIGIN are filled */
  guint64 removed[LC_BLOCK_EVENTS];
  gint64 gained[LC_BLOCK_EVENTS];
  guint8 reordered[LC_BLOCK_EVENTS]; /* LC_HISTORY_EVENT_REORDERED, which is not in flags */
  guint32 origin_process[LC_BLOCK_EVENTS];
  guint64 origin_ordinal[LC_BLOCK_EVENTS];
  guint32 first_arc[LC_BLOCK_EVENTS + 1]; /* event i has the arcs first_arc[i] to first_arc[i + 1] */
  GArray *arcs;                           /* LcBlockArc */
  GArray *held;                           /* LcBlockHeld */
  GArray *absences;                       /* LcBlockAbsence */
} LcBlock;

LcBlock *lc_block_new (void);
void lc_block_free (LcBlock *block);
void lc_block_clear (LcBlock *block);

/*
 * Appends the bytes of these columns of a block to `bytes`. A sequence, value or size (bytes) of an event without the
 * flag for it is decoded as 0. Arcs and held objects are encoded relative to first_ordinal: set it before encoding, and
 * to the same number before decoding. The block has at least one event; a basis is -1 or less than the event's number
 * of arcs.
 */
void lc_block_encode (const LcBlock *block, LcColumns columns, GByteArray *bytes);

/*
 * Fills those of the columns asked for that the bytes have, and leaves the others as they are. FALSE: the bytes are
 * damaged (there is a checksum) or of another version; the block may be empty then. Never reads outside of the bytes,
 * whatever they are.
 */
gboolean lc_block_decode (LcBlock *block, const guint8 *bytes, gsize size, LcColumns columns);

/* The columns that these bytes have, if they are a block. */
LcColumns lc_block_get_columns (const guint8 *bytes, gsize size);

/* Copies event i of a block to `event`. */
void lc_block_get_event (const LcBlock *block, guint32 i, LcHistoryEvent *event);

/* A checksum of bytes, the same on every machine. */
guint64 lc_checksum (const guint8 *bytes, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcBlock, lc_block_free)

#endif
