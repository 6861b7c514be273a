/* SPDX-License-Identifier: Apache-2.0 */
/* What the console shows: text that can be selected, with links to events, objects and processes. */
#include "app/console/console-output.h"

#include <string.h>

#include <adwaita.h>

#include "app/tables/table-link.h"
#include "app/theme.h"
#include "trace/quantities.h"

enum
{
  MOST_SHOWN = 1 << 19, /* characters; older ones are dropped */
};

/* --- Links ------------------------------------------------------------------------------------------------------- */

/* What a link leads to, as data of its tag. */
typedef struct
{
  LcHistory *history; /* only compared */
  LcTarget link;
} ConsoleTarget;

static LcTargetKind
console_output_find_kind (const char *kind)
{
  return g_str_equal (kind, "event")     ? LC_TARGET_EVENT
         : g_str_equal (kind, "process") ? LC_TARGET_PROCESS
                                         : LC_TARGET_OBJECT;
}

static void
console_output_follow (LcSession *session, const ConsoleTarget *target)
{
  if (lc_session_get_history (session) == target->history)
    lc_table_link_follow (session, &target->link);
}

static const ConsoleTarget *
console_output_get_target (const GtkTextIter *place)
{
  g_autoptr (GSList) tags = gtk_text_iter_get_tags (place);
  const ConsoleTarget *target = NULL;

  for (GSList *at = tags; at != NULL && target == NULL; at = at->next)
    target = g_object_get_data (G_OBJECT (at->data), "lc-target");
  return target;
}

static const ConsoleTarget *
console_output_find_target (GtkTextView *view, double x, double y)
{
  GtkTextIter place;
  int its_x, its_y;

  gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, (int)x, (int)y, &its_x, &its_y);
  return gtk_text_view_get_iter_at_location (view, &place, its_x, its_y) ? console_output_get_target (&place) : NULL;
}

/* A drag that selects text follows no link. */
static void
console_output_on_released (GtkGestureClick *click, int n_press, double x, double y, LcSession *session)
{
  GtkTextView *view = GTK_TEXT_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click)));
  const ConsoleTarget *target = console_output_find_target (view, x, y);

  if (target != NULL && !gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (view)))
    console_output_follow (session, target);
}

static void
console_output_on_motion (GtkEventControllerMotion *motion, double x, double y, gpointer data)
{
  GtkWidget *view = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (motion));

  gtk_widget_set_cursor_from_name (view, console_output_find_target (GTK_TEXT_VIEW (view), x, y) != NULL ? "pointer"
                                                                                                         : "text");
}

static gboolean
console_output_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LcSession *session)
{
  GtkTextView *view = GTK_TEXT_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys)));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  const ConsoleTarget *target;
  GtkTextIter place;

  if (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (buffer, &place, gtk_text_buffer_get_insert (buffer));
  target = console_output_get_target (&place);
  if (target != NULL)
    console_output_follow (session, target);
  return target != NULL;
}

/* --- Text -------------------------------------------------------------------------------------------------------- */

static const char *const tag_names[] = {"typed", "output", "error", "remark"};

static void
console_output_color (GtkTextView *view)
{
  gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkTextTagTable *tags = gtk_text_buffer_get_tag_table (gtk_text_view_get_buffer (view));
  GdkRGBA error = is_dark ? (GdkRGBA){1, 0.48F, 0.39F, 1} : (GdkRGBA){0.75F, 0.11F, 0.16F, 1};
  GdkRGBA link = is_dark ? (GdkRGBA){0.47F, 0.68F, 0.93F, 1} : (GdkRGBA){0.11F, 0.44F, 0.85F, 1};
  GdkRGBA remark = is_dark ? (GdkRGBA){0.72F, 0.72F, 0.72F, 1} : (GdkRGBA){0.36F, 0.36F, 0.38F, 1};

  g_object_set (gtk_text_tag_table_lookup (tags, "error"), "foreground-rgba", &error, NULL);
  g_object_set (gtk_text_tag_table_lookup (tags, "remark"), "foreground-rgba", &remark, NULL);
  g_object_set (gtk_text_tag_table_lookup (tags, "link"), "foreground-rgba", &link, NULL);
}

void
lc_console_output_init (GtkTextView *view, LcSession *session)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkTextIter end;
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();

  g_object_set_data_full (G_OBJECT (view), "lc-session", g_object_ref (session), g_object_unref);

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_create_mark (buffer, "end", &end, FALSE);
  gtk_text_buffer_create_tag (buffer, "typed", "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (buffer, "output", NULL);
  gtk_text_buffer_create_tag (buffer, "error", NULL);
  gtk_text_buffer_create_tag (buffer, "remark", "style", PANGO_STYLE_ITALIC, NULL);
  gtk_text_buffer_create_tag (buffer, "link", "underline", PANGO_UNDERLINE_SINGLE, NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect_object (click, "released", G_CALLBACK (console_output_on_released), session, 0);
  g_signal_connect (motion, "motion", G_CALLBACK (console_output_on_motion), NULL);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (console_output_on_key), session, 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (view), motion);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  lc_theme_watch (view, G_CALLBACK (console_output_color));
  console_output_color (view);
}

/* Keeps the newest text in view. */
static void
console_output_drop_old (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  int surplus = gtk_text_buffer_get_char_count (buffer) - MOST_SHOWN;
  GtkTextIter begin, end;

  if (surplus > 0)
    {
      gtk_text_buffer_get_start_iter (buffer, &begin);
      gtk_text_buffer_get_iter_at_offset (buffer, &end, surplus + MOST_SHOWN / 8);
      gtk_text_buffer_delete (buffer, &begin, &end);
    }
  gtk_text_view_scroll_to_mark (view, gtk_text_buffer_get_mark (buffer, "end"), 0, FALSE, 0, 0);
}

void
lc_console_output_add (GtkTextView *view, LcConsoleKind kind, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  g_autofree char *shown = lc_format_lines (text);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, shown, -1, tag_names[kind], NULL);
  console_output_drop_old (view);
}

void
lc_console_output_add_link (GtkTextView *view, const char *kind, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  LcSession *session = g_object_get_data (G_OBJECT (view), "lc-session");
  const char *shown = strchr (text, '\n');
  ConsoleTarget *target;
  GtkTextTag *tag;
  GtkTextIter end;
  char *rest;

  if (shown == NULL)
    return;
  g_autofree char *visible = lc_format_text (shown + 1);

  target = g_new0 (ConsoleTarget, 1);
  target->history = lc_session_get_history (session);
  target->link.kind = console_output_find_kind (kind);
  target->link.first = g_ascii_strtoull (text, &rest, 10);
  target->link.second = g_ascii_strtoull (rest, NULL, 10);
  tag = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  g_object_set_data_full (G_OBJECT (tag), "lc-target", target, g_free);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert_with_tags (buffer, &end, visible, -1, tag,
                                    gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "link"), NULL);
  console_output_drop_old (view);
}

void
lc_console_output_end_line (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  if (!gtk_text_iter_starts_line (&end))
    lc_console_output_add (view, LC_CONSOLE_OUTPUT, "\n");
}

static void
console_output_forget_tag (GtkTextTag *tag, gpointer list)
{
  if (g_object_get_data (G_OBJECT (tag), "lc-target") != NULL)
    g_ptr_array_add (list, tag);
}

void
lc_console_output_clear (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (buffer);
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();

  gtk_text_buffer_set_text (buffer, "", 0);
  gtk_text_tag_table_foreach (table, console_output_forget_tag, tags);
  for (guint i = 0; i < tags->len; i++)
    gtk_text_tag_table_remove (table, tags->pdata[i]);
}
