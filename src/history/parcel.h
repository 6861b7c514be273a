/* SPDX-License-Identifier: Apache-2.0 */
/* Parcels that go from one thread of a merge to the next: blocks of events, and rows for the file. */
#ifndef LC_HISTORY_PARCEL_H
#define LC_HISTORY_PARCEL_H

#include "packed.h"

#define LC_PARCEL_ARCS_ROOM 512

typedef enum
{
  LC_PARCEL_EVENTS, /* events that will become a block */
  LC_PARCEL_ARCS,   /* candidates for the longest arcs */
  LC_PARCEL_BLOCK,
  LC_PARCEL_ROWS,
  LC_PARCEL_END, /* the last parcel */
} LcParcelKind;

/* Tables of rows with a number as key, and bytes. */
typedef enum
{
  LC_ROW_POSTING,
  LC_ROW_POSTING_INDEX,
  LC_ROW_SUMMARY,
  LC_ROW_SUMMARY_INDEX, /* the key is the process */
  LC_ROW_LONGEST_ARCS,
  LC_ROW_ORIGIN,
  LC_ROW_ORIGIN_INDEX,
  LC_ROW_TABLES
} LcRowTable;

typedef struct
{
  LcRowTable table;
  gint64 key;
  gsize offset; /* offset of its bytes in the parcel's bytes */
  gsize size;
} LcRow;

typedef struct _LcParcel LcParcel;

struct _LcParcel
{
  LcParcelKind kind;
  LcParcel *next; /* the next parcel of the same message */

  /* LC_PARCEL_EVENTS: either rows or packed events */
  guint32 process;
  guint64 first_ordinal;
  LcEventRow *events; /* room for LC_BLOCK_EVENTS */
  LcEventWhy *why;    /* the same, for a timeline with its own order; or NULL */
  guint32 n_events;
  GArray *event_arcs; /* LcBlockArc, of the rows */
  GArray *absences;   /* LcBlockAbsence, of the rows; NULL: none so far */
  LcPacked packed;

  /* LC_PARCEL_ARCS */
  LcHistoryArc *arcs; /* room for LC_PARCEL_ARCS_ROOM */
  guint32 n_arcs;

  LcBlock *block; /* LC_PARCEL_BLOCK */

  /* LC_PARCEL_ROWS */
  GArray *rows; /* LcRow */
  GByteArray *bytes;
};

LcParcel *lc_parcel_new (LcParcelKind kind);
void lc_parcel_free (LcParcel *parcel);

/* Empties a parcel for reuse. */
void lc_parcel_clear (LcParcel *parcel);

/* The two ends of a queue. Several parcels are sent as one message, so that the receiver is seldom woken. */
typedef struct
{
  GAsyncQueue *queue;
  guint together;
  LcParcel *first, *last; /* parcels that are not sent yet */
  guint n;
} LcParcelSender;

typedef struct
{
  GAsyncQueue *queue;
  LcParcel *next;
} LcParcelReceiver;

/* The end parcel is sent at once, with all that waits before it. */
void lc_parcel_send (LcParcelSender *sender, LcParcel *parcel);
void lc_parcel_flush (LcParcelSender *sender);
LcParcel *lc_parcel_receive (LcParcelReceiver *receiver);

/* A fixed number of parcels that are reused: taking one waits until one is free, which bounds the memory. */
typedef struct
{
  LcParcelKind kind;
  guint room; /* how many parcels there may be */
  guint made; /* how many were made */
  GAsyncQueue *queue;
  LcParcelSender given;
  LcParcelReceiver taken;
} LcParcelPool;

void lc_parcel_pool_init (LcParcelPool *pool, LcParcelKind kind, guint room);
void lc_parcel_pool_clear (LcParcelPool *pool);

/* Only one thread may take; before it waits for a parcel it sends what waits in `sender`. Another thread gives back. */
LcParcel *lc_parcel_pool_take (LcParcelPool *pool, LcParcelSender *sender);
void lc_parcel_pool_give (LcParcelPool *pool, LcParcel *parcel);

#endif
