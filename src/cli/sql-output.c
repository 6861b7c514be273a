/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a statement to standard output: aligned for people, or as CSV or JSON. */
#include "sql-output.h"

#include <math.h>
#include <string.h>

#include "report/format.h"
#include "report/output.h"

enum
{
  MEASURED = 1000, /* rows that decide the widths of a table's columns */
  KEPT = 1 << 14,  /* bytes that are written at once */
};

typedef struct
{
  LcStatement *statement;
  int n_columns;
  /* State of a table. */
  GPtrArray *cells; /* cells that wait until the widths are known */
  guint *widths;
  gboolean *texts, *numbers; /* by column: whether it has texts, or numbers */
  gboolean measured;
  GString *text;
} Output;

static char *
blob_as_hex (LcStatement *statement, int column)
{
  static const char digits[] = "0123456789abcdef";
  gsize size;
  const guint8 *bytes = lc_statement_blob (statement, column, &size);
  char *hex = g_malloc (2 * size + 1);

  for (gsize i = 0; i < size; i++)
    {
      hex[2 * i] = digits[bytes[i] >> 4];
      hex[2 * i + 1] = digits[bytes[i] & 15];
    }
  hex[2 * size] = '\0';
  return hex;
}

static void
sql_output_flush (GString *text, gsize kept)
{
  if (text->len <= kept)
    return;
  lc_output_write (text->str, (gssize)text->len);
  g_string_truncate (text, 0);
}

/* --- CSV ----------------------------------------------------------------------------------------------------- */

static void
append_csv_value (Output *output, int column)
{
  LcValueType type = lc_statement_type (output->statement, column);

  if (type == LC_VALUE_BLOB)
    {
      g_autofree char *hex = blob_as_hex (output->statement, column);

      g_string_append (output->text, hex);
    }
  else if (type != LC_VALUE_NULL)
    lc_csv_append (output->text, lc_statement_text (output->statement, column));
}

