/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions that run the program again: to stop at events, or to turn one round with another. */
#include "app/debug/debug-actions.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/shell.h"
#include "app/debug/debug-panel.h"
#include "app/debug/debug-terminal.h"
#include "app/debug/terminal.h"
#include "app/open/record-run.h"
#include "lightcone/trace.h"
#include "trace/quantities.h"

enum
{
  MOST_BYTES_OF_SETTINGS = 1 << 20,
};

gboolean
lc_debug_can_turn_round (LcHistory *history, const LcHistoryEvent *event)
{
  static const char *const taking[] = {"lock", "read-start", "write-start", NULL};
  const LcHistoryOperation *operation = lc_history_get_operation (history, event->operation);

  return operation != NULL && event->object != LC_TRACE_NONE &&
         (g_strv_contains (taking, operation->name) || (event->flags & LC_TRACE_EVENT_BLIND) != 0);
}

/* --- What is run ------------------------------------------------------------------------------------------------- */

/* Returns the recorded command as it can be shown; NULL: the trace does not say it. */
static char *
debug_dup_program (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "trace.ini", NULL), *text = NULL, *command = NULL;
  g_autoptr (GKeyFile) settings = g_key_file_new ();
  gsize length;

  if (lc_trace_read_file (path, MOST_BYTES_OF_SETTINGS, &text, &length, NULL) &&
      g_key_file_load_from_data (settings, text, length, G_KEY_FILE_NONE, NULL))
    command = g_key_file_get_string (settings, "trace", "command", NULL);
  return command != NULL ? lc_format_text (command) : NULL;
}

/* A trace may come from anywhere: the user sees what it has run before it is run again. */
static char *
debug_dup_question (const char *program)
{
  return g_strdup_printf (_ ("This runs the recorded program again: %s\nReturn goes on, Ctrl+C does not."), program);
}

/* Returns what the recorded program was. NULL: it cannot be run again, which is told. */
static char *
debug_find_program (LcSession *session)
{
  const LcOpened *opened = lc_session_get_opened (session);
  g_autofree char *command = lc_record_find_command (), *program = debug_dup_program (opened->directory);

  if (opened->partial)
    lc_session_tell (session, _ ("The whole run, which is still being read, is needed to run it again."));
  else if (program == NULL)
    lc_session_tell (session, _ ("This trace does not say what was run."));
  else if (command == NULL)
    lc_session_tell (session, _ ("The program lightcone, which runs programs again, is not installed."));
  else
    return g_steal_pointer (&program);
  return NULL;
}

/* Gives the selected event; without one, tells the user and returns NULL. */
static const LcHistoryEvent *
debug_get_event (LcSession *session)
{
  const LcHistoryEvent *event = lc_session_get_event (session);

  if (event == NULL && lc_session_get_shown (session) != NULL)
    lc_session_tell (session, _ ("Select an event first: the program is stopped before it."));
  return event;
}

/* --- Actions ----------------------------------------------------------------------------------------------------- */

static void
debug_here (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);
  LcSession *session = lc_shell_get_session (shell);
  const LcHistoryEvent *event = debug_get_event (session);
  g_autofree char *program = event != NULL ? debug_find_program (session) : NULL;
  g_autofree char *question = program != NULL ? debug_dup_question (program) : NULL;
  g_autofree char *gdb = g_find_program_in_path ("gdb");
  LcEventName wanted;

  if (program == NULL)
    return;
  if (gdb == NULL)
    {
      lc_session_tell (session, _ ("gdb, which looks into programs, is not installed."));
      return;
    }
  wanted = (LcEventName){.process = event->origin_process, .ordinal = event->origin_ordinal};
  lc_shell_show_panel (shell, "debugger");
  lc_debug_panel_ask (LC_DEBUG_PANEL (lc_shell_get_panel (shell, "debugger")), program, question, &wanted);
}

/* Nobody sees the end of that, to compare with it. */
static void
debug_turn_round_outside (LcSession *session, const char *program, const LcEventName *wanted)
{
  g_autofree char *question = debug_dup_question (program), *command = lc_record_find_command ();
  g_autofree char *flipped = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, wanted->process, wanted->ordinal);

  lc_terminal_run (
      session, question,
      (const char *const[]){command, "replay", lc_session_get_opened (session)->directory, "--flip", flipped, NULL});
}

static void
debug_turn_round (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);
  LcSession *session = lc_shell_get_session (shell);
  const LcHistoryEvent *event = lc_session_get_event (session);
  g_autofree char *program = NULL;
  LcEventName wanted;

  if (lc_session_get_shown (session) == NULL)
    return;
  if (event == NULL || !lc_debug_can_turn_round (lc_session_get_history (session), event))
    {
      lc_session_tell (session,
                       _ ("Select an event first in which a process gets a lock, or a message from any sender: "
                          "it is to come before the one that had the lock, or came, before."));
      return;
    }
  program = debug_find_program (session);
  if (program == NULL)
    return;
  wanted = (LcEventName){.process = event->origin_process, .ordinal = event->origin_ordinal};
  if (!lc_debug_terminal_is_inside ())
    {
      debug_turn_round_outside (session, program, &wanted);
      return;
    }
  lc_shell_show_panel (shell, "debugger");
  lc_debug_panel_ask_to_turn (LC_DEBUG_PANEL (lc_shell_get_panel (shell, "debugger")), program, &wanted);
}

static void
debug_toggle_breakpoint (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcHistoryEvent *event = lc_session_get_event (session);
  gboolean set;

  if (event == NULL)
    {
      if (lc_session_get_shown (session) != NULL)
        lc_session_tell (session, _ ("Select an event first: the breakpoint is before it."));
      return;
    }
  set = !lc_session_has_breakpoint (session, event->origin_process, event->origin_ordinal);
  lc_session_set_breakpoint (session, event->origin_process, event->origin_ordinal, set);
}

static const char *const move_actions[LC_DEBUG_MOVES] = {"win.debug-next", "win.debug-here",      "win.debug-finish",
                                                         "win.debug-go",   "win.debug-interrupt", "win.debug-end"};

static void
debug_ask_move (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);
  LcDebugPanel *panel = LC_DEBUG_PANEL (lc_shell_get_panel (shell, "debugger"));

  if (lc_session_get_shown (lc_shell_get_session (shell)) == NULL)
    return;
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    if (g_str_equal (move_actions[i], name))
      lc_debug_panel_move (panel, (LcDebugMove)i);
}

static void
debug_switch (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcShell *shell = LC_SHELL (widget);

  if (lc_session_get_history (lc_shell_get_session (shell)) == NULL)
    return;
  lc_shell_show_panel (shell, gtk_widget_get_mapped (lc_shell_get_panel (shell, "debugger")) ? "plots" : "debugger");
}

void
lc_debug_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.debug", NULL, debug_here);
  gtk_widget_class_install_action (class, "win.turn-round", NULL, debug_turn_round);
  gtk_widget_class_install_action (class, "win.breakpoint", NULL, debug_toggle_breakpoint);
  gtk_widget_class_install_action (class, "win.debugger", NULL, debug_switch);
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    gtk_widget_class_install_action (class, move_actions[i], NULL, debug_ask_move);
}
