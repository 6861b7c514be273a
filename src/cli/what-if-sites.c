/* SPDX-License-Identifier: Apache-2.0 */
/* The critical paths before and after a what-if, from line to line. */
#include <glib/gi18n.h>

#include "report/critical-path.h"
#include "report/sites.h"
#include "what-if.h"

/* A piece that either path has, and how long it is on both. */
typedef struct
{
  LcCriticalSites piece;
  guint64 before;
  guint64 after;
} Piece;

static int
what_if_sites_compare (gconstpointer a, gconstpointer b)
{
  const Piece *one = *(const Piece *const *)a, *other = *(const Piece *const *)b;
  const LcCriticalSites *of_one = &one->piece, *of_other = &other->piece;
  const guint64 longer = MAX (one->before, one->after), longer_other = MAX (other->before, other->after);

  if (longer != longer_other)
    return longer > longer_other ? -1 : 1;
  if (of_one->process != of_other->process)
    return of_one->process < of_other->process ? -1 : 1;
  if (of_one->from != of_other->from)
    return of_one->from < of_other->from ? -1 : 1;
  if (of_one->to != of_other->to)
    return of_one->to < of_other->to ? -1 : 1;
  return (int)of_one->part - (int)of_other->part;
}

static void
what_if_sites_take (GHashTable *by_piece, GPtrArray *list, const GArray *pieces, gboolean after)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      const LcCriticalSites *piece = &g_array_index (pieces, LcCriticalSites, i);
      Piece *found = g_hash_table_lookup (by_piece, piece);

      if (found == NULL)
        {
          found = g_new0 (Piece, 1);
          found->piece = *piece;
          g_hash_table_insert (by_piece, &found->piece, found);
          g_ptr_array_add (list, found);
        }
      *(after ? &found->after : &found->before) = piece->time;
    }
}

gboolean
lc_what_if_find_pieces (LcWhatIfShow *show, GPtrArray **pieces, GError **error)
{
  const guint32 before = show->before != NULL ? show->before->timeline : LC_TIMELINE_MEASURED;
  g_autoptr (GHashTable) by_piece = g_hash_table_new (lc_critical_sites_hash, lc_critical_sites_equal);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) first = NULL, second = NULL;

  if (lc_history_get_n_stacks (show->history) > 0)
    {
      first = lc_critical_path_sites (show->before_path, show->history, before, show->groups, NULL, error);
      if (first == NULL)
        return FALSE;
      second =
          lc_critical_path_sites (show->after_path, show->history, show->after->timeline, show->groups, NULL, error);
      if (second == NULL)
        return FALSE;
      what_if_sites_take (by_piece, list, first, FALSE);
      what_if_sites_take (by_piece, list, second, TRUE);
      g_ptr_array_sort (list, what_if_sites_compare);
    }
  *pieces = g_steal_pointer (&list);
  return TRUE;
}

/* --- Output ------------------------------------------------------------------------------------------------------ */

static const LcRowsColumn what_if_piece_columns[] = {
    {"part", N_ ("Critical path: part"), LC_CELL_TEXT},
    {"from_site", N_ ("From"), LC_CELL_TEXT},
    {"from_function", NULL, LC_CELL_TEXT},
    {"from_file", NULL, LC_CELL_TEXT},
    {"from_line", NULL, LC_CELL_COUNT},
    {"from_module", NULL, LC_CELL_TEXT},
    {"to_site", N_ ("To"), LC_CELL_TEXT},
    {"to_function", NULL, LC_CELL_TEXT},
    {"to_file", NULL, LC_CELL_TEXT},
    {"to_line", NULL, LC_CELL_COUNT},
    {"to_module", NULL, LC_CELL_TEXT},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("On"), LC_CELL_TEXT},
    {"before", N_ ("Before"), LC_CELL_TIME},
    {"after", N_ ("After"), LC_CELL_TIME},
    {"change", N_ ("Change"), LC_CELL_CHANGE},
};

void
lc_what_if_show_pieces (const LcWhatIfShow *show, LcJson *json)
{
  const LcFormat format = show->json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
  const guint shown = (guint)MIN (show->pieces->len, show->limit);
  LcRows *rows;

  if (!show->json && show->pieces->len == 0)
    return;
  rows = lc_rows_begin (format, what_if_piece_columns, G_N_ELEMENTS (what_if_piece_columns), json, "piece");
  for (guint i = 0; i < shown; i++)
    {
      const Piece *piece = show->pieces->pdata[i];

      lc_rows_add_text (rows, lc_critical_part_name (piece->piece.part, format));
      lc_sites_add_group (rows, show->groups, piece->piece.from);
      lc_sites_add_group (rows, show->groups, piece->piece.to);
      lc_rows_add_count (rows, piece->piece.process);
      lc_rows_add_text (rows, lc_names_process (show->names, piece->piece.process));
      lc_rows_add_count (rows, piece->before);
      lc_rows_add_count (rows, piece->after);
      lc_rows_add_integer (rows, (gint64)(piece->after - piece->before));
    }
  lc_rows_end (rows, show->pieces->len - shown);
}
