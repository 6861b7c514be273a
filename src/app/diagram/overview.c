/* SPDX-License-Identifier: Apache-2.0 */
/* The overview: a strip of the whole run along the axis, with a frame around the part in view. */
#include "app/diagram/overview.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/diagram/diagram-moves.h"
#include "app/job.h"
#include "app/diagram/overview-shares.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "app/settings.h"
#include "draw/diagram/diagram-hits.h"
#include "draw/diagram/diagram-private.h"

#define EDGE 3.0 /* pixels on each side of the strip */
#define LEAST_FRAME 5.0
#define GRIP_LENGTH 14.0
#define MARK 6.0
#define RAIL 0.14      /* share of the strip for what is in the past or future, and for hits */
#define LEAST_RAIL 0.4 /* of a rail's breadth: where one row of many has it */
#define THINNEST_PATH 0.06
#define OUTSIDE 0.6 /* opacity of the cover over what is not in view */

struct _LcOverview
{
  GtkWidget parent;

  LcDiagramArea *area; /* borrowed: it is a child of the same parent */
  LcSession *session;
  LcJob *job;
  LcOverviewShares *shares; /* NULL: not found yet */
  GskRenderNode *picture;   /* drawing of the shares; NULL: to be painted */
  LcTheme theme;            /* of `picture` */
  int length;               /* of `picture` */
  int scale;                /* of `picture`: pixels for each unit */

  LcFramePart dragged;
  gboolean ranging; /* the drag selects the part to show, because the whole run was in view */
  double start;     /* position at the begin of the drag */
  LcSpan span;      /* part in view at the begin of the drag */
};

G_DEFINE_FINAL_TYPE (LcOverview, lc_overview, GTK_TYPE_WIDGET)

/* --- Geometry ---------------------------------------------------------------------------------------------------- */

static gboolean
is_down (LcOverview *overview)
{
  const LcShown *shown = lc_session_get_shown (overview->session);

  return shown != NULL && shown->orientation == LC_ORIENTATION_DOWN;
}

static double
overview_get_length (LcOverview *overview)
{
  GtkWidget *widget = GTK_WIDGET (overview);

  return MAX (is_down (overview) ? gtk_widget_get_height (widget) : gtk_widget_get_width (widget), 1);
}

/* Converts a position to pixels along the strip. */
static double
overview_get_pixel (LcOverview *overview, double position)
{
  LcSpan whole;

  lc_session_get_whole (overview->session, &whole);
  return (position - whole.from) / (whole.to - whole.from) * overview_get_length (overview);
}

static double
get_positions (LcOverview *overview, double pixels)
{
  LcSpan whole;

  lc_session_get_whole (overview->session, &whole);
  return pixels / overview_get_length (overview) * (whole.to - whole.from);
}

/* Makes a box from `from` to `to` in pixels along the strip, and from `low` to `high` (0 to 1) across it. */
static LcRectangle
get_box (LcOverview *overview, double from, double to, double low, double high)
{
  double across = LC_OVERVIEW_THICKNESS - 2 * EDGE;

  if (is_down (overview))
    return (LcRectangle){EDGE + low * across, from, (high - low) * across, to - from};
  return (LcRectangle){from, EDGE + (1 - high) * across, to - from, (high - low) * across};
}

/* Returns the frame in pixels, wide enough to be seen. */
static void
get_frame (LcOverview *overview, double position_from, double position_to, double *from, double *to)
{
  double middle;

  *from = overview_get_pixel (overview, position_from);
  *to = overview_get_pixel (overview, position_to);
  middle = (*from + *to) / 2;
  if (*to - *from >= LEAST_FRAME)
    return;
  *from = middle - LEAST_FRAME / 2;
  *to = middle + LEAST_FRAME / 2;
}

/* --- Painting
 * ------------------------------------------------------------------------------------------------------------ */

