/* SPDX-License-Identifier: Apache-2.0 */
/* A few lines of a source file, around the one that a site is in. */
#ifndef LC_APP_SOURCE_LINES_H
#define LC_APP_SOURCE_LINES_H

#include "lightcone/history.h"

typedef struct
{
  char *path;   /* of the file, absolute */
  guint32 line; /* the line of the site */

  /* The lines from the one with number `first` on, without the blanks that all of them begin with. */
  guint32 first;
  GPtrArray *lines; /* char *, UTF-8 */
} LcSourceLines;

/* Reads the lines of a site from its file. A relative path begins at a folder that the program's module is in, at any
 * depth, or at the trace; a file that was moved may be beside one of them. NULL: there is no such regular file, or it
 * is not so long. */
LcSourceLines *lc_source_lines_read (const LcHistorySite *site, const char *trace_directory);
void lc_source_lines_free (LcSourceLines *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSourceLines, lc_source_lines_free)

#endif
