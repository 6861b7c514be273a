/* SPDX-License-Identifier: Apache-2.0 */
/* The window's way to a history: the pages and bars while it is made, the failure page, and the dialog that asks for
 * one. */
#include <glib/gi18n.h>

#include "app/application.h"
#include "app/browser-private.h"
#include "app/open/failure.h"
#include "app/open/recent.h"
#include "app/shown-text.h"
#include "lightcone/recording.h"

/* --- While it is opened ------------------------------------------------------------------------------------------ */

static void
forget_loading (LcBrowser *browser)
{
  if (browser->loading == NULL)
    return;
  lc_opening_cancel (browser->loading);
  g_signal_handlers_disconnect_by_data (browser->loading, browser);
  g_clear_object (&browser->loading);
  lc_growing_bar_set_busy (browser->growing_bar, FALSE);
}

static LcRecordPage *
browser_get_record_page (LcBrowser *browser)
{
  return LC_RECORD_PAGE (adw_bin_get_child (browser->recording));
}

static gboolean
browser_is_recording (LcBrowser *browser)
{
  return lc_record_page_is_running (browser_get_record_page (browser));
}

/* Tells whether the session shows the trace that is being opened: its beginning, or its history before a refresh. */
static gboolean
browser_open_is_shown (LcBrowser *browser)
{
  LcOpened *opened = lc_session_get_opened (browser->session);

  return opened != NULL && g_strcmp0 (opened->directory, browser->directory) == 0;
}

static void
browser_open_on_moved (LcOpening *opening, LcBrowser *browser)
{
  LcOpened *opened = lc_session_get_opened (browser->session);

  if (!browser_open_is_shown (browser))
    {
      lc_opening_page_update (browser->opening_page, opening);
      if (!browser_is_recording (browser))
        lc_browser_set_page (browser, "opening");
    }
  else if (opened->partial)
    lc_opening_bar_update (browser->opening_bar, opening, browser->seen);
}

/* Returns the share of the run's events that the opened history has. */
static double
find_share (LcOpening *opening, LcOpened *opened)
{
  double events = (double)lc_history_get_n_events (opened->history), total = lc_opening_get_total (opening);

  return total > 0 ? MIN (events / total, 1) : 0;
}

static void
browser_open_on_beginning (LcOpening *opening, LcOpened *opened, LcBrowser *browser)
{
  if (browser_open_is_shown (browser))
    return;
  browser->seen = find_share (opening, opened);
  lc_session_open (browser->session, opened);
  lc_browser_restore (browser);
  lc_browser_set_page (browser, "diagram");
  lc_opening_bar_update (browser->opening_bar, opening, browser->seen);
  gtk_widget_set_visible (GTK_WIDGET (browser->opening_bar), TRUE);
}

static void
browser_open_show_failure (LcBrowser *browser, const GError *error)
{
  g_autofree char *text = lc_failure_dup_text (error);
  g_autofree char *escaped = lc_shown_dup_markup (text);

  adw_status_page_set_title (browser->failed, lc_failure_get_title (error));
  adw_status_page_set_description (browser->failed, escaped);
  adw_status_page_set_icon_name (browser->failed, "dialog-error-symbolic");
  lc_browser_set_page (browser, "failed");
}

static void
show_whole (LcBrowser *browser, LcOpening *opening, LcOpened *opened)
{
  gboolean there = browser_open_is_shown (browser), first = !there || lc_browser_is_untouched (browser);

  gtk_widget_set_visible (GTK_WIDGET (browser->opening_bar), FALSE);
  if (first)
    lc_session_open (browser->session, opened);
  else
    lc_growing_bar_show (browser->growing_bar, opened);
  if (first)
    lc_browser_restore (browser);
  lc_recent_add (opened->directory);
  if (!there || !browser_is_recording (browser))
    lc_browser_set_page (browser, "diagram");
  if (browser_is_recording (browser))
    lc_record_page_offer_run (browser_get_record_page (browser));
  lc_growing_bar_watch (browser->growing_bar, opened->directory, lc_opening_get_duration (opening),
                        lc_opening_was_growing (opening));
}