static void
overview_paint_shares (LcOverview *overview, LcCanvas *canvas)
{
  guint n = (guint)overview_get_length (overview);
  g_autofree LcRectangle *running = g_new (LcRectangle, n), *waiting = g_new (LcRectangle, n);
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcRectangle all = get_box (overview, 0, n, 0, 1);
  gsize n_running = 0, n_waiting = 0;

  lc_canvas_rectangles (canvas, lc_canvas_color_fill (lc_palette_get_color (theme, LC_INK_PANEL)), &all, 1);
  for (guint i = 0; i < n && overview->shares != NULL; i++)
    {
      guint part = MIN ((guint)((i + 0.5) * LC_OVERVIEW_PARTS / n), LC_OVERVIEW_PARTS - 1);
      double runs = (double)overview->shares->running[part], waits = (double)overview->shares->waiting[part];

      if (runs > 0)
        running[n_running++] = get_box (overview, i, i + 1, 0, runs);
      if (waits > 0)
        waiting[n_waiting++] = get_box (overview, i, i + 1, runs, runs + waits);
    }
  lc_canvas_rectangles (canvas, lc_canvas_color_fill (lc_diagram_get_running_color (theme)), running, n_running);
  lc_canvas_rectangles (canvas, lc_diagram_get_state_fill (canvas, LC_INK_WAITING), waiting, n_waiting);
}

/* Rails along one edge, the broader the more rows are in the past or the future of the chosen event. */
static void
overview_paint_rail (LcOverview *overview, LcCanvas *canvas, LcInk ink, const float *rows, double low)
{
  guint n = (guint)overview_get_length (overview);
  g_autofree LcRectangle *boxes = g_new (LcRectangle, n);
  gsize n_boxes = 0;

  for (guint i = 0; i < n; i++)
    {
      guint part = MIN ((guint)((i + 0.5) * LC_OVERVIEW_PARTS / n), LC_OVERVIEW_PARTS - 1);
      double breadth = RAIL * (LEAST_RAIL + (1 - LEAST_RAIL) * (double)rows[part]);

      if (rows[part] > 0)
        boxes[n_boxes++] = get_box (overview, i, i + 1, low, low + breadth);
    }
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, ink, 1), boxes, n_boxes);
}

/* The path is a line through the strip, whose breadth stands for all rows. */
static void
overview_paint_path (LcOverview *overview, LcCanvas *canvas)
{
  const LcOverviewShares *shares = overview->shares;
  guint n = (guint)overview_get_length (overview);
  g_autofree LcRectangle *boxes = g_new (LcRectangle, n);
  gboolean down = is_down (overview);
  gsize n_boxes = 0;

  for (guint i = 0; i < n; i++)
    {
      guint part = MIN ((guint)((i + 0.5) * LC_OVERVIEW_PARTS / n), LC_OVERVIEW_PARTS - 1);
      double low = (double)shares->path_low[part], high = (double)shares->path_high[part];

      if (low > high)
        continue;
      high = MAX (high, low + THINNEST_PATH);
      low = MIN (low, 1 - THINNEST_PATH);
      boxes[n_boxes++] = get_box (overview, i, i + 1, down ? low : 1 - high, down ? high : 1 - low);
    }
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_CRITICAL, 1), boxes, n_boxes);
}

static void
overview_paint_hits (LcOverview *overview, LcCanvas *canvas)
{
  const LcKept *hits = lc_session_get_hits (overview->session);
  guint n = (guint)overview_get_length (overview);
  g_autofree LcRectangle *boxes = g_new (LcRectangle, n);
  g_autofree gboolean *parts = g_new0 (gboolean, n);
  g_autofree guint32 *rows = NULL;
  gsize n_boxes = 0;
  LcSpan whole;

  if (hits == NULL)
    return;
  rows = lc_shown_list_rows (lc_session_get_shown (overview->session));
  lc_session_get_whole (overview->session, &whole);
  lc_diagram_hits_find_parts (lc_kept_get (hits), rows, whole.from, whole.to, n, parts);
  for (guint i = 0; i < n; i++)
    if (parts[i])
      boxes[n_boxes++] = get_box (overview, i, i + 1, 1 - RAIL, 1);
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_SELECTION, 1), boxes, n_boxes);
}

static void
overview_paint (LcOverview *overview, cairo_t *cairo)
{
  g_autoptr (LcCanvas) canvas = lc_theme_new_canvas (cairo, overview->theme);

  overview_paint_shares (overview, canvas);
  if (overview->shares != NULL)
    {
      overview_paint_rail (overview, canvas, LC_INK_PAST, overview->shares->past, 0);
      overview_paint_rail (overview, canvas, LC_INK_FUTURE, overview->shares->future, RAIL);
      overview_paint_path (overview, canvas);
    }
  overview_paint_hits (overview, canvas);
}

