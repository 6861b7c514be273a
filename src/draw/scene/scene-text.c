/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a tooltip: describes a mark or an arc of a scene. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/basis.h"
#include "history/message.h"
#include "scene-private.h"
#include "trace/quantities.h"

/* --- Parts ----------------------------------------------------------------------------------------------------- */

/* Names are as a program chose them; lc_format_text keeps each line a single line. */
static void G_GNUC_PRINTF (2, 3) scene_text_add_line (GString *text, const char *format, ...)
{
  g_autofree char *line = NULL, *clean = NULL;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  clean = lc_format_text (line);
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, clean);
}

static const char *
or_unknown (const char *name)
{
  return name != NULL ? name : "?";
}

/* Gives a time to the nanosecond: "1.250017 ms". */
static char *
format_time (guint64 ns)
{
  if (ns < 10000)
    return g_strdup_printf (_ ("%u ns"), (guint)ns);
  if (ns < G_GUINT64_CONSTANT (10000000000))
    return g_strdup_printf (_ ("%.6f ms"), (double)ns / 1e6);
  return g_strdup_printf (_ ("%.9f s"), (double)ns / 1e9);
}

static void
scene_text_add_span (GString *text, guint64 from, guint64 to)
{
  g_autofree char *begin = format_time (from), *end = format_time (to), *length = lc_format_duration (to - from);

  scene_text_add_line (text, _ ("%s to %s (%s)"), begin, end, length);
}

/* Gives "recv from rank 3, tag 7". NULL: the operation is no message between ranks. */
static char *
describe_message (const LcScene *scene, guint32 process, guint32 operation, guint32 object)
{
  const char *what = or_unknown (lc_names_operation (scene->names, operation));
  g_auto (LcMessage) message = {.what = NULL};
  g_autofree char *partner = NULL, *tag = NULL, *text = NULL;

  if (!lc_message_read (scene->snapshot, scene->names, process, operation, object, &message))
    return NULL;
  partner = lc_message_dup_partner (scene->snapshot, &message);
  tag = message.has_tag ? g_strdup_printf (_ ("tag %s"), message.what) : g_strdup (message.what);
  /* Translators: an operation, a rank, and the tag: "recv from rank 3, tag 7" */
  text = g_strdup_printf (message.incoming ? _ ("%s from %s, %s") : _ ("%s to %s, %s"), what, partner, tag);
  /* Translators: a message and its communicator: "recv from rank 3, tag 7 in world.1" */
  return message.communicator == NULL ? g_steal_pointer (&text)
                                      : g_strdup_printf (C_ ("communicator", "%s in %s"), text, message.communicator);
}

/* Gives "lock of mutex queue". */
static char *
describe_usual (const LcScene *scene, guint32 operation, guint32 object)
{
  const char *what = or_unknown (lc_names_operation (scene->names, operation));
  const char *class_name = lc_names_operation_class (scene->names, operation);
  const char *name = lc_names_object (scene->names, object);

  if (name == NULL)
    return g_strdup (what);
  if (class_name == NULL || g_strcmp0 (class_name, what) == 0 || operation == LC_TAG)
    return g_strdup_printf (C_ ("operation, object", "%s %s"), what, name);
  return g_strdup_printf (_ ("%s of %s %s"), what, class_name, lc_names_skip_class (name, class_name));
}

/* Gives "lock of mutex queue, number 17". */
static char *
scene_text_describe (const LcScene *scene, guint32 process, guint32 operation, guint32 object, gboolean numbered,
                     gint64 sequence)
{
  g_autofree char *done = describe_message (scene, process, operation, object), *number = NULL;

  if (done == NULL)
    done = describe_usual (scene, operation, object);
  if (!numbered || lc_names_object (scene->names, object) == NULL)
    return g_steal_pointer (&done);
  number = g_strdup_printf ("%" G_GINT64_FORMAT, sequence);
  return g_strdup_printf (_ ("%s, number %s"), done, number);
}

