/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories side by side: two linked diagrams, and a list of the differences. */
#ifndef LC_APP_COMPARE_WINDOW_H
#define LC_APP_COMPARE_WINDOW_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_COMPARE_WINDOW (lc_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LcCompareWindow, lc_compare_window, LC, COMPARE_WINDOW, AdwApplicationWindow)

/* Opens both traces in a new window, which is shown at once. `like` (or NULL) sets how the diagrams are shown, and
 * lends its history if that is the first trace. */
void lc_compare_window_open (GtkApplication *application, const char *first, const char *second, LcSession *like);

/* Adds win.compare to a browser, which asks for the trace to compare with. */
void lc_compare_install_actions (GtkWidgetClass *class);

#endif
