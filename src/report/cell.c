/* SPDX-License-Identifier: Apache-2.0 */
/* Values of tables, and how programs and people read them. */
#include "report/cell.h"

#include <math.h>
#include <string.h>

#include "trace/quantities.h"

void
lc_csv_append (GString *line, const char *text)
{
  g_autofree char *valid = lc_format_lines (text);

  if (*valid != '\0' && strpbrk (valid, ",\"\r\n") == NULL)
    {
      g_string_append (line, valid);
      return;
    }
  g_string_append_c (line, '"');
  for (const char *at = valid; *at != '\0'; at++)
    g_string_append_printf (line, *at == '"' ? "\"%c" : "%c", *at);
  g_string_append_c (line, '"');
}

/* Decimals that are no more than noise are left out. */
static double
cell_round (double real, LcCellKind kind)
{
  return kind == LC_CELL_PERCENT ? (double)(guint64)(real * 1e4 + 0.5) / 1e4 : round (real * 1e6) / 1e6;
}

char *
lc_cell_dup_raw (const LcCell *cell, LcCellKind kind)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (cell->text != NULL)
    return g_strdup (cell->text);
  if (cell->type == LC_VALUE_REAL)
    return g_strdup (g_ascii_formatd (number, sizeof number, "%.15g", cell_round (cell->real, kind)));
  if (cell->is_signed)
    return g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer);
  return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64)cell->integer);
}

char *
lc_cell_dup_shown (const LcCell *cell, LcCellKind kind)
{
  if (cell->shown != NULL)
    return g_strdup (cell->shown);
  if (cell->text != NULL || kind == LC_CELL_TEXT)
    return lc_cell_dup_raw (cell, kind);
  if (cell->type == LC_VALUE_REAL && kind == LC_CELL_COST)
    return lc_format_cost (cell->real);
  if (cell->type == LC_VALUE_REAL && kind == LC_CELL_PERCENT)
    return g_strdup_printf ("%.1f %%", cell->real);
  if (cell->type == LC_VALUE_REAL)
    return g_strdup_printf ("%.*f", kind == LC_CELL_RATIO ? 3 : 2, cell->real);
  if (!cell->is_signed)
    return kind == LC_CELL_TIME ? lc_format_duration ((guint64)cell->integer)
                                : lc_format_count ((guint64)cell->integer);
  if (kind == LC_CELL_REST && cell->integer >= 0)
    return lc_format_duration ((guint64)cell->integer);
  if (kind == LC_CELL_CHANGE || kind == LC_CELL_REST)
    return lc_format_change (cell->integer);
  return lc_cell_dup_raw (cell, kind);
}

int
lc_cell_compare (const LcCell *one, const LcCell *other)
{
  static const int ranks[] = {
      [LC_VALUE_NULL] = 0, [LC_VALUE_INT] = 1, [LC_VALUE_REAL] = 1, [LC_VALUE_TEXT] = 2, [LC_VALUE_BLOB] = 3};
  double a, b;

  if (ranks[one->type] != ranks[other->type])
    return ranks[one->type] - ranks[other->type];
  if (one->type == LC_VALUE_NULL)
    return 0;
  if (one->type == LC_VALUE_TEXT)
    return strcmp (one->text, other->text);
  if (one->type == LC_VALUE_INT && other->type == LC_VALUE_INT)
    return one->integer < other->integer ? -1 : one->integer > other->integer;
  a = one->type == LC_VALUE_INT ? (double)one->integer : one->real;
  b = other->type == LC_VALUE_INT ? (double)other->integer : other->real;
  return a < b ? -1 : a > b;
}