static void
browser_open_on_done (LcOpening *opening, LcOpened *opened, const GError *error, LcBrowser *browser)
{
  g_autoptr (LcOpening) done = g_steal_pointer (&browser->loading);

  g_signal_handlers_disconnect_by_data (done, browser);
  lc_growing_bar_set_busy (browser->growing_bar, FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.cancel-opening", FALSE);
  if (opened != NULL)
    show_whole (browser, done, opened);
  else if (browser_open_is_shown (browser) && lc_session_get_opened (browser->session)->partial)
    {
      lc_opening_bar_set_stopped (browser->opening_bar, browser->seen);
      lc_shell_tell (LC_SHELL (browser), error->message);
    }
  else if (browser_open_is_shown (browser))
    {
      lc_shell_tell (LC_SHELL (browser), error->message);
      lc_growing_bar_watch (browser->growing_bar, browser->directory, lc_opening_get_duration (done), FALSE);
    }
  else
    browser_open_show_failure (browser, error);
}

static void
browser_open_start (LcBrowser *browser, gboolean beginning, gboolean awaits)
{
  forget_loading (browser);
  browser->loading = lc_opening_new (browser->directory, beginning && !awaits);
  if (awaits)
    lc_opening_await_recording (browser->loading);
  g_signal_connect (browser->loading, "moved", G_CALLBACK (browser_open_on_moved), browser);
  g_signal_connect (browser->loading, "beginning", G_CALLBACK (browser_open_on_beginning), browser);
  g_signal_connect (browser->loading, "done", G_CALLBACK (browser_open_on_done), browser);
  lc_growing_bar_set_busy (browser->growing_bar, TRUE);
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.cancel-opening", TRUE);
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.refresh", TRUE);
  lc_opening_start (browser->loading);
}

static void
browser_open_begin (LcBrowser *browser, GFile *directory, gboolean awaits)
{
  g_autofree char *path = g_file_get_path (directory), *title = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&browser->directory, g_free);
  if (path == NULL)
    {
      g_autofree char *uri = g_file_get_uri (directory);

      g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("%s: not a folder of this machine"), uri);
      browser_open_show_failure (browser, error);
      return;
    }
  browser->directory = g_canonicalize_filename (path, NULL);
  title = g_filename_display_basename (browser->directory);
  lc_growing_bar_watch (browser->growing_bar, NULL, 0, FALSE);
  if (!browser_open_is_shown (browser))
    {
      lc_browser_keep_now (browser);
      lc_session_open (browser->session, NULL);
      gtk_widget_set_visible (GTK_WIDGET (browser->opening_bar), FALSE);
      if (!browser_is_recording (browser))
        gtk_stack_set_visible_child_full (browser->pages, "blank", GTK_STACK_TRANSITION_TYPE_NONE);
    }
  lc_opening_page_set_title (browser->opening_page, title);
  browser_open_start (browser, !awaits, awaits);
}

void
lc_browser_open (LcBrowser *browser, GFile *directory)
{
  browser_open_begin (browser, directory, FALSE);
}

/* A trace that is there already and to which nothing is added is just opened. */
void
lc_browser_follow (LcBrowser *browser, GFile *directory)
{
  const char *path = g_file_peek_path (directory);
  g_autofree char *metadata = g_build_filename (path != NULL ? path : "", "ctf", "metadata", NULL);

  lc_growing_bar_keep_up (browser->growing_bar);
  browser_open_begin (browser, directory,
                      path != NULL && (lc_recording_is_going_on (path) || !g_file_test (metadata, G_FILE_TEST_EXISTS)));
}

const char *
lc_browser_get_directory (LcBrowser *browser)
{
  return browser->directory;
}

/* --- Actions -------------------------------------------------------------------------------------------------------
 */

/* Stops the opening. A beginning that is already shown stays, and so does a history that was being refreshed. */
static void
browser_open_cancel_opening (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcBrowser *browser = LC_BROWSER (widget);

  if (browser->loading == NULL)
    return;
  forget_loading (browser);
  gtk_widget_action_set_enabled (widget, "win.cancel-opening", FALSE);
  if (browser_open_is_shown (browser) && lc_session_get_opened (browser->session)->partial)
    lc_opening_bar_set_stopped (browser->opening_bar, browser->seen);
  if (browser_open_is_shown (browser))
    return;
  g_clear_pointer (&browser->directory, g_free);
  gtk_widget_action_set_enabled (widget, "win.refresh", FALSE);
  lc_browser_set_page (browser, "welcome");
}

