/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path as a bar: time from left to right, and the activities of the path in each part of it. */
#include "app/inspect/path-bar.h"

#include <glib/gi18n.h>

#include "app/inspect/path-keeper.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "history/names.h"
#include "trace/quantities.h"

enum
{
  HEIGHT = 36,
  MARK = 5, /* px below the bar, for the current stay and the view */
};

struct _LcPathBar
{
  GtkWidget parent;

  LcSession *session;
  const LcPathDetails *details;
};

G_DEFINE_FINAL_TYPE (LcPathBar, lc_path_bar, GTK_TYPE_WIDGET)

LcInk
lc_path_bar_get_ink (LcCriticalPart part)
{
  static const LcInk inks[] = {[LC_CRITICAL_COMPUTING] = LC_INK_RUNNING,
                               [LC_CRITICAL_EVENT] = LC_INK_EVENT,
                               [LC_CRITICAL_HOP] = LC_INK_CRITICAL};

  return inks[part];
}

static const LcCriticalPath *
path_bar_get_path (LcPathBar *bar)
{
  return lc_kept_get (lc_path_keeper_get_path (lc_path_keeper_of (bar->session)));
}

/* --- Drawing ----------------------------------------------------------------------------------------------------- */

static void
path_bar_fill (LcPathBar *bar, GtkSnapshot *snapshot, LcInk ink, double x, double y, double width, double height)
{
  GdkRGBA color = lc_theme_get_color (lc_theme_of (GTK_WIDGET (bar)), ink);

  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float)x, (float)y, (float)width, (float)height));
}

/* Draws time between events at the bottom, time in events above it, and hops between processes on top, so that colour
 * is not the only difference. */
static void
draw_column (LcPathBar *bar, GtkSnapshot *snapshot, int column, int width, double height)
{
  gsize first = (gsize)column * LC_PATH_BINS / (gsize)width;
  gsize last = MAX (((gsize)column + 1) * LC_PATH_BINS / (gsize)width, first + 1);
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (bar)) == GTK_TEXT_DIR_RTL;
  LcPathBin sum = {0};
  double all = 0, y = height;

  for (gsize i = first; i < last; i++)
    for (LcCriticalPart part = 0; part <= LC_CRITICAL_HOP; part++)
      {
        sum.parts[part] += bar->details->bins[i].parts[part];
        all += (double)bar->details->bins[i].parts[part];
      }
  for (LcCriticalPart part = 0; part <= LC_CRITICAL_HOP && all > 0; part++)
    {
      double share = height * (double)sum.parts[part] / all;

      if (share > 0)
        path_bar_fill (bar, snapshot, lc_path_bar_get_ink (part), rtl ? width - 1 - column : column, y - share, 1,
                       share);
      y -= share;
    }
}

/* Returns the position of a time on the path, from 0 to 1. */
static double
share_of (LcPathBar *bar, double time)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path_bar_get_path (bar));

  return CLAMP ((time - (double)summary->begin) / (double)MAX (summary->end - summary->begin, 1), 0, 1);
}

static void
draw_range (LcPathBar *bar, GtkSnapshot *snapshot, LcInk ink, double from, double to, double y, double height)
{
  double first = share_of (bar, from), last = share_of (bar, to);
  double width = gtk_widget_get_width (GTK_WIDGET (bar)), x = first * width;
  double length = MAX ((last - first) * width, 2);

  if (gtk_widget_get_direction (GTK_WIDGET (bar)) == GTK_TEXT_DIR_RTL)
    x = width - x - length;
  path_bar_fill (bar, snapshot, ink, x, y, length, height);
}

static void
lc_path_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcPathBar *bar = LC_PATH_BAR (widget);
  const LcCriticalPath *path = path_bar_get_path (bar);
  const LcShown *shown = lc_session_get_shown (bar->session);
  int width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget) - MARK - 1;
  gsize n_stays, stay = lc_path_keeper_get_stay (lc_path_keeper_of (bar->session));
  const LcCriticalStay *stays;
  LcSpan span;

  if (path == NULL || bar->details == NULL || width < 1)
    return;
  for (int i = 0; i < width; i++)
    draw_column (bar, snapshot, i, width, height);
  stays = lc_critical_path_get_stays (path, &n_stays);
  lc_session_get_span (bar->session, &span);
  if (shown->selection.time == LC_SCENE_PHYSICAL)
    draw_range (bar, snapshot, LC_INK_FAINT_TEXT, span.from, span.to, height + MARK - 2, 1);
  if (stay < n_stays)
    draw_range (bar, snapshot, LC_INK_TEXT, (double)stays[stay].begin, (double)stays[stay].end, height + 1, MARK - 1);
}

