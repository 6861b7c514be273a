/* SPDX-License-Identifier: Apache-2.0 */
/* A profile, in a window of its own: its picture, and the routines of each process. */
#ifndef LC_APP_PROFILE_WINDOW_H
#define LC_APP_PROFILE_WINDOW_H

#include <adwaita.h>

#define LC_TYPE_PROFILE_WINDOW (lc_profile_window_get_type ())
G_DECLARE_FINAL_TYPE (LcProfileWindow, lc_profile_window, LC, PROFILE_WINDOW, AdwApplicationWindow)

/* Whether this is a file that lightcone profile has left; its window is shown then. FALSE: it is something else. */
gboolean lc_profile_window_open (GtkApplication *application, const char *path);

#endif
