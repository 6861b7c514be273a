/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of the program's objects, found by address: an index with one cache line to read, and the slot itself. */
#include "slots.h"

#include <string.h>
#include <sys/mman.h>

enum
{
  CHUNK_BITS = 11,
  CHUNK_SLOTS = 1 << CHUNK_BITS,
  CHUNK_BYTES = CHUNK_SLOTS * sizeof (struct lc_slot),
  CHUNKS = 1 << 15,

  HUGE_PAGE = 2 << 20,
  SMALL_CHUNKS = 2, /* programs with few objects do not pay for a huge page */
  HUGE_CHUNKS = HUGE_PAGE / CHUNK_BYTES,

  FIRST_BITS = 10, /* of the index that exists from the beginning */
  MOST_BITS = 28,

  MEASURED = 61,       /* one search of so many is measured: no common factor with what programs do in a row */
  INTERRUPTED = 20000, /* ticks: who took longer had no processor meanwhile */
  READINGS = 30,

  LEFT_DEAD = 1024,    /* slots of destroyed objects that are not worth searching for */
  LOOKED_THROUGH = 64, /* slots to look at, at most, for one to use again */
};

/*
 * An entry of the index is the address of a slot, with as many bits of the key's hash as fit beside it, so that nearly
 * every slot that is looked at is the right one. A slot that is found is checked by its own key, and a search that
 * finds nothing is repeated with the lock held. So readers need no lock while entries are moved; a replaced index may
 * be emptied, but its memory must stay mapped.
 */
#define SLOT_MASK (((UINT64_C (1) << 48) - 1) & ~UINT64_C (63))
#define TAG_MASK (~SLOT_MASK)

uint32_t lc_slots_lock;

/* An index: the address of its entries, and in the lowest bits 64 minus the logarithm of their number. */
static uint64_t first_entries[1 << FIRST_BITS] __attribute__ ((aligned (64)));
static uint64_t *indexes[MOST_BITS + 1] = {[FIRST_BITS] = first_entries};
static uint64_t current_index; /* 0: first_entries */

/* Slots never move. They come in chunks, since the program may have little address space, or have locked all its
 * memory. */
static struct lc_slot *chunks[CHUNKS];
static uint32_t slots_used;
static uint32_t entries_used;
static uint32_t dead; /* number of slots that may be used again */
static uint32_t hand; /* where the last one of them was found */

static inline uint64_t
hash_of (uint64_t key)
{
  return key * UINT64_C (0x9E3779B97F4A7C15);
}

/* Returns the bits of the hash that do not choose the place in the index. */
static inline uint64_t
tag_of (uint64_t hash)
{
  return (hash << 26 | hash >> 38) & TAG_MASK;
}

struct index
{
  uint64_t *entries;
  unsigned int shift;
};

static inline struct index
get_index (void)
{
  uint64_t word = __atomic_load_n (&current_index, __ATOMIC_ACQUIRE);

  if (LC_LIKELY (word == 0))
    return (struct index){first_entries, 64 - FIRST_BITS};
  return (struct index){(uint64_t *)(uintptr_t)(word & ~UINT64_C (63)), (unsigned int)(word & 63)};
}

static inline size_t
mask_of (struct index index)
{
  return (size_t)(UINT64_MAX >> index.shift);
}

static inline struct lc_slot *
slots_slot_of (uint64_t entry)
{
  return (struct lc_slot *)(uintptr_t)(entry & SLOT_MASK);
}

static inline struct lc_slot *
slot_number (uint32_t number)
{
  return &chunks[number >> CHUNK_BITS][number & (CHUNK_SLOTS - 1)];
}

/* Finds the entry of the key's slot, or the empty entry that ends the search. */
static inline uint64_t *
find_entry (struct index index, uint64_t key, struct lc_slot **slot)
{
  uint64_t hash = hash_of (key), tag = tag_of (hash);

  for (size_t place = (size_t)(hash >> index.shift);; place = (place + 1) & mask_of (index))
    {
      uint64_t entry = __atomic_load_n (&index.entries[place], __ATOMIC_ACQUIRE);

      *slot = slots_slot_of (entry);
      if (entry == 0 || ((entry & TAG_MASK) == tag && __atomic_load_n (&(*slot)->key, __ATOMIC_RELAXED) == key))
        return &index.entries[place];
    }
}

