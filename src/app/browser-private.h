/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the window know of each other. */
#ifndef LC_APP_BROWSER_PRIVATE_H
#define LC_APP_BROWSER_PRIVATE_H

#include "app/browser.h"
#include "app/inspect/growing-bar.h"
#include "app/open/opening-view.h"
#include "app/panels.h"
#include "app/open/record-page.h"
#include "app/search/search-bar.h"
#include "app/open/welcome.h"

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
  GtkBox *header_start;
  GtkBox *header_end;
  AdwSplitButton *open_button;
  GtkPaned *left_paned;
  GtkPaned *right_paned;
  GtkPaned *bottom_paned;
  LcSearchBar *search;
  GtkWidget *sides[LC_SIDES];
  GtkStack *stacks[LC_SIDES];

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
