/* SPDX-License-Identifier: Apache-2.0 */
/* What goes from one thread of a merge to the next: blocks of events, and rows for the file. */
#ifndef LC_HISTORY_PARCEL_H
#define LC_HISTORY_PARCEL_H

#include "block.h"

typedef enum
{
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
  LC_ROW_TABLES
} LcRowTable;

typedef struct
{
  LcRowTable table;
  gint64 key;
  gsize offset; /* of its bytes in those of the parcel */
  gsize size;
} LcRow;

typedef struct
{
  LcParcelKind kind;
  LcBlock *block;    /* LC_PARCEL_BLOCK */
  GArray *arcs;      /* LcHistoryArc that end in it and are long */
  GArray *rows;      /* LC_PARCEL_ROWS: LcRow */
  GByteArray *bytes; /* of the rows */
} LcParcel;

LcParcel *lc_parcel_new (LcParcelKind kind);
void lc_parcel_free (LcParcel *parcel);

/* Empties it, for use again. */
void lc_parcel_clear (LcParcel *parcel);

/* A number of parcels that go round: whoever takes one waits until there is one, so that memory is bounded. */
typedef struct
{
  LcParcelKind kind;
  guint room; /* how many there may be */
  guint made; /* of which there are */
  GAsyncQueue *free;
} LcParcelPool;

void lc_parcel_pool_init (LcParcelPool *pool, LcParcelKind kind, guint room);
void lc_parcel_pool_clear (LcParcelPool *pool);

/* One thread takes; any gives. */
LcParcel *lc_parcel_pool_take (LcParcelPool *pool);
void lc_parcel_pool_give (LcParcelPool *pool, LcParcel *parcel);

#endif
