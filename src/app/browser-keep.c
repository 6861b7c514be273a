/* SPDX-License-Identifier: Apache-2.0 */
/* State that outlives the window: its size and sides in the settings, the view of a history in the user's state
 * folder. */
#include <glib/gi18n.h>

#include "app/browser-private.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/session/state.h"

#define MOST_OF_CENTRE 0.45 /* that the plots have before anybody has moved them */

#define SOON 1500 /* ms from a change until it is saved */

/* --- The history's state ------------------------------------------------------------------------------------------ */

static void
stop_keeping (LcBrowser *browser)
{
  if (browser->keeping != 0)
    g_source_remove (browser->keeping);
  browser->keeping = 0;
}

/* The view of a partial history is not saved: it would not fit the whole run. */
void
lc_browser_keep_now (LcBrowser *browser)
{
  const LcOpened *opened = lc_session_get_opened (browser->session);
  g_autoptr (GError) error = NULL;

  if (browser->keeping == 0)
    return;
  stop_keeping (browser);
  if (opened != NULL && !opened->partial && lc_settings_get_boolean ("keep-state", TRUE) &&
      !lc_state_save (browser->session, &error))
    g_message ("%s", error->message);
}

static gboolean
browser_keep_keep (gpointer data)
{
  lc_browser_keep_now (data);
  return G_SOURCE_REMOVE;
}

static void
browser_keep_on_changed (LcSession *session, guint what, LcBrowser *browser)
{
  if ((what & LC_CHANGED_HISTORY) != 0 || lc_session_get_opened (session) == NULL)
    return;
  stop_keeping (browser);
  browser->keeping = g_timeout_add (SOON, browser_keep_keep, browser);
}

static char *
dup_state (LcBrowser *browser)
{
  g_autoptr (GKeyFile) state = lc_state_take (browser->session);

  return state != NULL ? g_key_file_to_data (state, NULL, NULL) : NULL;
}

/* Applies the user's preferences to a trace that is opened for the first time. */
static void
show_as_preferred (LcSession *session)
{
  guint time = lc_settings_get_choice ("new-time", 0),
        orientation = lc_settings_get_choice ("new-orientation", LC_ORIENTATION_RIGHT);

  if (time != LC_SCENE_PHYSICAL)
    lc_session_set_time (session, (LcSceneTime)time);
  if (orientation != LC_ORIENTATION_DOWN)
    lc_session_set_orientation (session, (LcOrientation)orientation);
}

void
lc_browser_restore (LcBrowser *browser)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) state = NULL;

  if (lc_settings_get_boolean ("keep-state", TRUE))
    state = lc_state_load (browser->session, &error);

  g_clear_pointer (&browser->restored, g_free);
  if (error != NULL)
    {
      g_autofree char *text = g_strdup_printf (_ ("What was kept for this trace cannot be read: %s"), error->message);

      lc_shell_tell (LC_SHELL (browser), text);
    }
  if (state != NULL)
    lc_state_give (browser->session, state);
  else
    show_as_preferred (browser->session);
  stop_keeping (browser);
  if (lc_session_get_opened (browser->session)->partial)
    browser->restored = dup_state (browser);
}

gboolean
lc_browser_is_untouched (LcBrowser *browser)
{
  g_autofree char *now = browser->restored != NULL ? dup_state (browser) : NULL;

  return now != NULL && g_str_equal (now, browser->restored);
}

/* Resets the view to that of a trace which is opened for the first time. */
static void
browser_keep_forget (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcBrowser *browser = LC_BROWSER (widget);
  LcOpened *opened = lc_session_get_opened (browser->session);
  g_autoptr (LcOpened) held = opened != NULL ? lc_opened_ref (opened) : NULL;
  g_autoptr (GError) error = NULL;

  if (opened == NULL)
    return;
  if (!lc_state_forget (opened->directory, &error))
    {
      lc_shell_tell (LC_SHELL (browser), error->message);
      return;
    }
  lc_session_open (browser->session, NULL);
  lc_session_open (browser->session, held);
  show_as_preferred (browser->session);
  stop_keeping (browser);
  lc_shell_tell (LC_SHELL (browser), _ ("Nothing is kept for this trace any more"));
}

/* --- The window --------------------------------------------------------------------------------------------------- */

static GtkPaned *
get_paned (LcBrowser *browser, guint side)
{
  GtkPaned *const paneds[LC_SIDES] = {browser->left_paned, browser->right_paned, browser->bottom_paned};

  return paneds[side];
}

static const char *const size_keys[LC_SIDES] = {"left-width", "right-width", NULL};
static const char *const shown_keys[LC_SIDES] = {"show-left", "show-right", "show-bottom"};

