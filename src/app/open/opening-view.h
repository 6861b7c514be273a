/* SPDX-License-Identifier: Apache-2.0 */
/* The progress of opening a trace: a page while nothing else can be shown, and a bar above the beginning of the run. */
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

/* Shows the progress. `seen`: the share of the run that is already shown, 0 to 1. */
void lc_opening_bar_update (LcOpeningBar *bar, LcOpening *opening, double seen);

/* Shows that the merge was cancelled, and that only this share of the run is there. */
void lc_opening_bar_set_stopped (LcOpeningBar *bar, double seen);

#endif
