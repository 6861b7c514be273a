/* SPDX-License-Identifier: Apache-2.0 */
/* The table arc: each arc of a history as a row. */
#include "table-scan.h"

enum
{
  FROM_PROCESS,
  FROM_ORDINAL,
  FROM_POINT,
  TO_PROCESS,
  TO_ORDINAL,
  KIND,
  OBJECT,
  TIMELINE,
  FROM_TIME,
  TO_TIME,
  RULE,
};

/* A bit of the plan's mode: arcs are looked up by the event that they come from. */
#define FROM_EVENT LC_SCAN_MODES

static const char declaration[] = "CREATE TABLE arc (\n"
                                  "  from_process INTEGER, from_ordinal INTEGER, from_point TEXT, to_process INTEGER, "
                                  "to_ordinal INTEGER, kind TEXT,\n"
                                  "  object INTEGER, timeline TEXT, from_time INTEGER, to_time INTEGER, rule TEXT)";

/* The scan finds an arc at the event that it ends at. */
static const LcScanColumns scan_columns = {
    .process = TO_PROCESS,
    .ordinal = TO_ORDINAL,
    .begin = -1,
    .end = TO_TIME,
    .layer = -1,
    .object = OBJECT,
    .sequence = -1,
    .timeline = TIMELINE,
};

/* The columns when arcs are looked up by the event that they come from. */
static const LcScanColumns from_columns = {
    .process = FROM_PROCESS,
    .ordinal = FROM_ORDINAL,
    .begin = -1,
    .end = -1,
    .layer = -1,
    .object = -1,
    .sequence = -1,
    .timeline = TIMELINE,
};

typedef struct
{
  LcScan *scan;
  gboolean from_event;
  gboolean needs_from_time;
  guint32 event;    /* index among the events that the scan has found */
  guint at;         /* index of the current arc in the event's arcs, or in `arcs` */
  GArray *arcs;     /* LcHistoryArc, of one event */
  LcHistoryArc arc; /* the current row */
  gboolean at_end;
  gint64 row;
} Cursor;

static void
plan_arcs (gpointer data, LcTablePlan *plan)
{
  const LcTables *tables = data;
  double events = MAX ((double)lc_history_get_n_events (tables->history), 1);
  LcConstraint *process = lc_scan_find_equal (plan, FROM_PROCESS), *ordinal = lc_scan_find_equal (plan, FROM_ORDINAL);
  gboolean of_event = lc_scan_find_equal (plan, TO_PROCESS) != NULL && lc_scan_find_equal (plan, TO_ORDINAL) != NULL;

  lc_scan_plan (data, &scan_columns, (double)lc_history_get_n_arcs (tables->history) / events, plan);
  if (of_event && (plan->mode & LC_SCAN_ALL_TIMELINES) == 0)
    plan->cost = 6;
  else if (process != NULL && ordinal != NULL && (plan->mode & LC_SCAN_ALL_TIMELINES) == 0)
    {
      for (gsize i = 0; i < plan->n_constraints; i++)
        plan->constraints[i].use = plan->constraints[i].use && plan->constraints[i].column == TIMELINE;
      process->use = ordinal->use = TRUE;
      plan->mode |= FROM_EVENT;
      plan->rows = 2;
      plan->cost = 60;
    }
  else if (process != NULL)
    plan->rows = MAX (plan->rows / MAX (lc_history_get_n_processes (tables->history), 1), 1);
}

static gpointer
open_arcs (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->scan = lc_scan_new (data);
  return cursor;
}

static void
close_arcs (gpointer data)
{
  Cursor *cursor = data;

  lc_scan_free (cursor->scan);
  g_clear_pointer (&cursor->arcs, g_array_unref);
  g_free (cursor);
}

/* --- By the event that they end at --------------------------------------------------------------------------- */

