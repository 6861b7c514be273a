/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions at an address, and their lines, in debugging information. */
#ifndef LC_WHERE_FRAMES_H
#define LC_WHERE_FRAMES_H

#include <elfutils/libdw.h>
#include <glib.h>

#include "where/code-file.h"
#include "where/symbol-table.h"

/* One of the functions at an address. */
typedef struct
{
  char *function;   /* NULL: not known */
  const char *file; /* of the debugging information; NULL: not known */
  guint32 line;     /* 0: not known */
} LcFrame;

typedef struct _LcFrames LcFrames;

/* Both must live as long. The file has debugging information. */
LcFrames *lc_frames_new (LcCodeFile *file, const LcSymbolTable *symbols);
void lc_frames_free (LcFrames *frames);

/*
 * Appends what is at an address to `result` (LcFrame): the innermost of the functions that were put into one another
 * first, with the line of the address; after it each with the line of the call. FALSE: nothing is known of it.
 */
gboolean lc_frames_find (LcFrames *frames, guint64 address, GArray *result);

/*
 * Appends the function in which a thread began that was at an address, with the line of its declaration: of those that
 * were put into one another there, the outermost that is no library's; if all are, the one that they were put into.
 */
gboolean lc_frames_find_entry (LcFrames *frames, guint64 address, GArray *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFrames, lc_frames_free)

#endif
