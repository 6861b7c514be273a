/* SPDX-License-Identifier: Apache-2.0 */
/* The pane for SQL: a query, and its result as a table. */
#ifndef LC_APP_SQL_PANEL_H
#define LC_APP_SQL_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_SQL_PANEL (lc_sql_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcSqlPanel, lc_sql_panel, LC, SQL_PANEL, GtkBox)

GtkWidget *lc_sql_panel_new (LcSession *session);

/* Installs the action `win.sql`: the pane in the place of the plots, or the plots again. */
void lc_sql_install_actions (GtkWidgetClass *class);

#endif
