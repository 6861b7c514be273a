/* SPDX-License-Identifier: Apache-2.0 */
/* A result in memory as the rows of a table, sorted and filtered. */
#include "app/tables/table-result.h"

#include <string.h>

#include "trace/quantities.h"

enum
{
  LOOKED_AT = 200, /* rows that decide how wide columns are, and whether they have numbers */
  LEAST_WIDTH = 60,
  MOST_WIDTH = 360,
  LETTER = 8, /* px */
};

typedef struct
{
  LcTableSource parent;

  LcResult *result;
  guint32 *rows; /* those that are shown, in order */
} ResultRows;

void
lc_table_result_asked_free (gpointer data)
{
  LcTableResultAsked *asked = data;

  lc_result_unref (asked->result);
  g_free (asked->filter);
  g_free (asked);
}

static void
table_result_free (LcTableSource *parent)
{
  ResultRows *rows = (ResultRows *)parent;

  lc_result_unref (rows->result);
  g_free (rows->rows);
  g_free (rows);
}

/* A row as a whole leads to its event, else to a time, an object, a process. */
static LcTarget
table_result_choose_link (const LcTablePage *page, guint row)
{
  static const LcTargetKind order[] = {LC_TARGET_EVENT, LC_TARGET_TIME, LC_TARGET_OBJECT, LC_TARGET_PROCESS};

  for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint column = 0; column < page->n_columns; column++)
      if (lc_table_page_get (page, row, column)->link.kind == order[i])
        return lc_table_page_get (page, row, column)->link;
  return (LcTarget){LC_TARGET_NONE, 0, 0};
}

static LcTablePage *
table_result_read (LcTableSource *parent, guint64 first, guint n_rows, GCancellable *cancellable, GError **error)
{
  const ResultRows *rows = (const ResultRows *)parent;
  LcTablePage *page = lc_table_page_new (n_rows, rows->result->columns->len);

  for (guint i = 0; i < n_rows; i++)
    {
      guint row = rows->rows[first + i];

      for (guint column = 0; column < page->n_columns; column++)
        {
          const LcCell *its = lc_result_get_cell (rows->result, row, column);
          LcTableCell *cell = lc_table_page_get (page, i, column);
          g_autofree char *shown = lc_result_dup_shown (rows->result, row, column);

          cell->is_null = its->type == LC_VALUE_NULL;
          cell->text = lc_format_text (shown);
          if (!cell->is_null)
            cell->raw = lc_cell_dup_raw (its, lc_result_get_column (rows->result, column)->kind);
          cell->link = lc_result_get_link (rows->result, row, column);
        }
      page->links[i] = table_result_choose_link (page, i);
    }
  return page;
}

/* --- Columns ----------------------------------------------------------------------------------------------------- */

static void
table_result_add_column (ResultRows *rows, guint column)
{
  const LcResult *result = rows->result;
  const LcResultColumn *of_result = lc_result_get_column (result, column);
  const char *title = of_result->title != NULL ? of_result->title : of_result->name;
  LcTableColumn *its = lc_table_source_add_column (&rows->parent, title, of_result->name);
  glong longest = g_utf8_strlen (title, -1) + 2;

  its->is_number = result->n_rows > 0;
  its->is_extra = of_result->title == NULL;
  its->sorts = TRUE;
  for (guint row = 0; row < MIN (result->n_rows, LOOKED_AT); row++)
    {
      g_autofree char *text = lc_result_dup_shown (result, row, column);

      longest = MAX (longest, g_utf8_strlen (text, -1));
      its->is_number = its->is_number && lc_result_get_cell (result, row, column)->type != LC_VALUE_TEXT;
    }
  its->width = (int)CLAMP (longest * LETTER + 2 * LETTER, LEAST_WIDTH, MOST_WIDTH);
}

/* --- Filtering and sorting --------------------------------------------------------------------------------------- */

static gboolean
table_result_fits (const LcResult *result, guint row, const char *folded)
{
  for (guint column = 0; column < result->columns->len; column++)
    {
      g_autofree char *text = lc_result_dup_shown (result, row, column);
      g_autofree char *its = g_utf8_casefold (text, -1);

      if (strstr (its, folded) != NULL)
        return TRUE;
    }
  return FALSE;
}

static int
table_result_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcTableResultAsked *asked = data;
  guint32 one = *(const guint32 *)a, other = *(const guint32 *)b;
  int result = lc_cell_compare (lc_result_get_cell (asked->result, one, (guint)asked->column),
                                lc_result_get_cell (asked->result, other, (guint)asked->column));

  if (result == 0)
    return one < other ? -1 : one > other;
  return asked->descending ? -result : result;
}

gpointer
lc_table_result_new (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcTableResultAsked *asked = data;
  g_autofree char *folded = g_utf8_casefold (asked->filter, -1);
  ResultRows *rows = g_new0 (ResultRows, 1);
  guint n = 0;

  lc_table_source_init (&rows->parent, table_result_read, table_result_free);
  rows->parent.is_quick = TRUE;
  rows->result = lc_result_ref (asked->result);
  rows->rows = g_new (guint32, asked->result->n_rows + 1);
  for (guint column = 0; column < asked->result->columns->len; column++)
    table_result_add_column (rows, column);
  for (guint row = 0; row < asked->result->n_rows; row++)
    if (folded[0] == '\0' || table_result_fits (asked->result, row, folded))
      rows->rows[n++] = row;
  rows->parent.n_rows = n;
  if (asked->column >= 0 && (guint)asked->column < asked->result->columns->len)
    g_qsort_with_data (rows->rows, (gint)n, sizeof (guint32), table_result_compare, asked);
  return &rows->parent;
}
