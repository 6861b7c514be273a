/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a profile: its picture, and the routines or call paths of each process. */
#include "app/plots/profile-window.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/plots/profile-table.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "lightcone/picture.h"
#include "lightcone/profile.h"
#include "trace/quantities.h"

enum
{
  LEAST_WIDTH = 300, /* of a picture */
  LEAST_HEIGHT = 200,
};

struct _LcProfileWindow
{
  AdwApplicationWindow parent;

  /* Children of the template. */
  AdwWindowTitle *title;
  GtkWidget *save;
  GtkDrawingArea *area;
  GtkDropDown *choice;
  GtkDropDown *kind; /* routines, or call paths */
  LcProfileTable *table;

  char *path;
  LcProfile *profile;
  LcPicture *picture; /* of this size and theme; NULL: not made yet, or failed */
  char *problem;      /* error message of the picture */
  int width;
  int height;
  LcTheme theme;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (LcProfileWindow, lc_profile_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- The picture ------------------------------------------------------------------------------------------------- */

static void
make_picture (LcProfileWindow *window, int width, int height, LcTheme theme)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  LcPictureOptions options;

  if (width == window->width && height == window->height && theme == window->theme)
    return;
  window->width = width;
  window->height = height;
  window->theme = theme;
  lc_picture_options_init (&options);
  options.view = "profile";
  options.directory = window->path;
  options.theme = theme;
  options.width = MAX (width, LEAST_WIDTH);
  options.height = MAX (height, LEAST_HEIGHT);
  g_clear_pointer (&window->picture, lc_picture_free);
  window->picture = lc_picture_new (NULL, &options, NULL, &error);
  g_free (window->problem);
  window->problem = error != NULL ? g_strdup (error->message) : NULL;
  gtk_widget_set_sensitive (window->save, window->picture != NULL);
  text = window->picture != NULL ? lc_picture_dup_description (window->picture) : g_strdup (window->problem);
  lc_accessible_show (GTK_ACCESSIBLE (window->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
}

static void
draw_problem (GtkDrawingArea *area, cairo_t *cairo, const char *problem, int width, int height)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (area), problem);
  GdkRGBA color = lc_theme_get_color (lc_theme_of (GTK_WIDGET (area)), LC_INK_TEXT);
  int text_height;

  pango_layout_set_width (layout, (int)(0.8 * width * PANGO_SCALE));
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (layout, NULL, &text_height);
  gdk_cairo_set_source_rgba (cairo, &color);
  cairo_move_to (cairo, 0.1 * width, (height - text_height) / 2.0);
  pango_cairo_show_layout (cairo, layout);
}

static void
profile_window_draw (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  LcProfileWindow *window = data;
  LcTheme theme = lc_theme_of (GTK_WIDGET (area));
  LcCanvas *canvas;

  make_picture (window, width, height, theme);
  if (window->picture == NULL)
    {
      draw_problem (area, cairo, window->problem, width, height);
      return;
    }
  canvas = lc_theme_new_canvas (cairo, theme);
  lc_picture_paint (window->picture, canvas);
  lc_canvas_free (canvas);
}

static gboolean
profile_window_tell (GtkWidget *area, int x, int y, gboolean keyboard, GtkTooltip *tooltip, LcProfileWindow *window)
{
  g_autofree char *text = NULL;

  if (window->picture == NULL || keyboard)
    return FALSE;
  text = lc_picture_dup_text_at (window->picture, (LcPlace){x, y}, 2);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* --- Saving the picture ------------------------------------------------------------------------------------------ */

static void
profile_window_complain (LcProfileWindow *window, const char *message)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (window), _ ("The picture cannot be saved"), message);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
profile_window_on_chosen (GtkNativeDialog *native, int response, LcProfileWindow *window)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  LcFileKind kind;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));
  g_clear_object (&window->chooser);
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL && window->picture != NULL &&
      (!lc_file_kind_parse (path, &kind, &error) || !lc_picture_write (window->picture, path, kind, 1, &error)))
    profile_window_complain (window, error->message);
}

static void
profile_window_save (LcProfileWindow *window)
{
  g_autofree char *base = g_path_get_basename (window->path);
  g_autofree char *name = g_strconcat (base, ".svg", NULL);

  if (window->chooser != NULL)
    return;
  window->chooser = gtk_file_chooser_native_new (_ ("Save the picture"), GTK_WINDOW (window),
                                                 GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (window->chooser), name);
  g_signal_connect_object (window->chooser, "response", G_CALLBACK (profile_window_on_chosen), window, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (window->chooser));
}

