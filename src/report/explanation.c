/* SPDX-License-Identifier: Apache-2.0 */
/* Why an event is where it is in a timeline. Its keys and columns must never change. */
#include "report/explanation.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "report/lost.h"
#include "report/output.h"
#include "report/rows.h"
#include "report/sites.h"

enum
{
  MOST_CALLERS = 1000, /* of one stack */
};

/* Gives "worker-2:17". */
static char *
explanation_name_event (const LcExplanationShow *show, guint32 process, guint64 ordinal)
{
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT, lc_names_process (show->names, process), ordinal);
}

/* Gives "lock queue 8 in put() pipe.cpp:7". */
static char *
describe_operation (const LcExplanationShow *show, const LcHistoryEvent *event)
{
  const char *operation = lc_names_operation (show->names, event->operation);
  const char *object = lc_names_object (show->names, event->object);
  g_autofree char *where = lc_sites_describe (show->history, event->stack);
  GString *text = g_string_new (operation);

  if (object != NULL)
    g_string_append_printf (text, " %s", object);
  if (event->flags & LC_TRACE_EVENT_SEQUENCE)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, event->sequence);
  g_string_append (text, where);
  return g_string_free (text, FALSE);
}

static void
explanation_add_operation (const LcExplanationShow *show, LcJson *json, const LcHistoryEvent *event)
{
  lc_json_add_string (json, "operation", lc_names_operation (show->names, event->operation));
  if (event->object != LC_TRACE_NONE)
    lc_json_add_count (json, "object", event->object);
  else
    lc_json_add_null (json, "object");
  lc_json_add_string (json, "object_name", lc_names_object (show->names, event->object));
  if (event->flags & LC_TRACE_EVENT_SEQUENCE)
    lc_json_add_integer (json, "sequence", event->sequence);
  else
    lc_json_add_null (json, "sequence");
  lc_sites_add_stack_json (json, show->history, event->stack);
}

/* --- What never ended --------------------------------------------------------------------------------------------- */

/* Finds what its process had begun after the event and not ended when its history ended. FALSE: nothing, or another
 * event is the last of the process. */
static gboolean
explanation_find_pending (const LcExplanationShow *show, LcHistoryEvent *found)
{
  const LcHistoryEvent *measured = &show->explanation->measured;
  const LcHistoryProcess *process = lc_history_get_process (show->history, measured->process);
  const LcTracePending *pending = &process->pending;

  *found = (LcHistoryEvent){.operation = (guint16)pending->operation,
                            .object = pending->object,
                            .sequence = pending->sequence,
                            .flags = pending->has_sequence ? LC_TRACE_EVENT_SEQUENCE : 0,
                            .begin = pending->begin,
                            .stack = pending->stack};
  return pending->operation != LC_TRACE_NONE && measured->ordinal + 1 == process->events;
}

/* Who called the function in which a stack is shown, outwards. */
static void
explanation_print_callers (LcHistory *history, guint32 stack)
{
  const LcHistoryStack *frame = lc_history_get_stack (history, stack);
  const guint32 own = frame != NULL ? frame->own : LC_TRACE_NONE;
  gboolean is_outside = FALSE;

  for (guint i = 0; frame != NULL && i < MOST_CALLERS; i++)
    {
      if (is_outside)
        {
          g_autofree char *text = lc_history_dup_site_text (lc_history_get_site (history, frame->site));
          g_autofree char *visible = lc_format_text (text);

          g_print (_ ("    called by %s\n"), visible);
        }
      is_outside = is_outside || frame->site == own;
      frame = lc_history_get_stack (history, frame->parent);
    }
}

static void
explanation_print_pending (const LcExplanationShow *show)
{
  g_autofree char *operation = NULL, *since = NULL, *visible = NULL;
  LcHistoryEvent pending;

  if (!explanation_find_pending (show, &pending))
    return;
  operation = describe_operation (show, &pending);
  visible = lc_format_text (operation);
  since = lc_format_duration (pending.begin);
  g_print (_ ("\n  After it %s was begun at %s, and never ended.\n"), visible, since);
  explanation_print_callers (show->history, pending.stack);
}

static void
explanation_add_pending (const LcExplanationShow *show, LcJson *json)
{
  LcHistoryEvent pending;

  if (!explanation_find_pending (show, &pending))
    {
      lc_json_add_null (json, "pending");
      return;
    }
  lc_json_begin_object (json, "pending");
  explanation_add_operation (show, json, &pending);
  lc_json_add_count (json, "begin", pending.begin);
  lc_json_end_object (json);
}

/* --- Causes of its time ------------------------------------------------------------------------------------------- */

