/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar's background work: finding all hits, and finding the next one while they are not all known. */
#ifndef LC_APP_SEARCH_WORK_H
#define LC_APP_SEARCH_WORK_H

#include "app/search/search-find.h"

/* A search request. Any thread may hold it. */
typedef struct
{
  LcShown *shown;
  LcSearchNames *names; /* NULL: not made yet */
  GArray *terms;        /* LcSearchTerm */
  gint counted;         /* hits so far, read with g_atomic_int_get */
} LcSearchRequest;

/* Takes ownership of the terms, and holds the others. */
LcSearchRequest *lc_search_request_new (LcShown *shown, LcSearchNames *names, GArray *terms);
LcSearchRequest *lc_search_request_ref (LcSearchRequest *request);
void lc_search_request_unref (LcSearchRequest *request);

typedef struct
{
  LcSearchNames *names;
  char *problem;     /* why there was no search, or NULL */
  char *explanation; /* or NULL */
  LcSearchFound *found;
  LcKept *places; /* LcDiagramHits, for the diagram; NULL: there are too many, or the axis is not known yet */
} LcSearchAnswer;

void lc_search_answer_free (LcSearchAnswer *answer);

/* An LcJobWork of an LcSearchRequest that returns an LcSearchAnswer. */
gpointer lc_search_work_all (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* The start of a step to the next hit. */
typedef struct
{
  LcSearchRequest *request; /* held */
  LcSearchHit from;
  gboolean is_at_edge; /* from before the first event on: `from` does not count */
  gboolean backwards;
} LcSearchStep;

void lc_search_step_free (LcSearchStep *step);

typedef struct
{
  LcSearchHit hit;
  gboolean any;
  gboolean backwards;
  gboolean wrapped; /* found after wrapping around the end of the run */
} LcSearchNext;

/* An LcJobWork of an LcSearchStep that returns an LcSearchNext, to be freed with g_free. */
gpointer lc_search_work_next (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
