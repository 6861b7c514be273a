/* SPDX-License-Identifier: Apache-2.0 */
/* The table span: each span in which a process held an object as a row. */
#include "table-scan.h"

enum
{
  PROCESS,
  OBJECT,
  BEGIN,
  END,
  TIMELINE,
  BEGIN_ORDINAL,
  END_ORDINAL,
};

static const char declaration[] =
    "CREATE TABLE span (\n"
    "  process INTEGER, object INTEGER, begin INTEGER, \"end\" INTEGER, timeline TEXT, begin_ordinal INTEGER,\n"
    "  end_ordinal INTEGER)";

static const LcScanColumns scan_columns = {
    .process = PROCESS,
    .ordinal = -1,
    .begin = BEGIN,
    .end = END,
    .layer = -1,
    .object = OBJECT,
    .sequence = -1,
    .timeline = TIMELINE,
};

/* An object that the process holds at the present point of the pass. */
typedef struct
{
  guint64 begin;
  guint64 ordinal;
  gint64 sequence;
  guint32 object;
  guint16 flags;
} Hold;

typedef struct
{
  LcHoldingSpan span;
  const char *timeline;
} Row;

typedef struct
{
  LcScan *scan;
  GArray *rows; /* Row: spans found, of which some have not been returned yet */
  guint at;
  gint64 n_given;
  /* State of the pass: */
  GArray *holds;   /* Hold, of the present process */
  guint32 process; /* LC_TRACE_NONE: between processes */
  const char *timeline;
} Cursor;

static void
plan_spans (gpointer data, LcTablePlan *plan)
{
  lc_scan_plan (data, &scan_columns, 0.25, plan);
  /* Spans come process by process, and within one in the order of their ends. */
  plan->ordered = (plan->mode & LC_SCAN_ALL_TIMELINES) == 0 && plan->n_order == 1 && plan->order_columns[0] == PROCESS;
}

static gpointer
open_spans (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->scan = lc_scan_new (data);
  cursor->holds = g_array_new (FALSE, FALSE, sizeof (Hold));
  cursor->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  return cursor;
}

static void
close_spans (gpointer data)
{
  Cursor *cursor = data;

  lc_scan_free (cursor->scan);
  g_array_unref (cursor->holds);
  g_array_unref (cursor->rows);
  g_free (cursor);
}

/* --- Holds of one process ------------------------------------------------------------------------------------ */

static void
take_hold (Cursor *cursor, const LcHistoryEvent *event)
{
  const Hold hold = {event->end, event->ordinal, event->sequence, event->object, event->flags};

  g_array_append_val (cursor->holds, hold);
}

static void
span_table_add_span (Cursor *cursor, const Hold *hold, guint64 end, guint64 end_ordinal)
{
  const LcRange *object = &cursor->scan->object;
  const Row row = {.span = {.process = cursor->process,
                            .object = hold->object,
                            .begin = hold->begin,
                            .end = end,
                            .begin_ordinal = hold->ordinal,
                            .end_ordinal = end_ordinal},
                   .timeline = cursor->timeline};

  if (object->low <= hold->object && object->high >= hold->object)
    g_array_append_val (cursor->rows, row);
}

/* If the object is held several times, the last hold ends. */
static void
span_table_give_back (Cursor *cursor, const LcHistoryEvent *event)
{
  for (guint i = cursor->holds->len; i-- > 0;)
    {
      const Hold *hold = &g_array_index (cursor->holds, Hold, i);

      if (hold->object != event->object ||
          ((hold->flags & event->flags & LC_TRACE_EVENT_SEQUENCE) != 0 && hold->sequence != event->sequence))
        continue;
      span_table_add_span (cursor, hold, event->begin, event->ordinal);
      g_array_remove_index (cursor->holds, i);
      return;
    }
}

static void
span_table_step (Cursor *cursor, const LcHistoryEvent *event)
{
  int change = lc_history_holding_change (cursor->scan->tables->history, event->operation);

  if (event->object == LC_TRACE_NONE)
    return;
  if (change < 0)
    span_table_give_back (cursor, event);
  else if (change > 0)
    take_hold (cursor, event);
}

