/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of the window: their panels, the buttons that show and hide them, and the order in which they give way. */
#include <glib/gi18n.h>

#include "app/browser-private.h"
#include "app/panel-switcher.h"
#include "app/shown-text.h"

enum
{
  BOTH_WIDTH = 900,  /* px, for the left and the right side with a diagram between them */
  ONE_WIDTH = 700,   /* px, for one side and the diagram */
  PLOTS_HEIGHT = 440 /* px, for the plots under a diagram */
};

static const char *const action_names[LC_SIDES] = {"left-side", "right-side", "bottom-side"};

/* --- Panels ------------------------------------------------------------------------------------------------------ */

/* Fills a side with its panels, one visible at a time, and a switcher above them. */
static void
fill_side (LcBrowser *browser, LcSide side)
{
  gsize n_panels;
  const LcPanel *panels = lc_panels_get (&n_panels);
  GtkStack *stack = browser->stacks[side] = GTK_STACK (gtk_stack_new ());

  gtk_stack_set_vhomogeneous (stack, FALSE);
  gtk_stack_set_hhomogeneous (stack, side != LC_SIDE_BOTTOM); /* plots are narrower than tables, where they may be */
  gtk_widget_set_vexpand (GTK_WIDGET (stack), TRUE);
  for (gsize i = 0; i < n_panels; i++)
    if (panels[i].side == side)
      {
        GtkWidget *panel = lc_panel_place_new (&panels[i], browser->session);

        gtk_stack_add_titled (stack, panel, panels[i].name, _ (panels[i].title));
      }
  gtk_box_append (GTK_BOX (browser->sides[side]), lc_panel_switcher_new (stack, browser->session));
  gtk_box_append (GTK_BOX (browser->sides[side]), GTK_WIDGET (stack));
}

void
lc_browser_show_panel (LcShell *shell, const char *name)
{
  LcBrowser *browser = LC_BROWSER (shell);

  for (guint side = 0; side < LC_SIDES; side++)
    {
      GtkWidget *panel = gtk_stack_get_child_by_name (browser->stacks[side], name);

      if (panel == NULL)
        continue;
      lc_browser_set_side (browser, side, TRUE);
      gtk_stack_set_visible_child (browser->stacks[side], panel);
      gtk_widget_child_focus (panel, GTK_DIR_TAB_FORWARD);
    }
}

GtkWidget *
lc_browser_get_panel (LcShell *shell, const char *name)
{
  LcBrowser *browser = LC_BROWSER (shell);
  GtkWidget *panel = NULL;

  for (guint side = 0; side < LC_SIDES && panel == NULL; side++)
    panel = gtk_stack_get_child_by_name (browser->stacks[side], name);
  return panel != NULL ? lc_panel_place_get (panel) : NULL;
}

/* Panels about places in the source are only there for traces that have such places. */
static void
browser_sides_on_changed (LcSession *session, guint what, LcBrowser *browser)
{
  LcHistory *history = lc_session_get_history (session);
  gsize n_panels;
  const LcPanel *panels = lc_panels_get (&n_panels);

  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  for (gsize i = 0; i < n_panels; i++)
    if (panels[i].of_places)
      {
        GtkStack *stack = browser->stacks[panels[i].side];
        GtkWidget *panel = gtk_stack_get_child_by_name (stack, panels[i].name);

        gtk_stack_page_set_visible (gtk_stack_get_page (stack, panel),
                                    history != NULL && lc_history_get_n_sites (history) > 0);
      }
}

/* --- Visible sides ----------------------------------------------------------------------------------------------- */

/* With room for one side, the preferred one fits; with room for none, only a side that was asked for at this width. */
static gboolean
browser_sides_fits (LcBrowser *browser, LcSide side)
{
  int width, height;

  lc_room_get_size (browser->room, &width, &height);
  if (side == LC_SIDE_BOTTOM)
    return height == 0 || height >= PLOTS_HEIGHT || browser->insists[side];
  if (width == 0 || width >= BOTH_WIDTH)
    return TRUE;
  return browser->preferred == side && (width >= ONE_WIDTH || browser->insists[side]);
}

static void
show_side (LcBrowser *browser, LcSide side, gboolean shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (browser), action_names[side]);

  gtk_widget_set_visible (browser->sides[side], shown);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (shown));
}

