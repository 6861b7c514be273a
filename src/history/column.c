/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a column: differences to the smallest number in a fixed width, with exceptions for the few that need more. */
#include "column-bits.h"

enum
{
  SLOTS = 1024,
  FEW_BITS = 2, /* columns this narrow gain next to nothing from exceptions */
  MANY = 128,
  STRIDE = 32,
};

/* The encoding chosen for a column. */
typedef struct
{
  guint64 base;
  gboolean folded;
  guint width;
  guint high_width; /* 0: no exceptions */
  guint size;       /* estimated, in bits */
  guint64 rest[LC_COLUMN_ROOM];
} Plan;

/* Chooses the width for the plan's rests; a long column is sampled at every fifth number. */
static void
choose_width (Plan *plan, guint n, guint64 all)
{
  guint16 counts[65] = {0};
  guint widest = lc_bits_of (all), step = n < MANY ? 1 : 5, exceptions = 0;

  plan->width = lc_bits_width (widest);
  plan->high_width = 0;
  plan->size = n * plan->width;
  if (widest <= FEW_BITS)
    return;
  for (guint i = 0; i < n; i += step)
    counts[lc_bits_of (plan->rest[i])]++;
  for (guint width = widest; width-- > 0;)
    {
      guint high_width = lc_bits_width (widest - width), size;

      exceptions += counts[width + 1] * step;
      size = n * width + MIN (exceptions * LC_BITS_PLACE_BITS, n) + exceptions * high_width + 24;
      if (width > LC_BITS_WIDEST || size >= plan->size)
        continue;
      plan->width = width;
      plan->high_width = high_width;
      plan->size = size;
    }
}

static void
plan_from (Plan *plan, const guint64 *values, guint n, guint64 base)
{
  guint64 all = 0;

  plan->base = base;
  plan->folded = FALSE;
  for (guint i = 0; i < n; i++)
    all |= plan->rest[i] = values[i] - base;
  choose_width (plan, n, all);
}

static void
plan_folded (Plan *plan, const guint64 *values, guint n)
{
  guint64 all = 0;

  plan->base = 0;
  plan->folded = TRUE;
  for (guint i = 0; i < n; i++)
    all |= plan->rest[i] = values[i] << 1 ^ (0 - (values[i] >> 63));
  choose_width (plan, n, all);
}

/* Lists the numbers wider than the plan's width: their places, and the bits above that width. */
static guint
list_exceptions (const Plan *plan, guint n, guint64 *places, guint64 *highs)
{
  guint k = 0;

  for (guint i = 0; i < n; i++)
    {
      places[k] = i;
      k += plan->rest[i] >> plan->width != 0;
    }
  for (guint i = 0; i < k; i++)
    highs[i] = plan->rest[places[i]] >> plan->width;
  return k;
}

static guint8 *
write_map (guint8 *at, const guint64 *places, guint n_places, guint n)
{
  memset (at, 0, lc_bits_size (n, 1));
  for (guint i = 0; i < n_places; i++)
    at[places[i] / 8] |= (guint8)(1u << places[i] % 8);
  return at + lc_bits_size (n, 1);
}

static guint8 *
write_head (guint8 *at, const Plan *plan, guint flags, guint more_flags)
{
  guint base_bytes = (lc_bits_of (plan->base) + 7) / 8;

  *at++ = (guint8)(plan->width | flags);
  *at++ = (guint8)(base_bytes | (plan->folded ? LC_BITS_FOLDED : 0) | more_flags);
  lc_word_put (at, plan->base);
  return at + base_bytes;
}

static guint8 *
write_with_exceptions (guint8 *at, const Plan *plan, guint n)
{
  guint64 places[LC_COLUMN_ROOM + 1], highs[LC_COLUMN_ROOM];
  guint n_exceptions = list_exceptions (plan, n, places, highs);
  gboolean by_map = n_exceptions * LC_BITS_PLACE_BITS > n;

  at = write_head (at, plan, LC_BITS_EXCEPTIONS, by_map ? LC_BITS_BY_MAP : 0);
  lc_word_put (at, (n_exceptions - 1) | plan->high_width << 16);
  at += 3;
  lc_bits_pack (at, plan->rest, n, plan->width);
  at += lc_bits_size (n, plan->width);
  if (by_map)
    at = write_map (at, places, n_exceptions, n);
  else
    {
      lc_bits_pack (at, places, n_exceptions, LC_BITS_PLACE_BITS);
      at += lc_bits_size (n_exceptions, LC_BITS_PLACE_BITS);
    }
  lc_bits_pack (at, highs, n_exceptions, plan->high_width);
  return at + lc_bits_size (n_exceptions, plan->high_width);
}

static void
write_column (GByteArray *bytes, const Plan *plan, guint n)
{
  guint length = bytes->len;
  guint8 *at;

  g_byte_array_set_size (bytes, length + (guint)lc_bits_size (n, plan->width + plan->high_width + 1) + 64);
  at = bytes->data + length;
  if (plan->high_width > 0)
    at = write_with_exceptions (at, plan, n);
  else
    {
      at = write_head (at, plan, 0, 0);
      lc_bits_pack (at, plan->rest, n, plan->width);
      at += lc_bits_size (n, plan->width);
    }
  g_byte_array_set_size (bytes, (guint)(at - bytes->data));
}

