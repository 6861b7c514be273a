/* SPDX-License-Identifier: Apache-2.0 */
/* The manual, in a window of its own. */
#ifndef LC_APP_HELP_WINDOW_H
#define LC_APP_HELP_WINDOW_H

#include <adwaita.h>

#define LC_TYPE_HELP_WINDOW (lc_help_window_get_type ())
G_DECLARE_FINAL_TYPE (LcHelpWindow, lc_help_window, LC, HELP_WINDOW, AdwWindow)

/* Shows the manual. `page`: a file like "browser.md", or a heading in it like "browser.md#find-an-event". */
void lc_help_window_show (GtkApplication *application, const char *page);

#endif
