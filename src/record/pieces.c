/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the trace's files other than streams: written in places, and moved to their files from outside. */
#include <string.h>
#include <unistd.h>

#include "lightcone/inputs-format.h"
#include "places.h"
#include "recorder.h"

struct lc_piece *
lc_piece_take (enum lc_piece_kind kind, uint32_t number, uint64_t offset)
{
  const bool waits = (int)kind == LC_PIECE_INPUTS && lc_control->lossless; /* a replay needs all of them */
  struct lc_piece *piece = waits ? lc_place_wait () : lc_place_take ();

  if (piece == NULL)
    return NULL;
  memset (piece, 0, sizeof *piece);
  memcpy (piece->uuid, lc_control->uuid, sizeof piece->uuid);
  piece->kind = kind;
  piece->number = number;
  piece->instance = lc_instance - 1;
  piece->pid = lc_pid;
  piece->offset = offset;
  __atomic_store_n (&piece->magic, LC_PIECE_MAGIC, __ATOMIC_RELEASE);
  return piece;
}

void
lc_piece_append (struct lc_piece *piece, const void *data, size_t bytes)
{
  memcpy (lc_piece_bytes (piece) + piece->bytes, data, bytes);
  __atomic_store_n (&piece->bytes, piece->bytes + bytes, __ATOMIC_RELEASE);
}

/* Taken pieces form a list, whose links use the first bytes of the pieces' empty rooms. */
struct chain
{
  struct lc_piece *next;
};

static struct chain *
chain_of (struct lc_piece *piece)
{
  return (struct chain *)(void *)lc_piece_bytes (piece);
}

static void
pieces_give (struct lc_piece *piece)
{
  while (piece != NULL)
    {
      struct lc_piece *next = chain_of (piece)->next;

      lc_place_give (piece);
      piece = next;
    }
}

/* Takes enough pieces for some bytes. NULL: there are not enough places; those already taken are given back empty. */
static struct lc_piece *
pieces_take (enum lc_piece_kind kind, uint32_t number, uint64_t offset, uint64_t bytes)
{
  struct lc_piece *taken = NULL, **end = &taken;

  for (uint64_t done = 0; done < bytes; done += LC_PIECE_ROOM)
    {
      struct lc_piece *piece = lc_piece_take (kind, number, offset + done);

      if (piece == NULL)
        {
          pieces_give (taken);
          return NULL;
        }
      chain_of (piece)->next = NULL;
      *end = piece;
      end = &chain_of (piece)->next;
    }
  return taken;
}

bool
lc_pieces_write (enum lc_piece_kind kind, uint32_t number, uint64_t offset, const struct lc_part *parts, size_t n_parts)
{
  struct lc_piece *piece, *next = NULL;
  uint64_t bytes = 0;

  for (size_t i = 0; i < n_parts; i++)
    bytes += parts[i].bytes;
  piece = pieces_take (kind, number, offset, bytes);
  if (piece == NULL)
    return false;
  next = chain_of (piece)->next;
  for (size_t i = 0; i < n_parts; i++)
    for (size_t done = 0; done < parts[i].bytes;)
      {
        size_t room = LC_PIECE_ROOM - piece->bytes, left = parts[i].bytes - done;

        if (room == 0)
          {
            lc_place_give (piece);
            piece = next;
            next = chain_of (piece)->next;
            continue;
          }
        lc_piece_append (piece, (const char *)parts[i].data + done, left < room ? left : room);
        done += left < room ? left : room;
      }
  lc_place_give (piece);
  return true;
}
