/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path as a bar: time from left to right, and the activities of the path in each part of it. */
#ifndef LC_APP_PATH_BAR_H
#define LC_APP_PATH_BAR_H

#include <gtk/gtk.h>

#include "app/inspect/path-details.h"
#include "lightcone/palette.h"

#define LC_TYPE_PATH_BAR (lc_path_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcPathBar, lc_path_bar, LC, PATH_BAR, GtkWidget)

/* A click goes to the stay at that place, arrow keys go to the stay before or after. */
GtkWidget *lc_path_bar_new (LcSession *session);

/* Sets the details, which are borrowed until the next call; NULL: none. */
void lc_path_bar_set (LcPathBar *bar, const LcPathDetails *details);

/* Returns the ink for a part of the path. */
LcInk lc_path_bar_get_ink (LcCriticalPart part);

#endif