static gboolean
find_from_time (Cursor *cursor, GError **error)
{
  LcHistoryEvent event;

  if (!lc_history_get_event (cursor->scan->tables->history, lc_scan_get_timeline (cursor->scan)->id,
                             cursor->arc.from_process, cursor->arc.from_ordinal, &event, error))
    return FALSE;
  cursor->arc.from_time = cursor->arc.from_point == LC_POINT_BEGIN ? event.begin : event.end;
  return TRUE;
}

static gboolean
take_scanned (Cursor *cursor, GError **error)
{
  const LcHistoryEvent *event = &cursor->scan->events[cursor->event];
  const LcBlockArc *arc = &g_array_index (cursor->scan->arcs, LcBlockArc, cursor->at);

  cursor->arc = (LcHistoryArc){.from_process = arc->process,
                               .to_process = event->process,
                               .from_ordinal = arc->ordinal,
                               .to_ordinal = event->ordinal,
                               .to_time = event->end,
                               .object = event->object,
                               .rule = arc->rule,
                               .from_point = (LcPoint)arc->point};
  return !cursor->needs_from_time || find_from_time (cursor, error);
}

/* Goes to the arc at or after the present place. */
static gboolean
arc_table_settle (Cursor *cursor, GError **error)
{
  LcScan *scan = cursor->scan;

  for (;;)
    {
      while (cursor->event < scan->n_events && cursor->at >= scan->first_arc[cursor->event + 1])
        cursor->event++;
      if (cursor->event < scan->n_events)
        return take_scanned (cursor, error);
      if (!lc_scan_next (scan, error))
        return FALSE;
      cursor->event = 0;
      cursor->at = 0;
      if (scan->n_events == 0)
        {
          cursor->at_end = TRUE;
          return TRUE;
        }
    }
}

/* --- By the event that they come from ------------------------------------------------------------------------- */

static int
arc_table_compare_arcs (gconstpointer a, gconstpointer b)
{
  const LcHistoryArc *one = a, *other = b;

  if (one->to_process != other->to_process)
    return one->to_process < other->to_process ? -1 : 1;
  return one->to_ordinal < other->to_ordinal ? -1 : one->to_ordinal > other->to_ordinal;
}

static void
take_listed (Cursor *cursor)
{
  cursor->at_end = cursor->arcs == NULL || cursor->at >= cursor->arcs->len;
  if (!cursor->at_end)
    cursor->arc = g_array_index (cursor->arcs, LcHistoryArc, cursor->at);
}

static gboolean
arc_table_list_arcs (Cursor *cursor, GError **error)
{
  const LcScan *scan = cursor->scan;
  LcHistory *history = scan->tables->history;
  guint32 process = (guint32)scan->process.low;
  guint64 events;

  g_clear_pointer (&cursor->arcs, g_array_unref);
  if ((scan->is_measured || scan->timelines->len > 0) && scan->process.low >= 0 &&
      scan->process.low < lc_history_get_n_processes (history))
    {
      if (!lc_history_count_events (history, lc_scan_get_timeline (scan)->id, process, &events, error))
        return FALSE;
      if (scan->ordinal.low >= 0 && (guint64)scan->ordinal.low < events &&
          !lc_history_list_arcs_out (history, lc_scan_get_timeline (scan)->id, process, (guint64)scan->ordinal.low,
                                     lc_database_get_cancellable (scan->tables->database), &cursor->arcs, error))
        return FALSE;
    }
  if (cursor->arcs != NULL)
    g_array_sort (cursor->arcs, arc_table_compare_arcs);
  take_listed (cursor);
  return TRUE;
}

/* --- The table ------------------------------------------------------------------------------------------------ */

static gboolean
is_one (const LcRange *range)
{
  return range->low == range->high;
}

