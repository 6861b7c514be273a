/* SPDX-License-Identifier: Apache-2.0 */
/* The process panel: the shown processes, their order, and their groups. */
#ifndef LC_APP_PROCESS_PANEL_H
#define LC_APP_PROCESS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_PROCESS_PANEL (lc_process_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessPanel, lc_process_panel, LC, PROCESS_PANEL, GtkWidget)

GtkWidget *lc_process_panel_new (LcSession *session);

#endif
