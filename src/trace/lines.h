/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a text file of a trace, read piece by piece: no file is open between two pieces, and none is mapped. */
#ifndef LC_TRACE_LINES_H
#define LC_TRACE_LINES_H

#include "folder.h"
#include "problems.h"

/* What a line may have in bytes; from a longer one on, nothing is read. */
#define LC_LONGEST_LINE (1u << 20)

typedef struct
{
  LcFolder *folder; /* NULL: there is nothing to read */
  char *name;
  LcProblems *problems;
  const char *file;    /* the name in problems */
  guint64 file_size;   /* when it was opened; what is added later is not read */
  guint64 read;        /* so far */
  guint64 position;    /* where the next line begins */
  guint64 number;      /* of the last line, from 1 on */
  gsize piece;         /* so much is read at once */
  GByteArray *bytes;   /* what has been read and not given */
  gsize next, scanned; /* in `bytes` */
} LcLines;

/* `piece` is how much to read at once; `file` must live as long as the lines do. FALSE: it cannot be read. */
gboolean lc_lines_open (LcLines *lines, LcFolder *folder, const char *name, gsize piece, LcProblems *problems,
                        const char *file, GError **error);

/* Gives the next line without its end, good until the next call. FALSE: there is none. */
gboolean lc_lines_next (LcLines *lines, const char **line, gsize *length);

void lc_lines_clear (LcLines *lines);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcLines, lc_lines_clear)

#endif
