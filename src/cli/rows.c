/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers and names, written to standard output for people, or as CSV or JSON for programs. */
#include "rows.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "format.h"
#include "output.h"

/* Bytes that are kept before they are written. */
enum
{
  KEPT = 1 << 16,
};

struct _LcRows
{
  LcFormat format;
  const LcRowsColumn *columns;
  guint n_columns;
  guint at; /* the column of the next cell */
  LcTable *table;
  LcTableColumn *titles;
  GString *csv;
  LcJson *json;
};

gboolean
lc_format_parse (const char *command, const char *name, LcFormat *format)
{
  static const char *const names[] = {"text", "csv", "json"}; /* in the order of LcFormat */

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      {
        *format = (LcFormat)i;
        return TRUE;
      }
  lc_complain (_ ("%s: “%s” is not a format (text, csv, json)"), command, name);
  return FALSE;
}

static void
begin_text (LcRows *rows)
{
  guint n = 0;

  rows->titles = g_new0 (LcTableColumn, rows->n_columns);
  for (guint i = 0; i < rows->n_columns; i++)
    if (rows->columns[i].title != NULL)
      rows->titles[n++] = (LcTableColumn){rows->columns[i].title, rows->columns[i].kind != LC_CELL_TEXT &&
                                                                      rows->columns[i].kind != LC_CELL_BOOLEAN};
  rows->table = lc_table_new (rows->titles, n);
}

static void
begin_csv (LcRows *rows)
{
  rows->csv = g_string_new (NULL);
  for (guint i = 0; i < rows->n_columns; i++)
    g_string_append_printf (rows->csv, "%s%s", i > 0 ? "," : "", rows->columns[i].name);
  g_string_append (rows->csv, "\n");
}

LcRows *
lc_rows_begin (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json, const char *key)
{
  LcRows *rows = g_new0 (LcRows, 1);

  rows->format = format;
  rows->columns = columns;
  rows->n_columns = n_columns;
  rows->json = json;
  if (format == LC_FORMAT_TEXT)
    begin_text (rows);
  else if (format == LC_FORMAT_CSV)
    begin_csv (rows);
  else
    lc_json_begin_array (json, key);
  return rows;
}

static void
flush_csv (LcRows *rows)
{
  lc_output_write (rows->csv->str, (gssize)rows->csv->len);
  g_string_truncate (rows->csv, 0);
}

/* Begins the next cell and gives its column. */
static const LcRowsColumn *
begin_cell (LcRows *rows)
{
  if (rows->at == 0 && rows->format == LC_FORMAT_JSON)
    lc_json_begin_object (rows->json, NULL);
  if (rows->at > 0 && rows->format == LC_FORMAT_CSV)
    g_string_append_c (rows->csv, ',');
  return &rows->columns[rows->at];
}

static void
end_cell (LcRows *rows)
{
  if (++rows->at < rows->n_columns)
    return;
  rows->at = 0;
  if (rows->format == LC_FORMAT_CSV)
    {
      g_string_append_c (rows->csv, '\n');
      if (rows->csv->len >= KEPT)
        flush_csv (rows);
    }
  else if (rows->format == LC_FORMAT_JSON)
    {
      lc_json_end_object (rows->json);
      if (rows->json->text->len >= KEPT)
        lc_output_json (rows->json);
    }
}

/* Writes as in RFC 4180, which has no escapes: invisible characters other than newlines and tabs are shown as in text
 * for people. */
static void
rows_append_csv (GString *csv, const char *text)
{
  g_autofree char *valid = lc_format_lines (text);

  if (strpbrk (valid, ",\"\r\n") == NULL)
    {
      g_string_append (csv, valid);
      return;
    }
  g_string_append_c (csv, '"');
  for (const char *at = valid; *at != '\0'; at++)
    g_string_append_printf (csv, *at == '"' ? "\"%c" : "%c", *at);
  g_string_append_c (csv, '"');
}

/* Only the text for people fills the table. */
static gboolean
is_for_people (const LcRows *rows)
{
  return rows->format == LC_FORMAT_TEXT;
}

/* `for_people` is for the table, and is freed here; other formats write the number. */
static void
rows_add_number (LcRows *rows, const char *number, char *for_people)
{
  const LcRowsColumn *column = begin_cell (rows);

  if (is_for_people (rows) && column->title != NULL)
    lc_table_take (rows->table, g_steal_pointer (&for_people));
  else if (rows->format == LC_FORMAT_CSV)
    g_string_append (rows->csv, number);
  else if (rows->format == LC_FORMAT_JSON)
    lc_json_add_number (rows->json, column->name, number);
  g_free (for_people);
  end_cell (rows);
}

