/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of what readers of a history have decoded: bounded, and shared by all threads. */
#ifndef LC_HISTORY_CACHE_H
#define LC_HISTORY_CACHE_H

#include <glib.h>

typedef enum
{
  LC_CACHED_DIRECTORY, /* LcDirectory; number: the process */
  LC_CACHED_SHAPES,    /* LcPyramidShape of each process; number: 0 */
  LC_CACHED_RUN,       /* GArray of LcPostingsEntry; number: the run */
  LC_CACHED_ORIGIN,    /* the same for a timeline's origins */
  LC_CACHED_HELD,      /* LcBlockHolding; number: the process and, in the lower half, the block */
} LcCachedKind;

typedef struct
{
  LcCachedKind kind;
  guint32 timeline;
  guint64 number;
  guint64 state; /* of the file, which another one has replaced: a generation; 0: it is the same in all states */
} LcCacheKey;

typedef struct
{
  LcCacheKey key;
  gpointer value;
  gsize bytes;
  /*< private >*/
  GDestroyNotify destroy;
  guint refs;
  gboolean listed;
  GList link;
} LcCacheItem;

typedef struct _LcCache LcCache;

/* When all items together take more than `room` bytes, items that nobody uses are freed, the longest unused first. */
LcCache *lc_cache_new (gsize room);

/* All items must have been given back. */
void lc_cache_free (LcCache *cache);

/* Finds an item, or returns NULL. Give it back with lc_cache_give. */
LcCacheItem *lc_cache_take (LcCache *cache, const LcCacheKey *key);

/*
 * Adds a value that was read when lc_cache_get_generation returned `generation`: a value from before a change is not
 * kept for others. If another thread has added the same key meanwhile, that item is returned. Give it back with
 * lc_cache_give.
 */
LcCacheItem *lc_cache_add (LcCache *cache, const LcCacheKey *key, gpointer value, gsize bytes, GDestroyNotify destroy,
                           guint64 generation);
void lc_cache_give (LcCache *cache, LcCacheItem *item);

/* Forgets all items of timelines other than the measured one, because they have changed. Returns the new generation. */
guint64 lc_cache_forget_timelines (LcCache *cache);
guint64 lc_cache_get_generation (LcCache *cache);

guint lc_cache_key_hash (gconstpointer key);
gboolean lc_cache_key_equal (gconstpointer a, gconstpointer b);

#endif
