/* SPDX-License-Identifier: Apache-2.0 */
/* A table with open addressing. A cell has a bit for each of 128 sequence numbers in a row, or a count for each of 4.
 */
#include "given.h"

#include <string.h>

enum
{
  FIRST_CELLS = 1024,
  BITS = 7,   /* of a sequence number, in a cell with bits */
  COUNTS = 2, /* and in one with counts */
};

typedef struct
{
  guint32 operation, object;
  guint64 row; /* the sequence number without its last bits */
  union
  {
    guint64 bits[2];
    guint32 counts[4]; /* at least one is not 0, as one bit is: the cell is used */
  };
} Cell;

struct _LcGiven
{
  Cell *cells;
  gsize n_cells, used; /* n_cells is a power of 2 */
};

LcGiven *
lc_given_new (void)
{
  LcGiven *given = g_new0 (LcGiven, 1);

  given->n_cells = FIRST_CELLS;
  given->cells = g_new0 (Cell, given->n_cells);
  return given;
}

void
lc_given_free (LcGiven *given)
{
  if (given == NULL)
    return;
  g_free (given->cells);
  g_free (given);
}

static gboolean
given_is_used (const Cell *cell)
{
  return (cell->bits[0] | cell->bits[1]) != 0;
}

static guint64
given_hash (const Cell *key)
{
  guint64 hash = key->row * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash ^= ((guint64)key->operation << 32 | key->object) * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  hash ^= hash >> 32;
  hash *= G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  return hash ^ hash >> 32;
}

/* The cell with this key, or the one where it would be. */
static Cell *
given_find (const LcGiven *given, const Cell *key)
{
  gsize place = given_hash (key) & (given->n_cells - 1);

  for (;;)
    {
      Cell *cell = &given->cells[place];

      if (!given_is_used (cell) ||
          (cell->row == key->row && cell->object == key->object && cell->operation == key->operation))
        return cell;
      place = (place + 1) & (given->n_cells - 1);
    }
}

static void
given_grow (LcGiven *given)
{
  g_autofree Cell *old = given->cells;
  const gsize n = given->n_cells;

  given->n_cells = 2 * n;
  given->cells = g_new0 (Cell, given->n_cells);
  for (gsize i = 0; i < n; i++)
    if (given_is_used (&old[i]))
      *given_find (given, &old[i]) = old[i];
}

static Cell
given_key (const LcPointKey *key, gboolean single)
{
  return (Cell){
      .operation = key->operation, .object = key->object, .row = (guint64)key->sequence >> (single ? BITS : COUNTS)};
}

void
lc_given_add (LcGiven *given, const LcPointKey *key, gboolean single)
{
  const Cell fresh = given_key (key, single);
  const guint place = (guint)((guint64)key->sequence & ((1u << (single ? BITS : COUNTS)) - 1));
  Cell *cell = given_find (given, &fresh);

  if (!given_is_used (cell))
    {
      if (++given->used > given->n_cells / 4 * 3)
        {
          given_grow (given);
          cell = given_find (given, &fresh);
        }
      *cell = fresh;
    }
  if (single)
    cell->bits[place / 64] |= G_GUINT64_CONSTANT (1) << (place % 64);
  else if (cell->counts[place] < G_MAXUINT32)
    cell->counts[place]++;
}

guint32
lc_given_count (const LcGiven *given, const LcPointKey *key, gboolean single)
{
  const Cell wanted = given_key (key, single);
  const guint place = (guint)((guint64)key->sequence & ((1u << (single ? BITS : COUNTS)) - 1));
  const Cell *cell = given_find (given, &wanted);

  if (!given_is_used (cell))
    return 0;
  return single ? (guint32)(cell->bits[place / 64] >> (place % 64) & 1) : cell->counts[place];
}
