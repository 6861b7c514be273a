/* SPDX-License-Identifier: Apache-2.0 */
/* The debugger: gdb at a program that runs again, its breakpoints, and values at each stop. */
#include "app/debug/debug-panel.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "app/names.h"
#include "app/debug/breakpoint-list.h"
#include "app/debug/debug-run.h"
#include "app/debug/debug-terminal.h"
#include "app/debug/value-list.h"
#include "app/inspect/event-report.h"
#include "app/open/record-run.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

struct _LcDebugPanel
{
  GtkBox parent;

  LcSession *session;
  GtkWidget *state_box;
  GtkLabel *state;
  GtkSpinner *spinner;
  GtkStack *pages;
  GtkLabel *program;
  GtkWidget *agree;
  GtkWidget *buttons[LC_DEBUG_MOVES];
  GtkBox *value_box;
  GtkBox *breakpoint_box;
  GtkEntry *entry;
  GtkWidget *values;

  LcEventName wanted;  /* the event that the user is asked about, or that was agreed to */
  char *question;      /* for a terminal outside */
  LcDebugRun *run;     /* NULL: nothing was run yet */
  GtkWidget *terminal; /* of the run */
  char *turned;        /* the new trace, while the program runs in another order; NULL: it does not */
  gboolean is_to_turn; /* what the user is asked, or was */
  gboolean has_turned; /* the terminal is that of such a run */
  char *complaint;     /* of the run; NULL: none */
};

G_DEFINE_FINAL_TYPE (LcDebugPanel, lc_debug_panel, GTK_TYPE_BOX)

static const char *const moves[LC_DEBUG_MOVES] = {"next", "here", "finish", "go", "interrupt", "end"};

/* --- The state --------------------------------------------------------------------------------------------------- */

static LcDebugState
debug_panel_get_state (LcDebugPanel *panel)
{
  if (panel->turned != NULL)
    return LC_DEBUG_BEGINS;
  return panel->run != NULL ? lc_debug_run_get_state (panel->run) : LC_DEBUG_GONE;
}

/* Formats an event of the measured timeline as in "worker 1: lock queue #8". */
static char *
debug_panel_dup_event (LcDebugPanel *panel, const LcEventName *name)
{
  LcHistory *history = lc_session_get_history (panel->session);
  g_autoptr (LcNames) names = history != NULL ? lc_names_new (history) : NULL;
  g_autofree char *process = NULL, *title = NULL;
  LcHistoryEvent event;

  if (history == NULL || name->process >= lc_history_get_n_processes (history))
    return g_strdup ("");
  process = lc_format_text (lc_names_process (names, name->process));
  if (name->ordinal >= lc_history_get_process (history, name->process)->events ||
      !lc_history_get_event (history, LC_TIMELINE_MEASURED, name->process, name->ordinal, &event, NULL))
    return g_strdup_printf (_ ("%s: its end"), process);
  title = lc_event_dup_title (names, &event);
  return g_strdup_printf (_ ("%s: %s"), process, title);
}

static char *
debug_panel_dup_stop (LcDebugPanel *panel)
{
  guint32 process;
  const GArray *stops = lc_session_get_stops (panel->session, &process);

  for (guint i = 0; i < stops->len; i++)
    {
      const LcEventName *stop = &g_array_index (stops, LcEventName, i);
      g_autofree char *event = stop->process == process ? debug_panel_dup_event (panel, stop) : NULL;

      if (event != NULL)
        return g_strdup_printf (_ ("Stopped before %s"), event);
    }
  return g_strdup (_ ("Stopped"));
}

static char *
debug_panel_dup_state (LcDebugPanel *panel)
{
  g_autofree char *event = debug_panel_dup_event (panel, &panel->wanted);

  if (panel->turned != NULL)
    return g_strdup_printf (_ ("Running again, so that this comes first: %s"), event);
  if (panel->has_turned)
    return g_strdup (_ ("Ended"));
  if (panel->run == NULL)
    return g_strdup ("");
  switch (lc_debug_run_get_state (panel->run))
    {
    case LC_DEBUG_BEGINS:
      return g_strdup_printf (_ ("On the way to %s"), event);
    case LC_DEBUG_RUNS:
      return g_strdup (_ ("Running"));
    case LC_DEBUG_STOPPED:
      return debug_panel_dup_stop (panel);
    case LC_DEBUG_ENDED:
      return g_strdup (_ ("The program has ended; gdb is still there"));
    case LC_DEBUG_GONE:
      break;
    }
  if (lc_debug_run_has_stopped (panel->run))
    return g_strdup (_ ("Ended"));
  return panel->complaint != NULL ? g_strdup_printf (_ ("There was no stop: %s"), panel->complaint)
                                  : g_strdup (_ ("There was no stop"));
}

