/* SPDX-License-Identifier: Apache-2.0 */
/* What an approximation has come to: the numbers that `lightcone approximate` prints. */
#ifndef LC_APP_APPROXIMATE_RESULTS_H
#define LC_APP_APPROXIMATE_RESULTS_H

#include <adwaita.h>

#include "lightcone/approximate.h"

/* A group of rows for a page of preferences. */
GtkWidget *lc_approximate_results_new (const LcApproximation *approximation);

#endif
