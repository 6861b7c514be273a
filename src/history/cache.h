/* SPDX-License-Identifier: Apache-2.0 */
/* What readers of a history have decoded and may want again: bounded, shared by all threads. */
#ifndef LC_HISTORY_CACHE_H
#define LC_HISTORY_CACHE_H

#include <glib.h>

typedef enum
{
  LC_CACHED_DIRECTORY, /* LcDirectory; number: the process */
  LC_CACHED_SHAPES,    /* LcPyramidShape of each process; number: 0 */
  LC_CACHED_RUN,       /* GArray of LcPostingsEntry; number: the run */
  LC_CACHED_ORIGIN,    /* the same, of a timeline's origins */
} LcCachedKind;

typedef struct
{
  LcCachedKind kind;
  guint32 timeline;
  guint32 number;
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

/* What nobody uses goes, the longest unused first, when all together are more than `room` bytes. */
LcCache *lc_cache_new (gsize room);

/* All items must have been given back. */
void lc_cache_free (LcCache *cache);

/* To be given back; NULL: it is not there. */
LcCacheItem *lc_cache_take (LcCache *cache, const LcCacheKey *key);

/*
 * Adds a value that may have been true some time ago: as it was when lc_cache_get_generation gave this number. Is
 * to be given back. What another thread has added meanwhile is taken in its place.
 */
LcCacheItem *lc_cache_add (LcCache *cache, const LcCacheKey *key, gpointer value, gsize bytes, GDestroyNotify destroy,
                           guint64 generation);
void lc_cache_give (LcCache *cache, LcCacheItem *item);

/* Timelines other than the measured one have changed: what is known of them is forgotten. */
guint64 lc_cache_forget_timelines (LcCache *cache); /* the new generation */
guint64 lc_cache_get_generation (LcCache *cache);

guint lc_cache_key_hash (gconstpointer key);
gboolean lc_cache_key_equal (gconstpointer a, gconstpointer b);

#endif
