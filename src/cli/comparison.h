/* SPDX-License-Identifier: Apache-2.0 */
/* The output of lightcone compare. */
#ifndef LC_CLI_COMPARISON_H
#define LC_CLI_COMPARISON_H

#include "lightcone/sites.h"

/* `directories`: the traces, as the user has named them. `sites`: LcComparedSites; NULL: they are not shown. */
void lc_comparison_show (const LcComparison *comparison, const GArray *sites, const LcCompareSide sides_of_it[2],
                         char **directories, gsize limit, gboolean json);

#endif
