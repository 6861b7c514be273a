/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of shots: where a shot lies in a view that has moved on, and which part to take for a view. */
#include "app/diagram/shot-place.h"

#include <math.h>

/* Pixels after which every fill pattern repeats. */
#define PERIOD 6.0

/* Pixels that a drawing may be misplaced by without being noticed. */
#define TOLERANCE 0.25

/* Larger textures are cropped to the visible pixels, because renderers lose precision at large coordinates. */
#define LARGEST 8192.0

/* --- In one direction ------------------------------------------------------------------------------------------ */

/* A direction of a view: units are positions or rows, `length` is in pixels of the widget. */
typedef struct
{
  double from;
  double to;
  double length;
  double origin; /* in the widget */
} Direction;

static Direction
get_along (const LcDiagramView *view)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  return (Direction){view->from, view->to, down ? view->area.height : view->area.width,
                     down ? view->area.y : view->area.x};
}

static Direction
get_across (const LcDiagramView *view)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  return (Direction){view->first_row, view->last_row, down ? view->area.width : view->area.height,
                     down ? view->area.x : view->area.y};
}

static double
shot_place_get_scale (const Direction *direction)
{
  return direction->length / (direction->to - direction->from);
}

static gboolean
is_as_large (const Direction *one, const Direction *other)
{
  return fabs (shot_place_get_scale (one) / shot_place_get_scale (other) - 1) * other->length < TOLERANCE;
}

/* Tells whether a range is covered, to within a pixel. */
static gboolean
shot_place_covers (const Direction *one, double from, double to)
{
  double pixel = 1 / shot_place_get_scale (one);

  return one->from <= from + pixel && one->to >= to - pixel;
}

static double
get_use (const Direction *one, const Direction *other)
{
  double common = MIN (one->to, other->to) - MAX (one->from, other->from);

  return MAX (common, 0) / (other->to - other->from);
}

/* --- Choosing a part --------------------------------------------------------------------------------------------- */

static Direction
shot_place_grow (const Direction *wanted, double whole_from, double whole_to, double margin, int pixels,
                 const Direction *like)
{
  double scale = shot_place_get_scale (like != NULL ? like : wanted), anchor = like != NULL ? like->from : whole_from;
  double more = (wanted->to - wanted->from) * margin, period = PERIOD / scale;
  double from = MAX (wanted->from - more, whole_from), to = MIN (wanted->to + more, whole_to), length;

  from = anchor + floor ((from - anchor) / period + 1e-6) * period;
  length = MAX (ceil ((to - from) * scale * pixels - 1e-3), 1) / pixels;
  return (Direction){from, from + length / scale, length, 0};
}

void
lc_shot_choose_view (const LcDiagramView *wanted, const LcSpan *whole, double margin, int pixels, const LcShot *like,
                     LcDiagramView *view, LcRectangle *seen)
{
  gboolean down = wanted->orientation == LC_ORIENTATION_DOWN;
  Direction along = get_along (wanted), across = get_across (wanted);
  Direction like_along, like_across;
  double x, y;

  if (like != NULL && !lc_shot_is_as_large (like, wanted))
    like = NULL;
  if (like != NULL)
    {
      like_along = get_along (&lc_shot_get_subject (like)->view);
      like_across = get_across (&lc_shot_get_subject (like)->view);
    }
  along = shot_place_grow (&along, whole->from, whole->to, margin, pixels, like != NULL ? &like_along : NULL);
  across =
      shot_place_grow (&across, whole->first_row, whole->last_row, margin, pixels, like != NULL ? &like_across : NULL);
  *view = *wanted;
  view->from = along.from;
  view->to = along.to;
  view->first_row = across.from;
  view->last_row = across.to;
  view->looked_from = wanted->from;
  view->looked_to = wanted->to;
  view->area = (LcRectangle){0, 0, down ? across.length : along.length, down ? along.length : across.length};
  x = (wanted->first_row - across.from) * shot_place_get_scale (&across);
  y = (wanted->from - along.from) * shot_place_get_scale (&along);
  *seen = (LcRectangle){down ? x : y, down ? y : x, wanted->area.width, wanted->area.height};
}

/* --- Comparing with a view ------------------------------------------------------------------------------------- */

gboolean
lc_shot_is_as_large (const LcShot *shot, const LcDiagramView *view)
{
  const LcDiagramView *own = &lc_shot_get_subject (shot)->view;
  Direction along = get_along (own), across = get_across (own), other_along = get_along (view),
            other_across = get_across (view);

  return is_as_large (&along, &other_along) && is_as_large (&across, &other_across);
}

gboolean
lc_shot_has (const LcShot *shot, const LcSpan *span)
{
  const LcDiagramView *own = &lc_shot_get_subject (shot)->view;
  Direction along = get_along (own), across = get_across (own);

  return shot_place_covers (&along, span->from, span->to) &&
         shot_place_covers (&across, span->first_row, span->last_row);
}

