/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of marks and notes. */
#ifndef LC_APP_MARKS_PANEL_H
#define LC_APP_MARKS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_MARKS_PANEL (lc_marks_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcMarksPanel, lc_marks_panel, LC, MARKS_PANEL, GtkBox)

GtkWidget *lc_marks_panel_new (LcSession *session);

#endif