static LcStep
print_csv (Output *output, GError **error)
{
  LcStep step;

  for (int i = 0; i < output->n_columns; i++)
    {
      g_string_append (output->text, i > 0 ? "," : "");
      lc_csv_append (output->text, lc_statement_column_name (output->statement, i));
    }
  g_string_append_c (output->text, '\n');
  while ((step = lc_statement_step (output->statement, error)) == LC_STEP_ROW)
    {
      for (int i = 0; i < output->n_columns; i++)
        {
          g_string_append (output->text, i > 0 ? "," : "");
          append_csv_value (output, i);
        }
      g_string_append_c (output->text, '\n');
      sql_output_flush (output->text, KEPT);
    }
  sql_output_flush (output->text, 0);
  return step;
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

static void
add_json_value (Output *output, LcJson *json, int column)
{
  const char *name = lc_statement_column_name (output->statement, column);
  g_autofree char *hex = NULL;

  switch (lc_statement_type (output->statement, column))
    {
    case LC_VALUE_INT:
      lc_json_add_integer (json, name, lc_statement_int (output->statement, column));
      break;
    case LC_VALUE_REAL:
      if (isfinite (lc_statement_real (output->statement, column)))
        lc_json_add_number (json, name, lc_statement_text (output->statement, column));
      else
        lc_json_add_null (json, name);
      break;
    case LC_VALUE_BLOB:
      hex = blob_as_hex (output->statement, column);
      lc_json_add_string (json, name, hex);
      break;
    case LC_VALUE_TEXT:
    case LC_VALUE_NULL:
    default:
      lc_json_add_string (json, name, lc_statement_text (output->statement, column));
      break;
    }
}

static LcStep
sql_output_print_json (Output *output, GError **error)
{
  LcJson json = LC_JSON_INIT ();
  g_autofree char *rest = NULL;
  LcStep step;

  lc_json_begin_array (&json, NULL);
  while ((step = lc_statement_step (output->statement, error)) == LC_STEP_ROW)
    {
      lc_json_begin_object (&json, NULL);
      for (int i = 0; i < output->n_columns; i++)
        add_json_value (output, &json, i);
      lc_json_end_object (&json);
      if (json.text->len > KEPT)
        lc_output_json (&json);
    }
  lc_json_end_array (&json);
  rest = lc_json_finish (&json);
  lc_output_write (rest, -1);
  return step;
}

/* --- Tables -------------------------------------------------------------------------------------------------- */

static void
sql_output_append_cell (Output *output, int column, const char *cell)
{
  guint width = lc_format_width (cell), padding = MAX (output->widths[column], width) - width;
  gboolean right = output->numbers[column] && !output->texts[column];

  g_string_append_printf (output->text, "%*s%s", right ? (int)padding : 0, "", cell);
  if (column + 1 < output->n_columns)
    g_string_append_printf (output->text, "%*s", (right ? 0 : (int)padding) + 2, "");
  else
    {
      while (output->text->len > 0 && output->text->str[output->text->len - 1] == ' ')
        g_string_truncate (output->text, output->text->len - 1);
      g_string_append_c (output->text, '\n');
    }
}

/* Prints in the encoding of the terminal. */
static void
sql_output_print_lines (Output *output)
{
  g_print ("%s", output->text->str);
  g_string_truncate (output->text, 0);
}

static char *
dup_cell (Output *output, int column)
{
  LcValueType type = lc_statement_type (output->statement, column);
  gsize size;

  if (type == LC_VALUE_INT || type == LC_VALUE_REAL)
    output->numbers[column] |= !output->measured;
  else if (type != LC_VALUE_NULL)
    output->texts[column] |= !output->measured;
  if (type != LC_VALUE_BLOB)
    return lc_format_text (lc_statement_text (output->statement, column));
  lc_statement_blob (output->statement, column, &size);
  if (size > 32)
    return lc_format_bytes (size);
  return blob_as_hex (output->statement, column);
}

/* Prints the titles and the cells that have waited. */
static void
sql_output_lay_out (Output *output)
{
  for (guint i = 0; i < output->cells->len; i++)
    {
      guint column = i % (guint)output->n_columns;

      output->widths[column] = MAX (output->widths[column], lc_format_width (output->cells->pdata[i]));
    }
  for (guint i = 0; i < output->cells->len; i++)
    sql_output_append_cell (output, (int)(i % (guint)output->n_columns), output->cells->pdata[i]);
  sql_output_print_lines (output);
  g_ptr_array_set_size (output->cells, 0);
  output->measured = TRUE;
}

static LcStep
print_table (Output *output, GError **error)
{
  guint64 n_rows = 0;
  LcStep step;

  for (int i = 0; i < output->n_columns; i++)
    g_ptr_array_add (output->cells, lc_format_text (lc_statement_column_name (output->statement, i)));
  while ((step = lc_statement_step (output->statement, error)) == LC_STEP_ROW)
    {
      for (int i = 0; i < output->n_columns; i++)
        {
          g_autofree char *cell = dup_cell (output, i);

          if (output->measured)
            sql_output_append_cell (output, i, cell);
          else
            g_ptr_array_add (output->cells, g_steal_pointer (&cell));
        }
      if (++n_rows == MEASURED)
        sql_output_lay_out (output);
      else if (output->text->len > KEPT)
        sql_output_print_lines (output);
    }
  if (!output->measured)
    sql_output_lay_out (output);
  sql_output_print_lines (output);
  return step;
}

gboolean
lc_sql_print (LcStatement *statement, LcFormat format, GError **error)
{
  Output output = {.statement = statement, .n_columns = lc_statement_n_columns (statement)};
  LcStep step;

  if (output.n_columns == 0)
    return lc_statement_run (statement, error);
  output.cells = g_ptr_array_new_with_free_func (g_free);
  output.widths = g_new0 (guint, output.n_columns);
  output.texts = g_new0 (gboolean, output.n_columns);
  output.numbers = g_new0 (gboolean, output.n_columns);
  output.text = g_string_new (NULL);
  if (format == LC_FORMAT_CSV)
    step = print_csv (&output, error);
  else if (format == LC_FORMAT_JSON)
    step = sql_output_print_json (&output, error);
  else
    step = print_table (&output, error);
  lc_statement_reset (statement);
  g_ptr_array_unref (output.cells);
  g_free (output.widths);
  g_free (output.texts);
  g_free (output.numbers);
  g_string_free (output.text, TRUE);
  return step == LC_STEP_DONE;
}
