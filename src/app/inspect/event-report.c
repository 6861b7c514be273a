/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector's report on an event: its identity, its times, and what it waited for. */
#include "app/inspect/event-report.h"

#include <glib/gi18n.h>

#include "analysis/basis.h"
#include "app/inspect/event-report-private.h"
#include "history/message.h"
#include "lightcone/explanation.h"
#include "lightcone/what-if.h"
#include "report/explanation.h"
#include "trace/quantities.h"

/* --- Texts ------------------------------------------------------------------------------------------------------- */

static char *
event_report_dup_title (LcNames *names, const LcHistoryEvent *event)
{
  const char *operation = lc_names_operation (names, event->operation);
  g_autofree char *object = lc_format_text (lc_names_object (names, event->object));
  GString *text = g_string_new (operation != NULL ? operation : "?");

  if (event->object != LC_TRACE_NONE)
    g_string_append_printf (text, " %s", object);
  if (event->flags & LC_TRACE_EVENT_SEQUENCE)
    g_string_append_printf (text, " #%" G_GINT64_FORMAT, event->sequence);
  return g_string_free (text, FALSE);
}

char *
lc_event_dup_title (LcNames *names, const LcHistoryEvent *event)
{
  const LcTracePending *pending = lc_history_get_never_ended (lc_names_get_history (names), event);
  g_autofree char *title = NULL;

  if (pending == NULL)
    return event_report_dup_title (names, event);
  title = lc_pending_dup_title (names, pending);
  return g_strdup_printf (_ ("%s never ended"), title);
}

char *
lc_pending_dup_title (LcNames *names, const LcTracePending *pending)
{
  const LcHistoryEvent event = {.operation = (guint16)pending->operation,
                                .object = pending->object,
                                .sequence = pending->sequence,
                                .flags = pending->has_sequence ? LC_TRACE_EVENT_SEQUENCE : 0};

  return event_report_dup_title (names, &event);
}

LcListed *
lc_event_list (LcNames *names, const LcHistoryEvent *event, char *amount)
{
  g_autofree char *process = lc_format_text (lc_names_process (names, event->process));
  g_autofree char *at = lc_history_dup_moment (lc_names_get_history (names), event->begin);
  LcListed *listed =
      lc_listed_new (lc_event_dup_title (names, event), g_strdup_printf (_ ("%s at %s"), process, at), amount);

  listed->event = (LcEventName){.process = event->process, .ordinal = event->ordinal};
  listed->place = lc_event_place_dup_own (lc_names_get_history (names), event->stack);
  listed->exact = lc_format_exact (event->begin);
  return listed;
}

/* --- Identity ---------------------------------------------------------------------------------------------------- */

static void
event_report_add (GPtrArray *facts, const char *label, char *value)
{
  g_ptr_array_add (facts, lc_fact_new (label, value));
}

static void
event_report_add_time (GPtrArray *facts, const char *label, guint64 ns)
{
  LcFact *fact = lc_fact_new (label, lc_format_duration (ns));

  fact->hint = lc_format_exact (ns);
  g_ptr_array_add (facts, fact);
}

/* Begin and end of an event are told apart, however short it is. */
static void
event_report_add_moment (const LcReporter *reporter, GPtrArray *facts, const char *label, guint64 ns, guint64 length)
{
  LcFact *fact =
      lc_fact_new (label, length > 0 ? lc_format_moment (ns, length) : lc_history_dup_moment (reporter->history, ns));

  fact->hint = lc_format_exact (ns);
  g_ptr_array_add (facts, fact);
}

static void
add_size (GPtrArray *facts, guint64 bytes)
{
  LcFact *fact = lc_fact_new (_ ("Size"), lc_format_bytes (bytes));
  g_autofree char *count = lc_format_count (bytes);

  fact->hint = g_strdup_printf (ngettext ("%s byte", "%s bytes", (gulong)bytes), count);
  g_ptr_array_add (facts, fact);
}

/* Adds the partner; for a message between ranks, its tag and communicator too. */
static void
add_partner (const LcReporter *reporter, const LcHistoryEvent *event, GPtrArray *facts)
{
  g_auto (LcMessage) message = {.what = NULL};
  g_autofree char *partner = NULL;

  if (!lc_message_read (reporter->history, reporter->names, event->process, event->operation, event->object, &message))
    {
      if (event->peer != LC_TRACE_NONE)
        event_report_add (facts, _ ("Partner"), lc_format_text (lc_names_process (reporter->names, event->peer)));
      return;
    }
  partner = lc_message_dup_partner (reporter->history, &message);
  event_report_add (facts, message.incoming ? _ ("From") : _ ("To"), lc_format_text (partner));
  event_report_add (facts, message.has_tag ? _ ("Tag") : _ ("Purpose"), lc_format_text (message.what));
  if (message.communicator != NULL)
    event_report_add (facts, _ ("Communicator"), lc_format_text (message.communicator));
}