static void
browser_open_refresh (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcBrowser *browser = LC_BROWSER (widget);

  if (browser->directory != NULL && browser->loading == NULL)
    browser_open_start (browser, !browser_open_is_shown (browser), FALSE);
}

static void
browser_open_follow (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_growing_bar_toggle_follow (LC_BROWSER (data)->growing_bar);
}

/* Who asks a second time sees on the page of the recording how it is, and can kill the program there. */
static void
browser_open_stop_recording (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LcBrowser *browser = LC_BROWSER (data);

  if (!browser_is_recording (browser) || !lc_record_page_stop (browser_get_record_page (browser)))
    lc_browser_set_page (browser, "record");
}

static void
browser_open_show_output (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_browser_set_page (LC_BROWSER (data), "record");
}

static void
browser_open_on_chosen (GtkNativeDialog *chooser, int response, LcBrowser *browser)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file != NULL)
    lc_application_open_in (LC_APPLICATION (gtk_window_get_application (GTK_WINDOW (browser))), file, browser);
  g_object_unref (chooser);
}

static void
browser_open_choose (LcBrowser *browser, const char *title, GtkFileChooserAction action)
{
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (title, GTK_WINDOW (browser), action, _ ("_Open"), _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  if (browser->directory != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (browser->directory);
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
    }
  g_signal_connect_object (chooser, "response", G_CALLBACK (browser_open_on_chosen), browser, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
browser_open_ask (GtkWidget *widget, const char *name, GVariant *parameter)
{
  browser_open_choose (LC_BROWSER (widget), _ ("Open a trace"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
}

/* GTK chooses either folders or files. */
static void
browser_open_ask_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  browser_open_choose (LC_BROWSER (widget), _ ("Open a file"), GTK_FILE_CHOOSER_ACTION_OPEN);
}

static void
open_named (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_bytestring (parameter));
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (widget));

  lc_application_open_in (LC_APPLICATION (application), file, LC_BROWSER (widget));
}

static void
show_welcome (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcBrowser *browser = LC_BROWSER (widget);

  if (browser->directory == NULL || g_str_equal (lc_browser_get_page (browser), "failed"))
    lc_browser_set_page (browser, "welcome");
}

static void
show_record (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcBrowser *browser = LC_BROWSER (widget);

  if (!lc_browser_is_empty (browser))
    {
      browser = lc_browser_new (ADW_APPLICATION (gtk_window_get_application (GTK_WINDOW (widget))));
      gtk_window_present (GTK_WINDOW (browser));
    }
  lc_browser_set_page (browser, "record");
}

void
lc_browser_open_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.open", NULL, browser_open_ask);
  gtk_widget_class_install_action (class, "win.open-file", NULL, browser_open_ask_file);
  gtk_widget_class_install_action (class, "win.open-named", "ay", open_named);
  gtk_widget_class_install_action (class, "win.cancel-opening", NULL, browser_open_cancel_opening);
  gtk_widget_class_install_action (class, "win.refresh", NULL, browser_open_refresh);
  gtk_widget_class_install_action (class, "win.record", NULL, show_record);
  gtk_widget_class_install_action (class, "win.welcome", NULL, show_welcome);
}

/* --- Dropping ------------------------------------------------------------------------------------------------------
 */

static gboolean
browser_open_on_drop (GtkDropTarget *target, const GValue *value, double x, double y, LcBrowser *browser)
{
  LcApplication *application = LC_APPLICATION (gtk_window_get_application (GTK_WINDOW (browser)));
  const GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (const GSList *at = files; at != NULL; at = at->next)
    lc_application_open_in (application, G_FILE (at->data), browser);
  return files != NULL;
}

/* Tells whether the window shows, opens and records nothing. */
gboolean
lc_browser_is_empty (LcBrowser *browser)
{
  return lc_session_get_opened (browser->session) == NULL && browser->loading == NULL &&
         !browser_is_recording (browser);
}

static void
browser_open_set_recording (LcBrowser *browser, gboolean recording)
{
  static const char *const names[] = {"stop-recording", "output"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (browser), names[i])),
                                 recording);
}

