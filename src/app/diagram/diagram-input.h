/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's input: wheel, pinch, drag, rubber band, keys, clicks, menu and tooltip of its area and its rulers. */
#ifndef LC_APP_DIAGRAM_INPUT_H
#define LC_APP_DIAGRAM_INPUT_H

#include "app/diagram/diagram-area.h"

/*
 * It must be held as long as the area is to listen. Its signal
 *
 *   pointed (LcDiagramInput *)   the pointer is at another place of the area, or has left it
 */
#define LC_TYPE_DIAGRAM_INPUT (lc_diagram_input_get_type ())
G_DECLARE_FINAL_TYPE (LcDiagramInput, lc_diagram_input, LC, DIAGRAM_INPUT, GObject)

/* It holds the session, not the area. */
LcDiagramInput *lc_diagram_input_new (LcDiagramArea *area, LcSession *session);

/* In which directions something moves and zooms. */
typedef enum
{
  LC_WAY_ALONG = 1 << 0,  /* the axis of time */
  LC_WAY_ACROSS = 1 << 1, /* rows */
  LC_WAYS = LC_WAY_ALONG | LC_WAY_ACROSS,
} LcWays;

/* A widget beside the area: wheel and drag on it move and zoom in its direction only. */
void lc_diagram_input_add_ruler (LcDiagramInput *input, GtkWidget *ruler, LcWays ways);

/* Where the pointer is, in coordinates of the area. FALSE: elsewhere. */
gboolean lc_diagram_input_get_pointer (LcDiagramInput *input, double *x, double *y);

/* Selects what is on a row, as near in time as can be to the selection, or to the middle of what is in view. */
void lc_diagram_input_select_row (LcDiagramInput *input, guint32 row);

#endif
