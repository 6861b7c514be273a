/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the large tables (event, arc, ...): finds the events that a query needs, and reads them in batches. */
#ifndef LC_HISTORY_TABLE_SCAN_H
#define LC_HISTORY_TABLE_SCAN_H

#include "store.h"

/* The state shared by the tables of one database. */
typedef struct
{
  LcDatabase *database;
  LcHistory *history; /* open while `n_connected` is not 0 */
  guint n_connected;
  guint n_users;
} LcTables;

extern const LcVirtualTable lc_event_table;
extern const LcVirtualTable lc_arc_table;
extern const LcVirtualTable lc_span_table;
extern const LcVirtualTable lc_state_table;
extern const LcVirtualTable lc_slack_table;

gboolean lc_tables_connect (gpointer tables, GError **error);
void lc_tables_disconnect (gpointer tables);

/* From `low` to `high`, both included. */
typedef struct
{
  gint64 low, high;
} LcRange;

/* The numbers of a table's columns; -1: it has no such column. */
typedef struct
{
  int process, ordinal, begin, end, layer, object, sequence, timeline;
} LcScanColumns;

/* Bits of LcTablePlan.mode. */
enum
{
  LC_SCAN_ALL_TIMELINES = 1 << 0, /* the query constrains the timeline, but not by name */
  LC_SCAN_MODES = 1 << 1,         /* bits from this one on are the table's own */
};

/* Uses all constraints on these columns, and estimates the cost for a table with so many rows for each event. */
void lc_scan_plan (LcTables *tables, const LcScanColumns *columns, double rows_per_event, LcTablePlan *plan);

/* Returns the constraint "=" on a column if the planner offers it, or NULL. */
LcConstraint *lc_scan_find_equal (const LcTablePlan *plan, int column);

typedef struct
{
  LcTables *tables;
  /* The wanted events of each process. The table sets `columns`, the columns to decode. */
  LcColumns columns;
  LcRange process, ordinal, begin, end, layer, object, sequence;
  GPtrArray *timelines; /* LcHistoryTimeline */
  gboolean is_measured; /* only the measured timeline is wanted */
  /* The present place. */
  guint timeline_at;
  guint32 process_at;
  const LcDirectory *directory; /* directory of the present process, or NULL */
  guint64 block, last_block;
  GArray *postings; /* LcPosting, if `by_postings` */
  gboolean by_postings;
  guint posting_at;
  /* The events found. */
  LcHistoryEvent events[LC_BLOCK_EVENTS];
  guint32 first_arc[LC_BLOCK_EVENTS + 1];
  guint32 n_events;
  GArray *arcs; /* LcBlockArc */
} LcScan;

LcScan *lc_scan_new (LcTables *tables);
void lc_scan_free (LcScan *scan);

/* Sets the wanted events from the constraints. */
gboolean lc_scan_choose (LcScan *scan, const LcScanColumns *columns, int mode, const LcConstraintValue *values,
                         gsize n_values, GError **error);

/* Returns the columns that the scan needs to find the wanted events. */
LcColumns lc_scan_get_columns (const LcScan *scan);

/* Goes to the first wanted event. What was chosen stays. */
gboolean lc_scan_begin (LcScan *scan, GError **error);

/* Reads the next events, in the order of timeline, process and ordinal: all wanted ones, perhaps also others. None:
 * there are no more. */
gboolean lc_scan_next (LcScan *scan, GError **error);

/* Takes a connection, to be given back, and looks up the `directory` of the present process with it. */
LcConnection *lc_scan_take_connection (LcScan *scan, GError **error);

/* Returns a block of the present timeline, borrowed from the connection. */
const LcBlock *lc_scan_get_block (LcScan *scan, LcConnection *connection, guint32 process, guint64 number,
                                  LcColumns columns, GError **error);

/* Goes to the next process, perhaps of the next timeline, and sets `process_at` and `directory`. FALSE: there are no
 * more, or an error. */
gboolean lc_scan_next_process (LcScan *scan, LcConnection *connection, GError **error);

/* Returns the timeline of the events found. */
const LcHistoryTimeline *lc_scan_get_timeline (const LcScan *scan);

/* Returns the row number of an event. */
gint64 lc_scan_row (guint32 process, guint64 ordinal);

#endif