/* Adds the spans that have no end. */
static void
span_table_end_process (Cursor *cursor)
{
  for (guint i = 0; i < cursor->holds->len; i++)
    span_table_add_span (cursor, &g_array_index (cursor->holds, Hold, i), G_MAXUINT64, G_MAXUINT64);
  g_array_set_size (cursor->holds, 0);
  cursor->process = LC_TRACE_NONE;
}

static void
begin_process (Cursor *cursor, guint32 process)
{
  cursor->process = process;
  cursor->timeline = lc_scan_get_timeline (cursor->scan)->name;
}

/* --- One object, by its postings ------------------------------------------------------------------------------ */

static gboolean
go_by_postings (Cursor *cursor, GError **error)
{
  LcScan *scan = cursor->scan;

  while (cursor->rows->len == 0)
    {
      if (!lc_scan_next (scan, error))
        return FALSE;
      for (guint32 i = 0; i < scan->n_events; i++)
        {
          const LcHistoryEvent *event = &scan->events[i];

          if (cursor->process != event->process || cursor->timeline != lc_scan_get_timeline (scan)->name)
            {
              span_table_end_process (cursor);
              begin_process (cursor, event->process);
            }
          span_table_step (cursor, event);
        }
      if (scan->n_events > 0)
        continue;
      span_table_end_process (cursor);
      break;
    }
  return TRUE;
}

/* --- All objects, by blocks ------------------------------------------------------------------------------------ */

/* Restores what the process holds at the begin of block `number`. */
static gboolean
recall_holds (Cursor *cursor, LcConnection *connection, guint64 number, GError **error)
{
  g_autofree LcBlockHeld *held = NULL;
  const LcBlock *block = lc_scan_get_block (cursor->scan, connection, cursor->process, number, LC_COLUMN_HELD, error);
  guint n_held;

  if (block == NULL)
    return FALSE;
  n_held = block->held->len;
  held = g_memdup2 (block->held->data, n_held * sizeof *held);
  for (guint i = 0; i < n_held; i++)
    {
      LcHistoryEvent event;

      block = lc_scan_get_block (cursor->scan, connection, cursor->process, held[i].ordinal / LC_BLOCK_EVENTS,
                                 LC_COLUMN_TIME | LC_COLUMN_IDENTITY, error);
      if (block == NULL)
        return FALSE;
      if (held[i].ordinal % LC_BLOCK_EVENTS >= block->n_events)
        continue;
      lc_block_get_event (block, (guint32)(held[i].ordinal % LC_BLOCK_EVENTS), &event);
      take_hold (cursor, &event);
    }
  return TRUE;
}

/* Whether a wanted span may still begin at `time`, or end after it. */
static gboolean
span_table_goes_on (const Cursor *cursor, guint64 time)
{
  const LcScan *scan = cursor->scan;

  if ((gint64)time > scan->end.high)
    return FALSE;
  if ((gint64)time <= scan->begin.high)
    return TRUE;
  for (guint i = 0; i < cursor->holds->len; i++)
    if ((gint64)g_array_index (cursor->holds, Hold, i).begin <= scan->begin.high)
      return TRUE;
  return FALSE;
}

static gboolean
enter_process (Cursor *cursor, LcConnection *connection, GError **error)
{
  LcScan *scan = cursor->scan;
  gint64 time = MAX (scan->begin.low, scan->end.low);

  if (!lc_scan_next_process (scan, connection, error))
    return FALSE;
  scan->block = time > 0 ? lc_directory_find_time (scan->directory, (guint64)time) : 0;
  scan->last_block = scan->directory->entries->len;
  begin_process (cursor, scan->process_at);
  return scan->block == 0 || scan->block >= scan->last_block || recall_holds (cursor, connection, scan->block, error);
}

