/* SPDX-License-Identifier: Apache-2.0 */
/* The selection: its lifetime. */
#include "lightcone/selection.h"

#include <string.h>

void
lc_selection_init (LcSelection *selection)
{
  *selection = (LcSelection){.lowest = LC_TRACE_NONE, .highest = LC_TRACE_NONE};
}

/* An array of nothing is still an array: it selects nothing, and NULL selects all. */
static guint32 *
selection_copy_numbers (const guint32 *numbers, guint32 n)
{
  guint32 *copy = numbers != NULL ? g_new (guint32, MAX (n, 1)) : NULL;

  for (guint32 i = 0; copy != NULL && i < n; i++)
    copy[i] = numbers[i];
  return copy;
}

guint32
lc_selection_count_rows (const LcSelection *selection)
{
  return selection->row_ends != NULL ? selection->n_row_ends : selection->n_processes;
}

/* Names are copied one by one, because some may be NULL. */
static const char *const *
selection_copy_names (const LcSelection *selection)
{
  guint32 n_rows = lc_selection_count_rows (selection);
  char **names = g_new0 (char *, n_rows + 1);

  for (guint32 row = 0; row < n_rows; row++)
    names[row] = g_strdup (selection->row_names[row]);
  return (const char *const *)names;
}

static void
selection_copy_rows (LcSelection *copy, const LcSelection *selection)
{
  copy->processes = selection_copy_numbers (selection->processes, selection->n_processes);
  copy->n_processes = selection->n_processes;
  copy->row_ends = selection_copy_numbers (selection->row_ends, selection->n_row_ends);
  copy->n_row_ends = selection->n_row_ends;
  copy->row_names = selection->row_names != NULL ? selection_copy_names (selection) : NULL;
}

static void
selection_clear_rows (LcSelection *selection)
{
  for (guint32 row = 0; selection->row_names != NULL && row < lc_selection_count_rows (selection); row++)
    g_free ((gpointer)selection->row_names[row]);
  g_free ((gpointer)selection->row_names);
  g_free ((gpointer)selection->processes);
  g_free ((gpointer)selection->row_ends);
}

void
lc_selection_set_rows (LcSelection *selection, const LcSelection *rows)
{
  LcSelection changed = *selection;

  selection_copy_rows (&changed, rows);
  selection_clear_rows (selection);
  *selection = changed;
}

void
lc_selection_copy (LcSelection *copy, const LcSelection *selection, LcHistory *history)
{
  *copy = *selection;
  selection_copy_rows (copy, selection);
  lc_filters_copy (&copy->filters, &selection->filters,
                   selection->filters.operations != NULL ? lc_history_get_n_operations (history) : 0);
  if (selection->coloring != NULL)
    lc_coloring_ref (copy->coloring);
}

void
lc_selection_clear (LcSelection *selection)
{
  selection_clear_rows (selection);
  lc_filters_clear (&selection->filters);
  g_clear_pointer (&selection->coloring, lc_coloring_unref);
  lc_selection_init (selection);
}

static gboolean
selection_equal_numbers (const guint32 *a, guint32 n_a, const guint32 *b, guint32 n_b)
{
  return (a == NULL) == (b == NULL) && (a == NULL || (n_a == n_b && memcmp (a, b, n_a * sizeof *a) == 0));
}

gboolean
lc_selection_equal_rows (const LcSelection *a, const LcSelection *b)
{
  return selection_equal_numbers (a->processes, a->n_processes, b->processes, b->n_processes) &&
         selection_equal_numbers (a->row_ends, a->n_row_ends, b->row_ends, b->n_row_ends);
}

LcWaitsAsked
lc_selection_get_asked (const LcSelection *selection)
{
  return (LcWaitsAsked){.processes = selection->processes,
                        .n_processes = selection->n_processes,
                        .filters = selection->filters,
                        .axis = LC_AXIS_TIME};
}
