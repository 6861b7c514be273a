/* SPDX-License-Identifier: Apache-2.0 */
/* The tables mark and annotation: what users have named in the history, from the file beside it. */
#include "lightcone/marks.h"
#include "table-scan.h"

enum
{
  MARK_NAME,
  MARK_PROCESS,
  MARK_ORDINAL,
  MARK_BEGIN,
  MARK_END,
};

enum
{
  ANNOTATION_PROCESS,
  ANNOTATION_ORDINAL,
  ANNOTATION_TEXT,
};

typedef struct
{
  LcTables *tables;
  LcMarks *marks; /* read anew for each query */
  guint at;
} MarkCursor;

/* The whole file is read in any case, so no constraint is used. */
static void
mark_table_plan (gpointer data G_GNUC_UNUSED, LcTablePlan *plan)
{
  plan->cost = 1000;
  plan->rows = 100;
}

static gpointer
mark_table_open (gpointer data)
{
  MarkCursor *cursor = g_new0 (MarkCursor, 1);

  cursor->tables = data;
  return cursor;
}

static void
mark_table_close (gpointer data)
{
  MarkCursor *cursor = data;

  lc_marks_free (cursor->marks);
  g_free (cursor);
}

static gboolean
mark_table_filter (gpointer data, int mode G_GNUC_UNUSED, const LcConstraintValue *values G_GNUC_UNUSED,
                   gsize n_values G_GNUC_UNUSED, guint64 columns_used G_GNUC_UNUSED, GError **error)
{
  MarkCursor *cursor = data;

  lc_marks_free (cursor->marks);
  cursor->marks = lc_marks_read (lc_database_get_path (cursor->tables->database), error);
  cursor->at = 0;
  return cursor->marks != NULL;
}

static gboolean
mark_table_next (gpointer data, GError **error G_GNUC_UNUSED)
{
  ((MarkCursor *)data)->at++;
  return TRUE;
}

static gint64
mark_table_row (gpointer data)
{
  return ((const MarkCursor *)data)->at;
}

/* --- Marks ------------------------------------------------------------------------------------------------------- */

static gboolean
mark_table_is_at_end (gpointer data)
{
  const MarkCursor *cursor = data;

  return cursor->at >= cursor->marks->marks->len;
}

static void
mark_table_column (gpointer data, int column, LcTableOutput *output)
{
  const MarkCursor *cursor = data;
  const LcUserMark *mark = &g_array_index (cursor->marks->marks, LcUserMark, cursor->at);

  if (column == MARK_NAME)
    lc_table_output_text (output, mark->name);
  else if (column == MARK_PROCESS)
    lc_table_output_int (output, mark->process);
  else if ((column == MARK_ORDINAL) == mark->is_span)
    lc_table_output_null (output);
  else
    lc_table_output_int (output, (gint64)(column == MARK_END ? mark->end : mark->begin));
}

const LcVirtualTable lc_mark_table = {
    .name = "mark",
    .declaration = "CREATE TABLE mark (\n"
                   "  name TEXT, process INTEGER, ordinal INTEGER, begin INTEGER, \"end\" INTEGER)",
    .plan = mark_table_plan,
    .open = mark_table_open,
    .filter = mark_table_filter,
    .next = mark_table_next,
    .is_at_end = mark_table_is_at_end,
    .column = mark_table_column,
    .row = mark_table_row,
    .close = mark_table_close,
};

/* --- Annotations ------------------------------------------------------------------------------------------------- */

static gboolean
mark_table_is_after_annotations (gpointer data)
{
  const MarkCursor *cursor = data;

  return cursor->at >= cursor->marks->annotations->len;
}

static void
mark_table_annotation_column (gpointer data, int column, LcTableOutput *output)
{
  const MarkCursor *cursor = data;
  const LcAnnotation *annotation = &g_array_index (cursor->marks->annotations, LcAnnotation, cursor->at);

  if (column == ANNOTATION_TEXT)
    lc_table_output_text (output, annotation->text);
  else
    lc_table_output_int (output, column == ANNOTATION_PROCESS ? annotation->process : (gint64)annotation->ordinal);
}

const LcVirtualTable lc_annotation_table = {
    .name = "annotation",
    .declaration = "CREATE TABLE annotation (process INTEGER, ordinal INTEGER, text TEXT)",
    .plan = mark_table_plan,
    .open = mark_table_open,
    .filter = mark_table_filter,
    .next = mark_table_next,
    .is_at_end = mark_table_is_after_annotations,
    .column = mark_table_annotation_column,
    .row = mark_table_row,
    .close = mark_table_close,
};
