/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and annotations in memory: sets that are kept in order. */
#include "lightcone/marks.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/trace.h"

enum
{
  MOST_UNSETTLED = 2 * LC_MARKS_MOST,
};

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
marks_compare_places (gconstpointer a, gconstpointer b)
{
  const LcUserMark *one = a, *other = b;
  int order = COMPARE (one->process, other->process);

  if (order == 0)
    order = COMPARE (one->is_span, other->is_span);
  if (order == 0)
    order = COMPARE (one->begin, other->begin);
  return order != 0 ? order : COMPARE (one->end, other->end);
}

static int
marks_compare (gconstpointer a, gconstpointer b)
{
  int order = strcmp (((const LcUserMark *)a)->name, ((const LcUserMark *)b)->name);

  return order != 0 ? order : marks_compare_places (a, b);
}

static int
marks_compare_annotations (gconstpointer a, gconstpointer b)
{
  const LcAnnotation *one = a, *other = b;
  int order = COMPARE (one->process, other->process);

  return order != 0 ? order : COMPARE (one->ordinal, other->ordinal);
}

/* Finds the place of an annotation; TRUE: there is one. */
static gboolean
marks_find_annotation (const LcMarks *marks, const LcAnnotation *annotation, guint *at)
{
  guint low = 0, high = marks->annotations->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (marks_compare_annotations (&g_array_index (marks->annotations, LcAnnotation, middle), annotation) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  *at = low;
  return low < marks->annotations->len &&
         marks_compare_annotations (&g_array_index (marks->annotations, LcAnnotation, low), annotation) == 0;
}

static gboolean
marks_check_text (const char *what, const char *text, gsize longest, GError **error)
{
  if (text[0] != '\0' && strlen (text) <= longest && g_utf8_validate (text, -1, NULL))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the %s has to be a text of 1 to %u bytes in UTF-8",
               what, (guint)longest);
  return FALSE;
}

static gboolean
marks_check_number (const GArray *array, guint most, const char *what, GError **error)
{
  if (array->len <= most)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "there can be %d %s, not more: remove some",
               LC_MARKS_MOST, what);
  return FALSE;
}

static gboolean
marks_check_place (const LcUserMark *mark, GError **error)
{
  if (mark->process != LC_TRACE_NONE && mark->begin <= G_MAXINT64 && mark->end <= G_MAXINT64 &&
      (mark->is_span ? mark->begin <= mark->end : mark->begin == mark->end))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "a span cannot be from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, mark->begin, mark->end);
  return FALSE;
}

gboolean
lc_marks_check_place (const LcHistory *history, const LcUserMark *mark, GError **error)
{
  const LcHistoryProcess *process =
      mark->process < lc_history_get_n_processes (history) ? lc_history_get_process (history, mark->process) : NULL;

  if (process != NULL && (mark->is_span || mark->begin < process->events))
    return TRUE;
  if (process == NULL)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no process %u",
                 lc_history_get_path (history), mark->process);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 "%s: %s has no event %" G_GUINT64_FORMAT ": its last one is %" G_GINT64_FORMAT,
                 lc_history_get_path (history), process->name, mark->begin, (gint64)process->events - 1);
  return FALSE;
}

gboolean
lc_marks_add (LcMarks *marks, const LcUserMark *mark, GError **error)
{
  LcUserMark added = *mark;

  if (!marks_check_text ("name of a mark", mark->name, LC_MARKS_LONGEST_NAME, error) ||
      !marks_check_place (mark, error) || !marks_check_number (marks->marks, MOST_UNSETTLED, "marks", error))
    return FALSE;
  added.name = g_string_chunk_insert_const (marks->texts, mark->name);
  g_array_append_val (marks->marks, added);
  return TRUE;
}

gboolean
lc_marks_settle (LcMarks *marks, GError **error)
{
  GArray *all = marks->marks;
  guint kept = 0;

  g_array_sort (all, marks_compare);
  for (guint i = 0; i < all->len; i++)
    {
      const LcUserMark mark = g_array_index (all, LcUserMark, i);

      if (kept == 0 || marks_compare (&mark, &g_array_index (all, LcUserMark, kept - 1)) != 0)
        g_array_index (all, LcUserMark, kept++) = mark;
    }
  g_array_set_size (all, kept);
  return marks_check_number (all, LC_MARKS_MOST, "marks", error) &&
         marks_check_number (marks->annotations, LC_MARKS_MOST, "annotations", error);
}

gboolean
lc_marks_annotate (LcMarks *marks, const LcAnnotation *annotation, GError **error)
{
  LcAnnotation added = *annotation;
  guint at;
  gboolean is_there = marks_find_annotation (marks, annotation, &at);

  if (annotation->text == NULL)
    {
      if (is_there)
        g_array_remove_index (marks->annotations, at);
      return TRUE;
    }
  if (!marks_check_text ("text of an annotation", annotation->text, LC_MARKS_LONGEST_TEXT, error) ||
      !marks_check_number (marks->annotations, LC_MARKS_MOST, "annotations", error))
    return FALSE;
  added.text = g_string_chunk_insert_const (marks->texts, annotation->text);
  if (is_there)
    g_array_index (marks->annotations, LcAnnotation, at) = added;
  else
    g_array_insert_val (marks->annotations, at, added);
  return TRUE;
}

/* All patterns have the same name, so that they are found by their places. */
static gboolean
marks_fit (const LcUserMark *mark, const LcUserMark *patterns, gsize n_patterns)
{
  if (n_patterns == 0 || (patterns[0].name != NULL && strcmp (mark->name, patterns[0].name) != 0))
    return FALSE;
  return patterns[0].process == LC_TRACE_NONE ||
         bsearch (mark, patterns, n_patterns, sizeof (LcUserMark), marks_compare_places) != NULL;
}

guint
lc_marks_remove (LcMarks *marks, LcUserMark *patterns, gsize n_patterns)
{
  guint kept = 0, all = marks->marks->len;

  if (n_patterns > 0)
    qsort (patterns, n_patterns, sizeof (LcUserMark), marks_compare_places);
  for (guint i = 0; i < all; i++)
    {
      const LcUserMark mark = g_array_index (marks->marks, LcUserMark, i);

      if (!marks_fit (&mark, patterns, n_patterns))
        g_array_index (marks->marks, LcUserMark, kept++) = mark;
    }
  g_array_set_size (marks->marks, kept);
  return all - kept;
}

void
lc_marks_free (LcMarks *marks)
{
  if (marks == NULL)
    return;
  g_array_unref (marks->marks);
  g_array_unref (marks->annotations);
  g_string_chunk_free (marks->texts);
  g_free (marks);
}
