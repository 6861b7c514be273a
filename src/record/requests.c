/* SPDX-License-Identifier: Apache-2.0 */
/* Results of receives that were begun without waiting: requests-I, an array by number of the request. */
#include <string.h>

#include "places.h"
#include "recorder.h"

/*
 * The file is written in pieces of a place each; a piece is given away once all of its requests are resolved. Callers
 * hold a lock of their own (hooks.h).
 */
enum
{
  PIECE_REQUESTS = LC_PIECE_ROOM / sizeof (struct lc_request_record),
  PIECES = UINT32_MAX / PIECE_REQUESTS + 1,
};

struct chunk
{
  struct lc_piece *piece; /* NULL: not taken yet */
  uint32_t resolved;
  bool is_done; /* given away */
};

static struct chunk chunks[PIECES];
static uint32_t next;

/* NULL: there is no room. */
static struct lc_piece *
chunk_take_piece (struct chunk *chunk)
{
  uint32_t number = (uint32_t)(chunk - chunks);
  const size_t bytes = PIECE_REQUESTS * sizeof (struct lc_request_record);
  struct lc_piece *piece = lc_piece_take (LC_PIECE_REQUESTS, lc_instance - 1, (uint64_t)number * bytes);

  if (piece == NULL)
    return NULL;
  memset (lc_piece_bytes (piece), 0, bytes);
  __atomic_store_n (&piece->bytes, bytes, __ATOMIC_RELEASE);
  chunk->piece = piece;
  return piece;
}

uint32_t
lc_request_new (void)
{
  return next++;
}

static void
chunk_give (struct chunk *chunk)
{
  chunk->is_done = true;
  lc_place_give (chunk->piece);
  chunk->piece = NULL;
}

/* Resolves a request; a second call for the same request counts once. The record is written by a single store, so that
 * a reader of a killed program's file finds all of it or nothing. */
void
lc_request_resolve (uint32_t request, uint32_t object, uint32_t sequence)
{
  struct chunk *chunk = &chunks[request / PIECE_REQUESTS];
  struct lc_request_record record = {.object = object, .sequence = sequence};
  struct lc_piece *piece = chunk->piece;
  uint64_t bits, *place;
  bool is_first;

  if (chunk->is_done && object != 0)
    return;
  if (LC_LIKELY (object != 0) && LC_UNLIKELY (piece == NULL))
    piece = chunk_take_piece (chunk);
  if (LC_UNLIKELY (object == 0 || piece == NULL))
    {
      lc_count_lost (lc_self != NULL ? lc_self : lc_suspended (), object == 0 ? LC_LOST_OBJECTS : lc_places_reason ());
      return;
    }
  place = (uint64_t *)(void *)lc_piece_bytes (piece) + request % PIECE_REQUESTS;
  memcpy (&bits, &record, sizeof bits);
  is_first = *place == 0;
  __atomic_store_n (place, bits, __ATOMIC_RELAXED);
  if (is_first && ++chunk->resolved == PIECE_REQUESTS)
    chunk_give (chunk);
}

void
lc_requests_forget (void)
{
  for (uint32_t i = 0; next > 0 && i <= (next - 1) / PIECE_REQUESTS; i++)
    chunks[i] = (struct chunk){.piece = NULL};
  next = 0;
}
