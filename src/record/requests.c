/* SPDX-License-Identifier: Apache-2.0 */
/* What became of receives that were begun without waiting: requests-I, an array by the number of the request. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder.h"

/*
 * The file is mapped in chunks, small ones for those who begin few, and a chunk is let go when all of its requests have
 * been resolved: the program's memory stays its own. Who asks holds a lock of his own (hooks.h).
 */
enum
{
  SMALL_BITS = 12,
  LARGE_BITS = 16,
  SMALL_CHUNKS = 1 << (LARGE_BITS - SMALL_BITS),
  CHUNKS = SMALL_CHUNKS - 1 + (1 << (32 - LARGE_BITS)),
};

struct chunk
{
  struct lc_request_record *records; /* NULL: not there yet */
  uint32_t resolved;
  uint32_t lost; /* enum lc_lost + 1, when there was no room: it is not tried again */
};

static struct chunk chunks[CHUNKS];
static struct lc_request_record done; /* what a chunk that has been let go has for records */
static uint32_t next;

static inline uint32_t
chunk_of (uint32_t request)
{
  return request >> LARGE_BITS == 0 ? request >> SMALL_BITS : SMALL_CHUNKS - 1 + (request >> LARGE_BITS);
}

static inline uint32_t
chunk_size (uint32_t number)
{
  return number < SMALL_CHUNKS ? 1 << SMALL_BITS : 1 << LARGE_BITS;
}

static inline uint64_t
chunk_first (uint32_t number)
{
  return number < SMALL_CHUNKS ? (uint64_t)number << SMALL_BITS : (uint64_t)(number - SMALL_CHUNKS + 1) << LARGE_BITS;
}

static void
map_chunk (struct chunk *chunk)
{
  uint32_t number = (uint32_t)(chunk - chunks);
  size_t bytes = chunk_size (number) * sizeof *chunk->records;
  int file = lc_file_open ("requests-", lc_instance - 1, O_RDWR | O_CREAT);
  void *records;

  chunk->lost = LC_LOST_FILE + 1;
  if (file < 0)
    return;
  records = lc_file_map (file, chunk_first (number) * sizeof *chunk->records, bytes);
  if (records == NULL && lc_file_is_full (errno))
    chunk->lost = LC_LOST_DISK + 1;
  lc_file_close (file);
  if (records == NULL)
    return;
  chunk->lost = 0;
  chunk->records = records;
}

/* NULL: there is no room, and `reason` says why. */
static struct lc_request_record *
make_records (struct chunk *chunk, enum lc_lost *reason)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  if (chunk->lost == 0)
    map_chunk (chunk);
  *reason = (enum lc_lost) (chunk->lost - 1);
  lc_slow_end (&slow);
  return chunk->records;
}

uint32_t
lc_request_new (void)
{
  return next++;
}

static void
let_go (struct chunk *chunk, uint32_t size)
{
  munmap (chunk->records, size * sizeof *chunk->records);
  chunk->records = &done;
}

/* Who is told of the same request twice counts it once. The record is written at once: whoever reads the file of a
   program that was killed finds all of it, or nothing. */
void
lc_request_resolve (uint32_t request, uint32_t object, uint32_t sequence)
{
  uint32_t number = chunk_of (request), size = chunk_size (number);
  struct chunk *chunk = &chunks[number];
  struct lc_request_record *records = chunk->records, record = {.object = object, .sequence = sequence};
  enum lc_lost reason = LC_LOST_OBJECTS;
  uint64_t bits, *place;
  bool is_first;

  if (LC_UNLIKELY (object == 0))
    records = NULL;
  else if (LC_UNLIKELY (records == NULL))
    records = make_records (chunk, &reason);
  if (LC_UNLIKELY (records == NULL))
    {
      lc_count_lost (lc_self != NULL ? lc_self : lc_suspended (), reason);
      return;
    }
  if (records == &done)
    return;
  place = (uint64_t *)(void *)&records[request - chunk_first (number)];
  memcpy (&bits, &record, sizeof bits);
  is_first = *place == 0;
  __atomic_store_n (place, bits, __ATOMIC_RELAXED);
  if (is_first && ++chunk->resolved == size)
    let_go (chunk, size);
}

void
lc_requests_forget (void)
{
  for (uint32_t i = 0; next > 0 && i <= chunk_of (next - 1); i++)
    {
      if (chunks[i].records != NULL && chunks[i].records != &done)
        munmap (chunks[i].records, chunk_size (i) * sizeof *chunks[i].records);
      chunks[i] = (struct chunk){.records = NULL};
    }
  next = 0;
}
