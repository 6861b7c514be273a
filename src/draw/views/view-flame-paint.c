/* SPDX-License-Identifier: Apache-2.0 */
/* The view `flame`: its boxes, with their names and tooltips. */
#include <glib/gi18n-lib.h>

#include "trace/quantities.h"
#include "view-flame.h"

#define HIGHEST_ROW 22.0
#define LEAST_ROW 4.0
#define TEXT_ROW 13.0   /* a lower row has no names */
#define TEXT_MARGIN 4.0 /* on both sides of a name */
#define LEAST_TEXT 32.0 /* a narrower box has no name */
#define GAP 1.0         /* between boxes that are wide enough */
#define GAPPED 4.0      /* a narrower box has no gap */
#define FAINT 0.4       /* of frames below the one that is zoomed to */

/* The share of the colour in a box: as much as lets the names on it be read. */
static const double strengths[LC_THEMES] = {[LC_THEME_LIGHT] = 0.55,
                                            [LC_THEME_DARK] = 0.35,
                                            [LC_THEME_PRINT] = 0.5,
                                            [LC_THEME_CONTRAST] = 0.45,
                                            [LC_THEME_CONTRAST_DARK] = 0.35};

/* --- Colours ------------------------------------------------------------------------------------------------------ */

static LcInk
view_flame_get_ink (LcFlameKind kind, gboolean is_blamed)
{
  switch (kind)
    {
    case LC_FLAME_PROGRAM:
      return is_blamed ? LC_INK_CRITICAL : LC_INK_EVENT;
    case LC_FLAME_OBJECT:
      return LC_INK_WAITING;
    case LC_FLAME_UNKNOWN:
    case LC_FLAME_LIBRARY:
    case LC_FLAME_ALL:
    default:
      return LC_INK_RUNNING;
    }
}

/* Who is to blame has lines across, what is not known a grid, and what was waited for the hatch of all waiting: none of
 * them is told by colour alone. */
static LcPattern
view_flame_get_pattern (LcFlameKind kind, gboolean is_blamed)
{
  if (kind == LC_FLAME_OBJECT)
    return lc_palette_get_pattern (LC_INK_WAITING);
  if (kind == LC_FLAME_UNKNOWN)
    return is_blamed ? LC_PATTERN_GRID : LC_PATTERN_DOTS;
  return is_blamed ? LC_PATTERN_LEVEL : LC_PATTERN_SOLID;
}

static LcFill
view_flame_fill (const LcCanvas *canvas, LcFlameKind kind, gboolean is_blamed, double strength)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcColor ink = lc_palette_get_color (theme, view_flame_get_ink (kind, is_blamed));
  LcColor panel = lc_palette_get_color (theme, LC_INK_PANEL);
  double share = strength * strengths[theme];
  LcFill fill = {lc_color_mix (panel, ink, share), {0}, view_flame_get_pattern (kind, is_blamed)};

  if (fill.pattern == LC_PATTERN_SOLID)
    return fill;
  fill.color = lc_color_mix (panel, ink, 1.6 * share);
  fill.ground = lc_color_mix (panel, ink, 0.4 * share);
  return fill;
}

void
lc_flame_add_legend (const LcFlameModel *model, LcFrame *frame, LcCanvas *canvas)
{
  static const struct
  {
    LcFlameKind kind;
    gboolean is_blamed;
    const char *text;
  } items[] = {
      {LC_FLAME_PROGRAM, FALSE, N_ ("Waited: the program")},
      {LC_FLAME_LIBRARY, FALSE, N_ ("Waited: a library")},
      {LC_FLAME_UNKNOWN, FALSE, N_ ("Waited: not recorded")},
      {LC_FLAME_OBJECT, FALSE, N_ ("What was waited for")},
      {LC_FLAME_PROGRAM, TRUE, N_ ("Made others wait: the program")},
      {LC_FLAME_LIBRARY, TRUE, N_ ("Made others wait: a library")},
      {LC_FLAME_UNKNOWN, TRUE, N_ ("Made others wait: not recorded")},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++)
    for (guint k = 0; k < model->graph->frames->len; k++)
      {
        const LcFlameFrame *one = lc_flame_graph_get (model->graph, k);

        if (one->kind != items[i].kind || one->is_blamed != items[i].is_blamed)
          continue;
        lc_frame_add_fill (frame, _ (items[i].text), view_flame_fill (canvas, one->kind, one->is_blamed, 1));
        break;
      }
}

/* --- Boxes -------------------------------------------------------------------------------------------------------- */

static double
view_flame_get_row (const LcFlameModel *model, LcRectangle area)
{
  return CLAMP (area.height / MAX (model->graph->n_levels, 1), LEAST_ROW, HIGHEST_ROW);
}

