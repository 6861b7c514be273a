/* SPDX-License-Identifier: Apache-2.0 */
/* The places of heads-0, in which everything is written that leaves the program: taken here, emptied from outside. */
#ifndef LC_RECORD_PLACES_H
#define LC_RECORD_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/trace-format.h"

/* Maps them. Before the program's own threads run, for the file is open meanwhile. */
void lc_places_begin (void);

/* A place of LC_HEAD_BYTES, with whatever was in it. NULL: there is none. No system call, no lock. */
void *lc_place_take (void);

/* It is full: `lightcone record` empties it. It must not be written to from now on. */
void lc_place_give (const void *place);

/* Why there was none. */
enum lc_lost lc_places_reason (void);

/* As lc_place_take, but waits as long as somebody empties places. */
void *lc_place_wait (void);

/* Gives most of the address space back that no place in use lies in. */
void lc_places_shrink (void);

/* --- Pieces of other files: pieces.c ----------------------------------------------------------------------- */

/* A place as a piece of this file from `offset` on, with nothing in it yet. NULL: there is none. */
struct lc_piece *lc_piece_take (enum lc_piece_kind kind, uint32_t number, uint64_t offset);

/* Where its bytes are. */
static inline unsigned char *
lc_piece_bytes (struct lc_piece *piece)
{
  return (unsigned char *)(piece + 1);
}

/* Appends to a piece that has room for it. */
void lc_piece_append (struct lc_piece *piece, const void *data, size_t bytes);

/* Writes so much, in as many pieces as it takes: all of it, or nothing and false. */
struct lc_part
{
  const void *data;
  size_t bytes;
};
bool lc_pieces_write (enum lc_piece_kind kind, uint32_t number, uint64_t offset, const struct lc_part *parts,
                      size_t n_parts);

#endif