/* Some thousand boxes with patterns take 1 ms or more, which is too long for each frame: they are painted once. NULL:
 * there is no room. */
static GskRenderNode *
overview_new_picture (LcOverview *overview, const graphene_rect_t *bounds)
{
  const int width = (int)bounds->size.width * overview->scale, height = (int)bounds->size.height * overview->scale;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  const gsize stride = (gsize)cairo_image_surface_get_stride (surface);
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) bytes = NULL;
  cairo_t *cairo;

  cairo_surface_set_device_scale (surface, overview->scale, overview->scale);
  cairo = cairo_create (surface);
  overview_paint (overview, cairo);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (gsize)height,
                                      (GDestroyNotify)cairo_surface_destroy, surface);
  if (width <= 0 || height <= 0)
    return NULL;
  texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
  return gsk_texture_node_new (texture, bounds);
}

static void
append_color (LcOverview *overview, GtkSnapshot *snapshot, LcInk ink, double strength, LcRectangle box)
{
  GdkRGBA color = lc_theme_get_color (overview->theme, ink);
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT ((float)box.x, (float)box.y, (float)MAX (box.width, 0), (float)MAX (box.height, 0));

  color.alpha *= (float)strength;
  gtk_snapshot_append_color (snapshot, &color, &bounds);
}

/* Draws a handle on the middle of one side of the frame. */
static void
append_handle (LcOverview *overview, GtkSnapshot *snapshot, double place)
{
  double half = GRIP_LENGTH / 2 / (LC_OVERVIEW_THICKNESS - 2 * EDGE);

  append_color (overview, snapshot, LC_INK_SELECTION, 1,
                get_box (overview, place - 2, place + 2, 0.5 - half, 0.5 + half));
}

static void
append_frame (LcOverview *overview, GtkSnapshot *snapshot)
{
  double length = overview_get_length (overview), from, to;
  LcDiagramView view;

  if (!lc_diagram_area_get_view (overview->area, &view))
    return;
  get_frame (overview, view.from, view.to, &from, &to);
  append_color (overview, snapshot, LC_INK_BACKGROUND, OUTSIDE, get_box (overview, 0, from, 0, 1));
  append_color (overview, snapshot, LC_INK_BACKGROUND, OUTSIDE, get_box (overview, to, length, 0, 1));
  append_color (overview, snapshot, LC_INK_SELECTION, 1, get_box (overview, from, from + 1, 0, 1));
  append_color (overview, snapshot, LC_INK_SELECTION, 1, get_box (overview, to - 1, to, 0, 1));
  append_color (overview, snapshot, LC_INK_SELECTION, 1, get_box (overview, from, to, 0, 0.03));
  append_color (overview, snapshot, LC_INK_SELECTION, 1, get_box (overview, from, to, 0.97, 1));
  append_handle (overview, snapshot, CLAMP (from, 2, length - 2));
  append_handle (overview, snapshot, CLAMP (to, 2, length - 2));
}

static void
append_marks (LcOverview *overview, GtkSnapshot *snapshot)
{
  const GPtrArray *bookmarks = lc_session_get_bookmarks (overview->session);
  const LcHistoryEvent *event = lc_session_get_event (overview->session);
  const LcShown *shown = lc_session_get_shown (overview->session);
  double from, to, share = MARK / (LC_OVERVIEW_THICKNESS - 2 * EDGE);

  for (guint i = 0; i < bookmarks->len; i++)
    {
      const LcBookmark *bookmark = bookmarks->pdata[i];
      double place = overview_get_pixel (overview, (bookmark->span.from + bookmark->span.to) / 2);

      if (bookmark->time == shown->selection.time)
        append_color (overview, snapshot, LC_INK_TEXT, 1,
                      get_box (overview, place - MARK / 2, place + MARK / 2, 1 - share, 1));
    }
  if (lc_session_get_head (overview->session, &from, &to))
    append_color (
        overview, snapshot, LC_INK_CRITICAL, 1,
        get_box (overview, overview_get_pixel (overview, from) - 0.5, overview_get_pixel (overview, from) + 1, 0, 1));
  if (event == NULL || !lc_session_get_place (overview->session, event, &from, &to))
    return;
  from = overview_get_pixel (overview, from);
  append_color (overview, snapshot, LC_INK_TEXT, 1, get_box (overview, from - 0.5, from + 1, 0, 1));
}