gboolean
lc_shot_covers (const LcShot *shot, const LcDiagramView *view)
{
  LcSpan span = {view->from, view->to, view->first_row, view->last_row};

  return lc_shot_has (shot, &span);
}

double
lc_shot_get_use (const LcShot *shot, const LcDiagramView *view)
{
  const LcDiagramView *own = &lc_shot_get_subject (shot)->view;
  Direction along = get_along (own), across = get_across (own), other_along = get_along (view),
            other_across = get_across (view);

  return get_use (&along, &other_along) * get_use (&across, &other_across);
}

gboolean
lc_shot_fits (const LcShot *shot, const LcDiagramView *view, const LcSpan *whole)
{
  double share = 0.25 / lc_shot_get_subject (shot)->pixels; /* half of the margin */
  double more = (view->to - view->from) * share, more_rows = (view->last_row - view->first_row) * share;
  LcSpan span = {MAX (view->from - more, whole->from), MIN (view->to + more, whole->to),
                 MAX (view->first_row - more_rows, whole->first_row),
                 MIN (view->last_row + more_rows, whole->last_row)};

  return lc_shot_is_as_large (shot, view) && lc_shot_has (shot, &span);
}

/* --- Drawing ----------------------------------------------------------------------------------------------------- */

/* Maps device pixels of a shot to pixels of the widget. */
typedef struct
{
  double origin;
  double scale;
} Mapping;

static Mapping
get_mapping (Direction shot, Direction view, int pixels)
{
  double origin = view.origin + (shot.from - view.from) * shot_place_get_scale (&view);

  if (is_as_large (&shot, &view))
    return (Mapping){round (origin * pixels) / pixels, 1.0 / pixels};
  return (Mapping){origin, shot_place_get_scale (&view) / shot_place_get_scale (&shot) / pixels};
}

/* Edges are rounded to device pixels, so that adjacent tiles leave no gap. */
static double
shot_place_map (const Mapping *mapping, double place, int pixels)
{
  return round ((mapping->origin + place * mapping->scale) * pixels) / pixels;
}

typedef struct
{
  const LcShot *shot;
  LcRectangle area; /* of the widget */
  int pixels;
  Mapping x;
  Mapping y;
} Drawing;

static Drawing
shot_place_begin (const LcShot *shot, const LcDiagramView *view)
{
  const LcShotSubject *subject = lc_shot_get_subject (shot);
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  Mapping along = get_mapping (get_along (&subject->view), get_along (view), subject->pixels);
  Mapping across = get_mapping (get_across (&subject->view), get_across (view), subject->pixels);

  return (Drawing){shot, view->area, subject->pixels, down ? across : along, down ? along : across};
}

static graphene_rect_t
shot_place_get_bounds (const Drawing *drawing, const LcTile *tile, int x, int y, int width, int height)
{
  double left = shot_place_map (&drawing->x, tile->x + x, drawing->pixels);
  double right = shot_place_map (&drawing->x, tile->x + x + width, drawing->pixels);
  double top = shot_place_map (&drawing->y, tile->y + y, drawing->pixels);
  double bottom = shot_place_map (&drawing->y, tile->y + y + height, drawing->pixels);

  return GRAPHENE_RECT_INIT ((float)left, (float)top, (float)(right - left), (float)(bottom - top));
}

static gboolean
shot_place_is_in_view (const Drawing *drawing, const graphene_rect_t *bounds)
{
  const LcRectangle *area = &drawing->area;

  return bounds->size.width > 0 && bounds->size.height > 0 && bounds->origin.x < area->x + area->width &&
         bounds->origin.x + bounds->size.width > area->x && bounds->origin.y < area->y + area->height &&
         bounds->origin.y + bounds->size.height > area->y;
}

/* Finds the visible pixels of a tile in one direction, with one more on each side. */
static void
shot_place_crop (const Mapping *mapping, double area_from, double area_length, int tile_from, int tile_length,
                 int *first, int *n)
{
  double from = floor ((area_from - mapping->origin) / mapping->scale) - 1 - tile_from;
  double to = ceil ((area_from + area_length - mapping->origin) / mapping->scale) + 1 - tile_from;

  *first = (int)CLAMP (from, 0, tile_length - 1);
  *n = (int)CLAMP (to, *first + 1, tile_length) - *first;
}

/* The part of a tile that is drawn. */
typedef struct
{
  int x;
  int y;
  int width;
  int height;
  graphene_rect_t bounds; /* in the widget */
} Part;

static gsize
get_stride (const LcTile *tile)
{
  return (gsize)tile->width * 4;
}

