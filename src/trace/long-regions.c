/* SPDX-License-Identifier: Apache-2.0 */
/* Finds regions of a program that last for too long, in the table where it tells of them. */
#include "long-regions.h"

#include <string.h>

/* The program may free an entry at any moment, but takes none that is in this state. */
#define LONG_REGIONS_BUSY G_MAXUINT64

struct _LcLongRegions
{
  struct lc_control *control;
  guint count;
  struct lc_region_limit limits[LC_REGION_LIMITS];
  guint64 known[LC_OPEN_REGIONS]; /* the begin of the region that was found there, or passed */
};

LcLongRegions *
lc_long_regions_new (struct lc_control *control)
{
  LcLongRegions *regions;

  if (control->n_region_limits == 0)
    return NULL;
  regions = g_new0 (LcLongRegions, 1);
  regions->control = control;
  regions->count = MIN (control->n_region_limits, LC_REGION_LIMITS);
  memcpy (regions->limits, control->region_limits, sizeof regions->limits);
  for (guint i = 0; i < LC_REGION_LIMITS; i++)
    regions->limits[i].name[LC_REGION_NAME - 1] = '\0';
  return regions;
}

void
lc_long_regions_free (LcLongRegions *regions)
{
  g_free (regions);
}

/* Gives FALSE if the entry is free, or is being changed. */
static gboolean
long_regions_read (const LcLongRegions *regions, guint entry, LcLongRegion *region)
{
  const struct lc_open_region *there = &regions->control->open_regions[entry];
  guint64 limit;

  *region = (LcLongRegion){.entry = entry};
  region->region.begin = __atomic_load_n (&there->begin, __ATOMIC_ACQUIRE);
  region->region.end = __atomic_load_n (&there->end, __ATOMIC_ACQUIRE);
  region->region.pid = there->pid;
  region->region.instance = there->instance;
  region->region.owner = __atomic_load_n (&there->owner, __ATOMIC_ACQUIRE);
  limit = region->region.owner >> LC_REGION_SHIFT;
  if (region->region.begin == 0 || limit == 0 || limit > regions->count)
    return FALSE;
  region->process = (guint32)region->region.owner - 1;
  region->name = regions->limits[limit - 1].name;
  return TRUE;
}

static gboolean
long_regions_is_long (const LcLongRegions *regions, const LcLongRegion *region, guint64 now)
{
  const guint64 end = region->region.end != 0 ? region->region.end : now;
  const guint64 limit = regions->limits[(region->region.owner >> LC_REGION_SHIFT) - 1].ticks;

  return end > region->region.begin && end - region->region.begin >= limit;
}

void
lc_long_regions_remove (LcLongRegions *regions, const LcLongRegion *found)
{
  struct lc_open_region *there = &regions->control->open_regions[found->entry];
  guint64 expected = found->region.owner;

  if (!__atomic_compare_exchange_n (&there->owner, &expected, LONG_REGIONS_BUSY, FALSE, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
    return;
  __atomic_store_n (&there->begin, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&there->end, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&there->owner, 0, __ATOMIC_RELEASE);
}

gboolean
lc_long_regions_find (LcLongRegions *regions, guint64 now, LcLongRegion *found)
{
  for (guint i = 0; regions != NULL && i < LC_OPEN_REGIONS; i++)
    {
      if (!long_regions_read (regions, i, found) || !long_regions_is_long (regions, found, now))
        continue;
      if (found->region.begin != regions->known[i])
        {
          regions->known[i] = found->region.begin;
          return TRUE;
        }
      if (found->region.end != 0)
        lc_long_regions_remove (regions, found);
    }
  return FALSE;
}

gboolean
lc_long_regions_is_over (const LcLongRegions *regions, const LcLongRegion *found)
{
  LcLongRegion region;

  return !long_regions_read (regions, found->entry, &region) || region.region.end != 0 ||
         region.region.owner != found->region.owner || region.region.begin != found->region.begin;
}

void
lc_long_regions_pass (LcLongRegions *regions, guint64 now)
{
  LcLongRegion region;

  for (guint i = 0; regions != NULL && i < LC_OPEN_REGIONS; i++)
    if (long_regions_read (regions, i, &region) && long_regions_is_long (regions, &region, now))
      {
        regions->known[i] = region.region.begin;
        if (region.region.end != 0)
          lc_long_regions_remove (regions, &region);
      }
}
