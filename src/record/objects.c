/* SPDX-License-Identifier: Apache-2.0 */
/* The program's objects: a slot for each address in use. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>

#include "real.h"
#include "recorder.h"

enum
{
  BUCKETS = 1 << 17,
  CHUNK_BITS = 11,
  CHUNK_SLOTS = 1 << CHUNK_BITS,
  CHUNKS = 1 << 15,
  KIND_SHARED = 255, /* of a slot that only leads to one in shared memory */
};

/*
 * Slots stay where they are for ever, and come in chunks, since the program may have little address space, or keep all
 * of its memory locked.
 */
static struct lc_slot *chunks[CHUNKS];
static uint32_t slots_used;
static uint32_t *buckets;
static uint32_t table_lock;

/* In a forked child: its objects are other ones. */
void
lc_slots_forget (void)
{
  table_lock = 0;
  if (buckets != NULL)
    madvise (buckets, BUCKETS * sizeof *buckets, MADV_DONTNEED);
  for (uint32_t i = 0; i < CHUNKS && chunks[i] != NULL; i++)
    madvise (chunks[i], CHUNK_SLOTS * sizeof *chunks[i], MADV_DONTNEED);
  slots_used = 0;
}

static void *
map_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

static bool
make_table (void)
{
  if (buckets == NULL)
    __atomic_store_n (&buckets, map_memory (BUCKETS * sizeof *buckets), __ATOMIC_RELEASE);
  return buckets != NULL;
}

static inline struct lc_slot *
slot_number (uint32_t number)
{
  return &chunks[number >> CHUNK_BITS][number & (CHUNK_SLOTS - 1)];
}

static uint32_t *
bucket_of (uint64_t key)
{
  return &buckets[(key * UINT64_C (0x9E3779B97F4A7C15)) >> (64 - 17)];
}

/* Places are given from 1 on: 0 ends a chain. */
static struct lc_slot *
search (uint64_t key)
{
  uint32_t at = __atomic_load_n (bucket_of (key), __ATOMIC_ACQUIRE);

  while (at != 0 && slot_number (at)->key != key)
    at = slot_number (at)->next;
  return at != 0 ? slot_number (at) : NULL;
}

static struct lc_slot *
add (uint64_t key)
{
  struct lc_slot *slot;
  uint32_t *bucket = bucket_of (key), number = slots_used + 1, chunk = number >> CHUNK_BITS;

  if (chunk == CHUNKS)
    return NULL;
  if (chunks[chunk] == NULL)
    chunks[chunk] = map_memory (CHUNK_SLOTS * sizeof *chunks[chunk]);
  if (chunks[chunk] == NULL)
    return NULL;
  slot = slot_number (number);
  slot->key = key;
  slot->next = *bucket;
  __atomic_store_n (bucket, number, __ATOMIC_RELEASE);
  slots_used = number;
  return slot;
}

struct lc_slot *
lc_slot_find (struct lc_thread *thread, uint64_t key)
{
  struct lc_slow slow;
  struct lc_slot *slot = __atomic_load_n (&buckets, __ATOMIC_ACQUIRE) != NULL ? search (key) : NULL;
  unsigned int cached = lc_cache_place (key);

  if (slot == NULL && !lc_is_sandboxed ())
    {
      lc_slow_begin (&slow);
      lc_lock (&table_lock);
      if (make_table () && (slot = search (key)) == NULL)
        slot = add (key);
      lc_unlock (&table_lock);
      lc_slow_end (&slow);
    }
  if (slot != NULL)
    {
      /* A handler may look between the two stores: it must not find the key with another one's slot. */
      thread->cache[cached].key = 0;
      LC_COMPILER_BARRIER ();
      thread->cache[cached].slot = slot;
      LC_COMPILER_BARRIER ();
      thread->cache[cached].key = key;
    }
  return slot;
}

/* --- What an object is, when its making was not seen ------------------------------------------------------- */

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
 * Statically made objects are private; the rest says so itself, at places that are part of the C library's ABI. Spin
 * locks do not; but those of this address space have been seen when they were made.
 */
