/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of postings. */
#ifndef LC_HISTORY_POSTINGS_BYTES_H
#define LC_HISTORY_POSTINGS_BYTES_H

#include "numbers.h"
#include "postings.h"

/*
 * A block is the number of its postings, and for each posting a byte that says how it differs from the previous one,
 * followed by the numbers that do not fit into that byte. A process is known by its place in the order in which the
 * block's processes first came. An ordinal is encoded relative to the process's last one in this block, or for a new
 * process relative to the previous posting's.
 */
enum
{
  LC_POSTINGS_BLOCK_SEAL = 0x51,
  LC_POSTINGS_INDEX_SEAL = 0x52,

  LC_POSTING_SAME_KEY = 0,
  LC_POSTING_NEXT_SEQUENCE = 1,
  LC_POSTING_LATER_SEQUENCE = 2, /* number: how much later, less 2 */
  LC_POSTING_NEW_OBJECT = 3,     /* number: difference - 1; number: sequence, folded */
  LC_POSTING_KEY = 3,

  LC_POSTING_SAME_PROCESS = 0 << 2,
  LC_POSTING_NEXT_PROCESS = 1 << 2,
  LC_POSTING_KNOWN_PROCESS = 2 << 2, /* number: its place */
  LC_POSTING_NEW_PROCESS = 3 << 2,   /* number: difference - 1, folded */
  LC_POSTING_PROCESS = 3 << 2,

  LC_POSTING_ORDINAL_SHIFT = 4,
  LC_POSTING_ORDINAL_LONG = 15, /* number: folded difference - 15 */

  /* The most bytes of one posting. */
  LC_POSTING_SIZE = 1 + 4 * LC_NUMBER_SIZE,
};

#endif
