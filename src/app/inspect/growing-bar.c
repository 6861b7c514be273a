/* SPDX-License-Identifier: Apache-2.0 */
/* The bar above the diagram of a program that is still running: it watches the recording, and asks for refreshes. */
#include "app/inspect/growing-bar.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/settings.h"
#include "app/shown-text.h"
#include "lightcone/recording.h"
#include "trace/quantities.h"

#define LOOK 100     /* ms */
#define TIMES_REST 2 /* between two merges at least this many times as long as one takes: a third of a processor */
#define LONGEST 5    /* s a merge of many events may take that is begun unasked */
#define MANY 1000000
#define REST 250000    /* us between two merges at least */
#define RATHER_LATE 10 /* looks after which the time of the recording is asked for again */

struct _LcGrowingBar
{
  GtkBox parent;

  GtkLabel *text;
  GtkCheckButton *always;
  GtkToggleButton *follow;
  GtkSpinner *spinner;

  LcSession *session; /* not owned: the session outlives the window's widgets */
  char *directory;
  guint looking, looks;
  gint64 next; /* earliest time of the next refresh */
  gboolean busy;
  gboolean too_long; /* merging takes so long that it is done only when asked for */
};

G_DEFINE_FINAL_TYPE (LcGrowingBar, lc_growing_bar, GTK_TYPE_BOX)

/* --- What it says ------------------------------------------------------------------------------------------------ */

static guint64
growing_bar_count_events (const LcGrowingBar *bar)
{
  LcHistory *history = lc_session_get_history (bar->session);

  return history != NULL ? lc_history_get_n_events (history) : 0;
}

static void
growing_bar_show_text (LcGrowingBar *bar)
{
  g_autofree char *events = lc_format_count (growing_bar_count_events (bar)), *text = NULL;
  LcRecordingStatus status;
  double seconds;

  if (!lc_recording_get_status (bar->directory, &status, NULL))
    return;
  seconds = (double)status.elapsed / 1e9;
  if (bar->too_long)
    text = g_strdup_printf (_ ("Recording for %.1f s; events shown: %s, too many to be read again and again unasked"),
                            seconds, events);
  else
    text = g_strdup_printf (_ ("Recording for %.1f s; events shown: %s"), seconds, events);
  lc_label_show (bar->text, text);
}

/* --- Watching ---------------------------------------------------------------------------------------------------- */

static void
growing_bar_stop (LcGrowingBar *bar)
{
  if (bar->looking != 0)
    g_source_remove (bar->looking);
  bar->looking = 0;
  gtk_widget_set_visible (GTK_WIDGET (bar), FALSE);
}

static void
growing_bar_refresh (LcGrowingBar *bar)
{
  gtk_widget_activate_action (GTK_WIDGET (bar), "win.refresh", NULL);
}

/* Refreshes once more after the program has ended, because its last events are readable only then. */
static gboolean
growing_bar_look (gpointer data)
{
  LcGrowingBar *bar = data;

  if (bar->looks++ % RATHER_LATE == 0)
    growing_bar_show_text (bar);
  if (bar->busy)
    return G_SOURCE_CONTINUE;
  if (!lc_recording_is_going_on (bar->directory))
    {
      bar->looking = 0;
      gtk_widget_set_visible (GTK_WIDGET (bar), FALSE);
      growing_bar_refresh (bar);
      return G_SOURCE_REMOVE;
    }
  if (gtk_check_button_get_active (bar->always) && !bar->too_long && g_get_monotonic_time () >= bar->next)
    growing_bar_refresh (bar);
  return G_SOURCE_CONTINUE;
}

void
lc_growing_bar_set_busy (LcGrowingBar *bar, gboolean busy)
{
  bar->busy = busy;
  gtk_spinner_set_spinning (bar->spinner, busy);
}

void
lc_growing_bar_keep_up (LcGrowingBar *bar)
{
  gtk_check_button_set_active (bar->always, TRUE);
}

