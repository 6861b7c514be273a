/* SPDX-License-Identifier: Apache-2.0 */
/* The space-time diagram of a session: rulers, the strip of the whole run, and the diagram, as one widget. */
#include "app/space-time.h"

struct _LcSpaceTime
{
  GtkWidget parent;

  LcSession *session;
};

G_DEFINE_FINAL_TYPE (LcSpaceTime, lc_space_time, GTK_TYPE_WIDGET)

static void
lc_space_time_dispose (GObject *object)
{
  LcSpaceTime *view = LC_SPACE_TIME (object);

  g_clear_object (&view->session);
  G_OBJECT_CLASS (lc_space_time_parent_class)->dispose (object);
}

static void
lc_space_time_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcSpaceTime *view = LC_SPACE_TIME (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  LcShown *shown = lc_session_get_shown (view->session);
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (LcCanvas) canvas = NULL;
  LcDiagramView diagram;
  LcSceneQuery query;
  LcSpan span;
  cairo_t *cairo;

  if (shown == NULL || width <= 0 || height <= 0)
    return;
  lc_shown_fill_query (shown, &query);
  lc_session_get_span (view->session, &span);
  query.from = span.from;
  query.to = span.to;
  query.length = height;
  scene = lc_scene_new (shown->opened->history, &query, NULL, NULL);
  if (scene == NULL)
    return;
  cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  canvas = lc_canvas_new_cairo (cairo, LC_THEME_LIGHT);
  lc_diagram_view_init (&diagram, scene, (LcRectangle){.width = width, .height = height}, shown->orientation);
  lc_diagram_paint (scene, &diagram, canvas);
  cairo_destroy (cairo);
}

static void
lc_space_time_class_init (LcSpaceTimeClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_space_time_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = lc_space_time_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "spacetime");
}

static void
lc_space_time_init (LcSpaceTime *view)
{
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
}

GtkWidget *
lc_space_time_new (LcSession *session)
{
  LcSpaceTime *view = g_object_new (LC_TYPE_SPACE_TIME, NULL);

  view->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (gtk_widget_queue_draw), view, G_CONNECT_SWAPPED);
  return GTK_WIDGET (view);
}
