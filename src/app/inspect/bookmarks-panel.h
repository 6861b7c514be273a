/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of bookmarks. */
#ifndef LC_APP_BOOKMARKS_PANEL_H
#define LC_APP_BOOKMARKS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_BOOKMARKS_PANEL (lc_bookmarks_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcBookmarksPanel, lc_bookmarks_panel, LC, BOOKMARKS_PANEL, GtkBox)

GtkWidget *lc_bookmarks_panel_new (LcSession *session);

/* Adds win.bookmark to the class of a window that is an LcShell. */
void lc_bookmarks_install_actions (GtkWidgetClass *class);

#endif