static inline struct lc_slot *
slots_search (uint64_t key)
{
  struct lc_slot *slot;

  find_entry (get_index (), key, &slot);
  return slot;
}

/* --- Memory ------------------------------------------------------------------------------------------------ */

static void *
map_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

/* Maps memory aligned to a huge page, which the system may then use: with many slots, each access would otherwise be a
 * page walk. */
static void *
map_huge (size_t bytes)
{
  unsigned char *memory = map_memory (bytes + HUGE_PAGE), *begin;
  size_t before;

  if (memory == NULL)
    return NULL;
  before = (size_t)(-(uintptr_t)memory & (HUGE_PAGE - 1));
  begin = memory + before;
  if (before > 0)
    munmap (memory, before);
  munmap (begin + bytes, HUGE_PAGE - before);
  madvise (begin, bytes, MADV_HUGEPAGE);
  return begin;
}

static bool
add_chunk (uint32_t chunk)
{
  unsigned char *memory = NULL;
  uint32_t number = HUGE_CHUNKS;

  if (chunk >= SMALL_CHUNKS && chunk + HUGE_CHUNKS <= CHUNKS)
    memory = map_huge (HUGE_PAGE);
  if (memory == NULL)
    {
      memory = map_memory (CHUNK_BYTES);
      number = 1;
    }
  for (uint32_t i = 0; memory != NULL && i < number; i++)
    chunks[chunk + i] = (struct lc_slot *)(void *)(memory + (size_t)i * CHUNK_BYTES);
  return memory != NULL;
}

/* Empties memory without unmapping it, because threads that still read it then find zeros. */
static void
slots_empty (void *memory, size_t bytes)
{
  if (madvise (memory, bytes, MADV_DONTNEED) != 0)
    memset (memory, 0, bytes);
}

/* --- The index --------------------------------------------------------------------------------------------- */

static void
slots_insert (struct index index, struct lc_slot *slot)
{
  uint64_t hash = hash_of (slot->key);
  size_t place = (size_t)(hash >> index.shift);

  while (__atomic_load_n (&index.entries[place], __ATOMIC_RELAXED) != 0)
    place = (place + 1) & mask_of (index);
  __atomic_store_n (&index.entries[place], (uint64_t)(uintptr_t)slot | tag_of (hash), __ATOMIC_RELEASE);
}

/* Replaces the index. Threads that still read the old one find their slot, or search again with the lock. */
static bool
grow_index (void)
{
  struct index old = get_index (), index;
  unsigned int bits = 64 - old.shift, more = bits + (bits < 16 ? 3 : 1);
  size_t bytes = sizeof (uint64_t) << more;

  if (more > MOST_BITS)
    return false;
  if (indexes[more] == NULL && bytes >= HUGE_PAGE / 4)
    indexes[more] = map_huge (bytes < HUGE_PAGE ? HUGE_PAGE : bytes);
  if (indexes[more] == NULL)
    indexes[more] = map_memory (bytes);
  if (indexes[more] == NULL)
    return false;
  index = (struct index){indexes[more], 64 - more};
  for (uint32_t number = 0; number < slots_used; number++)
    if (slot_number (number)->key != 0)
      slots_insert (index, slot_number (number));
  __atomic_store_n (&current_index, (uint64_t)(uintptr_t)index.entries | index.shift, __ATOMIC_RELEASE);
  if (old.entries != first_entries)
    madvise (old.entries, sizeof (uint64_t) << bits, MADV_DONTNEED);
  return true;
}

