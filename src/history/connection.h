/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a connection, for the files that implement it. */
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
  guint64 used;      /* `clock` at the last use */
  guint held;
} LcSlot;

struct _LcConnection
{
  LcHistory *history;
  LcDatabase *database;
  LcHistoryFile *file; /* NULL: the database belongs to somebody else */
  LcStatement *statements[LC_N_QUERIES];
  GHashTable *pinned; /* set of LcCacheItem: items of the cache that this connection holds */
  GQueue pins;        /* the same items, the last taken first */
  gsize pinned_bytes;
  GArray *slots;              /* LcSlot */
  guint64 clock;              /* counts uses of slots */
  gint64 changes;             /* SQLite's count of changes to the file; 0: not known yet */
  guint8 bases[LC_TIMELINES]; /* by timeline: 0: not known yet; 1: the measured timeline; 2: the timeline itself */
  guint64 generation;
  guint64 asked[LC_N_QUERIES]; /* since it was taken */
};

void lc_connection_forget_blocks (LcConnection *connection);
void lc_connection_free_blocks (LcConnection *connection);

void lc_connection_unpin (LcConnection *connection, guint n_items, gsize bytes);
gpointer lc_connection_pin (LcConnection *connection, LcCacheItem *item);

/* Finds a value in the cache, or returns NULL; the key's state is not looked at. The value stays valid as long as a
 * directory of this connection does. */
gpointer lc_connection_find (LcConnection *connection, const LcCacheKey *key);

/* Adds a value to the cache and pins it; valid as long as after lc_connection_find. */
gpointer lc_connection_keep (LcConnection *connection, const LcCacheKey *key, gpointer value, gsize bytes,
                             GDestroyNotify destroy);

#endif
