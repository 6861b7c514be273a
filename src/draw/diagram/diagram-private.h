/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the diagram's painter: positions across a row, and what is being painted. */
#ifndef LC_DRAW_DIAGRAM_PRIVATE_H
#define LC_DRAW_DIAGRAM_PRIVATE_H

#include "lightcone/diagram.h"

/* --- Positions (diagram.c) ---------------------------------------------------------------------------------------- */

/* Rows narrower than this many pixels have no boxes and lines: they are cells. */
#define LC_DIAGRAM_CELL_ROW 3.0

/* Rows of summaries narrower than this are cells too. */
#define LC_DIAGRAM_CELL_SUMMARY 5.0

/* Breadths across the row in pixels, for each track. */
typedef struct
{
  double event;
  double holding;
  double summary;
  double life;
} LcDiagramBreadths;

void lc_diagram_get_breadths (const LcDiagramView *view, LcDiagramBreadths *breadths);

/* Whether processes are bodies: not in discrete time, nor in Moviola's style. */
gboolean lc_diagram_has_bodies (const LcDiagramView *view);

/* The middle of the strip beside a body, in rows, where `lane` is the middle of the body: on the side of the rows
 * before it (-1), for what it holds, or after it (1), for its operations. Gives the strip's breadth in pixels. */
double lc_diagram_get_strip (const LcDiagramView *view, double lane, int side, double *breadth);

/* The middle of a track, in rows. */
double lc_diagram_get_lane (const LcDiagramView *view, double row, guint track);

/* Layers and phase time are whole numbers: a mark at 7 is painted in the middle between 7 and 8. */
double lc_diagram_get_shift (const LcDiagramView *view);

/* Gives a rectangle between two positions, `breadth` pixels across; `row` is its middle, in rows. */
LcRectangle lc_diagram_get_box (const LcDiagramView *view, double row, double breadth, double from, double to);

/* Cuts a rectangle to the area with a margin around it. FALSE: nothing is left. */
gboolean lc_diagram_cut (const LcDiagramView *view, double margin, LcRectangle *rectangle);

/* An arc within one row is not drawn, because it would lie on the line of its process. An arc that passes, with both
 * ends outside the part that is shown, is not drawn either: it would tell nothing and hide the others. */
gboolean lc_diagram_draws_arc (const LcDiagramView *view, const LcSceneArc *arc);
gboolean lc_diagram_passes (const LcDiagramView *view, const LcSceneArc *arc);

/* --- Painting ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcScene *scene;
  const LcSceneQuery *query;
  const LcDiagramView *view;
  LcCanvas *canvas;
  LcDiagramBreadths breadths;
  double row_size;
  double scale;
} LcDiagramPainter;

/* Both take arrays: of LcRectangle, and of LcLine. */
static inline void
lc_diagram_paint_rectangles (const LcDiagramPainter *painter, LcFill fill, const GArray *rectangles)
{
  lc_canvas_rectangles (painter->canvas, fill, (const LcRectangle *)(const void *)rectangles->data, rectangles->len);
}

static inline void
lc_diagram_paint_lines (const LcDiagramPainter *painter, LcStroke stroke, const GArray *lines)
{
  lc_canvas_lines (painter->canvas, stroke, (const LcLine *)(const void *)lines->data, lines->len);
}

/* Gives how strongly a track is painted: the measured one is pale beside an approximated one. */
double lc_diagram_get_strength (const LcDiagramPainter *painter, guint track);

/* Gives how strongly bodies are painted between the events that are shown: with filters nothing is known of that time,
 * and beside a light cone it is dim (diagram-ground.c). */
double lc_diagram_get_body_strength (const LcDiagramPainter *painter);

/* Fading makes a colour paler, but not transparent. */
LcColor lc_diagram_fade (const LcDiagramPainter *painter, LcColor color, double strength);
LcFill lc_diagram_fade_fill (const LcDiagramPainter *painter, LcFill fill, double strength);

/* Sums up marks in words, as the title of their group in an SVG. Free it with g_free. */
char *lc_diagram_dup_sum (const char *name, const LcMark *marks, gsize n_marks);

/* Whether rows are too narrow for marks of their own, and become cells. */
gboolean lc_diagram_has_cells (const LcScene *scene, const LcDiagramView *view);