/* Names the value of an event, whose meaning depends on the operation. */
static const char *
name_value (const LcReporter *reporter, const LcHistoryEvent *event)
{
  if (lc_names_is_together (reporter->names, event->operation))
    return _ ("Members");
  return lc_names_is_try (reporter->names, event->operation) ? _ ("Tries") : _ ("Value");
}

static void
add_details (const LcReporter *reporter, LcEventReport *report)
{
  const LcHistoryEvent *event = &report->event;
  GPtrArray *facts = report->facts;

  add_partner (reporter, event, facts);
  if (event->flags & LC_TRACE_EVENT_BLIND)
    event_report_add (facts, _ ("Receives"), g_strdup (_ ("from anyone")));
  if (event->flags & LC_TRACE_EVENT_VALUE)
    event_report_add (facts, name_value (reporter, event), g_strdup_printf ("%" G_GINT64_FORMAT, event->value));
  if (event->flags & LC_TRACE_EVENT_BYTES)
    add_size (facts, event->bytes);
  if (event->cpu != LC_CPU_UNKNOWN)
    event_report_add (facts, _ ("Processor"), g_strdup_printf ("%u", event->cpu));
  if (event->origin_process != event->process || event->origin_ordinal != event->ordinal)
    {
      g_autofree char *process = lc_format_text (lc_names_process (reporter->names, event->origin_process));
      g_autofree char *ordinal = lc_format_count (event->origin_ordinal);

      event_report_add (facts, _ ("Measured as"), g_strdup_printf (_ ("%s, number %s"), process, ordinal));
    }
}

/* It is not looked for in a large history, which takes seconds: there it is known when a filter or a table has. */
static gboolean
event_report_add_slack (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  GError *reason = NULL;
  g_autoptr (LcSlacks) slacks =
      lc_opened_find_slacks (reporter->asked->opened, report->timeline, FALSE, reporter->cancellable, &reason);

  if (reason != NULL)
    {
      g_propagate_error (error, reason);
      return FALSE;
    }
  if (slacks != NULL)
    {
      const guint64 slack = lc_slacks_get (slacks, &report->event);

      event_report_add (report->facts, _ ("Slack"), slack > 0 ? lc_format_duration (slack) : g_strdup (_ ("none")));
    }
  return TRUE;
}

static gboolean
event_report_add_facts (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  const LcHistoryEvent *event = &report->event;

  report->title = lc_event_dup_title (reporter->names, event);
  report->process = lc_format_text (lc_names_process (reporter->names, event->process));
  event_report_add_time (report->facts, _ ("Duration"), event->end - event->begin);
  event_report_add_moment (reporter, report->facts, _ ("Begin"), event->begin, event->end - event->begin);
  event_report_add_moment (reporter, report->facts, _ ("End"), event->end, event->end - event->begin);
  event_report_add (report->facts, _ ("Number on its process"), lc_format_count (event->ordinal));
  event_report_add (report->facts, _ ("Layer"), lc_format_count (event->layer));
  if (reporter->phases != NULL)
    {
      guint32 phase = lc_phases_of (reporter->phases, event->process, event->ordinal);
      const LcPhase *found = phase != LC_TRACE_NONE ? lc_phases_get (reporter->phases, phase) : NULL;

      if (found != NULL)
        event_report_add (report->facts, _ ("Phase"), lc_format_text (found->name));
    }
  if (!event_report_add_slack (reporter, report, error))
    return FALSE;
  add_details (reporter, report);
  report->place = lc_event_place_new (reporter->history, event->stack, reporter->asked->opened->directory);
  return TRUE;
}

/* --- Waiting ----------------------------------------------------------------------------------------------------- */

