/* SPDX-License-Identifier: Apache-2.0 */
/* The results of an approximation: the numbers that `lightcone approximate` prints. */
#ifndef LC_APP_APPROXIMATE_RESULTS_H
#define LC_APP_APPROXIMATE_RESULTS_H

#include <adwaita.h>

#include "lightcone/approximate.h"

/* Makes a group of rows for a page of preferences. */
GtkWidget *lc_approximate_results_new (const LcApproximation *approximation);

#endif
