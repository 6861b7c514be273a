/* SPDX-License-Identifier: Apache-2.0 */
/* The console: a line in which Scheme is typed, and what came of it. */
#include "app/console/console-panel.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/names.h"
#include "app/shell.h"
#include "app/console/console-history.h"
#include "app/console/console-link.h"
#include "app/console/console-output.h"
#include "app/scripts/script-limits.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  TICK = 200,               /* ms between two looks at the clock */
  MOST_OUTPUT = 200 * 1000, /* bytes that one evaluation may show */
  MOST_LINKS = 2000,        /* and links */
  MOST_NAMES = 60,          /* completions that are listed */
};

struct _LcConsolePanel
{
  GtkBox parent;

  LcSession *session;
  GtkTextView *output;
  GtkTextView *input;
  GtkLabel *state;
  GtkSpinner *spinner;
  GtkWidget *stop;

  LcConsoleLink *link; /* NULL: nothing has been typed yet */
  LcConsoleHistory *history;
  gboolean starts;  /* the process has not loaded its scripts yet */
  gboolean is_busy; /* it has not answered yet */
  gboolean is_old;  /* rules have changed: the trace is to be merged again */
  gboolean renews;  /* which has been asked for: what was defined stays */
  char *directory;  /* of the trace that it has */
  char *waiting;    /* text to evaluate once it has started */
  char *typed;      /* what is being evaluated, or completed */
  gint64 since;
  guint timer;
  guint64 shown; /* bytes of output of this evaluation */
  guint64 dropped;
  guint n_links;
};

G_DEFINE_FINAL_TYPE (LcConsolePanel, lc_console_panel, GTK_TYPE_BOX)

/* --- The input --------------------------------------------------------------------------------------------------- */

static char *
console_panel_dup_input (LcConsolePanel *panel)
{
  GtkTextIter from, to;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (panel->input), &from, &to);
  return gtk_text_buffer_get_text (gtk_text_view_get_buffer (panel->input), &from, &to, FALSE);
}

static void
console_panel_set_input (LcConsolePanel *panel, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (panel->input), text, -1);
  gtk_text_view_scroll_mark_onscreen (panel->input,
                                      gtk_text_buffer_get_insert (gtk_text_view_get_buffer (panel->input)));
}

/* --- The state --------------------------------------------------------------------------------------------------- */

static gboolean
console_panel_tick (gpointer data)
{
  LcConsolePanel *panel = data;
  guint seconds = (guint)((g_get_monotonic_time () - panel->since) / G_USEC_PER_SEC);
  g_autofree char *text = g_strdup_printf (_ ("Running for %u s"), seconds);

  lc_label_show (panel->state, panel->starts ? _ ("Starting…") : text);
  return G_SOURCE_CONTINUE;
}

static void
console_panel_set_busy (LcConsolePanel *panel, gboolean busy)
{
  panel->is_busy = busy;
  g_clear_handle_id (&panel->timer, g_source_remove);
  gtk_widget_set_sensitive (panel->stop, busy);
  gtk_spinner_set_spinning (panel->spinner, busy);
  lc_label_show (panel->state, "");
  if (!busy)
    return;
  panel->since = g_get_monotonic_time ();
  panel->timer = g_timeout_add (TICK, console_panel_tick, panel);
}

/* --- Asking ------------------------------------------------------------------------------------------------------ */

/* The selection, what is in view and the shown processes, as the process understands them. */
static char *
console_panel_dup_view (LcConsolePanel *panel)
{
  const LcShown *shown = lc_session_get_shown (panel->session);
  const LcHistoryEvent *event = lc_session_get_event (panel->session);
  GString *text = g_string_new (NULL);
  LcSpan span;

  lc_session_get_span (panel->session, &span);
  if (event != NULL)
    g_string_append_printf (text, "%u %" G_GUINT64_FORMAT, event->origin_process, event->origin_ordinal);
  else
    g_string_append (text, "- -");
  if (shown->selection.time == LC_SCENE_PHYSICAL)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, (guint64)MAX (floor (span.from), 0),
                            (guint64)MAX (ceil (span.to), 0));
  else
    g_string_append (text, " 0 0");
  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    g_string_append_printf (text, " %u", shown->selection.processes[i]);
  return g_string_free (text, FALSE);
}