static void
lc_overview_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcOverview *overview = LC_OVERVIEW (widget);
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget), (float)gtk_widget_get_height (widget));

  if (lc_session_get_shown (overview->session) == NULL)
    return;
  if (overview->picture == NULL || overview->theme != lc_theme_of (widget) ||
      overview->length != (int)overview_get_length (overview) ||
      overview->scale != gtk_widget_get_scale_factor (widget))
    {
      overview->theme = lc_theme_of (widget);
      overview->length = (int)overview_get_length (overview);
      overview->scale = gtk_widget_get_scale_factor (widget);
      g_clear_pointer (&overview->picture, gsk_render_node_unref);
      overview->picture = overview_new_picture (overview, &bounds);
    }
  if (overview->picture != NULL)
    gtk_snapshot_append_node (snapshot, overview->picture);
  append_frame (overview, snapshot);
  append_marks (overview, snapshot);
}

/* --- The shares
 * ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcShown *shown;
  LcSpan whole;
} Asked;

static void
overview_free_asked (gpointer data)
{
  lc_shown_unref (((Asked *)data)->shown);
  g_free (data);
}

static gpointer
find_shares (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  Asked *asked = data;
  LcOverviewShares *shares = lc_overview_find_shares (asked->shown, &asked->whole, cancellable, error);

  return shares != NULL || (error != NULL && *error != NULL) ? shares : g_new0 (LcOverviewShares, 1);
}

static void
overview_on_found (gpointer owner, gpointer result, const GError *error)
{
  LcOverview *overview = owner;

  g_free (overview->shares);
  overview->shares = result;
  g_clear_pointer (&overview->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (overview));
  if (error != NULL)
    lc_session_tell (overview->session, error->message);
}

static void
look_for_shares (LcOverview *overview)
{
  LcShown *shown = lc_session_get_shown (overview->session);
  Asked *asked;

  lc_job_stop (overview->job);
  if (shown == NULL)
    return;
  asked = g_new0 (Asked, 1);
  asked->shown = lc_shown_ref (shown);
  lc_session_get_whole (overview->session, &asked->whole);
  lc_job_start (overview->job, find_shares, asked, overview_free_asked);
}

static void
overview_on_changed (LcOverview *overview, guint what)
{
  const guint drawn = LC_CHANGED_SELECTION | LC_CHANGED_BOOKMARKS | LC_CHANGED_HEAD;
  const guint asked = LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ROWS | LC_CHANGED_FOUND |
                      LC_CHANGED_HIGHLIGHT;

  if ((what & LC_CHANGED_HISTORY) != 0)
    g_clear_pointer (&overview->shares, g_free);
  if ((what & (asked | LC_CHANGED_ORIENTATION | LC_CHANGED_HITS)) != 0)
    g_clear_pointer (&overview->picture, gsk_render_node_unref);
  if ((what & asked) != 0)
    look_for_shares (overview);
  if ((what & (drawn | asked | LC_CHANGED_ORIENTATION | LC_CHANGED_HITS)) != 0)
    gtk_widget_queue_draw (GTK_WIDGET (overview));
}

/* --- Input
 * ------------------------------------------------------------------------------------------------------------------ */

static LcFramePart
find_part (LcOverview *overview, double x, double y)
{
  LcSpan span;
  double from, to;

  lc_session_get_span (overview->session, &span);
  get_frame (overview, span.from, span.to, &from, &to);
  return lc_frame_find (is_down (overview) ? y : x, from, to);
}

/* Centres the view on the clicked place. */
static void
overview_centre (LcOverview *overview, double x, double y)
{
  LcSpan span, whole;

  lc_session_get_span (overview->session, &span);
  lc_session_get_whole (overview->session, &whole);
  lc_session_pan (overview->session,
                  whole.from + get_positions (overview, is_down (overview) ? y : x) - (span.from + span.to) / 2, 0);
}

static void
overview_on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  LcOverview *overview = LC_OVERVIEW (data);

  LcSpan whole;

  overview->dragged = find_part (overview, x, y);
  if (overview->dragged == LC_FRAME_OUTSIDE)
    overview_centre (overview, x, y);
  lc_session_get_span (overview->session, &overview->span);
  lc_session_get_whole (overview->session, &whole);
  overview->start = whole.from + get_positions (overview, is_down (overview) ? y : x);
  overview->ranging =
      overview->dragged == LC_FRAME_INSIDE && overview->span.from <= whole.from && overview->span.to >= whole.to;
}

