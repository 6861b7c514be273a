/* SPDX-License-Identifier: Apache-2.0 */
/* Least squares with coefficients that are not negative: the time of a message by its bytes and hops. */
#ifndef LC_ANALYSIS_FIT_H
#define LC_ANALYSIS_FIT_H

#include <glib.h>

enum
{
  LC_FIT_COLUMNS = 3, /* constant, bytes, hops */
};

/* The sums of products of all rows. */
typedef struct
{
  long double products[LC_FIT_COLUMNS][LC_FIT_COLUMNS];
  long double by_value[LC_FIT_COLUMNS];
  long double value_squared;
  guint64 rows;
} LcFit;

void lc_fit_add (LcFit *fit, guint64 bytes, guint32 hops, double value);

/* Counts as `weight` equal rows. */
void lc_fit_add_weighted (LcFit *fit, double weight, guint64 bytes, guint32 hops, double value);

/* Finds the coefficients, none negative, with the least squared error. FALSE: there are no rows. */
gboolean lc_fit_solve (const LcFit *fit, double coefficients[LC_FIT_COLUMNS]);

#endif
