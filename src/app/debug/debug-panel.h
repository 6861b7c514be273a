/* SPDX-License-Identifier: Apache-2.0 */
/* The debugger: gdb at a program that runs again, its breakpoints, and values at each stop. */
#ifndef LC_APP_DEBUG_PANEL_H
#define LC_APP_DEBUG_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_DEBUG_PANEL (lc_debug_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcDebugPanel, lc_debug_panel, LC, DEBUG_PANEL, GtkBox)

GtkWidget *lc_debug_panel_new (LcSession *session);

/* Runs the program again up to an event, as numbered on the measured timeline, once the user has agreed: `program` is
 * what will be run, for the user to read, and `question` the same for a terminal outside. */
void lc_debug_panel_ask (LcDebugPanel *panel, const char *program, const char *question, const LcEventName *event);

/* Likewise, but so that the event comes before the one that had its lock before: that run is recorded, and compared
 * with this one. Only where the terminal is inside. */
void lc_debug_panel_ask_to_turn (LcDebugPanel *panel, const char *program, const LcEventName *event);

typedef enum
{
  LC_DEBUG_NEXT,      /* the process of the selected event goes on by one event */
  LC_DEBUG_HERE,      /* all go on to the selected event */
  LC_DEBUG_FINISH,    /* all others go on as far as they can */
  LC_DEBUG_GO,        /* to the next breakpoint */
  LC_DEBUG_INTERRUPT, /* */
  LC_DEBUG_END,       /* gdb and the program */
  LC_DEBUG_MOVES,
} LcDebugMove;

/* Tells the user if nothing runs, or if it cannot be done now. */
void lc_debug_panel_move (LcDebugPanel *panel, LcDebugMove move);

#endif
