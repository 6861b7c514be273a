/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories side by side: their diagrams, which go together, and a list of how they differ. */
#ifndef LC_APP_COMPARE_WINDOW_H
#define LC_APP_COMPARE_WINDOW_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_COMPARE_WINDOW (lc_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (LcCompareWindow, lc_compare_window, LC, COMPARE_WINDOW, AdwApplicationWindow)

/* Opens both traces, and shows itself at once. `like`: whose history is the first one if it has it, and as which the
 * diagrams are shown; or NULL. */
void lc_compare_window_open (GtkApplication *application, const char *first, const char *second, LcSession *like);

/* win.compare of a browser: asks with which trace. */
void lc_compare_install_actions (GtkWidgetClass *class);

#endif
