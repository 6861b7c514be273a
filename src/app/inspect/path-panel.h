/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the critical path: its length, its shares, and steps along it. */
#ifndef LC_APP_PATH_PANEL_H
#define LC_APP_PATH_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_PATH_PANEL (lc_path_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcPathPanel, lc_path_panel, LC, PATH_PANEL, GtkBox)

GtkWidget *lc_path_panel_new (LcSession *session);

#endif
