/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for people to read. */
#include "report/format.h"

#include <glib/gi18n.h>

struct _LcTable
{
  const LcTableColumn *columns;
  guint n_columns;
  GPtrArray *cells;
};

guint
lc_format_width (const char *text)
{
  guint sum = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);

      sum += g_unichar_iszerowidth (character) ? 0 : g_unichar_iswide (character) ? 2 : 1;
    }
  return sum;
}

/* --- Tables ------------------------------------------------------------------------------------------------ */

LcTable *
lc_table_new (const LcTableColumn *columns, guint n_columns)
{
  LcTable *table = g_new0 (LcTable, 1);

  table->columns = columns;
  table->n_columns = n_columns;
  table->cells = g_ptr_array_new_with_free_func (g_free);
  return table;
}

void
lc_table_free (LcTable *table)
{
  g_ptr_array_unref (table->cells);
  g_free (table);
}

void
lc_table_take (LcTable *table, char *cell)
{
  g_ptr_array_add (table->cells, lc_format_text (cell));
  g_free (cell);
}

/* gettext ("") gives its header, so an empty title is not translated. */
static const char *
title_of (const LcTable *table, guint column)
{
  const char *title = table->columns[column].title;

  return title != NULL && *title != '\0' ? _ (title) : title;
}

/* Returns 0 for a column in which all cells are empty. */
static guint
column_width (const LcTable *table, guint column)
{
  const char *title = title_of (table, column);
  guint widest = 0;

  for (guint i = column; i < table->cells->len; i += table->n_columns)
    widest = MAX (widest, lc_format_width (table->cells->pdata[i]));
  return widest > 0 && title != NULL ? MAX (widest, lc_format_width (title)) : widest;
}

static void
format_append_cell (GString *text, const char *cell, guint room, gboolean right)
{
  int padding = (int)(room - lc_format_width (cell));

  g_string_append_printf (text, "%*s%s%*s  ", right ? padding : 0, "", cell, right ? 0 : padding, "");
}

static void
append_row (GString *text, const LcTable *table, const guint *widths, const char *const *cells, guint indent)
{
  g_string_append_printf (text, "%*s", (int)indent, "");
  for (guint column = 0; column < table->n_columns; column++)
    if (widths[column] > 0)
      format_append_cell (text, cells[column], widths[column], table->columns[column].right);
  while (text->len > 0 && text->str[text->len - 1] == ' ')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, '\n');
}

char *
lc_table_render (const LcTable *table, guint indent)
{
  GString *text = g_string_new (NULL);
  g_autofree guint *widths = g_new (guint, table->n_columns);
  g_autofree const char **titles = g_new (const char *, table->n_columns);

  for (guint column = 0; column < table->n_columns; column++)
    {
      widths[column] = column_width (table, column);
      titles[column] = title_of (table, column);
    }
  if (titles[0] != NULL)
    append_row (text, table, widths, titles, indent);
  for (guint row = 0; row + table->n_columns <= table->cells->len; row += table->n_columns)
    append_row (text, table, widths, (const char *const *)&table->cells->pdata[row], indent);
  return g_string_free (text, FALSE);
}
