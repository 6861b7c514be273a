/* SPDX-License-Identifier: Apache-2.0 */
/* The costs that an approximation will use, with their sources, and entries to override them. */
#ifndef LC_APP_APPROXIMATE_COSTS_H
#define LC_APP_APPROXIMATE_COSTS_H

#include <gtk/gtk.h>

#include "app/session/opened.h"
#include "lightcone/approximate.h"

/* The costs are found in the background. Emits `changed` when a setting or its validity has changed. */
#define LC_TYPE_APPROXIMATE_COSTS (lc_approximate_costs_get_type ())
G_DECLARE_FINAL_TYPE (LcApproximateCosts, lc_approximate_costs, LC, APPROXIMATE_COSTS, GtkBox)

GtkWidget *lc_approximate_costs_new (LcOpened *opened);

/* Tells whether all settings are valid. */
gboolean lc_approximate_costs_are_good (LcApproximateCosts *costs);

/* Returns the overridden settings as section.key=value, NULL-terminated. Free with g_strfreev. */
char **lc_approximate_costs_dup_settings (LcApproximateCosts *costs);

/* Returns the typed "what if" scales as LcScale in a new array, or NULL: none. */
GArray *lc_approximate_costs_get_scales (LcApproximateCosts *costs);

#endif
