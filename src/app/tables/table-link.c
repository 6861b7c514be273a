/* SPDX-License-Identifier: Apache-2.0 */
/* Links of tables: the event, or the first one of a process or an object, or a time, is brought into view. */
#include "app/tables/table-link.h"

#include <glib/gi18n.h>

/* --- Events ------------------------------------------------------------------------------------------------------ */

static gboolean
table_link_take_first (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  *(LcEventName *)data = (LcEventName){.process = event->process, .ordinal = event->ordinal};
  return FALSE;
}

static gboolean
table_link_find_at (const LcShown *shown, const LcTarget *link, LcEventName *name, GError **error)
{
  LcHistoryEvent event;

  if (!lc_history_find_event_at (shown->opened->history, shown->timeline, (guint32)link->second, link->first, &event,
                                 error))
    return FALSE;
  *name = (LcEventName){.process = event.process, .ordinal = event.ordinal};
  return TRUE;
}

/* An object and a process are shown by their first event, a time by the event of the process then. */
static gboolean
table_link_find (const LcShown *shown, const LcTarget *link, LcEventName *name, GError **error)
{
  LcHistory *history = shown->opened->history;

  *name = (LcEventName){.process = LC_TRACE_NONE};
  switch (link->kind)
    {
    case LC_TARGET_EVENT:
      if (link->timeline == shown->timeline)
        {
          *name = (LcEventName){.process = (guint32)link->first, .ordinal = link->second};
          return TRUE;
        }
      return lc_history_locate (history, shown->timeline, (guint32)link->first, link->second, &name->process,
                                &name->ordinal, error);
    case LC_TARGET_PROCESS:
      return lc_history_visit (history, shown->timeline, (guint32)link->first, 0, G_MAXUINT64, table_link_take_first,
                               name, NULL, error);
    case LC_TARGET_OBJECT:
      return lc_history_visit_object (history, shown->timeline, (guint32)link->first, table_link_take_first, name, NULL,
                                      error);
    case LC_TARGET_TIME:
      return table_link_find_at (shown, link, name, error);
    case LC_TARGET_NONE:
    default:
      return TRUE;
    }
}

/* --- Times ------------------------------------------------------------------------------------------------------- */

void
lc_table_link_show_time (LcSession *session, guint64 time)
{
  const LcShown *shown = lc_session_get_shown (session);
  double length, at = (double)time;
  LcSpan span, whole;

  if (shown == NULL)
    return;
  lc_session_begin (session);
  if (shown->selection.time != LC_SCENE_PHYSICAL)
    lc_session_set_time (session, LC_SCENE_PHYSICAL);
  lc_session_get_whole (session, &whole);
  lc_session_get_span (session, &span);
  if (at < whole.from || at > whole.to)
    lc_session_tell (session, _ ("The run has no such time."));
  else
    {
      /* Of the whole run nothing can be moved: a tenth of it is shown. */
      length = span.to - span.from;
      if (length > 0.999 * (whole.to - whole.from))
        length /= 10;
      span.from = at - length / 2;
      span.to = at + length / 2;
      lc_session_set_span (session, &span, TRUE);
    }
  lc_session_end (session);
}

void
lc_table_link_follow (LcSession *session, const LcTarget *link)
{
  const LcShown *shown = lc_session_get_shown (session);
  g_autoptr (GError) error = NULL;
  LcEventName name;

  if (shown == NULL || link == NULL || link->kind == LC_TARGET_NONE)
    return;
  if (link->kind == LC_TARGET_TIME && link->second == LC_TRACE_NONE)
    lc_table_link_show_time (session, link->first);
  else if (!table_link_find (shown, link, &name, &error))
    lc_session_tell (session, error->message);
  else if (name.process == LC_TRACE_NONE)
    lc_session_tell (session, _ ("There is no event of it."));
  else
    lc_session_select (session, name.process, name.ordinal, TRUE);
}
