/* SPDX-License-Identifier: Apache-2.0 */
/* The slider for the position of the picture between two timelines, visible while two are shown. */
#include "app/time/timeline-bar.h"

#include <glib/gi18n.h>

#include "app/names.h"
#include "app/shown-text.h"
#include "app/time/timeline-actions.h"

struct _LcTimelineBar
{
  GtkBox parent;

  LcSession *session;
  GtkRevealer *revealer;
  GtkLabel *from;
  GtkLabel *to;
  GtkLabel *way;
  GtkScale *scale;
  GtkAdjustment *adjustment;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (LcTimelineBar, lc_timeline_bar, GTK_TYPE_BOX)

static void
on_changed (LcSession *session, guint what, LcTimelineBar *self)
{
  guint32 from, to;
  double way;
  gboolean two;
  g_autofree char *text = NULL, *percent = NULL;

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES | LC_CHANGED_TIME)) == 0)
    return;
  two = lc_timeline_get_way (session, &from, &to, &way);
  gtk_revealer_set_reveal_child (self->revealer, two);
  if (!two)
    return;
  text = lc_timeline_dup_way (session);
  lc_label_show (self->from, lc_session_get_timeline_title (session, from));
  lc_label_show (self->to, lc_session_get_timeline_title (session, to));
  percent = way < 0 ? NULL : g_strdup_printf (_ ("%.0f %%"), way * 100);
  lc_label_show (self->way, percent != NULL ? percent : "");
  self->updating = TRUE;
  gtk_adjustment_set_value (self->adjustment, way < 0 ? 0 : way * 100);
  self->updating = FALSE;
  lc_accessible_show (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                      text != NULL ? text : _ ("each on its own half"));
}

static void
timeline_bar_on_moved (GtkAdjustment *adjustment, LcTimelineBar *self)
{
  if (!self->updating)
    lc_timeline_set_way (self->session, gtk_adjustment_get_value (adjustment) / 100);
}

static void
lc_timeline_bar_dispose (GObject *object)
{
  g_clear_object (&LC_TIMELINE_BAR (object)->session);
  G_OBJECT_CLASS (lc_timeline_bar_parent_class)->dispose (object);
}

static void
lc_timeline_bar_class_init (LcTimelineBarClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_timeline_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "timeline-bar.ui");
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, revealer);
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, from);
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, to);
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, way);
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, scale);
  gtk_widget_class_bind_template_child (widget, LcTimelineBar, adjustment);
  gtk_widget_class_bind_template_callback (widget, timeline_bar_on_moved);
}

static void
lc_timeline_bar_init (LcTimelineBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
lc_timeline_bar_new (LcSession *session)
{
  LcTimelineBar *self = g_object_new (LC_TYPE_TIMELINE_BAR, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, 0);
  on_changed (session, LC_CHANGED_ALL, self);
  return GTK_WIDGET (self);
}
