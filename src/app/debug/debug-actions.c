/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions that run the program again: to stop at an event, or to turn it round with another. */
#include "app/debug/debug-actions.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/browser.h"
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

  return operation != NULL && event->object != LC_TRACE_NONE && g_strv_contains (taking, operation->name);
}

/* A trace may come from anywhere: the user sees what it has run before it is run again. NULL: it does not say. */
static char *
debug_dup_question (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "trace.ini", NULL), *text = NULL, *command = NULL;
  g_autofree char *shown = NULL;
  g_autoptr (GKeyFile) settings = g_key_file_new ();
  gsize length;

  if (lc_trace_read_file (path, MOST_BYTES_OF_SETTINGS, &text, &length, NULL) &&
      g_key_file_load_from_data (settings, text, length, G_KEY_FILE_NONE, NULL))
    command = g_key_file_get_string (settings, "trace", "command", NULL);
  if (command == NULL)
    return NULL;
  shown = lc_format_text (command);
  return g_strdup_printf (_ ("This runs the recorded program again: %s\nReturn goes on, Ctrl+C does not."), shown);
}

/* Runs `lightcone replay` of the trace with an option of the selected event's name. */
static void
debug_replay (LcSession *session, const LcHistoryEvent *event, const char *option, const char *last)
{
  const char *directory = lc_session_get_shown (session)->opened->directory;
  g_autofree char *command = lc_record_find_command (), *question = debug_dup_question (directory);
  g_autofree char *name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, event->process, event->ordinal);
  const char *const words[] = {command, "replay", directory, option, name, last, NULL};

  if (question == NULL)
    lc_session_tell (session, _ ("This trace does not say what was run."));
  else if (command == NULL)
    lc_session_tell (session, _ ("The program lightcone, which runs programs again, is not installed."));
  else
    lc_terminal_run (session, question, words);
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

static void
debug_here (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_browser_get_session (LC_BROWSER (widget));
  const LcHistoryEvent *event = debug_get_event (session);

  if (event != NULL)
    debug_replay (session, event, "--until", "--gdb");
}

static void
debug_turn_round (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_browser_get_session (LC_BROWSER (widget));
  const LcHistoryEvent *event = lc_session_get_event (session);

  if (lc_session_get_shown (session) == NULL)
    return;
  if (event != NULL && lc_debug_can_turn_round (lc_session_get_history (session), event))
    debug_replay (session, event, "--flip", NULL);
  else
    lc_session_tell (session, _ ("Select an event first in which a process gets a lock: it is to come before the one "
                                 "that had the lock before."));
}

void
lc_debug_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.debug", NULL, debug_here);
  gtk_widget_class_install_action (class, "win.turn-round", NULL, debug_turn_round);
}
