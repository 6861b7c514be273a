/* SPDX-License-Identifier: Apache-2.0 */
/* One line of a text trace: BEGIN END OPERATION [OBJECT SEQUENCE] [key=value ...]. */
#ifndef LC_TRACE_TEXT_LINE_H
#define LC_TRACE_TEXT_LINE_H

#include "problems.h"

/* A piece of the line; `bytes` NULL: it is not there. */
typedef struct
{
  const char *bytes;
  gsize length;
} LcWord;

typedef struct
{
  guint64 begin, end;
  LcWord operation, object;
  gint64 sequence, value;
  guint64 bytes;
  guint32 peer;
  guint16 cpu;
  guint16 flags;
} LcTextLine;

/* Where a line is, and who counts what is wrong with it. */
typedef struct
{
  LcProblems *problems;
  const char *file;
  guint64 number;
} LcTextPlace;

/*
 * Reads a line that is an event; FALSE if it has none, which is then counted. `line` is without its newline. Says
 * nothing about the order of times, nor whether there is such an operation, object or process.
 */
gboolean lc_text_line_read (LcTextLine *result, const char *line, gsize length, const LcTextPlace *place);

#endif