static void
load_window (LcBrowser *browser)
{
  gtk_window_set_default_size (GTK_WINDOW (browser), MAX (lc_settings_get_int ("window-width", 1280), 480),
                               MAX (lc_settings_get_int ("window-height", 860), 360));
  if (lc_settings_get_boolean ("window-maximized", FALSE))
    gtk_window_maximize (GTK_WINDOW (browser));
  browser->plots_sizes[FALSE] = lc_settings_get_int ("bottom-height", 0);
  browser->plots_sizes[TRUE] = lc_settings_get_int ("bottom-width", 0);
  for (guint side = 0; side < LC_SIDES; side++)
    if (!lc_settings_get_boolean (shown_keys[side], TRUE))
      lc_browser_set_side (browser, side, FALSE);
}

/* Where nothing was kept, plots get room in which larger texts than usual leave something of them. */
static void
browser_keep_place_plots (LcBrowser *browser)
{
  const double scale = lc_theme_get_text_scale ();
  int needed;

  if (browser->plots_sizes[FALSE] == 0 && scale > 1)
    {
      gtk_widget_measure (browser->sides[LC_SIDE_BOTTOM], GTK_ORIENTATION_VERTICAL, -1, NULL, &needed, NULL, NULL);
      browser->plots_sizes[FALSE] =
          (int)MIN (needed * scale, gtk_widget_get_height (GTK_WIDGET (browser->bottom_paned)) * MOST_OF_CENTRE);
    }
  lc_browser_plots_place (browser);
}

/* Whether all sides have got their places in the window. */
static gboolean
are_sides_allocated (LcBrowser *browser)
{
  for (guint side = 0; side < LC_SIDES; side++)
    if (gtk_widget_get_height (GTK_WIDGET (get_paned (browser, side))) == 0)
      return FALSE;
  return TRUE;
}

/* The position of a side at the end of its paned depends on the size of the paned, which is known only some time after
 * it is mapped. */
static gboolean
place_sides (gpointer data)
{
  LcBrowser *browser = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (browser->left_paned)) && !are_sides_allocated (browser))
    return G_SOURCE_CONTINUE;
  for (guint side = 0; side < LC_SIDE_BOTTOM; side++)
    {
      GtkPaned *paned = get_paned (browser, side);
      int whole = gtk_widget_get_width (GTK_WIDGET (paned)), size = lc_settings_get_int (size_keys[side], 0);

      if (size > 0 && whole > size)
        gtk_paned_set_position (paned, side == LC_SIDE_LEFT ? size : whole - size - 1);
    }
  browser_keep_place_plots (browser);
  return G_SOURCE_REMOVE;
}

static void
on_first_map (GtkWidget *paned, LcBrowser *browser)
{
  g_signal_handlers_disconnect_by_func (paned, on_first_map, browser);
  g_timeout_add_full (G_PRIORITY_DEFAULT, 50, place_sides, g_object_ref (browser), g_object_unref);
}

static void
save_window (LcBrowser *browser)
{
  int width, height, plots_height, plots_width;

  gtk_window_get_default_size (GTK_WINDOW (browser), &width, &height);
  lc_settings_set_boolean ("window-maximized", gtk_window_is_maximized (GTK_WINDOW (browser)));
  if (width > 0 && height > 0)
    {
      lc_settings_set_int ("window-width", width);
      lc_settings_set_int ("window-height", height);
    }
  for (guint side = 0; side < LC_SIDES; side++)
    {
      int size = gtk_widget_get_width (browser->sides[side]);

      lc_settings_set_boolean (shown_keys[side], browser->wanted[side]);
      if (size_keys[side] != NULL && size > 0)
        lc_settings_set_int (size_keys[side], size);
    }
  lc_browser_plots_get_sizes (browser, &plots_height, &plots_width);
  if (plots_height > 0)
    lc_settings_set_int ("bottom-height", plots_height);
  if (plots_width > 0)
    lc_settings_set_int ("bottom-width", plots_width);
}

static gboolean
on_close (LcBrowser *browser)
{
  save_window (browser);
  lc_browser_keep_now (browser);
  return FALSE;
}

void
lc_browser_keep_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.forget", NULL, browser_keep_forget);
}

void
lc_browser_keep_init (LcBrowser *browser)
{
  load_window (browser);
  g_signal_connect_object (browser->session, "changed", G_CALLBACK (browser_keep_on_changed), browser, 0);
  g_signal_connect (browser, "close-request", G_CALLBACK (on_close), NULL);
  g_signal_connect (browser->left_paned, "map", G_CALLBACK (on_first_map), browser);
}

void
lc_browser_keep_dispose (LcBrowser *browser)
{
  stop_keeping (browser);
  g_clear_pointer (&browser->restored, g_free);
}
