/* SPDX-License-Identifier: Apache-2.0 */
/* The states of processes in plots of how long, or how many, are in each: their names, and how they look. */
#ifndef LC_DRAW_STATE_LOOKS_H
#define LC_DRAW_STATE_LOOKS_H

#include "draw/views/view.h"

/* In the order in which they are painted, from the axis on; they are the states of states.h. */
typedef enum
{
  LC_STATE_LOOK_RUNNING,
  LC_STATE_LOOK_PREEMPTED,
  LC_STATE_LOOK_OUTSIDE,
  LC_STATE_LOOK_WOKEN,
  LC_STATE_LOOK_WAITING,
  LC_STATE_LOOKS,
} LcStateLook;

/* Gives the translated name, as the legend of a diagram has it. */
const char *lc_state_look_get_name (LcStateLook look);

/* Gives the fill that the state has in a diagram. */
LcFill lc_state_look_get_fill (LcCanvas *canvas, LcStateLook look);

/* Sets the error of a view that has nothing to show, for no process has spent time here. Always FALSE. */
gboolean lc_state_looks_fail_idle (GError **error);

#endif