/* The actions that can be asked for in a state. */
static gboolean
debug_panel_can (LcDebugState state, LcDebugMove move)
{
  if (move == LC_DEBUG_END)
    return state != LC_DEBUG_GONE;
  return move == LC_DEBUG_INTERRUPT ? state == LC_DEBUG_RUNS : state == LC_DEBUG_STOPPED;
}

static void
debug_panel_show_state (LcDebugPanel *panel)
{
  LcDebugState state = debug_panel_get_state (panel);
  g_autofree char *text = debug_panel_dup_state (panel);

  gtk_spinner_set_spinning (panel->spinner, state == LC_DEBUG_BEGINS || state == LC_DEBUG_RUNS);
  gtk_widget_set_visible (panel->state_box, *text != '\0');
  lc_label_show (panel->state, text);
  lc_tooltip_show (GTK_WIDGET (panel->state), text);
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    gtk_widget_set_sensitive (panel->buttons[i], debug_panel_can (state, (LcDebugMove)i));
  if (state != LC_DEBUG_STOPPED)
    lc_value_list_fade (panel->values);
}

/* --- Values ------------------------------------------------------------------------------------------------------ */

static void
debug_panel_ask_values (LcDebugPanel *panel)
{
  const GPtrArray *expressions = lc_session_get_expressions (panel->session);

  for (guint i = 0; i < expressions->len; i++)
    lc_debug_run_ask_value (panel->run, g_ptr_array_index (expressions, i));
}

static void
debug_panel_on_value (LcDebugRun *run, const char *expression, const char *text, gboolean failed, LcDebugPanel *panel)
{
  lc_value_list_show (panel->values, expression, text, failed);
}

static void
debug_panel_add_expression (GtkEntry *entry, LcDebugPanel *panel)
{
  g_autofree char *expression = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

  if (*expression == '\0' || lc_session_get_history (panel->session) == NULL)
    return;
  lc_session_add_expression (panel->session, expression);
  if (panel->run != NULL)
    lc_debug_run_ask_value (panel->run, expression);
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
}

/* --- The run ----------------------------------------------------------------------------------------------------- */

static void
debug_panel_on_run_changed (LcDebugRun *run, LcDebugPanel *panel)
{
  debug_panel_show_state (panel);
  if (lc_debug_run_get_state (run) == LC_DEBUG_STOPPED)
    debug_panel_ask_values (panel);
}

/* The end may be told again. */
static void
debug_panel_end_turn (LcDebugPanel *panel)
{
  g_autofree char *turned = g_steal_pointer (&panel->turned);

  debug_panel_show_state (panel);
  if (turned != NULL && g_file_test (turned, G_FILE_TEST_IS_DIR))
    gtk_widget_activate_action (GTK_WIDGET (panel), "win.compare-with", "s", turned);
}

static void
debug_panel_on_terminal_ended (gpointer owner, const char *complaint)
{
  LcDebugPanel *panel = owner;

  if (panel->has_turned)
    debug_panel_end_turn (panel);
  if (panel->run == NULL)
    return;
  g_free (panel->complaint);
  panel->complaint = g_strdup (complaint);
  lc_debug_run_end (panel->run);
  debug_panel_show_state (panel);
}

/* What the terminal shows can still be read. */
static void
debug_panel_end_run (LcDebugPanel *panel)
{
  if (debug_panel_get_state (panel) == LC_DEBUG_GONE)
    return;
  lc_debug_terminal_end (panel->terminal);
  g_clear_pointer (&panel->turned, g_free);
  if (panel->run != NULL)
    lc_debug_run_end (panel->run);
}

static void
debug_panel_forget_run (LcDebugPanel *panel)
{
  debug_panel_end_run (panel);
  if (panel->run != NULL)
    g_signal_handlers_disconnect_by_data (panel->run, panel);
  g_clear_object (&panel->run);
  g_clear_pointer (&panel->complaint, g_free);
  if (panel->terminal != NULL)
    gtk_stack_remove (panel->pages, panel->terminal);
  panel->terminal = NULL;
  panel->has_turned = FALSE;
}

