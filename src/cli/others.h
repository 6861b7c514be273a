/* SPDX-License-Identifier: Apache-2.0 */
/* Sees how much the processors do for other programs. */
#ifndef LC_CLI_OTHERS_H
#define LC_CLI_OTHERS_H

#include <glib.h>

typedef struct
{
  guint64 now;     /* ns */
  double children; /* seconds of processors that were for the children that have ended */
  double others;   /* those that were neither for them nor for this process */
} LcOthers;

LcOthers lc_others_look (void);

/* Gives which share of all processors was for others between two looks: 0 to 1. */
double lc_others_get_share (const LcOthers *before, const LcOthers *after);

/* Whether that was so much that what was measured meanwhile does not count. */
gboolean lc_others_disturb (const LcOthers *before, const LcOthers *after);

#endif
