/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the diagram's input know of each other. */
#ifndef LC_APP_DIAGRAM_INPUT_PRIVATE_H
#define LC_APP_DIAGRAM_INPUT_PRIVATE_H

#include "app/diagram/diagram-input.h"
#include "app/diagram/diagram-moves.h"
#include "app/diagram/diagram-steps.h"

struct _LcDiagramInput
{
  GObject parent;

  LcDiagramArea *area; /* NULL: it is gone */
  LcSession *session;
  LcDiagramSteps *steps;
  GtkWidget *menu; /* NULL: there was none yet */

  double x; /* of the pointer */
  double y;
  gboolean pointed;

  guint glide; /* of the frames in which what was let go of moves on; 0: it does not */
  gint64 glide_time;
  double glide_x; /* pixels a second */
  double glide_y;

  gint64 zoomed;       /* when, by the monotonic clock: one turn of the wheel is one step back */
  GtkGesture *banding; /* of the rubber band that is there, or NULL */
};

/* The part in view as it will be when all that moves has come to rest, in the area. FALSE: there is nothing. */
gboolean lc_diagram_input_get_view (LcDiagramInput *input, LcDiagramView *view);

/* A place of a widget, in coordinates of the area. */
LcPlace lc_diagram_input_get_place (LcDiagramInput *input, GtkWidget *widget, double x, double y);

/* Only what `ways` allow of `span` comes into view. `remember`: Escape goes back to what was before. */
void lc_diagram_input_set_span (LcDiagramInput *input, const LcSpan *span, LcWays ways, gboolean remember);

/* The same of zooming, of which only the first of several in a row is remembered. */
void lc_diagram_input_zoom_to (LcDiagramInput *input, const LcSpan *span, LcWays ways);

/* To somewhere else: a zoom after it is another step back. */
void lc_diagram_input_jump_to (LcDiagramInput *input, const LcSpan *span, gboolean remember);

/* What is shown moves by so many pixels. */
void lc_diagram_input_pan (LcDiagramInput *input, double x, double y, LcWays ways);

/* The event that is meant by what is at a place, named as on the shown timeline. FALSE: none. */
gboolean lc_diagram_input_find_event (LcDiagramInput *input, const LcPick *pick, LcEventName *event);

/* The row that a place is in; LC_TRACE_NONE: none. */
guint32 lc_diagram_input_find_row (LcDiagramInput *input, LcPlace place);

/* An event, or a part of the axis, becomes as large as it can be seen well. */
void lc_diagram_input_show_event (LcDiagramInput *input, const LcHistoryEvent *event);
void lc_diagram_input_show_mark (LcDiagramInput *input, const LcMark *mark);

/* What is let go of moves on, ever slower. */
void lc_diagram_input_glide (LcDiagramInput *input, double x, double y, LcWays ways);
void lc_diagram_input_stop (LcDiagramInput *input);

/* FALSE: there is no rubber band. */
gboolean lc_diagram_input_drop_band (LcDiagramInput *input);

/* The menu of what is at a place of the area (`pick` NULL: of the selection, or of all). */
void lc_diagram_input_open_menu (LcDiagramInput *input, LcPlace place, const LcPick *pick);

void lc_diagram_input_add_wheel (LcDiagramInput *input, GtkWidget *widget, LcWays ways);
void lc_diagram_input_add_drag (LcDiagramInput *input, GtkWidget *widget, LcWays ways);
void lc_diagram_input_add_clicks (LcDiagramInput *input);
void lc_diagram_input_add_keys (LcDiagramInput *input);
void lc_diagram_input_add_tip (LcDiagramInput *input);
void lc_diagram_input_add_menu (LcDiagramInput *input);

#endif
