/* SPDX-License-Identifier: Apache-2.0 */
/* Shows where in the source an event was called: the line in its file, and the stack below it. */
#include "app/inspect/place-view.h"

#include <glib/gi18n.h>

#include "app/editor.h"
#include "app/session/listed.h"
#include "app/settings.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  MOST_LINES = 4, /* of a name: those of templates may be very long */
};

struct _LcPlaceView
{
  GtkBox parent;

  GtkLabel *text;
  GtkLabel *path;
  GtkWidget *open;
  GtkWidget *only;
  GtkWidget *source;

  LcSession *session;
  LcEventPlace *place;
  const LcFrame *frame; /* the one that is shown */
};

G_DEFINE_FINAL_TYPE (LcPlaceView, lc_place_view, GTK_TYPE_BOX)

/* --- Lines of source --------------------------------------------------------------------------------------------- */

static GtkWidget *
place_view_make_line (const LcSourceLines *source, guint number)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *count = g_strdup_printf ("%u", source->first + number);
  GtkWidget *margin = lc_label_new (count), *line = lc_label_new (source->lines->pdata[number]);

  gtk_widget_add_css_class (margin, "dim-label");
  gtk_label_set_width_chars (GTK_LABEL (margin), 4);
  gtk_label_set_xalign (GTK_LABEL (margin), 1);
  gtk_label_set_xalign (GTK_LABEL (line), 0);
  gtk_widget_set_hexpand (line, TRUE);
  gtk_box_append (GTK_BOX (row), margin);
  gtk_box_append (GTK_BOX (row), line);
  gtk_widget_add_css_class (row, "source-line");
  if (source->first + number == source->line)
    {
      gtk_widget_add_css_class (row, "called");
      lc_accessible_show (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ ("the line of the call"));
    }
  return row;
}

static GtkWidget *
place_view_make_source (const LcSourceLines *source)
{
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();

  /* Code goes from left to right in every language. */
  gtk_widget_set_direction (lines, GTK_TEXT_DIR_LTR);
  gtk_widget_add_css_class (lines, "source");
  for (guint i = 0; i < source->lines->len; i++)
    gtk_box_append (GTK_BOX (lines), place_view_make_line (source, i));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), lines);
  gtk_widget_add_css_class (scrolled, "card");
  lc_accessible_show (GTK_ACCESSIBLE (scrolled), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Source"));
  return scrolled;
}

/* --- The frame --------------------------------------------------------------------------------------------------- */

static void
place_view_show (LcPlaceView *view, const LcFrame *frame)
{
  const char *path = frame->source != NULL ? frame->source->path : frame->path;
  g_autofree char *hint = g_strdup_printf (_ ("Show only what is called in %s"), frame->function);

  view->frame = frame;
  lc_label_show (view->text, frame->text);
  lc_tooltip_show (GTK_WIDGET (view->text), frame->text);
  lc_label_show (view->path, path != NULL ? path : "");
  lc_tooltip_show (GTK_WIDGET (view->path), path);
  gtk_widget_set_visible (GTK_WIDGET (view->path), path != NULL);
  gtk_widget_set_visible (view->open, frame->source != NULL);
  lc_tooltip_show (view->only, hint);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (view->only), "s", frame->place);
  if (view->source != NULL)
    gtk_box_remove (GTK_BOX (view), view->source);
  view->source = frame->source != NULL ? place_view_make_source (frame->source) : NULL;
  if (view->source != NULL)
    gtk_box_insert_child_after (GTK_BOX (view), view->source, GTK_WIDGET (view->path));
}

static void
place_view_on_open (LcPlaceView *view)
{
  lc_editor_open (view->session, view->frame->source->path, view->frame->source->line);
}

/* --- The stack --------------------------------------------------------------------------------------------------- */

static void
place_view_on_frame (GtkToggleButton *button, LcPlaceView *view)
{
  guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "frame"));

  if (gtk_toggle_button_get_active (button))
    place_view_show (view, view->place->frames->pdata[number]);
}

