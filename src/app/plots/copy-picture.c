/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the diagram as it is seen to the clipboard: as pixels, as SVG, and as a sentence. */
#include "app/plots/copy-picture.h"

#include <glib/gi18n.h>

#include "app/shell.h"
#include "app/plots/export-choices.h"
#include "app/plots/export-work.h"
#include "app/theme.h"

static void
copy_picture_put (GdkClipboard *clipboard, const LcExportCopy *copy)
{
  GdkContentProvider *providers[] = {
      gdk_content_provider_new_for_bytes ("image/png", copy->png),
      gdk_content_provider_new_for_bytes ("image/svg+xml", copy->svg),
      gdk_content_provider_new_typed (G_TYPE_STRING, copy->description),
  };
  g_autoptr (GdkContentProvider) all = gdk_content_provider_new_union (providers, G_N_ELEMENTS (providers));

  gdk_clipboard_set_content (clipboard, all);
}

static void
copy_picture_done (gpointer data, gpointer result, const GError *error)
{
  LcShell *shell = LC_SHELL (((const LcExportWork *)data)->window);
  g_autoptr (LcExportCopy) copy = result;

  if (copy == NULL)
    {
      lc_shell_tell (shell, error->message);
      return;
    }
  copy_picture_put (gtk_widget_get_clipboard (GTK_WIDGET (shell)), copy);
  lc_shell_tell (shell, _ ("The picture is on the clipboard."));
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  g_autoptr (LcPictureRequest) request = NULL;
  LcExportWork *work;
  gsize n_views;

  if (lc_session_get_shown (session) == NULL)
    {
      lc_session_tell (session, _ ("There is no picture to copy: open a trace first."));
      return;
    }
  request = lc_picture_request_new (session, lc_views_get (&n_views)->name, FALSE);
  request->width = gtk_widget_get_width (widget);
  request->height = gtk_widget_get_height (widget);
  lc_export_limit_size (&request->width, &request->height);
  request->theme = lc_theme_of (widget);
  work = lc_export_work_new (request, NULL, LC_FILE_PNG, gtk_widget_get_scale_factor (widget));
  work->window = g_object_ref (G_OBJECT (widget));
  lc_job_run (lc_export_make_copy, work, lc_export_work_free, copy_picture_done);
}

void
lc_copy_picture_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.copy-picture", NULL, copy_picture);
}
