/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the diagram's painter share: where things are across a row, and what is being painted. */
#ifndef LC_DRAW_DIAGRAM_PRIVATE_H
#define LC_DRAW_DIAGRAM_PRIVATE_H

#include "lightcone/diagram.h"

/* --- Where things are (diagram.c) ---------------------------------------------------------------------------- */

/* Rows narrower than this have no boxes and lines: they are rows of cells. */
#define LC_DIAGRAM_CELL_ROW 3.0

/* Summaries of rows narrower than this are cells too. */
#define LC_DIAGRAM_CELL_SUMMARY 5.0

/* How broad things are across the row, in pixels; of one track. */
typedef struct
{
  double event;
  double holding;
  double summary;
  double life;
} LcDiagramBreadths;

void lc_diagram_get_breadths (const LcDiagramView *view, LcDiagramBreadths *breadths);

/* The middle of a track, in rows. */
double lc_diagram_get_lane (const LcDiagramView *view, double row, guint track);

/* Layers and phase time are whole numbers: what is at 7 is painted in the middle between 7 and 8. */
double lc_diagram_get_shift (const LcDiagramView *view);

/* A rectangle around `row` (the middle, in rows), `breadth` pixels across it, between two positions. */
LcRectangle lc_diagram_get_box (const LcDiagramView *view, double row, double breadth, double from, double to);

/* What of a rectangle is within `margin` around the area. FALSE: nothing. */
gboolean lc_diagram_cut (const LcDiagramView *view, double margin, LcRectangle *rectangle);

/* An arc within a row lies on the line of its process. One that has neither end in the part that is shown tells nothing
 * there, and would lie over all that does. Neither is drawn. */
gboolean lc_diagram_draws_arc (const LcDiagramView *view, const LcSceneArc *arc);
gboolean lc_diagram_passes (const LcDiagramView *view, const LcSceneArc *arc);

/* --- What is painted -------------------------------------------------------------------------------------------- */

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

/* Arrays of LcRectangle, and of LcLine. */
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

/* How strong a track is painted: the measured one is pale beside an approximated one. */
double lc_diagram_get_strength (const LcDiagramPainter *painter, guint track);

/* Paler, but not transparent. */
LcColor lc_diagram_fade (const LcDiagramPainter *painter, LcColor color, double strength);
LcFill lc_diagram_fade_fill (const LcDiagramPainter *painter, LcFill fill, double strength);

/* What marks stand for together, in words: whoever points at them in an SVG is told, or adds up what it shows. Free
 * with g_free. */
char *lc_diagram_dup_sum (const char *name, const LcMark *marks, gsize n_marks);

/* Rows too narrow for marks of their own become cells. */
gboolean lc_diagram_has_cells (const LcScene *scene, const LcDiagramView *view);

void lc_diagram_paint_ground (const LcDiagramPainter *painter);    /* diagram-ground.c: layers, phases, lives */
void lc_diagram_paint_cells (const LcDiagramPainter *painter);     /* diagram-cells.c */
void lc_diagram_paint_summaries (const LcDiagramPainter *painter); /* diagram-summaries.c */
void lc_diagram_paint_events (const LcDiagramPainter *painter);    /* diagram-events.c */
void lc_diagram_paint_notes (const LcDiagramPainter *painter);     /* diagram-notes.c */
void lc_diagram_paint_labels (const LcDiagramPainter *painter);    /* diagram-labels.c */
void lc_diagram_paint_density (const LcDiagramPainter *painter);   /* diagram-arcs.c: behind all marks */
void lc_diagram_paint_arcs (const LcDiagramPainter *painter);
void lc_diagram_paint_path (const LcDiagramPainter *painter);

/* --- What the view around it says (view-space-time.c) ----------------------------------------------------------------
 */

/* How summaries show that processes ran, and waited: so that it can be told from each other in small pieces too. */
LcColor lc_diagram_get_running_color (LcTheme theme);
LcFill lc_diagram_get_waiting_fill (LcCanvas *canvas);

/* How the arcs of a kind are drawn when there are so many. */
LcStroke lc_diagram_get_arc_stroke (LcCanvas *canvas, LcSceneArcKind kind, gsize count);

typedef struct
{
  const LcSceneArc *arc;
  LcLine line;
} LcDiagramArc;

/* LcDiagramArc of a kind that are drawn, in a new array; `n_hidden`: others that would lie on one of these. */
GArray *lc_diagram_list_arcs (const LcScene *scene, const LcDiagramView *view, LcSceneArcKind kind, gsize *n_hidden);

/* How an event is marked that has moved, waits more or less, or was reordered: one of these flags. */
void lc_diagram_get_note (LcCanvas *canvas, LcMarkFlags flag, LcMarker *marker, LcFill *fill);

/* Every how many-th process is named. */
guint32 lc_diagram_get_name_step (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas);

/* In a strip at the end of the rows, as long as the area. */
void lc_diagram_paint_phase_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room);

#endif