static void
console_panel_evaluate (LcConsolePanel *panel, const char *text)
{
  g_autofree char *view = console_panel_dup_view (panel);

  g_free (panel->typed);
  panel->typed = g_strdup (text);
  panel->shown = panel->dropped = 0;
  panel->n_links = 0;
  lc_console_link_send (panel->link, "view", view, "evaluate", text, NULL);
}

static void
console_panel_show_typed (LcConsolePanel *panel)
{
  g_auto (GStrv) lines = g_strsplit (panel->typed, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\n  ", lines);
  g_autofree char *text = g_strdup_printf ("> %s\n", joined);

  lc_console_output_end_line (panel->output);
  lc_console_output_add (panel->output, LC_CONSOLE_TYPED, text);
}

/* --- Answers ----------------------------------------------------------------------------------------------------- */

static void
console_panel_on_output (LcConsolePanel *panel, const char *text)
{
  gsize length = strlen (text);

  if (panel->shown > MOST_OUTPUT)
    panel->dropped += length;
  else
    lc_console_output_add (panel->output, LC_CONSOLE_OUTPUT, text);
  panel->shown += length;
}

static void
console_panel_on_link (LcConsolePanel *panel, const char *kind, const char *text)
{
  const char *shown = strchr (text, '\n');

  if (panel->n_links++ < MOST_LINKS && panel->shown <= MOST_OUTPUT)
    lc_console_output_add_link (panel->output, kind, text);
  else if (shown != NULL)
    console_panel_on_output (panel, shown + 1);
}

/* What was evaluated may have marked something, or approximated a timeline. */
static void
console_panel_look_for_changes (LcConsolePanel *panel)
{
  GPtrArray *known = lc_session_get_timelines (panel->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (lc_session_get_history (panel->session), &error);

  if (timelines == NULL)
    lc_session_tell (panel->session, error->message);
  else if (known == NULL || known->len != timelines->len)
    lc_session_reload_timelines (panel->session);
  lc_session_reload_marks (panel->session);
}

/* Shows the arcs that rules make which were defined, once nothing is being evaluated that could define more. */
static void
console_panel_renew (LcConsolePanel *panel)
{
  if (!panel->is_old)
    return;
  panel->is_old = FALSE;
  panel->renews = TRUE;
  gtk_widget_activate_action (GTK_WIDGET (panel), "win.refresh", NULL);
}

static void
console_panel_end (LcConsolePanel *panel)
{
  lc_console_output_end_line (panel->output);
  if (panel->dropped > 0)
    {
      g_autofree char *size = lc_format_bytes (panel->dropped);
      g_autofree char *text = g_strdup_printf (_ ("%s more are not shown here.\n"), size);

      lc_console_output_add (panel->output, LC_CONSOLE_REMARK, text);
    }
  console_panel_set_busy (panel, FALSE);
  console_panel_look_for_changes (panel);
  console_panel_renew (panel);
}

/* The form is not complete: the user goes on with it. */
static void
console_panel_go_on (LcConsolePanel *panel)
{
  g_autofree char *text = g_strconcat (panel->typed, "\n", NULL);

  console_panel_set_busy (panel, FALSE);
  console_panel_set_input (panel, text);
}

static void
console_panel_fail (LcConsolePanel *panel, const char *text)
{
  g_autofree char *line = g_strdup_printf ("%s\n", text);

  lc_console_output_end_line (panel->output);
  lc_console_output_add (panel->output, LC_CONSOLE_ERROR, line);
}

static void
console_panel_forget (LcConsolePanel *panel)
{
  g_clear_pointer (&panel->link, lc_console_link_free);
  g_clear_pointer (&panel->waiting, g_free);
  console_panel_set_busy (panel, FALSE);
}

/* After (exit), an end by force, or a crash: the next evaluation has a process of its own. */
static void
console_panel_on_gone (LcConsolePanel *panel, gboolean as_asked)
{
  lc_console_output_end_line (panel->output);
  if (!as_asked)
    console_panel_fail (panel, _ ("What was running has been ended."));
  lc_console_output_add (panel->output, LC_CONSOLE_REMARK,
                         _ ("What was defined is gone; the next line begins anew.\n"));
  console_panel_forget (panel);
}

/* --- Completion -------------------------------------------------------------------------------------------------- */

static gboolean
console_panel_is_part (gunichar letter)
{
  return !g_unichar_isspace (letter) && (letter > 127 || strchr ("()[]'`,\"", (int)letter) == NULL);
}

static void
console_panel_find_word (LcConsolePanel *panel, GtkTextIter *begin, GtkTextIter *end)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (panel->input);

  gtk_text_buffer_get_iter_at_mark (buffer, end, gtk_text_buffer_get_insert (buffer));
  *begin = *end;
  while (gtk_text_iter_backward_char (begin))
    if (!console_panel_is_part (gtk_text_iter_get_char (begin)))
      {
        gtk_text_iter_forward_char (begin);
        break;
      }
}

static gsize
console_panel_find_common (char **names)
{
  gsize common = strlen (names[0]);

  for (gsize i = 1; names[i] != NULL; i++)
    for (gsize k = 0; k < common; k++)
      if (names[i][k] != names[0][k])
        common = k;
  return common;
}

/* Adds what all names that begin with the word have in common, or lists them. */
static void
console_panel_on_names (LcConsolePanel *panel, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text, "\n", -1);
  GtkTextIter begin, end;
  g_autofree char *word = NULL;
  gsize common;

  console_panel_set_busy (panel, FALSE);
  console_panel_find_word (panel, &begin, &end);
  word = gtk_text_iter_get_text (&begin, &end);
  if (names[0] == NULL || names[0][0] == '\0' || !g_str_has_prefix (names[0], word))
    return;
  common = console_panel_find_common (names);
  if (common > strlen (word))
    gtk_text_buffer_insert (gtk_text_view_get_buffer (panel->input), &end, names[0] + strlen (word),
                            (int)(common - strlen (word)));
  else if (names[1] != NULL)
    {
      g_autoptr (GString) list = g_string_new (NULL);

      for (gsize i = 0; names[i] != NULL && i < MOST_NAMES; i++)
        g_string_append_printf (list, "%s%s", i > 0 ? "  " : "", names[i]);
      g_string_append (list, g_strv_length (names) > MOST_NAMES ? "  …\n" : "\n");
      lc_console_output_end_line (panel->output);
      lc_console_output_add (panel->output, LC_CONSOLE_REMARK, list->str);
    }
}

