/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a query: completion of names, and queries from before. */
#include "app/tables/sql-editor.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/console/console-history.h"
#include "app/shown-text.h"

enum
{
  MOST_WORDS = 24, /* that are told at once */
};

struct _LcSqlEditor
{
  GtkWidget parent;

  GtkWidget *scrolled;
  GtkTextView *view;
  LcConsoleHistory *history;
  char **words; /* sorted, or NULL */
};

G_DEFINE_FINAL_TYPE (LcSqlEditor, lc_sql_editor, GTK_TYPE_WIDGET)

static guint run_asked, stop_asked, words_found;

/* --- The text ---------------------------------------------------------------------------------------------------- */

char *
lc_sql_editor_dup_text (LcSqlEditor *editor)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (editor->view);
  GtkTextIter from, to;

  gtk_text_buffer_get_bounds (buffer, &from, &to);
  return gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
}

void
lc_sql_editor_set_text (LcSqlEditor *editor, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (editor->view);

  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_view_scroll_mark_onscreen (editor->view, gtk_text_buffer_get_insert (buffer));
}

void
lc_sql_editor_go_to (LcSqlEditor *editor, gint place)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (editor->view);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_offset (buffer, &at, place);
  gtk_text_buffer_place_cursor (buffer, &at);
  gtk_text_view_scroll_mark_onscreen (editor->view, gtk_text_buffer_get_insert (buffer));
}

void
lc_sql_editor_keep (LcSqlEditor *editor, const char *text)
{
  lc_console_history_add (editor->history, text);
}

/* --- Completion -------------------------------------------------------------------------------------------------- */

void
lc_sql_editor_set_words (LcSqlEditor *editor, char **words)
{
  g_strfreev (editor->words);
  editor->words = words;
}

static void
sql_editor_find_word (LcSqlEditor *editor, GtkTextIter *begin, GtkTextIter *end)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (editor->view);

  gtk_text_buffer_get_iter_at_mark (buffer, end, gtk_text_buffer_get_insert (buffer));
  *begin = *end;
  while (gtk_text_iter_backward_char (begin))
    if (!g_unichar_isalnum (gtk_text_iter_get_char (begin)) && gtk_text_iter_get_char (begin) != '_')
      {
        gtk_text_iter_forward_char (begin);
        break;
      }
}

/* Lists the words that begin so, and how much of them they have in common. */
static GPtrArray *
sql_editor_list_words (const LcSqlEditor *editor, const char *begin, gsize *common)
{
  GPtrArray *found = g_ptr_array_new ();
  gsize length = strlen (begin);

  for (guint i = 0; editor->words != NULL && editor->words[i] != NULL; i++)
    {
      char *word = editor->words[i];

      if (g_ascii_strncasecmp (word, begin, length) != 0)
        continue;
      if (found->len == 0)
        *common = strlen (word);
      while (found->len > 0 && g_ascii_strncasecmp (word, found->pdata[0], *common) != 0)
        (*common)--;
      g_ptr_array_add (found, word);
    }
  return found;
}

static void
sql_editor_tell_words (LcSqlEditor *editor, const GPtrArray *words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < words->len && i < MOST_WORDS; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "  " : "", (const char *)words->pdata[i]);
  g_string_append (text, words->len > MOST_WORDS ? "  …" : "");
  g_signal_emit (editor, words_found, 0, text->str);
}

/* FALSE: there is no word, and the key moves on to the next widget. */
static gboolean
sql_editor_complete (LcSqlEditor *editor)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (editor->view);
  g_autoptr (GPtrArray) words = NULL;
  g_autofree char *word = NULL;
  GtkTextIter begin, end;
  gsize common = 0;

  sql_editor_find_word (editor, &begin, &end);
  word = gtk_text_iter_get_text (&begin, &end);
  if (word[0] == '\0')
    return FALSE;
  words = sql_editor_list_words (editor, word, &common);
  if (words->len == 0)
    return TRUE;
  if (common > strlen (word) || words->len == 1)
    {
      gtk_text_buffer_begin_user_action (buffer);
      gtk_text_buffer_delete (buffer, &begin, &end);
      gtk_text_buffer_insert (buffer, &begin, words->pdata[0], (int)common);
      gtk_text_buffer_end_user_action (buffer);
    }
  if (words->len > 1)
    sql_editor_tell_words (editor, words);
  return TRUE;
}

/* --- Keys -------------------------------------------------------------------------------------------------------- */

static void
sql_editor_step (LcSqlEditor *editor, gboolean back)
{
  g_autofree char *text = lc_sql_editor_dup_text (editor);
  const char *other = lc_console_history_step (editor->history, back, text);

  if (other != NULL)
    lc_sql_editor_set_text (editor, other);
}

static gboolean
sql_editor_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LcSqlEditor *editor)
{
  GdkModifierType modifiers = state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK);
  gboolean is_return = key == GDK_KEY_Return || key == GDK_KEY_KP_Enter;

  if (is_return && modifiers == GDK_CONTROL_MASK)
    g_signal_emit (editor, run_asked, 0);
  else if (modifiers == GDK_CONTROL_MASK && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    sql_editor_step (editor, key == GDK_KEY_Up);
  else if (modifiers == 0 && key == GDK_KEY_Escape)
    g_signal_emit (editor, stop_asked, 0);
  else if (modifiers == 0 && key == GDK_KEY_Tab)
    return sql_editor_complete (editor);
  else
    return FALSE;
  return TRUE;
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static gboolean
lc_sql_editor_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (LC_SQL_EDITOR (widget)->view));
}

static void
lc_sql_editor_dispose (GObject *object)
{
  LcSqlEditor *editor = LC_SQL_EDITOR (object);

  g_clear_pointer (&editor->scrolled, gtk_widget_unparent);
  g_clear_pointer (&editor->history, lc_console_history_free);
  g_clear_pointer (&editor->words, g_strfreev);
  G_OBJECT_CLASS (lc_sql_editor_parent_class)->dispose (object);
}

static void
lc_sql_editor_class_init (LcSqlEditorClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_sql_editor_dispose;
  widget->grab_focus = lc_sql_editor_grab_focus;
  run_asked = g_signal_new ("run", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  stop_asked = g_signal_new ("stop", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  words_found = g_signal_new ("words", type, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget, "sqleditor");
}

static void
lc_sql_editor_init (LcSqlEditor *editor)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  editor->history = lc_console_history_new ("sql-history");
  editor->view = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_monospace (editor->view, TRUE);
  gtk_text_view_set_wrap_mode (editor->view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (editor->view, FALSE);
  gtk_text_view_set_left_margin (editor->view, 9);
  gtk_text_view_set_right_margin (editor->view, 9);
  gtk_text_view_set_top_margin (editor->view, 6);
  gtk_text_view_set_bottom_margin (editor->view, 6);
  lc_accessible_show (GTK_ACCESSIBLE (editor->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Type SQL here"));
  lc_tooltip_show (GTK_WIDGET (editor->view),
                   _ ("Ctrl+Return runs it, Tab completes names, Ctrl+Up brings back what was run before"));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (sql_editor_on_key), editor);
  gtk_widget_add_controller (GTK_WIDGET (editor->view), keys);
  editor->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (editor->scrolled), GTK_WIDGET (editor->view));
  gtk_widget_set_parent (editor->scrolled, GTK_WIDGET (editor));
}