void
lc_growing_bar_watch (LcGrowingBar *bar, const char *directory, gint64 duration, gboolean growing)
{
  char *copy = g_strdup (directory);

  lc_growing_bar_set_busy (bar, FALSE);
  g_free (bar->directory);
  bar->directory = copy;
  bar->too_long = duration > LONGEST * G_TIME_SPAN_SECOND && growing_bar_count_events (bar) >= MANY;
  bar->next = g_get_monotonic_time () + MAX (REST, TIMES_REST * duration);
  if (directory == NULL || (!growing && !lc_recording_is_going_on (directory)))
    {
      growing_bar_stop (bar);
      return;
    }
  growing_bar_show_text (bar);
  gtk_widget_set_visible (GTK_WIDGET (bar), TRUE);
  if (bar->looking == 0)
    bar->looking = g_timeout_add (LOOK, growing_bar_look, bar);
}

/* --- The end of time --------------------------------------------------------------------------------------------- */

static void
growing_bar_go_to_end (LcGrowingBar *bar, const LcSpan *before)
{
  LcSpan whole, span = *before;

  lc_session_get_whole (bar->session, &whole);
  span.from += whole.to - before->to;
  span.to = whole.to;
  lc_session_set_span (bar->session, &span, FALSE);
}

/* Who scrolls away from the end looks at something, and who comes back to it wants to see what comes. */
static void
growing_bar_on_changed (LcSession *session, guint what, LcGrowingBar *bar)
{
  LcSpan span, whole;

  if ((what & LC_CHANGED_SPAN) == 0 || (what & LC_CHANGED_HISTORY) != 0)
    return;
  lc_session_get_whole (session, &whole);
  lc_session_get_span (session, &span);
  gtk_toggle_button_set_active (bar->follow, span.to >= whole.to);
}

static void
growing_bar_on_follow (LcGrowingBar *bar)
{
  LcSpan span;

  lc_session_get_span (bar->session, &span);
  if (gtk_toggle_button_get_active (bar->follow) && lc_session_get_history (bar->session) != NULL)
    growing_bar_go_to_end (bar, &span);
}

void
lc_growing_bar_toggle_follow (LcGrowingBar *bar)
{
  gtk_toggle_button_set_active (bar->follow, !gtk_toggle_button_get_active (bar->follow));
}

void
lc_growing_bar_show (LcGrowingBar *bar, LcOpened *opened)
{
  gboolean follow = gtk_toggle_button_get_active (bar->follow);
  LcSpan before, whole, rows;

  lc_session_get_span (bar->session, &before);
  lc_session_get_whole (bar->session, &whole);
  lc_session_begin (bar->session);
  lc_session_open (bar->session, opened);
  lc_session_get_span (bar->session, &rows);
  before.first_row = rows.first_row;
  before.last_row = rows.last_row;
  if (follow && before.from <= whole.from && before.to >= whole.to)
    lc_session_get_whole (bar->session, &before);
  if (follow)
    growing_bar_go_to_end (bar, &before);
  else
    lc_session_set_span (bar->session, &before, FALSE);
  lc_session_end (bar->session);
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_growing_bar_dispose (GObject *object)
{
  LcGrowingBar *bar = LC_GROWING_BAR (object);

  if (bar->looking != 0)
    g_source_remove (bar->looking);
  bar->looking = 0;
  g_clear_pointer (&bar->directory, g_free);
  G_OBJECT_CLASS (lc_growing_bar_parent_class)->dispose (object);
}

static void
lc_growing_bar_class_init (LcGrowingBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_growing_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "growing-bar.ui");
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, text);
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, always);
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, follow);
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, spinner);
}

static void
lc_growing_bar_init (LcGrowingBar *bar)
{
  gtk_widget_init_template (GTK_WIDGET (bar));
  gtk_check_button_set_active (bar->always, lc_settings_get_boolean ("keep-up", FALSE));
}

GtkWidget *
lc_growing_bar_new (LcSession *session)
{
  LcGrowingBar *bar = g_object_new (LC_TYPE_GROWING_BAR, NULL);

  bar->session = session;
  g_signal_connect_object (session, "changed", G_CALLBACK (growing_bar_on_changed), bar, 0);
  g_signal_connect_swapped (bar->follow, "toggled", G_CALLBACK (growing_bar_on_follow), bar);
  return GTK_WIDGET (bar);
}
