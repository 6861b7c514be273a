/* SPDX-License-Identifier: Apache-2.0 */
/* The application: its windows, what it opens, and the actions that belong to no window. */
#ifndef LC_APP_APPLICATION_H
#define LC_APP_APPLICATION_H

#include <adwaita.h>

#define LC_TYPE_APPLICATION (lc_application_get_type ())
G_DECLARE_FINAL_TYPE (LcApplication, lc_application, LC, APPLICATION, AdwApplication)

/* The name of the application on the bus, and of its desktop file, icon, settings and resources. */
#define LC_APPLICATION_ID "org.lightcone.Browser"
#define LC_RESOURCES "/org/lightcone/Browser/"

LcApplication *lc_application_new (void);

/* Opens a profile in a window of its own; else a trace, of which `file` is the folder or lies in it: in the window that
 * already shows it, else in `window` (an LcBrowser, or NULL) if that is empty, else in a new window. */
void lc_application_open_in (LcApplication *application, GFile *file, gpointer window);

#endif
