/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables event, arc and span share: which events a query needs, and these, some hundred at a time. */
#ifndef LC_HISTORY_TABLE_SCAN_H
#define LC_HISTORY_TABLE_SCAN_H

#include "store.h"

/* What belongs to the tables of one database. */
typedef struct
{
  LcDatabase *database;
  LcHistory *history; /* while `n_connected` is not 0 */
  guint n_connected;
  guint n_users;
} LcTables;

extern const LcVirtualTable lc_event_table;
extern const LcVirtualTable lc_arc_table;
extern const LcVirtualTable lc_span_table;

gboolean lc_tables_connect (gpointer tables, GError **error);
void lc_tables_disconnect (gpointer tables);

/* From the first to the last, both included. */
typedef struct
{
  gint64 low, high;
} LcRange;

/* Which columns of a table are what; -1: it has none. */
typedef struct
{
  int process, ordinal, begin, end, layer, object, sequence, timeline;
} LcScanColumns;

/* Bits of LcTablePlan.mode. */
enum
{
  LC_SCAN_ALL_TIMELINES = 1 << 0, /* the query says something about the timeline, but not which it is */
  LC_SCAN_MODES = 1 << 1,         /* bits from this on are a table's own */
};

/* Uses all constraints on these columns, and tells what this costs for a table that has so many rows for each event. */
void lc_scan_plan (LcTables *tables, const LcScanColumns *columns, double rows_per_event, LcTablePlan *plan);

/* The constraint "=" on a column, if the planner offers it, or NULL. */
LcConstraint *lc_scan_find_equal (const LcTablePlan *plan, int column);

typedef struct
{
  LcTables *tables;
  /* What is wanted, of each process; `columns` is the table's to set. */
  LcColumns columns;
  LcRange process, ordinal, begin, end, layer, object, sequence;
  GPtrArray *timelines; /* LcHistoryTimeline */
  gboolean is_measured; /* it is that timeline alone */
  /* Where it is. */
  guint timeline_at;
  guint32 process_at;
  const LcDirectory *directory; /* of the present process, or NULL */
  guint64 block, last_block;
  GArray *postings; /* LcPosting, if `by_postings` */
  gboolean by_postings;
  guint posting_at;
  /* What it has found. */
  LcHistoryEvent events[LC_BLOCK_EVENTS];
  guint32 first_arc[LC_BLOCK_EVENTS + 1];
  guint32 n_events;
  GArray *arcs; /* LcBlockArc */
} LcScan;

LcScan *lc_scan_new (LcTables *tables);
void lc_scan_free (LcScan *scan);

/* Sets what is wanted. */
gboolean lc_scan_choose (LcScan *scan, const LcScanColumns *columns, int mode, const LcConstraintValue *values,
                         gsize n_values, GError **error);

/* What it needs itself to choose. */
LcColumns lc_scan_get_columns (const LcScan *scan);

/* Goes to the first event wanted; what was chosen stays. */
gboolean lc_scan_begin (LcScan *scan, GError **error);

/* The next events, by timeline, process and ordinal: all that are wanted, and perhaps others. None: that was all. */
gboolean lc_scan_next (LcScan *scan, GError **error);

/* One to give back, with the `directory` of the present process. */
LcConnection *lc_scan_take_connection (LcScan *scan, GError **error);

/* A block of the present timeline, borrowed from the connection. */
const LcBlock *lc_scan_get_block (LcScan *scan, LcConnection *connection, guint32 process, guint64 number,
                                  LcColumns columns, GError **error);

/* The next process of the next timeline that is wanted, in `process_at` and `directory`, FALSE: that was all, or an
 * error. */
gboolean lc_scan_next_process (LcScan *scan, LcConnection *connection, GError **error);

/* The timeline of the events found. */
const LcHistoryTimeline *lc_scan_get_timeline (const LcScan *scan);

/* A number for an event as a row. */
gint64 lc_scan_row (guint32 process, guint64 ordinal);

#endif