/* Gives "the end of worker-1:12 unlock queue 7", or says that there is no such event. */
static char *
describe_basis (const LcExplanationShow *show, guint32 timeline, const LcBasis *basis, GError **error)
{
  g_autofree char *name = NULL, *operation = NULL;
  LcHistoryEvent event;

  if (basis->process == LC_TRACE_NONE)
    return g_strdup (_ ("what is before it on its own process"));
  if (!lc_history_get_event (show->history, timeline, basis->process, basis->ordinal, &event, error))
    return NULL;
  name = explanation_name_event (show, basis->process, basis->ordinal);
  operation = describe_operation (show, &event);
  return g_strdup_printf (basis->point == LC_POINT_BEGIN ? _ ("the begin of %s %s") : _ ("the end of %s %s"), name,
                          operation);
}

static gboolean
add_basis (const LcExplanationShow *show, LcJson *json, const char *key, guint32 timeline, const LcBasis *basis,
           GError **error)
{
  LcHistoryEvent event;

  if (basis->process == LC_TRACE_NONE)
    {
      lc_json_add_null (json, key);
      return TRUE;
    }
  if (!lc_history_get_event (show->history, timeline, basis->process, basis->ordinal, &event, error))
    return FALSE;
  lc_json_begin_object (json, key);
  lc_json_add_count (json, "process", basis->process);
  lc_json_add_string (json, "name", lc_names_process (show->names, basis->process));
  lc_json_add_count (json, "ordinal", basis->ordinal);
  lc_json_add_string (json, "point", basis->point == LC_POINT_BEGIN ? "begin" : "end");
  lc_json_add_count (json, "time", basis->time);
  lc_json_add_string (json, "operation", lc_names_operation (show->names, event.operation));
  lc_json_add_string (json, "object_name", lc_names_object (show->names, event.object));
  lc_sites_add_stack_json (json, show->history, event.stack);
  lc_json_end_object (json);
  return TRUE;
}

static gboolean
print_bases (const LcExplanationShow *show, GError **error)
{
  static const LcTableColumn columns[] = {{NULL, FALSE}, {NULL, FALSE}};
  const LcExplanation *explanation = show->explanation;
  char *measured = describe_basis (show, LC_TIMELINE_MEASURED, &explanation->measured_basis, error);
  char *now = measured != NULL ? describe_basis (show, show->timeline, &explanation->basis, error) : NULL;
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *lines = NULL;

  lc_table_take (table, g_strdup (_ ("It was measured to come after")));
  lc_table_take (table, measured);
  if (explanation->preempted > 0)
    {
      lc_table_take (table, g_strdup (_ ("whose process, meanwhile, had no processor for")));
      lc_table_take (table, lc_format_duration (explanation->preempted));
    }
  lc_table_take (table, g_strdup (explanation->event.flags & LC_HISTORY_EVENT_REORDERED
                                      ? _ ("and comes, in another order, after")
                                      : _ ("and comes after")));
  lc_table_take (table, now);
  lines = lc_table_render (table, 2);
  g_print ("\n%s", lines);
  return now != NULL;
}

/* --- Parts of the movement ---------------------------------------------------------------------------------------- */

char *
lc_movement_format (gint64 ns)
{
  g_autofree char *count = lc_format_count (ns < 0 ? -(guint64)ns : (guint64)ns);

  return g_strdup_printf (_ ("%s%s ns"), ns < 0 ? "-" : ns > 0 ? "+" : "", count);
}

guint
lc_movement_list_parts (const LcExplanation *explanation, LcMovementPart parts[LC_MOVEMENT_MOST_PARTS])
{
  const LcMovement *own = &explanation->own, *all = &explanation->all;
  guint n = 0;

  parts[n++] = (LcMovementPart){_ ("instrumentation removed"), -own->removed, -all->removed};
  parts[n++] = (LcMovementPart){_ ("waiting gained or lost"), own->gained, all->gained};
  parts[n++] = (LcMovementPart){_ ("operations and work that take longer or shorter"), own->cost, all->cost};
  if (all->inherited != 0)
    parts[n++] = (LcMovementPart){_ ("its process was made later or earlier"), own->inherited, all->inherited};
  parts[n++] = (LcMovementPart){_ ("together, exactly"), own->moved, all->moved};
  return n;
}

