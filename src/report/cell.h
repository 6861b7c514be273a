/* SPDX-License-Identifier: Apache-2.0 */
/* Values of tables, and how programs and people read them. */
#ifndef LC_REPORT_CELL_H
#define LC_REPORT_CELL_H

#include "history/database.h"

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

/* A value, and how it is told. */
typedef struct
{
  LcValueType type;
  gboolean is_signed; /* of an integer: people read it with a sign, and not in groups of three digits */
  union
  {
    gint64 integer;
    double real;
  };
  const char *text;  /* of a text; of a real number: as its source has written it, or NULL */
  const char *shown; /* what people read instead of the text, or NULL */
} LcCell;

/* As programs and people read it; it has a value. Free with g_free. */
char *lc_cell_dup_raw (const LcCell *cell, LcCellKind kind);
char *lc_cell_dup_shown (const LcCell *cell, LcCellKind kind);

/* Puts cells in SQLite's order: nothing, numbers, texts. */
int lc_cell_compare (const LcCell *one, const LcCell *other);

/* Appends a field as in RFC 4180, which has no escapes: invisible characters other than newlines and tabs are written
 * as people see them. An empty text is "", so that an empty field is no value. */
void lc_csv_append (GString *line, const char *text);

#endif