static gboolean
filter_arcs (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
             GError **error)
{
  Cursor *cursor = data;
  LcScan *scan = cursor->scan;

  cursor->needs_from_time = (columns_used >> FROM_TIME & 1) != 0;
  cursor->event = 0;
  cursor->at = 0;
  cursor->row = 0;
  cursor->at_end = FALSE;
  if ((mode & FROM_EVENT) != 0)
    {
      if (!lc_scan_choose (scan, &from_columns, mode, values, n_values, error))
        return FALSE;
      cursor->from_event = is_one (&scan->process) && is_one (&scan->ordinal);
      if (cursor->from_event)
        {
          scan->timeline_at = 0;
          return arc_table_list_arcs (cursor, error);
        }
      /* A value is no integer, so the arcs of all events are scanned. */
      for (gsize i = 0; i < n_values; i++)
        if (values[i].column != TIMELINE && values[i].type == LC_VALUE_NULL)
          cursor->at_end = TRUE;
    }
  cursor->from_event = FALSE;
  if (cursor->at_end)
    return TRUE;
  if (!lc_scan_choose (scan, &scan_columns, mode, values, n_values, error))
    return FALSE;
  scan->columns = lc_scan_get_columns (scan) | LC_COLUMN_ARCS | LC_COLUMN_IDENTITY;
  if ((columns_used >> TO_TIME & 1) != 0)
    scan->columns |= LC_COLUMN_TIME;
  return lc_scan_begin (scan, error) && arc_table_settle (cursor, error);
}

static gboolean
next_arc (gpointer data, GError **error)
{
  Cursor *cursor = data;

  cursor->at++;
  cursor->row++;
  if (!cursor->from_event)
    return arc_table_settle (cursor, error);
  take_listed (cursor);
  return TRUE;
}

static gboolean
arc_table_is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->at_end;
}

static const char *
kind_name (const Cursor *cursor, const LcHistoryRule *rule)
{
  if (rule == NULL)
    return NULL;
  return rule->kind == LC_ARC_ORDER ? "order" : "data";
}

static void
arc_table_output_column (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  const LcHistoryArc *arc = &cursor->arc;
  const LcHistoryRule *rule = lc_history_get_rule (cursor->scan->tables->history, arc->rule);

  switch (column)
    {
    case FROM_PROCESS:
      lc_table_output_int (output, arc->from_process);
      break;
    case FROM_ORDINAL:
      lc_table_output_int (output, (gint64)arc->from_ordinal);
      break;
    case FROM_POINT:
      lc_table_output_static_text (output, arc->from_point == LC_POINT_BEGIN ? "begin" : "end");
      break;
    case TO_PROCESS:
      lc_table_output_int (output, arc->to_process);
      break;
    case TO_ORDINAL:
      lc_table_output_int (output, (gint64)arc->to_ordinal);
      break;
    case KIND:
      lc_table_output_static_text (output, kind_name (cursor, rule));
      break;
    case OBJECT:
      if (arc->object != LC_TRACE_NONE)
        lc_table_output_int (output, arc->object);
      break;
    case TIMELINE:
      lc_table_output_text (output, lc_scan_get_timeline (cursor->scan)->name);
      break;
    case FROM_TIME:
      lc_table_output_int (output, (gint64)arc->from_time);
      break;
    case TO_TIME:
      lc_table_output_int (output, (gint64)arc->to_time);
      break;
    default:
      lc_table_output_static_text (output, rule != NULL ? rule->name : NULL);
      break;
    }
}

/* Arcs have no number of their own; this one counts the rows of a query. */
static gint64
arc_table_get_row (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->row;
}

const LcVirtualTable lc_arc_table = {
    .name = "arc",
    .declaration = declaration,
    .connect = lc_tables_connect,
    .disconnect = lc_tables_disconnect,
    .plan = plan_arcs,
    .open = open_arcs,
    .filter = filter_arcs,
    .next = next_arc,
    .is_at_end = arc_table_is_at_end,
    .column = arc_table_output_column,
    .row = arc_table_get_row,
    .close = close_arcs,
};
