/* SPDX-License-Identifier: Apache-2.0 */
/* Output of lightcone predict --sizes. */
#ifndef LC_CLI_SIZES_H
#define LC_CLI_SIZES_H

#include "lightcone/sizes.h"
#include "report/rows.h"

typedef struct
{
  const LcSizes *sizes;
  const char *const *directories; /* of the runs, in their order */
  GPtrArray *timelines;           /* char *: the same */
  const GArray *targets;          /* guint64: sizes to predict */
  gsize limit;                    /* parts to show */
} LcSizesShow;

void lc_sizes_show (const LcSizesShow *show, LcFormat format);

#endif
