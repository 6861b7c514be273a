/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a grid of amounts: cells, things that share one, and sums. */
#include "grid.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "trace/quantities.h"

#define LEAST_CELL 3.0 /* pixels */
#define SKEWED 25.0    /* the highest amount may be so many times the median before shades become logarithmic */

gboolean
lc_grid_find_amount (const char *measure, const LcAmount *amounts, guint n_amounts, guint *amount, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  *amount = 0;
  if (measure == NULL)
    return TRUE;
  for (guint i = 0; i < n_amounts; i++)
    {
      if (strcmp (measure, amounts[i].measure) == 0)
        {
          *amount = i;
          return TRUE;
        }
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", amounts[i].measure);
    }
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_OPTION, _ ("this view cannot show “%s”, only: %s"), measure,
               names->str);
  return FALSE;
}

/* --- Cells -----------------------------------------------------------------------------------------------------------
 */

/* Rounds up to 1, 2, 5, 10 ... */
static guint
grid_round_up (double least)
{
  guint power = 1;

  for (; power * 10.0 < least; power *= 10)
    ;
  return least <= power ? power : least <= 2.0 * power ? 2 * power : least <= 5.0 * power ? 5 * power : 10 * power;
}

double
lc_grid_get_room (double whole, double margin)
{
  return MAX (whole - margin, whole / 3);
}

void
lc_grid_side_init (LcGridSide *side, guint n_things, double room, double least)
{
  guint group = grid_round_up (n_things * least / MAX (room, least));

  *side = (LcGridSide){n_things, group, (n_things + group - 1) / group, g_ptr_array_new_with_free_func (g_free)};
}

LcGrid *
lc_grid_new (const LcAmount *amounts, guint n_amounts, guint shown, guint n_rows, double height, guint n_columns,
             double width)
{
  LcGrid *grid = g_new0 (LcGrid, 1);

  g_assert (n_amounts <= LC_GRID_MOST && shown < n_amounts);
  grid->amounts = amounts;
  grid->n_amounts = n_amounts;
  grid->shown = shown;
  lc_grid_side_init (&grid->rows, n_rows, height, LEAST_CELL);
  lc_grid_side_init (&grid->columns, n_columns, width, LEAST_CELL);
  for (guint i = 0; i < n_amounts; i++)
    grid->values[i] = g_new0 (double, MAX ((gsize)grid->rows.n * grid->columns.n, 1));
  return grid;
}

LcGrid *
lc_grid_new_square (const LcAmount *amounts, guint n_amounts, guint shown, guint n, double room)
{
  return lc_grid_new (amounts, n_amounts, shown, n, room, n, room);
}

void
lc_grid_free (LcGrid *grid)
{
  if (grid == NULL)
    return;
  for (guint i = 0; i < grid->n_amounts; i++)
    g_free (grid->values[i]);
  g_ptr_array_unref (grid->rows.names);
  g_ptr_array_unref (grid->columns.names);
  g_free (grid->row_sums);
  g_free (grid->column_sums);
  g_free (grid);
}

void
lc_grid_add (LcGrid *grid, guint row, guint column, guint amount, double value)
{
  grid->values[amount][(gsize)(row / grid->rows.group) * grid->columns.n + column / grid->columns.group] += value;
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  double one = *(const double *)a, other = *(const double *)b;

  return (one > other) - (one < other);
}

/* Whether a few cells have far more than the others: linear shades would make most cells look alike. */
static gboolean
is_skewed (const LcGrid *grid)
{
  const double *values = grid->values[grid->shown];
  gsize n_cells = (gsize)grid->rows.n * grid->columns.n;
  g_autoptr (GArray) some = g_array_new (FALSE, FALSE, sizeof (double));

  for (gsize i = 0; i < n_cells; i++)
    if (values[i] > 0)
      g_array_append_val (some, values[i]);
  if (some->len < 3)
    return FALSE;
  g_array_sort (some, compare_values);
  return grid->highest > SKEWED * g_array_index (some, double, some->len / 2);
}

void
lc_grid_sum (LcGrid *grid)
{
  const double *values = grid->values[grid->shown];

  grid->row_sums = g_new0 (double, MAX (grid->rows.n, 1));
  grid->column_sums = g_new0 (double, MAX (grid->columns.n, 1));
  grid->lowest = INFINITY;
  for (guint row = 0; row < grid->rows.n; row++)
    for (guint column = 0; column < grid->columns.n; column++)
      {
        double value = values[(gsize)row * grid->columns.n + column];

        grid->row_sums[row] += value;
        grid->column_sums[column] += value;
        grid->sum += value;
        grid->highest = MAX (grid->highest, value);
        if (value > 0)
          grid->lowest = MIN (grid->lowest, value);
      }
  grid->logarithmic = is_skewed (grid);
}

/* --- Names -------------------------------------------------------------------------------------------------------- */

guint32 *
lc_grid_list_places (const LcViewContext *context)
{
  guint32 n = lc_history_get_n_processes (context->history);
  guint32 *places = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    places[i] = LC_TRACE_NONE;
  for (guint32 i = 0; i < context->options.selection.n_processes; i++)
    places[context->options.selection.processes[i]] = i;
  return places;
}

void
lc_grid_name_processes (LcGridSide *side, const LcViewContext *context)
{
  g_ptr_array_set_size (side->names, 0);
  for (guint i = 0; i < side->n; i++)
    {
      guint32 first = context->options.selection.processes[(gsize)i * side->group];
      const char *name = lc_names_process (context->names, first);

      g_ptr_array_add (side->names, lc_format_text (name));
    }
}

guint32
lc_grid_pack (LcColor color)
{
  guint32 red = (guint32)lround (color.red * 255), green = (guint32)lround (color.green * 255);

  return 0xff000000u | red << 16 | green << 8 | (guint32)lround (color.blue * 255);
}

char *
lc_amount_format (LcAmountKind kind, double value)
{
  guint64 whole = (guint64)round (CLAMP (value, 0, 1.8e19));

  switch (kind)
    {
    case LC_AMOUNT_BYTES:
      return lc_format_bytes (whole);
    case LC_AMOUNT_TIME:
      return lc_format_duration (whole);
    case LC_AMOUNT_COUNT:
    default:
      return lc_format_count (whole);
    }
}

char *
lc_grid_dup_amounts (const LcGrid *grid, guint row, guint column)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < grid->n_amounts; i++)
    {
      double value = grid->values[i][(gsize)row * grid->columns.n + column];
      g_autofree char *amount = lc_amount_format (grid->amounts[i].kind, value);

      g_string_append (text, i > 0 ? "\n" : "");
      g_string_append_printf (text, _ ("%s: %s"), _ (grid->amounts[i].title), amount);
    }
  return g_string_free (text, FALSE);
}