void lc_diagram_paint_ground (const LcDiagramPainter *painter);    /* diagram-ground.c: layers, phases, lives */
void lc_diagram_paint_going (const LcDiagramPainter *painter);     /* diagram-notes.c: lives that are not over */
void lc_diagram_paint_cells (const LcDiagramPainter *painter);     /* diagram-cells.c */
void lc_diagram_paint_summaries (const LcDiagramPainter *painter); /* diagram-summaries.c */
void
lc_diagram_paint_exchanges (const LcDiagramPainter *painter);    /* diagram-exchanges.c: beside bodies and summaries */
void lc_diagram_paint_gaps (const LcDiagramPainter *painter);    /* diagram-gaps.c */
void lc_diagram_paint_events (const LcDiagramPainter *painter);  /* diagram-events.c */
void lc_diagram_paint_bodies (const LcDiagramPainter *painter);  /* diagram-bodies.c: the events on bodies */
void lc_diagram_paint_notes (const LcDiagramPainter *painter);   /* diagram-notes.c */
void lc_diagram_paint_labels (const LcDiagramPainter *painter);  /* diagram-labels.c */
void lc_diagram_paint_density (const LcDiagramPainter *painter); /* diagram-arcs.c: behind all marks */
void lc_diagram_paint_arcs (const LcDiagramPainter *painter);
void lc_diagram_paint_path (const LcDiagramPainter *painter);

/* Whether a kind is left out; and the fill of what it covers, which is empty then. */
static inline gboolean
lc_diagram_hides (const LcDiagramView *view, LcDiagramKind kind)
{
  return (view->hidden & 1u << kind) != 0;
}
LcFill lc_diagram_hide_fill (const LcDiagramPainter *painter, LcDiagramKind kind, LcFill fill);

/* --- For the view around the diagram (view-space-time.c) ---------------------------------------------------------- */

/* Bodies and summaries show the states of a process in colours that can be told apart in small pieces too. */
LcColor lc_diagram_get_running_color (LcTheme theme);

/* The ink of the edges of operations on bodies (diagram-bodies.c). */
LcInk lc_diagram_get_edge_ink (LcTheme theme);
LcFill lc_diagram_get_state_fill (LcCanvas *canvas, LcInk ink);

/* The colour of a time of which a share was waiting, whatever the rest was (diagram-colors.c). */
LcColor lc_diagram_get_share_color (LcTheme theme, double share);

/* The fill of the events of a function, by its colour in the coloring; `waiting`: of the part in which they wait
 * (diagram-colors.c). */
LcColor lc_diagram_get_function_color (LcTheme theme, guint color);
LcFill lc_diagram_get_function_fill (LcCanvas *canvas, guint color, gboolean waiting);

/* The fill of a kind of calls of MPI (diagram-exchanges.c). */
LcFill lc_diagram_get_exchange_fill (LcCanvas *canvas, guint exchange);

/* Gives the stroke for `count` arcs of a kind. */
LcStroke lc_diagram_get_arc_stroke (LcCanvas *canvas, LcSceneArcKind kind, gsize count);

/* The times in which nothing was recorded that are seen: LcRectangle, in a new array; and how they are shown. */
GArray *lc_diagram_list_gaps (const LcScene *scene, const LcDiagramView *view);
LcFill lc_diagram_get_gap_fill (LcCanvas *canvas);

/* The fill of a process that goes on after its last event (diagram-notes.c). */
LcFill lc_diagram_get_going_fill (LcCanvas *canvas);

typedef struct
{
  const LcSceneArc *arc;
  LcLine line;
} LcDiagramArc;

/* Gives a new array of LcDiagramArc with the arcs of a kind that are drawn. `n_hidden` counts those left out because
 * they would lie on another one. */
GArray *lc_diagram_list_arcs (const LcScene *scene, const LcDiagramView *view, LcSceneArcKind kind, gsize *n_hidden);

/* Gives the marker of an event that has moved, waits more or less, or was reordered; `flag` is the flag for that. */
void lc_diagram_get_note (LcCanvas *canvas, LcMarkFlags flag, LcMarker *marker, LcFill *fill);

/* Every n-th process is named; this gives n. */
guint32 lc_diagram_get_name_step (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas);

/* Paints the names of phases into a strip at the end of the rows, as long as the area. */
void lc_diagram_paint_phase_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room);

#endif
