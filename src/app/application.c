/* SPDX-License-Identifier: Apache-2.0 */
/* The application: its windows, what it opens, and the actions that belong to no window. */
#include "app/application.h"

#include <glib/gi18n.h>

#include "app/browser.h"
#include "app/shortcuts.h"

struct _LcApplication
{
  AdwApplication parent;
};

G_DEFINE_FINAL_TYPE (LcApplication, lc_application, ADW_TYPE_APPLICATION)

static void
lc_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (lc_browser_new (ADW_APPLICATION (application))));
}

static void
lc_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  for (int i = 0; i < n_files; i++)
    {
      LcBrowser *browser = lc_browser_new (ADW_APPLICATION (application));

      gtk_window_present (GTK_WINDOW (browser));
      lc_browser_open (browser, files[i]);
    }
}

static void
quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));

  g_list_foreach (windows, (GFunc)(void (*) (void))gtk_window_close, NULL);
  g_list_free (windows);
}

static const GActionEntry actions[] = {
    {.name = "quit", .activate = quit},
};

static void
lc_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (lc_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions), application);
  lc_shortcuts_install (GTK_APPLICATION (application));
}

static void
lc_application_class_init (LcApplicationClass *class)
{
  G_APPLICATION_CLASS (class)->startup = lc_application_startup;
  G_APPLICATION_CLASS (class)->activate = lc_application_activate;
  G_APPLICATION_CLASS (class)->open = lc_application_open;
}

static void
lc_application_init (LcApplication *application)
{
}

LcApplication *
lc_application_new (void)
{
  return g_object_new (LC_TYPE_APPLICATION, "application-id", LC_APPLICATION_ID, "resource-base-path",
                       "/org/lightcone/Browser", "flags", G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE, NULL);
}