static GtkWidget *
place_view_make_frame (LcPlaceView *view, guint number)
{
  const LcFrame *frame = view->place->frames->pdata[number];
  g_autoptr (LcListed) listed = lc_listed_new (g_strdup (frame->function), g_strdup (frame->where), NULL);
  GtkWidget *row = lc_listed_row_new (), *button = gtk_toggle_button_new ();
  g_autofree char *text = lc_listed_dup_text (listed);

  lc_listed_row_set (row, listed);
  gtk_button_set_child (GTK_BUTTON (button), row);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "link-row");
  if (frame->is_library)
    gtk_widget_add_css_class (button, "library");
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  g_object_set_data (G_OBJECT (button), "frame", GUINT_TO_POINTER (number));
  return button;
}

static void
place_view_add_stack (LcPlaceView *view)
{
  GtkWidget *expander = gtk_expander_new (NULL), *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *first = NULL;
  g_autofree char *count = lc_format_count (view->place->frames->len);
  g_autofree char *title =
      g_strdup_printf (ngettext ("Stack of %s frame", "Stack of %s frames", view->place->frames->len), count);

  for (guint i = 0; i < view->place->frames->len; i++)
    {
      GtkWidget *button = place_view_make_frame (view, i);

      if (first != NULL)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
      else
        first = button;
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), i == view->place->own);
      g_signal_connect_object (button, "toggled", G_CALLBACK (place_view_on_frame), view, 0);
      gtk_box_append (GTK_BOX (list), button);
    }
  gtk_expander_set_label (GTK_EXPANDER (expander), title);
  gtk_expander_set_child (GTK_EXPANDER (expander), list);
  lc_settings_bind ("stack-open", expander, "expanded");
  gtk_box_append (GTK_BOX (view), expander);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_place_view_dispose (GObject *object)
{
  LcPlaceView *view = LC_PLACE_VIEW (object);

  g_clear_object (&view->session);
  g_clear_pointer (&view->place, lc_event_place_unref);
  G_OBJECT_CLASS (lc_place_view_parent_class)->dispose (object);
}

static void
lc_place_view_class_init (LcPlaceViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_place_view_dispose;
}

static GtkWidget *
place_view_make_open (LcPlaceView *view)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("document-edit-symbolic");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  lc_tooltip_show (button, _ ("Open in editor"));
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Open in editor"));
  g_signal_connect_object (button, "clicked", G_CALLBACK (place_view_on_open), view, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
place_view_make_only (void)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("Only what is called here"));

  gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), PANGO_ELLIPSIZE_END);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.only-called-in");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_widget_add_css_class (button, "small-button");
  return button;
}

static void
lc_place_view_init (LcPlaceView *view)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (view), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (view), 4);
  view->text = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (view->text, 0);
  gtk_label_set_wrap (view->text, TRUE);
  gtk_label_set_wrap_mode (view->text, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (view->text, 26);
  gtk_label_set_ellipsize (view->text, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_lines (view->text, MOST_LINES);
  gtk_label_set_selectable (view->text, TRUE);
  gtk_widget_set_can_focus (GTK_WIDGET (view->text), FALSE);
  gtk_widget_set_hexpand (GTK_WIDGET (view->text), TRUE);
  view->open = place_view_make_open (view);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (view->text));
  gtk_box_append (GTK_BOX (head), view->open);
  view->path = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (view->path, 0);
  gtk_label_set_ellipsize (view->path, PANGO_ELLIPSIZE_START);
  gtk_widget_add_css_class (GTK_WIDGET (view->path), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (view->path), "caption");
  view->only = place_view_make_only ();
  gtk_box_append (GTK_BOX (view), head);
  gtk_box_append (GTK_BOX (view), GTK_WIDGET (view->path));
  gtk_box_append (GTK_BOX (view), view->only);
}

GtkWidget *
lc_place_view_new (LcSession *session, LcEventPlace *place, gboolean filters)
{
  LcPlaceView *view = g_object_new (LC_TYPE_PLACE_VIEW, NULL);

  view->session = g_object_ref (session);
  view->place = lc_event_place_ref (place);
  gtk_widget_set_visible (view->only, filters);
  place_view_show (view, place->frames->pdata[place->own]);
  place_view_add_stack (view);
  return GTK_WIDGET (view);
}
