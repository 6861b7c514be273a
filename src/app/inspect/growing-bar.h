/* SPDX-License-Identifier: Apache-2.0 */
/* The bar above the diagram of a program that is still running: it watches the recording, and asks for refreshes. */
#ifndef LC_APP_GROWING_BAR_H
#define LC_APP_GROWING_BAR_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* The bar refreshes by the action win.refresh. */
#define LC_TYPE_GROWING_BAR (lc_growing_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcGrowingBar, lc_growing_bar, LC, GROWING_BAR, GtkBox)

GtkWidget *lc_growing_bar_new (LcSession *session);

/* Refreshes again and again from now on. */
void lc_growing_bar_keep_up (LcGrowingBar *bar);

/* Starts watching a trace whose history was opened in `duration` microseconds; `growing`: it was still being recorded
 * before. NULL: stops watching. */
void lc_growing_bar_watch (LcGrowingBar *bar, const char *directory, gint64 duration, gboolean growing);

/* Tells the bar whether a refresh is running. */
void lc_growing_bar_set_busy (LcGrowingBar *bar, gboolean busy);

/* Shows a later history of the trace that is shown. What is in view stays, or stays at the end of time if the user
 * follows that. */
void lc_growing_bar_show (LcGrowingBar *bar, LcOpened *opened);
void lc_growing_bar_toggle_follow (LcGrowingBar *bar);

#endif