/* Moves later entries up, so that no search ends at the gap. */
static void
remove_entry (struct lc_slot *slot)
{
  struct index index = get_index ();
  size_t mask = mask_of (index), gap, place;
  struct lc_slot *found;

  gap = (size_t)(find_entry (index, slot->key, &found) - index.entries);
  if (found == NULL)
    return;
  for (place = (gap + 1) & mask; index.entries[place] != 0; place = (place + 1) & mask)
    {
      size_t wanted = (size_t)(hash_of (slots_slot_of (index.entries[place])->key) >> index.shift);

      if (((place - wanted) & mask) < ((place - gap) & mask))
        continue;
      __atomic_store_n (&index.entries[gap], index.entries[place], __ATOMIC_RELEASE);
      gap = place;
    }
  __atomic_store_n (&index.entries[gap], 0, __ATOMIC_RELEASE);
  entries_used--;
}

/* Fills at most three quarters of the index, or seven eighths if there is no memory for a larger one. */
static bool
slots_has_room (void)
{
  size_t size = mask_of (get_index ()) + 1;

  return entries_used < size - size / 4 || grow_index () || entries_used < size - size / 8;
}

/* --- Slots ------------------------------------------------------------------------------------------------- */

/*
 * Reuses the slot of a destroyed object. A thread may still have the slot in its cache under the old key: such a thread
 * compares the keys after it has seen that there is a record (lc_object), so the key is removed first.
 */
static struct lc_slot *
use_again (void)
{
  for (int i = 0; i < LOOKED_THROUGH; i++)
    {
      struct lc_slot *slot;

      hand = hand + 1 < slots_used ? hand + 1 : 0;
      slot = slot_number (hand);
      if (__atomic_load_n (&slot->is_dead, __ATOMIC_RELAXED) == 0 ||
          __atomic_exchange_n (&slot->is_dead, 0, __ATOMIC_ACQ_REL) == 0)
        continue;
      __atomic_sub_fetch (&dead, 1, __ATOMIC_RELAXED);
      remove_entry (slot);
      __atomic_store_n (&slot->key, 0, __ATOMIC_RELEASE);
      slot->sequence = slot->owner = slot->count = slot->taken = slot->extra = 0;
      slot->depth = 0;
      __atomic_store_n (&slot->kind, LC_KIND_PLAIN, __ATOMIC_RELAXED);
      return slot;
    }
  return NULL;
}

static struct lc_slot *
new_slot (void)
{
  if (slots_used == (uint32_t)CHUNKS << CHUNK_BITS)
    return NULL;
  if (chunks[slots_used >> CHUNK_BITS] == NULL && !add_chunk (slots_used >> CHUNK_BITS))
    return NULL;
  return slot_number (slots_used++);
}

static struct lc_slot *
slots_add (uint64_t key)
{
  struct lc_slot *slot = NULL;
  uint32_t may_be_used = __atomic_load_n (&dead, __ATOMIC_RELAXED);

  if (!slots_has_room ())
    return NULL;
  if (may_be_used > LEFT_DEAD && may_be_used > slots_used / 4)
    slot = use_again ();
  if (slot == NULL)
    slot = new_slot ();
  if (slot == NULL && may_be_used > 0)
    slot = use_again ();
  if (slot == NULL)
    return NULL;
  __atomic_store_n (&slot->key, key, __ATOMIC_RELAXED);
  slots_insert (get_index (), slot);
  entries_used++;
  return slot;
}

struct lc_slot *
lc_slot_take (uint64_t key)
{
  struct lc_slot *slot = slots_search (key);

  if (slot == NULL)
    return slots_add (key);
  if (__atomic_load_n (&slot->is_dead, __ATOMIC_RELAXED) != 0 &&
      __atomic_exchange_n (&slot->is_dead, 0, __ATOMIC_ACQ_REL) != 0)
    __atomic_sub_fetch (&dead, 1, __ATOMIC_RELAXED);
  return slot;
}

void
lc_slot_let_go (struct lc_slot *slot)
{
  if (__atomic_exchange_n (&slot->is_dead, 1, __ATOMIC_ACQ_REL) == 0)
    __atomic_add_fetch (&dead, 1, __ATOMIC_RELAXED);
}

