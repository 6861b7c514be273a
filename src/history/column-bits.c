/* SPDX-License-Identifier: Apache-2.0 */
/* Packing numbers into a fixed width of bits, and unpacking them: the inner loops of the column blocks. */
#include "column-bits.h"

/* Joins each pair of numbers into one of twice the width. */
static guint
join_pairs (guint64 *joined, const guint64 *values, guint n, guint width)
{
  guint64 mask = G_MAXUINT64 >> (64 - width);
  guint half = n / 2;

  for (guint i = 0; i < half; i++)
    joined[i] = (values[2 * i] & mask) | (values[2 * i + 1] & mask) << width;
  if (n % 2 != 0)
    joined[half] = values[n - 1] & mask;
  return half + n % 2;
}

/* Narrow numbers are first joined in pairs as long as they fit, so the slow loop at the end handles few of them. */
void
lc_bits_pack (guint8 *at, const guint64 *values, guint n, guint width)
{
  guint64 joined[LC_COLUMN_ROOM / 2 + 1], word = 0, mask;
  guint used = 0;

  if (width == 0)
    return;
  for (; width <= 32 && n > 1; width *= 2, values = joined)
    n = join_pairs (joined, values, n, width);
  mask = G_MAXUINT64 >> (64 - width);
  for (guint i = 0; i < n; i++)
    {
      guint64 value = values[i] & mask;

      word |= value << used;
      used += width;
      if (used >= 64)
        {
          lc_word_put (at, word);
          at += 8;
          used -= 64;
          word = used > 0 ? value >> (width - used) : 0;
        }
    }
  lc_word_put (at, word);
}

static inline guint64
bits_number_at (const guint8 *at, gsize bit, guint width)
{
  return lc_word_get (at + bit / 8) >> bit % 8 & G_MAXUINT64 >> (64 - width);
}

/* The compiler knows the width of each instance: eight numbers become eight loads with constant shifts and masks. */
static inline __attribute__ ((always_inline)) void
unpack_width (const guint8 *at, guint64 *values, guint n, guint width, guint64 base)
{
  gsize bit = 0;

  for (; n >= 8; n -= 8, at += width, values += 8)
    {
      values[0] = base + bits_number_at (at, 0, width);
      values[1] = base + bits_number_at (at, width, width);
      values[2] = base + bits_number_at (at, 2 * (gsize)width, width);
      values[3] = base + bits_number_at (at, 3 * (gsize)width, width);
      values[4] = base + bits_number_at (at, 4 * (gsize)width, width);
      values[5] = base + bits_number_at (at, 5 * (gsize)width, width);
      values[6] = base + bits_number_at (at, 6 * (gsize)width, width);
      values[7] = base + bits_number_at (at, 7 * (gsize)width, width);
    }
  for (; n > 0; n--, bit += width)
    *values++ = base + bits_number_at (at, bit, width);
}

#define UNPACK(width) \
  case width: \
    unpack_width (at, values, n, width, base); \
    break;
#define UNPACK_8(first) \
  UNPACK (first) \
  UNPACK (first + 1) \
  UNPACK (first + 2) \
  UNPACK (first + 3) \
  UNPACK (first + 4) \
  UNPACK (first + 5) \
  UNPACK (first + 6) \
  UNPACK (first + 7)

void
lc_bits_unpack (const guint8 *at, guint64 *values, guint n, guint width, guint64 base)
{
  switch (width)
    {
      UNPACK_8 (1)
      UNPACK_8 (9)
      UNPACK_8 (17)
      UNPACK_8 (25)
      UNPACK_8 (33)
      UNPACK_8 (41)
      UNPACK_8 (49)
      UNPACK (64)
    default:
      for (guint i = 0; i < n; i++)
        values[i] = base;
      break;
    }
}
