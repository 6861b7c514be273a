/* SPDX-License-Identifier: Apache-2.0 */
/* The neighbours of an event in its report: predecessors and successors by program order and arcs, and events of its
 * object. */
#include <glib/gi18n.h>

#include "app/inspect/event-report-private.h"
#include "trace/quantities.h"

enum
{
  MOST_LISTED = 10000,
};

static char *
event_neighbours_dup_way (guint64 from, guint64 to)
{
  return to >= from ? lc_format_duration (to - from) : lc_format_change ((gint64)(to - from));
}

/* --- Program order ----------------------------------------------------------------------------------------------- */

static gboolean
add_neighbour (const LcReporter *reporter, const LcEventReport *report, gboolean is_next, GError **error)
{
  guint64 ordinal = report->event.ordinal, events;
  LcHistoryEvent other;
  g_autofree char *at = NULL;
  LcListed *listed;

  if (!lc_history_count_events (reporter->history, report->timeline, report->event.process, &events, error))
    return FALSE;
  if (is_next ? ordinal + 1 >= events : ordinal == 0)
    return TRUE;
  if (!lc_history_get_event (reporter->history, report->timeline, report->event.process,
                             is_next ? ordinal + 1 : ordinal - 1, &other, error))
    return FALSE;
  listed = lc_event_list (reporter->names, &other,
                          is_next ? event_neighbours_dup_way (report->event.end, other.begin)
                                  : event_neighbours_dup_way (other.end, report->event.begin));
  at = lc_history_dup_moment (reporter->history, other.begin);
  g_free (listed->detail);
  listed->detail =
      g_strdup_printf (is_next ? _ ("next on its process, at %s") : _ ("before it on its process, at %s"), at);
  listed->icon = is_next ? "go-down-symbolic" : "go-up-symbolic";
  g_ptr_array_add (is_next ? report->after : report->before, listed);
  return TRUE;
}

/* Adds what the process of its last event had begun and not ended, of which there is no event. On other timelines than
 * the measured one it is as far from that as it was measured to be. */
static gboolean
event_neighbours_add_pending (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  const LcHistoryEvent *last = &report->event;
  const LcHistoryProcess *process = lc_history_get_process (reporter->history, last->process);
  const LcTracePending *pending = &process->pending;
  g_autofree char *begin = NULL;
  guint64 events;

  if (!lc_history_count_events (reporter->history, report->timeline, last->process, &events, error))
    return FALSE;
  if (pending->operation == LC_TRACE_NONE || last->ordinal + 1 < events)
    return TRUE;
  begin = lc_format_duration (report->timeline == LC_TIMELINE_MEASURED
                                  ? pending->begin
                                  : last->end + pending->begin - MIN (pending->begin, process->end));
  report->pending = lc_pending_dup_title (reporter->names, pending);
  report->pending_begin = g_strdup_printf (_ ("begun at %s, and never ended"), begin);
  report->pending_place = lc_event_place_new (reporter->history, pending->stack, reporter->asked->opened->directory);
  return TRUE;
}

/* --- Arcs -------------------------------------------------------------------------------------------------------- */

static char *
event_neighbours_tell_arc (const LcReporter *reporter, const LcHistoryArc *arc, const LcHistoryEvent *other)
{
  const LcHistoryRule *rule = lc_history_get_rule (reporter->history, arc->rule);
  g_autofree char *process = lc_format_text (lc_names_process (reporter->names, other->process));
  g_autofree char *at = lc_history_dup_moment (reporter->history, other->begin);

  if (rule == NULL)
    return g_strdup_printf (_ ("%s at %s"), process, at);
  return g_strdup_printf (_ ("%s at %s · %s, %s"), process, at, rule->kind == LC_ARC_DATA ? _ ("data") : _ ("order"),
                          rule->name);
}

static gboolean
event_neighbours_add_arc (const LcReporter *reporter, const LcEventReport *report, const LcHistoryArc *arc,
                          gboolean out, GError **error)
{
  LcHistoryEvent other;
  LcListed *listed;

  if (!lc_history_get_event (reporter->history, report->timeline, out ? arc->to_process : arc->from_process,
                             out ? arc->to_ordinal : arc->from_ordinal, &other, error))
    return FALSE;
  listed = lc_event_list (reporter->names, &other, event_neighbours_dup_way (arc->from_time, arc->to_time));
  g_free (listed->detail);
  listed->detail = event_neighbours_tell_arc (reporter, arc, &other);
  listed->icon = out ? "go-next-symbolic" : "go-previous-symbolic";
  g_ptr_array_add (out ? report->after : report->before, listed);
  return TRUE;
}

static gboolean
event_neighbours_add_arcs (const LcReporter *reporter, const LcEventReport *report, gboolean out, GError **error)
{
  g_autoptr (GArray) arcs = NULL;
  gboolean good = out ? lc_history_list_arcs_out (reporter->history, report->timeline, report->event.process,
                                                  report->event.ordinal, reporter->cancellable, &arcs, error)
                      : lc_history_list_arcs_in (reporter->history, report->timeline, report->event.process,
                                                 report->event.ordinal, &arcs, error);

  for (guint i = 0; good && i < MIN (arcs->len, MOST_LISTED); i++)
    good = !g_cancellable_set_error_if_cancelled (reporter->cancellable, error) &&
           event_neighbours_add_arc (reporter, report, &g_array_index (arcs, LcHistoryArc, i), out, error);
  return good;
}

