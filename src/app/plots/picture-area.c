/* SPDX-License-Identifier: Apache-2.0 */
/* An area for a picture that a thread makes and paints; the last picture stays until the next one has come. */
#include "app/plots/picture-area.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/job.h"
#include "app/names.h"
#include "app/button-names.h"
#include "app/shown-text.h"
#include "trace/quantities.h"

enum
{
  SETTLE_TIME = 150, /* ms after the last change until a picture is made */
  PALE_TIME = 500,   /* ms of work until the area shows that it is working */
  LEAST_WIDTH = 300, /* a narrower picture cannot be read */
  LEAST_HEIGHT = 150,
  NATURAL_HEIGHT = 220,
};

#define PALE 0.45
#define MANY_EVENTS 5000000 /* a picture of more events is made only if the user asks for it */
#define MARKED 0.16         /* opacity of the mark */

struct _LcPictureArea
{
  GtkWidget parent;

  /* Children of the template. */
  GtkWidget *contents;
  GtkWidget *working;
  GtkSpinner *spinner;
  GtkWidget *message;
  GtkLabel *message_text;
  GtkWidget *again;

  gboolean sheet;
  LcOpened *agreed;         /* history for which the user has agreed to a long wait; NULL: none */
  const char *agreed_view;  /* view that the user has agreed to */
  LcPictureRequest *wanted; /* NULL: none */
  LcPictureRequest *asked;  /* request that is being made, or will be soon */
  LcPictureRequest *made;   /* request that is shown or has failed; NULL: none yet */
  LcPicture *picture;       /* picture of `made`; NULL: it has failed */
  GdkTexture *texture;      /* of the last picture that did not fail */
  double texture_width;     /* in units of the picture */
  double texture_height;

  LcJob *making;
  guint settling;
  guint placing;
  guint slow;
  gboolean is_slow;
  double mark_from;
  double mark_to;
  LcRectangle outline; /* no width: there is none */
};

G_DEFINE_FINAL_TYPE (LcPictureArea, lc_picture_area, GTK_TYPE_WIDGET)

enum
{
  SETTLED,
  PLACED,
  SIGNALS,
};

static guint signals[SIGNALS];

/* The work of a thread. */
typedef struct
{
  LcPictureRequest *request;
  double scale;
  int width;
  int height;
} PictureAsked;

/* The result of the work. The picture uses the history of the request. */
typedef struct
{
  LcPicture *picture;
  GBytes *pixels;
  int width;
  int height;
  gsize stride;
} PicturePainted;

static void
picture_area_free_asked (gpointer data)
{
  PictureAsked *asked = data;

  lc_picture_request_free (asked->request);
  g_free (asked);
}

static void
picture_area_free_painted (gpointer data)
{
  PicturePainted *painted = data;

  lc_picture_free (painted->picture);
  g_clear_pointer (&painted->pixels, g_bytes_unref);
  g_free (painted);
}

/* --- In the thread ----------------------------------------------------------------------------------------------- */

static void
picture_area_paint_pixels (const PictureAsked *asked, PicturePainted *painted)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, asked->width, asked->height);
  cairo_t *cairo = cairo_create (surface);
  LcCanvas *canvas;

  cairo_scale (cairo, asked->scale, asked->scale);
  canvas = lc_canvas_new_cairo (cairo, asked->request->theme);
  lc_canvas_set_text_scale (canvas, asked->request->text_scale);
  lc_picture_paint (painted->picture, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  painted->width = asked->width;
  painted->height = asked->height;
  painted->stride = (gsize)cairo_image_surface_get_stride (surface);
  painted->pixels =
      g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), painted->stride * (gsize)painted->height,
                                  (GDestroyNotify)cairo_surface_destroy, surface);
}

static gpointer
picture_area_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const PictureAsked *asked = data;
  PicturePainted *painted = g_new0 (PicturePainted, 1);

  painted->picture = lc_picture_request_make (asked->request, cancellable, error);
  if (painted->picture == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    {
      picture_area_free_painted (painted);
      return NULL;
    }
  picture_area_paint_pixels (asked, painted);
  return painted;
}

/* --- States ------------------------------------------------------------------------------------------------------ */

