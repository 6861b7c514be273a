/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and tables for people to read. */
#include "format.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

struct _LcTable
{
  const LcTableColumn *columns;
  guint n_columns;
  GPtrArray *cells;
};

/* --- Numbers ----------------------------------------------------------------------------------------------- */

static const char *
radix (void)
{
  const char *point = localeconv ()->decimal_point;

  return point[0] != '\0' && g_utf8_validate (point, -1, NULL) ? point : ".";
}

/* The locale's, if it has one: else one that cannot be taken for its radix. */
static const char *
thousands (void)
{
  const char *separator = localeconv ()->thousands_sep;

  if (separator[0] != '\0' && g_utf8_validate (separator, -1, NULL))
    return separator;
  return strcmp (radix (), ",") == 0 ? " " : ",";
}

char *
lc_format_count (guint64 count)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, count);
  GString *text = g_string_new (NULL);
  gsize length = strlen (digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, thousands ());
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/* `value` in units of `unit`, with three digits. FALSE: these would be 1000. */
static gboolean
three_digits (guint64 value, guint64 unit, char digits[16])
{
  double number = (double)value / (double)unit;
  int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  char *point;

  if (number >= 999.5)
    return FALSE;
  g_ascii_formatd (digits, 16, decimals == 2 ? "%.2f" : decimals == 1 ? "%.1f" : "%.0f", number);
  point = strchr (digits, '.');
  if (point != NULL && strlen (radix ()) == 1)
    *point = radix ()[0];
  return TRUE;
}

char *
lc_format_duration (guint64 ns)
{
  const guint64 second = G_GUINT64_CONSTANT (1000000000), seconds = ns / second;
  const char *micro = g_get_charset (NULL) ? _ ("µs") : "us";
  char digits[16];

  if (ns < 1000)
    return g_strdup_printf (_ ("%u ns"), (guint)ns);
  if (three_digits (ns, 1000, digits))
    return g_strdup_printf ("%s %s", digits, micro);
  if (three_digits (ns, 1000000, digits))
    return g_strdup_printf (_ ("%s ms"), digits);
  if (ns < 60 * second && three_digits (ns, second, digits))
    return g_strdup_printf (_ ("%s s"), digits);
  if (seconds < 3600)
    return g_strdup_printf (_ ("%u min %u s"), (guint)(seconds / 60), (guint)(seconds % 60));
  return g_strdup_printf (_ ("%u h %u min"), (guint)(seconds / 3600), (guint)(seconds / 60 % 60));
}

char *
lc_format_change (gint64 ns)
{
  guint64 length = ns < 0 ? -(guint64)ns : (guint64)ns;
  g_autofree char *duration = lc_format_duration (length);

  return g_strconcat (ns < 0 ? "-" : ns > 0 ? "+" : "", duration, NULL);
}

char *
lc_format_cost (double ns)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE], *point;

  ns = CLAMP (ns, 0, 9e18);
  if (ns >= 999.5 || (double)(guint64)ns == ns)
    return lc_format_duration ((guint64)(ns + 0.5));
  g_ascii_formatd (digits, sizeof digits, "%.3g", ns);
  point = strchr (digits, '.');
  if (point != NULL && strlen (radix ()) == 1)
    *point = radix ()[0];
  return g_strdup_printf (_ ("%s ns"), digits);
}

char *
lc_format_bytes (guint64 bytes)
{
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  char digits[16];

  if (bytes < 1024)
    return g_strdup_printf (ngettext ("%u byte", "%u bytes", bytes), (guint)bytes);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (three_digits (bytes, G_GUINT64_CONSTANT (1024) << (10 * i), digits))
      return g_strdup_printf ("%s %s", digits, units[i]);
  g_assert_not_reached ();
}

/* --- Text -------------------------------------------------------------------------------------------------- */

char *
lc_format_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  GString *printable = g_string_new (NULL);

  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    g_string_append_unichar (printable, g_unichar_isprint (g_utf8_get_char (at)) ? g_utf8_get_char (at) : '?');
  return g_string_free (printable, FALSE);
}

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

/* What gettext has for "" is no title. */
static const char *
title_of (const LcTable *table, guint column)
{
  const char *title = table->columns[column].title;

  return title != NULL && *title != '\0' ? _ (title) : title;
}

/* 0: nothing stands in it. */
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
append_cell (GString *text, const char *cell, guint room, gboolean right)
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
      append_cell (text, cells[column], widths[column], table->columns[column].right);
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
