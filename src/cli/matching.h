/* SPDX-License-Identifier: Apache-2.0 */
/* Matches events of the calibration's recording with the stamps of its workload that lie around them. */
#ifndef LC_CLI_MATCHING_H
#define LC_CLI_MATCHING_H

#include <glib.h>

#include "workload.h"

/* Sums in ns over the events of a loop; index 0 is the operation, 1 its partner. */
typedef struct
{
  double inside[2], after[2]; /* after: until the next event begins, if that is in the loop too */
  guint events[2], gaps[2];
  guint last;
  guint64 last_end;
} LcMatchedLoop;

/* A pair of stamps, and the event or the loop between them. */
typedef struct
{
  const LcWorkloadSeries *series; /* one of the recorded ones */
  guint64 before, after;          /* ns on the trace's clock */
  guint64 begin, end;             /* of the event */
  guint found;                    /* number of events */
  LcMatchedLoop loop;
} LcMatch;

typedef void (*LcMatchFunc) (const LcMatch *match, gpointer data);

/* Calls `func` for each pair of stamps of a recorded workload, those of a series in order. FALSE: an operation that was
 * done was not recorded. */
gboolean lc_match (const LcWorkload *workload, gboolean has_ranks, LcMatchFunc func, gpointer data, GError **error);

#endif
