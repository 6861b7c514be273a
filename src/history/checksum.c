/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of all stored bytes: XXH64 with seed 0, four products at a time. */
#include "block.h"

#include <string.h>

#define PRIME_1 G_GUINT64_CONSTANT (0x9E3779B185EBCA87)
#define PRIME_2 G_GUINT64_CONSTANT (0xC2B2AE3D27D4EB4F)
#define PRIME_3 G_GUINT64_CONSTANT (0x165667B19E3779F9)
#define PRIME_4 G_GUINT64_CONSTANT (0x85EBCA77C2B2AE63)
#define PRIME_5 G_GUINT64_CONSTANT (0x27D4EB2F165667C5)

static inline guint64
checksum_rotate (guint64 value, guint by)
{
  return value << by | value >> (64 - by);
}

static inline guint64
word_at (const guint8 *at)
{
  guint64 word;

  memcpy (&word, at, sizeof word);
  return GUINT64_FROM_LE (word);
}

static inline guint64
checksum_mix (guint64 lane, guint64 word)
{
  return checksum_rotate (lane + word * PRIME_2, 31) * PRIME_1;
}

static inline guint64
checksum_join (guint64 sum, guint64 lane)
{
  return (sum ^ checksum_mix (0, lane)) * PRIME_1 + PRIME_4;
}

static guint64
add_stripes (const guint8 *at, gsize n_stripes)
{
  guint64 a = PRIME_1 + PRIME_2, b = PRIME_2, c = 0, d = 0 - PRIME_1, sum;

  for (; n_stripes > 0; n_stripes--, at += 32)
    {
      a = checksum_mix (a, word_at (at));
      b = checksum_mix (b, word_at (at + 8));
      c = checksum_mix (c, word_at (at + 16));
      d = checksum_mix (d, word_at (at + 24));
    }
  sum = checksum_rotate (a, 1) + checksum_rotate (b, 7) + checksum_rotate (c, 12) + checksum_rotate (d, 18);
  return checksum_join (checksum_join (checksum_join (checksum_join (sum, a), b), c), d);
}

guint64
lc_checksum (const guint8 *bytes, gsize size)
{
  guint64 sum = size >= 32 ? add_stripes (bytes, size / 32) : PRIME_5;
  const guint8 *at = bytes + size / 32 * 32, *end = bytes + size;

  sum += size;
  for (; end - at >= 8; at += 8)
    sum = checksum_rotate (sum ^ checksum_mix (0, word_at (at)), 27) * PRIME_1 + PRIME_4;
  if (end - at >= 4)
    {
      guint32 half;

      memcpy (&half, at, sizeof half);
      sum = checksum_rotate (sum ^ GUINT32_FROM_LE (half) * PRIME_1, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
  for (; at < end; at++)
    sum = checksum_rotate (sum ^ *at * PRIME_5, 11) * PRIME_1;
  sum = (sum ^ sum >> 33) * PRIME_2;
  sum = (sum ^ sum >> 29) * PRIME_3;
  return sum ^ sum >> 32;
}
