/* SPDX-License-Identifier: Apache-2.0 */
/* The theme of the palette that goes with the style of the desktop. */
#ifndef LC_APP_THEME_H
#define LC_APP_THEME_H

#include <gtk/gtk.h>

#include "lightcone/palette.h"

/* Returns the theme for the widget's display. AdwStyleManager's "notify::dark" tells about changes. */
LcTheme lc_theme_of (GtkWidget *widget);

/* Returns a colour of the theme in GTK's form. */
GdkRGBA lc_theme_get_color (LcTheme theme, LcInk ink);

#endif
