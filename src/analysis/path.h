/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the critical path's analysis share: the path while it is being found. */
#ifndef LC_ANALYSIS_PATH_H
#define LC_ANALYSIS_PATH_H

#include "lightcone/critical-path.h"

/* LcCriticalShare, by id. */
typedef struct
{
  GHashTable *by_id; /* places in `shares`, from 1 on */
  GArray *shares;
  guint32 last_id; /* of the one that was asked for last, and its place */
  guint last;
} LcPathShares;

struct _LcCriticalPath
{
  LcHistory *history;
  guint32 timeline;
  LcCriticalSummary summary;
  GArray *stays;       /* LcCriticalStay */
  guint32 *by_process; /* their numbers, by process and in order */
  guint32 *firsts;     /* where in these each process begins, and after the last one */
  LcPathShares shares[LC_CRITICAL_SHARES];
};

void lc_path_add_share (LcCriticalPath *path, LcCriticalShareKind kind, guint32 id, guint64 time, guint64 visits);

/* The time of the hop that a stay begins with counts as well. */
guint64 lc_path_stay_begin (const LcCriticalPath *path, guint stay);

/* The shares of the regions, when the stays are known. */
gboolean lc_path_find_regions (LcCriticalPath *path, GCancellable *cancellable, GError **error);

#endif