static void
stop_telling (LcPictureArea *area)
{
  g_clear_handle_id (&area->slow, g_source_remove);
  area->is_slow = FALSE;
  gtk_widget_set_visible (area->working, FALSE);
  gtk_spinner_stop (area->spinner);
}

static gboolean
tell_slow (gpointer data)
{
  LcPictureArea *area = data;

  area->slow = 0;
  area->is_slow = TRUE;
  gtk_widget_set_visible (area->message, FALSE);
  gtk_widget_set_visible (area->working, TRUE);
  gtk_spinner_start (area->spinner);
  gtk_widget_queue_draw (GTK_WIDGET (area));
  return G_SOURCE_REMOVE;
}

/* Shows a message. `button`: label of the button that helps; NULL: none. */
static void
picture_area_tell_message (LcPictureArea *area, const char *text, const char *button)
{
  g_autofree char *first = g_utf8_substring (text, 0, 1);
  g_autofree char *upper = g_utf8_strup (first, -1);
  g_autofree char *sentence = g_strconcat (upper, g_utf8_next_char (text), NULL);

  lc_label_show (area->message_text, sentence);
  gtk_widget_set_visible (area->again, button != NULL);
  if (button != NULL)
    {
      gtk_button_set_label (GTK_BUTTON (area->again), button);
      lc_name_buttons (area->again);
    }
  gtk_widget_set_visible (area->message, TRUE);
}

