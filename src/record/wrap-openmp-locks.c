/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs: critical sections, and locks. */
#include "wrap-mutex.h"
#include "wrap-openmp.h"

/* What stands for the section of all `critical` without a name, and for what `atomic` cannot do without a lock. */
static char critical, atomic;

/* Gives a lock that has no place in the program a name. */
static void
openmp_name_lock (const void *address, const char *name)
{
  const struct lc_object_record record = {.object_class = LC_CLASS_NAME, .address = (uint64_t)(uintptr_t)address};
  struct lc_slow slow;

  if (lc_is_sandboxed ())
    return;
  lc_slow_begin (&slow);
  lc_object_new (&record, name);
  lc_slow_end (&slow);
}

/* Returns the slot of a lock. `name` may be NULL: the place of the lock says what it is. */
static inline LC_ALWAYS_INLINE struct lc_slot *
openmp_lock_slot (struct lc_thread *thread, const void *address, const char *name)
{
  struct lc_slot *slot = name != NULL ? lc_slot_at (thread, address, LC_CLASS_MUTEX) : NULL;
  bool is_new = name != NULL && (slot == NULL || lc_slot_id (slot) == 0);

  slot = lc_object (thread, address, LC_CLASS_MUTEX, LC_KIND_OPENMP);
  if (LC_UNLIKELY (is_new && slot != NULL))
    openmp_name_lock (address, name);
  return slot;
}

/* A thread that enters a section. libgomp cannot try to, so whether it is taken is asked of the slot. */
struct openmp_entry
{
  struct lc_thread *thread;
  struct lc_slot *slot; /* NULL: it is not recorded */
  uint64_t begin;
  uint8_t flags;
};

static inline LC_ALWAYS_INLINE struct openmp_entry
openmp_enter_section (const void *address, const char *name)
{
  struct openmp_entry entry = {.thread = lc_enter (LC_CLASS_MUTEX)};

  if (entry.thread == NULL)
    return entry;
  entry.slot = openmp_lock_slot (entry.thread, address, name);
  if (entry.slot == NULL)
    return entry;
  entry.begin = lc_now ();
  if (__atomic_load_n (&entry.slot->owner, __ATOMIC_RELAXED) != 0)
    {
      entry.flags = LC_EVENT_CONTENDED;
      __atomic_fetch_add (&entry.slot->taken, 1, __ATOMIC_RELAXED);
      lc_block (entry.thread, LC_LOCK, entry.slot->id, 0, entry.begin);
    }
  return entry;
}

static inline LC_ALWAYS_INLINE void
openmp_entered_section (const struct openmp_entry *entry)
{
  if (entry->slot == NULL)
    return;
  if (entry->flags & LC_EVENT_CONTENDED)
    {
      lc_unblock (entry->thread);
      __atomic_fetch_sub (&entry->slot->taken, 1, __ATOMIC_RELAXED);
    }
  lc_locked (entry->thread, entry->slot, entry->begin, entry->flags);
  entry->thread->waiting_site = 0; /* a lock that the thread has taken once more is no event */
}

/* A thread that leaves a section. */
struct openmp_exit
{
  struct lc_thread *thread;
  uint64_t events;
  bool is_awaited;
};

static inline LC_ALWAYS_INLINE struct openmp_exit
openmp_leave_section (const void *address)
{
  struct openmp_exit leaving = {.thread = lc_enter (LC_CLASS_MUTEX)};
  struct lc_slot *slot =
      leaving.thread != NULL ? lc_object (leaving.thread, address, LC_CLASS_MUTEX, LC_KIND_OPENMP) : NULL;

  if (slot == NULL)
    return leaving;
  leaving.events = leaving.thread->events;
  leaving.is_awaited = __atomic_load_n (&slot->taken, __ATOMIC_RELAXED) > 0;
  if (!lc_unlocking (leaving.thread, slot))
    {
      leaving.is_awaited = false;
      lc_unlocking_other (leaving.thread, slot, lc_now ());
    }
  return leaving;
}

static inline LC_ALWAYS_INLINE void
openmp_left_section (const struct openmp_exit *leaving)
{
  if (LC_UNLIKELY (leaving->is_awaited))
    lc_has_woken (leaving->thread, leaving->events);
}

#define ENTRY(name, parameters, arguments, address, title) \
  LC_EXPORT void name parameters \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct openmp_entry entry; \
\
    if (real == NULL) \
      return; \
    entry = openmp_enter_section (address, title); \
    real arguments; \
    openmp_entered_section (&entry); \
  }

#define EXIT(name, parameters, arguments, address) \
  LC_EXPORT void name parameters \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct openmp_exit leaving; \
\
    if (real == NULL) \
      return; \
    leaving = openmp_leave_section (address); \
    real arguments; \
    openmp_left_section (&leaving); \
  }