/* What is at the place of the trace before the recording begins is another one. */
static void
browser_open_on_begun (LcRecordPage *page, const char *directory, LcBrowser *browser)
{
  g_autoptr (GFile) file = g_file_new_for_path (directory);

  browser_open_set_recording (browser, TRUE);
  lc_growing_bar_keep_up (browser->growing_bar);
  browser_open_begin (browser, file, TRUE);
}

/* What was waited for may never come. */
static void
browser_open_on_ended (LcRecordPage *page, const char *directory, LcBrowser *browser)
{
  browser_open_set_recording (browser, FALSE);
  if (!browser_open_is_shown (browser))
    {
      forget_loading (browser);
      g_clear_pointer (&browser->directory, g_free);
      gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.cancel-opening", FALSE);
      gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.refresh", FALSE);
    }
}

/* What the program printed says why. */
static void
browser_open_on_failed (LcRecordPage *page, const char *directory, LcBrowser *browser)
{
  lc_browser_set_page (browser, "record");
}

static void
on_recorded (LcRecordPage *page, const char *directory, LcBrowser *browser)
{
  g_autoptr (GFile) file = g_file_new_for_path (directory);

  if (browser_is_recording (browser) && browser_open_is_shown (browser))
    lc_browser_set_page (browser, "diagram");
  else
    lc_browser_open (browser, file);
}

static const GActionEntry browser_open_entries[] = {
    {.name = "follow", .activate = browser_open_follow},
    {.name = "stop-recording", .activate = browser_open_stop_recording},
    {.name = "output", .activate = browser_open_show_output},
};

void
lc_browser_open_init (LcBrowser *browser)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkWidget *record = lc_record_page_new ();

  browser->opening_page = LC_OPENING_PAGE (lc_opening_page_new ());
  browser->opening_bar = LC_OPENING_BAR (lc_opening_bar_new ());
  browser->growing_bar = LC_GROWING_BAR (lc_growing_bar_new (browser->session));
  adw_bin_set_child (browser->opening, GTK_WIDGET (browser->opening_page));
  adw_bin_set_child (browser->welcome, lc_welcome_new ());
  adw_bin_set_child (browser->recording, record);
  gtk_box_append (browser->banners, GTK_WIDGET (browser->opening_bar));
  gtk_box_append (browser->banners, GTK_WIDGET (browser->growing_bar));
  g_signal_connect (target, "drop", G_CALLBACK (browser_open_on_drop), browser);
  gtk_widget_add_controller (GTK_WIDGET (browser), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_object (record, "begun", G_CALLBACK (browser_open_on_begun), browser, 0);
  g_signal_connect_object (record, "ended", G_CALLBACK (browser_open_on_ended), browser, 0);
  g_signal_connect_object (record, "failed", G_CALLBACK (browser_open_on_failed), browser, 0);
  g_signal_connect_object (record, "recorded", G_CALLBACK (on_recorded), browser, 0);
  adw_split_button_set_menu_model (browser->open_button, lc_recent_get_menu ());
  lc_accessible_show (GTK_ACCESSIBLE (gtk_widget_get_first_child (GTK_WIDGET (browser->open_button))),
                      GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Open a trace"));
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.cancel-opening", FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (browser), "win.refresh", FALSE);
  g_action_map_add_action_entries (G_ACTION_MAP (browser), browser_open_entries, G_N_ELEMENTS (browser_open_entries),
                                   browser);
  browser_open_set_recording (browser, FALSE);
}

void
lc_browser_open_dispose (LcBrowser *browser)
{
  if (browser->loading != NULL)
    {
      lc_opening_cancel (browser->loading);
      g_signal_handlers_disconnect_by_data (browser->loading, browser);
    }
  g_clear_object (&browser->loading);
  g_clear_pointer (&browser->directory, g_free);
}
