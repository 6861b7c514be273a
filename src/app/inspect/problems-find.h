/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is wrong with a trace, as rows of a list. */
#ifndef LC_APP_PROBLEMS_FIND_H
#define LC_APP_PROBLEMS_FIND_H

#include "app/session/listed.h"

/* LcListed.number: it is seen best where the whole run is. */
#define LC_PROBLEM_OF_ALL 1

typedef struct
{
  GPtrArray *rows; /* LcListed */
  guint64 n_wrong; /* that are more than a note */
  guint64 n_notes;
} LcFoundProblems;

void lc_found_problems_free (gpointer found);

/* As LcJobWork, of an LcOpened: what its history knows. Some milliseconds. */
gpointer lc_problems_find (gpointer opened, gint *done, GCancellable *cancellable, GError **error);

/* Likewise: reads of what nobody had written yet, by a sweep of the trace. */
gpointer lc_problems_find_early_reads (gpointer opened, gint *done, GCancellable *cancellable, GError **error);

#endif
