/* SPDX-License-Identifier: Apache-2.0 */
/* The window: one session, the views of it, and the pages that stand there while there is no history. */
#ifndef LC_APP_BROWSER_H
#define LC_APP_BROWSER_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_BROWSER (lc_browser_get_type ())
G_DECLARE_FINAL_TYPE (LcBrowser, lc_browser, LC, BROWSER, AdwApplicationWindow)

LcBrowser *lc_browser_new (AdwApplication *application);

LcSession *lc_browser_get_session (LcBrowser *browser);

/* Opens a trace directory: merges it in the background if need be. */
void lc_browser_open (LcBrowser *browser, GFile *directory);

/* The trace that is open, on its way, or could not be opened; NULL: none. Belongs to the window. */
const char *lc_browser_get_directory (LcBrowser *browser);

/* TRUE: nothing is open in it, on its way, or being recorded. */
gboolean lc_browser_is_empty (LcBrowser *browser);

/* "welcome", "record", "opening", "failed", "diagram". */
void lc_browser_set_page (LcBrowser *browser, const char *page);
const char *lc_browser_get_page (LcBrowser *browser);

/* A sentence that goes away by itself. */
void lc_browser_tell (LcBrowser *browser, const char *text);

/* The same with a button; takes it. */
void lc_browser_add_toast (LcBrowser *browser, AdwToast *toast);

/* The part of the window that a panel is in; opens that side, and gives the panel the keyboard. */
void lc_browser_show_panel (LcBrowser *browser, const char *name);

/* NULL: there is none of that name. */
GtkWidget *lc_browser_get_panel (LcBrowser *browser, const char *name);

#endif
