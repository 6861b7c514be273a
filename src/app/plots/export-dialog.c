/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that writes a picture to a file, with the same choices as `lightcone export`. */
#include "app/plots/export-dialog.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shell.h"
#include "app/button-names.h"
#include "app/plots/export-choices.h"
#include "app/plots/export-work.h"
#include "app/plots/picture-area.h"
#include "app/shortcuts.h"
#include "app/shown-text.h"

enum
{
  COMMAND_TIME = 200, /* ms after the last change until the command is made */
};

struct _LcExportDialog
{
  AdwWindow parent;

  /* Children of the template. */
  LcPictureArea *preview;
  AdwComboRow *view;
  AdwComboRow *measure;
  AdwComboRow *part;
  GtkWidget *frames_row;
  GtkSpinButton *frames;
  AdwEntryRow *title;
  AdwComboRow *theme;
  AdwComboRow *kind;
  AdwComboRow *size;
  GtkSpinButton *width;
  GtkSpinButton *height;
  GtkWidget *scale_row;
  GtkSpinButton *scale;
  GtkLabel *command;
  GtkWidget *unsaid;
  GtkRevealer *error_revealer;
  GtkLabel *error;
  GtkWidget *save;
  GtkWidget *saving;

  LcExportChoices *choices;  /* belong to the window */
  LcPictureRequest *request; /* what the session showed, with the choices of the dialog */
  LcJob *writing;
  LcJob *commanding;
  guint command_source;
  GtkFileChooserNative *chooser;
  char *path; /* of the file to write */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (LcExportDialog, lc_export_dialog, ADW_TYPE_WINDOW)

static LcFileKind
get_kind (LcExportDialog *dialog)
{
  return (LcFileKind)adw_combo_row_get_selected (dialog->kind);
}

/* Returns the scale of the picture, which only a PNG has. */
static double
export_dialog_get_scale (LcExportDialog *dialog)
{
  return get_kind (dialog) == LC_FILE_PNG ? gtk_spin_button_get_value (dialog->scale) : 1;
}

/* Returns the number of parts, 1 for a view that does not move. */
static guint
export_dialog_get_frames (LcExportDialog *dialog)
{
  const LcViewInfo *view = lc_views_find (dialog->request->view);

  return (view->traits & LC_VIEW_FRAMES) != 0 ? (guint)gtk_spin_button_get_value_as_int (dialog->frames) : 1;
}

static LcExportWork *
export_dialog_make_work (LcExportDialog *dialog, const char *path, LcFileKind kind)
{
  const double scale = kind == LC_FILE_PNG ? export_dialog_get_scale (dialog) : 1;
  LcExportWork *work = lc_export_work_new (dialog->request, path, kind, scale);

  work->n_frames = export_dialog_get_frames (dialog);
  return work;
}

/* Proposes a name like "gauss-waiting.png". */
static char *
dup_file_name (LcExportDialog *dialog)
{
  const LcOpened *opened = dialog->request->shown->opened;
  g_autofree char *base = g_path_get_basename (opened->directory);
  g_autofree char *stem = g_str_has_suffix (base, ".trace") ? g_strndup (base, strlen (base) - 6) : g_strdup (base);
  gsize n_views;

  if (g_str_equal (dialog->request->view, lc_views_get (&n_views)->name))
    return g_strdup_printf ("%s.%s", stem, lc_export_get_ending (get_kind (dialog)));
  return g_strdup_printf ("%s-%s.%s", stem, dialog->request->view, lc_export_get_ending (get_kind (dialog)));
}

static void
export_dialog_tell_error (LcExportDialog *dialog, const char *text)
{
  lc_label_show (dialog->error, text != NULL ? text : "");
  gtk_revealer_set_reveal_child (dialog->error_revealer, text != NULL);
}

/* --- The command ------------------------------------------------------------------------------------------------- */

static void
on_command (gpointer owner, gpointer result, const GError *error)
{
  LcExportDialog *dialog = owner;
  g_autoptr (LcExportCommand) command = result;

  lc_label_show (dialog->command, command != NULL ? command->text : error->message);
  gtk_widget_set_visible (dialog->unsaid, command != NULL && command->unsaid);
}

static gboolean
export_dialog_make_command (gpointer data)
{
  LcExportDialog *dialog = data;
  g_autofree char *file = dup_file_name (dialog);

  dialog->command_source = 0;
  lc_job_start (dialog->commanding, lc_export_say_command, export_dialog_make_work (dialog, file, get_kind (dialog)),
                lc_export_work_free);
  return G_SOURCE_REMOVE;
}

static void
on_copy_command (LcExportDialog *dialog)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (dialog)), gtk_label_get_text (dialog->command));
}

