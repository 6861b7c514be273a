/* SPDX-License-Identifier: Apache-2.0 */
/* win.compare: asks for the trace to compare with; win.compare-with is told its path. */
#include <glib/gi18n.h>

#include "app/shell.h"
#include "app/compare/compare-window.h"
#include "app/open/recent.h"

static void
compare_choice_on_chosen (GtkNativeDialog *chooser, int response, LcShell *shell)
{
  LcSession *session = lc_shell_get_session (shell);
  const LcOpened *opened = lc_session_get_opened (session);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file != NULL)
    path = g_file_get_path (file);
  if (path != NULL && opened != NULL)
    lc_compare_window_open (gtk_window_get_application (GTK_WINDOW (shell)), opened->directory, path, session);
  else if (file != NULL && opened != NULL)
    lc_shell_tell (shell, _ ("Only traces in folders of this machine can be compared."));
  g_object_unref (chooser);
}

/* The file chooser lists the folders of recently opened traces, each once. */
static void
add_recent (GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) recent = lc_recent_list ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < recent->len; i++)
    {
      const LcRecent *one = g_ptr_array_index (recent, i);
      g_autofree char *parent = g_path_get_dirname (one->path);
      g_autoptr (GFile) folder = g_file_new_for_path (parent);

      if (g_hash_table_add (seen, (gpointer)g_intern_string (parent)))
        gtk_file_chooser_add_shortcut_folder (chooser, folder, NULL);
    }
}

static void
compare_choice_ask (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Compare with a trace"), GTK_WINDOW (shell),
                                   GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Compare"), _ ("_Cancel"));
  g_autofree char *folder = g_path_get_dirname (lc_session_get_opened (lc_shell_get_session (shell))->directory);
  g_autoptr (GFile) file = g_file_new_for_path (folder);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), file, NULL);
  add_recent (GTK_FILE_CHOOSER (chooser));
  g_signal_connect_object (chooser, "response", G_CALLBACK (compare_choice_on_chosen), shell, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
compare_choice_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcOpened *opened = lc_session_get_opened (session);

  if (opened != NULL)
    lc_compare_window_open (gtk_window_get_application (GTK_WINDOW (widget)), opened->directory,
                            g_variant_get_string (parameter, NULL), session);
}

void
lc_compare_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.compare-with", "s", compare_choice_open);
  gtk_widget_class_install_action (class, "win.compare", NULL, compare_choice_ask);
}
