/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the program's objects, and manages their slots. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>

#include "real.h"
#include "recorder.h"
#include "sites.h"
#include "slots.h"

enum
{
  KIND_SHARED = 255, /* the slot only leads to one in shared memory */
  UNTOLD = 64,       /* objects of an address space whose making is not recorded as a pause */
};

/* Up to UNTOLD. Written with lc_slots_lock held. */
static uint32_t objects_described;

/* Called in a forked child, which has objects of its own. */
void
lc_slots_forget (void)
{
  lc_table_forget ();
  objects_described = 0;
}

/* --- Objects whose making was not seen --------------------------------------------------------------------- */

#if defined(__GLIBC__)
enum
{
  MUTEX_TYPE = 3,
  MUTEX_SHARED = 128,
};

static enum lc_kind
mutex_kind (const pthread_mutex_t *mutex)
{
  static const uint8_t kinds[] = {LC_KIND_PLAIN, LC_KIND_RECURSIVE, LC_KIND_ERROR_CHECK, LC_KIND_ADAPTIVE};

  return kinds[mutex->__data.__kind & MUTEX_TYPE];
}

/*
 * Tells whether an object is shared between processes. Statically initialized objects are private; others say so at
 * places that are part of the C library's ABI. Spin locks do not, but private ones were seen when they were made.
 */
static bool
looks_shared (const void *address, enum lc_class class, enum lc_kind kind)
{
  if (kind == LC_KIND_OPENMP)
    return false;
  if (class == LC_CLASS_MUTEX && kind == LC_KIND_SPIN)
    return true;
  if (class == LC_CLASS_MUTEX)
    return (((const pthread_mutex_t *)address)->__data.__kind & MUTEX_SHARED) != 0;
  if (class == LC_CLASS_CREW)
    return ((const pthread_rwlock_t *)address)->__data.__shared != 0;
  if (class == LC_CLASS_CONDITION)
    return (((const pthread_cond_t *)address)->__data.__wrefs & 1) != 0;
  if (class == LC_CLASS_BARRIER)
    return ((const unsigned int *)address)[3] != 0;
  if (class == LC_CLASS_SEMAPHORE)
    return ((const int *)address)[2] != 0;
  return class == LC_CLASS_FUTEX && kind == LC_KIND_SHARED; /* the call says so, the word itself cannot */
}
#else
#error "the layout of this C library's objects is not known"
#endif

static uint64_t
first_value (const void *address, enum lc_class class, enum lc_kind kind)
{
  int value = 0;

  if (kind == LC_KIND_OPENMP)
    return 0;
  if (class == LC_CLASS_SEMAPHORE && sem_getvalue ((sem_t *)(uintptr_t)address, &value) == 0 && value > 0)
    return (uint64_t)value;
  if (class == LC_CLASS_BARRIER)
    return ((const unsigned int *)address)[2];
  return 0;
}

