/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of one name: where they begin among all marks, and how to go to them. */
#include "app/marks/mark-sets.h"

#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/timeline.h"
#include "trace/quantities.h"

static const LcUserMark *
mark_sets_get (const LcMarks *marks, guint number)
{
  return &g_array_index (marks->marks, LcUserMark, number);
}

GArray *
lc_mark_sets_list (const LcMarks *marks)
{
  GArray *sets = g_array_new (FALSE, FALSE, sizeof (LcMarkSet));
  LcMarkSet *last = NULL;

  for (guint i = 0; marks != NULL && i < marks->marks->len; i++)
    {
      const LcUserMark *mark = mark_sets_get (marks, i);

      if (last == NULL || strcmp (last->name, mark->name) != 0)
        {
          const LcMarkSet set = {.name = mark->name, .number = sets->len, .first = i};

          g_array_append_val (sets, set);
          last = &g_array_index (sets, LcMarkSet, sets->len - 1);
        }
      last->n_spans += mark->is_span != FALSE;
      last->n_events += mark->is_span == FALSE;
    }
  return sets;
}

/* --- An event ---------------------------------------------------------------------------------------------------- */

gboolean
lc_mark_covers (const LcUserMark *mark, const LcHistoryEvent *event)
{
  if (mark->process != event->origin_process)
    return FALSE;
  if (!mark->is_span)
    return mark->begin == event->origin_ordinal;
  return event->begin <= mark->end && event->end >= mark->begin;
}

const char *
lc_marks_get_note (const LcMarks *marks, const LcHistoryEvent *event)
{
  guint low = 0, high = marks != NULL ? marks->annotations->len : 0;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const LcAnnotation *one = &g_array_index (marks->annotations, LcAnnotation, middle);

      if (one->process == event->origin_process && one->ordinal == event->origin_ordinal)
        return one->text;
      if (one->process < event->origin_process ||
          (one->process == event->origin_process && one->ordinal < event->origin_ordinal))
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

char *
lc_marks_dup_text (const LcMarks *marks, const LcHistoryEvent *event)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const char *note = lc_marks_get_note (marks, event), *name = NULL;

  for (guint i = 0; marks != NULL && i < marks->marks->len; i++)
    {
      const LcUserMark *mark = mark_sets_get (marks, i);

      if (mark->is_span || !lc_mark_covers (mark, event) || (name != NULL && strcmp (name, mark->name) == 0))
        continue;
      name = mark->name;
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
  if (names->len > 0)
    {
      g_autofree char *text = g_strdup_printf (_ ("Marked: %s"), names->str);

      return note != NULL ? g_strdup_printf ("%s\n%s", text, note) : g_steal_pointer (&text);
    }
  return g_strdup (note);
}

/* --- Going there ------------------------------------------------------------------------------------------------- */

/* Finds an event that is marked on the shown timeline. FALSE: the history has it no longer, which is told. */
static gboolean
mark_sets_find_event (LcSession *session, const LcUserMark *mark, LcHistoryEvent *event)
{
  const LcShown *shown = lc_session_get_shown (session);
  LcHistory *history = shown->opened->history;
  g_autoptr (GError) error = NULL;
  guint32 process;
  guint64 ordinal;

  if (lc_history_locate (history, shown->timeline, mark->process, mark->begin, &process, &ordinal, &error) &&
      lc_history_get_event (history, shown->timeline, process, ordinal, event, &error))
    return TRUE;
  lc_session_tell (session, error->message);
  return FALSE;
}

/* Times are those of the measured timeline. */
static void
mark_sets_show_span (LcSession *session, const LcUserMark *mark)
{
  guint32 row;
  LcSpan span;
  double length = MAX ((double)(mark->end - mark->begin), 1);

  lc_session_begin (session);
  lc_session_set_time (session, LC_SCENE_PHYSICAL);
  if (lc_session_get_shown (session)->timeline != LC_TIMELINE_MEASURED)
    lc_session_set_timelines (session, LC_TIMELINE_MEASURED, LC_TRACE_NONE, LC_TRACE_NONE, LC_TRACE_NONE);
  lc_session_get_span (session, &span);
  row = lc_shown_find_row (lc_session_get_shown (session), mark->process);
  span.from = (double)mark->begin - length / 4;
  span.to = (double)mark->end + length / 4;
  if (row != LC_TRACE_NONE && (row < span.first_row || row + 1 > span.last_row))
    {
      double rows = span.last_row - span.first_row;

      span.first_row = MAX (row + 0.5 - rows / 2, 0);
      span.last_row = span.first_row + rows;
    }
  lc_session_set_span (session, &span, TRUE);
  lc_session_end (session);
}

void
lc_mark_go_to (LcSession *session, guint number)
{
  const LcMarks *marks = lc_session_get_marks (session);
  const LcUserMark *mark = marks != NULL && number < marks->marks->len ? mark_sets_get (marks, number) : NULL;
  LcHistoryEvent event;

  if (mark == NULL)
    return;
  if (mark->is_span)
    mark_sets_show_span (session, mark);
  else if (mark_sets_find_event (session, mark, &event))
    lc_session_select (session, event.process, event.ordinal, TRUE);
}

/* --- Zooming ----------------------------------------------------------------------------------------------------- */

static void
mark_sets_widen (LcSession *session, const LcUserMark *mark, LcSpan *span)
{
  const LcShown *shown = lc_session_get_shown (session);
  guint32 row = lc_shown_find_row (shown, mark->process);
  double from = (double)mark->begin, to = (double)mark->end;
  LcHistoryEvent event;

  if (mark->is_span && (shown->selection.time != LC_SCENE_PHYSICAL || shown->timeline != LC_TIMELINE_MEASURED))
    return;
  if (!mark->is_span &&
      (!mark_sets_find_event (session, mark, &event) || !lc_session_get_place (session, &event, &from, &to)))
    return;
  span->from = MIN (span->from, from);
  span->to = MAX (span->to, to);
  if (row == LC_TRACE_NONE)
    return;
  span->first_row = MIN (span->first_row, row);
  span->last_row = MAX (span->last_row, row + 1);
}

/* The events of a process are in the order of time, so that only the first and the last of them are looked at. */
void
lc_mark_set_zoom (LcSession *session, const LcMarkSet *set)
{
  const LcMarks *marks = lc_session_get_marks (session);
  LcSpan span = {.from = G_MAXDOUBLE, .to = -1};
  guint end = set->first + set->n_events + set->n_spans;
  double margin;

  if (marks == NULL || end > marks->marks->len)
    return;
  lc_session_get_span (session, &span);
  span.from = G_MAXDOUBLE;
  span.to = -1;
  for (guint i = set->first; i < end; i++)
    {
      const LcUserMark *mark = mark_sets_get (marks, i);
      gboolean inside = i > set->first && i + 1 < end && mark_sets_get (marks, i - 1)->process == mark->process &&
                        mark_sets_get (marks, i + 1)->process == mark->process &&
                        !mark_sets_get (marks, i + 1)->is_span;

      if (mark->is_span || !inside)
        mark_sets_widen (session, mark, &span);
    }
  if (span.to < span.from)
    return;
  margin = MAX ((span.to - span.from) / 20, 1);
  span.from -= margin;
  span.to += margin;
  lc_session_set_span (session, &span, TRUE);
}
