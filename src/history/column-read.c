/* SPDX-License-Identifier: Apache-2.0 */
/* Reads columns, and stands any bytes. */
#include "column-bits.h"

/* The head of a column. */
typedef struct
{
  guint64 base;
  guint width;
  guint high_width;
  guint n_exceptions;
  gboolean folded;
  gboolean by_map;
} Head;

static gboolean
read_head (LcColumnReader *reader, guint n, Head *head)
{
  guint64 word, base_bytes, more = 0;

  if (!lc_word_read (reader, &word, 2))
    return FALSE;
  base_bytes = word >> 8 & LC_BITS_BASE_BYTES;
  if (base_bytes > 8 || word >> 8 & ~(guint64)(LC_BITS_BASE_BYTES | LC_BITS_FOLDED | LC_BITS_BY_MAP) ||
      !lc_word_read (reader, &head->base, (guint)base_bytes))
    return FALSE;
  head->width = word & 0x7F;
  head->folded = (word >> 8 & LC_BITS_FOLDED) != 0;
  head->by_map = (word >> 8 & LC_BITS_BY_MAP) != 0;
  head->n_exceptions = head->high_width = 0;
  if (!(word & LC_BITS_EXCEPTIONS))
    return lc_bits_is_width (head->width);
  if (!lc_word_read (reader, &more, 3))
    return FALSE;
  head->n_exceptions = (more & 0xFFFF) + 1;
  head->high_width = (guint)(more >> 16);
  return head->width <= LC_BITS_WIDEST && lc_bits_is_width (head->high_width) && head->n_exceptions <= n;
}

/* Returns the next `size` bytes and goes past them; NULL if there are not so many. */
static const guint8 *
column_read_take (LcColumnReader *reader, gsize size)
{
  const guint8 *at = reader->at;

  if ((gsize)(reader->end - at) < size)
    return NULL;
  reader->at += size;
  return at;
}

static gboolean
read_places (LcColumnReader *reader, const Head *head, guint n, guint64 *places)
{
  gsize size = head->by_map ? lc_bits_size (n, 1) : lc_bits_size (head->n_exceptions, LC_BITS_PLACE_BITS);
  const guint8 *at = column_read_take (reader, size);
  guint k = 0;
  guint64 furthest = 0;

  if (at == NULL)
    return FALSE;
  if (!head->by_map)
    {
      lc_bits_unpack (at, places, head->n_exceptions, LC_BITS_PLACE_BITS, 0);
      for (guint i = 0; i < head->n_exceptions; i++)
        furthest = MAX (furthest, places[i]);
      return furthest < n;
    }
  for (guint i = 0; i < n; i += 64)
    {
      guint64 map = lc_word_get (at + i / 8);

      if (n - i < 64)
        map &= G_MAXUINT64 >> (64 - (n - i));
      for (; map != 0; map &= map - 1)
        places[k++] = i + (guint)__builtin_ctzll (map);
    }
  return k == head->n_exceptions;
}

static gboolean
add_exceptions (LcColumnReader *reader, const Head *head, guint64 *values, guint n)
{
  guint64 places[LC_COLUMN_ROOM], highs[LC_COLUMN_ROOM];
  const guint8 *at;

  if (!read_places (reader, head, n, places))
    return FALSE;
  at = column_read_take (reader, lc_bits_size (head->n_exceptions, head->high_width));
  if (at == NULL)
    return FALSE;
  lc_bits_unpack (at, highs, head->n_exceptions, head->high_width, 0);
  for (guint i = 0; i < head->n_exceptions; i++)
    values[places[i]] += highs[i] << head->width;
  return TRUE;
}

gboolean
lc_column_get (LcColumnReader *reader, guint64 *values, guint n)
{
  const guint8 *at;
  Head head;

  if (!read_head (reader, n, &head))
    return FALSE;
  at = column_read_take (reader, lc_bits_size (n, head.width));
  if (at == NULL)
    return FALSE;
  lc_bits_unpack (at, values, n, head.width, head.base);
  if (head.n_exceptions > 0 && !add_exceptions (reader, &head, values, n))
    return FALSE;
  if (head.folded)
    for (guint i = 0; i < n; i++)
      values[i] = values[i] >> 1 ^ (0 - (values[i] & 1));
  return TRUE;
}

gboolean
lc_column_get_names (LcColumnReader *reader, guint64 *values, guint n)
{
  guint64 names[LC_COLUMN_ROOM], n_names, most = 0;

  if (!lc_word_read (reader, &n_names, 2))
    return FALSE;
  if (n_names == 0)
    return lc_column_get (reader, values, n);
  if (n_names > n || !lc_column_get (reader, names, (guint)n_names) || !lc_column_get (reader, values, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    most |= values[i];
  if (most >= n_names)
    {
      for (guint i = 0; i < n; i++)
        if (values[i] >= n_names)
          return FALSE;
    }
  for (guint i = 0; i < n; i++)
    values[i] = names[values[i]];
  return TRUE;
}
