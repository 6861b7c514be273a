/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar's work in the background: all hits, and the next one before all are known. */
#ifndef LC_APP_SEARCH_WORK_H
#define LC_APP_SEARCH_WORK_H

#include "app/search/search-find.h"

/* What is asked for. Any thread may hold it. */
typedef struct
{
  LcShown *shown;
  LcSearchNames *names; /* NULL: they have not been looked up */
  GArray *terms;        /* LcSearchTerm */
  gint counted;         /* hits so far: to be read with g_atomic_int_get */
} LcSearchRequest;

/* Takes the terms, and holds the others. */
LcSearchRequest *lc_search_request_new (LcShown *shown, LcSearchNames *names, GArray *terms);
LcSearchRequest *lc_search_request_ref (LcSearchRequest *request);
void lc_search_request_unref (LcSearchRequest *request);

typedef struct
{
  LcSearchNames *names;
  char *problem;     /* or NULL: nothing was looked for */
  char *explanation; /* or NULL */
  LcSearchFound *found;
} LcSearchAnswer;

void lc_search_answer_free (LcSearchAnswer *answer);

/* LcJobWork of a LcSearchRequest; gives a LcSearchAnswer. */
gpointer lc_search_work_all (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* Where to go from. */
typedef struct
{
  LcSearchRequest *request; /* held */
  LcSearchHit from;
  gboolean backwards;
} LcSearchStep;

void lc_search_step_free (LcSearchStep *step);

typedef struct
{
  LcSearchHit hit;
  gboolean any;
  gboolean backwards;
  gboolean wrapped; /* it is on the other side */
} LcSearchNext;

/* LcJobWork of a LcSearchStep; gives a LcSearchNext, to be freed with g_free. */
gpointer lc_search_work_next (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
