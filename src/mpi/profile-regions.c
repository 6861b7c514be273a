/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: functions of programs compiled with -finstrument-functions, and lc_enter ... lc_leave. */
#include <errno.h>
#include <string.h>

#include "profile-jumps.h"
#include "profile-sample.h"
#include "profile.h"
#include "record/hooks.h"

enum
{
  PLACES = 2 * LC_PROFILE_ROUTINES,
};

/* By the address of the function, or of the region's name. Entries are never removed. */
static struct
{
  const void *key;
  struct lc_profile_routine *routine;
} table[PLACES];

static struct lc_profile_routine pool[LC_PROFILE_ROUTINES];
static uint32_t n_pool;

static unsigned int
profile_regions_place_of (const void *key)
{
  return (unsigned int)(((uint64_t)(uintptr_t)key * UINT64_C (0x9E3779B97F4A7C15)) >> 51) % PLACES;
}

static struct lc_profile_routine *
profile_regions_add (const void *key, enum lc_profile_kind kind)
{
  unsigned int place = profile_regions_place_of (key);
  struct lc_profile_routine *routine = NULL;

  lc_profile_lock ();
  while (table[place].key != NULL && table[place].key != key)
    place = (place + 1) % PLACES;
  if (table[place].key == key)
    routine = table[place].routine;
  else if (n_pool < LC_PROFILE_ROUTINES - 1)
    {
      routine = &pool[n_pool++];
      routine->kind = kind;
      routine->function = kind == LC_PROFILE_FUNCTION ? key : NULL;
      routine->name = kind == LC_PROFILE_REGION ? key : NULL;
      table[place].routine = routine;
      __atomic_store_n (&table[place].key, key, __ATOMIC_RELEASE);
    }
  lc_profile_unlock ();
  return routine;
}

static inline struct lc_profile_routine *
profile_regions_find (const void *key, enum lc_profile_kind kind)
{
  unsigned int place = profile_regions_place_of (key);
  const void *found;

  while ((found = __atomic_load_n (&table[place].key, __ATOMIC_ACQUIRE)) != NULL)
    {
      if (found == key)
        return table[place].routine;
      place = (place + 1) % PLACES;
    }
  return profile_regions_add (key, kind);
}

/* Called in a trial; TRUE: do not measure the call. Takes few instructions when calls follow each other. */
static inline bool
profile_regions_skip (struct lc_profile_thread *thread, const void *key)
{
  struct lc_profile_trial *trial = &thread->trial;

  if (trial->key != key || !trial->goes_on || trial->is_open || --trial->left == 0)
    return lc_profile_trial_enter (thread, key);
  trial->is_open = trial->is_skipping;
  return trial->is_skipping;
}

static inline bool
skip_end (struct lc_profile_thread *thread, const void *key)
{
  struct lc_profile_trial *trial = &thread->trial;

  if (trial->key == key)
    {
      if (!trial->is_open)
        return false;
      trial->is_open = false;
      trial->skipped_calls++;
      return true;
    }
  lc_profile_trial_other (thread);
  return false;
}

static inline void
profile_regions_enter (const void *key, enum lc_profile_kind kind, uintptr_t stack)
{
  struct lc_profile_thread *thread = lc_profile_is_on ? lc_profile_thread () : NULL;
  struct lc_profile_routine *routine;

  if (thread == NULL || thread->inside)
    return;
  if (LC_PROFILE_UNLIKELY (thread->trial.key != NULL) && profile_regions_skip (thread, key))
    return;
  if ((routine = profile_regions_find (key, kind)) == NULL)
    return;
  thread->poll_begin = 0;
  if (LC_PROFILE_UNLIKELY (thread->trial.key == NULL && --thread->trial.left == 0))
    lc_profile_trial_begin (thread, routine, key);
  lc_profile_enter (thread, routine, stack);
}

static inline void
profile_regions_leave (const void *key, enum lc_profile_kind kind)
{
  struct lc_profile_thread *thread = lc_profile_is_on ? lc_profile_thread () : NULL;
  struct lc_profile_routine *routine;

  if (thread == NULL || thread->inside)
    return;
  if (LC_PROFILE_UNLIKELY (thread->trial.key != NULL) && skip_end (thread, key))
    return;
  if ((routine = profile_regions_find (key, kind)) != NULL)
    lc_profile_leave (thread, routine);
}

LC_PROFILE_EXPORT void __cyg_profile_func_enter (void *function, void *caller);
LC_PROFILE_EXPORT void __cyg_profile_func_exit (void *function, void *caller);

