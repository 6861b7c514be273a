/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of problems of the trace, each with the place that it leads to. */
#ifndef LC_APP_PROBLEMS_PANEL_H
#define LC_APP_PROBLEMS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_PROBLEMS_PANEL (lc_problems_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcProblemsPanel, lc_problems_panel, LC, PROBLEMS_PANEL, GtkBox)

GtkWidget *lc_problems_panel_new (LcSession *session);

/* Adds win.problems, which shows the panel, to the class of a window that is an LcShell. */
void lc_problems_install_actions (GtkWidgetClass *class);

#endif
