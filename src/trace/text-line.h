/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a line of a text trace: BEGIN END OPERATION [OBJECT SEQUENCE] [key=value ...]. */
#ifndef LC_TRACE_TEXT_LINE_H
#define LC_TRACE_TEXT_LINE_H

#include "problems.h"

/* A word of the line; `bytes` NULL: missing. */
typedef struct
{
  const char *bytes;
  gsize length;
} LcWord;

typedef struct
{
  guint64 begin, end;
  LcWord operation, object;
  LcWord at; /* the place in the source; see text-place.h */
  gint64 sequence, value;
  guint64 bytes;
  guint32 peer;
  guint16 cpu;
  guint16 flags;
} LcTextLine;

/* The place of a line, and where its problems are counted. */
typedef struct
{
  LcProblems *problems;
  const char *file;
  guint64 number;
} LcTextPlace;

/*
 * Parses an event; FALSE, with a counted problem, if the line is not one. `line` has no newline. The order of times,
 * and whether the operation, object or process exists, are not checked.
 */
gboolean lc_text_line_read (LcTextLine *result, const char *line, gsize length, const LcTextPlace *place);

/* Parses BEGIN END KIND after `%absent`; FALSE: that is not what the line says. */
gboolean lc_text_line_read_absence (LcAbsence *result, const char *line, gsize length);

#endif
