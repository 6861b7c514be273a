/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of colours, enlarged or reduced. */
#include "draw/canvas/canvas-private.h"

#include <string.h>

/* The cells that make up one new column or row, or several of them that are the same. */
typedef struct
{
  guint first;
  guint end;
  guint n_new;
} Range;

/* Lists the ranges of all new columns or rows. */
static GArray *
ranges_new (double start, double length, guint n_new, guint n_cells)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (Range));

  for (guint i = 0; i < n_new; i++)
    {
      double one = start + length * i / n_new, other = start + length * (i + 1) / n_new;
      double low = MIN (one, other), high = MAX (one, other);
      gboolean averages = high - low > 1;
      double first = averages ? floor (low + 0.5) : floor ((low + high) / 2);
      Range range = {.first = (guint)CLAMP (first, 0, n_cells - 1.0), .n_new = 1};
      Range *last = ranges->len > 0 ? &g_array_index (ranges, Range, ranges->len - 1) : NULL;

      range.end = averages ? (guint)CLAMP (floor (high + 0.5), range.first + 1.0, n_cells) : range.first + 1;
      if (last != NULL && last->first == range.first && last->end == range.end)
        last->n_new++;
      else
        g_array_append_val (ranges, range);
    }
  return ranges;
}

static guint32
canvas_cells_average (const guint32 *colors, guint columns, const Range *across, const Range *down)
{
  guint64 sums[4] = {0}, n = (guint64)(across->end - across->first) * (down->end - down->first);
  guint32 color = 0;

  for (guint row = down->first; row < down->end; row++)
    for (guint column = across->first; column < across->end; column++)
      for (guint i = 0; i < 4; i++)
        sums[i] += colors[(gsize)row * columns + column] >> 8 * i & 0xff;
  for (guint i = 0; i < 4; i++)
    color |= (guint32)((sums[i] + n / 2) / n) << 8 * i;
  return color;
}

static void
canvas_cells_resize_row (const guint32 *colors, guint columns, const GArray *across, const Range *down, guint32 *result)
{
  for (guint i = 0; i < across->len; i++)
    {
      const Range *range = &g_array_index (across, Range, i);
      const gboolean is_one = range->end - range->first == 1 && down->end - down->first == 1;
      const guint32 color = is_one ? colors[(gsize)down->first * columns + range->first]
                                   : canvas_cells_average (colors, columns, range, down);

      for (guint k = 0; k < range->n_new; k++)
        *result++ = color;
    }
}

guint32 *
lc_cells_resize (const guint32 *colors, guint columns, guint rows, const LcRectangle *part, guint new_columns,
                 guint new_rows)
{
  g_autoptr (GArray) across = ranges_new (part->x, part->width, new_columns, columns);
  g_autoptr (GArray) down = ranges_new (part->y, part->height, new_rows, rows);
  guint32 *result = g_new (guint32, (gsize)new_columns * new_rows), *at = result;

  for (guint i = 0; i < down->len; i++)
    {
      const Range *range = &g_array_index (down, Range, i);

      canvas_cells_resize_row (colors, columns, across, range, at);
      at += new_columns;
      for (guint k = 1; k < range->n_new; k++, at += new_columns)
        memcpy (at, at - new_columns, new_columns * sizeof *at);
    }
  return result;
}
