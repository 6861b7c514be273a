/* SPDX-License-Identifier: Apache-2.0 */
/* Finds problems of a trace, as rows of a list. */
#ifndef LC_APP_PROBLEMS_FIND_H
#define LC_APP_PROBLEMS_FIND_H

#include "app/session/listed.h"

/* Value of LcListed.number for a problem that is best seen in a view of the whole run. */
#define LC_PROBLEM_OF_ALL 1

typedef struct
{
  GPtrArray *rows; /* LcListed */
  guint64 n_wrong; /* problems that are more than a note */
  guint64 n_notes;
} LcFoundProblems;

void lc_found_problems_free (gpointer found);

/* An LcJobWork for an LcOpened that finds the problems its history knows. Takes some milliseconds. */
gpointer lc_problems_find (gpointer opened, gint *done, GCancellable *cancellable, GError **error);

#endif