gboolean
lc_flame_fits (const LcFlameModel *model, LcRectangle area)
{
  return model->graph->n_levels * LEAST_ROW <= area.height;
}

LcRectangle
lc_flame_get_box (const LcFlameModel *model, const LcFrame *frame, LcRectangle area, guint box)
{
  const LcFlameBox *at = &g_array_index (model->graph->boxes, LcFlameBox, box);
  double row = view_flame_get_row (model, area);
  double left = lc_frame_get_x (frame, (double)at->from), right = lc_frame_get_x (frame, (double)at->to);

  return (LcRectangle){left, area.y + area.height - (at->level + 1) * row, MAX (right - left, 1), row};
}

char *
lc_flame_dup_box_text (const LcFlameModel *model, guint box)
{
  const LcFlameBox *at = &g_array_index (model->graph->boxes, LcFlameBox, box);
  const LcFlameFrame *frame = lc_flame_graph_get (model->graph, at->frame);
  g_autofree char *time = lc_format_duration (at->time);
  g_autofree char *share = lc_flame_dup_share (at->time, lc_flame_graph_get (model->graph, 0)->time);
  g_autofree char *count = lc_format_count (at->n_merged), *place = NULL, *module = NULL;
  GString *text = g_string_new (NULL);

  if (at->n_merged > 0)
    g_string_append_printf (text, ngettext ("%s frame on %s", "%s frames on %s", at->n_merged), count, frame->name);
  else
    g_string_append (text, frame->name);
  g_string_append_c (text, '\n');
  if (at->n_merged == 0 && frame->is_blamed)
    g_string_append_printf (text, _ ("made others wait %s, %s of all waiting here"), time, share);
  else
    g_string_append_printf (text, _ ("%s waited, %s of all waiting here"), time, share);
  if (at->n_merged > 0 || frame->site == NULL)
    return g_string_free (text, FALSE);
  if (frame->site->file != NULL)
    {
      place = lc_format_text (frame->site->file);
      g_string_append_printf (text, frame->site->line > 0 ? "\n%s:%u" : "\n%s", place, frame->site->line);
    }
  if (frame->site->module != NULL)
    {
      module = lc_format_text (frame->site->module);
      g_string_append_c (text, '\n');
      g_string_append_printf (text, frame->site->is_library ? _ ("in %s, a library") : _ ("in %s"), module);
    }
  return g_string_free (text, FALSE);
}

/* --- Painting ----------------------------------------------------------------------------------------------------- */

static void
view_flame_paint_name (LcCanvas *canvas, LcRectangle box, const char *name, gboolean has_pattern)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL,
                             .ink = LC_INK_TEXT,
                             .align_y = 0.5,
                             .room = box.width - 2 * TEXT_MARGIN,
                             .backdrop = has_pattern};

  lc_canvas_text (canvas, &style, (LcPlace){box.x + TEXT_MARGIN, box.y + box.height / 2}, name);
}

static void
view_flame_paint_box (const LcFlameModel *model, LcCanvas *canvas, LcRectangle box, guint number)
{
  const LcFlameBox *at = &g_array_index (model->graph->boxes, LcFlameBox, number);
  const LcFlameFrame *frame = lc_flame_graph_get (model->graph, at->frame);
  gboolean is_below = at->level < lc_flame_graph_get (model->graph, model->graph->zoomed)->level;
  LcFlameKind kind = at->n_merged > 0 ? LC_FLAME_ALL : frame->kind;
  gboolean is_blamed = at->n_merged == 0 && frame->is_blamed;
  LcFill fill = view_flame_fill (canvas, kind, is_blamed, is_below ? FAINT : 1);
  g_autofree char *text = lc_flame_dup_box_text (model, number);

  if (box.width >= GAPPED)
    box.width -= GAP;
  if (box.height >= GAPPED)
    box.height -= GAP;
  lc_canvas_begin (canvas, "frame", text);
  lc_canvas_rectangles (canvas, fill, &box, 1);
  if (at->n_merged == 0 && box.width >= LEAST_TEXT && box.height >= TEXT_ROW - GAP)
    view_flame_paint_name (canvas, box, frame->name, fill.pattern != LC_PATTERN_SOLID);
  lc_canvas_end (canvas);
}

void
lc_flame_paint (const LcFlameModel *model, const LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  for (guint i = 0; i < model->graph->boxes->len; i++)
    {
      LcRectangle box = lc_flame_get_box (model, frame, area, i);

      if (box.y >= area.y - GAP)
        view_flame_paint_box (model, canvas, box, i);
    }
}
