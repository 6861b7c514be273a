/* SPDX-License-Identifier: Apache-2.0 */
/* Where the middle of many measurements lies, and how far they spread. */
#ifndef LC_CLI_SPREAD_H
#define LC_CLI_SPREAD_H

#include <glib.h>

/* The median and the quartiles; `count` is 0 when nothing was measured. */
typedef struct
{
  guint count;
  double low, median, high;
} LcSpread;

/* `values` are doubles; their order changes. */
LcSpread lc_spread_of (GArray *values);

/* What is left of each measurement when this much of it is something else's. Never less than nothing. */
LcSpread lc_spread_less (LcSpread spread, double ns);

#endif