/* --- Choices ----------------------------------------------------------------------------------------------------- */

static void
export_dialog_show (LcExportDialog *dialog)
{
  const LcViewInfo *view = lc_views_find (dialog->request->view);

  gtk_widget_set_sensitive (GTK_WIDGET (dialog->part), (view->traits & LC_VIEW_SPAN) != 0);
  gtk_widget_set_visible (dialog->frames_row, (view->traits & LC_VIEW_FRAMES) != 0);
  gtk_widget_set_visible (dialog->scale_row, get_kind (dialog) == LC_FILE_PNG);
  export_dialog_tell_error (dialog, NULL);
  lc_picture_area_show (dialog->preview, lc_picture_request_copy (dialog->request));
  lc_job_stop (dialog->commanding);
  g_clear_handle_id (&dialog->command_source, g_source_remove);
  dialog->command_source = g_timeout_add (COMMAND_TIME, export_dialog_make_command, dialog);
}

static void
read_size (LcExportDialog *dialog)
{
  dialog->request->width = dialog->choices->width = gtk_spin_button_get_value (dialog->width);
  dialog->request->height = dialog->choices->height = gtk_spin_button_get_value (dialog->height);
}

/* Lists the amounts of the chosen view; a newly chosen view begins with its usual one. */
static void
export_dialog_fill_measures (LcExportDialog *dialog)
{
  const LcViewInfo *view = lc_views_find (dialog->choices->view);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  gboolean was_filling = dialog->filling;
  guint chosen = 0;

  for (guint i = 0; i < view->n_amounts; i++)
    {
      gtk_string_list_append (titles, _ (view->amounts[i].title));
      if (g_strcmp0 (view->amounts[i].measure, dialog->choices->measure) == 0)
        chosen = i;
    }
  dialog->filling = TRUE;
  adw_combo_row_set_model (dialog->measure, G_LIST_MODEL (titles));
  adw_combo_row_set_selected (dialog->measure, chosen);
  gtk_widget_set_visible (GTK_WIDGET (dialog->measure), view->n_amounts > 0);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (dialog->measure),
                                 (view->traits & LC_VIEW_LAYOUT) != 0 ? _ ("_Layout") : _ ("_Amount"));
  dialog->filling = was_filling;
}

static void
read_view (LcExportDialog *dialog)
{
  LcExportChoices *choices = dialog->choices;
  gsize n_views;
  const LcViewInfo *view = &lc_views_get (&n_views)[adw_combo_row_get_selected (dialog->view)];
  guint measure = adw_combo_row_get_selected (dialog->measure);
  gboolean other = !g_str_equal (choices->view, view->name);

  choices->view = dialog->request->view = view->name;
  choices->measure = !other && measure < view->n_amounts ? view->amounts[measure].measure : NULL;
  dialog->request->measure = choices->measure;
  if (other)
    export_dialog_fill_measures (dialog);
}

static void
export_dialog_on_changed (LcExportDialog *dialog)
{
  LcExportChoices *choices = dialog->choices;
  LcPictureRequest *request = dialog->request;
  const char *title = gtk_editable_get_text (GTK_EDITABLE (dialog->title));

  if (dialog->filling)
    return;
  read_view (dialog);
  choices->whole = request->whole = adw_combo_row_get_selected (dialog->part) == 1;
  choices->theme = request->theme = (LcTheme)adw_combo_row_get_selected (dialog->theme);
  choices->kind = get_kind (dialog);
  choices->n_frames = gtk_spin_button_get_value (dialog->frames);
  choices->scale = gtk_spin_button_get_value (dialog->scale);
  lc_picture_request_set_title (request, title[0] != '\0' ? title : NULL);
  read_size (dialog);
  export_dialog_show (dialog);
}

