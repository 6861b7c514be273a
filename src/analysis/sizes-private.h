/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that take apart the runs of several sizes. */
#ifndef LC_ANALYSIS_SIZES_PRIVATE_H
#define LC_ANALYSIS_SIZES_PRIVATE_H

#include "lightcone/sites.h"
#include "lightcone/sizes.h"
#include "preempted.h"

/* The processes of a class in a run. */
typedef struct
{
  char *name;
  GHashTable *parts; /* guint64 (operation << 32 | group of sites) to LcSizesPart */
} LcSizesClass;

/* A run that is being added. */
typedef struct
{
  LcSizes *sizes;
  LcHistory *history;
  guint32 timeline;
  LcSiteGroups *groups;
  LcPreempted *preempted;
  LcHistoryWalk *walk;    /* with arcs */
  GHashTable *classes;    /* LcSizesClass by name */
  LcSizesClass **classed; /* by process */
  guint64 last_end;       /* of the event before, on the process that is being visited */
  GError *error;
} LcSizesAdding;

/* Gives the amount of the event's part, until the next call. */
LcSizesAmount *lc_sizes_get_amount (LcSizesAdding *adding, const LcHistoryEvent *event);

/* Adds the critical path to the amounts, in all `span` ns long. */
gboolean lc_sizes_add_path (LcSizesAdding *adding, guint64 span, GCancellable *cancellable);

#endif
