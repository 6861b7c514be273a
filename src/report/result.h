/* SPDX-License-Identifier: Apache-2.0 */
/* A result in memory: the rows of a report, or of a query, with what they lead to. */
#ifndef LC_REPORT_RESULT_H
#define LC_REPORT_RESULT_H

#include "report/cell.h"

/* The target of a cell or a row in the diagram. */
typedef enum
{
  LC_TARGET_NONE,
  LC_TARGET_EVENT,   /* process, ordinal */
  LC_TARGET_PROCESS, /* process */
  LC_TARGET_OBJECT,  /* object */
  LC_TARGET_TIME,    /* time, process or LC_TRACE_NONE */
} LcTargetKind;

typedef struct
{
  LcTargetKind kind;
  guint64 first;
  guint64 second;
  guint32 timeline; /* that the event is named on */
} LcTarget;

typedef struct
{
  char *name;  /* for programs; it says what the column leads to */
  char *title; /* for people; NULL: the column is not shown until it is chosen */
  LcCellKind kind;
  LcTargetKind link;
  gint first, second; /* the columns that have the numbers of the link; -1: none */
} LcResultColumn;

/* It never changes once it is made, so any thread may hold it. */
typedef struct
{
  GArray *columns;  /* LcResultColumn */
  guint32 timeline; /* that events are named on */
  guint n_rows;
  guint64 more;        /* rows that were left out */
  GArray *cells;       /* LcCell, row by row */
  GString *sentences;  /* a line each */
  const char *nothing; /* how a cell without a value is shown */
  GStringChunk *texts;
  gsize n_bytes;
} LcResult;

LcResult *lc_result_new (const char *nothing);
LcResult *lc_result_ref (LcResult *result);
void lc_result_unref (LcResult *result);

/* All columns come before the first cell. */
void lc_result_add_column (LcResult *result, const char *name, const char *title, LcCellKind kind);

/* Adds the next cell, row after row; its texts are copied. */
void lc_result_add_cell (LcResult *result, const LcCell *cell);
void lc_result_add_sentence (LcResult *result, const char *sentence);

/* Finds what the columns lead to. */
void lc_result_end (LcResult *result, guint64 more);

const LcResultColumn *lc_result_get_column (const LcResult *result, guint column);
const LcCell *lc_result_get_cell (const LcResult *result, guint row, guint column);

/* As it is shown. Free with g_free. */
char *lc_result_dup_shown (const LcResult *result, guint row, guint column);
LcTarget lc_result_get_link (const LcResult *result, guint row, guint column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcResult, lc_result_unref)

#endif
