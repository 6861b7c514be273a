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
  LC_ORIENTATION_USUAL, /* of pictures: what their view has where nobody chooses */
} LcOrientation;

/* How physical time is drawn; layers and phase time are always drawn as in Moviola. */
typedef enum
{
  LC_DIAGRAM_BODIES, /* a process is a body that is shaded where it did not run; operations are edges on it */
  LC_DIAGRAM_BOXES,  /* Moviola's: a process is a line, and an event a box on it */
} LcDiagramStyle;

/* What a legend has an entry for, each of which can be left out of the diagram. */
typedef enum
{
  LC_DIAGRAM_RUNNING,
  LC_DIAGRAM_EVENTS,
  LC_DIAGRAM_FUNCTIONS, /* events in the colours of functions, which are entries of their own; never left out */
  LC_DIAGRAM_WAITING,
  LC_DIAGRAM_WOKEN,
  LC_DIAGRAM_PREEMPTED,
  LC_DIAGRAM_OUTSIDE,
  LC_DIAGRAM_HOLDING,
  LC_DIAGRAM_MESSAGES, /* the kinds of calls of MPI, in the order of LcExchange */
  LC_DIAGRAM_COLLECTIVES,
  LC_DIAGRAM_REQUESTS,
  LC_DIAGRAM_BOUNDS,
  LC_DIAGRAM_PENDING,
  LC_DIAGRAM_GOING,
  LC_DIAGRAM_LOST,
  LC_DIAGRAM_CHOSEN, /* the event that past and future are of; never left out */
  LC_DIAGRAM_PAST,
  LC_DIAGRAM_FUTURE,
  LC_DIAGRAM_GAPS,
  LC_DIAGRAM_DATA, /* the arcs, in the order of LcSceneArcKind */
  LC_DIAGRAM_ORDER,
  LC_DIAGRAM_CRITICAL,
  LC_DIAGRAM_GROUPS,
  LC_DIAGRAM_LINKS,
  LC_DIAGRAM_BLOCKED,
  LC_DIAGRAM_REORDERED,
  LC_DIAGRAM_GAINED,
  LC_DIAGRAM_LESS,
  LC_DIAGRAM_MOVED,
  LC_DIAGRAM_KINDS,
} LcDiagramKind;

/* Sets a bit for each kind that a list names, as "waiting,order-arcs", with words that are the same in every language.
 * FALSE: `unknown` is a word that is no kind that
 * can be left out, or "", and is to be freed with g_free. */
gboolean lc_diagram_kinds_parse (const char *list, guint32 *kinds, char **unknown);

/* The reverse: NULL for none. Free with g_free. */
char *lc_diagram_kinds_dup (guint32 kinds);

/* Maps a part of a scene to an area. The part may differ from the one that the scene was made for: marks are then
 * stretched. */
typedef struct
{
  LcRectangle area;
  LcOrientation orientation;
  double from; /* positions at the area's edges; from < to */
  double to;
  double first_row; /* rows at the area's edges */
  double last_row;  /* end of the last row */
  LcSceneTime time; /* of the scene */
  guint n_tracks;   /* side by side in each row: 2 if the scene has a second timeline, else 1 */
  LcDiagramStyle style;
  guint32 hidden;     /* a bit for each LcDiagramKind that is left out; what it would cover stays empty */
  double looked_from; /* the part that is looked at, beyond which labels do not reach from within; not below ... */
  double looked_to;   /* ... this: all of it */
} LcDiagramView;

/* Maps the whole scene to this area. */
void lc_diagram_view_init (LcDiagramView *view, const LcScene *scene, LcRectangle area, LcOrientation orientation);

/* Converts a row and a position to a place, and back. */
LcPlace lc_diagram_get_place (const LcDiagramView *view, double row, double position);
void lc_diagram_get_position (const LcDiagramView *view, LcPlace place, double *row, double *position);

/* The size in pixels of one row, and of one unit of the axis. */
double lc_diagram_get_row_size (const LcDiagramView *view);
double lc_diagram_get_scale (const LcDiagramView *view);

/* Paints the marks, without axes, and nothing outside of the area. */
void lc_diagram_paint (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas);

/* Paints the names of the processes into `room`, along one side of the area. Names are cut, or only some are painted
 * (every tenth, say), where room is short. lc_diagram_measure_names gives the room that the names need, up to
 * `most`. */
double lc_diagram_measure_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, double most);
void lc_diagram_paint_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room);

/* Finds the mark or arc at a place, or at most `margin` away from it. */
gboolean lc_diagram_pick (const LcScene *scene, const LcDiagramView *view, LcPlace place, double margin, LcPick *pick);

/* The rectangle in which a mark is painted. */
LcRectangle lc_diagram_get_rectangle (const LcDiagramView *view, const LcMark *mark);

/* The line of an arc: from the side of one event's box to the side of the other. */
LcLine lc_diagram_get_arc_line (const LcDiagramView *view, const LcSceneArc *arc);

G_END_DECLS

#endif