static gboolean
event_report_add_waiting (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  g_autoptr (LcHistoryWalk) walk =
      lc_history_walk_new (reporter->history, report->timeline, LC_WALK_ALL, reporter->cancellable, error);
  g_autoptr (LcBasisFinder) finder = NULL;
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event, other;
  LcBasis basis;

  if (walk == NULL)
    return FALSE;
  finder = lc_basis_finder_new (reporter->history, report->timeline, walk, reporter->cancellable);
  if (!lc_history_walk_get (walk, report->event.process, report->event.ordinal, &event, &arcs, error) ||
      !lc_basis_find (finder, &event, arcs, &basis, error))
    return FALSE;
  if (event.waited == 0)
    report->waiting = g_strdup (_ ("It did not wait."));
  else
    {
      g_autofree char *waited = lc_format_duration (event.waited);

      report->waiting =
          g_strdup_printf (basis.process != LC_TRACE_NONE ? _ ("It waited %s, for:") : _ ("It waited %s."), waited);
    }
  if (event.waited == 0 || basis.process == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_walk_get (walk, basis.process, basis.ordinal, &other, NULL, error))
    return FALSE;
  report->released = lc_event_list (reporter->names, &other, NULL);
  g_free (report->released->detail);
  report->released->detail = lc_report_tell_point (reporter, basis.process, basis.point, basis.time);
  report->other_place = lc_event_place_new (reporter->history, other.stack, reporter->asked->opened->directory);
  g_clear_pointer (&report->released->place, g_free);
  return TRUE;
}

char *
lc_report_tell_point (const LcReporter *reporter, guint32 number, LcPoint point, guint64 time)
{
  g_autofree char *process = lc_format_text (lc_names_process (reporter->names, number));
  g_autofree char *at = lc_history_dup_moment (reporter->history, time);

  return g_strdup_printf (point == LC_POINT_BEGIN ? _ ("its begin, on %s at %s") : _ ("its end, on %s at %s"), process,
                          at);
}

/* --- Timelines --------------------------------------------------------------------------------------------------- */

static void
free_times (gpointer data)
{
  LcReportTimes *times = data;

  g_free (times->name);
  g_free (times->begin);
  g_free (times->end);
  g_free (times->waited);
  g_free (times->change);
  g_free (times);
}

/* Formats a number like "+1,234". */
static char *
dup_signed (gint64 number)
{
  g_autofree char *count = lc_format_count (number < 0 ? -(guint64)number : (guint64)number);

  return g_strconcat (number < 0 ? "-" : number > 0 ? "+" : "", count, NULL);
}

static gboolean
event_report_add_times (const LcReporter *reporter, LcEventReport *report, const LcHistoryTimeline *timeline,
                        guint64 measured, GError **error)
{
  LcReportTimes *times = g_new0 (LcReportTimes, 1);
  g_autofree char *title = lc_timeline_dup_title (timeline);
  LcHistoryEvent there;
  guint32 process;
  guint64 ordinal;

  times->name = lc_format_text (title);
  times->shown = timeline->id == report->timeline;
  g_ptr_array_add (report->times, times);
  if (!lc_history_locate (reporter->history, timeline->id, report->event.origin_process, report->event.origin_ordinal,
                          &process, &ordinal, error) ||
      !lc_history_get_event (reporter->history, timeline->id, process, ordinal, &there, error))
    return FALSE;
  times->begin = lc_format_count (there.begin);
  times->end = lc_format_count (there.end);
  times->waited = lc_format_count (there.waited);
  if (timeline->id != LC_TIMELINE_MEASURED)
    times->change = dup_signed ((gint64)(there.end - measured));
  return TRUE;
}

static gboolean
event_report_add_timelines (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  LcHistoryEvent measured;

  if (reporter->asked->timelines->len < 2)
    return TRUE;
  if (!lc_history_get_event (reporter->history, LC_TIMELINE_MEASURED, report->event.origin_process,
                             report->event.origin_ordinal, &measured, error))
    return FALSE;
  for (guint i = 0; i < reporter->asked->timelines->len; i++)
    if (!event_report_add_times (reporter, report, reporter->asked->timelines->pdata[i], measured.end, error))
      return FALSE;
  return TRUE;
}

static char *
event_report_dup_capital (const char *text)
{
  const char *rest = g_utf8_next_char (text);
  g_autofree char *first = g_utf8_strup (text, rest - text);

  return g_strconcat (first, rest, NULL);
}

