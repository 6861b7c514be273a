/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a connection, for the files that carry out what it can do. */
#ifndef LC_HISTORY_CONNECTION_H
#define LC_HISTORY_CONNECTION_H

#include "reader.h"

/* A decoded block. */
typedef struct
{
  LcBlock *block;
  guint32 timeline;
  guint32 process;
  guint64 number;
  LcColumns columns; /* 0: nothing is in it */
  guint64 used;      /* when */
  guint held;
} LcSlot;

struct _LcConnection
{
  LcHistory *history;
  LcDatabase *database;
  LcHistoryFile *file; /* NULL: the database is borrowed */
  LcStatement *statements[LC_N_QUERIES];
  GHashTable *pinned; /* LcCacheItem: what this connection has taken of the cache */
  GQueue pins;        /* the same, the last taken first */
  gsize pinned_bytes;
  GArray *slots;              /* LcSlot */
  guint64 clock;              /* counts uses of slots */
  gint64 changes;             /* of the file, as SQLite counts them; 0: not known */
  guint8 bases[LC_TIMELINES]; /* by timeline: 0 is not known, 1 the measured one, 2 itself */
  guint64 generation;
};

void lc_connection_forget_blocks (LcConnection *connection);
void lc_connection_free_blocks (LcConnection *connection);

void lc_connection_unpin (LcConnection *connection, guint n_items, gsize bytes);
gpointer lc_connection_pin (LcConnection *connection, LcCacheItem *item);

/* A value of the cache, or NULL; it stays for some time, as directories do. */
gpointer lc_connection_find (LcConnection *connection, const LcCacheKey *key);

/* Adds one. */
gpointer lc_connection_keep (LcConnection *connection, const LcCacheKey *key, gpointer value, gsize bytes,
                             GDestroyNotify destroy);

#endif
