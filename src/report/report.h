/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a result, once for all who show it: a title, sentences and tables. Where they go is decided by the
 * format: to standard output, for people or programs, or into memory, for a window. */
#ifndef LC_REPORT_REPORT_H
#define LC_REPORT_REPORT_H

#include "history/names.h"
#include "report/rows.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *what;          /* its name for programs */
  const char *title;         /* for people */
  const char *timeline_name; /* NULL: all timelines are shown */
  guint32 timeline;
  LcFormat format;
  gsize limit; /* rows of a table */
  GCancellable *cancellable;

  LcJson json;      /* of LC_FORMAT_JSON, once it is begun */
  LcResult *result; /* of LC_FORMAT_KEPT, which must be there before */
} LcReport;

/* Tells what it is: the title, and what was lost; in JSON, "what", "timeline" and what was lost. */
void lc_report_begin (LcReport *report);
void lc_report_end (LcReport *report);

/* Says something for people only; it is written as it is, and windows leave out the space around it. */
void lc_report_say (LcReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Says in a line of its own why there is no table. */
void lc_report_say_nothing (LcReport *report, const char *sentence);

/* Says that the history does not say where its events are, and how one does; programs' readers are told on standard
 * error. */
void lc_report_say_no_sites (LcReport *report);

/* Each adds a member to JSON, and nothing elsewhere. */
void lc_report_add_count (LcReport *report, const char *key, guint64 count);
void lc_report_add_string (LcReport *report, const char *key, const char *text);
void lc_report_add_number (LcReport *report, const char *key, const char *number); /* NULL: null */

/* Begins a table, a list with this key in JSON; see lc_rows_begin. */
LcRows *lc_report_begin_rows (LcReport *report, const LcRowsColumn *columns, guint n_columns, const char *key);

/* Adds two cells, the number and the name. */
void lc_report_add_object_cells (LcReport *report, LcRows *rows, guint32 object);
void lc_report_add_process_cells (LcReport *report, LcRows *rows, guint32 process);

#endif
