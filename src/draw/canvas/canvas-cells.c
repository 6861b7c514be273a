/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of colours, enlarged or reduced. */
#include "draw/canvas/canvas-private.h"

/* The cells that make up one new column or row. */
typedef struct
{
  guint first;
  guint end;
} Range;

static Range *
ranges_new (double start, double length, guint n_new, guint n_cells)
{
  Range *ranges = g_new (Range, n_new);

  for (guint i = 0; i < n_new; i++)
    {
      double one = start + length * i / n_new, other = start + length * (i + 1) / n_new;
      double low = MIN (one, other), high = MAX (one, other);
      gboolean averages = high - low > 1;
      double first = averages ? floor (low + 0.5) : floor ((low + high) / 2);

      ranges[i].first = (guint)CLAMP (first, 0, n_cells - 1.0);
      ranges[i].end =
          averages ? (guint)CLAMP (floor (high + 0.5), ranges[i].first + 1.0, n_cells) : ranges[i].first + 1;
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

guint32 *
lc_cells_resize (const guint32 *colors, guint columns, guint rows, const LcRectangle *part, guint new_columns,
                 guint new_rows)
{
  g_autofree Range *across = ranges_new (part->x, part->width, new_columns, columns);
  g_autofree Range *down = ranges_new (part->y, part->height, new_rows, rows);
  guint32 *result = g_new (guint32, (gsize)new_columns * new_rows);

  for (guint row = 0; row < new_rows; row++)
    for (guint column = 0; column < new_columns; column++)
      {
        const Range *x = &across[column], *y = &down[row];
        gboolean is_one = x->end - x->first == 1 && y->end - y->first == 1;

        result[(gsize)row * new_columns + column] =
            is_one ? colors[(gsize)y->first * columns + x->first] : canvas_cells_average (colors, columns, x, y);
      }
  return result;
}