static void
debug_panel_open_terminal (LcDebugPanel *panel, const char *const *command)
{
  panel->terminal =
      lc_debug_terminal_new (panel->session, panel->question, command, debug_panel_on_terminal_ended, panel);
  gtk_stack_add_named (panel->pages, panel->terminal, "terminal");
  gtk_stack_set_visible_child (panel->pages, panel->terminal);
  gtk_widget_child_focus (panel->terminal, GTK_DIR_TAB_FORWARD);
  debug_panel_show_state (panel);
}

static void
debug_panel_begin_run (LcDebugPanel *panel)
{
  const char *directory = lc_session_get_opened (panel->session)->directory;
  g_autofree char *command = lc_record_find_command ();
  g_autofree char *event = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, panel->wanted.process, panel->wanted.ordinal);
  g_autoptr (GError) error = NULL;

  debug_panel_forget_run (panel);
  panel->run = lc_debug_run_new (panel->session, &error);
  if (panel->run == NULL)
    {
      lc_session_tell (panel->session, error->message);
      return;
    }
  g_signal_connect (panel->run, "changed", G_CALLBACK (debug_panel_on_run_changed), panel);
  g_signal_connect (panel->run, "value", G_CALLBACK (debug_panel_on_value), panel);
  debug_panel_open_terminal (panel, (const char *const[]){command, "replay", directory, "--until", event, "--gdb",
                                                          "--control", lc_debug_run_get_path (panel->run), NULL});
}

/* Gives a name beside the trace, or in the user's cache where nothing can be made there. */
static char *
debug_panel_dup_new_trace (const char *directory)
{
  g_autofree char *folder = g_path_get_dirname (directory), *name = g_path_get_basename (directory);
  g_autofree char *path = NULL;

  if (g_str_has_suffix (name, ".trace"))
    name[strlen (name) - strlen (".trace")] = '\0';
  if (g_access (folder, W_OK) != 0)
    {
      g_free (folder);
      folder = g_build_filename (g_get_user_cache_dir (), "lightcone", NULL);
      g_mkdir_with_parents (folder, 0700);
    }
  for (guint i = 1; path == NULL || g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s-turned-round-%u.trace", name, i);

      g_free (path);
      path = g_build_filename (folder, numbered, NULL);
    }
  return g_steal_pointer (&path);
}

static void
debug_panel_begin_turn (LcDebugPanel *panel)
{
  const char *directory = lc_session_get_opened (panel->session)->directory;
  g_autofree char *command = lc_record_find_command ();
  g_autofree char *event = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, panel->wanted.process, panel->wanted.ordinal);

  debug_panel_forget_run (panel);
  panel->turned = debug_panel_dup_new_trace (directory);
  panel->has_turned = TRUE;
  debug_panel_open_terminal (
      panel, (const char *const[]){command, "replay", directory, "--flip", event, "--output", panel->turned, NULL});
}

static void
debug_panel_show_question (LcDebugPanel *panel, const char *program)
{
  lc_label_show (panel->program, program);
  gtk_stack_set_visible_child_name (panel->pages, "ask");
  gtk_widget_grab_focus (panel->agree);
}

void
lc_debug_panel_ask_to_turn (LcDebugPanel *panel, const char *program, const LcEventName *event)
{
  panel->wanted = *event;
  panel->is_to_turn = TRUE;
  debug_panel_show_question (panel, program);
}

void
lc_debug_panel_ask (LcDebugPanel *panel, const char *program, const char *question, const LcEventName *event)
{
  panel->wanted = *event;
  panel->is_to_turn = FALSE;
  g_free (panel->question);
  panel->question = g_strdup (question);
  if (!lc_debug_terminal_is_inside ())
    {
      debug_panel_begin_run (panel);
      return;
    }
  debug_panel_show_question (panel, program);
}

static void
debug_panel_on_agree (GtkButton *button, LcDebugPanel *panel)
{
  if (lc_session_get_opened (panel->session) == NULL)
    return;
  if (panel->is_to_turn)
    debug_panel_begin_turn (panel);
  else
    debug_panel_begin_run (panel);
}

static void
debug_panel_on_refuse (GtkButton *button, LcDebugPanel *panel)
{
  if (panel->terminal != NULL)
    gtk_stack_set_visible_child (panel->pages, panel->terminal);
  else
    gtk_stack_set_visible_child_name (panel->pages, "empty");
}

/* --- Moves ------------------------------------------------------------------------------------------------------- */

