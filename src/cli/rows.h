/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers and names, written to standard output for people, or as CSV or JSON for programs. */
#ifndef LC_CLI_ROWS_H
#define LC_CLI_ROWS_H

#include "trace/json.h"

typedef enum
{
  LC_FORMAT_TEXT,
  LC_FORMAT_CSV,
  LC_FORMAT_JSON,
} LcFormat;

/* Parses "text", "csv" or "json". FALSE: it is no format, and the user has been told. */
gboolean lc_format_parse (const char *command, const char *name, LcFormat *format);

typedef enum
{
  LC_CELL_TEXT,
  LC_CELL_COUNT,
  LC_CELL_INTEGER,
  LC_CELL_TIME,   /* ns; people read a duration */
  LC_CELL_CHANGE, /* ns, positive or negative; people read a duration with a sign */
  LC_CELL_REST,   /* ns that are left of something: people read a duration, with a sign if it is below zero */
  LC_CELL_COST,   /* ns with decimals */
  LC_CELL_REAL,
  LC_CELL_RATIO, /* a real number near 1 */
  LC_CELL_BOOLEAN,
  LC_CELL_PERCENT, /* with a few decimals */
} LcCellKind;

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

/* Ends the table. `more` is the number of rows that were left out, which people are told. */
void lc_rows_end (LcRows *rows, guint64 more);

#endif