/* --- The process ------------------------------------------------------------------------------------------------- */

/* The first answer is to the scripts that are loaded at the start. */
static void
console_panel_on_started (LcConsolePanel *panel)
{
  g_autofree char *text = g_steal_pointer (&panel->waiting);

  panel->starts = FALSE;
  if (text != NULL)
    console_panel_evaluate (panel, text);
  else
    {
      console_panel_set_busy (panel, FALSE);
      console_panel_renew (panel);
    }
}

static void
console_panel_on_news (gpointer owner, const char *word, const char *text)
{
  LcConsolePanel *panel = owner;
  gboolean failed = g_str_equal (word, "failed") || g_str_equal (word, "stopped");

  if (g_str_equal (word, "gone"))
    console_panel_on_gone (panel, FALSE);
  else if (g_str_equal (word, "exited"))
    console_panel_on_gone (panel, TRUE);
  else if (g_str_equal (word, "output"))
    console_panel_on_output (panel, text);
  else if (g_str_equal (word, "complaint"))
    console_panel_fail (panel, text);
  else if (g_str_equal (word, "names"))
    console_panel_on_names (panel, text);
  else if (g_str_equal (word, "rules"))
    panel->is_old = TRUE;
  else if (g_str_equal (word, "incomplete"))
    console_panel_go_on (panel);
  else if (failed || g_str_equal (word, "done"))
    {
      if (failed)
        console_panel_fail (panel, text);
      if (panel->starts)
        console_panel_on_started (panel);
      else
        console_panel_end (panel);
    }
  else
    console_panel_on_link (panel, word, text);
}

