/* SPDX-License-Identifier: Apache-2.0 */
/* The bar above the diagram of a program that is still running: it watches the recording, and asks for refreshes. */
#include "app/inspect/growing-bar.h"

#include "app/names.h"
#include "app/settings.h"
#include "lightcone/recording.h"

#define LOOK 1000 /* ms */
#define REST 2    /* s between two refreshes at least, or TIMES_REST times as long as one takes */
#define TIMES_REST 4

struct _LcGrowingBar
{
  GtkBox parent;

  GtkCheckButton *always;
  GtkSpinner *spinner;

  char *directory;
  guint looking;
  gint64 next; /* earliest time of the next refresh */
  gboolean busy;
};

G_DEFINE_FINAL_TYPE (LcGrowingBar, lc_growing_bar, GTK_TYPE_BOX)

static void
stop (LcGrowingBar *bar)
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

  if (bar->busy)
    return G_SOURCE_CONTINUE;
  if (!lc_recording_is_going_on (bar->directory))
    {
      bar->looking = 0;
      gtk_widget_set_visible (GTK_WIDGET (bar), FALSE);
      growing_bar_refresh (bar);
      return G_SOURCE_REMOVE;
    }
  if (gtk_check_button_get_active (bar->always) && g_get_monotonic_time () >= bar->next)
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
lc_growing_bar_watch (LcGrowingBar *bar, const char *directory, gint64 duration, gboolean growing)
{
  char *copy = g_strdup (directory);

  lc_growing_bar_set_busy (bar, FALSE);
  g_free (bar->directory);
  bar->directory = copy;
  bar->next = g_get_monotonic_time () + MAX (REST * G_TIME_SPAN_SECOND, TIMES_REST * duration);
  if (directory == NULL || (!growing && !lc_recording_is_going_on (directory)))
    {
      stop (bar);
      return;
    }
  gtk_widget_set_visible (GTK_WIDGET (bar), TRUE);
  if (bar->looking == 0)
    bar->looking = g_timeout_add (LOOK, growing_bar_look, bar);
}

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
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, always);
  gtk_widget_class_bind_template_child (widget, LcGrowingBar, spinner);
}

static void
lc_growing_bar_init (LcGrowingBar *bar)
{
  gtk_widget_init_template (GTK_WIDGET (bar));
  gtk_check_button_set_active (bar->always, lc_settings_get_boolean ("keep-up", FALSE));
}

GtkWidget *
lc_growing_bar_new (void)
{
  return g_object_new (LC_TYPE_GROWING_BAR, NULL);
}
