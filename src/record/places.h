/* SPDX-License-Identifier: Apache-2.0 */
/* The places of heads-0, through which all data leaves the program: taken here, emptied from outside. */
#ifndef LC_RECORD_PLACES_H
#define LC_RECORD_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/trace-format.h"

/* Maps the places. Called before the program's threads run, because the file is open meanwhile. */
void lc_places_begin (void);

/* Takes a place of LC_HEAD_BYTES, with arbitrary content. NULL: there is none. No system call, no lock. */
void *lc_place_take (void);

/* Gives a full place to `lightcone record`, which empties it. It must not be written to any more. */
void lc_place_give (const void *place);

/* Returns the reason why there was no place. */
enum lc_lost lc_places_reason (void);

/* Takes a place like lc_place_take, but waits for one as long as places are being emptied. */
void *lc_place_wait (void);

/* Unmaps most of the address space without places in use. */
void lc_places_shrink (void);

/* --- Pieces of other files: pieces.c ----------------------------------------------------------------------- */

/* Takes a place as an empty piece of this file, from `offset` on. NULL: there is none. */
struct lc_piece *lc_piece_take (enum lc_piece_kind kind, uint32_t number, uint64_t offset);

/* Returns the bytes of a piece. */
static inline unsigned char *
lc_piece_bytes (struct lc_piece *piece)
{
  return (unsigned char *)(piece + 1);
}

/* Appends to a piece that has room for it. */
void lc_piece_append (struct lc_piece *piece, const void *data, size_t bytes);

/* Writes bytes into as many pieces as they need: either all of them, or nothing and returns false. */
struct lc_part
{
  const void *data;
  size_t bytes;
};
bool lc_pieces_write (enum lc_piece_kind kind, uint32_t number, uint64_t offset, const struct lc_part *parts,
                      size_t n_parts);

#endif