static void
overview_on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  LcOverview *overview = LC_OVERVIEW (data);
  double positions = get_positions (overview, is_down (overview) ? dy : dx);
  LcSpan span = overview->span, whole;

  lc_session_get_whole (overview->session, &whole);
  if (!overview->ranging)
    lc_span_drag (&span, &whole, overview->dragged, positions);
  else if (gtk_drag_check_threshold (GTK_WIDGET (overview), 0, 0, (int)dx, (int)dy))
    {
      span.from = MAX (MIN (overview->start, overview->start + positions), whole.from);
      span.to = MIN (MAX (overview->start, overview->start + positions), whole.to);
    }
  lc_session_set_span (overview->session, &span, FALSE);
}

static void
overview_on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  LcOverview *overview = LC_OVERVIEW (data);

  gtk_widget_grab_focus (GTK_WIDGET (overview->area));
  if (n_press == 2)
    lc_session_fit (overview->session);
}

/* The wheel works as on the diagram, but zooms around the middle of the view, because the pointer is at a place of the
 * whole run. */
static gboolean
overview_on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  LcOverview *overview = LC_OVERVIEW (data);
  gboolean smooth = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  double notches = (fabs (dy) >= fabs (dx) ? dy : dx) / (smooth ? 60 : 1);
  LcSpan span;

  lc_session_get_span (overview->session, &span);
  if (lc_wheel_find (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller)),
                     lc_settings_get_choice ("wheel", 0) != 0) == LC_WHEEL_PANS)
    lc_session_pan (overview->session, notches * (span.to - span.from) / 8, 0);
  else
    lc_session_zoom (overview->session, lc_wheel_get_factor (notches), (span.from + span.to) / 2);
  return GDK_EVENT_STOP;
}

static void
overview_on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  LcOverview *overview = LC_OVERVIEW (data);
  LcFramePart part = find_part (overview, x, y);

  gtk_widget_set_cursor_from_name (GTK_WIDGET (overview), part == LC_FRAME_OUTSIDE  ? "pointer"
                                                          : part == LC_FRAME_INSIDE ? "grab"
                                                          : is_down (overview)      ? "row-resize"
                                                                                    : "col-resize");
}

static void
add_controllers (LcOverview *overview)
{
  GtkWidget *widget = GTK_WIDGET (overview);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (overview_on_drag_begin), overview, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (overview_on_drag_update), overview, 0);
  g_signal_connect_object (click, "pressed", G_CALLBACK (overview_on_pressed), overview, 0);
  g_signal_connect_object (motion, "motion", G_CALLBACK (overview_on_motion), overview, 0);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (overview_on_scroll), overview, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (drag, click);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
}

/* --- The widget
 * -------------------------------------------------------------------------------------------------------------- */

static void
lc_overview_dispose (GObject *object)
{
  LcOverview *overview = LC_OVERVIEW (object);

  g_clear_pointer (&overview->job, lc_job_free);
  g_clear_pointer (&overview->picture, gsk_render_node_unref);
  g_clear_pointer (&overview->shares, g_free);
  g_clear_object (&overview->session);
  G_OBJECT_CLASS (lc_overview_parent_class)->dispose (object);
}

static void
lc_overview_class_init (LcOverviewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_overview_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = lc_overview_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "overview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lc_overview_init (LcOverview *overview)
{
  gtk_widget_set_overflow (GTK_WIDGET (overview), GTK_OVERFLOW_HIDDEN);
  lc_accessible_show (GTK_ACCESSIBLE (overview), GTK_ACCESSIBLE_PROPERTY_LABEL,
                      _ ("The whole run, and the part of it that is in view"));
}

GtkWidget *
lc_overview_new (LcDiagramArea *area, LcSession *session)
{
  LcOverview *overview = g_object_new (LC_TYPE_OVERVIEW, NULL);

  overview->area = area;
  overview->session = g_object_ref (session);
  overview->job = lc_job_new (overview, overview_on_found, NULL, g_free);
  add_controllers (overview);
  g_signal_connect_object (area, "moved", G_CALLBACK (gtk_widget_queue_draw), overview, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "changed", G_CALLBACK (overview_on_changed), overview, G_CONNECT_SWAPPED);
  look_for_shares (overview);
  return GTK_WIDGET (overview);
}