static void
picture_area_settle (LcPictureArea *area)
{
  g_autofree char *description = area->picture != NULL ? lc_picture_dup_description (area->picture)
                                                       : g_strdup (gtk_label_get_text (area->message_text));

  stop_telling (area);
  lc_accessible_show (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
  gtk_widget_queue_draw (GTK_WIDGET (area));
  g_signal_emit (area, signals[SETTLED], 0);
}

/* Frees the picture and its request together, because the picture reads data of the request. */
static void
drop_made (LcPictureArea *area)
{
  g_clear_pointer (&area->picture, lc_picture_free);
  g_clear_pointer (&area->made, lc_picture_request_free);
}

static void
take_picture (LcPictureArea *area, PicturePainted *painted)
{
  g_clear_object (&area->texture);
  area->texture =
      gdk_memory_texture_new (painted->width, painted->height, GDK_MEMORY_DEFAULT, painted->pixels, painted->stride);
  area->texture_width = area->made->width;
  area->texture_height = area->made->height;
  area->picture = g_steal_pointer (&painted->picture);
  picture_area_free_painted (painted);
  gtk_widget_set_visible (area->message, FALSE);
}

static void
picture_area_done (gpointer owner, gpointer result, const GError *error)
{
  LcPictureArea *area = owner;

  drop_made (area);
  area->made = g_steal_pointer (&area->asked);
  if (result != NULL)
    take_picture (area, result);
  else
    {
      g_clear_object (&area->texture);
      picture_area_tell_message (area, error->message,
                                 g_error_matches (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_EMPTY) ? NULL
                                                                                                   : _ ("Try _again"));
    }
  picture_area_settle (area);
}

/* --- Making ------------------------------------------------------------------------------------------------------ */

static void
picture_area_cancel (LcPictureArea *area)
{
  g_clear_handle_id (&area->settling, g_source_remove);
  lc_job_stop (area->making);
  g_clear_pointer (&area->asked, lc_picture_request_free);
}

/* Returns the device pixels per unit. A sheet is painted at the size at which it is shown, so that it can be read. */
static double
picture_area_get_scale (LcPictureArea *area)
{
  GtkWidget *widget = GTK_WIDGET (area);
  double scale = gtk_widget_get_scale_factor (widget);

  if (!area->sheet)
    return scale;
  return scale * MIN (MIN (gtk_widget_get_width (widget) / area->asked->width,
                           gtk_widget_get_height (widget) / area->asked->height),
                      1);
}

/* Shows a message in place of a picture. */
static void
make_nothing (LcPictureArea *area, const char *text, const char *button)
{
  picture_area_cancel (area);
  drop_made (area);
  area->made = lc_picture_request_copy (area->wanted);
  g_clear_object (&area->texture);
  picture_area_tell_message (area, text, button);
  picture_area_settle (area);
}

static gboolean
must_ask (LcPictureArea *area)
{
  return !area->sheet && lc_picture_request_estimate_events (area->wanted) > MANY_EVENTS &&
         (area->agreed != area->wanted->shown->opened || !g_str_equal (area->agreed_view, area->wanted->view));
}

static void
picture_area_ask (LcPictureArea *area)
{
  g_autofree char *events = lc_format_count (lc_picture_request_estimate_events (area->wanted));
  g_autofree char *text = g_strdup_printf (_ ("This plot takes a look at %s events, which may last a while."), events);

  make_nothing (area, text, _ ("_Compute"));
}

static gboolean
picture_area_start (gpointer data)
{
  LcPictureArea *area = data;
  PictureAsked *asked;

  area->settling = 0;
  if (must_ask (area))
    {
      picture_area_ask (area);
      return G_SOURCE_REMOVE;
    }
  asked = g_new0 (PictureAsked, 1);
  asked->request = lc_picture_request_copy (area->asked);
  asked->scale = picture_area_get_scale (area);
  asked->width = (int)MAX (round (asked->request->width * asked->scale), 1);
  asked->height = (int)MAX (round (asked->request->height * asked->scale), 1);
  lc_job_start (area->making, picture_area_work, asked, picture_area_free_asked);
  if (area->slow == 0 && !area->is_slow)
    area->slow = g_timeout_add (PALE_TIME, tell_slow, area);
  return G_SOURCE_REMOVE;
}

static void
forget_agreed (LcPictureArea *area)
{
  g_clear_pointer (&area->agreed, lc_opened_unref);
  area->agreed_view = NULL;
}

/* Makes a new picture if the request, the size or the visibility of the area require it. */
static void
picture_area_update (LcPictureArea *area)
{
  GtkWidget *widget = GTK_WIDGET (area);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (area->wanted == NULL || !gtk_widget_get_mapped (widget) || width <= 0 || height <= 0)
    return;
  if (!area->sheet)
    {
      area->wanted->width = MAX (width, LEAST_WIDTH);
      area->wanted->height = MAX (height, LEAST_HEIGHT);
    }
  if (area->made != NULL && lc_picture_request_equal (area->made, area->wanted))
    {
      picture_area_cancel (area);
      stop_telling (area);
      gtk_widget_queue_draw (widget);
      return;
    }
  if (area->asked != NULL && lc_picture_request_equal (area->asked, area->wanted))
    return;
  picture_area_cancel (area);
  area->asked = lc_picture_request_copy (area->wanted);
  area->settling = g_timeout_add (area->made != NULL ? SETTLE_TIME : 0, picture_area_start, area);
}

static void
picture_area_on_stop (LcPictureArea *area)
{
  const LcViewInfo *info = area->wanted != NULL ? lc_views_find (area->wanted->view) : NULL;
  gboolean is_of_script = info != NULL && (info->traits & LC_VIEW_SHEET) != 0;

  make_nothing (area,
                is_of_script ? _ ("stopped: the script had not come to an end")
                             : _ ("stopped: this picture takes a look at all events of the run"),
                _ ("Try _again"));
}

static void
on_again (LcPictureArea *area)
{
  forget_agreed (area);
  if (area->wanted != NULL)
    {
      area->agreed = lc_opened_ref (area->wanted->shown->opened);
      area->agreed_view = area->wanted->view;
    }
  drop_made (area);
  picture_area_update (area);
}

void
lc_picture_area_show (LcPictureArea *area, LcPictureRequest *request)
{
  g_clear_pointer (&area->wanted, lc_picture_request_free);
  area->wanted = request;
  if (request == NULL || request->shown->opened != area->agreed)
    forget_agreed (area);
  if (request != NULL && area->made != NULL && area->made->shown->opened == request->shown->opened)
    {
      picture_area_update (area);
      gtk_widget_queue_draw (GTK_WIDGET (area));
      return;
    }
  picture_area_cancel (area);
  drop_made (area); /* the old picture belongs to another history, or to none */
  g_clear_object (&area->texture);
  gtk_widget_set_visible (area->message, FALSE);
  stop_telling (area);
  gtk_widget_queue_draw (GTK_WIDGET (area));
  picture_area_update (area);
}

void
lc_picture_area_set_sheet (LcPictureArea *area, gboolean sheet)
{
  area->sheet = sheet;
}

LcPicture *
lc_picture_area_get_picture (LcPictureArea *area)
{
  return area->picture;
}

/* --- Showing ----------------------------------------------------------------------------------------------------- */

/* Returns the bounds of the picture; a sheet keeps its proportions. */
static graphene_rect_t
picture_area_get_bounds (LcPictureArea *area)
{
  float width = (float)gtk_widget_get_width (GTK_WIDGET (area));
  float height = (float)gtk_widget_get_height (GTK_WIDGET (area)), scale;

  if (!area->sheet)
    return GRAPHENE_RECT_INIT (0, 0, width, height);
  scale = MIN (MIN (width / (float)area->texture_width, height / (float)area->texture_height), 1);
  return GRAPHENE_RECT_INIT ((width - (float)area->texture_width * scale) / 2,
                             (height - (float)area->texture_height * scale) / 2, (float)area->texture_width * scale,
                             (float)area->texture_height * scale);
}

LcPlace
lc_picture_area_get_place (LcPictureArea *area, double x, double y)
{
  graphene_rect_t bounds = picture_area_get_bounds (area);

  return (LcPlace){(x - bounds.origin.x) / bounds.size.width * area->texture_width,
                   (y - bounds.origin.y) / bounds.size.height * area->texture_height};
}

void
lc_picture_area_mark (LcPictureArea *area, double from, double to)
{
  if (area->mark_from == from && area->mark_to == to)
    return;
  area->mark_from = from;
  area->mark_to = to;
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

static void
snapshot_mark (LcPictureArea *area, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
  LcColor ink = lc_palette_get_color (area->made->theme, LC_INK_SELECTION);
  GdkRGBA color = {(float)ink.red, (float)ink.green, (float)ink.blue, (float)MARKED};
  double across = bounds->size.width / area->texture_width, down = bounds->size.height / area->texture_height;
  LcRectangle plot;
  double from, to;

  lc_picture_get_area (area->picture, &plot);
  if (lc_picture_is_turned (area->picture))
    {
      from = CLAMP (area->mark_from, plot.y, plot.y + plot.height);
      to = CLAMP (area->mark_to, from, plot.y + plot.height);
      plot = (LcRectangle){plot.x, from, plot.width, MAX (to - from, 1)};
    }
  else
    {
      from = CLAMP (area->mark_from, plot.x, plot.x + plot.width);
      to = CLAMP (area->mark_to, from, plot.x + plot.width);
      plot = (LcRectangle){from, plot.y, MAX (to - from, 1), plot.height};
    }
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (bounds->origin.x + (float)(plot.x * across),
                                                  bounds->origin.y + (float)(plot.y * down),
                                                  (float)(plot.width * across), (float)(plot.height * down)));
}

void
lc_picture_area_outline (LcPictureArea *area, const LcRectangle *outline)
{
  area->outline = outline != NULL ? *outline : (LcRectangle){0};
  gtk_widget_queue_draw (GTK_WIDGET (area));
}

static void
snapshot_outline (LcPictureArea *area, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
  LcColor ink = lc_palette_get_color (area->made->theme, LC_INK_SELECTION);
  GdkRGBA color = {(float)ink.red, (float)ink.green, (float)ink.blue, 1};
  double across = bounds->size.width / area->texture_width, down = bounds->size.height / area->texture_height;
  const LcRectangle *outline = &area->outline;
  GskRoundedRect around;

  gsk_rounded_rect_init_from_rect (&around,
                                   &GRAPHENE_RECT_INIT (bounds->origin.x + (float)(outline->x * across) - 1,
                                                        bounds->origin.y + (float)(outline->y * down) - 1,
                                                        (float)(outline->width * across) + 2,
                                                        (float)(outline->height * down) + 2),
                                   0);
  gtk_snapshot_append_border (snapshot, &around, (float[]){2, 2, 2, 2}, (GdkRGBA[]){color, color, color, color});
}

/* Finds how the part of the picture over time has to be moved and stretched, so that it lines up with the wanted time
 * until there is a picture of it: a place of the picture, in the direction of time, belongs at *scale times it +
 * *shift. */
static gboolean
picture_area_find_move (LcPictureArea *area, double *scale, double *shift)
{
  const LcTimePlace *made, *wanted;
  guint64 from, to;

  if (area->picture == NULL || area->wanted == NULL || !lc_picture_get_time (area->picture, &from, &to))
    return FALSE;
  made = &area->made->place;
  wanted = &area->wanted->place;
  if (made->begin >= made->end || wanted->begin >= wanted->end || area->made->whole != area->wanted->whole ||
      area->made->turned != area->wanted->turned)
    return FALSE;
  *scale =
      (wanted->end - wanted->begin) / (wanted->to - wanted->from) * (made->to - made->from) / (made->end - made->begin);
  *shift = wanted->begin + (made->from - wanted->from) * (wanted->end - wanted->begin) / (wanted->to - wanted->from) -
           made->begin * *scale;
  return fabs (*scale - 1) > 1e-9 || fabs (*shift) > 1e-6;
}

static void
snapshot_clipped (LcPictureArea *area, GtkSnapshot *snapshot, const graphene_rect_t *clip,
                  const graphene_rect_t *bounds)
{
  if (clip->size.width <= 0 || clip->size.height <= 0)
    return;
  gtk_snapshot_push_clip (snapshot, clip);
  gtk_snapshot_append_texture (snapshot, area->texture, bounds);
  gtk_snapshot_pop (snapshot);
}

/* Moves only what is over time; what is around it stays. */
static void
snapshot_moved (LcPictureArea *area, GtkSnapshot *snapshot, const graphene_rect_t *bounds, double scale, double shift)
{
  double down = bounds->size.height / area->texture_height, across = bounds->size.width / area->texture_width;
  gboolean turned = lc_picture_is_turned (area->picture);
  float left, right, top, bottom;
  graphene_rect_t moved = *bounds, place;
  LcRectangle moving;

  lc_picture_get_moving (area->picture, &moving);
  left = (float)(moving.x * across);
  right = (float)((moving.x + moving.width) * across);
  top = (float)(moving.y * down);
  bottom = (float)((moving.y + moving.height) * down);
  if (turned)
    {
      moved.origin.y = (float)(shift * down);
      moved.size.height *= (float)scale;
      place = GRAPHENE_RECT_INIT (left, (float)(moving.y * scale + shift) * (float)down, right - left,
                                  (float)(moving.height * scale * down));
    }
  else
    {
      moved.origin.x = (float)(shift * across);
      moved.size.width *= (float)scale;
      place = GRAPHENE_RECT_INIT ((float)(moving.x * scale + shift) * (float)across, top,
                                  (float)(moving.width * scale * across), bottom - top);
    }
  snapshot_clipped (area, snapshot, &GRAPHENE_RECT_INIT (0, 0, bounds->size.width, top), bounds);
  snapshot_clipped (area, snapshot, &GRAPHENE_RECT_INIT (0, top, left, bottom - top), bounds);
  snapshot_clipped (area, snapshot, &GRAPHENE_RECT_INIT (right, top, bounds->size.width - right, bottom - top), bounds);
  snapshot_clipped (area, snapshot, &GRAPHENE_RECT_INIT (0, bottom, bounds->size.width, bounds->size.height - bottom),
                    bounds);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (left, top, right - left, bottom - top));
  snapshot_clipped (area, snapshot, &place, &moved);
  gtk_snapshot_pop (snapshot);
}

