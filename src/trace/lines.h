/* SPDX-License-Identifier: Apache-2.0 */
/* Reads text files of a trace line by line, in pieces: no file stays open between two pieces, and none is mapped. */
#ifndef LC_TRACE_LINES_H
#define LC_TRACE_LINES_H

#include "folder.h"
#include "problems.h"

/* Longest line in bytes; reading stops at a longer one. */
#define LC_LONGEST_LINE (1u << 20)

typedef struct
{
  LcFolder *folder; /* NULL: nothing to read */
  char *name;
  LcProblems *problems;
  const char *file;    /* the name in problems */
  guint64 file_size;   /* when it was opened; later additions are not read */
  guint64 read;        /* bytes so far */
  guint64 position;    /* begin of the next line */
  guint64 number;      /* of the last line, from 1 on */
  gsize piece;         /* bytes to read at once */
  GByteArray *bytes;   /* bytes that are read but not returned yet */
  gsize next, scanned; /* in `bytes` */
} LcLines;

/* Opens a file. `piece`: bytes to read at once; `file` must outlive the lines. FALSE: the file cannot be read. */
gboolean lc_lines_open (LcLines *lines, LcFolder *folder, const char *name, gsize piece, LcProblems *problems,
                        const char *file, GError **error);

/* Returns the next line without its newline, valid until the next call. FALSE: there is none. */
gboolean lc_lines_next (LcLines *lines, const char **line, gsize *length);

void lc_lines_clear (LcLines *lines);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcLines, lc_lines_clear)

#endif
