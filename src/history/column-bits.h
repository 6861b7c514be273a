/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a column in bytes, and numbers packed into a fixed width of bits. */
#ifndef LC_HISTORY_COLUMN_BITS_H
#define LC_HISTORY_COLUMN_BITS_H

#include "column.h"

/*
 * byte 0      the width: 0 to 56 or 64; LC_BITS_EXCEPTIONS
 * byte 1      how many bytes the base has: 0 to 8; LC_BITS_FOLDED, LC_BITS_BY_MAP
 *             the base
 *             with exceptions: how many less 1 (2 bytes), the width of their upper parts (1 byte)
 *             the lower parts, packed
 *             with exceptions: which they are (9 bits each; LC_BITS_BY_MAP: a bit for each number), and their upper
 *             parts, packed
 */
enum
{
  LC_BITS_EXCEPTIONS = 0x80,
  LC_BITS_BASE_BYTES = 0x0F,
  LC_BITS_FOLDED = 0x10, /* -1, 1, -2 are 1, 2, 3 */
  LC_BITS_BY_MAP = 0x20,
  LC_BITS_WIDEST = 56, /* bits that a load of 8 bytes always has, from any bit on */
  LC_BITS_PLACE_BITS = 9,
};

static inline guint
lc_bits_of (guint64 value)
{
  return 64 - (guint)__builtin_clzll (value | 1) - (value == 0);
}

static inline guint
lc_bits_width (guint bits)
{
  return bits > LC_BITS_WIDEST ? 64 : bits;
}

static inline gsize
lc_bits_size (guint n, guint width)
{
  return ((gsize)n * width + 7) / 8;
}

static inline gboolean
lc_bits_is_width (guint width)
{
  return width <= LC_BITS_WIDEST || width == 64;
}

/* Packs the lower `width` bits of each number. Writes up to one word beyond the packed bytes. */
void lc_bits_pack (guint8 *at, const guint64 *values, guint n, guint width);

/* Unpacks numbers and adds `base` to each. Reads up to LC_COLUMN_SLACK bytes beyond the packed ones. */
void lc_bits_unpack (const guint8 *at, guint64 *values, guint n, guint width, guint64 base);

#endif
