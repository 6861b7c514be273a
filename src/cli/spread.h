/* SPDX-License-Identifier: Apache-2.0 */
/* The median and the quartiles of many measurements. */
#ifndef LC_CLI_SPREAD_H
#define LC_CLI_SPREAD_H

#include <glib.h>

/* `count` is 0 if nothing was measured. */
typedef struct
{
  guint count;
  double low, median, high;
} LcSpread;

/* `values` are doubles; their order changes. */
LcSpread lc_spread_of (GArray *values);

/* Subtracts the time that something else takes from each measurement. The result is never below 0. */
LcSpread lc_spread_less (LcSpread spread, double ns);

/* Gives the interval in which the median of all such measurements is with a probability of 95 %, or as near as so few
 * measurements come to it; returns that probability. No distribution is assumed. */
double lc_spread_interval (GArray *values, double *low, double *high);

#endif
