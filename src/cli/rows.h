/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of numbers and names, written to standard output for people, or as CSV or JSON for programs. */
#ifndef LC_CLI_ROWS_H
#define LC_CLI_ROWS_H

#include "json.h"

typedef enum
{
  LC_FORMAT_TEXT,
  LC_FORMAT_CSV,
  LC_FORMAT_JSON,
} LcFormat;

/* "text", "csv" or "json"; FALSE: the user has been told that it is none. */
gboolean lc_format_parse (const char *command, const char *name, LcFormat *format);

typedef enum
{
  LC_CELL_TEXT,
  LC_CELL_COUNT,
  LC_CELL_INTEGER,
  LC_CELL_TIME,   /* ns; people read a duration */
  LC_CELL_CHANGE, /* ns, more or less; people read a duration with a sign */
  LC_CELL_REST,   /* ns that something was taken from: people read a duration, with a sign if it is below zero */
  LC_CELL_COST,   /* ns with decimals */
  LC_CELL_REAL,
  LC_CELL_BOOLEAN,
  LC_CELL_PERCENT, /* with a few decimals */
} LcCellKind;

typedef struct
{
  const char *name;  /* for programs: for ever */
  const char *title; /* for people; NULL: they are not shown it */
  LcCellKind kind;
} LcRowsColumn;

typedef struct _LcRows LcRows;

/*
 * Begins a table. Its columns must live as long. JSON: a list with this key in `json`; the others use neither. What is
 * for programs is written as it comes; what is for people when the table ends, for it has to be aligned.
 */
LcRows *lc_rows_begin (LcFormat format, const LcRowsColumn *columns, guint n_columns, LcJson *json, const char *key);

/* The next cell, row after row, of the column's kind. */
void lc_rows_add_text (LcRows *rows, const char *text); /* NULL: nothing */
void lc_rows_add_count (LcRows *rows, guint64 count);   /* or a time */
void lc_rows_add_integer (LcRows *rows, gint64 integer);
void lc_rows_add_real (LcRows *rows, double real);                               /* nothing if it is no number */
void lc_rows_add_percent (LcRows *rows, guint64 part, guint64 whole);            /* nothing if there is no whole */
void lc_rows_add_boolean (LcRows *rows, gboolean value, const char *for_people); /* they read this if it is TRUE */
void lc_rows_add_nothing (LcRows *rows);

/* `more`: how many rows were left out; people are told. */
void lc_rows_end (LcRows *rows, guint64 more);

#endif
