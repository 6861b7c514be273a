/* SPDX-License-Identifier: Apache-2.0 */
/* The table slack: the slack of each event and each arc as a row. */
#include "lightcone/slack.h"

#include "table-scan.h"

enum
{
  PROCESS,
  ORDINAL,
  SLACK,
  FROM_PROCESS,
  FROM_ORDINAL,
  FROM_POINT,
  TIMELINE,
};

static const char declaration[] =
    "CREATE TABLE slack (\n"
    "  process INTEGER, ordinal INTEGER, slack INTEGER, from_process INTEGER, from_ordinal INTEGER, from_point TEXT,\n"
    "  timeline TEXT)";

static const LcScanColumns scan_columns = {
    .process = -1,
    .ordinal = -1,
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
  LcSlackPass *pass; /* over the scan's present timeline */
  const LcEventSlack *event;
  guint arc; /* 0: the row is of the event; else of this arc of it, from 1 on */
  gint64 n_given;
} Cursor;

/* Any question takes a whole pass, so it is asked once, and other tables are looked up for its rows. */
static void
plan_slacks (gpointer data, LcTablePlan *plan)
{
  const LcTables *tables = data;
  double events = MAX ((double)lc_history_get_n_events (tables->history), 1);
  double arcs = (double)lc_history_get_n_arcs (tables->history);

  lc_scan_plan (data, &scan_columns, 1 + arcs / events, plan);
  plan->cost = MAX (plan->cost, 1000 + 10 * (events + arcs));
}

static gpointer
open_slacks (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->scan = lc_scan_new (data);
  return cursor;
}

static void
close_slacks (gpointer data)
{
  Cursor *cursor = data;

  lc_slack_pass_free (cursor->pass);
  lc_scan_free (cursor->scan);
  g_free (cursor);
}

/* Goes to the next event, perhaps of the next timeline. Without one `event` is NULL. */
static gboolean
slack_table_find_event (Cursor *cursor, GError **error)
{
  LcScan *scan = cursor->scan;
  const guint n_timelines = scan->is_measured ? 1 : scan->timelines->len;

  cursor->event = NULL;
  cursor->arc = 0;
  while (cursor->event == NULL && scan->timeline_at < n_timelines)
    {
      if (cursor->pass == NULL)
        cursor->pass = lc_slack_pass_new (scan->tables->history, lc_scan_get_timeline (scan)->id,
                                          lc_database_get_cancellable (scan->tables->database), error);
      if (cursor->pass == NULL || !lc_slack_pass_next (cursor->pass, &cursor->event, error))
        return FALSE;
      if (cursor->event != NULL)
        break;
      g_clear_pointer (&cursor->pass, lc_slack_pass_free);
      scan->timeline_at++;
    }
  return TRUE;
}

static gboolean
filter_slacks (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
               GError **error)
{
  Cursor *cursor = data;

  cursor->n_given = 0;
  cursor->scan->timeline_at = 0;
  g_clear_pointer (&cursor->pass, lc_slack_pass_free);
  return lc_scan_choose (cursor->scan, &scan_columns, mode, values, n_values, error) &&
         slack_table_find_event (cursor, error);
}

static gboolean
next_slack (gpointer data, GError **error)
{
  Cursor *cursor = data;

  cursor->n_given++;
  if (cursor->arc < cursor->event->event.n_arcs)
    {
      cursor->arc++;
      return TRUE;
    }
  return slack_table_find_event (cursor, error);
}

static gboolean
slack_table_is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->event == NULL;
}

/* Outputs where the arc of the row comes from; of an event's row nothing. */
static void
slack_table_output_from (const Cursor *cursor, int column, LcTableOutput *output)
{
  const LcHistoryArcEnd *arc;

  if (cursor->arc == 0)
    {
      lc_table_output_null (output);
      return;
    }
  arc = &cursor->event->arcs[cursor->arc - 1];
  if (column == FROM_POINT)
    lc_table_output_static_text (output, arc->point == LC_POINT_BEGIN ? "begin" : "end");
  else
    lc_table_output_int (output, column == FROM_PROCESS ? arc->process : (gint64)arc->ordinal);
}

static void
slack_table_output_column (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  const LcEventSlack *event = cursor->event;

  switch (column)
    {
    case PROCESS:
      lc_table_output_int (output, event->event.process);
      break;
    case ORDINAL:
      lc_table_output_int (output, (gint64)event->event.ordinal);
      break;
    case SLACK:
      lc_table_output_int (output, (gint64)(cursor->arc == 0 ? event->slack : event->arc_slacks[cursor->arc - 1]));
      break;
    case TIMELINE:
      lc_table_output_text (output, lc_scan_get_timeline (cursor->scan)->name);
      break;
    default:
      slack_table_output_from (cursor, column, output);
      break;
    }
}

/* Rows have no number of their own; this one counts the rows of a query. */
static gint64
slack_table_get_row (gpointer data)
{
  const Cursor *cursor = data;

  return cursor->n_given;
}

const LcVirtualTable lc_slack_table = {
    .name = "slack",
    .declaration = declaration,
    .connect = lc_tables_connect,
    .disconnect = lc_tables_disconnect,
    .plan = plan_slacks,
    .open = open_slacks,
    .filter = filter_slacks,
    .next = next_slack,
    .is_at_end = slack_table_is_at_end,
    .column = slack_table_output_column,
    .row = slack_table_get_row,
    .close = close_slacks,
};
