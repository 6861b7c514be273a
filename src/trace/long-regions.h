/* SPDX-License-Identifier: Apache-2.0 */
/* Looks in the control block of a recording that goes on for regions that last for longer than their limits. */
#ifndef LC_TRACE_LONG_REGIONS_H
#define LC_TRACE_LONG_REGIONS_H

#include <glib.h>

#include "lightcone/control.h"

typedef struct _LcLongRegions LcLongRegions;

/* Call it before the program begins: from then on, nothing in the control block is more than a number. The control
 * block must live as long. NULL: no region has a limit. */
LcLongRegions *lc_long_regions_new (struct lc_control *control);
void lc_long_regions_free (LcLongRegions *regions);

typedef struct
{
  guint entry;
  struct lc_open_region region; /* as it was */
  guint32 process;
  const char *name; /* belongs to the LcLongRegions */
} LcLongRegion;

/* Finds a region that is too long at this time (ticks), and that was neither found nor passed before. */
gboolean lc_long_regions_find (LcLongRegions *regions, guint64 now, LcLongRegion *found);

/* Whether it has ended since it was found. */
gboolean lc_long_regions_is_over (const LcLongRegions *regions, const LcLongRegion *found);

/* Takes this one out. */
void lc_long_regions_remove (LcLongRegions *regions, const LcLongRegion *found);

/* Passes over all that are too long now. */
void lc_long_regions_pass (LcLongRegions *regions, guint64 now);

#endif
