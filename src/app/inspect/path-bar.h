/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path in one dimension: its time from left to right, and what it did in each part of it. */
#ifndef LC_APP_PATH_BAR_H
#define LC_APP_PATH_BAR_H

#include <gtk/gtk.h>

#include "app/inspect/path-details.h"
#include "lightcone/palette.h"

#define LC_TYPE_PATH_BAR (lc_path_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcPathBar, lc_path_bar, LC, PATH_BAR, GtkWidget)

/* A click goes to the stay at that place, arrow keys to the stay before or after. */
GtkWidget *lc_path_bar_new (LcSession *session);

/* Borrowed, until it is set again; NULL: there is none. */
void lc_path_bar_set (LcPathBar *bar, const LcPathDetails *details);

/* What the part of a path is drawn with. */
LcInk lc_path_bar_get_ink (LcCriticalPart part);

#endif
