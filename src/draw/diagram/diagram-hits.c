/* SPDX-License-Identifier: Apache-2.0 */
/* What a search has found in a diagram: marks beside the bodies of processes, which are seen at any zoom. */
#include "draw/diagram/diagram-hits.h"

#include <math.h>

#include "draw/diagram/diagram-private.h"

#define SHORTEST 3.0 /* pixels along the axis */
#define HALO 1.0
#define GAP 2.0
#define NARROWEST_ROW 10.0 /* pixels: narrower rows have no room beside their bodies */
#define THINNEST_CAP 2.0
#define THICKEST_CAP 4.0

/* Positions on the axis. */
typedef struct
{
  guint64 from;
  guint64 to;
} Hit;

struct _LcDiagramHits
{
  guint32 n_processes;
  GArray **processes; /* Hit, ascending; NULL: none */
};

LcDiagramHits *
lc_diagram_hits_new (guint32 n_processes)
{
  LcDiagramHits *hits = g_new0 (LcDiagramHits, 1);

  hits->n_processes = n_processes;
  hits->processes = g_new0 (GArray *, MAX (n_processes, 1));
  return hits;
}

void
lc_diagram_hits_free (LcDiagramHits *hits)
{
  for (guint32 i = 0; i < hits->n_processes; i++)
    g_clear_pointer (&hits->processes[i], g_array_unref);
  g_free (hits->processes);
  g_free (hits);
}

void
lc_diagram_hits_add (LcDiagramHits *hits, guint32 process, guint64 from, guint64 to)
{
  const Hit hit = {from, MAX (from, to)};

  g_return_if_fail (process < hits->n_processes);
  if (hits->processes[process] == NULL)
    hits->processes[process] = g_array_new (FALSE, FALSE, sizeof (Hit));
  g_array_append_val (hits->processes[process], hit);
}

/* --- Finding ----------------------------------------------------------------------------------------------------- */

static double
diagram_hits_get (const GArray *list, guint i, gboolean end)
{
  const Hit *hit = &g_array_index (list, Hit, i);

  return (double)(end ? hit->to : hit->from);
}

/* Finds the first hit from `low` on whose end (or begin) is after a position. Those of a process follow each other, so
 * both ascend. */
static guint
diagram_hits_search (const GArray *list, guint low, gboolean end, double position)
{
  guint high = low, step = 1;

  for (; high < list->len && diagram_hits_get (list, high, end) <= position; step *= 2)
    {
      low = high + 1;
      high = MIN (high + step, list->len);
    }
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (diagram_hits_get (list, middle, end) <= position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
lc_diagram_hits_find_parts (const LcDiagramHits *hits, const guint32 *rows, double from, double to, guint n,
                            gboolean *parts)
{
  double length = (to - from) / n;

  for (guint32 process = 0; process < hits->n_processes; process++)
    {
      const GArray *list = hits->processes[process];

      if (list == NULL || rows[process] == LC_TRACE_NONE)
        continue;
      for (guint i = 0; i < list->len;)
        {
          double first = floor ((diagram_hits_get (list, i, FALSE) - from) / length);
          double last = MIN (floor ((diagram_hits_get (list, i, TRUE) - from) / length), n - 1.0);

          for (double part = CLAMP (first, 0, n - 1.0); part <= last; part++)
            parts[(guint)part] = TRUE;
          i = diagram_hits_search (list, i + 1, TRUE, from + (MAX (last, 0) + 1) * length);
        }
    }
}

/* --- Painting ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcDiagramView *view;
  GArray *halos; /* LcRectangle */
  GArray *marks;
} HitsPainter;

static void
diagram_hits_add_box (HitsPainter *painter, double lane, double breadth, double from, double to)
{
  LcRectangle mark = lc_diagram_get_box (painter->view, lane, breadth, from, to), halo;

  if (!lc_diagram_cut (painter->view, SHORTEST, &mark))
    return;
  halo = (LcRectangle){mark.x - HALO, mark.y - HALO, mark.width + 2 * HALO, mark.height + 2 * HALO};
  g_array_append_val (painter->halos, halo);
  g_array_append_val (painter->marks, mark);
}

/* Caps on both sides leave the body free to be seen; without room for them the row itself is marked. */
static void
diagram_hits_add_mark (HitsPainter *painter, guint32 row, double from, double to)
{
  double size = lc_diagram_get_row_size (painter->view), lane = lc_diagram_get_lane (painter->view, row, 0);
  double cap = CLAMP (size * 0.08, THINNEST_CAP, THICKEST_CAP), apart;
  LcDiagramBreadths breadths;

  if (size / painter->view->n_tracks < NARROWEST_ROW)
    {
      diagram_hits_add_box (painter, lane, CLAMP (size, THINNEST_CAP, THICKEST_CAP), from, to);
      return;
    }
  lc_diagram_get_breadths (painter->view, &breadths);
  apart = MIN ((breadths.holding + cap) / 2 + HALO, size / painter->view->n_tracks / 2 - cap / 2) / size;
  diagram_hits_add_box (painter, lane - apart, cap, from, to);
  diagram_hits_add_box (painter, lane + apart, cap, from, to);
}

/* Hits that would lie on one another share a mark. */
static void
diagram_hits_add_row (HitsPainter *painter, const GArray *list, guint32 row)
{
  double scale = lc_diagram_get_scale (painter->view), shift = lc_diagram_get_shift (painter->view);
  double least = SHORTEST / scale, margin = 2 * least;

  for (guint i = diagram_hits_search (list, 0, TRUE, painter->view->from - shift - margin); i < list->len;)
    {
      double from = diagram_hits_get (list, i, FALSE), to = diagram_hits_get (list, i, TRUE);
      double lacking = MAX (least - (to - from), 0) / 2;
      guint next = i + 1;

      if (from + shift > painter->view->to + margin)
        return;
      /* A long one has a mark of its own, with a gap before the next. */
      if (to - from >= 2 * least)
        to -= GAP / scale;
      else
        next = diagram_hits_search (list, i + 1, FALSE, to + lacking);
      if (next > i + 1)
        to = MAX (to, MIN (diagram_hits_get (list, next - 1, TRUE), painter->view->to + margin));
      diagram_hits_add_mark (painter, row, from - lacking + shift, to + lacking + shift);
      i = next;
    }
}

void
lc_diagram_hits_paint (const LcDiagramHits *hits, const guint32 *rows, const LcDiagramView *view, LcCanvas *canvas)
{
  g_autoptr (GArray) halos = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  HitsPainter painter = {.view = view, .halos = halos, .marks = marks};

  for (guint32 process = 0; process < hits->n_processes; process++)
    if (hits->processes[process] != NULL && rows[process] != LC_TRACE_NONE && rows[process] + 1 > view->first_row &&
        rows[process] < view->last_row)
      diagram_hits_add_row (&painter, hits->processes[process], rows[process]);
  lc_canvas_clip (canvas, view->area);
  lc_canvas_begin (canvas, "found", NULL);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_BACKGROUND, 1),
                        (const LcRectangle *)(const void *)halos->data, halos->len);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_SELECTION, 1),
                        (const LcRectangle *)(const void *)marks->data, marks->len);
  lc_canvas_end (canvas);
  lc_canvas_unclip (canvas);
}