static void
debug_panel_on_move (GtkButton *button, LcDebugPanel *panel)
{
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    if (panel->buttons[i] == GTK_WIDGET (button))
      lc_debug_panel_move (panel, (LcDebugMove)i);
}

/* gdb that can quit does so, and leaves its terminal tidy. */
static void
debug_panel_end_gently (LcDebugPanel *panel)
{
  if (panel->run == NULL || !lc_debug_run_quit (panel->run))
    debug_panel_end_run (panel);
  debug_panel_show_state (panel);
}

static void
debug_panel_go_here (LcDebugPanel *panel)
{
  const LcHistoryEvent *event = lc_session_get_event (panel->session);

  if (event != NULL)
    lc_debug_run_until (panel->run, event->origin_process, event->origin_ordinal);
  else
    lc_session_tell (panel->session, _ ("Select an event first: the program is stopped before it."));
}

static void
debug_panel_go_next (LcDebugPanel *panel)
{
  const LcHistoryEvent *event = lc_session_get_event (panel->session);

  lc_debug_run_next (panel->run, event != NULL ? event->origin_process : lc_debug_run_get_process (panel->run));
}

void
lc_debug_panel_move (LcDebugPanel *panel, LcDebugMove move)
{
  LcDebugState state = debug_panel_get_state (panel);

  if (state == LC_DEBUG_GONE)
    lc_session_tell (panel->session, _ ("No program is being debugged: the key g runs it up to the selected event."));
  else if (!debug_panel_can (state, move))
    lc_session_tell (panel->session,
                     move == LC_DEBUG_INTERRUPT ? _ ("The program does not run.") : _ ("The program has not stopped."));
  else if (move == LC_DEBUG_NEXT)
    debug_panel_go_next (panel);
  else if (move == LC_DEBUG_HERE)
    debug_panel_go_here (panel);
  else if (move == LC_DEBUG_FINISH)
    lc_debug_run_finish (panel->run);
  else if (move == LC_DEBUG_GO)
    lc_debug_run_go (panel->run);
  else if (move == LC_DEBUG_INTERRUPT)
    lc_debug_run_interrupt (panel->run);
  else
    debug_panel_end_gently (panel);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
debug_panel_on_changed (LcSession *session, guint what, LcDebugPanel *panel)
{
  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  debug_panel_forget_run (panel);
  gtk_stack_set_visible_child_name (panel->pages, "empty");
  debug_panel_show_state (panel);
}

static void
lc_debug_panel_dispose (GObject *object)
{
  LcDebugPanel *panel = LC_DEBUG_PANEL (object);

  if (panel->session != NULL)
    debug_panel_forget_run (panel);
  g_clear_pointer (&panel->question, g_free);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_debug_panel_parent_class)->dispose (object);
}

static void
lc_debug_panel_class_init (LcDebugPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_debug_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "debug-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, state_box);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, state);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, spinner);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, pages);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, program);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, agree);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, value_box);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, breakpoint_box);
  gtk_widget_class_bind_template_child (widget, LcDebugPanel, entry);
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    gtk_widget_class_bind_template_child_full (widget, moves[i], FALSE, 0);
  gtk_widget_class_bind_template_callback (widget, debug_panel_on_agree);
  gtk_widget_class_bind_template_callback (widget, debug_panel_on_refuse);
  gtk_widget_class_bind_template_callback (widget, debug_panel_on_move);
  gtk_widget_class_bind_template_callback (widget, debug_panel_add_expression);
}

static void
lc_debug_panel_init (LcDebugPanel *panel)
{
  gtk_widget_init_template (GTK_WIDGET (panel));
  for (guint i = 0; i < LC_DEBUG_MOVES; i++)
    panel->buttons[i] = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (panel), LC_TYPE_DEBUG_PANEL, moves[i]));
  panel->wanted.process = LC_TRACE_NONE;
}

GtkWidget *
lc_debug_panel_new (LcSession *session)
{
  LcDebugPanel *panel = g_object_new (LC_TYPE_DEBUG_PANEL, NULL);

  panel->session = g_object_ref (session);
  panel->values = lc_value_list_new (session);
  gtk_box_append (panel->value_box, panel->values);
  gtk_box_append (panel->breakpoint_box, lc_breakpoint_list_new (session));
  g_signal_connect_object (session, "changed", G_CALLBACK (debug_panel_on_changed), panel, 0);
  debug_panel_show_state (panel);
  return GTK_WIDGET (panel);
}
