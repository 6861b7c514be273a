/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions that run the program again: to stop at events, or to turn one round with another. */
#ifndef LC_APP_DEBUG_ACTIONS_H
#define LC_APP_DEBUG_ACTIONS_H

#include <gtk/gtk.h>

#include "lightcone/history.h"

/* Adds win.debug, win.turn-round, win.breakpoint, win.debugger, and those that let a program go on. */
void lc_debug_install_actions (GtkWidgetClass *class);

/* Whether an event got a lock or a crew that another one had before. */
gboolean lc_debug_can_turn_round (LcHistory *history, const LcHistoryEvent *event);

#endif
