/* SPDX-License-Identifier: Apache-2.0 */
/* Which events of the calibration's recording lie between which of its workload's stamps. */
#ifndef LC_CLI_MATCHING_H
#define LC_CLI_MATCHING_H

#include <glib.h>

#include "workload.h"

/* Of the events of a loop, 0: of the operation, 1: of its partner. Sums of ns. */
typedef struct
{
  double inside[2], after[2]; /* after: until the next event begins, if that is in the loop too */
  guint events[2], gaps[2];
  guint last;
  guint64 last_end;
} LcMatchedLoop;

/* A pair of stamps, and the event between them, or the loop. */
typedef struct
{
  const LcWorkloadSeries *series; /* of runs->recorded */
  guint64 before, after;          /* ns of the trace */
  guint64 begin, end;             /* of the event */
  guint found;                    /* events */
  LcMatchedLoop loop;
} LcMatch;

typedef void (*LcMatchFunc) (const LcMatch *match, gpointer data);

/* Calls `func` for each pair of stamps, those of a series in order. FALSE: something that was done was not recorded. */
gboolean lc_match (const LcWorkloadRuns *runs, LcMatchFunc func, gpointer data, GError **error);

#endif
