/* SPDX-License-Identifier: Apache-2.0 */
/* The window's filter actions: showing only what touches an object, and clearing all filters. */
#include "app/filters/filter-actions.h"

#include <glib/gi18n.h>

#include "app/job.h"
#include "app/shell.h"
#include "draw/options/view-options.h"

/* The parts of a picture that are filtered. */
#define FILTERS (1u << LC_OPTION_FILTERS | 1u << LC_OPTION_HIDDEN)

/* --- Only events of an object ------------------------------------------------------------------------------------ */

/* The search for processes that touch the object runs in a thread: an object may have millions of events. */
typedef struct
{
  LcSession *session;
  LcShown *shown;
  guint32 object;
  gboolean *touches; /* by process */
  guint32 n_left;    /* processes that are not known to touch it */
} Touch;

static void
free_touch (gpointer data)
{
  Touch *touch = data;

  g_object_unref (touch->session);
  lc_shown_unref (touch->shown);
  g_free (touch->touches);
  g_free (touch);
}

/* The visit ends as soon as every process is known to touch the object. */
static gboolean
filter_actions_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Touch *touch = data;

  touch->n_left -= !touch->touches[event->process];
  touch->touches[event->process] = TRUE;
  return touch->n_left > 0;
}

static gpointer
find_touching (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  Touch *touch = data;

  return GINT_TO_POINTER (lc_history_visit_object (touch->shown->opened->history, touch->shown->timeline, touch->object,
                                                   filter_actions_visit, touch, cancellable, error));
}

static void
on_touching (gpointer data, gpointer result, const GError *error)
{
  const Touch *touch = data;
  LcSession *session = touch->session;
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (guint32));
  LcShown *shown = lc_session_get_shown (session);

  if (error != NULL)
    {
      lc_session_tell (session, error->message);
      return;
    }
  if (shown == NULL || shown->opened != touch->shown->opened || shown->timeline != touch->shown->timeline)
    return;
  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    if (touch->touches[shown->selection.processes[i]])
      g_array_append_val (processes, shown->selection.processes[i]);
  /* Hidden processes are shown if no shown process touches the object. */
  for (guint32 i = 0; processes->len == 0 && i < lc_history_get_n_processes (shown->opened->history); i++)
    if (touch->touches[i])
      g_array_append_val (processes, i);
  if (processes->len == 0)
    {
      lc_session_tell (session, _ ("No event is on this object."));
      return;
    }
  shown = lc_shown_copy (shown);
  lc_shown_set_objects (shown, &touch->object, 1);
  lc_shown_set_processes (shown, (gconstpointer)processes->data, processes->len);
  lc_session_show (session, shown);
}

static void
filter_actions_show_only (LcSession *session, guint32 object)
{
  LcShown *shown = lc_session_get_shown (session);
  guint32 n = lc_history_get_n_processes (shown->opened->history);
  Touch *touch = g_new0 (Touch, 1);

  *touch = (Touch){g_object_ref (session), lc_shown_ref (shown), object, g_new0 (gboolean, MAX (n, 1)), n};
  lc_job_run (find_touching, touch, free_touch, on_touching);
}

static void
only_object (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  const LcHistoryEvent *event = lc_session_get_event (session);

  if (lc_session_get_shown (session) == NULL)
    return;
  if (event == NULL || event->object == LC_TRACE_NONE)
    lc_session_tell (session, _ ("Select an event on an object first: only what touches it is then shown."));
  else
    filter_actions_show_only (session, event->object);
}

static void
only_object_of (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  LcHistory *history = lc_session_get_history (session);
  guint32 object = g_variant_get_uint32 (parameter);

  if (history != NULL && object < lc_history_get_n_objects (history))
    filter_actions_show_only (session, object);
}

/* --- Only events called in a place ------------------------------------------------------------------------------- */

gboolean
lc_filter_call (LcSession *session, const char *place)
{
  LcShown *shown = lc_shown_copy (lc_session_get_shown (session));

  lc_shown_set_called (shown, *place != '\0' ? place : NULL);
  if (shown->selection.filters.called != NULL || *place == '\0')
    {
      lc_session_show (session, shown);
      return TRUE;
    }
  lc_shown_unref (shown);
  lc_session_tell (session, _ ("Nothing is called there. It has to be a function, a file, a line of a file, as "
                               "pipe.cpp:7, or a module."));
  return FALSE;
}

static void
only_called_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));

  if (lc_session_get_shown (session) != NULL)
    lc_filter_call (session, g_variant_get_string (parameter, NULL));
}

/* --- No filters -------------------------------------------------------------------------------------------------- */

gboolean
lc_filter_is_active (const LcShown *shown)
{
  LcPictureOptions options, usual;
  guint32 timelines[2];

  lc_picture_options_init (&usual);
  lc_shown_fill_options (shown, &options, timelines);
  return (lc_view_options_compare (&options, &usual, shown->opened->history) & FILTERS) != 0;
}

static void
clear_filters (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LcSession *session = lc_shell_get_session (LC_SHELL (widget));
  LcShown *shown = lc_session_get_shown (session);
  LcPictureOptions options;

  if (shown == NULL || !lc_filter_is_active (shown))
    return;
  shown = lc_shown_copy (shown);
  lc_filters_clear (&shown->selection.filters);
  lc_picture_options_init (&options);
  options.selection = shown->selection;
  lc_view_options_reset (&options, FILTERS);
  shown->selection = options.selection;
  lc_session_show (session, shown);
}

void
lc_filter_install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "win.only-object", NULL, only_object);
  gtk_widget_class_install_action (class, "win.only-object-of", "u", only_object_of);
  gtk_widget_class_install_action (class, "win.only-called-in", "s", only_called_in);
  gtk_widget_class_install_action (class, "win.clear-filters", NULL, clear_filters);
}