static void
picture_area_snapshot_texture (LcPictureArea *area, GtkSnapshot *snapshot, const graphene_rect_t *bounds)
{
  double scale, shift;

  if (picture_area_find_move (area, &scale, &shift))
    snapshot_moved (area, snapshot, bounds, scale, shift);
  else
    gtk_snapshot_append_texture (snapshot, area->texture, bounds);
}

static void
lc_picture_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcPictureArea *area = LC_PICTURE_AREA (widget);
  graphene_rect_t bounds;

  if (area->texture != NULL)
    {
      bounds = picture_area_get_bounds (area);
      gtk_snapshot_push_opacity (snapshot, area->is_slow ? PALE : 1);
      picture_area_snapshot_texture (area, snapshot, &bounds);
      if (area->picture != NULL && area->mark_from < area->mark_to)
        snapshot_mark (area, snapshot, &bounds);
      if (area->picture != NULL && area->outline.width > 0)
        snapshot_outline (area, snapshot, &bounds);
      gtk_snapshot_pop (snapshot);
    }
  GTK_WIDGET_CLASS (lc_picture_area_parent_class)->snapshot (widget, snapshot);
}

static void
lc_picture_area_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  LcPictureArea *area = LC_PICTURE_AREA (widget);

  gtk_widget_measure (area->contents, orientation, for_size, minimum, natural, NULL, NULL);
  *minimum = MAX (*minimum, orientation == GTK_ORIENTATION_VERTICAL ? LEAST_HEIGHT : LEAST_WIDTH);
  *natural = MAX (*minimum, orientation == GTK_ORIENTATION_VERTICAL ? NATURAL_HEIGHT : *natural);
  *minimum_baseline = *natural_baseline = -1;
}