/* Called with the table locked. */
static struct lc_wake_ups *
wake_ups_new (void)
{
  enum
  {
    CHUNK = 256
  };
  static struct lc_wake_ups *chunk;
  static uint32_t left;

  if (left == 0)
    {
      chunk = mmap (NULL, CHUNK * sizeof *chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (chunk == MAP_FAILED)
        return NULL;
      left = CHUNK;
    }
  return &chunk[--left];
}

static struct lc_slot *
shared_of (const struct lc_slot *slot)
{
  return (struct lc_slot *)(uintptr_t)__atomic_load_n (&slot->extra, __ATOMIC_RELAXED);
}

static void
leave_shared (struct lc_slot *slot)
{
  if (slot->kind == KIND_SHARED)
    {
      __atomic_store_n (&slot->kind, LC_KIND_PLAIN, __ATOMIC_RELEASE);
      slot->extra = 0;
    }
}

/* Makes the record. That of the module comes first, if the object is a static variable. */
static uint32_t
objects_record (const struct lc_object_record *record)
{
  uint64_t base;

  if (lc_control->where != LC_WHERE_NOTHING)
    lc_module_see ((const void *)(uintptr_t)record->address, &base);
  return lc_object_new (record, NULL);
}

static void
objects_describe (struct lc_slot *slot, const void *address, enum lc_class class, enum lc_kind kind, bool shared,
                  uint64_t value, uint32_t site, bool anew)
{
  const bool has_wake_ups = class == LC_CLASS_CONDITION || class == LC_CLASS_FUTEX;
  struct lc_slot *elsewhere = shared ? lc_shared_slot (address, class, kind, value, anew) : NULL;
  struct lc_object_record record = {.object_class = (uint8_t) class,
                                    .kind = (uint8_t)kind,
                                    .module = site,
                                    .address = (uint64_t)(uintptr_t)address,
                                    .value = value};

  if (objects_described < UNTOLD)
    __atomic_store_n (&objects_described, objects_described + 1, __ATOMIC_RELAXED);
  slot->sequence = slot->owner = slot->count = slot->taken = 0;
  slot->depth = 0;
  if (elsewhere != NULL)
    {
      slot->extra = (uint64_t)(uintptr_t)elsewhere;
      __atomic_store_n (&slot->kind, KIND_SHARED, __ATOMIC_RELEASE);
      return;
    }
  __atomic_store_n (&slot->kind, kind, __ATOMIC_RELEASE);
  if (class == LC_CLASS_BARRIER || class == LC_CLASS_SEMAPHORE)
    slot->count = value;
  if (has_wake_ups && slot->extra == 0)
    slot->extra = (uint64_t)(uintptr_t)wake_ups_new ();
  else if (has_wake_ups)
    memset ((void *)(uintptr_t)slot->extra, 0, sizeof (struct lc_wake_ups));
  if (!has_wake_ups || slot->extra != 0)
    __atomic_store_n (&slot->id, objects_record (&record), __ATOMIC_RELEASE);
}

/* Finds a slot anew, because it may have been given to another object since it was found, if its own was destroyed. */
static struct lc_slot *
find_described (const void *address, enum lc_class class, enum lc_kind kind, uint32_t site)
{
  struct lc_slow slow;
  struct lc_slot *slot, *shared = NULL;

  if (lc_is_sandboxed ())
    return NULL;
  lc_slow_begin (&slow);
  lc_lock (&lc_slots_lock);
  slot = lc_slot_take (lc_key (address, class));
  if (slot != NULL)
    {
      if (slot->kind == KIND_SHARED && !lc_shared_is_current (shared_of (slot)))
        leave_shared (slot);
      if (slot->id == 0 && slot->kind != KIND_SHARED)
        {
          if (class == LC_CLASS_MUTEX && kind == LC_KIND_PLAIN)
            kind = mutex_kind (address);
          objects_describe (slot, address, class, kind, looks_shared (address, class, kind),
                            first_value (address, class, kind), site, false);
        }
      shared = slot->kind == KIND_SHARED ? shared_of (slot) : NULL;
    }
  lc_unlock (&lc_slots_lock);
  lc_slow_end (&slow);
  if (shared != NULL)
    return shared;
  return slot != NULL && slot->id != 0 ? slot : NULL;
}

/*
 * Records the making of a record, which takes as long as many events, as the recorder's own time. That of the first
 * ones takes some 50 us in all, and is not worth an event each. In a signal handler, or while the thread waits, an
 * event could not be written at once, and the time would be wrong.
 */
static void
objects_append_pause (struct lc_thread *thread, uint64_t begin)
{
  const bool is_losing = thread->is_losing;

  if (__atomic_load_n (&objects_described, __ATOMIC_RELAXED) < UNTOLD || thread->state != 0 || thread->packet == NULL)
    return;
  if (thread->pause == 0)
    thread->pause = begin;
  thread->is_losing = true; /* the event to come loses the time of --overhead-test, a pause has none to lose */
  lc_append_pause (thread);
  thread->is_losing = is_losing;
}

struct lc_slot *
lc_slot_describe (struct lc_thread *thread, struct lc_slot *slot, const void *address, enum lc_class class,
                  enum lc_kind kind)
{
  uint64_t begin;

  if (LC_LIKELY (slot != NULL) && __atomic_load_n (&slot->kind, __ATOMIC_ACQUIRE) == KIND_SHARED)
    {
      struct lc_slot *shared = shared_of (slot);

      if (LC_LIKELY (lc_slot_is_of (slot, address, class) && lc_shared_is_current (shared)))
        return shared;
    }
  begin = lc_now ();
  slot = find_described (address, class, kind, lc_stack (thread));
  if (slot == NULL)
    lc_count_lost (NULL, LC_LOST_OBJECTS);
  else
    objects_append_pause (thread, begin);
  return slot;
}

void
lc_object_begin (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind, bool shared,
                 uint64_t value)
{
  const uint64_t begin = lc_now ();
  uint32_t site = lc_stack (thread);
  struct lc_slow slow;
  struct lc_slot *slot;

  if (lc_is_sandboxed ())
    {
      slot = lc_slot_known (thread, lc_key (address, class));
      if (slot != NULL)
        __atomic_store_n (&slot->id, 0, __ATOMIC_RELAXED);
      return;
    }
  lc_slow_begin (&slow);
  lc_lock (&lc_slots_lock);
  slot = lc_slot_take (lc_key (address, class));
  if (slot != NULL)
    {
      if (class == LC_CLASS_MUTEX && kind == LC_KIND_PLAIN)
        kind = mutex_kind (address);
      leave_shared (slot);
      __atomic_store_n (&slot->id, 0, __ATOMIC_RELAXED);
      objects_describe (slot, address, class, kind, shared, value, site, true);
    }
  lc_unlock (&lc_slots_lock);
  lc_slow_end (&slow);
  objects_append_pause (thread, begin);
}

/* Slots of condition variables are not reused: threads that were woken still refer to them some time after the
 * destruction. */
void
lc_object_end (struct lc_thread *thread, const void *address, enum lc_class class)
{
  struct lc_slot *slot = lc_slot_known (thread, lc_key (address, class));

  if (slot == NULL)
    return;
  leave_shared (slot);
  __atomic_store_n (&slot->id, 0, __ATOMIC_RELEASE);
  if (class != LC_CLASS_CONDITION)
    lc_slot_let_go (slot);
}