/* A signal handler may look between the two stores: it must not find the key with another slot. */
static inline struct lc_slot *
slots_keep (struct lc_thread *thread, uint64_t key, struct lc_slot *slot)
{
  unsigned int place = lc_cache_place (key);

  thread->cache[place].key = 0;
  LC_COMPILER_BARRIER ();
  thread->cache[place].slot = slot;
  LC_COMPILER_BARRIER ();
  thread->cache[place].key = key;
  return slot;
}

struct lc_slot *
lc_slot_known (struct lc_thread *thread, uint64_t key)
{
  unsigned int place = lc_cache_place (key);
  struct lc_slot *slot = thread->cache[place].key == key ? thread->cache[place].slot : NULL;

  if (slot == NULL || __atomic_load_n (&slot->key, __ATOMIC_RELAXED) != key)
    slot = slots_search (key);
  return slot;
}

/* A separate function, so that looking up a known slot uses little of the stack. */
static __attribute__ ((noinline)) struct lc_slot *
slots_find_or_add (struct lc_thread *thread, uint64_t key)
{
  struct lc_slow slow;
  struct lc_slot *slot;

  if (lc_is_sandboxed ())
    return NULL;
  lc_slow_begin (&slow);
  lc_lock (&lc_slots_lock);
  slot = slots_search (key);
  if (slot == NULL)
    slot = slots_add (key);
  lc_unlock (&lc_slots_lock);
  lc_slow_end (&slow);
  return slot != NULL ? slots_keep (thread, key, slot) : NULL;
}

/* Returns the ticks that reading the clock twice takes. */
static uint64_t
slots_get_reading (void)
{
  static uint64_t reading; /* threads that come here at the same time find about the same */

  if (LC_UNLIKELY (__atomic_load_n (&reading, __ATOMIC_RELAXED) == 0))
    {
      uint64_t least = INTERRUPTED;

      for (int i = 0; i < READINGS; i++)
        {
          const uint64_t begin = lc_now_after (), took = lc_now_after () - begin;

          least = took < least ? took : least;
        }
      __atomic_store_n (&reading, least > 0 ? least : 1, __ATOMIC_RELAXED);
    }
  return __atomic_load_n (&reading, __ATOMIC_RELAXED);
}

/*
 * Searches, and measures that for all that were not measured. How long it takes depends on what the program has in its
 * caches, so no calibration can know it; the packet tells it to who takes the measurement off.
 */
static __attribute__ ((noinline)) struct lc_slot *
slots_search_measured (struct lc_thread *thread, uint64_t key)
{
  const uint64_t reading = slots_get_reading (), begin = lc_now_after ();
  struct lc_slot *slot = slots_search (key);
  const uint64_t took = lc_now_after () - begin;
  uint64_t mean;

  thread->unmeasured = 0;
  if (took > reading && took < INTERRUPTED)
    thread->sought += (took - reading) * MEASURED;
  mean = thread->sought * 256 / (thread->events + 1);
  thread->packet->search = mean < UINT32_MAX ? (uint32_t)mean : UINT32_MAX;
  return slot;
}

struct lc_slot *
lc_slot_find (struct lc_thread *thread, uint64_t key)
{
  struct lc_slot *slot;

  if (LC_UNLIKELY (thread->packet == NULL))
    lc_thread_is_forked (thread);
  if (LC_UNLIKELY (++thread->unmeasured >= MEASURED))
    slot = slots_search_measured (thread, key);
  else
    slot = slots_search (key);
  return LC_LIKELY (slot != NULL) ? slots_keep (thread, key, slot) : slots_find_or_add (thread, key);
}

void
lc_table_forget (void)
{
  lc_slots_lock = 0;
  current_index = 0;
  slots_used = entries_used = dead = hand = 0;
  memset (first_entries, 0, sizeof first_entries);
  for (unsigned int bits = FIRST_BITS + 1; bits <= MOST_BITS; bits++)
    if (indexes[bits] != NULL)
      slots_empty (indexes[bits], sizeof (uint64_t) << bits);
  for (uint32_t i = 0; i < CHUNKS && chunks[i] != NULL; i++)
    slots_empty (chunks[i], CHUNK_BYTES);
}
