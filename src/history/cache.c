/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps decoded values in a table and in a list with the longest unused last. */
#include "cache.h"

#include "lightcone/history.h"

struct _LcCache
{
  GMutex lock;
  GHashTable *items; /* by key; each is in `order`, too */
  GQueue order;      /* the most recently used first */
  gsize bytes;
  gsize room;
  guint64 generation;
};

guint
lc_cache_key_hash (gconstpointer key)
{
  const LcCacheKey *of = key;

  return ((guint)of->kind * 31 + of->timeline) * 16777619u ^
         (guint)(of->number * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32);
}

gboolean
lc_cache_key_equal (gconstpointer a, gconstpointer b)
{
  const LcCacheKey *one = a, *other = b;

  return one->kind == other->kind && one->timeline == other->timeline && one->number == other->number &&
         one->state == other->state;
}

LcCache *
lc_cache_new (gsize room)
{
  LcCache *cache = g_new0 (LcCache, 1);

  g_mutex_init (&cache->lock);
  cache->items = g_hash_table_new (lc_cache_key_hash, lc_cache_key_equal);
  g_queue_init (&cache->order);
  cache->room = room;
  return cache;
}

static void
free_item (LcCacheItem *item)
{
  item->destroy (item->value);
  g_free (item);
}

/* The item itself lives on until its last user gives it back. */
static void
cache_unlist (LcCache *cache, LcCacheItem *item)
{
  g_hash_table_remove (cache->items, &item->key);
  g_queue_unlink (&cache->order, &item->link);
  cache->bytes -= item->bytes;
  item->listed = FALSE;
  if (item->refs == 0)
    free_item (item);
}

void
lc_cache_free (LcCache *cache)
{
  while (cache->order.tail != NULL)
    cache_unlist (cache, cache->order.tail->data);
  g_hash_table_unref (cache->items);
  g_mutex_clear (&cache->lock);
  g_free (cache);
}

static LcCacheItem *
cache_use (LcCache *cache, LcCacheItem *item)
{
  item->refs++;
  g_queue_unlink (&cache->order, &item->link);
  g_queue_push_head_link (&cache->order, &item->link);
  return item;
}

LcCacheItem *
lc_cache_take (LcCache *cache, const LcCacheKey *key)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&cache->lock);
  LcCacheItem *item = g_hash_table_lookup (cache->items, key);

  (void)locker;
  return item != NULL ? cache_use (cache, item) : NULL;
}

static void
cache_shrink (LcCache *cache)
{
  GList *link = cache->order.tail;

  while (cache->bytes > cache->room && link != NULL)
    {
      LcCacheItem *item = link->data;

      link = link->prev;
      if (item->refs == 0)
        cache_unlist (cache, item);
    }
}

LcCacheItem *
lc_cache_add (LcCache *cache, const LcCacheKey *key, gpointer value, gsize bytes, GDestroyNotify destroy,
              guint64 generation)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&cache->lock);
  LcCacheItem *item = g_hash_table_lookup (cache->items, key);

  (void)locker;
  if (item != NULL)
    {
      destroy (value);
      return cache_use (cache, item);
    }
  item = g_new0 (LcCacheItem, 1);
  *item = (LcCacheItem){.key = *key, .value = value, .bytes = bytes, .destroy = destroy, .refs = 1};
  item->link.data = item;
  if (key->timeline == LC_TIMELINE_MEASURED || generation == cache->generation)
    {
      item->listed = TRUE;
      g_hash_table_add (cache->items, item);
      g_queue_push_head_link (&cache->order, &item->link);
      cache->bytes += bytes;
      cache_shrink (cache);
    }
  return item;
}

void
lc_cache_give (LcCache *cache, LcCacheItem *item)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&cache->lock);

  (void)locker;
  item->refs--;
  if (item->refs == 0 && !item->listed)
    free_item (item);
  else if (item->refs == 0)
    cache_shrink (cache);
}

guint64
lc_cache_forget_timelines (LcCache *cache)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&cache->lock);
  GList *link = cache->order.tail;

  (void)locker;
  cache->generation++;
  while (link != NULL)
    {
      LcCacheItem *item = link->data;

      link = link->prev;
      if (item->key.timeline != LC_TIMELINE_MEASURED)
        cache_unlist (cache, item);
    }
  return cache->generation;
}

guint64
lc_cache_get_generation (LcCache *cache)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&cache->lock);

  (void)locker;
  return cache->generation;
}
