/* SPDX-License-Identifier: Apache-2.0 */
/* The bar below a flame graph: the frame that is selected, and what can be done with it. */
#ifndef LC_APP_FLAME_BAR_H
#define LC_APP_FLAME_BAR_H

#include "app/plots/picture-area.h"

/*
 * Its signal
 *
 *   zoomed (LcFlameBar *)   the frame that is as wide as the picture is another one
 */
#define LC_TYPE_FLAME_BAR (lc_flame_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcFlameBar, lc_flame_bar, LC, FLAME_BAR, GtkWidget)

/* Makes it the bar of an area, which must outlive it, and whose keys it takes while it is visible. */
void lc_flame_bar_set_area (LcFlameBar *bar, LcPictureArea *area);

/* Shows the bar for a picture with frames, or hides it. */
void lc_flame_bar_set_shown (LcFlameBar *bar, gboolean shown);

/* The path of the frame that is zoomed to; NULL: the lowest one. */
const char *lc_flame_bar_get_path (LcFlameBar *bar);

/* Zooms to the frame at a place of the picture. */
void lc_flame_bar_click (LcFlameBar *bar, LcPlace place);

/* Selects the same frame in a new picture, if it is there. */
void lc_flame_bar_refresh (LcFlameBar *bar);

/* Forgets what is selected and zoomed to. */
void lc_flame_bar_forget (LcFlameBar *bar);

#endif
