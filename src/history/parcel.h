/* SPDX-License-Identifier: Apache-2.0 */
/* What goes from one thread of a merge to the next: blocks of events, and rows for the file. */
#ifndef LC_HISTORY_PARCEL_H
#define LC_HISTORY_PARCEL_H

#include "packed.h"

#define LC_PARCEL_ARCS_ROOM 512

typedef enum
{
  LC_PARCEL_EVENTS, /* what becomes a block */
  LC_PARCEL_ARCS,   /* long ones */
  LC_PARCEL_BLOCK,
  LC_PARCEL_ROWS,
  LC_PARCEL_END, /* there is no other after it */
} LcParcelKind;

/* Each has a number for a key and bytes. */
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
  gsize offset; /* of its bytes in those of the parcel */
  gsize size;
} LcRow;

typedef struct _LcParcel LcParcel;

struct _LcParcel
{
  LcParcelKind kind;
  LcParcel *next; /* on its way with this one */

  /* LC_PARCEL_EVENTS, either rows or packed */
  guint32 process;
  guint64 first_ordinal;
  LcEventRow *events; /* room for LC_BLOCK_EVENTS */
  LcEventWhy *why;    /* likewise, for a timeline with an order of its own; or NULL */
  guint32 n_events;
  GArray *event_arcs; /* LcBlockArc of the rows */
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

/* Empties it, for use again. */
void lc_parcel_clear (LcParcel *parcel);

/* The two ends of a way. Some parcels go together, so that whoever waits for them is woken seldom. */
typedef struct
{
  GAsyncQueue *queue;
  guint together;
  LcParcel *first, *last; /* that wait for others */
  guint n;
} LcParcelSender;

typedef struct
{
  GAsyncQueue *queue;
  LcParcel *next;
} LcParcelReceiver;

/* The end of all goes at once, and with it what waits. */
void lc_parcel_send (LcParcelSender *sender, LcParcel *parcel);
void lc_parcel_flush (LcParcelSender *sender);
LcParcel *lc_parcel_receive (LcParcelReceiver *receiver);

/* A number of parcels that go round: whoever takes one waits until there is one, so that memory is bounded. */
typedef struct
{
  LcParcelKind kind;
  guint room; /* how many there may be */
  guint made; /* of which there are */
  GAsyncQueue *queue;
  LcParcelSender given;
  LcParcelReceiver taken;
} LcParcelPool;

void lc_parcel_pool_init (LcParcelPool *pool, LcParcelKind kind, guint room);
void lc_parcel_pool_clear (LcParcelPool *pool);

/* One thread takes, and sends from `sender`: before it waits, what waits there is sent. Another one gives back. */
LcParcel *lc_parcel_pool_take (LcParcelPool *pool, LcParcelSender *sender);
void lc_parcel_pool_give (LcParcelPool *pool, LcParcel *parcel);

#endif