static char *
describe_event (const LcScene *scene, const LcHistoryEvent *event)
{
  return scene_text_describe (scene, event->process, event->operation, event->object,
                              event->flags & LC_TRACE_EVENT_SEQUENCE, event->sequence);
}

/* Gives "worker-3, event 1,234". */
static char *
scene_text_name_event (const LcScene *scene, guint32 process, guint64 ordinal)
{
  g_autofree char *number = lc_format_count (ordinal);

  return g_strdup_printf (_ ("%s, event %s"), or_unknown (lc_names_process (scene->names, process)), number);
}

static guint32
scene_text_timeline_of (const LcScene *scene, guint track)
{
  return track == 0 ? scene->query.timeline : scene->query.beside;
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

static gboolean
scene_text_find_basis (const LcScene *scene, guint32 timeline, guint32 process, guint64 ordinal, LcBasis *basis)
{
  g_autoptr (LcHistoryWalk) walk = lc_history_walk_new (scene->snapshot, timeline, LC_WALK_ARCS, NULL, NULL);
  g_autoptr (LcBasisFinder) finder = NULL;
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;

  if (walk == NULL)
    return FALSE;
  finder = lc_basis_finder_new (scene->snapshot, timeline, walk, NULL);
  return lc_history_walk_get (walk, process, ordinal, &event, &arcs, NULL) &&
         lc_basis_find (finder, &event, arcs, basis, NULL) && basis->process != LC_TRACE_NONE;
}

/* Adds where in the source an operation was called. */
static void
scene_text_add_place (const LcScene *scene, const char *what, guint32 stack, GString *text)
{
  const LcHistorySite *site = lc_history_get_own_site (scene->snapshot, stack);
  g_autofree char *place = site != NULL ? lc_history_dup_site_text (site) : NULL;

  if (place != NULL)
    scene_text_add_line (text, "%s %s", what, place);
}

/* Adds how long an event waited, and for which event. */
static void
scene_text_add_waiting (const LcScene *scene, guint32 timeline, const LcHistoryEvent *event, GString *text)
{
  g_autofree char *waited = lc_format_duration (event->waited), *what = NULL, *name = NULL;
  LcHistoryEvent from;
  LcBasis basis;

  if (event->waited == 0)
    return;
  if (!scene_text_find_basis (scene, timeline, event->process, event->ordinal, &basis) ||
      !lc_history_get_event (scene->snapshot, timeline, basis.process, basis.ordinal, &from, NULL))
    {
      scene_text_add_line (text, _ ("waited %s"), waited);
      return;
    }
  what = describe_event (scene, &from);
  name = scene_text_name_event (scene, basis.process, basis.ordinal);
  scene_text_add_line (text,
                       basis.point == LC_POINT_BEGIN ? _ ("waited %s for the begin of %s (%s)")
                                                     : _ ("waited %s for the end of %s (%s)"),
                       waited, what, name);
  scene_text_add_place (scene, _ ("that was called in"), from.stack, text);
}

/* Adds what else an event did instead of running. */
static void
scene_text_add_states (const LcMark *mark, GString *text)
{
  g_autofree char *woken = lc_format_duration (mark->woken), *preempted = lc_format_duration (mark->preempted);
  g_autofree char *outside = lc_format_duration (mark->outside);

  if (mark->woken > 0)
    scene_text_add_line (text, _ ("woken %s before it went on"), woken);
  if (mark->preempted > 0)
    scene_text_add_line (text, _ ("ready without a processor for %s"), preempted);
  if (mark->outside > 0)
    scene_text_add_line (text, _ ("outside of the program for %s"), outside);
}

/* Adds why an event's end has moved, on a timeline other than the measured one. */
static void
scene_text_add_movement (const LcScene *scene, guint32 timeline, const LcHistoryEvent *event, GString *text)
{
  g_autofree char *moved = NULL, *removed = NULL, *gained = NULL;
  LcHistoryEvent measured;

  if (timeline == LC_TIMELINE_MEASURED ||
      !lc_history_get_event (scene->snapshot, LC_TIMELINE_MEASURED, event->origin_process, event->origin_ordinal,
                             &measured, NULL))
    return;
  moved = lc_format_change ((gint64)(event->end - measured.end));
  removed = lc_format_change (-(gint64)event->removed);
  gained = lc_format_change (event->gained);
  scene_text_add_line (text, _ ("its end moved by %s: instrumentation %s, waiting %s"), moved, removed, gained);
  if (event->flags & LC_HISTORY_EVENT_REORDERED)
    g_string_append (text, _ ("; it comes after others than measured"));
}

/* Adds the meaning of an event's value: the number of members of a joint operation, the number of tries, or just the
 * value. */
static void
add_value (const LcScene *scene, const LcHistoryEvent *event, GString *text)
{
  g_autofree char *value = NULL;

  if (lc_names_is_together (scene->names, event->operation))
    {
      value = lc_format_count ((guint64)event->value);
      g_string_append_printf (text, ngettext (", %s member", ", %s members", (gulong)event->value), value);
      return;
    }
  if (lc_names_is_try (scene->names, event->operation))
    {
      value = lc_format_count ((guint64)event->value);
      g_string_append_printf (text, ngettext (", %s try", ", %s tries", (gulong)event->value), value);
      return;
    }
  value = g_strdup_printf ("%" G_GINT64_FORMAT, event->value);
  g_string_append_printf (text, _ (", value %s"), value);
}

static void
add_detail (const LcScene *scene, const LcHistoryEvent *event, GString *text)
{
  g_autofree char *bytes = lc_format_bytes (event->bytes);

  if (event->flags & LC_TRACE_EVENT_VALUE)
    add_value (scene, event, text);
  if (event->flags & LC_TRACE_EVENT_BYTES)
    g_string_append_printf (text, _ (", %s"), bytes);
  if (event->flags & LC_TRACE_EVENT_BLIND)
    g_string_append (text, _ (", would take from anyone"));
}

static gboolean
scene_text_get_event (const LcScene *scene, guint track, guint32 process, guint64 ordinal, LcHistoryEvent *event)
{
  return lc_history_get_event (scene->snapshot, scene_text_timeline_of (scene, track), process, ordinal, event, NULL);
}

static void
scene_text_tell_event (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *what = NULL, *name = scene_text_name_event (scene, mark->process, mark->ordinal), *layer = NULL;
  LcHistoryEvent event;

  if (!scene_text_get_event (scene, mark->track, mark->process, mark->ordinal, &event))
    {
      scene_text_add_line (text, "%s", name);
      return;
    }
  what = describe_event (scene, &event);
  layer = lc_format_count (event.layer);
  scene_text_add_line (text, "%s", what);
  add_detail (scene, &event, text);
  scene_text_add_place (scene, _ ("called in"), event.stack, text);
  scene_text_add_line (text, _ ("%s, layer %s"), name, layer);
  scene_text_add_span (text, event.begin, event.end);
  scene_text_add_waiting (scene, scene_text_timeline_of (scene, mark->track), &event, text);
  scene_text_add_states (mark, text);
  scene_text_add_movement (scene, scene_text_timeline_of (scene, mark->track), &event, text);
}

static void
tell_bounds (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *what = scene_text_describe (scene, mark->process, mark->operation, mark->object, FALSE, 0);
  g_autofree char *name = scene_text_name_event (scene, mark->process, mark->ordinal);

  scene_text_add_line (text, _ ("where the end of %s may be"), what);
  scene_text_add_line (text, "%s", name);
  scene_text_add_span (text, mark->from, mark->to);
}

/* --- Summaries ------------------------------------------------------------------------------------------------- */

static void
scene_text_add_rows (const LcScene *scene, const LcMark *mark, GString *text)
{
  guint32 row = mark->row + mark->n_rows - 1, n = lc_scene_count_processes (scene, mark);
  guint32 first = lc_scene_get_process (scene, mark->row);
  guint32 last = lc_scene_get_process_at (scene, row, lc_scene_get_n_processes (scene, row) - 1);
  g_autofree char *count = lc_format_count (n);

  if (n == 1)
    scene_text_add_line (text, "%s", or_unknown (lc_names_process (scene->names, first)));
  else
    scene_text_add_line (text, _ ("%s processes: %s to %s"), count, or_unknown (lc_names_process (scene->names, first)),
                         or_unknown (lc_names_process (scene->names, last)));
}

static void
scene_text_add_part (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *first = NULL, *last = NULL;

  if (lc_scene_is_physical (&scene->query))
    {
      scene_text_add_span (text, mark->from, mark->to);
      return;
    }
  first = lc_format_count (mark->from);
  last = lc_format_count (mark->to - 1);
  if (scene->query.selection.time == LC_SCENE_LOGICAL)
    scene_text_add_line (text, _ ("layers %s to %s"), first, last);
  else
    scene_text_add_line (text, _ ("places %s to %s of phase time"), first, last);
}

/* Adds the shares of states that not every trace tells of. */
static void
scene_text_add_shares (const LcMark *mark, double whole, GString *text)
{
  if (mark->woken > 0)
    scene_text_add_line (text, _ ("woken, but not yet going on %.0f%%"), 100 * (double)mark->woken / whole);
  if (mark->preempted > 0)
    scene_text_add_line (text, _ ("ready without a processor %.0f%%"), 100 * (double)mark->preempted / whole);
  if (mark->outside > 0)
    scene_text_add_line (text, _ ("outside of the program %.0f%%"), 100 * (double)mark->outside / whole);
}

static void
tell_summary (const LcScene *scene, const LcMark *mark, GString *text)
{
  double whole = (double)lc_mark_get_time (mark);
  g_autofree char *count = lc_format_count (mark->events), *length = NULL, *what = NULL;
  LcHistoryEvent longest;

  scene_text_add_line (text, ngettext ("%s event", "%s events", mark->events), count);
  scene_text_add_rows (scene, mark, text);
  scene_text_add_part (scene, mark, text);
  if (whole > 0)
    scene_text_add_line (text, _ ("running %.0f%%, waiting %.0f%%, holding %.0f%%"),
                         100 * (double)mark->running / whole, 100 * (double)mark->waiting / whole,
                         100 * (double)mark->holding / whole);
  scene_text_add_shares (mark, whole, text);
  if (mark->events == 0 || !scene_text_get_event (scene, mark->track, mark->process, mark->ordinal, &longest))
    return;
  what = describe_event (scene, &longest);
  length = lc_format_duration (longest.end - longest.begin);
  scene_text_add_line (text, _ ("the longest: %s, %s"), what, length);
}

/* --- Processes ------------------------------------------------------------------------------------------------- */

static void
tell_life (const LcScene *scene, const LcMark *mark, GString *text)
{
  guint64 events = 0;
  g_autofree char *count = NULL;

  for (guint32 row = mark->row; row < mark->row + mark->n_rows; row++)
    for (guint32 i = 0; i < lc_scene_get_n_processes (scene, row); i++)
      events += lc_history_get_process (scene->snapshot, lc_scene_get_process_at (scene, row, i))->events;
  count = lc_format_count (events);
  scene_text_add_rows (scene, mark, text);
  scene_text_add_line (text, ngettext ("%s event in all", "%s events in all", events), count);
  if (lc_scene_is_physical (&scene->query))
    scene_text_add_span (text, mark->from, mark->to);
}

static void
tell_holding (const LcScene *scene, const LcMark *mark, GString *text)
{
  const char *object = lc_names_object (scene->names, mark->object);
  const char *class_name = lc_names_object_class (scene->names, mark->object);

  if (object == NULL)
    scene_text_add_line (text, _ ("several objects are held"));
  else
    scene_text_add_line (text, _ ("%s %s is held"), or_unknown (class_name), lc_names_skip_class (object, class_name));
  scene_text_add_rows (scene, mark, text);
  if (lc_scene_is_physical (&scene->query))
    scene_text_add_span (text, mark->from, mark->to);
}

static void
tell_absent (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *preempted = lc_format_duration (mark->preempted), *outside = lc_format_duration (mark->outside);

  if (mark->preempted > 0)
    scene_text_add_line (text, _ ("ready without a processor for %s"), preempted);
  if (mark->outside > 0)
    scene_text_add_line (text, _ ("blocked for %s, and nothing tells why"), outside);
  scene_text_add_rows (scene, mark, text);
  scene_text_add_span (text, mark->from, mark->to);
}

static void
tell_pending (const LcScene *scene, const LcMark *mark, GString *text)
{
  const LcTracePending *pending = &lc_history_get_process (scene->snapshot, mark->process)->pending;
  g_autofree char *what = scene_text_describe (scene, mark->process, mark->operation, mark->object,
                                               pending->has_sequence, pending->sequence);
  g_autofree char *begin = format_time (pending->begin);

  scene_text_add_line (text, "%s", what);
  scene_text_add_line (text, "%s", or_unknown (lc_names_process (scene->names, mark->process)));
  scene_text_add_place (scene, _ ("called in"), pending->stack, text);
  scene_text_add_line (text,
                       lc_history_get_until (scene->snapshot) != 0 ? _ ("begun at %s, and not ended yet")
                                                                   : _ ("begun at %s, and never ended"),
                       begin);
}

static void
tell_going (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *since = format_time (mark->from), *now = format_time (lc_history_get_until (scene->snapshot));

  scene_text_add_line (text, "%s", or_unknown (lc_names_process (scene->names, mark->process)));
  scene_text_add_line (text, _ ("it goes on, and has come to no event from %s until now, %s"), since, now);
}

static void
tell_lost (const LcScene *scene, const LcMark *mark, GString *text)
{
  g_autofree char *count = lc_format_count (mark->events);

  scene_text_add_line (text, ngettext ("%s event is missing", "%s events are missing", mark->events), count);
  scene_text_add_line (text, "%s", or_unknown (lc_names_process (scene->names, mark->process)));
  scene_text_add_line (text, _ ("they could not be kept; where they would be is not known"));
}

/* --- Arcs ------------------------------------------------------------------------------------------------------ */

static void
scene_text_add_end (const LcScene *scene, const char *which, const LcHistoryEvent *event, GString *text)
{
  g_autofree char *what = describe_event (scene, event),
                  *name = scene_text_name_event (scene, event->process, event->ordinal);

  scene_text_add_line (text, "%s %s (%s)", which, what, name);
}

static gboolean
is_message (const LcScene *scene, const LcHistoryEvent *event)
{
  g_auto (LcMessage) message = {.what = NULL};

  return lc_message_read (scene->snapshot, scene->names, event->process, event->operation, event->object, &message);
}

static void
tell_order (const LcScene *scene, const LcSceneArc *arc, const LcHistoryEvent *from, const LcHistoryEvent *to,
            GString *text)
{
  const LcHistoryRule *rule = lc_history_get_rule (scene->snapshot, arc->rule);
  gboolean begin = rule->from_point == LC_POINT_BEGIN, data = arc->kind == LC_SCENE_ARC_DATA;
  guint64 at = begin ? from->begin : from->end;
  g_autofree char *length = lc_format_duration (MAX (to->end, at) - at), *bytes = lc_format_bytes (from->bytes);

  if (data && is_message (scene, from) && (from->flags & LC_TRACE_EVENT_BYTES) != 0)
    scene_text_add_line (text, _ ("message of %s, %s"), bytes, length);
  else
    scene_text_add_line (text, data ? _ ("data arc, %s") : _ ("order arc, %s"), length);
  scene_text_add_end (scene, begin ? _ ("from the begin of") : _ ("from the end of"), from, text);
  scene_text_add_end (scene, _ ("to the end of"), to, text);
}

static void
tell_group (const LcScene *scene, const LcSceneArc *arc, const LcHistoryEvent *from, const LcHistoryEvent *to,
            GString *text)
{
  g_autofree char *what = describe_event (scene, from), *at = format_time (arc->from);

  scene_text_add_line (text, "%s", what);
  scene_text_add_line (text, _ ("%s to %s"), or_unknown (lc_names_process (scene->names, from->process)),
                       or_unknown (lc_names_process (scene->names, to->process)));
  if (lc_scene_is_physical (&scene->query))
    scene_text_add_line (text, _ ("all have come at %s"), at);
}

static void
tell_link (const LcScene *scene, const LcHistoryEvent *from, const LcHistoryEvent *to, GString *text)
{
  g_autofree char *what = describe_event (scene, from),
                  *name = scene_text_name_event (scene, from->process, from->ordinal);
  g_autofree char *moved = lc_format_change ((gint64)(to->end - from->end));

  scene_text_add_line (text, "%s", what);
  scene_text_add_line (text, "%s", name);
  scene_text_add_line (text, _ ("its end on the other timeline: %s"), moved);
}

static void
tell_path (const LcScene *scene, const LcSceneArc *arc, GString *text)
{
  const char *from = or_unknown (lc_names_process (scene->names, arc->from_process));
  const char *to = or_unknown (lc_names_process (scene->names, arc->to_process));

  scene_text_add_line (text, _ ("critical path"));
  if (arc->from_process == arc->to_process)
    scene_text_add_line (text, "%s", from);
  else
    scene_text_add_line (text, _ ("from %s to %s"), from, to);
  if (lc_scene_is_physical (&scene->query))
    scene_text_add_span (text, MIN (arc->from, arc->to), MAX (arc->from, arc->to));
}

static void
tell_blocked (const LcScene *scene, const LcSceneArc *arc, GString *text)
{
  const LcTracePending *pending = &lc_history_get_process (scene->snapshot, arc->from_process)->pending;
  g_autofree char *what = scene_text_describe (scene, arc->from_process, (guint16)pending->operation, arc->object,
                                               pending->has_sequence, pending->sequence);

  scene_text_add_line (text, "%s", what);
  scene_text_add_line (text, _ ("%s waits in vain for %s"),
                       or_unknown (lc_names_process (scene->names, arc->from_process)),
                       or_unknown (lc_names_process (scene->names, arc->to_process)));
}

static void
scene_text_tell_arc (const LcScene *scene, const LcSceneArc *arc, GString *text)
{
  gboolean link = arc->kind == LC_SCENE_ARC_LINK;
  LcHistoryEvent from, to;

  if (arc->kind == LC_SCENE_ARC_CRITICAL)
    {
      tell_path (scene, arc, text);
      return;
    }
  if (arc->kind == LC_SCENE_ARC_BLOCKED)
    {
      tell_blocked (scene, arc, text);
      return;
    }
  if (!scene_text_get_event (scene, arc->track, arc->from_process, arc->from_ordinal, &from) ||
      !scene_text_get_event (scene, link ? 1 : arc->track, arc->to_process, arc->to_ordinal, &to))
    return;
  if (link)
    tell_link (scene, &from, &to, text);
  else if (arc->kind == LC_SCENE_ARC_GROUP)
    tell_group (scene, arc, &from, &to, text);
  else
    tell_order (scene, arc, &from, &to, text);
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

char *
lc_scene_dup_text (const LcScene *scene, const LcPick *pick)
{
  static void (*const tell[LC_MARKS]) (const LcScene *scene, const LcMark *mark, GString *text) = {
      [LC_MARK_LIFE] = tell_life,
      [LC_MARK_HOLDING] = tell_holding,
      [LC_MARK_ABSENT] = tell_absent,
      [LC_MARK_SUMMARY] = tell_summary,
      [LC_MARK_EVENT] = scene_text_tell_event,
      [LC_MARK_BOUNDS] = tell_bounds,
      [LC_MARK_PENDING] = tell_pending,
      [LC_MARK_GOING] = tell_going,
      [LC_MARK_LOST] = tell_lost,
  };
  GString *text = g_string_new (NULL);

  if (pick->mark != NULL)
    tell[pick->mark->kind](scene, pick->mark, text);
  else if (pick->arc != NULL)
    scene_text_tell_arc (scene, pick->arc, text);
  return g_string_free (text, FALSE);
}
