/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of events in a diagram that shows the functions that they were called in. */
#include "diagram-private.h"

#define UNKNOWN_STRENGTH 0.5
#define WAITING_GROUND 0.35

LcColor
lc_diagram_get_share_color (LcTheme theme, double share)
{
  return lc_color_mix (lc_palette_get_amount (theme, 0), lc_palette_get_color (theme, LC_INK_WAITING), share);
}

LcColor
lc_diagram_get_function_color (LcTheme theme, guint color)
{
  LcColor other = lc_palette_get_color (theme, LC_INK_AXIS);

  if (color < LC_COLORING_MOST)
    return lc_palette_get_series (theme, color);
  return color == LC_COLORING_OTHER
             ? other
             : lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), other, UNKNOWN_STRENGTH);
}

LcFill
lc_diagram_get_function_fill (LcCanvas *canvas, guint color, gboolean waiting)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill fill = lc_canvas_color_fill (lc_diagram_get_function_color (theme, color));

  if (!waiting)
    return fill;
  fill.pattern = lc_palette_get_pattern (LC_INK_WAITING);
  fill.ground = lc_color_mix (lc_palette_get_color (theme, LC_INK_PANEL), fill.color, WAITING_GROUND);
  return fill;
}