/* Editing the width or the height makes the size a custom one. */
static void
on_side (LcExportDialog *dialog)
{
  guint n_sizes;

  if (dialog->filling)
    return;
  lc_export_sizes_get (&n_sizes);
  dialog->filling = TRUE;
  adw_combo_row_set_selected (dialog->size, n_sizes - 1);
  dialog->choices->size = n_sizes - 1;
  dialog->filling = FALSE;
  export_dialog_on_changed (dialog);
}

static void
set_sides (LcExportDialog *dialog, double width, double height)
{
  gboolean was_filling = dialog->filling;

  lc_export_limit_size (&width, &height);
  dialog->filling = TRUE;
  gtk_spin_button_set_value (dialog->width, width);
  gtk_spin_button_set_value (dialog->height, height);
  dialog->filling = was_filling;
}

static void
use_size (LcExportDialog *dialog)
{
  GtkWidget *window = GTK_WIDGET (gtk_window_get_transient_for (GTK_WINDOW (dialog)));
  guint n_sizes, chosen = adw_combo_row_get_selected (dialog->size);
  const LcExportSize *sizes = lc_export_sizes_get (&n_sizes);

  dialog->choices->size = chosen;
  if (chosen == 0)
    set_sides (dialog, gtk_widget_get_width (window), gtk_widget_get_height (window));
  else if (chosen < n_sizes && sizes[chosen].width > 0)
    set_sides (dialog, sizes[chosen].width, sizes[chosen].height);
}

static void
on_size (LcExportDialog *dialog)
{
  if (dialog->filling)
    return;
  use_size (dialog);
  export_dialog_on_changed (dialog);
}

static void
fill_combos (LcExportDialog *dialog)
{
  gsize n_views;
  guint n_sizes;
  const LcViewInfo *views = lc_views_get (&n_views);
  const LcExportSize *sizes = lc_export_sizes_get (&n_sizes);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL), names = gtk_string_list_new (NULL);

  for (gsize i = 0; i < n_views; i++)
    gtk_string_list_append (titles, _ (views[i].title));
  for (guint i = 0; i < n_sizes; i++)
    gtk_string_list_append (names, _ (sizes[i].title));
  adw_combo_row_set_model (dialog->view, G_LIST_MODEL (titles));
  adw_combo_row_set_model (dialog->size, G_LIST_MODEL (names));
}

static void
export_dialog_fill (LcExportDialog *dialog)
{
  const LcExportChoices *choices = dialog->choices;
  gsize n_views;
  const LcViewInfo *views = lc_views_get (&n_views);

  dialog->filling = TRUE;
  for (guint i = 0; i < n_views; i++)
    if (g_str_equal (views[i].name, choices->view))
      adw_combo_row_set_selected (dialog->view, i);
  export_dialog_fill_measures (dialog);
  adw_combo_row_set_selected (dialog->part, choices->whole ? 1 : 0);
  adw_combo_row_set_selected (dialog->theme, choices->theme);
  adw_combo_row_set_selected (dialog->kind, choices->kind);
  adw_combo_row_set_selected (dialog->size, choices->size);
  gtk_spin_button_set_value (dialog->scale, choices->scale);
  gtk_spin_button_set_value (dialog->frames, choices->n_frames);
  set_sides (dialog, choices->width, choices->height);
  use_size (dialog);
  dialog->filling = FALSE;
  export_dialog_on_changed (dialog);
}

/* --- Saving ------------------------------------------------------------------------------------------------------ */

static void
set_saving (LcExportDialog *dialog, gboolean saving)
{
  gtk_widget_set_sensitive (dialog->save, !saving);
  gtk_widget_set_visible (dialog->saving, saving);
  gtk_spinner_set_spinning (GTK_SPINNER (dialog->saving), saving);
}

static void
show_folder (AdwToast *toast, const char *uri)
{
  g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL);
}

static void
free_text (gpointer text, GClosure *closure)
{
  g_free (text);
}

