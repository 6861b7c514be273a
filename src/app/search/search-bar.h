/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar: what is looked for, how it was understood, how many events that is, and the way to the next one. */
#ifndef LC_APP_SEARCH_BAR_H
#define LC_APP_SEARCH_BAR_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_SEARCH_BAR (lc_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcSearchBar, lc_search_bar, LC, SEARCH_BAR, GtkWidget)

GtkWidget *lc_search_bar_new (LcSession *session);

/* Shows it, with the keyboard; `text`, if not NULL, is then looked for. */
void lc_search_bar_open (LcSearchBar *bar, const char *text);

/* To the next hit after the selection, or else after the begin of what is in view; or to the one before. */
void lc_search_bar_go (LcSearchBar *bar, gboolean backwards);

/* win.search, win.search-for (s), win.search-next, win.search-previous, of the window that it is in. */
void lc_search_bar_add_actions (LcSearchBar *bar, GActionMap *window);

#endif
