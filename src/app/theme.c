/* SPDX-License-Identifier: Apache-2.0 */
/* The theme of the palette that goes with the style of the desktop. */
#include "app/theme.h"

#include <adwaita.h>

LcTheme
lc_theme_of (GtkWidget *widget)
{
  AdwStyleManager *style = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  return adw_style_manager_get_dark (style) ? LC_THEME_DARK : LC_THEME_LIGHT;
}

GdkRGBA
lc_theme_get_color (LcTheme theme, LcInk ink)
{
  LcColor color = lc_palette_get_color (theme, ink);

  return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)color.alpha};
}
