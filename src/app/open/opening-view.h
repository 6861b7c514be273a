/* SPDX-License-Identifier: Apache-2.0 */
/* How far the opening of a trace is: as a page while there is nothing else to see, and as a bar above its beginning. */
#ifndef LC_APP_OPENING_VIEW_H
#define LC_APP_OPENING_VIEW_H

#include <adwaita.h>

#include "app/open/opening.h"

#define LC_TYPE_OPENING_PAGE (lc_opening_page_get_type ())
G_DECLARE_FINAL_TYPE (LcOpeningPage, lc_opening_page, LC, OPENING_PAGE, AdwBin)

GtkWidget *lc_opening_page_new (void);
void lc_opening_page_set_title (LcOpeningPage *page, const char *title);
void lc_opening_page_update (LcOpeningPage *page, LcOpening *opening);

#define LC_TYPE_OPENING_BAR (lc_opening_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcOpeningBar, lc_opening_bar, LC, OPENING_BAR, GtkBox)

GtkWidget *lc_opening_bar_new (void);

/* `seen`: how much of the run can be looked at already, 0 to 1. */
void lc_opening_bar_update (LcOpeningBar *bar, LcOpening *opening, double seen);

/* The merge was cancelled: only this much of the run is there. */
void lc_opening_bar_set_stopped (LcOpeningBar *bar, double seen);

#endif
