/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the window. */
#ifndef LC_APP_BROWSER_PRIVATE_H
#define LC_APP_BROWSER_PRIVATE_H

#include "app/browser.h"
#include "app/inspect/growing-bar.h"
#include "app/open/opening-view.h"
#include "app/panels.h"
#include "app/open/record-page.h"
#include "app/open/welcome.h"
#include "app/room.h"
#include "app/shell.h"

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
  GtkWidget *below; /* what is below the diagram in its column */
  GtkBox *header_start;
  GtkBox *header_end;
  AdwSplitButton *open_button;
  GMenu *script_commands; /* a section of the main menu */
  LcRoom *room;
  GtkPaned *left_paned;
  GtkPaned *right_paned;
  GtkPaned *bottom_paned;
  GtkWidget *sides[LC_SIDES];
  GtkStack *stacks[LC_SIDES];

  /* Sides: browser-sides.c */
  gboolean wanted[LC_SIDES];  /* chosen by the user, whether or not there is room */
  gboolean insists[LC_SIDES]; /* asked for while there was no room for it */
  LcSide preferred;           /* the side to show where there is room for one only */
  int level;                  /* number of sides that there is room for beside the diagram */

  /* Plots: browser-plots.c */
  gboolean plots_at_side;
  int plots_need;     /* width at the side, once they were there */
  int plots_sizes[2]; /* height below the diagram, and width at its side; 0: nobody has chosen one */

  /* Opening: browser-open.c */
  char *directory;    /* the trace that is open, is being opened, or could not be opened; NULL: none */
  LcOpening *loading; /* NULL: nothing is being opened */
  char *restored;     /* the state after showing the beginning; still equal: the user has changed nothing */
  double seen;        /* share of the run that can be seen while the rest is merged */
  LcOpeningPage *opening_page;
  LcOpeningBar *opening_bar;
  LcGrowingBar *growing_bar;

  /* Keeping: browser-keep.c */
  guint keeping; /* source that saves the state of the history soon; 0: none */
};

/* browser-sides.c */
void lc_browser_sides_init (LcBrowser *browser);

/* Adds the buttons that show and hide the sides to the two ends of the header; either may be NULL. */
void lc_browser_sides_add_toggles (LcBrowser *browser, GtkBox *start, GtkBox *end);
void lc_browser_sides_add_search (LcBrowser *browser);
void lc_browser_sides_update_header (LcBrowser *browser);

/* Shows or hides a side for the user, who gets it even where there is little room. */
void lc_browser_set_side (LcBrowser *browser, LcSide side, gboolean shown);

/* browser-plots.c */
void lc_browser_plots_init (LcBrowser *browser);

/* Puts the plots below the diagram or at its side, as its time goes and as there is room. */
void lc_browser_plots_update (LcBrowser *browser);

/* Gives the plots the size that they had when they were there last. */
void lc_browser_plots_place (LcBrowser *browser);
void lc_browser_plots_get_sizes (LcBrowser *browser, int *height, int *width);

/* For the window's LcShell. */
void lc_browser_show_panel (LcShell *shell, const char *name);
GtkWidget *lc_browser_get_panel (LcShell *shell, const char *name);

/* browser-open.c */
void lc_browser_open_install_actions (GtkWidgetClass *class);
void lc_browser_open_init (LcBrowser *browser);
void lc_browser_open_dispose (LcBrowser *browser);

/* browser-keep.c: the state of the window in the settings, and of the history in the user's state folder. */
void lc_browser_keep_install_actions (GtkWidgetClass *class);
void lc_browser_keep_init (LcBrowser *browser);
void lc_browser_keep_dispose (LcBrowser *browser);

/* Saves the state of the open history, if there is one. */
void lc_browser_keep_now (LcBrowser *browser);

/* Restores the saved view of a history that was just opened. */
void lc_browser_restore (LcBrowser *browser);

/* Tells whether the user has changed nothing since the beginning of the run was shown. */
gboolean lc_browser_is_untouched (LcBrowser *browser);

#endif
