/* SPDX-License-Identifier: Apache-2.0 */
/* The theme of the palette that goes with the style of the desktop. */
#ifndef LC_APP_THEME_H
#define LC_APP_THEME_H

#include <gtk/gtk.h>

#include "lightcone/canvas.h"
#include "lightcone/palette.h"

/* Returns the theme that goes with the style of the desktop: light or dark, and of high contrast if it asks for that.
 */
LcTheme lc_theme_of (GtkWidget *widget);

/* Calls `changed` with `object` as its only argument after a change of the theme, as long as the object lives. */
void lc_theme_watch (gpointer object, GCallback changed);

/* Returns how much larger than usual the desktop wants texts, as in the settings of GNOME for large text; main thread
 * only. What is painted follows it with lc_canvas_set_text_scale, and hears of changes by lc_theme_watch. */
double lc_theme_get_text_scale (void);

/* Makes a canvas with the desktop's size of texts; main thread only. */
LcCanvas *lc_theme_new_canvas (cairo_t *cairo, LcTheme theme);

/* Returns a colour of the theme in GTK's form. */
GdkRGBA lc_theme_get_color (LcTheme theme, LcInk ink);

#endif