/* FALSE: it cannot be started, which is told. */
static gboolean
console_panel_start (LcConsolePanel *panel)
{
  const LcOpened *opened = lc_session_get_opened (panel->session);
  g_autoptr (GError) error = NULL;

  if (panel->link != NULL)
    return TRUE;
  if (opened == NULL || opened->partial)
    {
      console_panel_fail (panel, opened == NULL ? _ ("Open a trace first.")
                                                : _ ("The console needs the whole run, which is still being read."));
      return FALSE;
    }
  panel->link = lc_console_link_new (opened->directory, lc_script_limits_get_memory (),
                                     lc_script_limits_get_seconds (0), console_panel_on_news, panel, &error);
  if (panel->link == NULL)
    {
      console_panel_fail (panel, error->message);
      return FALSE;
    }
  g_free (panel->directory);
  panel->directory = g_strdup (opened->directory);
  panel->starts = TRUE;
  console_panel_set_busy (panel, TRUE);
  return TRUE;
}

/* --- Keys -------------------------------------------------------------------------------------------------------- */

static void
console_panel_enter (LcConsolePanel *panel)
{
  g_autofree char *text = console_panel_dup_input (panel);

  if (text[strspn (text, " \t\n")] == '\0' || panel->is_busy || !console_panel_start (panel))
    return;
  if (panel->starts)
    panel->waiting = g_strdup (text);
  else
    {
      console_panel_set_busy (panel, TRUE);
      console_panel_evaluate (panel, text);
    }
  g_free (panel->typed);
  panel->typed = g_strdup (text);
  console_panel_show_typed (panel);
  lc_console_history_add (panel->history, text);
  console_panel_set_input (panel, "");
}

static void
console_panel_complete (LcConsolePanel *panel)
{
  GtkTextIter begin, end;
  g_autofree char *word = NULL;

  console_panel_find_word (panel, &begin, &end);
  word = gtk_text_iter_get_text (&begin, &end);
  if (word[0] == '\0' || panel->is_busy || !console_panel_start (panel) || panel->starts)
    return;
  console_panel_set_busy (panel, TRUE);
  lc_console_link_send (panel->link, "complete", word, NULL);
}

/* Within a text of several lines, the keys move the cursor. */
static gboolean
console_panel_step (LcConsolePanel *panel, gboolean back)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (panel->input);
  g_autofree char *text = console_panel_dup_input (panel);
  const char *other;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  if (gtk_text_iter_get_line (&at) != (back ? 0 : gtk_text_buffer_get_line_count (buffer) - 1))
    return FALSE;
  other = lc_console_history_step (panel->history, back, text);
  if (other != NULL)
    console_panel_set_input (panel, other);
  return TRUE;
}

static void
console_panel_stop (LcConsolePanel *panel)
{
  if (panel->link != NULL && panel->is_busy)
    lc_console_link_stop (panel->link);
}