static gboolean
browser_sides_overflows (LcBrowser *browser)
{
  int width, height, least;

  lc_room_get_size (browser->room, &width, &height);
  gtk_widget_measure (GTK_WIDGET (browser->left_paned), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return width > 0 && least > width;
}

/* Hides further sides if the window would still overflow, as it does with long texts or large fonts. */
static void
show_sides (LcBrowser *browser)
{
  LcSide other = browser->preferred == LC_SIDE_LEFT ? LC_SIDE_RIGHT : LC_SIDE_LEFT;

  for (guint side = 0; side < LC_SIDES; side++)
    show_side (browser, side, browser->wanted[side] && browser_sides_fits (browser, side));
  lc_browser_plots_update (browser);
  if (browser_sides_overflows (browser))
    show_side (browser, other, FALSE);
  if (browser_sides_overflows (browser) && !browser->insists[browser->preferred])
    show_side (browser, browser->preferred, FALSE);
}

/* A side that was shown without room for it is hidden once the window becomes even narrower. */
static void
on_resized (LcRoom *room, LcBrowser *browser)
{
  int width, height, level;

  lc_room_get_size (room, &width, &height);
  level = (width >= BOTH_WIDTH) + (width >= ONE_WIDTH);
  if (level != browser->level)
    browser->insists[LC_SIDE_LEFT] = browser->insists[LC_SIDE_RIGHT] = FALSE;
  if (height >= PLOTS_HEIGHT)
    browser->insists[LC_SIDE_BOTTOM] = FALSE;
  browser->level = level;
  show_sides (browser);
}

void
lc_browser_set_side (LcBrowser *browser, LcSide side, gboolean shown)
{
  browser->wanted[side] = browser->insists[side] = shown;
  if (shown && side != LC_SIDE_BOTTOM)
    browser->preferred = side;
  show_sides (browser);
}

static void
on_asked (GSimpleAction *action, GVariant *state, gpointer data)
{
  for (guint side = 0; side < LC_SIDES; side++)
    if (g_str_equal (action_names[side], g_action_get_name (G_ACTION (action))))
      lc_browser_set_side (LC_BROWSER (data), side, g_variant_get_boolean (state));
}

static const GActionEntry entries[] = {
    {.name = "left-side", .state = "true", .change_state = on_asked},
    {.name = "right-side", .state = "true", .change_state = on_asked},
    {.name = "bottom-side", .state = "true", .change_state = on_asked},
};

/* --- The header bar ---------------------------------------------------------------------------------------------- */

/* The squeezer hides the button where there is no room for it; its key and the menu do the same. */
static void
browser_sides_add_button (GtkBox *box, GtkWidget *button, const char *action, const char *icon, const char *tip)
{
  GtkWidget *squeezer = adw_squeezer_new ();

  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  lc_tooltip_show (button, tip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  adw_squeezer_set_allow_none (ADW_SQUEEZER (squeezer), TRUE);
  adw_squeezer_set_homogeneous (ADW_SQUEEZER (squeezer), FALSE);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), button);
  gtk_box_append (box, squeezer);
}

static void
add_toggle (GtkBox *box, const char *action, const char *icon, const char *tip)
{
  browser_sides_add_button (box, gtk_toggle_button_new (), action, icon, tip);
}

void
lc_browser_sides_add_toggles (LcBrowser *browser, GtkBox *start, GtkBox *end)
{
  if (start != NULL)
    add_toggle (start, "win.left-side", "sidebar-show-symbolic", _ ("Processes and filters"));
  if (end == NULL)
    return;
  add_toggle (end, "win.bottom-side", "lightcone-plots-symbolic", _ ("Plots"));
  add_toggle (end, "win.right-side", "sidebar-show-right-symbolic", _ ("Inspector, and what else is known of the run"));
}

void
lc_browser_sides_add_search (LcBrowser *browser)
{
  browser_sides_add_button (browser->header_end, gtk_button_new (), "win.search", "system-search-symbolic",
                            _ ("Find events"));
}

/* Hides the controls of a history on pages without one. */
static void
browser_sides_on_page (GtkStack *pages, GParamSpec *pspec, LcBrowser *browser)
{
  gboolean shown = g_strcmp0 (gtk_stack_get_visible_child_name (pages), "diagram") == 0;

  for (GtkWidget *at = gtk_widget_get_first_child (GTK_WIDGET (browser->header_start)); at != NULL;
       at = gtk_widget_get_next_sibling (at))
    if (at != GTK_WIDGET (browser->open_button))
      gtk_widget_set_visible (at, shown);
  gtk_widget_set_visible (GTK_WIDGET (browser->header_end), shown);
}

void
lc_browser_sides_init (LcBrowser *browser)
{
  browser->preferred = LC_SIDE_RIGHT;
  browser->level = 2;
  g_action_map_add_action_entries (G_ACTION_MAP (browser), entries, G_N_ELEMENTS (entries), browser);
  for (guint side = 0; side < LC_SIDES; side++)
    {
      browser->wanted[side] = TRUE;
      fill_side (browser, side);
    }
  g_signal_connect_object (browser->session, "changed", G_CALLBACK (browser_sides_on_changed), browser, 0);
  browser_sides_on_changed (browser->session, LC_CHANGED_ALL, browser);
  g_signal_connect (browser->room, "resized", G_CALLBACK (on_resized), browser);
  g_signal_connect (browser->pages, "notify::visible-child-name", G_CALLBACK (browser_sides_on_page), browser);
}

void
lc_browser_sides_update_header (LcBrowser *browser)
{
  browser_sides_on_page (browser->pages, NULL, browser);
}
