/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar: the query, its interpretation, the number of hits, and the way from hit to hit. */
#ifndef LC_APP_SEARCH_BAR_H
#define LC_APP_SEARCH_BAR_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_SEARCH_BAR (lc_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcSearchBar, lc_search_bar, LC, SEARCH_BAR, GtkWidget)

GtkWidget *lc_search_bar_new (LcSession *session);

/* Opens the bar and gives it the focus; searches for `text` unless it is NULL. */
void lc_search_bar_open (LcSearchBar *bar, const char *text);

/* Goes to the next hit after the selection, or after the begin of the view without one; or to the hit before. */
void lc_search_bar_go (LcSearchBar *bar, gboolean backwards);

/* Adds win.search, win.search-for (s), win.search-next and win.search-previous to the window of the bar. */
void lc_search_bar_add_actions (LcSearchBar *bar, GActionMap *window);

#endif
