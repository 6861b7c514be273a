/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings above the picture: outlines of marks and arcs, a rubber band, and words where there is no picture. */
#include "app/diagram/outline.h"

#include "app/theme.h"
#include "draw/diagram/diagram-hits.h"

#define LEAST 7.0 /* pixels: least length and breadth of an outline */
#define HALO 1.5F

static void
add_border (GtkSnapshot *snapshot, const graphene_rect_t *inner, float width, float radius, GdkRGBA color)
{
  graphene_rect_t bounds;
  GskRoundedRect rounded;
  GdkRGBA colors[] = {color, color, color, color};

  graphene_rect_inset_r (inner, -width, -width, &bounds);
  gsk_rounded_rect_init_from_rect (&rounded, &bounds, radius > 0 ? radius + width : 0);
  gtk_snapshot_append_border (snapshot, &rounded, (float[]){width, width, width, width}, colors);
}

/* Draws a coloured line between two lines of the background colour, around `inner`. */
static void
outline_add_outline (GtkSnapshot *snapshot, LcTheme theme, const graphene_rect_t *inner, float width, float radius,
                     LcInk ink)
{
  graphene_rect_t middle, outer;
  GdkRGBA halo = lc_theme_get_color (theme, LC_INK_BACKGROUND);

  graphene_rect_inset_r (inner, -HALO, -HALO, &middle);
  graphene_rect_inset_r (&middle, -width, -width, &outer);
  add_border (snapshot, inner, HALO, radius, halo);
  add_border (snapshot, &middle, width, radius > 0 ? radius + HALO : 0, lc_theme_get_color (theme, ink));
  add_border (snapshot, &outer, HALO, radius > 0 ? radius + HALO + width : 0, halo);
}

static double
get_far (double length)
{
  return length + 64;
}

/* Returns the bounds cut a little outside the area, because renderers lose precision at large coordinates. FALSE: the
 * mark is not in view. */
static gboolean
outline_get_bounds (const LcDiagramView *view, const LcMark *mark, graphene_rect_t *bounds)
{
  LcRectangle box = lc_diagram_get_rectangle (view, mark);
  double left = MAX (box.x, view->area.x - 64), top = MAX (box.y, view->area.y - 64);
  double right = MIN (box.x + box.width, view->area.x + get_far (view->area.width));
  double bottom = MIN (box.y + box.height, view->area.y + get_far (view->area.height));

  if (right < left || bottom < top)
    return FALSE;
  *bounds = GRAPHENE_RECT_INIT ((float)left, (float)top, (float)(right - left), (float)(bottom - top));
  return TRUE;
}

void
lc_outline_selection (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark)
{
  graphene_rect_t bounds;
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  float more_x, more_y, along, across;

  if (!outline_get_bounds (view, mark, &bounds))
    return;
  along = down ? bounds.size.height : bounds.size.width;
  across = down ? bounds.size.width : bounds.size.height;
  more_x = MAX ((float)LEAST - bounds.size.width, 0) / 2;
  more_y = MAX ((float)LEAST - bounds.size.height, 0) / 2;
  graphene_rect_inset (&bounds, -more_x, -more_y);
  outline_add_outline (snapshot, theme, &bounds, 2, along < 3 && across < (float)LEAST * 2 ? (float)LEAST / 2 : 0,
                       LC_INK_SELECTION);
}

void
lc_outline_hover (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcMark *mark)
{
  graphene_rect_t bounds;

  if (outline_get_bounds (view, mark, &bounds))
    outline_add_outline (snapshot, theme, &bounds, 1, 0, LC_INK_TEXT);
}

void
lc_outline_arc (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcSceneArc *arc)
{
  static const double widths[] = {5, 2};
  const LcInk inks[] = {LC_INK_BACKGROUND, LC_INK_TEXT};
  LcLine line = lc_diagram_get_arc_line (view, arc);
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT ((float)view->area.x, (float)view->area.y, (float)view->area.width, (float)view->area.height);
  cairo_t *cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  g_autoptr (LcCanvas) canvas = lc_theme_new_canvas (cairo, theme);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, inks[i], widths[i]), &line, 1);
  cairo_destroy (cairo);
}

void
lc_outline_hits (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, const LcShown *shown,
                 const LcKept *hits)
{
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT ((float)view->area.x, (float)view->area.y, (float)view->area.width, (float)view->area.height);
  g_autofree guint32 *rows = NULL;
  cairo_t *cairo;
  LcCanvas *canvas;

  if (hits == NULL || shown == NULL)
    return;
  rows = lc_shown_list_rows (shown);
  cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  canvas = lc_theme_new_canvas (cairo, theme);
  lc_diagram_hits_paint (lc_kept_get (hits), rows, view, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
}

void
lc_outline_band (GtkSnapshot *snapshot, LcTheme theme, const graphene_rect_t *band)
{
  GdkRGBA color = lc_theme_get_color (theme, LC_INK_SELECTION);

  add_border (snapshot, band, 1, 0, color);
  color.alpha *= 0.15F;
  gtk_snapshot_append_color (snapshot, &color, band);
}

void
lc_outline_head (GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view, double from, double to)
{
  LcPlace first, last;
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  GdkRGBA color = lc_theme_get_color (theme, LC_INK_SELECTION);
  graphene_rect_t bounds;

  if (to < view->from || from > view->to)
    return;
  first = lc_diagram_get_place (view, view->first_row, MAX (from, view->from));
  last = lc_diagram_get_place (view, view->last_row, MIN (to, view->to));
  bounds = GRAPHENE_RECT_INIT ((float)first.x, (float)first.y, (float)MAX (last.x - first.x, 1),
                               (float)MAX (last.y - first.y, 1));
  if ((down ? bounds.size.height : bounds.size.width) > 3)
    color.alpha *= 0.2F;
  gtk_snapshot_append_color (snapshot, &color, &bounds);
}

static PangoLayout *
outline_lay_out (GtkWidget *widget, const char *text, double factor, PangoWeight weight)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (factor));
  pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_width (layout, MAX (gtk_widget_get_width (widget) - 24, 1) * PANGO_SCALE);
  return layout;
}

void
lc_outline_words (GtkSnapshot *snapshot, GtkWidget *widget, LcTheme theme, const char *title, const char *hint)
{
  g_autoptr (PangoLayout) heading = outline_lay_out (widget, title, 1.4, PANGO_WEIGHT_BOLD);
  g_autoptr (PangoLayout) body = outline_lay_out (widget, hint, 1, PANGO_WEIGHT_NORMAL);
  GdkRGBA ink = lc_theme_get_color (theme, LC_INK_TEXT), faint = lc_theme_get_color (theme, LC_INK_FAINT_TEXT);
  int heading_height, body_height, gap = 6;

  pango_layout_get_pixel_size (heading, NULL, &heading_height);
  pango_layout_get_pixel_size (body, NULL, &body_height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot,
      &GRAPHENE_POINT_INIT (12, (float)(gtk_widget_get_height (widget) - heading_height - body_height - gap) / 2));
  gtk_snapshot_append_layout (snapshot, heading, &ink);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, (float)(heading_height + gap)));
  gtk_snapshot_append_layout (snapshot, body, &faint);
  gtk_snapshot_restore (snapshot);
}
