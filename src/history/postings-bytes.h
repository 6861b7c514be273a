/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of postings are made of. */
#ifndef LC_HISTORY_POSTINGS_BYTES_H
#define LC_HISTORY_POSTINGS_BYTES_H

#include "numbers.h"
#include "postings.h"

/*
 * A block: how many; and for each a byte that says how it differs from the one before, with what does not fit into it.
 * Processes are known by their place in the order in which they came in this block. An ordinal is told from the last
 * one of this process in this block, that of a process that is new from the ordinal before.
 */
enum
{
  LC_POSTINGS_BLOCK_SEAL = 0x51,
  LC_POSTINGS_INDEX_SEAL = 0x52,

  LC_POSTING_SAME_KEY = 0,
  LC_POSTING_NEXT_SEQUENCE = 1,
  LC_POSTING_LATER_SEQUENCE = 2, /* number: how much later - 2 */
  LC_POSTING_NEW_OBJECT = 3,     /* number: difference - 1; number: sequence, folded */
  LC_POSTING_KEY = 3,

  LC_POSTING_SAME_PROCESS = 0 << 2,
  LC_POSTING_NEXT_PROCESS = 1 << 2,
  LC_POSTING_KNOWN_PROCESS = 2 << 2, /* number: its place */
  LC_POSTING_NEW_PROCESS = 3 << 2,   /* number: difference - 1, folded */
  LC_POSTING_PROCESS = 3 << 2,

  LC_POSTING_ORDINAL_SHIFT = 4,
  LC_POSTING_ORDINAL_LONG = 15, /* number: folded difference - 15 */

  /* Of one posting. */
  LC_POSTING_SIZE = 1 + 4 * LC_NUMBER_SIZE,
};

#endif
