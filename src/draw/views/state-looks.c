/* SPDX-License-Identifier: Apache-2.0 */
/* The states of processes in plots: their names, and how they look. */
#include "state-looks.h"

#include <glib/gi18n-lib.h>

#include "draw/diagram/diagram-private.h"

static const struct
{
  const char *name;
  LcInk ink;
} looks[LC_STATE_LOOKS] = {
    [LC_STATE_LOOK_RUNNING] = {N_ ("Running"), LC_INK_RUNNING},
    [LC_STATE_LOOK_PREEMPTED] = {N_ ("Without a processor"), LC_INK_PREEMPTED},
    [LC_STATE_LOOK_OUTSIDE] = {N_ ("Outside, or blocked unseen"), LC_INK_OUTSIDE},
    [LC_STATE_LOOK_WOKEN] = {N_ ("Woken, not yet going on"), LC_INK_WOKEN},
    [LC_STATE_LOOK_WAITING] = {N_ ("Waiting"), LC_INK_WAITING},
};

const char *
lc_state_look_get_name (LcStateLook look)
{
  return _ (looks[look].name);
}

LcFill
lc_state_look_get_fill (LcCanvas *canvas, LcStateLook look)
{
  if (look == LC_STATE_LOOK_RUNNING)
    return lc_canvas_color_fill (lc_diagram_get_running_color (lc_canvas_get_theme (canvas)));
  return lc_diagram_get_state_fill (canvas, looks[look].ink);
}

gboolean
lc_state_looks_fail_idle (GError **error)
{
  g_set_error (
      error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY,
      _ ("none of these processes did anything here that took time: choose other processes, or another part of "
         "the run"));
  return FALSE;
}
