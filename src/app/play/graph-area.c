/* SPDX-License-Identifier: Apache-2.0 */
/* The process graph at the head of the session's play, painted by a thread. */
#include "app/play/graph-area.h"

#include <math.h>

#include <glib/gi18n.h>

#include "app/play/graph-work.h"
#include "app/shown-text.h"
#include "app/theme.h"

struct _LcGraphArea
{
  GtkWidget parent;

  LcSession *session;
  LcGraphLayout layout;
  LcProcessGraph *graph; /* of the shown rows, timeline and layout; NULL: made with the next picture */
  GdkTexture *texture;
  LcGraphCounts counts;
  LcJob *painting;
  gboolean again; /* something has changed since the painting began */
};

G_DEFINE_FINAL_TYPE (LcGraphArea, lc_graph_area, GTK_TYPE_WIDGET)

static guint painted_signal;

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

static void graph_area_request (LcGraphArea *area);

static void
forget_graph (LcGraphArea *area)
{
  g_clear_pointer (&area->graph, lc_process_graph_unref);
  lc_job_stop (area->painting);
}

static void
graph_area_take (LcGraphArea *area, LcGraphPicture *picture)
{
  g_set_object (&area->texture, picture->texture);
  if (area->graph == NULL)
    area->graph = lc_process_graph_ref (picture->graph);
  area->counts = picture->counts;
  gtk_widget_queue_draw (GTK_WIDGET (area));
  g_signal_emit (area, painted_signal, 0);
}

static void
graph_area_done (gpointer owner, gpointer result, const GError *error)
{
  LcGraphArea *area = owner;
  g_autoptr (LcGraphPicture) picture = result;

  if (picture != NULL)
    graph_area_take (area, picture);
  else
    lc_session_tell (area->session, error->message);
  if (area->again)
    graph_area_request (area);
}

static LcGraphWork *
make_work (LcGraphArea *area)
{
  LcGraphWork *work = g_new0 (LcGraphWork, 1);
  LcShown *shown = lc_session_get_shown (area->session);
  LcEventName selection;
  double from, to;
  LcSpan span;

  lc_session_get_span (area->session, &span);
  if (!lc_session_get_head (area->session, &from, &to))
    {
      from = span.from;
      to = span.to;
    }
  lc_session_get_selection (area->session, &selection);
  work->shown = lc_shown_ref (shown);
  work->graph = area->graph != NULL ? lc_process_graph_ref (area->graph) : NULL;
  work->layout = area->layout;
  work->theme = lc_theme_of (GTK_WIDGET (area));
  work->text_scale = lc_theme_get_text_scale ();
  work->from = (guint64)MAX (from, 0);
  work->to = MAX ((guint64)MAX (to, 0), work->from + 1);
  work->chosen = selection.process != LC_TRACE_NONE ? lc_shown_find_row (shown, selection.process) : LC_TRACE_NONE;
  work->width = gtk_widget_get_width (GTK_WIDGET (area));
  work->height = gtk_widget_get_height (GTK_WIDGET (area));
  work->scale = gtk_widget_get_scale_factor (GTK_WIDGET (area));
  return work;
}

static void
graph_area_request (LcGraphArea *area)
{
  const LcShown *shown = lc_session_get_shown (area->session);

  area->again = lc_job_is_running (area->painting);
  if (area->again || shown == NULL || !gtk_widget_get_mapped (GTK_WIDGET (area)) ||
      gtk_widget_get_width (GTK_WIDGET (area)) <= 0 || gtk_widget_get_height (GTK_WIDGET (area)) <= 0 ||
      (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL))
    return;
  lc_job_start (area->painting, lc_graph_work_run, make_work (area), (GDestroyNotify)lc_graph_work_free);
}

static void
graph_area_on_changed (LcSession *session, guint what, LcGraphArea *area)
{
  double from, to;
  guint matters = LC_CHANGED_PICTURE | LC_CHANGED_HEAD | LC_CHANGED_SELECTION;

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_ROWS | LC_CHANGED_TIMELINE)) != 0)
    forget_graph (area);
  if (!lc_session_get_head (session, &from, &to))
    matters |= LC_CHANGED_SPAN;
  /* A stopped painting leaves its place to the one that was to follow it. */
  if ((what & matters) != 0 || (area->again && !lc_job_is_running (area->painting)))
    graph_area_request (area);
}

void
lc_graph_area_set_layout (LcGraphArea *area, LcGraphLayout layout)
{
  if (area->layout == layout)
    return;
  area->layout = layout;
  forget_graph (area);
  graph_area_request (area);
}