/* Tells that the file was saved, with a button that shows its folder. */
static void
tell_saved (GtkWindow *window, const char *path)
{
  g_autofree char *name = g_path_get_basename (path), *shown = g_filename_display_name (name);
  g_autofree char *text = g_strdup_printf (_ ("%s was saved."), shown), *escaped = lc_shown_dup_markup (text);
  g_autofree char *folder = g_path_get_dirname (path);
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_button_label (toast, _ ("Show"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (show_folder), g_filename_to_uri (folder, NULL, NULL),
                         free_text, 0);
  if (LC_IS_SHELL (window))
    lc_shell_add_toast (LC_SHELL (window), toast);
  else
    g_object_unref (toast);
}

static void
on_written (gpointer owner, gpointer result, const GError *error)
{
  LcExportDialog *dialog = owner;

  set_saving (dialog, FALSE);
  if (error != NULL)
    {
      export_dialog_tell_error (dialog, error->message);
      return;
    }
  tell_saved (gtk_window_get_transient_for (GTK_WINDOW (dialog)), dialog->path);
  gtk_window_close (GTK_WINDOW (dialog));
}

static void
write_it (LcExportDialog *dialog)
{
  g_autofree char *folder = g_path_get_dirname (dialog->path);
  LcFileKind kind = get_kind (dialog);

  lc_file_kind_parse (dialog->path, &kind, NULL);
  lc_export_choices_set_folder (dialog->choices, folder);
  set_saving (dialog, TRUE);
  export_dialog_tell_error (dialog, NULL);
  lc_job_start (dialog->writing, lc_export_write, export_dialog_make_work (dialog, dialog->path, kind),
                lc_export_work_free);
}

static void
on_replace (AdwMessageDialog *question, const char *response, LcExportDialog *dialog)
{
  if (g_str_equal (response, "replace"))
    write_it (dialog);
}

/* The file chooser has asked only about the typed name, not about the name with the ending. */
static void
ask_to_replace (LcExportDialog *dialog)
{
  g_autofree char *name = g_path_get_basename (dialog->path), *shown = g_filename_display_name (name);
  GtkWidget *question = adw_message_dialog_new (GTK_WINDOW (dialog), _ ("Replace the file?"), NULL);

  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (question), _ ("“%s” exists already. What is in it will be lost."),
                                  shown);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (question), "cancel", _ ("_Cancel"), "replace", _ ("_Replace"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (question), "replace", ADW_RESPONSE_DESTRUCTIVE);
  g_signal_connect_object (question, "response", G_CALLBACK (on_replace), dialog, 0);
  gtk_window_present (GTK_WINDOW (question));
}

static void
export_dialog_on_chosen (GtkNativeDialog *chooser, int response, LcExportDialog *dialog)
{
  g_autoptr (GFile) file = NULL;
  LcFileKind kind;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&dialog->chooser);
  if (file == NULL)
    return;
  g_free (dialog->path);
  dialog->path = g_file_get_path (file);
  if (dialog->path == NULL)
    {
      export_dialog_tell_error (dialog, _ ("Choose a folder of this computer: pictures cannot be written to others."));
      return;
    }
  if (lc_file_kind_parse (dialog->path, &kind, NULL))
    {
      write_it (dialog);
      return;
    }

  g_autofree char *bare = dialog->path;

  dialog->path = g_strdup_printf ("%s.%s", bare, lc_export_get_ending (get_kind (dialog)));
  if (g_file_test (dialog->path, G_FILE_TEST_EXISTS))
    ask_to_replace (dialog);
  else
    write_it (dialog);
}

static void
on_save (LcExportDialog *dialog)
{
  g_autofree char *name = dup_file_name (dialog);
  g_autoptr (GFile) folder = NULL;

  g_clear_object (&dialog->chooser);
  dialog->chooser = gtk_file_chooser_native_new (_ ("Save the picture"), GTK_WINDOW (dialog),
                                                 GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog->chooser), name);
  if (dialog->choices->folder != NULL)
    {
      folder = g_file_new_for_path (dialog->choices->folder);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog->chooser), folder, NULL);
    }
  g_signal_connect_object (dialog->chooser, "response", G_CALLBACK (export_dialog_on_chosen), dialog, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog->chooser));
}