gboolean
lc_report_add_neighbours (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  return add_neighbour (reporter, report, FALSE, error) && event_neighbours_add_arcs (reporter, report, FALSE, error) &&
         add_neighbour (reporter, report, TRUE, error) && event_neighbours_add_arcs (reporter, report, TRUE, error) &&
         event_neighbours_add_pending (reporter, report, error);
}

/* --- The object -------------------------------------------------------------------------------------------------- */

static gboolean
event_neighbours_add_members (const LcReporter *reporter, const LcEventReport *report, GError **error)
{
  g_autoptr (GArray) events = NULL;

  if ((report->event.flags & LC_TRACE_EVENT_SEQUENCE) == 0)
    return TRUE;
  if (!lc_history_find_by_key (reporter->history, report->timeline, report->event.object, report->event.sequence,
                               MOST_LISTED, reporter->cancellable, &events, error))
    return FALSE;
  for (guint i = 0; i < events->len && events->len > 1; i++)
    {
      const LcHistoryEvent *event = &g_array_index (events, LcHistoryEvent, i);
      LcListed *listed = lc_event_list (reporter->names, event, lc_format_duration (event->waited));
      g_autofree char *at = lc_history_dup_moment (reporter->history, event->begin);

      g_free (listed->title);
      g_free (listed->detail);
      listed->title = lc_format_text (lc_names_process (reporter->names, event->process));
      listed->detail = g_strdup_printf (_ ("%s at %s"), lc_names_operation (reporter->names, event->operation), at);
      g_ptr_array_add (report->members, listed);
    }
  return TRUE;
}

static void
event_neighbours_add (LcEventReport *report, const char *label, char *value)
{
  g_ptr_array_add (report->about, lc_fact_new (label, value));
}

gboolean
lc_report_add_object (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  LcHistoryObject object;
  gboolean is_held;

  if (report->event.object == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_get_object (reporter->history, report->event.object, &object, error))
    return FALSE;
  report->object = lc_format_text (object.name);
  event_neighbours_add (report, _ ("Class"), lc_format_text (object.class_name));
  event_neighbours_add (report, _ ("Events"), lc_format_count (object.events));
  event_neighbours_add (report, _ ("Waited for, in all"), lc_format_duration (object.waited));
  if (object.stack != LC_TRACE_NONE)
    {
      char *place = lc_event_place_dup_own (reporter->history, object.stack);

      if (place != NULL)
        event_neighbours_add (report, _ ("First used in"), place);
    }
  if (object.held > 0)
    event_neighbours_add (report, _ ("Held, in all"), lc_format_duration (object.held));
  is_held = object.held > 0;
  lc_history_object_clear (&object);
  return (!is_held || lc_report_add_holders (reporter, report, error)) &&
         event_neighbours_add_members (reporter, report, error);
}

/* --- As text ----------------------------------------------------------------------------------------------------- */

static void
write_facts (GString *text, const GPtrArray *facts)
{
  for (guint i = 0; i < facts->len; i++)
    {
      const LcFact *fact = facts->pdata[i];

      g_string_append_printf (text, "%s\t%s\n", fact->label, fact->hint != NULL ? fact->hint : fact->value);
    }
}

static void
write_list (GString *text, const char *title, const GPtrArray *list)
{
  if (list->len > 0)
    g_string_append_printf (text, "\n%s\n", title);
  for (guint i = 0; i < list->len; i++)
    {
      const LcListed *listed = list->pdata[i];
      g_autofree char *line = lc_listed_dup_text (listed);

      g_string_append_printf (text, "%s%s%s\n", line, listed->exact != NULL ? "\t" : "",
                              listed->exact != NULL ? listed->exact : "");
    }
}

char *
lc_event_report_dup_text (const LcEventReport *report)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n%s\n\n", report->title, report->process);
  write_facts (text, report->facts);
  if (report->place != NULL)
    lc_event_place_write (report->place, text);
  g_string_append_printf (text, "\n%s\n", report->waiting);
  if (report->holders->len > 0)
    g_string_append_printf (text, "%s\n", _ ("Held meanwhile by"));
  write_facts (text, report->holders);
  if (report->released != NULL)
    g_string_append_printf (text, "%s, %s\n", report->released->title, report->released->detail);
  if (report->other_place != NULL)
    lc_event_place_write (report->other_place, text);
  if (report->pending != NULL)
    g_string_append_printf (text, "\n%s\n%s, %s\n", _ ("What never ended"), report->pending, report->pending_begin);
  if (report->pending_place != NULL)
    lc_event_place_write (report->pending_place, text);
  for (guint i = 0; i < report->times->len; i++)
    {
      const LcReportTimes *times = report->times->pdata[i];

      g_string_append_printf (text, "%s%s\t%s\t%s\t%s\n", i == 0 ? "\n" : "", times->name, times->begin, times->end,
                              times->waited);
    }
  if (report->why_title != NULL)
    g_string_append_printf (text, "\n%s\n", report->why_title);
  write_facts (text, report->why);
  write_list (text, _ ("Before it"), report->before);
  write_list (text, _ ("After it"), report->after);
  if (report->object != NULL)
    g_string_append_printf (text, "\n%s\n", report->object);
  write_facts (text, report->about);
  write_list (text, _ ("Events of the same number"), report->members);
  return g_string_free (text, FALSE);
}
