/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram's input: wheel, pinch, drag, rubber band, keys, clicks, menu and tooltip of its area and its rulers. */
#ifndef LC_APP_DIAGRAM_INPUT_H
#define LC_APP_DIAGRAM_INPUT_H

#include "app/diagram/diagram-area.h"

/*
 * The input works as long as somebody holds it. Its signal
 *
 *   pointed (LcDiagramInput *)   the pointer has moved within the area, or left it
 */
#define LC_TYPE_DIAGRAM_INPUT (lc_diagram_input_get_type ())
G_DECLARE_FINAL_TYPE (LcDiagramInput, lc_diagram_input, LC, DIAGRAM_INPUT, GObject)

/* Makes an input that holds the session, but not the area. */
LcDiagramInput *lc_diagram_input_new (LcDiagramArea *area, LcSession *session);

/* The directions in which a gesture moves or zooms the view. */
typedef enum
{
  LC_WAY_ALONG = 1 << 0,  /* along the axis of time */
  LC_WAY_ACROSS = 1 << 1, /* across rows */
  LC_WAYS = LC_WAY_ALONG | LC_WAY_ACROSS,
} LcWays;

/* Adds a widget beside the area, on which wheel and drag work in its direction only. */
void lc_diagram_input_add_ruler (LcDiagramInput *input, GtkWidget *ruler, LcWays ways);

/* Returns the pointer in coordinates of the area. FALSE: it is elsewhere. */
gboolean lc_diagram_input_get_pointer (LcDiagramInput *input, double *x, double *y);

/* Selects the event on a row that is nearest in time to the selection, or to the middle of the view. */
void lc_diagram_input_select_row (LcDiagramInput *input, guint32 row);

#endif
