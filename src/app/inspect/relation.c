/* SPDX-License-Identifier: Apache-2.0 */
/* The relation between two events in words: by causality, and in time. */
#include "app/inspect/relation.h"

#include <glib/gi18n.h>

#include "app/inspect/event-report.h"
#include "lightcone/causality.h"
#include "trace/quantities.h"

void
lc_relation_asked_free (gpointer data)
{
  LcRelationAsked *asked = data;

  lc_opened_unref (asked->opened);
  g_free (asked);
}

void
lc_relation_report_free (gpointer data)
{
  LcRelationReport *report = data;

  g_clear_object (&report->pinned);
  g_free (report->relation);
  g_free (report->between);
  g_free (report);
}

static const char *
tell_relation (LcRelation relation)
{
  switch (relation)
    {
    case LC_RELATION_BEFORE:
      return _ ("The pinned event came before this one, and could have influenced it.");
    case LC_RELATION_AFTER:
      return _ ("The pinned event came after this one, which could have influenced it.");
    case LC_RELATION_TOGETHER:
      return _ ("They are together: each had to wait for the other to begin.");
    case LC_RELATION_CONCURRENT:
    default:
      return _ ("They are concurrent: neither could have influenced the other.");
    }
}

static char *
tell_between (const LcHistoryEvent *pinned, const LcHistoryEvent *selected)
{
  const LcHistoryEvent *first = pinned->begin <= selected->begin ? pinned : selected;
  const LcHistoryEvent *second = first == pinned ? selected : pinned;
  guint64 until = MIN (first->end, second->end), gap = second->begin - MIN (second->begin, first->end);
  g_autofree char *begins = lc_format_duration (second->begin - first->begin), *length = NULL;

  if (second->begin >= first->end)
    {
      length = lc_format_duration (gap);
      return g_strdup_printf (_ ("%s from begin to begin, %s from the end of the first to the begin of the second."),
                              begins, length);
    }
  length = lc_format_duration (until - second->begin);
  return g_strdup_printf (_ ("%s from begin to begin; they overlap for %s."), begins, length);
}

static gboolean
relation_look_up (const LcRelationAsked *asked, const LcEventName *name, LcHistoryEvent *event, GError **error)
{
  guint32 process;
  guint64 ordinal;

  return lc_history_locate (asked->opened->history, asked->timeline, name->process, name->ordinal, &process, &ordinal,
                            error) &&
         lc_history_get_event (asked->opened->history, asked->timeline, process, ordinal, event, error);
}

gpointer
lc_relation_report_new (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcRelationAsked *asked = data;
  LcHistory *history = asked->opened->history;
  g_autoptr (LcNames) names = lc_names_new (history);
  LcHistoryEvent pinned, selected;
  LcRelationReport *report;
  LcRelation relation;

  if (!relation_look_up (asked, &asked->pinned, &pinned, error) ||
      !relation_look_up (asked, &asked->selected, &selected, error) ||
      !lc_causality_relation (history, asked->pinned.process, asked->pinned.ordinal, asked->selected.process,
                              asked->selected.ordinal, cancellable, &relation, error))
    return NULL;
  report = g_new0 (LcRelationReport, 1);
  report->pinned = lc_event_list (names, &pinned, NULL);
  report->relation = g_strdup (tell_relation (relation));
  report->between = tell_between (&pinned, &selected);
  return report;
}

/* --- Cones ------------------------------------------------------------------------------------------------------- */

/* Counts the events of the cone without the event itself. */
char *
lc_relation_dup_cone (const LcShown *shown)
{
  LcHistory *history = shown->opened->history;
  const guint64 *past = lc_kept_get (shown->past), *future = lc_kept_get (shown->future);
  guint64 n_past = 0, n_future = 0, n_both = 0;
  g_autofree char *before = NULL, *after = NULL, *rest = NULL, *both = NULL;

  if (past == NULL && future == NULL)
    return NULL;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      guint64 events = lc_history_get_process (history, i)->events;
      guint64 until = past != NULL ? past[i] : 0, from = future != NULL ? MIN (future[i], events) : events;

      n_past += until;
      n_future += events - from;
      n_both += until - MIN (from, until);
    }
  before = lc_format_count (n_past - MIN (n_past, 1));
  after = lc_format_count (n_future - MIN (n_future, 1));
  if (past == NULL)
    return g_strdup_printf (_ ("%s events in its future"), after);
  if (future == NULL)
    return g_strdup_printf (_ ("%s events in its past"), before);
  rest = lc_format_count (lc_history_get_n_events (history) - (n_past + n_future - n_both));
  if (n_both < 2)
    return g_strdup_printf (_ ("%s events in its past, %s in its future, %s concurrent with it"), before, after, rest);
  both = lc_format_count (n_both - 1);
  return g_strdup_printf (
      _ ("%s events in its past, %s in its future (%s of them together with it, in both), %s concurrent with it"),
      before, after, both, rest);
}