static gsize
get_offset (const LcTile *tile, const Part *part)
{
  return (gsize)part->y * get_stride (tile) + (gsize)part->x * 4;
}

/* FALSE: the tile is not painted or not in view. */
static gboolean
choose_part (const Drawing *drawing, const LcTile *tile, Part *part)
{
  const LcRectangle *area = &drawing->area;

  *part =
      (Part){0, 0, tile->width, tile->height, shot_place_get_bounds (drawing, tile, 0, 0, tile->width, tile->height)};
  if (lc_tile_get_texture (tile) == NULL || !shot_place_is_in_view (drawing, &part->bounds))
    return FALSE;
  if (part->bounds.size.width > LARGEST || part->bounds.size.height > LARGEST)
    {
      shot_place_crop (&drawing->x, area->x, area->width, tile->x, tile->width, &part->x, &part->width);
      shot_place_crop (&drawing->y, area->y, area->height, tile->y, tile->height, &part->y, &part->height);
      part->bounds = shot_place_get_bounds (drawing, tile, part->x, part->y, part->width, part->height);
    }
  return TRUE;
}

static GdkTexture *
get_texture (const LcTile *tile, const Part *part)
{
  g_autoptr (GBytes) bytes = NULL;

  if (part->width == tile->width && part->height == tile->height)
    return g_object_ref (lc_tile_get_texture (tile));
  bytes = g_bytes_new_from_bytes (tile->bytes, get_offset (tile, part),
                                  (gsize)(part->height - 1) * get_stride (tile) + (gsize)part->width * 4);
  return gdk_memory_texture_new (part->width, part->height, GDK_MEMORY_DEFAULT, bytes, get_stride (tile));
}

void
lc_shot_draw (const LcShot *shot, const LcDiagramView *view, GtkSnapshot *snapshot)
{
  Drawing drawing = shot_place_begin (shot, view);
  guint n_tiles;
  const LcTile *tiles = lc_shot_get_tiles (shot, &n_tiles);

  for (guint i = 0; i < n_tiles; i++)
    {
      Part part;

      if (choose_part (&drawing, &tiles[i], &part))
        {
          g_autoptr (GdkTexture) texture = get_texture (&tiles[i], &part);

          gtk_snapshot_append_texture (snapshot, texture, &part.bounds);
        }
    }
}

/* The surface holds the bytes as long as the renderer needs them. */
static cairo_surface_t *
shot_place_make_surface (const LcTile *tile, const Part *part)
{
  static const cairo_user_data_key_t key;
  guint8 *data = (guint8 *)g_bytes_get_data (tile->bytes, NULL) + get_offset (tile, part);
  cairo_surface_t *surface =
      cairo_image_surface_create_for_data (data, CAIRO_FORMAT_RGB24, part->width, part->height, (int)get_stride (tile));

  cairo_surface_set_user_data (surface, &key, g_bytes_ref (tile->bytes), (cairo_destroy_func_t)g_bytes_unref);
  return surface;
}

void
lc_shot_draw_with_cairo (const LcShot *shot, const LcDiagramView *view, cairo_t *cairo)
{
  Drawing drawing = shot_place_begin (shot, view);
  guint n_tiles;
  const LcTile *tiles = lc_shot_get_tiles (shot, &n_tiles);

  for (guint i = 0; i < n_tiles; i++)
    {
      Part part;
      cairo_surface_t *surface;

      if (!choose_part (&drawing, &tiles[i], &part))
        continue;
      surface = shot_place_make_surface (&tiles[i], &part);
      cairo_save (cairo);
      cairo_rectangle (cairo, part.bounds.origin.x, part.bounds.origin.y, part.bounds.size.width,
                       part.bounds.size.height);
      cairo_clip (cairo);
      cairo_translate (cairo, part.bounds.origin.x, part.bounds.origin.y);
      cairo_scale (cairo, part.bounds.size.width / part.width, part.bounds.size.height / part.height);
      cairo_set_source_surface (cairo, surface, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cairo), CAIRO_FILTER_FAST);
      cairo_paint (cairo);
      cairo_restore (cairo);
      cairo_surface_destroy (surface);
    }
}

gboolean
lc_shot_hides (const LcShot *shot, const LcDiagramView *view)
{
  Drawing drawing = shot_place_begin (shot, view);
  guint n_tiles;
  const LcTile *tiles = lc_shot_get_tiles (shot, &n_tiles);

  if (!lc_shot_covers (shot, view))
    return FALSE;
  for (guint i = 0; i < n_tiles; i++)
    {
      graphene_rect_t bounds = shot_place_get_bounds (&drawing, &tiles[i], 0, 0, tiles[i].width, tiles[i].height);

      if (lc_tile_get_texture (&tiles[i]) == NULL && shot_place_is_in_view (&drawing, &bounds))
        return FALSE;
    }
  return TRUE;
}
