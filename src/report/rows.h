/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers and names: written to standard output for people, or as CSV or JSON for programs, or kept. */
#ifndef LC_REPORT_ROWS_H
#define LC_REPORT_ROWS_H

#include "report/result.h"
#include "trace/json.h"

typedef enum
{
  LC_FORMAT_TEXT,
  LC_FORMAT_CSV,
  LC_FORMAT_JSON,
  LC_FORMAT_KEPT, /* as an LcResult, for a window */
} LcFormat;

typedef struct
{
  const char *name;  /* for programs; it must never change */
  const char *title; /* for people; NULL: the column is not shown */
  LcCellKind kind;
} LcRowsColumn;

typedef struct _LcRows LcRows;

/*
 * Begins a table. Its columns must outlive it. JSON writes a list with this key into `json`; the other formats ignore
 * both. Formats for programs are written at once, text for people when the table ends, since it has to be aligned.
 */
LcRows *lc_rows_begin (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json, const char *key);

/* Does the same, of no more than `limit` rows, which are told by lc_rows_limit or lc_rows_next. LC_FORMAT_KEPT has the
 * `result`. */
LcRows *lc_rows_begin_some (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json,
                            const char *key, guint64 limit, LcResult *result);

/* Gives how many of `n` rows, which are all that there are, must be added. */
guint lc_rows_limit (LcRows *rows, guint n);

/* Counts a row. FALSE: it is above the limit, and must not be added. */
gboolean lc_rows_next (LcRows *rows);

/* Each adds the next cell, row after row; it must be of the column's kind. */
void lc_rows_add_text (LcRows *rows, const char *text); /* NULL: an empty cell */
void lc_rows_add_name (LcRows *rows, const char *text, const char *for_people);
void lc_rows_add_count (LcRows *rows, guint64 count); /* for times too */
void lc_rows_add_integer (LcRows *rows, gint64 integer);
void lc_rows_add_real (LcRows *rows, double real);                    /* an empty cell if it is no finite number */
void lc_rows_add_percent (LcRows *rows, guint64 part, guint64 whole); /* an empty cell if `whole` is 0 */
void lc_rows_add_boolean (LcRows *rows, gboolean value,
                          const char *for_people); /* people read `for_people` if it is TRUE */
void lc_rows_add_nothing (LcRows *rows);
void lc_rows_add_nothings (LcRows *rows, guint n);
void lc_rows_add_id (LcRows *rows, guint32 id); /* an empty cell if it is LC_TRACE_NONE */

/* Ends the table. People are told how many rows were above the limit, or have been left out in another way (`more`). */
void lc_rows_end (LcRows *rows, guint64 more);

#endif
