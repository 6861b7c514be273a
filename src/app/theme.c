/* SPDX-License-Identifier: Apache-2.0 */
/* The theme of the palette that goes with the style of the desktop. */
#include "app/theme.h"

#include <adwaita.h>

#define USUAL_DPI (96.0 * 1024)
#define LEAST_SCALE 0.5
#define MOST_SCALE 4.0

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
  if (gtk_settings_get_default () != NULL)
    g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi", changed, object, G_CONNECT_SWAPPED);
}

double
lc_theme_get_text_scale (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi = 0;

  if (settings != NULL)
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / USUAL_DPI, LEAST_SCALE, MOST_SCALE) : 1;
}

LcCanvas *
lc_theme_new_canvas (cairo_t *cairo, LcTheme theme)
{
  LcCanvas *canvas = lc_canvas_new_cairo (cairo, theme);

  lc_canvas_set_text_scale (canvas, lc_theme_get_text_scale ());
  return canvas;
}

GdkRGBA
lc_theme_get_color (LcTheme theme, LcInk ink)
{
  LcColor color = lc_palette_get_color (theme, ink);

  return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)color.alpha};
}
