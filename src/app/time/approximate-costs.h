/* SPDX-License-Identifier: Apache-2.0 */
/* The costs that an approximation will use, where each comes from, and what to use instead. */
#ifndef LC_APP_APPROXIMATE_COSTS_H
#define LC_APP_APPROXIMATE_COSTS_H

#include <gtk/gtk.h>

#include "app/session/opened.h"
#include "lightcone/approximate.h"

/* They are looked for in the background. Its signal: `changed`, when settings or whether they are good are others. */
#define LC_TYPE_APPROXIMATE_COSTS (lc_approximate_costs_get_type ())
G_DECLARE_FINAL_TYPE (LcApproximateCosts, lc_approximate_costs, LC, APPROXIMATE_COSTS, GtkBox)

GtkWidget *lc_approximate_costs_new (LcOpened *opened);

/* Whether each setting can be what it is. */
gboolean lc_approximate_costs_are_good (LcApproximateCosts *costs);

/* What differs from what was found: section.key=value, NULL-terminated; g_strfreev. */
char **lc_approximate_costs_dup_settings (LcApproximateCosts *costs);

/* What would take another time, as it is typed: LcScale in a new array, or NULL: nothing. */
GArray *lc_approximate_costs_get_scales (LcApproximateCosts *costs);

#endif