static void
write_constant (GByteArray *bytes, guint64 value)
{
  guint size = (lc_bits_of (value) + 7) / 8;

  lc_word_append (bytes, (guint64)size << 8, 2);
  lc_word_append (bytes, value, size);
}

/* Most columns differ within the first few numbers, so it checks a stride at a time. */
static gboolean
is_constant (const guint64 *values, guint n)
{
  for (guint i = 0; i < n; i += STRIDE)
    {
      const guint end = MIN (i + STRIDE, n);
      guint64 difference = 0;

      for (guint k = i; k < end; k++)
        difference |= values[k] ^ values[0];
      if (difference != 0)
        return FALSE;
    }
  return TRUE;
}

/* Keeps four minima that do not wait for each other. `flip` flips the highest bit, which makes the comparison
 * signed. */
static guint64
least_of (const guint64 *values, guint n, guint64 flip)
{
  guint64 a = values[0] ^ flip, b = a, c = a, d = a;
  guint i = 0;

  for (; i + 4 <= n; i += 4)
    {
      a = MIN (a, values[i] ^ flip);
      b = MIN (b, values[i + 1] ^ flip);
      c = MIN (c, values[i + 2] ^ flip);
      d = MIN (d, values[i + 3] ^ flip);
    }
  for (; i < n; i++)
    a = MIN (a, values[i] ^ flip);
  a = MIN (a, b);
  c = MIN (c, d);
  return MIN (a, c) ^ flip;
}

void
lc_column_put (GByteArray *bytes, const guint64 *values, guint n)
{
  Plan plan;

  if (is_constant (values, n))
    {
      write_constant (bytes, values[0]);
      return;
    }
  plan_from (&plan, values, n, least_of (values, n, 0));
  write_column (bytes, &plan, n);
}

void
lc_column_put_signed (GByteArray *bytes, const guint64 *values, guint n)
{
  Plan plan, folded;
  guint64 least;

  if (is_constant (values, n))
    {
      write_constant (bytes, values[0]);
      return;
    }
  least = least_of (values, n, G_GUINT64_CONSTANT (1) << 63);
  plan_from (&plan, values, n, least);
  if ((gint64)least < 0 && plan.size > FEW_BITS * n)
    {
      plan_folded (&folded, values, n);
      if (folded.size < plan.size + 8 * sizeof least)
        {
          write_column (bytes, &folded, n);
          return;
        }
    }
  write_column (bytes, &plan, n);
}

/* Lists the different values in the order in which they first appear, and the index of each value in that list. Returns
 * 0 if there are too many. */
static guint
column_list_names (const guint32 *values, guint n, guint64 *names, guint64 *numbers)
{
  guint16 slots[SLOTS] = {0};
  guint n_names = 0;

  for (guint i = 0; i < n; i++)
    {
      guint slot = values[i] * 0x9E3779B1u >> 22;

      while (slots[slot] != 0 && names[slots[slot] - 1] != values[i])
        slot = (slot + 1) % SLOTS;
      if (G_UNLIKELY (slots[slot] == 0))
        {
          if (n_names == n / 2)
            return 0;
          names[n_names++] = values[i];
          slots[slot] = (guint16)n_names;
        }
      numbers[i] = slots[slot] - 1u;
    }
  return n_names;
}

/* Does the same as list_names where all values are less than SLOTS above the least. */
static guint
list_near_names (const guint32 *values, guint n, guint32 least, guint64 *names, guint64 *numbers)
{
  guint16 slots[SLOTS] = {0};
  guint n_names = 0;

  for (guint i = 0; i < n; i++)
    {
      guint16 *slot = &slots[values[i] - least];

      if (G_UNLIKELY (*slot == 0))
        {
          if (n_names == n / 2)
            return 0;
          names[n_names++] = values[i];
          *slot = (guint16)n_names;
        }
      numbers[i] = *slot - 1u;
    }
  return n_names;
}

void
lc_column_put_names (GByteArray *bytes, const guint32 *values, guint n)
{
  guint64 names[LC_COLUMN_ROOM], numbers[LC_COLUMN_ROOM];
  guint32 least = G_MAXUINT32, most = 0;
  guint n_names = 0, width;
  Plan plan;

  for (guint i = 0; i < n; i++)
    {
      least = MIN (least, values[i]);
      most = MAX (most, values[i]);
    }
  width = lc_bits_of (most - least);
  if (width > FEW_BITS)
    n_names = most - least < SLOTS ? list_near_names (values, n, least, names, numbers)
                                   : column_list_names (values, n, names, numbers);
  if (n_names > 0 && n_names * width + n * lc_bits_of (n_names - 1) >= n * width)
    n_names = 0;
  lc_word_append (bytes, n_names, 2);
  if (width == 0)
    {
      write_constant (bytes, least);
      return;
    }
  if (n_names > 0)
    lc_column_put (bytes, names, n_names);
  else
    for (guint i = 0; i < n; i++)
      numbers[i] = values[i];
  plan_from (&plan, numbers, n, n_names > 0 ? 0 : least);
  write_column (bytes, &plan, n);
}
