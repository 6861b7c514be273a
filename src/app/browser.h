/* SPDX-License-Identifier: Apache-2.0 */
/* The window: one session, its views, and the pages that stand in for them while there is no history. */
#ifndef LC_APP_BROWSER_H
#define LC_APP_BROWSER_H

#include <adwaita.h>

#include "app/session/session.h"

#define LC_TYPE_BROWSER (lc_browser_get_type ())
G_DECLARE_FINAL_TYPE (LcBrowser, lc_browser, LC, BROWSER, AdwApplicationWindow)

LcBrowser *lc_browser_new (AdwApplication *application);

/* Opens the folder of a trace, and merges it in the background if need be. */
void lc_browser_open (LcBrowser *browser, GFile *directory);

/* The same for a recording that goes on, or is about to begin there: it is shown as it goes on. */
void lc_browser_follow (LcBrowser *browser, GFile *directory);

/* Returns the trace that is open, is being opened, or could not be opened; NULL: none. Belongs to the window. */
const char *lc_browser_get_directory (LcBrowser *browser);

/* Tells whether the window shows, opens and records nothing. */
gboolean lc_browser_is_empty (LcBrowser *browser);

/* The pages are "welcome", "record", "opening", "failed" and "diagram". */
void lc_browser_set_page (LcBrowser *browser, const char *page);
const char *lc_browser_get_page (LcBrowser *browser);

#endif
