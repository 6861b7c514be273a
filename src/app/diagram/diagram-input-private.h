/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the diagram's input. */
#ifndef LC_APP_DIAGRAM_INPUT_PRIVATE_H
#define LC_APP_DIAGRAM_INPUT_PRIVATE_H

#include "app/diagram/diagram-input.h"
#include "app/diagram/diagram-moves.h"
#include "app/diagram/diagram-steps.h"

struct _LcDiagramInput
{
  GObject parent;

  LcDiagramArea *area; /* NULL: the area has been disposed */
  LcSession *session;
  LcDiagramSteps *steps;
  GtkWidget *menu; /* NULL: no menu was opened yet */

  double x; /* of the pointer */
  double y;
  gboolean pointed;

  guint glide; /* tick callback of a gliding diagram; 0: it stands still */
  gint64 glide_time;
  double glide_x; /* pixels a second */
  double glide_y;

  gint64 zoomed;       /* monotonic time of the last zoom: zooms in quick succession are one step back for Escape */
  GtkGesture *banding; /* gesture of the current rubber band, or NULL */
};

/* Returns the view as it will be after all animations. FALSE: there is no view. */
gboolean lc_diagram_input_get_view (LcDiagramInput *input, LcDiagramView *view);

/* Converts a place of a widget to coordinates of the area. */
LcPlace lc_diagram_input_get_place (LcDiagramInput *input, GtkWidget *widget, double x, double y);

/* Brings `span` into view as far as `ways` allow. `remember`: Escape goes back to the view before. */
void lc_diagram_input_set_span (LcDiagramInput *input, const LcSpan *span, LcWays ways, gboolean remember);

/* Zooms like lc_diagram_input_set_span; only the first of several zooms in a row is remembered. */
void lc_diagram_input_zoom_to (LcDiagramInput *input, const LcSpan *span, LcWays ways);

/* Jumps to a span; the next zoom starts a new step for Escape. */
void lc_diagram_input_jump_to (LcDiagramInput *input, const LcSpan *span, gboolean remember);

/* Pans the diagram by some pixels. */
void lc_diagram_input_pan (LcDiagramInput *input, double x, double y, LcWays ways);

/* Finds the event that a pick stands for, as named on the shown timeline. FALSE: none. */
gboolean lc_diagram_input_find_event (LcDiagramInput *input, const LcPick *pick, LcEventName *event);

/* Returns the row at a place; LC_TRACE_NONE: none. */
guint32 lc_diagram_input_find_row (LcDiagramInput *input, LcPlace place);

/* Zoom to an event, or to a mark, so that it can be seen well. */
void lc_diagram_input_show_event (LcDiagramInput *input, const LcHistoryEvent *event);
void lc_diagram_input_show_mark (LcDiagramInput *input, const LcMark *mark);

/* Lets the released diagram glide on, ever slower. */
void lc_diagram_input_glide (LcDiagramInput *input, double x, double y, LcWays ways);
void lc_diagram_input_stop (LcDiagramInput *input);

/* Removes the rubber band. FALSE: there is none. */
gboolean lc_diagram_input_drop_band (LcDiagramInput *input);

/* Opens the menu for a place of the area (`pick` NULL: for the selection, or for everything). */
void lc_diagram_input_open_menu (LcDiagramInput *input, LcPlace place, const LcPick *pick);

void lc_diagram_input_add_wheel (LcDiagramInput *input, GtkWidget *widget, LcWays ways);
void lc_diagram_input_add_drag (LcDiagramInput *input, GtkWidget *widget, LcWays ways);
void lc_diagram_input_add_clicks (LcDiagramInput *input);
void lc_diagram_input_add_keys (LcDiagramInput *input);
void lc_diagram_input_add_tip (LcDiagramInput *input);
void lc_diagram_input_add_menu (LcDiagramInput *input);

#endif
