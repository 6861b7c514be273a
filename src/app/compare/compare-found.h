/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between two runs, found in a thread, as rows of lists and lines of a summary. */
#ifndef LC_APP_COMPARE_FOUND_H
#define LC_APP_COMPARE_FOUND_H

#include "app/session/listed.h"
#include "lightcone/compare.h"

enum
{
  LC_COMPARE_MOST = 1000, /* most rows of a list */
};

typedef struct
{
  LcComparison *comparison;
  GPtrArray *order; /* LcListed, whose `number` is an index into comparison->order */
  GPtrArray *times; /* the same with comparison->times */
} LcCompareFound;

/* Makes the data for lc_compare_find from what the sessions show now. */
gpointer lc_compare_ask (LcSession *const sessions[2]);
void lc_compare_asked_free (gpointer asked);

/* An LcJobWork that returns an LcCompareFound. */
gpointer lc_compare_find (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_compare_found_free (gpointer found);

#endif
