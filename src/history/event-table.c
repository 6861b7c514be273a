/* SPDX-License-Identifier: Apache-2.0 */
/* The table event: each event of a history as a row. */
#include <string.h>

#include "table-scan.h"

enum
{
  PROCESS,
  ORDINAL,
  OPERATION,
  OBJECT,
  SEQUENCE,
  BEGIN,
  END,
  WAITED,
  LAYER,
  CPU,
  VALUE,
  BYTES,
  PEER,
  TIMELINE,
  FLAGS,
  BASIS_PROCESS,
  BASIS_ORDINAL,
  REMOVED,
  GAINED,
  REORDERED,
  ORIGIN_PROCESS,
  ORIGIN_ORDINAL,
  SITE,
  STACK,
  WOKEN,
  PREEMPTED,
};

static const char declaration[] = "CREATE TABLE event (\n"
                                  "  process INTEGER, ordinal INTEGER, operation TEXT, object INTEGER, sequence "
                                  "INTEGER, begin INTEGER, \"end\" INTEGER,\n"
                                  "  waited INTEGER, layer INTEGER, cpu INTEGER, value INTEGER, bytes INTEGER, peer "
                                  "INTEGER, timeline TEXT, flags TEXT,\n"
                                  "  basis_process INTEGER, basis_ordinal INTEGER, removed INTEGER, gained INTEGER, "
                                  "reordered INTEGER,\n"
                                  "  origin_process INTEGER, origin_ordinal INTEGER, site INTEGER, stack INTEGER,\n"
                                  "  woken INTEGER, preempted INTEGER)";

static const LcScanColumns scan_columns = {
    .process = PROCESS,
    .ordinal = ORDINAL,
    .begin = BEGIN,
    .end = END,
    .layer = LAYER,
    .object = OBJECT,
    .sequence = SEQUENCE,
    .timeline = TIMELINE,
};

typedef struct
{
  LcScan *scan;
  guint32 at;
} Cursor;

static void
plan_events (gpointer data, LcTablePlan *plan)
{
  lc_scan_plan (data, &scan_columns, 1, plan);
  if (lc_scan_find_equal (plan, PROCESS) != NULL && lc_scan_find_equal (plan, ORDINAL) != NULL &&
      (plan->mode & LC_SCAN_ALL_TIMELINES) == 0)
    {
      plan->unique = TRUE;
      plan->cost = 5;
    }
}

static gpointer
open_events (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->scan = lc_scan_new (data);
  return cursor;
}

static void
close_events (gpointer data)
{
  Cursor *cursor = data;

  lc_scan_free (cursor->scan);
  g_free (cursor);
}

/* The columns that must be decoded from a block. */
static LcColumns
choose_columns (guint64 used, const LcScan *scan)
{
  static const LcColumns needed[] = {
      [OPERATION] = LC_COLUMN_IDENTITY,
      [OBJECT] = LC_COLUMN_IDENTITY,
      [SEQUENCE] = LC_COLUMN_IDENTITY,
      [BEGIN] = LC_COLUMN_TIME,
      [END] = LC_COLUMN_TIME,
      [WAITED] = LC_COLUMN_TIME,
      [LAYER] = LC_COLUMN_LAYER,
      [CPU] = LC_COLUMN_DETAIL,
      [VALUE] = LC_COLUMN_IDENTITY | LC_COLUMN_DETAIL,
      [BYTES] = LC_COLUMN_IDENTITY | LC_COLUMN_DETAIL,
      [PEER] = LC_COLUMN_DETAIL,
      [FLAGS] = LC_COLUMN_IDENTITY,
      [BASIS_PROCESS] = LC_COLUMN_ARCS,
      [BASIS_ORDINAL] = LC_COLUMN_ARCS,
      [REMOVED] = LC_COLUMN_WHY,
      [GAINED] = LC_COLUMN_WHY,
      [REORDERED] = LC_COLUMN_WHY,
      [ORIGIN_PROCESS] = LC_COLUMN_ORIGIN,
      [ORIGIN_ORDINAL] = LC_COLUMN_ORIGIN,
      [SITE] = LC_COLUMN_PLACE,
      [STACK] = LC_COLUMN_PLACE,
      [WOKEN] = LC_COLUMN_TIME,
      [PREEMPTED] = LC_COLUMN_TIME | LC_COLUMN_STATE,
  };
  LcColumns columns = lc_scan_get_columns (scan);

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    if ((used >> i & 1) != 0)
      columns |= needed[i];
  return columns;
}

static gboolean
filter_events (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
               GError **error)
{
  Cursor *cursor = data;

  cursor->at = 0;
  if (!lc_scan_choose (cursor->scan, &scan_columns, mode, values, n_values, error))
    return FALSE;
  cursor->scan->columns = choose_columns (columns_used, cursor->scan);
  return lc_scan_begin (cursor->scan, error) && lc_scan_next (cursor->scan, error);
}

static gboolean
event_table_next_event (gpointer data, GError **error)
{
  Cursor *cursor = data;

  if (++cursor->at < cursor->scan->n_events)
    return TRUE;
  cursor->at = 0;
  return lc_scan_next (cursor->scan, error);
}

static gboolean
event_table_is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->at >= cursor->scan->n_events;
}

static const char *
event_table_operation_name (const LcScan *scan, guint16 number)
{
  const LcHistoryOperation *operation = lc_history_get_operation (scan->tables->history, number);

  return operation != NULL ? operation->name : NULL;
}

