/* SPDX-License-Identifier: Apache-2.0 */
/* The application: its windows, what it opens, and the actions that belong to no window. */
#include "app/application.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "app/browser.h"
#include "app/open/trace-file.h"
#include "app/preferences.h"
#include "app/help/help-window.h"
#include "app/compare/compare-window.h"
#include "app/plots/profile-window.h"
#include "app/scripts/script-process.h"
#include "app/shortcuts.h"

enum
{
  NO_DISPLAY = 2,
};

struct _LcApplication
{
  AdwApplication parent;

  char *compared;   /* the trace that all others are compared with; NULL: each trace gets its own window */
  gboolean follows; /* traces are followed while they are recorded */
};

G_DEFINE_FINAL_TYPE (LcApplication, lc_application, ADW_TYPE_APPLICATION)

static void
lc_application_activate (GApplication *application)
{
  LcBrowser *browser = lc_browser_new (ADW_APPLICATION (application));
  const char *compared = LC_APPLICATION (application)->compared;

  gtk_window_present (GTK_WINDOW (browser));
  if (compared != NULL) /* the user can choose there what to compare it with */
    {
      g_autoptr (GFile) directory = g_file_new_for_path (compared);

      lc_browser_open (browser, directory);
    }
}

/* Finds an empty window: `preferred` if it is given and empty, else the empty one that was used last. */
static LcBrowser *
find_empty (LcApplication *application, gpointer preferred)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  if (preferred != NULL)
    return lc_browser_is_empty (preferred) ? preferred : NULL;
  for (; windows != NULL; windows = windows->next)
    if (LC_IS_BROWSER (windows->data) && lc_browser_is_empty (windows->data))
      return windows->data;
  return NULL;
}

static LcBrowser *
find_open (LcApplication *application, GFile *directory)
{
  g_autofree char *path = g_file_get_path (directory);
  g_autofree char *canonical = path != NULL ? g_canonicalize_filename (path, NULL) : NULL;

  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (LC_IS_BROWSER (at->data) && canonical != NULL &&
        g_strcmp0 (lc_browser_get_directory (at->data), canonical) == 0)
      return at->data;
  return NULL;
}

void
lc_application_open_in (LcApplication *application, GFile *file, gpointer window)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GFile) directory = NULL;
  LcBrowser *browser;
  gboolean there;

  if (path != NULL && lc_profile_window_open (GTK_APPLICATION (application), path))
    return;
  directory = lc_trace_file_find_folder (file);
  browser = find_open (application, directory);
  there = browser != NULL && !lc_browser_is_empty (browser);
  if (!there)
    browser = find_empty (application, window);
  if (browser == NULL)
    browser = lc_browser_new (ADW_APPLICATION (application));
  gtk_window_present (GTK_WINDOW (browser));
  if (!there && application->follows)
    lc_browser_follow (browser, directory);
  else if (!there)
    lc_browser_open (browser, directory);
}

static void
lc_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  const char *compared = LC_APPLICATION (application)->compared;

  for (int i = 0; i < n_files; i++)
    if (compared != NULL && g_file_peek_path (files[i]) != NULL)
      lc_compare_window_open (GTK_APPLICATION (application), compared, g_file_peek_path (files[i]), NULL);
    else
      lc_application_open_in (LC_APPLICATION (application), files[i], NULL);
}

/* Runs before a display is asked for, and before a running instance is looked for. */
static int
lc_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("lightcone-browser %s\n", LC_VERSION);
      return EXIT_SUCCESS;
    }
  if (g_variant_dict_lookup (options, "compare", "^ay", &LC_APPLICATION (application)->compared) ||
      g_variant_dict_contains (options, "new-instance") || g_variant_dict_contains (options, "follow"))
    g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  LC_APPLICATION (application)->follows = g_variant_dict_contains (options, "follow");
  if (gtk_init_check ())
    return -1;
  g_printerr (_ ("lightcone-browser: there is no display to open a window on; lightcone export draws every view into a "
                 "file without one\n"));
  return NO_DISPLAY;
}

static void
new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (lc_browser_new (ADW_APPLICATION (data))));
}

static void
show_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  adw_show_about_window (gtk_application_get_active_window (GTK_APPLICATION (data)), "application-name", "Lightcone",
                         "application-icon", LC_APPLICATION_ID, "version", LC_VERSION, "developer-name",
                         _ ("The Lightcone authors"), "license-type", GTK_LICENSE_APACHE_2_0, "comments",
                         _ ("Records how the threads of a parallel program wait for each other, takes the measurement "
                            "out of the run, and shows both."),
                         NULL);
}

static void
application_show_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_help_window_show (GTK_APPLICATION (data), "browser.md");
}

static void
application_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (data));

  /* One that is closed may take others along. */
  windows = g_list_copy_deep (windows, (GCopyFunc)(void (*) (void))g_object_ref, NULL);
  g_list_foreach (windows, (GFunc)(void (*) (void))gtk_window_close, NULL);
  g_list_free_full (windows, g_object_unref);
}

static void
show_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  lc_preferences_show (gtk_application_get_active_window (GTK_APPLICATION (data)));
}

static const GActionEntry actions[] = {
    {.name = "quit", .activate = application_quit},        {.name = "new-window", .activate = new_window},
    {.name = "help", .activate = application_show_help},   {.name = "about", .activate = show_about},
    {.name = "preferences", .activate = show_preferences},
};

static void
lc_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (lc_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions), application);
  lc_preferences_start ();
  lc_script_process_install ();
  lc_shortcuts_install (GTK_APPLICATION (application));
}

static void
lc_application_finalize (GObject *object)
{
  g_free (LC_APPLICATION (object)->compared);
  G_OBJECT_CLASS (lc_application_parent_class)->finalize (object);
}

static void
lc_application_class_init (LcApplicationClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_application_finalize;
  G_APPLICATION_CLASS (class)->startup = lc_application_startup;
  G_APPLICATION_CLASS (class)->activate = lc_application_activate;
  G_APPLICATION_CLASS (class)->open = lc_application_open;
  G_APPLICATION_CLASS (class)->handle_local_options = lc_application_handle_local_options;
}

static void
lc_application_init (LcApplication *application)
{
  static const GOptionEntry options[] = {
      {"version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Say which version this is"), NULL},
      {"compare", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Show this trace and another one side by side"), N_ ("DIR")},
      {"follow", 0, 0, G_OPTION_ARG_NONE, NULL,
       N_ ("Show a trace as it is being recorded, in a browser of its own; wait for it if it is not there yet"), NULL},
      {"new-instance", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Start a browser of its own beside one that is running"),
       NULL},
      {NULL},
  };

  g_application_add_main_option_entries (G_APPLICATION (application), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (application), _ ("[DIR...]"));
  g_application_set_option_context_summary (G_APPLICATION (application), _ ("Shows the traces in these folders."));
}

LcApplication *
lc_application_new (void)
{
  return g_object_new (LC_TYPE_APPLICATION, "application-id", LC_APPLICATION_ID, "resource-base-path",
                       "/org/lightcone/Browser", "flags", G_APPLICATION_HANDLES_OPEN, NULL);
}