static void
print_movement (const LcExplanation *explanation)
{
  static const LcTableColumn columns[] = {
      {N_ ("Why its end moved"), FALSE}, {N_ ("Its own part"), TRUE}, {N_ ("With all before it"), TRUE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  LcMovementPart parts[LC_MOVEMENT_MOST_PARTS];
  g_autofree char *lines = NULL;

  for (guint i = 0, n = lc_movement_list_parts (explanation, parts); i < n; i++)
    {
      lc_table_take (table, g_strdup (parts[i].label));
      lc_table_take (table, lc_movement_format (parts[i].own));
      lc_table_take (table, lc_movement_format (parts[i].all));
    }
  lines = lc_table_render (table, 2);
  g_print ("\n%s", lines);
}

static void
explanation_add_movement (LcJson *json, const LcMovement *movement)
{
  lc_json_add_integer (json, "moved", movement->moved);
  lc_json_add_integer (json, "removed", movement->removed);
  lc_json_add_integer (json, "gained", movement->gained);
  lc_json_add_integer (json, "inherited", movement->inherited);
  lc_json_add_integer (json, "cost", movement->cost);
}

/* --- The chain ----------------------------------------------------------------------------------------------- */

static const LcRowsColumn link_columns[] = {
    {"link", N_ ("Back in time"), LC_CELL_TEXT},
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_TEXT},
    {"first", NULL, LC_CELL_COUNT},
    {"last", NULL, LC_CELL_COUNT},
    {"last_point", NULL, LC_CELL_TEXT},
    {"moved", N_ ("Moved"), LC_CELL_CHANGE},
    {"removed", N_ ("Removed"), LC_CELL_TIME},
    {"gained", N_ ("Waiting"), LC_CELL_CHANGE},
    {"cost", N_ ("Costs"), LC_CELL_CHANGE},
    {"from_process", NULL, LC_CELL_COUNT},
    {"from_ordinal", NULL, LC_CELL_COUNT},
    {"from_point", NULL, LC_CELL_TEXT},
    {"from", N_ ("Waited for"), LC_CELL_TEXT},
    {"reordered", N_ ("Order"), LC_CELL_BOOLEAN},
};

static char *
name_events (const LcLink *link)
{
  if (link->first == link->last)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, link->first);
  return g_strdup_printf ("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, link->first, link->last);
}

static const char *
name_point (LcPoint point)
{
  return point == LC_POINT_BEGIN ? "begin" : "end";
}

static gboolean
explanation_add_link (const LcExplanationShow *show, LcRows *rows, const LcLink *link, GError **error)
{
  gboolean waiting = link->kind == LC_LINK_WAITING;
  g_autofree char *events = name_events (link), *from = NULL;

  if (waiting)
    from = describe_basis (show, show->timeline, &link->basis, error);
  if (waiting && from == NULL)
    return FALSE;
  lc_rows_add_text (rows, show->json ? (waiting ? "waiting" : "running") : waiting ? _ ("waiting") : _ ("running"));
  lc_rows_add_count (rows, link->process);
  lc_rows_add_text (rows, lc_names_process (show->names, link->process));
  lc_rows_add_text (rows, events);
  lc_rows_add_count (rows, link->first);
  lc_rows_add_count (rows, link->last);
  lc_rows_add_text (rows, name_point (link->last_point));
  lc_rows_add_integer (rows, link->movement.moved);
  lc_rows_add_count (rows, (guint64)MAX (link->movement.removed, 0));
  lc_rows_add_integer (rows, link->movement.gained);
  lc_rows_add_integer (rows, link->movement.cost);
  if (!waiting)
    {
      for (guint i = 0; i < 5; i++)
        lc_rows_add_nothing (rows);
      return TRUE;
    }
  lc_rows_add_count (rows, link->basis.process);
  lc_rows_add_count (rows, link->basis.ordinal);
  lc_rows_add_text (rows, name_point (link->basis.point));
  lc_rows_add_text (rows, from);
  lc_rows_add_boolean (rows, link->reordered, _ ("changed"));
  return TRUE;
}

static gboolean
show_chain (const LcExplanationShow *show, LcJson *json, GError **error)
{
  const GArray *chain = show->explanation->chain;
  LcRows *rows = lc_rows_begin (show->json ? LC_FORMAT_JSON : LC_FORMAT_TEXT, link_columns, G_N_ELEMENTS (link_columns),
                                json, "chain");
  gboolean good = TRUE;

  for (guint i = 0; i < chain->len && good; i++)
    good = explanation_add_link (show, rows, &g_array_index (chain, LcLink, i), error);
  lc_rows_end (rows, 0);
  return good;
}

static void
print_rest (const LcExplanation *explanation)
{
  g_autofree char *rest = lc_movement_format (explanation->rest);

  if (explanation->to_start)
    g_print (_ ("  ... and so to the begin of the run: these movements sum up to that of its end\n"));
  else
    g_print (_ ("  ... which moved by %s itself (see --steps)\n"), rest);
}

/* --- The whole output --------------------------------------------------------------------------------------------- */

static void
take_times (LcTable *table, const char *label, guint64 measured, guint64 now)
{
  lc_table_take (table, g_strdup (label));
  lc_table_take (table, lc_format_duration (measured));
  lc_table_take (table, lc_format_duration (now));
  lc_table_take (table, lc_movement_format ((gint64)(now - measured)));
}

static void
explanation_print_times (const LcExplanationShow *show)
{
  static const LcTableColumn columns[] = {
      {"", FALSE}, {N_ ("Measured"), TRUE}, {N_ ("Approximated"), TRUE}, {N_ ("Moved"), TRUE}};
  const LcHistoryEvent *measured = &show->explanation->measured, *event = &show->explanation->event;
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *name = explanation_name_event (show, measured->process, measured->ordinal), *lines = NULL;
  g_autofree char *operation = describe_operation (show, measured), *timeline = lc_format_text (show->timeline_name);
  g_autofree char *title = g_strconcat (name, " ", operation, NULL), *printable = lc_format_text (title);

  take_times (table, _ ("Begin"), measured->begin, event->begin);
  take_times (table, _ ("End"), measured->end, event->end);
  take_times (table, _ ("Waited"), measured->waited, event->waited);
  if (show->has_slack)
    take_times (table, _ ("Slack"), show->measured_slack, show->slack);
  lines = lc_table_render (table, 2);
  g_print (_ ("%s, timeline %s\n\n%s"), printable, timeline, lines);
  if (!show->has_slack)
    {
      g_autofree char *events = lc_format_count (lc_history_get_n_events (show->history));

      g_print (_ ("\n  Its slack was not looked for among %s events, which takes seconds (see --slack).\n"), events);
    }
  if (event->process != measured->process || event->ordinal != measured->ordinal)
    {
      g_autofree char *there = explanation_name_event (show, event->process, event->ordinal),
                      *shown = lc_format_text (there);

      g_print (_ ("\n  It is %s there: what was decided again gave it to another place.\n"), shown);
    }
}

static void
explanation_add_slack (LcJson *json, const char *key, gboolean has_slack, guint64 slack)
{
  if (has_slack)
    lc_json_add_count (json, key, slack);
  else
    lc_json_add_null (json, key);
}

static void
explanation_add_event (const LcExplanationShow *show, LcJson *json)
{
  const LcHistoryEvent *measured = &show->explanation->measured, *event = &show->explanation->event;

  lc_json_add_string (json, "timeline", show->timeline_name);
  lc_lost_add_json (json, show->history);
  lc_json_add_count (json, "process", measured->process);
  lc_json_add_string (json, "name", lc_names_process (show->names, measured->process));
  lc_json_add_count (json, "ordinal", measured->ordinal);
  lc_json_add_count (json, "timeline_process", event->process);
  lc_json_add_count (json, "timeline_ordinal", event->ordinal);
  explanation_add_operation (show, json, measured);
  lc_json_add_count (json, "measured_begin", measured->begin);
  lc_json_add_count (json, "measured_end", measured->end);
  lc_json_add_count (json, "measured_waited", measured->waited);
  lc_json_add_count (json, "measured_preempted", show->explanation->preempted);
  lc_json_add_count (json, "begin", event->begin);
  lc_json_add_count (json, "end", event->end);
  lc_json_add_count (json, "waited", event->waited);
  explanation_add_slack (json, "measured_slack", show->has_slack, show->measured_slack);
  explanation_add_slack (json, "slack", show->has_slack, show->slack);
  lc_json_add_integer (json, "begin_moved", show->explanation->begin_moved);
  explanation_add_movement (json, &show->explanation->all);
  lc_json_begin_object (json, "own");
  explanation_add_movement (json, &show->explanation->own);
  lc_json_end_object (json);
  lc_json_add_boolean (json, "reordered", (event->flags & LC_HISTORY_EVENT_REORDERED) != 0);
  explanation_add_pending (show, json);
}

static gboolean
explanation_show_json (const LcExplanationShow *show, GError **error)
{
  const LcExplanation *explanation = show->explanation;
  LcJson json = LC_JSON_INIT ();
  g_autofree char *text = NULL;
  gboolean good;

  lc_json_begin_object (&json, NULL);
  explanation_add_event (show, &json);
  good = add_basis (show, &json, "measured_after", LC_TIMELINE_MEASURED, &explanation->measured_basis, error) &&
         add_basis (show, &json, "after", show->timeline, &explanation->basis, error) &&
         show_chain (show, &json, error);
  lc_json_add_integer (&json, "rest", explanation->rest);
  lc_json_add_boolean (&json, "to_start", explanation->to_start);
  lc_json_end_object (&json);
  text = lc_json_finish (&json);
  if (good)
    lc_output_write (text, -1);
  return good;
}

gboolean
lc_explanation_show (const LcExplanationShow *show, GError **error)
{
  if (show->json)
    return explanation_show_json (show, error);
  explanation_print_times (show);
  explanation_print_pending (show);
  lc_lost_print (show->history);
  if (!print_bases (show, error))
    return FALSE;
  print_movement (show->explanation);
  if (!show_chain (show, NULL, error))
    return FALSE;
  print_rest (show->explanation);
  return TRUE;
}
