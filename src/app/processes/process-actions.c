/* SPDX-License-Identifier: Apache-2.0 */
/* The window's process actions: hide or show only the process of the selected event, and show all. */
#include "app/processes/process-actions.h"

#include <glib/gi18n.h>

#include "app/shell.h"

/* Returns the process of the selection; without one, tells the user and returns FALSE. */
static gboolean
process_actions_get_process (LcSession *session, guint32 *process)
{
  LcEventName event;

  lc_session_get_selection (session, &event);
  *process = event.process;
  if (event.process == LC_TRACE_NONE && lc_session_get_shown (session) != NULL)
    lc_session_tell (session, _ ("Select an event first: its process is meant."));
  return event.process != LC_TRACE_NONE;
}

static void
process_actions_hide (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (guint32));
  g_autoptr (GArray) ends = g_array_new (FALSE, TRUE, sizeof (guint32));
  const LcShown *before = lc_session_get_shown (session);
  LcShown *shown;
  guint32 process;

  if (!process_actions_get_process (session, &process))
    return;
  for (guint32 row = 0; row < lc_shown_get_n_rows (before); row++)
    {
      guint32 n, end;
      const guint32 *of_row = lc_shown_get_row (before, row, &n);

      for (guint32 i = 0; i < n; i++)
        if (of_row[i] != process)
          g_array_append_val (processes, of_row[i]);
      end = processes->len;
      if (end > (ends->len > 0 ? g_array_index (ends, guint32, ends->len - 1) : 0))
        g_array_append_val (ends, end);
    }
  shown = lc_shown_copy (before);
  lc_shown_set_processes (shown, processes->data != NULL ? (gconstpointer)processes->data : &process, processes->len);
  if (before->selection.row_ends != NULL)
    lc_shown_set_row_ends (shown, (gconstpointer)ends->data, ends->len);
  lc_session_show (session, shown);
}

/* Activating the action again shows all processes. */
static void
process_actions_solo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcShown *shown = lc_session_get_shown (session);
  guint32 process;

  if (!process_actions_get_process (session, &process))
    return;
  if (shown->selection.n_processes == 1 && shown->selection.processes[0] == process)
    lc_session_set_processes (session, NULL, 0);
  else
    lc_session_set_processes (session, &process, 1);
}

static void
process_actions_show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  LcHistory *history = lc_session_get_history (session);
  LcShown *shown = lc_session_get_shown (session);

  if (history == NULL || shown->selection.n_processes == lc_history_get_n_processes (history))
    return;
  shown = lc_shown_copy (shown);
  lc_shown_add_processes (shown, 0, lc_history_get_n_processes (history));
  lc_session_show (session, shown);
}

void
lc_process_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.hide-process", NULL, process_actions_hide);
  gtk_widget_class_install_action (class, "win.solo-process", NULL, process_actions_solo);
  gtk_widget_class_install_action (class, "win.show-all-processes", NULL, process_actions_show_all);
}