static gboolean
step_block (Cursor *cursor, LcConnection *connection, GError **error)
{
  LcScan *scan = cursor->scan;
  const LcDirectoryEntry *entry = &g_array_index (scan->directory->entries, LcDirectoryEntry, scan->block);
  const LcBlock *block;
  LcHistoryEvent event;

  if (!span_table_goes_on (cursor, entry->first_begin))
    {
      scan->block = scan->last_block;
      return TRUE;
    }
  block =
      lc_scan_get_block (scan, connection, scan->process_at, scan->block, LC_COLUMN_TIME | LC_COLUMN_IDENTITY, error);
  if (block == NULL)
    return FALSE;
  for (guint32 i = 0; i < block->n_events; i++)
    {
      lc_block_get_event (block, i, &event);
      span_table_step (cursor, &event);
    }
  scan->block++;
  return TRUE;
}

static gboolean
go_by_blocks (Cursor *cursor, GError **error)
{
  LcScan *scan = cursor->scan;
  GCancellable *cancellable = lc_database_get_cancellable (scan->tables->database);
  g_autoptr (LcConnection) connection = lc_scan_take_connection (scan, error);
  GError *own = NULL;

  if (connection == NULL)
    return FALSE;
  while (cursor->rows->len == 0 && own == NULL)
    {
      if (scan->directory != NULL && scan->block < scan->last_block)
        {
          if (step_block (cursor, connection, &own))
            g_cancellable_set_error_if_cancelled (cancellable, &own);
          continue;
        }
      span_table_end_process (cursor);
      if (cursor->rows->len == 0 && !enter_process (cursor, connection, &own))
        break;
    }
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

/* --- The table ------------------------------------------------------------------------------------------------ */

static gboolean
span_table_find_rows (Cursor *cursor, GError **error)
{
  g_array_set_size (cursor->rows, 0);
  cursor->at = 0;
  return cursor->scan->by_postings ? go_by_postings (cursor, error) : go_by_blocks (cursor, error);
}

static gboolean
filter_spans (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
              GError **error)
{
  Cursor *cursor = data;
  LcScan *scan = cursor->scan;

  cursor->n_given = 0;
  cursor->process = LC_TRACE_NONE;
  g_array_set_size (cursor->holds, 0);
  if (!lc_scan_choose (scan, &scan_columns, mode, values, n_values, error))
    return FALSE;
  scan->columns = LC_COLUMN_TIME | LC_COLUMN_IDENTITY;
  return lc_scan_begin (scan, error) && span_table_find_rows (cursor, error);
}

static gboolean
next_span (gpointer data, GError **error)
{
  Cursor *cursor = data;

  cursor->n_given++;
  return ++cursor->at < cursor->rows->len || span_table_find_rows (cursor, error);
}

static gboolean
span_table_is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->at >= cursor->rows->len;
}

static void
output_end (LcTableOutput *output, guint64 end)
{
  if (end != G_MAXUINT64)
    lc_table_output_int (output, (gint64)end);
  else
    lc_table_output_null (output);
}

static void
span_table_output_column (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  const Row *row = &g_array_index (cursor->rows, Row, cursor->at);

  switch (column)
    {
    case PROCESS:
      lc_table_output_int (output, row->span.process);
      break;
    case OBJECT:
      lc_table_output_int (output, row->span.object);
      break;
    case BEGIN:
      lc_table_output_int (output, (gint64)row->span.begin);
      break;
    case END:
      output_end (output, row->span.end);
      break;
    case TIMELINE:
      lc_table_output_text (output, row->timeline);
      break;
    case BEGIN_ORDINAL:
      lc_table_output_int (output, (gint64)row->span.begin_ordinal);
      break;
    default:
      output_end (output, row->span.end_ordinal);
      break;
    }
}

/* Spans have no number of their own; this one counts the rows of a query. */
static gint64
span_table_get_row (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->n_given;
}

const LcVirtualTable lc_span_table = {
    .name = "span",
    .declaration = declaration,
    .connect = lc_tables_connect,
    .disconnect = lc_tables_disconnect,
    .plan = plan_spans,
    .open = open_spans,
    .filter = filter_spans,
    .next = next_span,
    .is_at_end = span_table_is_at_end,
    .column = span_table_output_column,
    .row = span_table_get_row,
    .close = close_spans,
};
