/* SPDX-License-Identifier: Apache-2.0 */
/* The output of lightcone compare. */
#ifndef LC_CLI_COMPARISON_H
#define LC_CLI_COMPARISON_H

#include "lightcone/compare.h"

/* `directories`: the traces, as the user has named them. */
void lc_comparison_show (const LcComparison *comparison, const LcCompareSide sides[2], char **directories,
                         gboolean json);

#endif
