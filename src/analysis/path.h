/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the critical path: the path while it is being found. */
#ifndef LC_ANALYSIS_PATH_H
#define LC_ANALYSIS_PATH_H

#include "lightcone/critical-path.h"
#include "lightcone/states.h"

/* The LcCriticalShare of one kind, by id. */
typedef struct
{
  GHashTable *by_id; /* id -> index in `shares` + 1 */
  GArray *shares;
  guint32 last_id; /* id that was looked up last, and its index + 1 */
  guint last;
} LcPathShares;

struct _LcCriticalPath
{
  LcHistory *history;
  guint32 timeline;
  LcCriticalSummary summary;
  GArray *stays;       /* LcCriticalStay */
  guint32 *by_process; /* indices of stays, by process and in order */
  guint32 *firsts;     /* by process: index of its first entry in `by_process`; one more entry than processes */
  LcPathShares shares[LC_CRITICAL_SHARES];
};

void lc_path_add_share (LcCriticalPath *path, LcCriticalShareKind kind, guint32 id, guint64 time, guint64 visits);

/* The sums of the times in which the processes of the path did not go on of themselves. */
typedef struct
{
  LcCriticalSummary *summary;
  guint8 *kinds;       /* by operation */
  GHashTable *outside; /* operation and object -> ns */
} LcPathOff;

void lc_path_off_init (LcPathOff *off, LcCriticalPath *path);
void lc_path_off_clear (LcPathOff *off);

/* Adds an event that the path goes through for so long. */
void lc_path_off_add_event (LcPathOff *off, const LcHistoryEvent *event, guint64 length);

/* Adds a time before the event `ordinal`, and after the one before it. */
gboolean lc_path_off_add_computing (LcPathOff *off, LcHistoryWalk *events, guint32 process, guint64 ordinal,
                                    guint64 from, guint64 to, GError **error);

/* Returns the begin of a stay, including the hop before it. */
guint64 lc_path_stay_begin (const LcCriticalPath *path, guint stay);

/* Finds the shares of the regions; the stays must be known. */
gboolean lc_path_find_regions (LcCriticalPath *path, GCancellable *cancellable, GError **error);

#endif
