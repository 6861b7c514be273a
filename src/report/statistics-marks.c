/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about marks and annotations. Keys and columns never change. */
#include <glib/gi18n.h>

#include "lightcone/marks.h"
#include "report/statistics.h"

static const LcRowsColumn mark_columns[] = {
    {"mark", N_ ("Mark"), LC_CELL_TEXT},
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"annotation", N_ ("Annotation"), LC_CELL_TEXT},
};

typedef struct
{
  LcReport *report;
  LcMarks *marks;
  LcHistoryWalk *walk;
  LcRows *rows;
} MarksListing;

/* The trace may have changed since something in it was marked. */
static gboolean
statistics_marks_has_event (const LcHistory *history, guint32 process, guint64 ordinal)
{
  return process < lc_history_get_n_processes (history) && ordinal < lc_history_get_process (history, process)->events;
}

static void
statistics_marks_add_process (const MarksListing *listing, guint32 process)
{
  const LcReport *report = listing->report;
  gboolean is_known = process < lc_history_get_n_processes (report->history);

  lc_rows_add_count (listing->rows, process);
  lc_rows_add_text (listing->rows, is_known ? lc_names_process (report->names, process) : NULL);
}

/* Adds the cells from the ordinal to what the event waited, on the timeline that is shown. */
static gboolean
statistics_marks_add_event (const MarksListing *listing, guint32 process, guint64 ordinal, GError **error)
{
  LcReport *report = listing->report;
  LcHistoryEvent event;
  guint32 its_process;
  guint64 its_ordinal;

  lc_rows_add_count (listing->rows, ordinal);
  if (!statistics_marks_has_event (report->history, process, ordinal))
    {
      lc_rows_add_nothings (listing->rows, 6);
      return TRUE;
    }
  if (!lc_history_locate (report->history, report->timeline, process, ordinal, &its_process, &its_ordinal, error) ||
      !lc_history_walk_get (listing->walk, its_process, its_ordinal, &event, NULL, error))
    return FALSE;
  lc_rows_add_count (listing->rows, event.begin);
  lc_rows_add_count (listing->rows, event.end);
  lc_rows_add_text (listing->rows, lc_names_operation (report->names, event.operation));
  if (event.object == LC_TRACE_NONE)
    lc_rows_add_nothings (listing->rows, 2);
  else
    lc_report_add_object_cells (report, listing->rows, event.object);
  lc_rows_add_count (listing->rows, event.waited);
  return TRUE;
}

/* Adds the text of an event, or nothing. Annotations are in order, but marks begin anew with each name. */
static void
statistics_marks_add_text (const MarksListing *listing, const LcUserMark *mark)
{
  const GArray *all = listing->marks->annotations;
  guint low = 0, high = mark->is_span ? 0 : all->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const LcAnnotation *annotation = &g_array_index (all, LcAnnotation, middle);

      if (annotation->process == mark->process && annotation->ordinal == mark->begin)
        {
          lc_rows_add_text (listing->rows, annotation->text);
          return;
        }
      if (annotation->process < mark->process ||
          (annotation->process == mark->process && annotation->ordinal < mark->begin))
        low = middle + 1;
      else
        high = middle;
    }
  lc_rows_add_nothing (listing->rows);
}

static gboolean
statistics_marks_add_mark (const MarksListing *listing, const LcUserMark *mark, GError **error)
{
  lc_rows_add_text (listing->rows, mark->name);
  statistics_marks_add_process (listing, mark->process);
  if (mark->is_span)
    {
      lc_rows_add_nothing (listing->rows);
      lc_rows_add_count (listing->rows, mark->begin);
      lc_rows_add_count (listing->rows, mark->end);
      lc_rows_add_nothings (listing->rows, 4);
    }
  else if (!statistics_marks_add_event (listing, mark->process, mark->begin, error))
    return FALSE;
  statistics_marks_add_text (listing, mark);
  return TRUE;
}

/* Annotated events that have no mark come after all marks. */
static GArray *
statistics_marks_list_unmarked (const LcMarks *marks)
{
  g_autoptr (GHashTable) marked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *unmarked = g_array_new (FALSE, FALSE, sizeof (LcAnnotation));

  for (guint i = 0; i < marks->marks->len; i++)
    {
      const LcUserMark *mark = &g_array_index (marks->marks, LcUserMark, i);

      if (!mark->is_span)
        g_hash_table_add (marked, g_strdup_printf ("%u.%" G_GUINT64_FORMAT, mark->process, mark->begin));
    }
  for (guint i = 0; i < marks->annotations->len; i++)
    {
      const LcAnnotation *annotation = &g_array_index (marks->annotations, LcAnnotation, i);
      g_autofree char *key = g_strdup_printf ("%u.%" G_GUINT64_FORMAT, annotation->process, annotation->ordinal);

      if (!g_hash_table_contains (marked, key))
        g_array_append_val (unmarked, *annotation);
    }
  return unmarked;
}

static gboolean
statistics_marks_add_annotation (const MarksListing *listing, const LcAnnotation *annotation, GError **error)
{
  lc_rows_add_nothing (listing->rows);
  statistics_marks_add_process (listing, annotation->process);
  if (!statistics_marks_add_event (listing, annotation->process, annotation->ordinal, error))
    return FALSE;
  lc_rows_add_text (listing->rows, annotation->text);
  return TRUE;
}

/* Ends the table after an error too: what programs read must be whole. */
static gboolean
statistics_marks_list (MarksListing *listing, GError **error)
{
  LcReport *report = listing->report;
  g_autoptr (GArray) unmarked = statistics_marks_list_unmarked (listing->marks);
  const GArray *marks = listing->marks->marks;
  gboolean good = TRUE;

  listing->rows = lc_report_begin_rows (report, mark_columns, G_N_ELEMENTS (mark_columns), "mark");
  for (guint i = 0; good && i < marks->len; i++)
    good = !lc_rows_next (listing->rows) ||
           statistics_marks_add_mark (listing, &g_array_index (marks, LcUserMark, i), error);
  for (guint i = 0; good && i < unmarked->len; i++)
    good = !lc_rows_next (listing->rows) ||
           statistics_marks_add_annotation (listing, &g_array_index (unmarked, LcAnnotation, i), error);
  lc_rows_end (listing->rows, 0);
  return good;
}

gboolean
lc_statistics_show_marks (LcReport *report, const LcStatisticsAsked *asked, GError **error)
{
  g_autoptr (LcMarks) marks = lc_marks_read (lc_history_get_path (report->history), error);
  g_autoptr (LcHistoryWalk) walk =
      marks != NULL ? lc_history_walk_new (report->history, report->timeline, LC_WALK_ALL, report->cancellable, error)
                    : NULL;
  MarksListing listing = {.report = report, .marks = marks, .walk = walk};
  gboolean good = TRUE, is_empty;

  if (walk == NULL)
    return FALSE;
  is_empty = marks->marks->len == 0 && marks->annotations->len == 0;
  lc_report_begin (report);
  if (is_empty)
    lc_report_say_nothing (report, _ ("Nothing has been marked. (mark! ...) of lightcone script does that."));
  if (!is_empty || report->format != LC_FORMAT_TEXT)
    good = statistics_marks_list (&listing, error);
  lc_report_end (report);
  return good;
}
