/* SPDX-License-Identifier: Apache-2.0 */
/* The window with the user's preferences. */
#ifndef LC_APP_PREFERENCES_H
#define LC_APP_PREFERENCES_H

#include <adwaita.h>

/* Applies what concerns the whole program, now and whenever it is changed. */
void lc_preferences_start (void);

void lc_preferences_show (GtkWindow *parent);

#endif
