/* SPDX-License-Identifier: Apache-2.0 */
/* Colours for the functions that a program calls its operations in. */
#ifndef LIGHTCONE_COLORING_H
#define LIGHTCONE_COLORING_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * The functions whose events take longest in the whole measured run, waiting included, have a colour of their own each;
 * all others share one. So a function has the same colour in every part of the run, and on every timeline. A coloring
 * is found once, by the first thread that needs it, in one pass over all events.
 */
typedef struct _LcColoring LcColoring;

enum
{
  LC_COLORING_MOST = 8, /* functions with a colour of their own: numbers from 0 to before this */
  LC_COLORING_OTHER = LC_COLORING_MOST,
  LC_COLORING_UNKNOWN, /* events of which nobody knows where they were called */
  LC_COLORING_COLORS,
};

/* The history must outlive it. Never NULL. */
LcColoring *lc_coloring_new (LcHistory *history);
LcColoring *lc_coloring_ref (LcColoring *coloring);
void lc_coloring_unref (LcColoring *coloring);

/* Finds the functions. Each thread calls this before the functions below; other threads wait while one looks. FALSE
 * with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED: the next call looks again. */
gboolean lc_coloring_find (LcColoring *coloring, GCancellable *cancellable, GError **error);

/* The number of a colour: of the function that an event with this stack (or LC_TRACE_NONE) was called in. */
guint lc_coloring_get (const LcColoring *coloring, guint32 stack);

/* The function of a colour; NULL if no function has it. It belongs to the coloring. */
const char *lc_coloring_get_function (const LcColoring *coloring, guint color);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcColoring, lc_coloring_unref)

G_END_DECLS

#endif