/* --- Clicks and keys --------------------------------------------------------------------------------------------- */

/* The last pixel means the end of the path: stays there are often shorter than a pixel, and the last one is wanted. */
static guint64
find_time (LcPathBar *bar, double x)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path_bar_get_path (bar));
  double last = MAX (gtk_widget_get_width (GTK_WIDGET (bar)) - 1, 1), share = CLAMP (x / last, 0, 1);

  if (gtk_widget_get_direction (GTK_WIDGET (bar)) == GTK_TEXT_DIR_RTL)
    share = 1 - share;
  return summary->begin + (guint64)(share * (double)(summary->end - summary->begin));
}

static void
on_click (GtkGestureClick *gesture, int n_press, double x, double y, LcPathBar *bar)
{
  LcPathKeeper *keeper = lc_path_keeper_of (bar->session);

  gtk_widget_grab_focus (GTK_WIDGET (bar));
  if (path_bar_get_path (bar) != NULL)
    lc_path_keeper_go_to (keeper, lc_path_keeper_find_stay (keeper, find_time (bar, x)));
}

static gboolean
path_bar_on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, LcPathBar *bar)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (bar)) == GTK_TEXT_DIR_RTL;

  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || (state & GDK_ALT_MASK) != 0)
    return FALSE;
  lc_path_keeper_step (lc_path_keeper_of (bar->session), (key == GDK_KEY_Right) != rtl ? 1 : -1);
  return TRUE;
}

static gboolean
path_bar_on_tooltip (LcPathBar *bar, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  LcPathKeeper *keeper = lc_path_keeper_of (bar->session);
  const LcCriticalPath *path = path_bar_get_path (bar);
  g_autofree char *text = NULL, *process = NULL, *from = NULL, *length = NULL;
  const LcCriticalStay *stays, *stay;
  gsize n_stays;

  if (path == NULL || keyboard)
    return FALSE;
  stays = lc_critical_path_get_stays (path, &n_stays);
  if (n_stays == 0)
    return FALSE;
  stay = &stays[lc_path_keeper_find_stay (keeper, find_time (bar, x))];
  process = lc_format_text (lc_history_get_process (lc_session_get_history (bar->session), stay->process)->name);
  from = lc_history_dup_moment (lc_session_get_history (bar->session), stay->begin);
  length = lc_format_duration (stay->end - stay->begin);
  text = g_strdup_printf (_ ("%s from %s for %s"), process, from, length);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_path_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : HEIGHT;
  *minimum_baseline = *natural_baseline = -1;
}

static void
lc_path_bar_dispose (GObject *object)
{
  g_clear_object (&LC_PATH_BAR (object)->session);
  G_OBJECT_CLASS (lc_path_bar_parent_class)->dispose (object);
}

static void
lc_path_bar_class_init (LcPathBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_path_bar_dispose;
  widget->snapshot = lc_path_bar_snapshot;
  widget->measure = lc_path_bar_measure;
  gtk_widget_class_set_css_name (widget, "pathbar");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lc_path_bar_init (LcPathBar *bar)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (click, "pressed", G_CALLBACK (on_click), bar);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (path_bar_on_key), bar);
  gtk_widget_add_controller (GTK_WIDGET (bar), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (bar), keys);
  gtk_widget_set_focusable (GTK_WIDGET (bar), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (bar), TRUE);
  g_signal_connect (bar, "query-tooltip", G_CALLBACK (path_bar_on_tooltip), NULL);
  lc_accessible_show (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                      _ ("The critical path in the order of time"));
  lc_theme_watch (bar, G_CALLBACK (gtk_widget_queue_draw));
}

static void
path_bar_on_changed (LcSession *session, guint what, GtkWidget *bar)
{
  if ((what & (LC_CHANGED_SPAN | LC_CHANGED_TIME)) != 0)
    gtk_widget_queue_draw (bar);
}

GtkWidget *
lc_path_bar_new (LcSession *session)
{
  LcPathBar *bar = g_object_new (LC_TYPE_PATH_BAR, NULL);

  bar->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (path_bar_on_changed), bar, 0);
  g_signal_connect_object (lc_path_keeper_of (session), "changed", G_CALLBACK (gtk_widget_queue_draw), bar,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (bar);
}

void
lc_path_bar_set (LcPathBar *bar, const LcPathDetails *details)
{
  bar->details = details;
  gtk_widget_queue_draw (GTK_WIDGET (bar));
}
