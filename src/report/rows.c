/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers and names: written to standard output for people, or as CSV or JSON for programs, or kept. */
#include "report/rows.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "lightcone/trace.h"
#include "report/format.h"
#include "report/output.h"

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
  LcResult *result;
  guint64 limit;
  guint64 n;
};

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
lc_rows_begin_some (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json, const char *key,
                    guint64 limit, LcResult *result)
{
  LcRows *rows = g_new0 (LcRows, 1);

  rows->format = format;
  rows->columns = columns;
  rows->n_columns = n_columns;
  rows->json = json;
  rows->limit = limit;
  rows->result = result;
  if (format == LC_FORMAT_TEXT)
    begin_text (rows);
  else if (format == LC_FORMAT_CSV)
    begin_csv (rows);
  else if (format == LC_FORMAT_JSON)
    lc_json_begin_array (json, key);
  else
    for (guint i = 0; i < n_columns; i++)
      lc_result_add_column (result, columns[i].name, columns[i].title != NULL ? _ (columns[i].title) : NULL,
                            columns[i].kind);
  return rows;
}

LcRows *
lc_rows_begin (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json, const char *key)
{
  return lc_rows_begin_some (format, columns, n_columns, json, key, G_MAXUINT64, NULL);
}

guint
lc_rows_limit (LcRows *rows, guint n)
{
  rows->n += n;
  return (guint)MIN (n, rows->limit);
}

gboolean
lc_rows_next (LcRows *rows)
{
  return rows->n++ < rows->limit;
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

static void
rows_add_json (LcRows *rows, const LcRowsColumn *column, const LcCell *cell)
{
  g_autofree char *raw = cell->type != LC_VALUE_NULL ? lc_cell_dup_raw (cell, column->kind) : NULL;

  if (column->kind == LC_CELL_BOOLEAN && raw != NULL)
    lc_json_add_boolean (rows->json, column->name, strcmp (raw, "true") == 0);
  else if (cell->type == LC_VALUE_INT || cell->type == LC_VALUE_REAL)
    lc_json_add_number (rows->json, column->name, raw);
  else
    lc_json_add_string (rows->json, column->name, raw);
}

static void
rows_add_csv (LcRows *rows, const LcRowsColumn *column, const LcCell *cell)
{
  g_autofree char *raw = cell->type != LC_VALUE_NULL ? lc_cell_dup_raw (cell, column->kind) : NULL;

  if (raw != NULL && *raw != '\0')
    lc_csv_append (rows->csv, raw);
}

static void
rows_add_cell (LcRows *rows, const LcCell *cell)
{
  const LcRowsColumn *column = begin_cell (rows);

  if (rows->format == LC_FORMAT_CSV)
    rows_add_csv (rows, column, cell);
  else if (rows->format == LC_FORMAT_JSON)
    rows_add_json (rows, column, cell);
  else if (rows->format == LC_FORMAT_KEPT)
    lc_result_add_cell (rows->result, cell);
  else if (column->title != NULL)
    lc_table_take (rows->table, cell->type != LC_VALUE_NULL ? lc_cell_dup_shown (cell, column->kind) : NULL);
  end_cell (rows);
}

void
lc_rows_add_name (LcRows *rows, const char *text, const char *for_people)
{
  rows_add_cell (rows,
                 &(LcCell){.type = text != NULL ? LC_VALUE_TEXT : LC_VALUE_NULL, .text = text, .shown = for_people});
}

void
lc_rows_add_text (LcRows *rows, const char *text)
{
  lc_rows_add_name (rows, text, NULL);
}

void
lc_rows_add_boolean (LcRows *rows, gboolean value, const char *for_people)
{
  lc_rows_add_name (rows, value ? "true" : "false", value ? for_people : "");
}

void
lc_rows_add_nothing (LcRows *rows)
{
  lc_rows_add_text (rows, NULL);
}

void
lc_rows_add_nothings (LcRows *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    lc_rows_add_nothing (rows);
}

void
lc_rows_add_count (LcRows *rows, guint64 count)
{
  rows_add_cell (rows, &(LcCell){.type = LC_VALUE_INT, .integer = (gint64)count});
}

void
lc_rows_add_id (LcRows *rows, guint32 id)
{
  if (id != LC_TRACE_NONE)
    lc_rows_add_count (rows, id);
  else
    lc_rows_add_nothing (rows);
}

void
lc_rows_add_integer (LcRows *rows, gint64 integer)
{
  rows_add_cell (rows, &(LcCell){.type = LC_VALUE_INT, .integer = integer, .is_signed = TRUE});
}

void
lc_rows_add_real (LcRows *rows, double real)
{
  if (isfinite (real))
    rows_add_cell (rows, &(LcCell){.type = LC_VALUE_REAL, .real = real});
  else
    lc_rows_add_nothing (rows);
}

void
lc_rows_add_percent (LcRows *rows, guint64 part, guint64 whole)
{
  lc_rows_add_real (rows, whole > 0 ? 100.0 * (double)part / (double)whole : NAN);
}

void
lc_rows_end (LcRows *rows, guint64 more)
{
  more += rows->n - MIN (rows->n, rows->limit);
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
  else if (rows->format == LC_FORMAT_JSON)
    lc_json_end_array (rows->json);
  else
    lc_result_end (rows->result, more);
  g_free (rows);
}
