/* SPDX-License-Identifier: Apache-2.0 */
/* The window with the user's preferences. */
#ifndef LC_APP_PREFERENCES_H
#define LC_APP_PREFERENCES_H

#include <adwaita.h>

/* Applies the preferences that concern the whole program, now and after each change. */
void lc_preferences_start (void);

void lc_preferences_show (GtkWindow *parent);

#endif