LC_PROFILE_EXPORT void
__cyg_profile_func_enter (void *function, void *caller)
{
  profile_regions_enter (function, LC_PROFILE_FUNCTION, lc_profile_caller_stack ());
}

LC_PROFILE_EXPORT void
__cyg_profile_func_exit (void *function, void *caller)
{
  profile_regions_leave (function, LC_PROFILE_FUNCTION);
}

/* --- lc_enter, lc_leave ------------------------------------------------------------------------------------ */

static void
profile_regions_hook_enter (const char *name)
{
  if (name != NULL)
    profile_regions_enter (name, LC_PROFILE_REGION, 0);
}

static void
profile_regions_hook_leave (const char *name)
{
  if (name != NULL)
    profile_regions_leave (name, LC_PROFILE_REGION);
}

static void
profile_regions_hook_tag (uint32_t value)
{
}

static void
profile_regions_hook_name_process (const char *name)
{
}

static void
profile_regions_hook_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
}

static uint32_t classes;
static const uint32_t instance = 1;

extern const struct lc_hooks lc_record_hooks_1;

/* A program finds these hooks instead of the recorder's. Only marks are enabled. */
LC_PROFILE_EXPORT const struct lc_hooks lc_record_hooks_1 = {
    .version = LC_HOOKS_VERSION,
    .classes = &classes,
    .instance = &instance,
    .tag = profile_regions_hook_tag,
    .enter = profile_regions_hook_enter,
    .leave = profile_regions_hook_leave,
    .name_process = profile_regions_hook_name_process,
    .snapshot = profile_regions_hook_snapshot,
};

/* --- Calibration ------------------------------------------------------------------------------------------- */

__attribute__ ((noinline)) static void
profile_regions_plain (void)
{
  lc_profile_sample_work (&lc_profile_sample_state);
}

enum
{
  CALLS = 500
};

static int64_t
profile_regions_time_of (void (*function) (void))
{
  int64_t begin = lc_profile_now ();

  for (int i = 0; i < CALLS; i++)
    function ();
  return lc_profile_now () - begin;
}

/* Returns the time of calls that are not measured. */
static int64_t
time_of_skipping (struct lc_profile_trial *trial, const void *key)
{
  int64_t took;

  trial->key = key;
  trial->is_skipping = trial->goes_on = true;
  trial->left = CALLS + 1;
  took = profile_regions_time_of (lc_profile_sample);
  *trial = (struct lc_profile_trial){0};
  return took;
}

/* Compares a function that the compiler has instrumented with one that it has not. */
void
lc_profile_regions_calibrate (int rounds)
{
  static int64_t outside[LC_PROFILE_ROUNDS], inside[LC_PROFILE_ROUNDS], skipped[LC_PROFILE_ROUNDS];
  static struct lc_profile_routine routine = {.kind = LC_PROFILE_FUNCTION, .id = LC_PROFILE_ROUTINES - 1};
  struct lc_profile_thread *thread = lc_profile_self, *scratch = lc_profile_thread_allocate ();
  const void *key = (const void *)(uintptr_t)lc_profile_sample;
  unsigned int place = profile_regions_place_of (key);
  const struct lc_profile_times *calls;
  uint32_t path;

  if (scratch == NULL)
    return;
  calls = lc_profile_find_times (scratch, routine.id, &path);
  lc_profile_self = scratch;
  table[place].routine = &routine;
  table[place].key = key;
  for (int round = 0; round < rounds; round++)
    {
      int64_t own = calls->inclusive[LC_PROFILE_NONE], bare = profile_regions_time_of (profile_regions_plain), took;

      took = profile_regions_time_of (lc_profile_sample) - bare;
      own = calls->inclusive[LC_PROFILE_NONE] - own - bare;
      inside[round] = own > 0 ? own * LC_PROFILE_PARTS / CALLS : 0;
      outside[round] = took > own ? (took - own) * LC_PROFILE_PARTS / CALLS : 0;
      skipped[round] = (time_of_skipping (&scratch->trial, key) - bare) * LC_PROFILE_PARTS / CALLS;
    }
  table[place].key = NULL;
  lc_profile_self = thread;
  lc_profile_costs[LC_PROFILE_FUNCTION] = lc_profile_costs[LC_PROFILE_REGION] =
      (struct lc_profile_cost){lc_profile_median (outside, rounds), lc_profile_median (inside, rounds)};
  lc_profile_skip_cost = lc_profile_median (skipped, rounds);
  if (lc_profile_skip_cost < 0)
    lc_profile_skip_cost = 0;
  lc_profile_thread_discard (scratch);
  classes = 1u << LC_CLASS_MARK;
}
