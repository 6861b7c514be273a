/* SPDX-License-Identifier: Apache-2.0 */
/* The times of a diagram in which nothing was recorded, as bands over all processes. */
#include "diagram-private.h"

#define NARROWEST_GAP 1.0 /* pixels */

LcFill
lc_diagram_get_gap_fill (LcCanvas *canvas)
{
  const LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill fill = {lc_palette_get_color (theme, LC_INK_FAINT_TEXT), lc_palette_get_color (theme, LC_INK_BACKGROUND),
                 LC_PATTERN_BACK_HATCH};

  /* What lies below is not known, but still seen. */
  fill.color.alpha *= 0.5;
  fill.ground.alpha *= 0.8;
  return fill;
}

/* A gap was in measured time; on other timelines nothing stands where it was. */
static gboolean
diagram_gaps_has_them (const LcSceneQuery *query)
{
  return query->selection.time == LC_SCENE_PHYSICAL && query->timeline == LC_TIMELINE_MEASURED &&
         query->beside == LC_TRACE_NONE;
}

GArray *
lc_diagram_list_gaps (const LcScene *scene, const LcDiagramView *view)
{
  const GArray *gaps = lc_history_get_gaps (lc_scene_get_history (scene));
  const double least = NARROWEST_GAP / lc_diagram_get_scale (view), row_size = lc_diagram_get_row_size (view);
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  double last = view->from;

  for (guint i = 0; diagram_gaps_has_them (lc_scene_get_query (scene)) && i < gaps->len; i++)
    {
      const LcTraceGap *gap = &g_array_index (gaps, LcTraceGap, i);
      const double from = MAX ((double)gap->from, last), to = MIN (MAX ((double)gap->to, from + least), view->to);
      LcRectangle box;

      if (to <= from || (double)gap->to < last)
        continue;
      box = lc_diagram_get_box (view, (view->first_row + view->last_row) / 2,
                                (view->last_row - view->first_row) * row_size, from, to);
      g_array_append_val (boxes, box);
      last = to;
    }
  return boxes;
}

void
lc_diagram_paint_gaps (const LcDiagramPainter *painter)
{
  g_autoptr (GArray) boxes = lc_diagram_list_gaps (painter->scene, painter->view);

  if (boxes->len > 0 && !lc_diagram_hides (painter->view, LC_DIAGRAM_GAPS))
    lc_diagram_paint_rectangles (painter, lc_diagram_get_gap_fill (painter->canvas), boxes);
}
