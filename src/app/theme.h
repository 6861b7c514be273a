/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the palette's themes goes with the style of the desktop. */
#ifndef LC_APP_THEME_H
#define LC_APP_THEME_H

#include <gtk/gtk.h>

#include "lightcone/palette.h"

/* Of the widget's display; AdwStyleManager's "notify::dark" tells that it is another one. */
LcTheme lc_theme_of (GtkWidget *widget);

/* A colour of that theme, as GTK has it. */
GdkRGBA lc_theme_get_color (LcTheme theme, LcInk ink);

#endif
