/* SPDX-License-Identifier: Apache-2.0 */
/* The theme of the palette that goes with the style of the desktop. */
#include "app/theme.h"

#include <adwaita.h>

LcTheme
lc_theme_of (GtkWidget *widget)
{
  AdwStyleManager *style = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  if (adw_style_manager_get_high_contrast (style))
    return adw_style_manager_get_dark (style) ? LC_THEME_CONTRAST_DARK : LC_THEME_CONTRAST;
  return adw_style_manager_get_dark (style) ? LC_THEME_DARK : LC_THEME_LIGHT;
}

void
lc_theme_watch (gpointer object, GCallback changed)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_signal_connect_object (style, "notify::dark", changed, object, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", changed, object, G_CONNECT_SWAPPED);
}

GdkRGBA
lc_theme_get_color (LcTheme theme, LcInk ink)
{
  LcColor color = lc_palette_get_color (theme, ink);

  return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)color.alpha};
}
