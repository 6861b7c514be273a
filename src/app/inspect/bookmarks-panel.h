/* SPDX-License-Identifier: Apache-2.0 */
/* The bookmarks: places with a note. */
#ifndef LC_APP_BOOKMARKS_PANEL_H
#define LC_APP_BOOKMARKS_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_BOOKMARKS_PANEL (lc_bookmarks_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcBookmarksPanel, lc_bookmarks_panel, LC, BOOKMARKS_PANEL, GtkBox)

GtkWidget *lc_bookmarks_panel_new (LcSession *session);

/* win.bookmark, of a class of LcBrowser. */
void lc_bookmarks_install_actions (GtkWidgetClass *class);

#endif