#define SECTION(name, parameters, arguments, address, title) \
  ENTRY (name##start, parameters, arguments, address, title) \
  EXIT (name##end, parameters, arguments, address)

SECTION (GOMP_critical_, (void), (), &critical, "critical")
SECTION (GOMP_critical_name_, (void **section), (section), section, NULL)
SECTION (GOMP_atomic_, (void), (), &atomic, "atomic")

/* clang's sections have a variable each, with a name that tells which. */
ENTRY (__kmpc_critical, (void *place, int thread, void *section), (place, thread, section), section, NULL)
ENTRY (__kmpc_critical_with_hint, (void *place, int thread, void *section, uint32_t hint),
       (place, thread, section, hint), section, NULL)
EXIT (__kmpc_end_critical, (void *place, int thread, void *section), (place, thread, section), section)

/* --- Reductions -------------------------------------------------------------------------------------------- */

/* Tells whether the thread works for who is adding its part, and has the section: what adds may have regions itself. */
static inline bool
openmp_is_within_reduction (const struct lc_openmp_place *place)
{
  while (place != NULL && !place->is_reducing)
    place = place->team->around;
  return place != NULL;
}

/*
 * In which order threads add by atomic operations, nobody can see, and sums of floating-point numbers depend on it. So
 * they do it one after the other, in the section that the compiler has for libraries which know no better.
 */
static inline LC_ALWAYS_INLINE int
openmp_reduce (void *place, int thread, void *section, int how)
{
  __typeof__ (__kmpc_critical) *real = LC_OPENMP_REAL (__kmpc_critical);
  struct lc_openmp_place *here = lc_openmp_here ();
  struct openmp_entry entry;

  if (how != LC_OPENMP_REDUCE_ATOMIC || real == NULL || here == NULL || !lc_openmp_records (LC_CLASS_MUTEX) ||
      openmp_is_within_reduction (here))
    return how;
  entry = openmp_enter_section (section, NULL);
  real (place, thread, section);
  openmp_entered_section (&entry);
  here->is_reducing = true;
  return LC_OPENMP_REDUCE_HERE;
}

/* False: the thread has not been in the section. */
static inline LC_ALWAYS_INLINE bool
openmp_reduced (void *place, int thread, void *section)
{
  __typeof__ (__kmpc_end_critical) *real = LC_OPENMP_REAL (__kmpc_end_critical);
  struct lc_openmp_place *here = lc_openmp_here ();
  struct openmp_exit leaving;

  if (here == NULL || !here->is_reducing || real == NULL)
    return false;
  here->is_reducing = false;
  leaving = openmp_leave_section (section);
  real (place, thread, section);
  openmp_left_section (&leaving);
  return true;
}

#define REDUCE(name) \
  LC_EXPORT int name (void *place, int thread, int n, size_t size, void *data, lc_openmp_reducer *reducer, \
                      void *section) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
\
    return real != NULL \
               ? openmp_reduce (place, thread, section, real (place, thread, n, size, data, reducer, section)) \
               : LC_OPENMP_REDUCE_HERE; \
  }

REDUCE (__kmpc_reduce)
REDUCE (__kmpc_reduce_nowait)

/* All of the team come to this end, by which they wait for each other; and to the next only those in the section. */
LC_EXPORT void
__kmpc_end_reduce (void *place, int thread, void *section)
{
  __typeof__ (__kmpc_end_reduce) *real = LC_OPENMP_REAL (__kmpc_end_reduce);

  openmp_reduced (place, thread, section);
  if (real != NULL)
    real (place, thread, section);
}

LC_EXPORT void
__kmpc_end_reduce_nowait (void *place, int thread, void *section)
{
  __typeof__ (__kmpc_end_reduce_nowait) *real = LC_OPENMP_REAL (__kmpc_end_reduce_nowait);

  if (!openmp_reduced (place, thread, section) && real != NULL)
    real (place, thread, section);
}

/* --- Locks ------------------------------------------------------------------------------------------------- */

#define LOCK_LIFE(kind) \
  LC_EXPORT void omp_init_##kind (void *lock) \
  { \
    __typeof__ (omp_init_##kind) *real = LC_OPENMP_REAL (omp_init_##kind); \
    struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX); \
\
    if (real != NULL) \
      real (lock); \
    if (thread != NULL) \
      lc_object_begin (thread, lock, LC_CLASS_MUTEX, LC_KIND_OPENMP, false, 0); \
  } \
\
  LC_EXPORT void omp_destroy_##kind (void *lock) \
  { \
    __typeof__ (omp_destroy_##kind) *real = LC_OPENMP_REAL (omp_destroy_##kind); \
    struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX); \
\
    if (real != NULL) \
      real (lock); \
    if (thread != NULL) \
      lc_object_end (thread, lock, LC_CLASS_MUTEX); \
  }

#define LOCK_USE(kind) \
  LC_EXPORT void omp_set_##kind (void *lock) \
  { \
    __typeof__ (omp_set_##kind) *real = LC_OPENMP_REAL (omp_set_##kind); \
    struct openmp_entry entry; \
\
    if (real == NULL) \
      return; \
    entry = openmp_enter_section (lock, NULL); \
    real (lock); \
    openmp_entered_section (&entry); \
  } \
\
  LC_EXPORT void omp_unset_##kind (void *lock) \
  { \
    __typeof__ (omp_unset_##kind) *real = LC_OPENMP_REAL (omp_unset_##kind); \
    struct openmp_exit leaving; \
\
    if (real == NULL) \
      return; \
    leaving = openmp_leave_section (lock); \
    real (lock); \
    openmp_left_section (&leaving); \
  } \
\
  LC_EXPORT int omp_test_##kind (void *lock) \
  { \
    __typeof__ (omp_test_##kind) *real = LC_OPENMP_REAL (omp_test_##kind); \
    struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX); \
    struct lc_slot *slot = thread != NULL ? openmp_lock_slot (thread, lock, NULL) : NULL; \
    uint64_t begin; \
    int result; \
\
    if (slot == NULL || real == NULL) \
      return real != NULL ? real (lock) : 1; \
    begin = lc_now (); \
    result = real (lock); \
    if (result != 0) \
      lc_locked (thread, slot, begin, LC_EVENT_TRIED); \
    else \
      lc_append_failed (thread, LC_LOCK_FAILED, slot->id, begin); \
    return result; \
  }

LOCK_LIFE (lock)
LOCK_LIFE (nest_lock)
LOCK_USE (lock)
LOCK_USE (nest_lock)

/* Those of Fortran are given the variable of the lock. */
LOCK_LIFE (lock_)
LOCK_LIFE (nest_lock_)
LOCK_USE (lock_)
LOCK_USE (nest_lock_)
