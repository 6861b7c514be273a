/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: which routine has called which, from the outermost on. */
#include <sys/mman.h>

#include "profile.h"

/*
 * Each thread has paths of its own, found by a hash of their caller and routine: numbers go from callers to those they
 * call. Calls for which there is no number any more, and all that these call, count for their routine alone.
 */
enum
{
  PATHS = 1 << 16, /* of a thread, at most */
  SLOTS = 2 * PATHS,
};

struct lc_profile_paths
{
  uint32_t end;
  uint32_t slots[SLOTS]; /* number of a path; 0: free */
  struct lc_profile_path all[PATHS];
};

struct lc_profile_paths *
lc_profile_paths_new (void)
{
  struct lc_profile_paths *paths = lc_profile_allocate (sizeof *paths);

  if (paths != NULL)
    paths->end = LC_PROFILE_FIRST_PATH;
  return paths;
}

void
lc_profile_paths_discard (struct lc_profile_paths *paths)
{
  munmap (paths, sizeof *paths);
}

struct lc_profile_path *
lc_profile_paths_get (struct lc_profile_paths *paths, uint32_t path)
{
  return &paths->all[path];
}

uint32_t
lc_profile_paths_end (const struct lc_profile_paths *paths)
{
  return paths->end;
}

/* Gives the slot of a path, or the free one where it belongs. */
static inline uint32_t *
profile_paths_find_slot (struct lc_profile_paths *paths, uint32_t caller, uint32_t routine)
{
  uint32_t slot = (uint32_t)((((uint64_t)caller << 32 | routine) * UINT64_C (0x9E3779B97F4A7C15)) >> 47) % SLOTS;
  uint32_t path;

  while ((path = paths->slots[slot]) != LC_PROFILE_NO_PATH)
    {
      if (paths->all[path].caller == caller && paths->all[path].routine == routine)
        break;
      slot = (slot + 1) % SLOTS;
    }
  return &paths->slots[slot];
}

static void
profile_paths_add_new (struct lc_profile_paths *paths, uint32_t *slot, uint32_t caller, uint32_t routine)
{
  if (paths->end == PATHS)
    return;
  *slot = paths->end++;
  paths->all[*slot].caller = caller;
  paths->all[*slot].routine = routine;
}

struct lc_profile_times *
lc_profile_paths_find_times (struct lc_profile_thread *thread, uint32_t routine, uint32_t *path)
{
  uint32_t caller = thread->depth > 0 ? thread->frames[thread->depth - 1].path : LC_PROFILE_OUTERMOST, *slot;

  *path = LC_PROFILE_NO_PATH;
  if (caller == LC_PROFILE_NO_PATH)
    return &thread->times[routine];
  slot = profile_paths_find_slot (thread->paths, caller, routine);
  if (LC_PROFILE_UNLIKELY (*slot == LC_PROFILE_NO_PATH))
    {
      int64_t begin = lc_profile_now (); /* the first touch of memory takes some microseconds */

      profile_paths_add_new (thread->paths, slot, caller, routine);
      lc_compensation_add (&thread->self, lc_profile_now () - begin);
    }
  *path = *slot;
  return *path != LC_PROFILE_NO_PATH ? &thread->paths->all[*path].times : &thread->times[routine];
}

/* --- At the end -------------------------------------------------------------------------------------------- */

static void
profile_paths_add (struct lc_profile_times *sum, const struct lc_profile_times *times, bool with_inclusive)
{
  sum->calls += times->calls;
  sum->skipped += times->skipped;
  for (int way = 0; way < LC_PROFILE_WAYS; way++)
    {
      if (with_inclusive)
        sum->inclusive[way] += times->inclusive[way];
      sum->exclusive[way] += times->exclusive[way];
      sum->waiting[way] += times->waiting[way];
    }
}

/* Whether the routine of a path is not among its callers, too. */
static bool
profile_path_is_outer (const struct lc_profile_paths *paths, uint32_t path)
{
  uint32_t routine = paths->all[path].routine;

  while ((path = paths->all[path].caller) != LC_PROFILE_OUTERMOST)
    if (paths->all[path].routine == routine)
      return false;
  return true;
}

/* Gives the path's number; LC_PROFILE_NO_PATH: there are too many. */
static uint32_t
profile_paths_find (struct lc_profile_paths *paths, uint32_t caller, uint32_t routine)
{
  uint32_t *slot = profile_paths_find_slot (paths, caller, routine);

  if (*slot == LC_PROFILE_NO_PATH)
    profile_paths_add_new (paths, slot, caller, routine);
  return *slot;
}

/* Adds the paths of another thread. Returns how many calls have found no room. */
static uint64_t
profile_paths_merge (struct lc_profile_paths *paths, const struct lc_profile_paths *more)
{
  uint32_t *numbers = lc_profile_allocate (PATHS * sizeof *numbers);
  uint64_t without = 0;

  if (numbers != NULL)
    numbers[LC_PROFILE_OUTERMOST] = LC_PROFILE_OUTERMOST;
  for (uint32_t path = LC_PROFILE_FIRST_PATH; path < more->end; path++)
    {
      const struct lc_profile_path *from = &more->all[path];
      uint32_t caller = numbers != NULL ? numbers[from->caller] : LC_PROFILE_NO_PATH, number = LC_PROFILE_NO_PATH;

      if (caller != LC_PROFILE_NO_PATH)
        numbers[path] = number = profile_paths_find (paths, caller, from->routine);
      if (number != LC_PROFILE_NO_PATH)
        profile_paths_add (&paths->all[number].times, &from->times, true);
      else
        without += from->times.calls;
    }
  if (numbers != NULL)
    munmap (numbers, PATHS * sizeof *numbers);
  return without;
}

uint64_t
lc_profile_paths_gather (struct lc_profile_thread *thread)
{
  uint64_t without = 0;

  for (struct lc_profile_thread *each = lc_profile_threads; each != NULL; each = each->next)
    {
      for (uint32_t routine = 0; routine < LC_PROFILE_ROUTINES; routine++)
        without += each->times[routine].calls;
      for (uint32_t path = LC_PROFILE_FIRST_PATH; path < each->paths->end; path++)
        profile_paths_add (&each->times[each->paths->all[path].routine], &each->paths->all[path].times,
                           profile_path_is_outer (each->paths, path));
    }
  for (struct lc_profile_thread *each = lc_profile_threads; each != NULL; each = each->next)
    if (each != thread)
      without += profile_paths_merge (thread->paths, each->paths);
  return without;
}