static void
output_flags (guint operation, guint flags, LcTableOutput *output)
{
  static const struct
  {
    guint flag;
    const char *name;
  } names[] = {
      {LC_EVENT_CONTENDED, "contended"},   {LC_EVENT_INTERRUPTED, "interrupted"},
      {LC_EVENT_CANCELLED, "cancelled"},   {LC_EVENT_TIMED_OUT, "timed-out"},
      {LC_EVENT_OWNER_DIED, "owner-died"}, {LC_EVENT_UNKNOWN, "unknown"},
      {LC_EVENT_AGAIN, "again"},           {LC_EVENT_FORK, NULL}, /* `last` */
      {LC_TRACE_EVENT_BLIND, "blind"},     {LC_HISTORY_EVENT_GROUP, "group"},
  };
  const char *last = lc_trace_is_tried (operation, flags)     ? "tried"
                     : lc_trace_is_trapped (operation, flags) ? "trapped"
                                                              : "fork";
  char text[128] = "";

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if ((flags & names[i].flag) != 0)
      {
        if (*text != '\0')
          g_strlcat (text, ",", sizeof text);
        g_strlcat (text, names[i].flag == LC_EVENT_FORK ? last : names[i].name, sizeof text);
      }
  lc_table_output_text (output, text);
}

static void
output_if (LcTableOutput *output, gboolean known, gint64 value)
{
  if (known)
    lc_table_output_int (output, value);
  else
    lc_table_output_null (output);
}

/* Outputs the event at the other end of the event's last arc. */
static void
output_basis (const LcScan *scan, guint32 at, gboolean is_process, LcTableOutput *output)
{
  gint16 basis = scan->events[at].basis;
  guint32 first = scan->first_arc[at];
  const LcBlockArc *arc;

  if (basis < 0 || first + (guint32)basis >= scan->first_arc[at + 1])
    {
      lc_table_output_null (output);
      return;
    }
  arc = &g_array_index (scan->arcs, LcBlockArc, first + (guint32)basis);
  lc_table_output_int (output, is_process ? arc->process : (gint64)arc->ordinal);
}

/* Outputs where the event is on the measured timeline, and why its times differ there. */
static void
output_why (const LcHistoryEvent *event, int column, LcTableOutput *output)
{
  switch (column)
    {
    case REMOVED:
      lc_table_output_int (output, (gint64)event->removed);
      break;
    case GAINED:
      lc_table_output_int (output, event->gained);
      break;
    case REORDERED:
      lc_table_output_int (output, (event->flags & LC_HISTORY_EVENT_REORDERED) != 0);
      break;
    case ORIGIN_PROCESS:
      lc_table_output_int (output, event->origin_process);
      break;
    default:
      lc_table_output_int (output, (gint64)event->origin_ordinal);
      break;
    }
}

static void
output_place (const LcScan *scan, guint32 stack, int column, LcTableOutput *output)
{
  const LcHistorySite *site;

  if (column == STACK)
    {
      output_if (output, stack != LC_TRACE_NONE, stack);
      return;
    }
  site = lc_history_get_own_site (scan->tables->history, stack);
  output_if (output, site != NULL, site != NULL ? site->id : 0);
}

static void
event_table_output_column (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  const LcScan *scan = cursor->scan;
  const LcHistoryEvent *event = &scan->events[cursor->at];

  switch (column)
    {
    case PROCESS:
      lc_table_output_int (output, event->process);
      break;
    case ORDINAL:
      lc_table_output_int (output, (gint64)event->ordinal);
      break;
    case OPERATION:
      lc_table_output_static_text (output, event_table_operation_name (scan, event->operation));
      break;
    case OBJECT:
      output_if (output, event->object != LC_TRACE_NONE, event->object);
      break;
    case SEQUENCE:
      output_if (output, (event->flags & LC_TRACE_EVENT_SEQUENCE) != 0, event->sequence);
      break;
    case BEGIN:
      lc_table_output_int (output, (gint64)event->begin);
      break;
    case END:
      lc_table_output_int (output, (gint64)event->end);
      break;
    case WAITED:
      lc_table_output_int (output, (gint64)event->waited);
      break;
    case LAYER:
      lc_table_output_int (output, (gint64)event->layer);
      break;
    case CPU:
      output_if (output, event->cpu != LC_CPU_UNKNOWN, event->cpu);
      break;
    case VALUE:
      output_if (output, (event->flags & LC_TRACE_EVENT_VALUE) != 0, event->value);
      break;
    case BYTES:
      output_if (output, (event->flags & LC_TRACE_EVENT_BYTES) != 0, (gint64)event->bytes);
      break;
    case PEER:
      output_if (output, event->peer != LC_TRACE_NONE, event->peer);
      break;
    case TIMELINE:
      lc_table_output_text (output, lc_scan_get_timeline (scan)->name);
      break;
    case FLAGS:
      output_flags (event->operation, event->flags, output);
      break;
    case BASIS_PROCESS:
    case BASIS_ORDINAL:
      output_basis (scan, cursor->at, column == BASIS_PROCESS, output);
      break;
    case WOKEN:
      lc_table_output_int (output, (gint64)event->woken);
      break;
    case PREEMPTED:
      lc_table_output_int (output, (gint64)event->preempted);
      break;
    case SITE:
    case STACK:
      output_place (scan, event->stack, column, output);
      break;
    default:
      output_why (event, column, output);
      break;
    }
}

static gint64
event_table_get_row (gpointer data)
{
  const Cursor *cursor = data;
  const LcHistoryEvent *event = &cursor->scan->events[cursor->at];

  return lc_scan_row (event->process, event->ordinal);
}

const LcVirtualTable lc_event_table = {
    .name = "event",
    .declaration = declaration,
    .connect = lc_tables_connect,
    .disconnect = lc_tables_disconnect,
    .plan = plan_events,
    .open = open_events,
    .filter = filter_events,
    .next = event_table_next_event,
    .is_at_end = event_table_is_at_end,
    .column = event_table_output_column,
    .row = event_table_get_row,
    .close = close_events,
};
