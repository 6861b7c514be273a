/* SPDX-License-Identifier: Apache-2.0 */
/* The names by which the desktop knows the browser. */
#ifndef LC_APP_NAMES_H
#define LC_APP_NAMES_H

/* The name of the application on the bus, and of its desktop file, icon, settings and resources. */
#define LC_APPLICATION_ID "org.lightcone.Browser"
#define LC_RESOURCES "/org/lightcone/Browser/"

#endif