static gboolean
picture_area_on_placed (gpointer data)
{
  LcPictureArea *area = data;

  area->placing = 0;
  g_signal_emit (area, signals[PLACED], 0);
  return G_SOURCE_REMOVE;
}

static void
lc_picture_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LcPictureArea *area = LC_PICTURE_AREA (widget);

  gtk_widget_size_allocate (area->contents, &(GtkAllocation){0, 0, width, height}, -1);
  if (area->placing == 0)
    area->placing = g_idle_add_full (G_PRIORITY_DEFAULT, picture_area_on_placed, area, NULL);
  picture_area_update (area);
}

static void
lc_picture_area_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (lc_picture_area_parent_class)->map (widget);
  picture_area_update (LC_PICTURE_AREA (widget));
}

static void
lc_picture_area_unmap (GtkWidget *widget)
{
  LcPictureArea *area = LC_PICTURE_AREA (widget);

  picture_area_cancel (area);
  stop_telling (area);
  GTK_WIDGET_CLASS (lc_picture_area_parent_class)->unmap (widget);
}

/* --- The type ---------------------------------------------------------------------------------------------------- */

static void
on_scale (LcPictureArea *area)
{
  drop_made (area);
  picture_area_update (area);
}

static void
lc_picture_area_dispose (GObject *object)
{
  LcPictureArea *area = LC_PICTURE_AREA (object);

  if (area->making != NULL)
    picture_area_cancel (area);
  g_clear_pointer (&area->making, lc_job_free);
  g_clear_handle_id (&area->slow, g_source_remove);
  g_clear_handle_id (&area->placing, g_source_remove);
  drop_made (area);
  g_clear_pointer (&area->wanted, lc_picture_request_free);
  forget_agreed (area);
  g_clear_object (&area->texture);
  g_clear_pointer (&area->contents, gtk_widget_unparent);
  G_OBJECT_CLASS (lc_picture_area_parent_class)->dispose (object);
}

