/* SPDX-License-Identifier: Apache-2.0 */
/* Least squares with coefficients that are not negative: what a message takes, by its bytes and hops. */
#ifndef LC_ANALYSIS_FIT_H
#define LC_ANALYSIS_FIT_H

#include <glib.h>

enum
{
  LC_FIT_COLUMNS = 3, /* 1, bytes, hops */
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

/* As so many rows, or as a part of one. */
void lc_fit_add_weighted (LcFit *fit, double weight, guint64 bytes, guint32 hops, double value);

/* The coefficients, none below 0, with the least squared error; FALSE: there are no rows. */
gboolean lc_fit_solve (const LcFit *fit, double coefficients[LC_FIT_COLUMNS]);

#endif
