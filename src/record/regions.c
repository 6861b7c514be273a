/* SPDX-License-Identifier: Apache-2.0 */
/* The table of open regions in the control block: a thread that is killed stays in it, so whoever reads it has to ask
 * whether the thread lives. */
#include "regions.h"

#include <string.h>

static uint32_t
region_count_limits (void)
{
  const uint32_t count = lc_control->n_region_limits;

  return count < LC_REGION_LIMITS ? count : LC_REGION_LIMITS;
}

uint32_t
lc_region_limit (const char *name)
{
  for (uint32_t i = 0; i < region_count_limits (); i++)
    if (strncmp (lc_control->region_limits[i].name, name, LC_REGION_NAME) == 0)
      return i + 1;
  return 0;
}

static uint64_t
region_owner (const struct lc_thread *thread, uint32_t limit)
{
  return ((uint64_t)thread->process + 1) | (uint64_t)limit << LC_REGION_SHIFT;
}

/* The i-th entry in which a process looks. */
static struct lc_open_region *
region_entry (const struct lc_thread *thread, uint32_t i)
{
  return &lc_control->open_regions[(thread->process + i) % LC_OPEN_REGIONS];
}

static bool
region_take (struct lc_open_region *region, uint64_t expected, uint64_t owner)
{
  return __atomic_compare_exchange_n (&region->owner, &expected, owner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static struct lc_open_region *
region_claim (const struct lc_thread *thread, uint64_t owner)
{
  for (uint32_t i = 0; i < LC_OPEN_REGIONS; i++)
    if (region_take (region_entry (thread, i), 0, owner))
      return region_entry (thread, i);
  /* Nobody looks at those that are over, once there are as many dumps as were asked for. */
  for (uint32_t i = 0; i < LC_OPEN_REGIONS; i++)
    {
      struct lc_open_region *region = region_entry (thread, i);
      const uint64_t other = __atomic_load_n (&region->owner, __ATOMIC_ACQUIRE);

      if (other != 0 && __atomic_load_n (&region->end, __ATOMIC_ACQUIRE) != 0 && region_take (region, other, owner))
        return region;
    }
  return NULL;
}

static void
region_free (struct lc_open_region *region)
{
  __atomic_store_n (&region->begin, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&region->end, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&region->owner, 0, __ATOMIC_RELEASE);
}

void
lc_region_enter (const struct lc_thread *thread, uint32_t limit, uint64_t begin)
{
  struct lc_open_region *region = region_claim (thread, region_owner (thread, limit));

  if (region == NULL)
    return;
  region->pid = lc_pid;
  region->instance = lc_instance - 1;
  __atomic_store_n (&region->end, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&region->begin, begin, __ATOMIC_RELEASE);
}

/* Finds the innermost of the regions with this limit in which the process is. */
static struct lc_open_region *
region_find (const struct lc_thread *thread, uint64_t owner)
{
  struct lc_open_region *found = NULL;

  for (uint32_t i = 0; i < LC_OPEN_REGIONS; i++)
    {
      struct lc_open_region *region = region_entry (thread, i);

      if (__atomic_load_n (&region->owner, __ATOMIC_RELAXED) == owner && region->end == 0 &&
          (found == NULL || region->begin > found->begin))
        found = region;
    }
  return found;
}

void
lc_region_leave (const struct lc_thread *thread, uint32_t limit, uint64_t end)
{
  struct lc_open_region *region = region_find (thread, region_owner (thread, limit));

  if (region == NULL)
    return;
  if (end - region->begin < lc_control->region_limits[limit - 1].ticks)
    region_free (region);
  else
    __atomic_store_n (&region->end, end, __ATOMIC_RELEASE);
}

void
lc_region_end (const struct lc_thread *thread)
{
  const uint64_t process = (uint64_t)thread->process + 1;

  for (uint32_t i = 0; lc_control->n_region_limits != 0 && i < LC_OPEN_REGIONS; i++)
    {
      struct lc_open_region *region = region_entry (thread, i);

      if ((uint32_t)__atomic_load_n (&region->owner, __ATOMIC_RELAXED) == process && region->end == 0)
        region_free (region);
    }
}
