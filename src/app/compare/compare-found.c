/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between two runs, found in a thread, as rows of lists and lines of a summary. */
#include "app/compare/compare-found.h"

#include <glib/gi18n.h>

#include "history/names.h"
#include "trace/quantities.h"

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

/* --- Rows --------------------------------------------------------------------------------------------------------- */

/* Formats "output of worker 2 #1". */
static char *
compare_found_dup_object (LcNames *const names[2], const LcComparedPair *pair)
{
  g_autofree char *object = lc_format_text (lc_names_object (names[0], pair->objects[0]));

  return g_strdup_printf ("%s #%" G_GINT64_FORMAT, object, pair->sequence);
}

/* Formats "worker 2 post at 1.25 ms". */
static char *
dup_who (LcNames *names, const LcComparedEvent *event)
{
  g_autofree char *process = NULL, *who = NULL, *at = NULL;

  if (event->process == LC_TRACE_NONE)
    return g_strdup (_ ("nobody"));
  process = lc_format_text (lc_names_process (names, event->process));
  who = g_strdup_printf ("%s %s", process, lc_names_operation (names, event->operation));
  at = lc_history_dup_moment (lc_names_get_history (names), event->begin);
  return g_strdup_printf (_ ("%s at %s"), who, at);
}

static LcListed *
list_order (LcNames *const names[2], const LcComparedPair *pair)
{
  g_autofree char *first = dup_who (names[0], &pair->events[0]), *second = dup_who (names[1], &pair->events[1]);
  g_autofree char *object = compare_found_dup_object (names, pair);
  const char *class_name = lc_names_object_class (names[0], pair->objects[0]);
  char *title = g_strdup_printf ("%s %s", class_name, lc_names_skip_class (object, class_name));

  /* TRANSLATORS: who does something in the run A, and who does it in the run B. */
  return lc_listed_new (title, g_strdup_printf (_ ("A: %s\nB: %s"), first, second), NULL);
}

static LcListed *
list_time (LcNames *const names[2], const LcComparedPair *pair)
{
  const LcComparedEvent *first = &pair->events[0], *second = &pair->events[1];
  guint64 of_first = first->end - first->begin, of_second = second->end - second->begin;
  g_autofree char *object = compare_found_dup_object (names, pair), *before = lc_format_duration (of_first);
  g_autofree char *process = lc_format_text (lc_names_process (names[0], first->process));
  g_autofree char *after = lc_format_duration (of_second);
  char *title = g_strdup_printf ("%s %s", lc_names_operation (names[0], first->operation), object);
  /* TRANSLATORS: a process, how long it took in the run A, and how long in the run B. */
  char *detail = g_strdup_printf (_ ("%s, A: %s, B: %s"), process, before, after);

  return lc_listed_new (title, detail, lc_format_change ((gint64)of_second - (gint64)of_first));
}

static GPtrArray *
compare_found_list (const GArray *pairs, LcNames *const names[2],
                    LcListed *(*make) (LcNames *const[2], const LcComparedPair *))
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < pairs->len; i++)
    {
      LcListed *row = make (names, &g_array_index (pairs, LcComparedPair, i));

      row->number = i;
      row->wraps = TRUE;
      g_ptr_array_add (rows, row);
    }
  return rows;
}

/* --- In a thread ---------------------------------------------------------------------------------------------------
 */

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
  found->order = compare_found_list (comparison->order, (LcNames *[2]){first, second}, list_order);
  found->times = compare_found_list (comparison->times, (LcNames *[2]){first, second}, list_time);
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
