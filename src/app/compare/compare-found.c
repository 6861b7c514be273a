/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between two runs, found in a thread, as rows of lists and lines of a summary. */
#include "app/compare/compare-found.h"

#include "history/names.h"
#include "report/comparison.h"

typedef struct
{
  LcOpened *opened[2];
  guint32 timelines[2];
} Asked;

gpointer
lc_compare_ask (LcSession *const sessions[2])
{
  Asked *asked = g_new0 (Asked, 1);

  for (guint side = 0; side < 2; side++)
    {
      const LcShown *shown = lc_session_get_shown (sessions[side]);

      asked->opened[side] = lc_opened_ref (shown->opened);
      asked->timelines[side] = shown->timeline;
    }
  return asked;
}

void
lc_compare_asked_free (gpointer data)
{
  Asked *asked = data;

  for (guint side = 0; side < 2; side++)
    lc_opened_unref (asked->opened[side]);
  g_free (asked);
}

/* --- In a thread ---------------------------------------------------------------------------------------------------
 */

/* Makes rows of the lines. */
static GPtrArray *
compare_found_list (GPtrArray *lines)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < lines->len; i++)
    {
      LcFact *line = lines->pdata[i];
      LcListed *row =
          lc_listed_new (g_steal_pointer (&line->label), g_steal_pointer (&line->hint), g_steal_pointer (&line->value));

      row->number = i;
      row->wraps = TRUE;
      g_ptr_array_add (rows, row);
    }
  g_ptr_array_unref (lines);
  return rows;
}

static void
compare_found_note (double fraction, gpointer done)
{
  g_atomic_int_set ((gint *)done, (gint)(1000 * fraction));
}

gpointer
lc_compare_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;
  const LcCompareSide sides[2] = {{asked->opened[0]->history, asked->timelines[0]},
                                  {asked->opened[1]->history, asked->timelines[1]}};
  LcComparison *comparison = lc_compare (sides, LC_COMPARE_MOST, compare_found_note, done, cancellable, error);
  g_autoptr (LcNames) first = NULL, second = NULL;
  LcCompareFound *found;

  if (comparison == NULL)
    return NULL;
  first = lc_names_new (sides[0].history);
  second = lc_names_new (sides[1].history);
  found = g_new0 (LcCompareFound, 1);
  found->comparison = comparison;
  found->order = compare_found_list (lc_comparison_list_order (comparison, (LcNames *[2]){first, second}));
  found->times = compare_found_list (lc_comparison_list_times (comparison, (LcNames *[2]){first, second}));
  return found;
}

void
lc_compare_found_free (gpointer data)
{
  LcCompareFound *found = data;

  if (found == NULL)
    return;
  lc_comparison_free (found->comparison);
  g_ptr_array_unref (found->order);
  g_ptr_array_unref (found->times);
  g_free (found);
}