static gboolean
console_panel_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, LcConsolePanel *panel)
{
  gboolean plain = (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0;

  if (plain && (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter))
    console_panel_enter (panel);
  else if (plain && key == GDK_KEY_Tab)
    console_panel_complete (panel);
  else if (plain && key == GDK_KEY_Escape)
    console_panel_stop (panel);
  else if (plain && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    return console_panel_step (panel, key == GDK_KEY_Up);
  else if ((state & GDK_CONTROL_MASK) != 0 && key == GDK_KEY_l)
    lc_console_output_clear (panel->output);
  else
    return FALSE;
  return TRUE;
}

static void
console_panel_on_stop (GtkButton *button, LcConsolePanel *panel)
{
  console_panel_stop (panel);
  gtk_widget_grab_focus (GTK_WIDGET (panel->input));
}

static void
console_panel_on_clear (GtkButton *button, LcConsolePanel *panel)
{
  lc_console_output_clear (panel->output);
  gtk_widget_grab_focus (GTK_WIDGET (panel->input));
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

/* Whether the open history is one of the trace that the process has. */
static gboolean
console_panel_is_of_same (LcConsolePanel *panel)
{
  const LcOpened *opened = lc_session_get_opened (panel->session);

  return opened != NULL && g_strcmp0 (opened->directory, panel->directory) == 0;
}

static void
console_panel_on_changed (LcSession *session, guint what, LcConsolePanel *panel)
{
  gboolean renewed = panel->renews;

  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  panel->renews = FALSE;
  if (panel->link == NULL || (renewed && console_panel_is_of_same (panel)))
    return;
  console_panel_forget (panel);
  lc_console_output_end_line (panel->output);
  lc_console_output_add (panel->output, LC_CONSOLE_REMARK,
                         _ ("Another history is open: what was defined is gone, and links lead nowhere.\n"));
}

static gboolean
console_panel_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (LC_CONSOLE_PANEL (widget)->input));
}

static void
lc_console_panel_dispose (GObject *object)
{
  LcConsolePanel *panel = LC_CONSOLE_PANEL (object);

  g_clear_handle_id (&panel->timer, g_source_remove);
  g_clear_pointer (&panel->link, lc_console_link_free);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_console_panel_parent_class)->dispose (object);
}

static void
lc_console_panel_finalize (GObject *object)
{
  LcConsolePanel *panel = LC_CONSOLE_PANEL (object);

  lc_console_history_free (panel->history);
  g_free (panel->directory);
  g_free (panel->waiting);
  g_free (panel->typed);
  G_OBJECT_CLASS (lc_console_panel_parent_class)->finalize (object);
}

static void
lc_console_panel_class_init (LcConsolePanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_console_panel_dispose;
  G_OBJECT_CLASS (class)->finalize = lc_console_panel_finalize;
  widget->grab_focus = console_panel_grab_focus;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "console-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcConsolePanel, output);
  gtk_widget_class_bind_template_child (widget, LcConsolePanel, input);
  gtk_widget_class_bind_template_child (widget, LcConsolePanel, state);
  gtk_widget_class_bind_template_child (widget, LcConsolePanel, spinner);
  gtk_widget_class_bind_template_child (widget, LcConsolePanel, stop);
  gtk_widget_class_bind_template_callback (widget, console_panel_on_stop);
  gtk_widget_class_bind_template_callback (widget, console_panel_on_clear);
}

static void
lc_console_panel_init (LcConsolePanel *panel)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  panel->history = lc_console_history_new ("console-history");
  gtk_widget_init_template (GTK_WIDGET (panel));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (console_panel_on_key), panel);
  gtk_widget_add_controller (GTK_WIDGET (panel->input), keys);
}

GtkWidget *
lc_console_panel_new (LcSession *session)
{
  LcConsolePanel *panel = g_object_new (LC_TYPE_CONSOLE_PANEL, NULL);

  panel->session = g_object_ref (session);
  lc_console_output_init (panel->output, session);
  g_signal_connect_object (session, "changed", G_CALLBACK (console_panel_on_changed), panel, 0);
  return GTK_WIDGET (panel);
}

/* --- The action -------------------------------------------------------------------------------------------------- */

static void
console_panel_switch (GtkWidget *widget, const char *name, GVariant *parameter)
{
  lc_shell_switch_bottom (LC_SHELL (widget), "console");
}

void
lc_console_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.console", NULL, console_panel_switch);
}
