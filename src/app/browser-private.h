/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the window know of each other. */
#ifndef LC_APP_BROWSER_PRIVATE_H
#define LC_APP_BROWSER_PRIVATE_H

#include "app/browser.h"
#include "app/inspect/growing-bar.h"
#include "app/open/opening-view.h"
#include "app/panels.h"
#include "app/open/record-page.h"
#include "app/open/welcome.h"
#include "app/room.h"

struct _LcBrowser
{
  AdwApplicationWindow parent;

  LcSession *session;
  AdwToastOverlay *toasts;
  AdwWindowTitle *title;
  GtkStack *pages;
  AdwStatusPage *failed;
  AdwBin *welcome;
  AdwBin *opening;
  AdwBin *recording;
  GtkBox *banners;
  GtkBox *centre;
  GtkWidget *diagram;
  GtkBox *header_start;
  GtkBox *header_end;
  AdwSplitButton *open_button;
  LcRoom *room;
  GtkPaned *left_paned;
  GtkPaned *right_paned;
  GtkPaned *bottom_paned;
  GtkWidget *sides[LC_SIDES];
  GtkStack *stacks[LC_SIDES];

  /* Sides: browser-sides.c */
  gboolean wanted[LC_SIDES];  /* by the user, whether there is room or not */
  gboolean insists[LC_SIDES]; /* asked for where there is no room for it */
  LcSide preferred;           /* where there is room for one */
  int level;                  /* for how many there is room beside the diagram */

  /* Opening: browser-open.c */
  char *directory;    /* what is open, is being opened, or could not be; NULL: nothing */
  LcOpening *loading; /* NULL: nothing is on its way */
  char *restored;     /* the state after the beginning was shown; as long as it is that, nothing was chosen */
  double seen;        /* how much of the run can be looked at while the rest is merged */
  LcOpeningPage *opening_page;
  LcOpeningBar *opening_bar;
  LcGrowingBar *growing_bar;

  /* Keeping: browser-keep.c */
  guint keeping; /* the state of the history is to be saved soon */
};

/* browser-sides.c */
void lc_browser_sides_init (LcBrowser *browser);

/* What shows and hides the sides, in either of the two; NULL: not there. */
void lc_browser_sides_add_toggles (LcBrowser *browser, GtkBox *start, GtkBox *end);
void lc_browser_sides_update_header (LcBrowser *browser);

/* As the user asks for it: it is shown even where there is little room. */
void lc_browser_set_side (LcBrowser *browser, LcSide side, gboolean shown);

/* browser-open.c */
void lc_browser_open_install_actions (GtkWidgetClass *class);
void lc_browser_open_init (LcBrowser *browser);
void lc_browser_open_dispose (LcBrowser *browser);

/* browser-keep.c: what is kept of the window in the settings, and of the history with the user's data. */
void lc_browser_keep_install_actions (GtkWidgetClass *class);
void lc_browser_keep_init (LcBrowser *browser);
void lc_browser_keep_dispose (LcBrowser *browser);

/* Saves the state of the history that is open, if any is. */
void lc_browser_keep_now (LcBrowser *browser);

/* A history was opened for the first time: what was kept of it is shown again. */
void lc_browser_restore (LcBrowser *browser);

/* The same after only its beginning could be shown, unless something else was chosen meanwhile. */
gboolean lc_browser_is_untouched (LcBrowser *browser);

#endif