static bool
looks_shared (const void *address, enum lc_class class, enum lc_kind kind)
{
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
  return false;
}
#else
#error "the layout of this C library's objects is not known"
#endif

static uint64_t
first_value (const void *address, enum lc_class class)
{
  int value = 0;

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

static void
describe (struct lc_slot *slot, const void *address, enum lc_class class, enum lc_kind kind, bool shared,
          uint64_t value, bool anew)
{
  struct lc_slot *elsewhere = shared ? lc_shared_slot (address, class, kind, value, anew) : NULL;
  struct lc_object_record record = {
      .object_class = (uint8_t) class, .kind = (uint8_t)kind, .address = (uint64_t)(uintptr_t)address, .value = value};

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
  if (class == LC_CLASS_CONDITION && slot->extra == 0)
    slot->extra = (uint64_t)(uintptr_t)wake_ups_new ();
  else if (class == LC_CLASS_CONDITION)
    memset ((void *)(uintptr_t)slot->extra, 0, sizeof (struct lc_wake_ups));
  if (class != LC_CLASS_CONDITION || slot->extra != 0)
    __atomic_store_n (&slot->id, lc_object_new (&record, NULL), __ATOMIC_RELEASE);
}

static struct lc_slot *
find_described (struct lc_slot *slot, const void *address, enum lc_class class, enum lc_kind kind)
{
  struct lc_slow slow;
  struct lc_slot *shared;

  if (slot == NULL || lc_is_sandboxed ())
    return NULL;
  lc_slow_begin (&slow);
  lc_lock (&table_lock);
  if (slot->kind == KIND_SHARED && !lc_shared_is_current (shared_of (slot)))
    leave_shared (slot);
  if (slot->id == 0 && slot->kind != KIND_SHARED)
    {
      if (class == LC_CLASS_MUTEX && kind == LC_KIND_PLAIN)
        kind = mutex_kind (address);
      describe (slot, address, class, kind, looks_shared (address, class, kind), first_value (address, class), false);
    }
  shared = slot->kind == KIND_SHARED ? shared_of (slot) : NULL;
  lc_unlock (&table_lock);
  lc_slow_end (&slow);
  if (shared != NULL)
    return shared;
  return slot->id != 0 ? slot : NULL;
}

struct lc_slot *
lc_slot_describe (struct lc_slot *slot, const void *address, enum lc_class class, enum lc_kind kind)
{
  if (LC_LIKELY (slot != NULL) && __atomic_load_n (&slot->kind, __ATOMIC_ACQUIRE) == KIND_SHARED)
    {
      struct lc_slot *shared = shared_of (slot);

      if (LC_LIKELY (lc_shared_is_current (shared)))
        return shared;
    }
  slot = find_described (slot, address, class, kind);
  if (slot == NULL)
    lc_count_lost (NULL, LC_LOST_OBJECTS);
  return slot;
}

void
lc_object_begin (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind, bool shared,
                 uint64_t value)
{
  struct lc_slot *slot = lc_slot_at (thread, address, class);
  struct lc_slow slow;

  if (slot == NULL)
    return;
  if (lc_is_sandboxed ())
    {
      __atomic_store_n (&slot->id, 0, __ATOMIC_RELAXED);
      return;
    }
  lc_slow_begin (&slow);
  lc_lock (&table_lock);
  if (class == LC_CLASS_MUTEX && kind == LC_KIND_PLAIN)
    kind = mutex_kind (address);
  leave_shared (slot);
  __atomic_store_n (&slot->id, 0, __ATOMIC_RELAXED);
  describe (slot, address, class, kind, shared, value, true);
  lc_unlock (&table_lock);
  lc_slow_end (&slow);
}

void
lc_object_end (struct lc_thread *thread, const void *address, enum lc_class class)
{
  struct lc_slot *slot = lc_slot_at (thread, address, class);

  if (slot == NULL)
    return;
  leave_shared (slot);
  __atomic_store_n (&slot->id, 0, __ATOMIC_RELEASE);
}