/* --- Routines ---------------------------------------------------------------------------------------------------- */

static void
profile_window_list (LcProfileWindow *window)
{
  guint chosen = gtk_drop_down_get_selected (window->choice); /* 0: all processes */
  guint process = chosen == 0 || chosen == GTK_INVALID_LIST_POSITION ? G_MAXUINT : chosen - 1;

  lc_profile_table_show (window->table, window->profile, process, gtk_drop_down_get_selected (window->kind) == 1);
}

static void
fill_choice (LcProfileWindow *window)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  const GPtrArray *processes = window->profile->processes;

  gtk_string_list_append (names, _ ("All processes"));
  for (guint i = 0; i < processes->len; i++)
    {
      g_autofree char *name = lc_format_text (((const LcProfileProcess *)processes->pdata[i])->name);

      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (window->choice, G_LIST_MODEL (names));
  g_object_unref (names);
}

/* --- The window -------------------------------------------------------------------------------------------------- */

static void
lc_profile_window_dispose (GObject *object)
{
  LcProfileWindow *window = LC_PROFILE_WINDOW (object);

  if (window->area != NULL)
    gtk_drawing_area_set_draw_func (window->area, NULL, NULL, NULL);
  g_clear_object (&window->chooser);
  g_clear_pointer (&window->picture, lc_picture_free);
  g_clear_pointer (&window->problem, g_free);
  g_clear_pointer (&window->path, g_free);
  G_OBJECT_CLASS (lc_profile_window_parent_class)->dispose (object);
}

/* The table shows the profile for as long as it is there. */
static void
lc_profile_window_finalize (GObject *object)
{
  g_clear_pointer (&LC_PROFILE_WINDOW (object)->profile, lc_profile_free);
  G_OBJECT_CLASS (lc_profile_window_parent_class)->finalize (object);
}

static void
lc_profile_window_class_init (LcProfileWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_profile_window_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_profile_window_finalize;
  g_type_ensure (LC_TYPE_PROFILE_TABLE);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "profile-window.ui");
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, title);
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, save);
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, area);
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, choice);
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, kind);
  gtk_widget_class_bind_template_child (widget, LcProfileWindow, table);
  gtk_widget_class_bind_template_callback (widget, profile_window_save);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
}

static void
lc_profile_window_init (LcProfileWindow *window)
{
  gtk_widget_init_template (GTK_WIDGET (window));
  window->width = -1;
  gtk_drawing_area_set_draw_func (window->area, profile_window_draw, window, NULL);
  g_signal_connect_object (window->area, "query-tooltip", G_CALLBACK (profile_window_tell), window, 0);
  lc_theme_watch (window->area, G_CALLBACK (gtk_widget_queue_draw));
}

static LcProfileWindow *
profile_window_find (GtkApplication *application, const char *path)
{
  for (GList *each = gtk_application_get_windows (application); each != NULL; each = each->next)
    if (LC_IS_PROFILE_WINDOW (each->data) && g_strcmp0 (LC_PROFILE_WINDOW (each->data)->path, path) == 0)
      return each->data;
  return NULL;
}

gboolean
lc_profile_window_open (GtkApplication *application, const char *path)
{
  g_autofree char *canonical = g_canonicalize_filename (path, NULL), *name = NULL, *command = NULL;
  LcProfile *profile = lc_profile_is_file (path) ? lc_profile_load (path, NULL) : NULL;
  LcProfileWindow *window;

  if (profile == NULL)
    return FALSE;
  window = profile_window_find (application, canonical);
  if (window != NULL) /* shows the file again: the program may have run again */
    gtk_window_destroy (GTK_WINDOW (window));
  window = g_object_new (LC_TYPE_PROFILE_WINDOW, "application", application, NULL);
  name = g_filename_display_basename (canonical);
  command = lc_format_text (profile->title);
  window->profile = profile;
  window->path = g_steal_pointer (&canonical);
  lc_window_show_title (GTK_WINDOW (window), name);
  lc_window_title_show (window->title, name);
  lc_window_title_show_subtitle (window->title, command);
  fill_choice (window);
  gtk_widget_set_visible (GTK_WIDGET (window->kind), lc_profile_has_paths (profile));
  profile_window_list (window);
  g_signal_connect_object (window->choice, "notify::selected", G_CALLBACK (profile_window_list), window,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (window->kind, "notify::selected", G_CALLBACK (profile_window_list), window,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (window));
  return TRUE;
}