gboolean
lc_graph_area_get_counts (LcGraphArea *area, LcGraphCounts *counts)
{
  *counts = area->counts;
  return area->texture != NULL;
}

/* --- The widget ----------------------------------------------------------------------------------------------------
 */

static void
lc_graph_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcGraphArea *area = LC_GRAPH_AREA (widget);

  if (area->texture != NULL)
    gtk_snapshot_append_texture (
        snapshot, area->texture,
        &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
}

static void
lc_graph_area_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (lc_graph_area_parent_class)->map (widget);
  graph_area_request (LC_GRAPH_AREA (widget));
}

static void
lc_graph_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  graph_area_request (LC_GRAPH_AREA (widget));
}

/* Finds the node at a place. FALSE: there is none, or no graph yet. */
static gboolean
find_node (LcGraphArea *area, double x, double y, guint32 *process)
{
  GtkWidget *widget = GTK_WIDGET (area);
  LcRectangle whole = {.width = gtk_widget_get_width (widget), .height = gtk_widget_get_height (widget)};
  const LcShown *shown = lc_session_get_shown (area->session);
  guint32 row, n_here;

  if (area->graph == NULL || shown == NULL ||
      !lc_process_graph_pick (area->graph, whole, (LcPlace){.x = x, .y = y}, &row) ||
      row >= lc_shown_get_n_rows (shown))
    return FALSE;
  *process = lc_shown_get_row (shown, row, &n_here)[0];
  return n_here > 0;
}

/* Selects the event that the clicked node carries out at the head, or the last one before it. */
static void
graph_area_on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, LcGraphArea *area)
{
  const LcShown *shown = lc_session_get_shown (area->session);
  LcHistoryEvent event;
  double from, to;
  guint32 process;
  gboolean found;

  if (!find_node (area, x, y, &process))
    return;
  if (!lc_session_get_head (area->session, &from, &to))
    {
      LcSpan span;

      lc_session_get_span (area->session, &span);
      from = (span.from + span.to) / 2;
    }
  found =
      shown->selection.time == LC_SCENE_LOGICAL
          ? lc_history_find_event_at_layer (shown->opened->history, shown->timeline, process, (guint64)from, &event,
                                            NULL)
          : lc_history_find_event_at (shown->opened->history, shown->timeline, process, (guint64)from, &event, NULL);
  if (found)
    lc_session_select (area->session, process, event.ordinal, FALSE);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  LcGraphArea *area = LC_GRAPH_AREA (widget);
  guint32 process;

  if (keyboard || !find_node (area, x, y, &process))
    return FALSE;
  gtk_tooltip_set_text (tooltip, lc_history_get_process (lc_session_get_history (area->session), process)->name);
  return TRUE;
}

static void
lc_graph_area_dispose (GObject *object)
{
  LcGraphArea *area = LC_GRAPH_AREA (object);

  g_clear_pointer (&area->painting, lc_job_free);
  g_clear_pointer (&area->graph, lc_process_graph_unref);
  g_clear_object (&area->texture);
  g_clear_object (&area->session);
  G_OBJECT_CLASS (lc_graph_area_parent_class)->dispose (object);
}

static void
lc_graph_area_class_init (LcGraphAreaClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_graph_area_dispose;
  widget->snapshot = lc_graph_area_snapshot;
  widget->map = lc_graph_area_map;
  widget->size_allocate = lc_graph_area_size_allocate;
  gtk_widget_class_set_css_name (widget, "graph");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  painted_signal =
      g_signal_new ("painted", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_graph_area_init (LcGraphArea *area)
{
  GtkGesture *click = gtk_gesture_click_new ();

  area->painting = lc_job_new (area, graph_area_done, NULL, (GDestroyNotify)lc_graph_picture_free);
  g_signal_connect (click, "pressed", G_CALLBACK (graph_area_on_pressed), area);
  gtk_widget_add_controller (GTK_WIDGET (area), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (GTK_WIDGET (area), TRUE);
  g_signal_connect (area, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (area), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (area), TRUE);
  lc_accessible_show (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Process graph"));
}

GtkWidget *
lc_graph_area_new (LcSession *session)
{
  LcGraphArea *area = g_object_new (LC_TYPE_GRAPH_AREA, NULL);

  area->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (graph_area_on_changed), area, 0);
  lc_theme_watch (area, G_CALLBACK (graph_area_request));
  return GTK_WIDGET (area);
}
