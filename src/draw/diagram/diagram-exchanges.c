/* SPDX-License-Identifier: Apache-2.0 */
/* Strips beside the bodies of MPI ranks: in which kind of call they are, whatever they do there. */
#include <math.h>
#include <string.h>

#include "diagram-private.h"
#include "draw/scene/scene-private.h"

#define SHORTEST 1.0 /* pixels along the axis: what exists is seen */
#define STEP 0.5     /* pixels across: shares that differ by less look the same */
#define DIM 0.3
#define GROUND 0.5 /* strips are narrow: a paler one would not be seen */

/* The strip of one process on one track: a stretch for each kind, which grows as long as the next call of the kind
 * begins where it ends. */
typedef struct
{
  const LcDiagramPainter *painter;
  GArray *rectangles[LC_EXCHANGES][2]; /* LcRectangle; those that are not dim, and those that are */
  double lane, breadth;
  struct
  {
    double from, to;
    double start, breadth; /* across the strip, in pixels */
    gboolean dim;
  } stretches[LC_EXCHANGES];
} Exchanges;

static void
exchanges_end (Exchanges *exchanges, guint kind)
{
  const LcDiagramPainter *painter = exchanges->painter;
  double start = exchanges->stretches[kind].start, breadth = exchanges->stretches[kind].breadth;
  double from = exchanges->stretches[kind].from;
  double to = MAX (exchanges->stretches[kind].to, from + SHORTEST / painter->scale);
  double middle = start + breadth / 2 - exchanges->breadth / 2;
  LcRectangle rectangle;

  exchanges->stretches[kind].breadth = 0;
  if (breadth <= 0)
    return;
  rectangle = lc_diagram_get_box (painter->view, exchanges->lane + middle / painter->row_size, breadth, from, to);
  if (lc_diagram_cut (painter->view, 4, &rectangle))
    g_array_append_val (exchanges->rectangles[kind][exchanges->stretches[kind].dim], rectangle);
}

static void
exchanges_add (Exchanges *exchanges, guint kind, const LcMark *mark, double start, double breadth)
{
  const gboolean dim = (mark->flags & LC_MARK_DIM) != 0;
  const double near = SHORTEST / exchanges->painter->scale;

  if (exchanges->stretches[kind].breadth != breadth || exchanges->stretches[kind].start != start ||
      exchanges->stretches[kind].dim != dim || exchanges->stretches[kind].to + near < (double)mark->from)
    {
      exchanges_end (exchanges, kind);
      exchanges->stretches[kind].from = (double)mark->from;
      exchanges->stretches[kind].start = start;
      exchanges->stretches[kind].breadth = breadth;
      exchanges->stretches[kind].dim = dim;
    }
  exchanges->stretches[kind].to = (double)mark->to;
}

/* Most marks of most programs have none. */
static gboolean
exchanges_has_any (const LcMark *mark)
{
  for (guint kind = 0; kind < LC_EXCHANGES; kind++)
    if (mark->exchange[kind] > 0)
      return TRUE;
  return FALSE;
}

/* The shares of a summary lie beside each other, from the body on; an event has one kind, and all of the breadth. */
static void
exchanges_add_mark (Exchanges *exchanges, const LcMark *mark)
{
  double whole, start = 0;

  if (!exchanges_has_any (mark))
    return;
  whole = (double)(mark->to - mark->from) * lc_scene_count_processes (exchanges->painter->scene, mark);
  for (guint kind = 0; kind < LC_EXCHANGES; kind++)
    {
      double share = mark->kind == LC_MARK_EVENT ? 1 : MIN ((double)mark->exchange[kind] / MAX (whole, 1), 1);
      double breadth = mark->exchange[kind] > 0 ? MAX (round (share * exchanges->breadth / STEP) * STEP, STEP) : 0;

      breadth = MIN (breadth, exchanges->breadth - start);
      if (breadth > 0)
        exchanges_add (exchanges, kind, mark, start, breadth);
      start += breadth;
    }
}

static void
exchanges_add_row (Exchanges *exchanges, const LcMark *marks, gsize n_marks)
{
  const LcDiagramView *view = exchanges->painter->view;

  exchanges->lane = lc_diagram_get_strip (
      view, lc_diagram_get_lane (view, marks[0].row + (marks[0].n_rows - 1) / 2.0, marks[0].track), 1,
      &exchanges->breadth);
  memset (exchanges->stretches, 0, sizeof exchanges->stretches);
  for (gsize i = 0; i < n_marks; i++)
    exchanges_add_mark (exchanges, &marks[i]);
  for (guint kind = 0; kind < LC_EXCHANGES; kind++)
    exchanges_end (exchanges, kind);
}

LcFill
lc_diagram_get_exchange_fill (LcCanvas *canvas, guint exchange)
{
  static const LcInk inks[LC_EXCHANGES] = {LC_INK_MESSAGE, LC_INK_COLLECTIVE, LC_INK_REQUEST};
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill fill = lc_canvas_fill (canvas, inks[exchange], 1);

  fill.ground =
      lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), fill.color, lc_theme_has_contrast (theme) ? 0 : GROUND);
  return fill;
}

static void
exchanges_paint (Exchanges *exchanges)
{
  const LcDiagramPainter *painter = exchanges->painter;

  for (guint kind = 0; kind < LC_EXCHANGES; kind++)
    for (guint dim = 0; dim < 2; dim++)
      {
        g_autoptr (GArray) rectangles = exchanges->rectangles[kind][dim];
        LcFill fill = lc_diagram_get_exchange_fill (painter->canvas, kind);

        if (rectangles->len > 0 && !lc_diagram_hides (painter->view, LC_DIAGRAM_MESSAGES + kind))
          lc_diagram_paint_rectangles (painter, lc_diagram_fade_fill (painter, fill, dim ? DIM : 1), rectangles);
      }
}

void
lc_diagram_paint_exchanges (const LcDiagramPainter *painter)
{
  static const LcMarkKind kinds[] = {LC_MARK_SUMMARY, LC_MARK_EVENT};
  Exchanges exchanges = {.painter = painter};

  for (guint i = 0; i < 2 * LC_EXCHANGES; i++)
    exchanges.rectangles[i / 2][i % 2] = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n_marks, end;
      const LcMark *marks = lc_scene_get_marks_of (painter->scene, kinds[i], 0, LC_TRACE_NONE, &n_marks);

      for (gsize begin = 0; begin < n_marks; begin = end)
        {
          for (end = begin + 1; end < n_marks && marks[end].row == marks[begin].row; end++)
            if (marks[end].track != marks[begin].track)
              break;
          exchanges_add_row (&exchanges, marks + begin, end - begin);
        }
    }
  lc_canvas_begin (painter->canvas, "calls", NULL);
  exchanges_paint (&exchanges);
  lc_canvas_end (painter->canvas);
}
