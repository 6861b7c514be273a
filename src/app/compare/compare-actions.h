/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of a window with two diagrams: some for both diagrams, some for the one that was used last. */
#ifndef LC_APP_COMPARE_ACTIONS_H
#define LC_APP_COMPARE_ACTIONS_H

#include <gtk/gtk.h>

#include "app/compare/compare-link.h"

/* `views` are the diagrams of the sessions within the window. The link outlives the actions. */
void lc_compare_actions_add (GtkApplicationWindow *window, LcSession *const sessions[2], GtkWidget *const views[2],
                             LcCompareLink *link);

#endif
