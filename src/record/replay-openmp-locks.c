/* SPDX-License-Identifier: Apache-2.0 */
/* Replays OpenMP: critical sections, atomic operations that need a lock, and locks. */
#include "replay-openmp.h"

/* What stands for the section of all `critical` without a name, and for what `atomic` cannot do without a lock. */
static char replay_critical, replay_atomic;

/* A recorder is told the names that it has for them itself. */
static void
replay_name_sections (void)
{
  static uint32_t is_named;

  if (lc_replay_recorder == NULL || __atomic_exchange_n (&is_named, 1, __ATOMIC_ACQ_REL) != 0)
    return;
  lc_replay_recorder->name_object (&replay_critical, "critical");
  lc_replay_recorder->name_object (&replay_atomic, "atomic");
}

/* A lock that a thread is about to take. */
struct replay_openmp_entry
{
  struct lc_replayed *self; /* NULL: it has no turns */
  struct lc_replay_place *place;
  const struct lc_replay_event *event; /* NULL: it has none here */
};

static struct replay_openmp_entry
replay_openmp_enter (const void *address, uint16_t failed, bool is_nested, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_MUTEX, LC_LOCK, failed, address, caller};
  struct replay_openmp_entry entry = {lc_replay_has_openmp () ? lc_replay_enter (LC_CLASS_MUTEX) : NULL, NULL, NULL};

  if (entry.self == NULL)
    return entry;
  replay_name_sections ();
  entry.place = lc_replay_place (address, LC_CLASS_MUTEX);
  if (entry.place == NULL)
    entry.self = NULL;
  else if (!is_nested || entry.place->owner != entry.self->number + 1)
    entry.event = lc_replay_turn (entry.self, &call);
  return entry;
}

static void
replay_openmp_entered (const struct replay_openmp_entry *entry)
{
  if (entry->self == NULL)
    return;
  if (entry->event == NULL && entry->place->owner == entry->self->number + 1)
    {
      entry->place->depth++;
      return;
    }
  entry->place->owner = entry->self->number + 1;
  entry->place->depth = 1;
  if (entry->event != NULL)
    lc_replay_done (entry->self, entry->event);
}

/* Returns the event of a thread that gives a lock back. NULL: it has none, or keeps the lock. */
static const struct lc_replay_event *
replay_openmp_leave (const void *address, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_MUTEX, LC_UNLOCK, 0, address, caller};
  struct lc_replayed *self = lc_replay_has_openmp () ? lc_replay_enter (LC_CLASS_MUTEX) : NULL;
  struct lc_replay_place *place = self != NULL ? lc_replay_place (address, LC_CLASS_MUTEX) : NULL;
  const bool is_own = place != NULL && place->owner == self->number + 1;
  const struct lc_replay_event *event;

  if (place == NULL)
    return NULL;
  if (is_own && place->depth > 1)
    {
      place->depth--;
      return NULL;
    }
  event = lc_replay_peek (self);
  if (!is_own && (event == NULL || event->operation != LC_UNLOCK))
    return NULL;
  event = lc_replay_turn (self, &call);
  place->owner = 0;
  return event;
}

static void
replay_openmp_left (const struct lc_replay_event *event)
{
  if (event != NULL)
    lc_replay_done (lc_replay_self, event);
}

#define ENTRY(name, parameters, arguments, address, is_nested) \
  LC_REPLAY_EXPORT void name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct replay_openmp_entry entry; \
\
    if (real == NULL) \
      return; \
    entry = replay_openmp_enter (address, 0, is_nested, LC_REPLAY_CALLER ()); \
    real arguments; \
    replay_openmp_entered (&entry); \
  }

/* The step comes after the real unlock, and so finds the lock free whoever comes next. */
#define EXIT(name, parameters, arguments, address) \
  LC_REPLAY_EXPORT void name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    const struct lc_replay_event *event; \
\
    if (real == NULL) \
      return; \
    event = replay_openmp_leave (address, LC_REPLAY_CALLER ()); \
    real arguments; \
    replay_openmp_left (event); \
  }

ENTRY (GOMP_critical_start, (void), (), &replay_critical, false)
EXIT (GOMP_critical_end, (void), (), &replay_critical)
ENTRY (GOMP_critical_name_start, (void **section), (section), section, false)
EXIT (GOMP_critical_name_end, (void **section), (section), section)
ENTRY (GOMP_atomic_start, (void), (), &replay_atomic, false)
EXIT (GOMP_atomic_end, (void), (), &replay_atomic)

ENTRY (__kmpc_critical, (void *place, int thread, void *section), (place, thread, section), section, false)
ENTRY (__kmpc_critical_with_hint, (void *place, int thread, void *section, uint32_t hint),
       (place, thread, section, hint), section, false)
EXIT (__kmpc_end_critical, (void *place, int thread, void *section), (place, thread, section), section)

/* --- Reductions --------------------------------------------------------------------------------------------- */

/* Tells whether the thread works for who is adding its part, and has the section: what adds may have regions itself. */
static bool
replay_is_within_reduction (const struct lc_replay_part *part)
{
  while (part != NULL && !part->is_reducing)
    part = part->team->around;
  return part != NULL;
}

