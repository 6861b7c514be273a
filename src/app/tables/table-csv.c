/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a table as comma-separated values, written by a thread to the clipboard or to a file. */
#include "app/tables/table-csv.h"

#include <glib/gi18n.h>

#include "report/cell.h"
#include "trace/quantities.h"

enum
{
  AT_ONCE = 512, /* rows */
  KEPT = 1 << 16 /* bytes that are written at once */
};

LcTableCsv *
lc_table_csv_new (LcTableSource *source, GtkBitset *rows, GArray *columns, GFile *file)
{
  LcTableCsv *csv = g_new (LcTableCsv, 1);

  *csv = (LcTableCsv){.source = lc_table_source_ref (source),
                      .rows = rows != NULL ? gtk_bitset_ref (rows) : NULL,
                      .columns = columns,
                      .file = file};
  return csv;
}

void
lc_table_csv_free (gpointer data)
{
  LcTableCsv *csv = data;

  lc_table_source_unref (csv->source);
  g_clear_pointer (&csv->rows, gtk_bitset_unref);
  g_array_unref (csv->columns);
  g_clear_object (&csv->file);
  g_free (csv);
}

void
lc_table_written_free (gpointer data)
{
  LcTableWritten *written = data;

  g_free (written->text);
  g_free (written);
}

/* --- Text -------------------------------------------------------------------------------------------------------- */

static void
table_csv_append_heads (const LcTableCsv *csv, GString *text)
{
  for (guint i = 0; i < csv->columns->len; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      lc_csv_append (text, lc_table_source_get_column (csv->source, g_array_index (csv->columns, guint, i))->name);
    }
  g_string_append_c (text, '\n');
}

static void
table_csv_append_row (const LcTableCsv *csv, GString *text, const LcTablePage *page, guint row)
{
  for (guint i = 0; i < csv->columns->len; i++)
    {
      const LcTableCell *cell = lc_table_page_get (page, row, g_array_index (csv->columns, guint, i));

      g_string_append (text, i > 0 ? "," : "");
      if (!cell->is_null)
        lc_csv_append (text, cell->raw != NULL ? cell->raw : cell->text);
    }
  g_string_append_c (text, '\n');
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcTableCsv *csv;
  GOutputStream *stream; /* NULL: all stays in the text */
  GString *text;
  guint64 n_rows;
  guint64 total;
  LcJobPermille *done;
} TableWriting;

static gboolean
table_csv_flush (TableWriting *writing, gsize kept, GCancellable *cancellable, GError **error)
{
  if (writing->stream == NULL || writing->text->len <= kept)
    return TRUE;
  if (!g_output_stream_write_all (writing->stream, writing->text->str, writing->text->len, NULL, cancellable, error))
    return FALSE;
  g_string_truncate (writing->text, 0);
  return TRUE;
}

static gboolean
table_csv_write_rows (TableWriting *writing, guint64 first, guint64 last, GCancellable *cancellable, GError **error)
{
  LcTableSource *source = writing->csv->source;

  for (guint64 at = first; at < last; at += AT_ONCE)
    {
      guint n_rows = (guint)MIN (last - at, AT_ONCE);
      g_autoptr (LcTablePage) page = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      page = source->read (source, at, n_rows, cancellable, error);
      if (page == NULL)
        return FALSE;
      for (guint i = 0; i < page->n_rows; i++)
        table_csv_append_row (writing->csv, writing->text, page, i);
      writing->n_rows += page->n_rows;
      g_atomic_int_set (writing->done, (gint)(writing->n_rows * 1000 / MAX (writing->total, 1)));
      if (!table_csv_flush (writing, KEPT, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* Finds the end of a run of rows that are one after the other. */
static guint
table_csv_find_end (GtkBitset *rows, guint first)
{
  guint n = 1;

  while (n < AT_ONCE && gtk_bitset_contains (rows, first + n))
    n++;
  return first + n;
}

static gboolean
table_csv_write_all (TableWriting *writing, GCancellable *cancellable, GError **error)
{
  GtkBitset *rows = writing->csv->rows;
  GtkBitsetIter at;
  guint first, next = 0;

  table_csv_append_heads (writing->csv, writing->text);
  if (rows == NULL)
    return table_csv_write_rows (writing, 0, writing->csv->source->n_rows, cancellable, error);
  if (!gtk_bitset_iter_init_first (&at, rows, &first))
    return TRUE;
  do
    {
      if (first < next)
        continue;
      next = table_csv_find_end (rows, first);
      if (!table_csv_write_rows (writing, first, next, cancellable, error))
        return FALSE;
    }
  while (gtk_bitset_iter_next (&at, &first));
  return TRUE;
}

static LcTableWritten *
table_csv_finish (const TableWriting *writing, char *text)
{
  LcTableWritten *written = g_new (LcTableWritten, 1);

  *written = (LcTableWritten){text, writing->n_rows};
  return written;
}

static gpointer
table_csv_write_file (TableWriting *writing, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileOutputStream) stream =
      g_file_replace (writing->csv->file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cancellable, error);
  g_autoptr (GCancellable) given_up = g_cancellable_new ();

  if (stream == NULL)
    return NULL;
  writing->stream = G_OUTPUT_STREAM (stream);
  if (table_csv_write_all (writing, cancellable, error) && table_csv_flush (writing, 0, cancellable, error))
    return g_output_stream_close (writing->stream, cancellable, error) ? table_csv_finish (writing, NULL) : NULL;
  /* A stream that is closed while it is cancelled leaves the file as it was. */
  g_cancellable_cancel (given_up);
  g_output_stream_close (writing->stream, given_up, NULL);
  return NULL;
}

gpointer
lc_table_csv_write (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcTableCsv *csv = data;
  g_autoptr (GString) text = g_string_new (NULL);
  TableWriting writing = {.csv = csv, .text = text, .done = done};

  writing.total = csv->rows != NULL ? gtk_bitset_get_size (csv->rows) : csv->source->n_rows;
  if (csv->file != NULL)
    return table_csv_write_file (&writing, cancellable, error);
  if (writing.total > LC_TABLE_MOST_COPIED)
    {
      g_autofree char *most = lc_format_count (LC_TABLE_MOST_COPIED);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, _ ("More than %s rows are not copied: save them in a file."),
                   most);
      return NULL;
    }
  if (!table_csv_write_all (&writing, cancellable, error))
    return NULL;
  return table_csv_finish (&writing, g_string_free (g_steal_pointer (&text), FALSE));
}
