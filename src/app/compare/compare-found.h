/* SPDX-License-Identifier: Apache-2.0 */
/* How two runs differ, found in a thread, as rows of lists and lines of a summary. */
#ifndef LC_APP_COMPARE_FOUND_H
#define LC_APP_COMPARE_FOUND_H

#include "app/session/listed.h"
#include "lightcone/compare.h"

enum
{
  LC_COMPARE_MOST = 1000, /* rows of a list */
};

typedef struct
{
  LcComparison *comparison;
  GPtrArray *order; /* LcListed, whose `number` is a place in comparison->order */
  GPtrArray *times; /* likewise */
} LcCompareFound;

/* For lc_compare_find; as the sessions show them now. */
gpointer lc_compare_ask (LcSession *const sessions[2]);
void lc_compare_asked_free (gpointer asked);

/* As LcJobWork: LcCompareFound. */
gpointer lc_compare_find (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_compare_found_free (gpointer found);

#endif