/* Threads add one after the other, as they do when they are recorded. */
static int
replay_reduce (void *place, int thread, void *section, int how, uintptr_t caller)
{
  __typeof__ (__kmpc_critical) *real = LC_REPLAY_OPENMP (__kmpc_critical);
  struct lc_replay_part *part = lc_replay_openmp_part ();
  struct replay_openmp_entry entry;

  if (how != LC_OPENMP_REDUCE_ATOMIC || real == NULL || part == NULL || replay_is_within_reduction (part))
    return how;
  entry = replay_openmp_enter (section, 0, false, caller);
  real (place, thread, section);
  replay_openmp_entered (&entry);
  part->is_reducing = true;
  return LC_OPENMP_REDUCE_HERE;
}

/* False: the thread has not been in the section. */
static bool
replay_reduced (void *place, int thread, void *section, uintptr_t caller)
{
  __typeof__ (__kmpc_end_critical) *real = LC_REPLAY_OPENMP (__kmpc_end_critical);
  struct lc_replay_part *part = lc_replay_openmp_part ();
  const struct lc_replay_event *event;

  if (part == NULL || !part->is_reducing || real == NULL)
    return false;
  part->is_reducing = false;
  event = replay_openmp_leave (section, caller);
  real (place, thread, section);
  replay_openmp_left (event);
  return true;
}

#define REDUCE(name) \
  LC_REPLAY_EXPORT int name (void *place, int thread, int n, size_t size, void *data, lc_openmp_reducer *reducer, \
                             void *section) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    if (real == NULL) \
      return LC_OPENMP_REDUCE_HERE; \
    return replay_reduce (place, thread, section, real (place, thread, n, size, data, reducer, section), \
                          LC_REPLAY_CALLER ()); \
  }

REDUCE (__kmpc_reduce)
REDUCE (__kmpc_reduce_nowait)

LC_REPLAY_EXPORT void
__kmpc_end_reduce (void *place, int thread, void *section)
{
  __typeof__ (__kmpc_end_reduce) *real = LC_REPLAY_OPENMP (__kmpc_end_reduce);

  replay_reduced (place, thread, section, LC_REPLAY_CALLER ());
  if (real != NULL)
    real (place, thread, section);
}

LC_REPLAY_EXPORT void
__kmpc_end_reduce_nowait (void *place, int thread, void *section)
{
  __typeof__ (__kmpc_end_reduce_nowait) *real = LC_REPLAY_OPENMP (__kmpc_end_reduce_nowait);

  if (!replay_reduced (place, thread, section, LC_REPLAY_CALLER ()) && real != NULL)
    real (place, thread, section);
}

/* --- Locks -------------------------------------------------------------------------------------------------- */

/* An attempt fails as it did, without looking at the lock. */
static int
replay_openmp_test (void *lock, bool is_nested, uintptr_t caller, int (*real) (void *))
{
  const struct lc_replay_call call = {LC_CLASS_MUTEX, LC_LOCK, LC_LOCK_FAILED, lock, caller};
  const struct replay_openmp_entry entry = replay_openmp_enter (lock, LC_LOCK_FAILED, is_nested, caller);
  int result;

  if (entry.event != NULL && entry.event->operation == LC_LOCK_FAILED)
    {
      lc_replay_failed (entry.self, entry.event);
      return 0;
    }
  result = real (lock);
  if (result == 0 && entry.event != NULL)
    lc_replay_differs (entry.self, &call, LC_REPLAY_OUTCOME);
  if (result != 0 || entry.event != NULL)
    replay_openmp_entered (&entry);
  return result;
}

#define LOCK(kind, is_nested) \
  LC_REPLAY_EXPORT void omp_init_##kind (void *lock) \
  { \
    __typeof__ (omp_init_##kind) *real = LC_REPLAY_OPENMP (omp_init_##kind); \
\
    if (real != NULL) \
      real (lock); \
    if (lc_replay_has_openmp () && lc_replay_follows ()) \
      lc_replay_made (lock, LC_CLASS_MUTEX); \
  } \
\
  LC_REPLAY_EXPORT void omp_destroy_##kind (void *lock) \
  { \
    __typeof__ (omp_destroy_##kind) *real = LC_REPLAY_OPENMP (omp_destroy_##kind); \
\
    if (real != NULL) \
      real (lock); \
    if (lc_replay_has_openmp () && lc_replay_follows ()) \
      lc_replay_destroyed (lock, LC_CLASS_MUTEX); \
  } \
\
  ENTRY (omp_set_##kind, (void *lock), (lock), lock, is_nested) \
  EXIT (omp_unset_##kind, (void *lock), (lock), lock) \
\
  LC_REPLAY_EXPORT int omp_test_##kind (void *lock) \
  { \
    __typeof__ (omp_test_##kind) *real = LC_REPLAY_OPENMP (omp_test_##kind); \
\
    return real != NULL ? replay_openmp_test (lock, is_nested, LC_REPLAY_CALLER (), real) : 1; \
  }

/* Those of Fortran are given the variable of the lock. */
LOCK (lock, false)
LOCK (lock_, false)
LOCK (nest_lock, true)
LOCK (nest_lock_, true)
