/* SPDX-License-Identifier: Apache-2.0 */
/* Where the plots are: below the diagram, or, while time goes down in it, at its side, so that both have one axis of
 * time. What else there is in their place, such as tables, stays below. */
#include "app/browser-private.h"

#define LEAST_DIAGRAM 300   /* px of width that the diagram keeps beside the plots */
#define LEAST_PLOTS 330     /* px of width */
#define LEAST_HEIGHT 160    /* px of height, of plots below */
#define SHARE_OF_PLOTS 0.42 /* of the width, before anybody has moved the border */

/* What plots need at the side is known only once they were there, because their bar is another one there. */
static gboolean
browser_plots_have_room (LcBrowser *browser)
{
  int width, height, all, shared, diagram;

  lc_room_get_size (browser->room, &width, &height);
  gtk_widget_measure (GTK_WIDGET (browser->left_paned), GTK_ORIENTATION_HORIZONTAL, -1, &all, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (browser->bottom_paned), GTK_ORIENTATION_HORIZONTAL, -1, &shared, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (browser->centre), GTK_ORIENTATION_HORIZONTAL, -1, &diagram, NULL, NULL, NULL);
  if (browser->plots_at_side)
    gtk_widget_measure (browser->sides[LC_SIDE_BOTTOM], GTK_ORIENTATION_HORIZONTAL, -1, &browser->plots_need, NULL,
                        NULL, NULL);
  return width == 0 || all - shared + MAX (diagram, LEAST_DIAGRAM) + MAX (browser->plots_need, LEAST_PLOTS) <= width;
}

static gboolean
browser_plots_belong_at_side (LcBrowser *browser)
{
  const LcShown *shown = lc_session_get_shown (browser->session);

  return shown != NULL && shown->orientation == LC_ORIENTATION_DOWN &&
         g_strcmp0 (gtk_stack_get_visible_child_name (browser->stacks[LC_SIDE_BOTTOM]), "plots") == 0 &&
         browser_plots_have_room (browser);
}

/* Remembers how large the plots are where they are now. */
static void
browser_plots_remember (LcBrowser *browser)
{
  GtkWidget *side = browser->sides[LC_SIDE_BOTTOM];
  int size = browser->plots_at_side ? gtk_widget_get_width (side) : gtk_widget_get_height (side);

  if (size > 0)
    browser->plots_sizes[browser->plots_at_side] = size;
}

/* Places the border of a paned whose extent was `last` when it was laid out last. */
static void
browser_plots_place_border (LcBrowser *browser, int whole, int last)
{
  int size = browser->plots_sizes[browser->plots_at_side];

  if (size == 0 && browser->plots_at_side)
    size = (int)(whole * SHARE_OF_PLOTS);
  /* The paned adds to the position what it has got more of since then: its other direction, once it is turned. */
  if (size > 0 && whole > size)
    gtk_paned_set_position (browser->bottom_paned, MAX (whole - size - 1 - (whole - last), 0));
}

void
lc_browser_plots_place (LcBrowser *browser)
{
  GtkWidget *paned = GTK_WIDGET (browser->bottom_paned);
  int whole = browser->plots_at_side ? gtk_widget_get_width (paned) : gtk_widget_get_height (paned);

  browser_plots_place_border (browser, whole, whole);
}

/* The switcher of the side is its first child or, at the side of the diagram, its last one. */
static void
browser_plots_turn (LcBrowser *browser)
{
  GtkBox *side = GTK_BOX (browser->sides[LC_SIDE_BOTTOM]);
  GtkWidget *stack = GTK_WIDGET (browser->stacks[LC_SIDE_BOTTOM]);
  gboolean at_side = browser->plots_at_side;

  gtk_box_reorder_child_after (side, stack, at_side ? NULL : gtk_widget_get_last_child (GTK_WIDGET (side)));
  gtk_widget_set_size_request (GTK_WIDGET (side), at_side ? LEAST_PLOTS : -1, at_side ? -1 : LEAST_HEIGHT);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (browser->bottom_paned),
                                  at_side ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

static void
browser_plots_move (LcBrowser *browser, gboolean at_side)
{
  int width = gtk_widget_get_width (GTK_WIDGET (browser->bottom_paned));
  int height = gtk_widget_get_height (GTK_WIDGET (browser->bottom_paned));

  if (gtk_widget_get_visible (browser->sides[LC_SIDE_BOTTOM]))
    browser_plots_remember (browser);
  browser->plots_at_side = at_side;
  browser_plots_turn (browser);
  browser_plots_place_border (browser, at_side ? width : height, at_side ? height : width);
  lc_session_set_plots_at_side (browser->session, at_side);
}

void
lc_browser_plots_update (LcBrowser *browser)
{
  gboolean at_side = browser_plots_belong_at_side (browser);

  if (at_side == browser->plots_at_side)
    return;
  browser_plots_move (browser, at_side);
  if (at_side && !browser_plots_have_room (browser))
    browser_plots_move (browser, FALSE);
}

void
lc_browser_plots_get_sizes (LcBrowser *browser, int *height, int *width)
{
  browser_plots_remember (browser);
  *height = browser->plots_sizes[FALSE];
  *width = browser->plots_sizes[TRUE];
}

static void
browser_plots_on_changed (LcSession *session, guint what, LcBrowser *browser)
{
  gboolean beside = browser->plots_at_side && gtk_widget_get_visible (browser->sides[LC_SIDE_BOTTOM]);

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_ORIENTATION)) != 0)
    lc_browser_plots_update (browser);
  if ((what & LC_CHANGED_RULER) != 0)
    gtk_widget_set_size_request (browser->below, -1, beside ? lc_session_get_room_below_plots (session) : -1);
}

static void
browser_plots_on_panel (GtkStack *stack, GParamSpec *pspec, LcBrowser *browser)
{
  lc_browser_plots_update (browser);
}

void
lc_browser_plots_init (LcBrowser *browser)
{
  g_signal_connect_object (browser->session, "changed", G_CALLBACK (browser_plots_on_changed), browser, 0);
  g_signal_connect (browser->stacks[LC_SIDE_BOTTOM], "notify::visible-child-name", G_CALLBACK (browser_plots_on_panel),
                    browser);
}
