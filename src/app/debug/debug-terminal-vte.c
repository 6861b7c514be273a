/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of a debugged program, within the window. */
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <vte/vte.h>

#include "app/debug/debug-terminal.h"
#include "app/shown-text.h"
#include "app/theme.h"

#define PREFIX "lightcone: "

enum
{
  LINES_BACK = 10000,
};

/* In the data of the widget. */
typedef struct
{
  VteTerminal *terminal; /* borrowed */
  GCancellable *starting;
  GPid process; /* 0: none, or it has ended */
  gboolean has_ended;
  LcDebugTerminalEnded ended; /* NULL: nobody wants to know */
  gpointer owner;
} Child;

gboolean
lc_debug_terminal_is_inside (void)
{
  return TRUE;
}

/* --- The end ----------------------------------------------------------------------------------------------------- */

static char *
debug_terminal_dup_complaint (VteTerminal *terminal)
{
  g_autofree char *text = vte_terminal_get_text (terminal, NULL, NULL, NULL);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = g_strv_length (lines); i > 0; i--)
    if (g_str_has_prefix (lines[i - 1], PREFIX) && lines[i - 1][strlen (PREFIX)] != ' ')
      return g_strdup (g_strchomp (lines[i - 1] + strlen (PREFIX)));
  return NULL;
}

static void
debug_terminal_tell_end (Child *child)
{
  g_autofree char *complaint = NULL;

  if (child->ended == NULL || !child->has_ended)
    return;
  complaint = debug_terminal_dup_complaint (child->terminal);
  child->ended (child->owner, complaint);
}

static void
debug_terminal_on_exited (VteTerminal *terminal, int status, Child *child)
{
  child->process = 0;
  child->has_ended = TRUE;
  vte_terminal_set_input_enabled (terminal, FALSE);
  debug_terminal_tell_end (child);
}

/* The last lines of the command may be read only after its end. */
static void
debug_terminal_on_contents (VteTerminal *terminal, Child *child)
{
  debug_terminal_tell_end (child);
}

/* --- The begin --------------------------------------------------------------------------------------------------- */

/* The terminal may have gone, or have been ended, while the command was being started. */
static void
debug_terminal_on_spawned (VteTerminal *terminal, GPid process, GError *error, gpointer data)
{
  Child *child = data;

  if (terminal == NULL)
    {
      if (process > 0)
        kill (process, SIGTERM);
      return;
    }
  if (error == NULL)
    {
      child->process = process;
      if (child->ended == NULL)
        kill (process, SIGTERM);
      return;
    }
  child->has_ended = TRUE;
  if (child->ended != NULL)
    child->ended (child->owner, error->message);
}

static void
debug_terminal_spawn (Child *child, const char *const *command)
{
  vte_terminal_spawn_async (child->terminal, VTE_PTY_DEFAULT, NULL, (char **)command, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                            NULL, -1, child->starting, debug_terminal_on_spawned, child);
}

/* --- Keys -------------------------------------------------------------------------------------------------------- */

static gboolean
debug_terminal_is_ours (guint key, GdkModifierType state)
{
  return (key >= GDK_KEY_F1 && key <= GDK_KEY_F12) ||
         (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) == (GDK_CONTROL_MASK | GDK_SHIFT_MASK);
}

/* The window's keys would come first: gdb's user wants Ctrl+R, Ctrl+D and others to be gdb's. Keys of functions, and
 * those with Ctrl and Shift, are the window's, but for copying and pasting. */
static gboolean
debug_terminal_on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, Child *child)
{
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));

  if (gtk_root_get_focus (GTK_ROOT (window)) != GTK_WIDGET (child->terminal))
    return FALSE;
  if (!debug_terminal_is_ours (key, state))
    return gtk_event_controller_key_forward (keys, GTK_WIDGET (child->terminal));
  if (key == GDK_KEY_C && vte_terminal_get_has_selection (child->terminal))
    vte_terminal_copy_clipboard_format (child->terminal, VTE_FORMAT_TEXT);
  else if (key == GDK_KEY_V)
    vte_terminal_paste_clipboard (child->terminal);
  else
    return FALSE;
  return TRUE;
}

/* The controller is at the window as long as the terminal is in it. */
static void
debug_terminal_on_root (GtkWidget *terminal, GParamSpec *pspec, Child *child)
{
  GtkRoot *root = gtk_widget_get_root (terminal);
  GtkEventController *keys = g_object_get_data (G_OBJECT (terminal), "lc-keys");

  if (keys != NULL && gtk_event_controller_get_widget (keys) != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (keys), keys);
  g_object_set_data (G_OBJECT (terminal), "lc-keys", NULL);
  if (root == NULL)
    return;
  keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (debug_terminal_on_key), child);
  gtk_widget_add_controller (GTK_WIDGET (root), keys);
  g_object_set_data_full (G_OBJECT (terminal), "lc-keys", g_object_ref (keys), g_object_unref);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
debug_terminal_paint (GtkWidget *terminal)
{
  LcTheme theme = lc_theme_of (terminal);
  GdkRGBA text = lc_theme_get_color (theme, LC_INK_TEXT), ground = lc_theme_get_color (theme, LC_INK_PANEL);

  vte_terminal_set_colors (VTE_TERMINAL (terminal), &text, &ground, NULL, 0);
}

static void
debug_terminal_free_child (gpointer data)
{
  Child *child = data;

  if (child->process != 0)
    kill (child->process, SIGTERM);
  g_cancellable_cancel (child->starting);
  g_object_unref (child->starting);
  g_free (child);
}

static void
debug_terminal_prepare (VteTerminal *terminal, Child *child)
{
  vte_terminal_set_scrollback_lines (terminal, LINES_BACK);
  vte_terminal_set_audible_bell (terminal, FALSE);
  vte_terminal_set_scroll_on_output (terminal, TRUE);
  vte_terminal_set_scroll_on_keystroke (terminal, TRUE);
  lc_accessible_show (GTK_ACCESSIBLE (terminal), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Terminal of the program"));
  g_signal_connect (terminal, "child-exited", G_CALLBACK (debug_terminal_on_exited), child);
  g_signal_connect (terminal, "contents-changed", G_CALLBACK (debug_terminal_on_contents), child);
  g_signal_connect (terminal, "notify::root", G_CALLBACK (debug_terminal_on_root), child);
  lc_theme_watch (terminal, G_CALLBACK (debug_terminal_paint));
  debug_terminal_paint (GTK_WIDGET (terminal));
}

GtkWidget *
lc_debug_terminal_new (LcSession *session, const char *question, const char *const *command, LcDebugTerminalEnded ended,
                       gpointer owner)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *terminal = vte_terminal_new ();
  Child *child = g_new0 (Child, 1);

  child->terminal = VTE_TERMINAL (terminal);
  child->starting = g_cancellable_new ();
  child->ended = ended;
  child->owner = owner;
  g_object_set_data_full (G_OBJECT (terminal), "lc-child", child, debug_terminal_free_child);
  debug_terminal_prepare (child->terminal, child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), terminal);
  debug_terminal_spawn (child, command);
  return scrolled;
}

void
lc_debug_terminal_end (GtkWidget *terminal)
{
  GtkWidget *inside = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (terminal));
  Child *child = g_object_get_data (G_OBJECT (inside), "lc-child");

  child->ended = NULL;
  if (child->process != 0)
    kill (child->process, SIGTERM);
}
