/* SPDX-License-Identifier: Apache-2.0 */
/* The places of heads-0, in which everything is written that leaves the program. */
#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  FEWEST = 4,       /* places, below which it is not worth while */
  ADDRESS_PART = 8, /* of the address space that the program may have, at most one part in so many is ours */
  KEPT = 16,        /* places, when the program needs its memory for itself */
};

/*
 * The file is mapped once, before the program begins, and forked children inherit the mapping: no file has to be opened
 * while the program runs, and no system call to be made. `lightcone record` makes room on the disk before it says that
 * a place is free, since a page for which there is none would kill the program that writes to it.
 */
static unsigned char *first;
static uint32_t mapped;

/* A program that was given little address space gets most of it. */
static uint32_t
places_affordable (void)
{
  struct rlimit limit;
  uint64_t most = LC_PLACES;

  if (getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    most = limit.rlim_cur / ADDRESS_PART / LC_HEAD_BYTES;
  return most < LC_PLACES ? (uint32_t)most : LC_PLACES;
}

/* Beyond the end of the file too: it grows there. */
static void
places_map (int file)
{
  uint32_t count = places_affordable ();
  void *memory = MAP_FAILED;

  for (; count >= FEWEST && memory == MAP_FAILED; count = memory == MAP_FAILED ? count / 2 : count)
    memory = mmap (NULL, (size_t)count * LC_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED)
    return;
  madvise (memory, (size_t)count * LC_HEAD_BYTES, MADV_DONTDUMP);
  /* Places are taken one by one: to read ahead would fill memory with zeros. */
  madvise (memory, (size_t)count * LC_HEAD_BYTES, MADV_RANDOM);
  first = memory;
  __atomic_store_n (&mapped, count, __ATOMIC_RELEASE);
}

void
lc_places_begin (void)
{
  int file = lc_file_open ("heads-0", O_RDWR);
  struct stat status;

  if (file < 0)
    return;
  if (fstat (file, &status) == 0 && S_ISREG (status.st_mode))
    places_map (file);
  lc_file_close (file);
}

static uint64_t
places_bit_of (uint32_t place)
{
  return UINT64_C (1) << place % 64;
}

static bool
place_claim (uint32_t place)
{
  return (__atomic_fetch_and (&lc_control->free_places[place / 64], ~places_bit_of (place), __ATOMIC_ACQ_REL) &
          places_bit_of (place)) != 0;
}

static void
place_free (uint32_t place)
{
  __atomic_fetch_or (&lc_control->free_places[place / 64], places_bit_of (place), __ATOMIC_RELEASE);
}

/* The lowest free one: places that were used lately are still in the processor's cache. */
void *
lc_place_take (void)
{
  uint32_t count = __atomic_load_n (&mapped, __ATOMIC_ACQUIRE);

  for (uint32_t word = 0; word * 64 < count; word++)
    {
      uint64_t bits;

      while ((bits = __atomic_load_n (&lc_control->free_places[word], __ATOMIC_RELAXED)) != 0)
        {
          uint32_t place = word * 64 + (uint32_t)__builtin_ctzll (bits);

          if (place >= count)
            return NULL;
          if (!place_claim (place))
            continue;
          if (LC_LIKELY (place < __atomic_load_n (&mapped, __ATOMIC_ACQUIRE)))
            return first + (size_t)place * LC_HEAD_BYTES;
          place_free (place); /* the mapping has shrunk meanwhile */
          return NULL;
        }
    }
  return NULL;
}

void
lc_place_give (const void *place)
{
  uint32_t number = (uint32_t)((size_t)((const unsigned char *)place - first) / LC_HEAD_BYTES);

  __atomic_fetch_or (&lc_control->full_places[number / 64], places_bit_of (number), __ATOMIC_RELEASE);
}

/*
 * Locking all memory would make the system find a page for each, and a limit to address space would count them. Free
 * places are claimed before they are unmapped, so that no thread of this address space writes to one meanwhile.
 */
void
lc_places_shrink (void)
{
  uint32_t count = mapped, end = count, claimed[LC_PLACE_WORDS * 2] = {0};
  uint32_t room = __atomic_load_n (&lc_control->places, __ATOMIC_RELAXED);

  while (end > KEPT && (end > room || place_claim (end - 1)))
    {
      end--;
      if (end < room)
        claimed[end / 32] |= UINT32_C (1) << end % 32;
    }
  __atomic_store_n (&mapped, end, __ATOMIC_SEQ_CST);
  if (end < count)
    munmap (first + (size_t)end * LC_HEAD_BYTES, (size_t)(count - end) * LC_HEAD_BYTES);
  for (uint32_t place = end; place < count; place++)
    if (claimed[place / 32] >> place % 32 & 1)
      place_free (place);
}

enum lc_lost
lc_places_reason (void)
{
  uint32_t stopped = __atomic_load_n (&lc_control->stopped, __ATOMIC_RELAXED);
  uint32_t reason = stopped > 0 ? stopped - 1 : __atomic_load_n (&lc_control->shortage, __ATOMIC_RELAXED);

  if (mapped == 0)
    return LC_LOST_FILE;
  return reason < LC_LOST_REASONS ? (enum lc_lost)reason : LC_LOST_FULL;
}

/* Whether no place will be emptied any more, because the trace has as many bytes as it may have. */
static bool
places_are_at_limit (void)
{
  return __atomic_load_n (&lc_control->stopped, __ATOMIC_RELAXED) == LC_LOST_LIMIT + 1;
}

/* `lightcone record` counts its rounds. When the count stands still for a while it is gone, and nobody waits for it. */
void *
lc_place_wait (void)
{
  enum
  {
    PATIENCE = 20000
  };
  static const struct timespec nap = {0, 100000};
  uint32_t rounds = __atomic_load_n (&lc_control->rounds, __ATOMIC_RELAXED);
  void *place = lc_place_take ();

  for (int naps = 0; place == NULL && mapped > 0 && naps < PATIENCE && !places_are_at_limit (); naps++)
    {
      uint32_t now;

      syscall (SYS_nanosleep, &nap, NULL);
      place = lc_place_take ();
      now = __atomic_load_n (&lc_control->rounds, __ATOMIC_RELAXED);
      if (now != rounds)
        naps = 0;
      rounds = now;
    }
  return place;
}
