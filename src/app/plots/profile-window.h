/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a profile: its picture, and the routines or call paths of each process. */
#ifndef LC_APP_PROFILE_WINDOW_H
#define LC_APP_PROFILE_WINDOW_H

#include <adwaita.h>

#define LC_TYPE_PROFILE_WINDOW (lc_profile_window_get_type ())
G_DECLARE_FINAL_TYPE (LcProfileWindow, lc_profile_window, LC, PROFILE_WINDOW, AdwApplicationWindow)

/* Opens the window of a file that `lightcone profile` has written. FALSE: the file is something else. */
gboolean lc_profile_window_open (GtkApplication *application, const char *path);

#endif
