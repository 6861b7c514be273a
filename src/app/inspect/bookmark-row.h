/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a bookmark: its note, which can be edited in place, and its place. */
#ifndef LC_APP_BOOKMARK_ROW_H
#define LC_APP_BOOKMARK_ROW_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_BOOKMARK_ROW (lc_bookmark_row_get_type ())
G_DECLARE_FINAL_TYPE (LcBookmarkRow, lc_bookmark_row, LC, BOOKMARK_ROW, GtkListBoxRow)

GtkWidget *lc_bookmark_row_new (LcSession *session);

/* Sets the number of the session's bookmark to show. */
void lc_bookmark_row_set (LcBookmarkRow *row, guint number);

#endif