/* Saving is possible only if the preview could be made. */
static void
on_settled (LcExportDialog *dialog)
{
  gtk_widget_set_sensitive (dialog->save, lc_picture_area_get_picture (dialog->preview) != NULL);
}

/* --- The type ---------------------------------------------------------------------------------------------------- */

static void
lc_export_dialog_dispose (GObject *object)
{
  LcExportDialog *dialog = LC_EXPORT_DIALOG (object);

  lc_job_stop (dialog->writing);
  lc_job_stop (dialog->commanding);
  g_clear_handle_id (&dialog->command_source, g_source_remove);
  g_clear_object (&dialog->chooser);
  G_OBJECT_CLASS (lc_export_dialog_parent_class)->dispose (object);
}

static void
lc_export_dialog_finalize (GObject *object)
{
  LcExportDialog *dialog = LC_EXPORT_DIALOG (object);

  lc_job_free (dialog->writing);
  lc_job_free (dialog->commanding);
  g_clear_pointer (&dialog->request, lc_picture_request_free);
  g_free (dialog->path);
  G_OBJECT_CLASS (lc_export_dialog_parent_class)->finalize (object);
}

static void
export_dialog_bind_children (GtkWidgetClass *widget)
{
  gtk_widget_class_bind_template_child (widget, LcExportDialog, preview);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, view);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, measure);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, part);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, frames_row);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, frames);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, title);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, theme);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, kind);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, size);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, width);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, height);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, scale_row);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, scale);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, command);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, unsaid);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, error_revealer);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, error);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, save);
  gtk_widget_class_bind_template_child (widget, LcExportDialog, saving);
}

static void
lc_export_dialog_class_init (LcExportDialogClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_export_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_export_dialog_finalize;
  g_type_ensure (LC_TYPE_PICTURE_AREA);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "export-dialog.ui");
  export_dialog_bind_children (widget);
  gtk_widget_class_bind_template_callback (widget, export_dialog_on_changed);
  gtk_widget_class_bind_template_callback (widget, on_side);
  gtk_widget_class_bind_template_callback (widget, on_size);
  gtk_widget_class_bind_template_callback (widget, on_save);
  gtk_widget_class_bind_template_callback (widget, on_settled);
  gtk_widget_class_bind_template_callback (widget, on_copy_command);
  lc_shortcuts_bind_dialog (widget);
}

static void
lc_export_dialog_init (LcExportDialog *dialog)
{
  dialog->writing = lc_job_new (dialog, on_written, NULL, NULL);
  dialog->commanding = lc_job_new (dialog, on_command, NULL, (GDestroyNotify)lc_export_command_free);
  dialog->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (dialog));
  lc_picture_area_set_sheet (dialog->preview, TRUE);
  fill_combos (dialog);
  lc_name_buttons (GTK_WIDGET (dialog));
}

void
lc_export_dialog_present (GtkWindow *window, LcSession *session, const char *view, const char *measure,
                          const char *frame, gboolean whole)
{
  LcExportDialog *dialog = g_object_new (LC_TYPE_EXPORT_DIALOG, "transient-for", window, NULL);

  dialog->choices = lc_export_choices_get (window);
  if (view != NULL)
    {
      dialog->choices->view = view;
      dialog->choices->measure = measure;
      dialog->choices->whole = whole;
    }
  dialog->request = lc_picture_request_new (session, dialog->choices->view, dialog->choices->whole);
  dialog->request->measure = dialog->choices->measure;
  lc_picture_request_set_frame (dialog->request, frame);
  export_dialog_fill (dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
export_dialog_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  gsize n_views;

  if (lc_session_get_shown (session) != NULL)
    lc_export_dialog_present (GTK_WINDOW (widget), session, lc_views_get (&n_views)->name, NULL, NULL,
                              lc_export_choices_get (GTK_WINDOW (widget))->whole);
  else
    lc_session_tell (session, _ ("There is no picture to export: open a trace first."));
}

void
lc_export_dialog_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.export", NULL, export_dialog_export);
}