void
lc_rows_add_text (LcRows *rows, const char *text)
{
  const LcRowsColumn *column = begin_cell (rows);

  if (rows->format == LC_FORMAT_TEXT && column->title != NULL)
    lc_table_take (rows->table, lc_format_text (text));
  else if (rows->format == LC_FORMAT_CSV && text != NULL)
    rows_append_csv (rows->csv, text);
  else if (rows->format == LC_FORMAT_JSON)
    lc_json_add_string (rows->json, column->name, text);
  end_cell (rows);
}

void
lc_rows_add_name (LcRows *rows, const char *text, const char *for_people)
{
  lc_rows_add_text (rows, is_for_people (rows) ? for_people : text);
}

void
lc_rows_add_boolean (LcRows *rows, gboolean value, const char *for_people)
{
  const LcRowsColumn *column = &rows->columns[rows->at];

  if (rows->format != LC_FORMAT_JSON)
    {
      lc_rows_add_text (rows, is_for_people (rows) ? (value ? for_people : NULL) : value ? "true" : "false");
      return;
    }
  begin_cell (rows);
  lc_json_add_boolean (rows->json, column->name, value);
  end_cell (rows);
}

void
lc_rows_add_nothing (LcRows *rows)
{
  lc_rows_add_text (rows, NULL);
}

void
lc_rows_add_count (LcRows *rows, guint64 count)
{
  gboolean is_time = rows->columns[rows->at].kind == LC_CELL_TIME;
  char number[24];

  if (is_for_people (rows))
    rows_add_number (rows, NULL, is_time ? lc_format_duration (count) : lc_format_count (count));
  else
    {
      g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT, count);
      rows_add_number (rows, number, NULL);
    }
}

void
lc_rows_add_integer (LcRows *rows, gint64 integer)
{
  const LcCellKind kind = rows->columns[rows->at].kind;
  char number[24], *for_people = NULL;

  g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, integer);
  if (is_for_people (rows) && kind == LC_CELL_REST && integer >= 0)
    for_people = lc_format_duration ((guint64)integer);
  else if (is_for_people (rows))
    for_people = kind == LC_CELL_CHANGE || kind == LC_CELL_REST ? lc_format_change (integer) : g_strdup (number);
  rows_add_number (rows, number, for_people);
}

void
lc_rows_add_real (LcRows *rows, double real)
{
  const LcCellKind kind = rows->columns[rows->at].kind;
  char number[G_ASCII_DTOSTR_BUF_SIZE], *for_people = NULL;

  if (!isfinite (real))
    {
      lc_rows_add_nothing (rows);
      return;
    }
  g_ascii_formatd (number, sizeof number, "%.15g", round (real * 1e6) / 1e6);
  if (is_for_people (rows))
    for_people =
        kind == LC_CELL_COST ? lc_format_cost (real) : g_strdup_printf ("%.*f", kind == LC_CELL_RATIO ? 3 : 2, real);
  rows_add_number (rows, number, for_people);
}

void
lc_rows_add_percent (LcRows *rows, guint64 part, guint64 whole)
{
  double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (whole == 0)
    {
      lc_rows_add_nothing (rows);
      return;
    }
  g_ascii_formatd (number, sizeof number, "%.15g", (double)(guint64)(percent * 1e4 + 0.5) / 1e4);
  rows_add_number (rows, number, is_for_people (rows) ? g_strdup_printf ("%.1f %%", percent) : NULL);
}

void
lc_rows_end (LcRows *rows, guint64 more)
{
  if (rows->format == LC_FORMAT_TEXT)
    {
      g_autofree char *lines = lc_table_render (rows->table, 2), *count = lc_format_count (more);

      g_print ("\n%s", lines);
      if (more > 0)
        g_print (_ ("  ... and %s more (see --limit)\n"), count);
      lc_table_free (rows->table);
      g_free (rows->titles);
    }
  else if (rows->format == LC_FORMAT_CSV)
    {
      flush_csv (rows);
      g_string_free (rows->csv, TRUE);
    }
  else
    lc_json_end_array (rows->json);
  g_free (rows);
}
