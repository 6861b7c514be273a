/* SPDX-License-Identifier: Apache-2.0 */
/* The table state: each span in which a process was in one state as a row. */
#include "reader.h"
#include "states.h"
#include "table-scan.h"

enum
{
  PROCESS,
  BEGIN,
  END,
  STATE,
  TIMELINE,
  ORDINAL,
};

static const char declaration[] =
    "CREATE TABLE state (\n"
    "  process INTEGER, begin INTEGER, \"end\" INTEGER, state TEXT, timeline TEXT, ordinal INTEGER)";

static const LcScanColumns scan_columns = {
    .process = PROCESS,
    .ordinal = -1,
    .begin = BEGIN,
    .end = END,
    .layer = -1,
    .object = -1,
    .sequence = -1,
    .timeline = TIMELINE,
};

typedef struct
{
  LcStateSpan span;
  guint32 process;
  const char *timeline;
} Row;

typedef struct
{
  LcScan *scan;
  GArray *rows; /* Row: those of the present block */
  guint at;
  gint64 n_given;
} Cursor;

static void
plan_states (gpointer data, LcTablePlan *plan)
{
  lc_scan_plan (data, &scan_columns, 2, plan);
  plan->ordered = (plan->mode & LC_SCAN_ALL_TIMELINES) == 0 && plan->n_order == 1 && plan->order_columns[0] == PROCESS;
}

static gpointer
open_states (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->scan = lc_scan_new (data);
  cursor->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  return cursor;
}

static void
close_states (gpointer data)
{
  Cursor *cursor = data;

  lc_scan_free (cursor->scan);
  g_array_unref (cursor->rows);
  g_free (cursor);
}

static void
state_table_add_block (Cursor *cursor, const LcBlock *block, guint64 before)
{
  guint next_absence = 0;

  for (guint32 i = 0; i < block->n_events; i++)
    {
      Row row = {.process = block->process, .timeline = lc_scan_get_timeline (cursor->scan)->name};
      LcStates states;

      lc_states_begin (&states, block, i, lc_states_is_outside (block, i), before, next_absence);
      while (lc_states_next (&states, &row.span))
        g_array_append_val (cursor->rows, row);
      next_absence = states.next_absence;
      before = block->end[i];
    }
}

static gboolean
state_table_enter (Cursor *cursor, LcConnection *connection, GError **error)
{
  LcScan *scan = cursor->scan;
  gint64 time = MAX (scan->begin.low, scan->end.low);

  if (!lc_scan_next_process (scan, connection, error))
    return FALSE;
  scan->block = time > 0 ? lc_directory_find_time (scan->directory, (guint64)time) : 0;
  scan->last_block = scan->directory->entries->len;
  return TRUE;
}

static gboolean
state_table_step (Cursor *cursor, LcConnection *connection, GError **error)
{
  LcScan *scan = cursor->scan;
  const LcDirectoryEntry *entry = &g_array_index (scan->directory->entries, LcDirectoryEntry, scan->block);
  const guint64 before = scan->block > 0
                             ? entry[-1].last_end
                             : lc_history_get_followed (scan->tables->history, scan->process_at, entry->first_begin);
  const LcBlock *block;

  if ((gint64)before > MIN (scan->begin.high, scan->end.high))
    {
      scan->block = scan->last_block;
      return TRUE;
    }
  block = lc_scan_get_block (scan, connection, scan->process_at, scan->block, scan->columns, error);
  if (block == NULL)
    return FALSE;
  state_table_add_block (cursor, block, before);
  scan->block++;
  return TRUE;
}

static gboolean
state_table_find_rows (Cursor *cursor, GError **error)
{
  LcScan *scan = cursor->scan;
  GCancellable *cancellable = lc_database_get_cancellable (scan->tables->database);
  g_autoptr (LcConnection) connection = lc_scan_take_connection (scan, error);
  GError *own = NULL;

  g_array_set_size (cursor->rows, 0);
  cursor->at = 0;
  if (connection == NULL)
    return FALSE;
  while (cursor->rows->len == 0 && own == NULL)
    {
      if (scan->directory == NULL || scan->block >= scan->last_block)
        {
          if (!state_table_enter (cursor, connection, &own))
            break;
        }
      else if (state_table_step (cursor, connection, &own))
        g_cancellable_set_error_if_cancelled (cancellable, &own);
    }
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

static gboolean
filter_states (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
               GError **error)
{
  Cursor *cursor = data;
  LcScan *scan = cursor->scan;

  cursor->n_given = 0;
  if (!lc_scan_choose (scan, &scan_columns, mode, values, n_values, error))
    return FALSE;
  scan->columns = LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_STATE;
  return lc_scan_begin (scan, error) && state_table_find_rows (cursor, error);
}

static gboolean
next_state (gpointer data, GError **error)
{
  Cursor *cursor = data;

  cursor->n_given++;
  return ++cursor->at < cursor->rows->len || state_table_find_rows (cursor, error);
}

static gboolean
state_table_is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->at >= cursor->rows->len;
}

static void
state_table_output_column (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  const Row *row = &g_array_index (cursor->rows, Row, cursor->at);

  switch (column)
    {
    case PROCESS:
      lc_table_output_int (output, row->process);
      break;
    case BEGIN:
      lc_table_output_int (output, (gint64)row->span.begin);
      break;
    case END:
      lc_table_output_int (output, (gint64)row->span.end);
      break;
    case STATE:
      lc_table_output_static_text (output, lc_process_state_get_name (row->span.state));
      break;
    case TIMELINE:
      lc_table_output_text (output, row->timeline);
      break;
    default:
      lc_table_output_int (output, (gint64)row->span.ordinal);
      break;
    }
}

/* Spans have no number of their own; this one counts the rows of a query. */
static gint64
state_table_get_row (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->n_given;
}

const LcVirtualTable lc_state_table = {
    .name = "state",
    .declaration = declaration,
    .connect = lc_tables_connect,
    .disconnect = lc_tables_disconnect,
    .plan = plan_states,
    .open = open_states,
    .filter = filter_states,
    .next = next_state,
    .is_at_end = state_table_is_at_end,
    .column = state_table_output_column,
    .row = state_table_get_row,
    .close = close_states,
};