static void
lc_picture_area_class_init (LcPictureAreaClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_picture_area_dispose;
  widget->snapshot = lc_picture_area_snapshot;
  widget->measure = lc_picture_area_measure;
  widget->size_allocate = lc_picture_area_size_allocate;
  widget->map = lc_picture_area_map;
  widget->unmap = lc_picture_area_unmap;
  signals[SETTLED] =
      g_signal_new ("settled", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PLACED] =
      g_signal_new ("placed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget, "picturearea");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "picture-area.ui");
  gtk_widget_class_bind_template_child (widget, LcPictureArea, contents);
  gtk_widget_class_bind_template_child (widget, LcPictureArea, working);
  gtk_widget_class_bind_template_child (widget, LcPictureArea, spinner);
  gtk_widget_class_bind_template_child (widget, LcPictureArea, message);
  gtk_widget_class_bind_template_child (widget, LcPictureArea, message_text);
  gtk_widget_class_bind_template_child (widget, LcPictureArea, again);
  gtk_widget_class_bind_template_callback (widget, picture_area_on_stop);
  gtk_widget_class_bind_template_callback (widget, on_again);
}

static void
lc_picture_area_init (LcPictureArea *area)
{
  area->making = lc_job_new (area, picture_area_done, NULL, picture_area_free_painted);
  gtk_widget_init_template (GTK_WIDGET (area));
  gtk_widget_set_overflow (GTK_WIDGET (area), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (area, "notify::scale-factor", G_CALLBACK (on_scale), NULL);
}