/* Adds the reasons why the event's end has moved, summed over all events before it on its process. */
static gboolean
add_why (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  g_autoptr (LcExplanation) explanation = NULL;
  LcMovementPart parts[LC_MOVEMENT_MOST_PARTS];
  gint64 moved;

  if (report->timeline == LC_TIMELINE_MEASURED)
    return TRUE;
  explanation = lc_explanation_new (reporter->history, report->timeline, report->event.origin_process,
                                    report->event.origin_ordinal, 0, reporter->cancellable, error);
  if (explanation == NULL)
    return FALSE;
  moved = explanation->all.moved;
  report->why_title = g_strdup (moved == 0  ? _ ("Its end did not move")
                                : moved < 0 ? _ ("Why its end is earlier than measured")
                                            : _ ("Why its end is later than measured"));
  for (guint i = 0, n = lc_movement_list_parts (explanation, parts); i < n; i++)
    {
      g_autofree char *label = event_report_dup_capital (parts[i].label);

      event_report_add (report->why, label, lc_movement_format (parts[i].all));
    }
  if (report->event.flags & LC_HISTORY_EVENT_REORDERED)
    event_report_add (report->why, _ ("Order"), g_strdup (_ ("changed")));
  return TRUE;
}

/* --- The report -------------------------------------------------------------------------------------------------- */

LcEventAsked *
lc_event_asked_new (LcSession *session)
{
  LcEventAsked *asked = g_new0 (LcEventAsked, 1);
  const LcShown *shown = lc_session_get_shown (session);
  GPtrArray *timelines = lc_session_get_timelines (session);

  asked->opened = lc_opened_ref (shown->opened);
  asked->timelines = timelines != NULL ? g_ptr_array_ref (timelines) : g_ptr_array_new ();
  asked->timeline = shown->timeline;
  asked->phases = shown->phases != NULL ? lc_kept_ref (shown->phases) : NULL;
  lc_session_get_selection (session, &asked->event);
  return asked;
}

void
lc_event_asked_free (gpointer data)
{
  LcEventAsked *asked = data;

  lc_opened_unref (asked->opened);
  g_ptr_array_unref (asked->timelines);
  g_clear_pointer (&asked->phases, lc_kept_unref);
  g_free (asked);
}

static LcEventReport *
event_report_make (const LcEventAsked *asked)
{
  LcEventReport *report = g_new0 (LcEventReport, 1);

  report->timeline = asked->timeline;
  report->facts = g_ptr_array_new_with_free_func (lc_fact_free);
  report->times = g_ptr_array_new_with_free_func (free_times);
  report->why = g_ptr_array_new_with_free_func (lc_fact_free);
  report->holders = g_ptr_array_new_with_free_func (lc_fact_free);
  report->about = g_ptr_array_new_with_free_func (lc_fact_free);
  report->before = g_ptr_array_new_with_free_func (g_object_unref);
  report->after = g_ptr_array_new_with_free_func (g_object_unref);
  report->members = g_ptr_array_new_with_free_func (g_object_unref);
  return report;
}

gpointer
lc_event_report_new (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcEventAsked *asked = data;
  g_autoptr (LcNames) names = lc_names_new (asked->opened->history);
  LcReporter reporter = {.history = asked->opened->history,
                         .names = names,
                         .asked = asked,
                         .phases = lc_kept_get (asked->phases),
                         .cancellable = cancellable};
  LcEventReport *report = event_report_make (asked);

  if (lc_history_get_event (reporter.history, asked->timeline, asked->event.process, asked->event.ordinal,
                            &report->event, error) &&
      event_report_add_facts (&reporter, report, error) && event_report_add_waiting (&reporter, report, error) &&
      event_report_add_timelines (&reporter, report, error) && add_why (&reporter, report, error) &&
      lc_report_add_neighbours (&reporter, report, error) && lc_report_add_object (&reporter, report, error))
    return report;
  lc_event_report_free (report);
  return NULL;
}

void
lc_event_report_free (gpointer data)
{
  LcEventReport *report = data;

  if (report == NULL)
    return;
  g_free (report->title);
  g_free (report->process);
  g_free (report->waiting);
  g_free (report->pending);
  g_free (report->pending_begin);
  g_free (report->why_title);
  g_free (report->object);
  g_clear_object (&report->released);
  g_clear_pointer (&report->place, lc_event_place_unref);
  g_clear_pointer (&report->other_place, lc_event_place_unref);
  g_clear_pointer (&report->pending_place, lc_event_place_unref);
  g_ptr_array_unref (report->facts);
  g_ptr_array_unref (report->times);
  g_ptr_array_unref (report->why);
  g_ptr_array_unref (report->holders);
  g_ptr_array_unref (report->about);
  g_ptr_array_unref (report->before);
  g_ptr_array_unref (report->after);
  g_ptr_array_unref (report->members);
  g_free (report);
}
