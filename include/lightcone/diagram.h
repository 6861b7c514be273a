/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram: a scene painted on a canvas, and from a place on the canvas back to the scene. */
#ifndef LIGHTCONE_DIAGRAM_H
#define LIGHTCONE_DIAGRAM_H

#include "lightcone/canvas.h"
#include "lightcone/scene.h"

G_BEGIN_DECLS

typedef enum
{
  LC_ORIENTATION_DOWN,  /* processes across, time down */
  LC_ORIENTATION_RIGHT, /* processes down, time to the right */
} LcOrientation;

/* Which part of a scene lies where. It may be another part than the scene was made for: what it has is stretched. */
typedef struct
{
  LcRectangle area;
  LcOrientation orientation;
  double from; /* positions at the area's edges; from < to */
  double to;
  double first_row; /* rows at the area's edges */
  double last_row;  /* after the last one */
  LcSceneTime time; /* of the scene */
  guint n_tracks;   /* side by side in each row: 2 if the scene has a timeline beside the other */
} LcDiagramView;

/* All of the scene in this area. */
void lc_diagram_view_init (LcDiagramView *view, const LcScene *scene, LcRectangle area, LcOrientation orientation);

/* Where something is, and back. */
LcPlace lc_diagram_get_place (const LcDiagramView *view, double row, double position);
void lc_diagram_get_position (const LcDiagramView *view, LcPlace place, double *row, double *position);

/* Pixels of one row, and of one unit of the axis. */
double lc_diagram_get_row_size (const LcDiagramView *view);
double lc_diagram_get_scale (const LcDiagramView *view);

/* The marks, without axes; nothing outside of the area. */
void lc_diagram_paint (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas);

/* Names of the processes along one side of the area, cut or left out where there is no room (then some are: every
 * tenth ...), in `room` beside it; and the room that they need at most. */
double lc_diagram_measure_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, double most);
void lc_diagram_paint_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room);

/* What is at a place, at most `margin` away from it. */
gboolean lc_diagram_pick (const LcScene *scene, const LcDiagramView *view, LcPlace place, double margin, LcPick *pick);

/* Where a mark is painted. */
LcRectangle lc_diagram_get_rectangle (const LcDiagramView *view, const LcMark *mark);

/* Where an arc is drawn: from the side of one event's box to the side of the other. */
LcLine lc_diagram_get_arc_line (const LcDiagramView *view, const LcSceneArc *arc);

G_END_DECLS

#endif
