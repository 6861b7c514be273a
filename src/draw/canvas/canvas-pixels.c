/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels of an image surface, filled without Cairo, which is not needed for rectangles whose edges lie between
 * pixels. */
#include "draw/canvas/canvas-pixels.h"

#include <math.h>
#include <string.h>

struct _LcPixels
{
  cairo_surface_t *surface;
  guint32 *data;
  gsize stride; /* in pixels */
  int width;
  int height;
  guint8 *claimed; /* 1 for each pixel that is in a box of the batch and not painted yet; NULL until needed */
};

LcPixels *
lc_pixels_new (cairo_surface_t *surface)
{
  if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE)
    return NULL;

  cairo_format_t format = cairo_image_surface_get_format (surface);
  guchar *data = cairo_image_surface_get_data (surface);

  if (data == NULL || (format != CAIRO_FORMAT_ARGB32 && format != CAIRO_FORMAT_RGB24))
    return NULL;

  LcPixels *pixels = g_new0 (LcPixels, 1);

  pixels->surface = surface;
  pixels->data = (guint32 *)(void *)data;
  pixels->stride = (gsize)cairo_image_surface_get_stride (surface) / sizeof (guint32);
  pixels->width = cairo_image_surface_get_width (surface);
  pixels->height = cairo_image_surface_get_height (surface);
  return pixels;
}

void
lc_pixels_free (LcPixels *pixels)
{
  if (pixels == NULL)
    return;
  g_free (pixels->claimed);
  g_free (pixels);
}

gboolean
lc_pixel_box_intersect (const LcPixelBox *a, const LcPixelBox *b, LcPixelBox *both)
{
  *both = (LcPixelBox){MAX (a->x0, b->x0), MAX (a->y0, b->y0), MIN (a->x1, b->x1), MIN (a->y1, b->y1)};
  return both->x0 < both->x1 && both->y0 < both->y1;
}

static guint32
canvas_pixels_over (guint32 source, guint32 below)
{
  guint32 rest = 255 - (source >> 24);
  guint32 even = (below & 0xff00ff) * rest + 0x800080, odd = (below >> 8 & 0xff00ff) * rest + 0x800080;

  even = (even + (even >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  odd = (odd + (odd >> 8 & 0xff00ff)) & 0xff00ff00;
  return source + (even | odd);
}

static int
canvas_pixels_modulo (int number, int size)
{
  int rest = number % size;

  return rest < 0 ? rest + size : rest;
}

static void
fill_plain (const LcPixels *pixels, guint32 color, const LcPixelBox *boxes, gsize n_boxes)
{
  for (gsize i = 0; i < n_boxes; i++)
    for (int y = boxes[i].y0; y < boxes[i].y1; y++)
      {
        guint32 *row = pixels->data + (gsize)y * pixels->stride;

        for (int x = boxes[i].x0; x < boxes[i].x1; x++)
          row[x] = color;
      }
}

static void
fill_tiled (const LcPixels *pixels, const LcTile *tile, const LcPixelBox *boxes, gsize n_boxes)
{
  for (gsize i = 0; i < n_boxes; i++)
    for (int y = boxes[i].y0; y < boxes[i].y1; y++)
      {
        guint32 *row = pixels->data + (gsize)y * pixels->stride;
        const guint32 *from = tile->pixels + canvas_pixels_modulo (y - tile->y, tile->size) * tile->size;
        int at = canvas_pixels_modulo (boxes[i].x0 - tile->x, tile->size);

        for (int x = boxes[i].x0; x < boxes[i].x1; x++)
          {
            row[x] = from[at];
            at = at + 1 < tile->size ? at + 1 : 0;
          }
      }
}

static void
canvas_pixels_claim (LcPixels *pixels, const LcPixelBox *boxes, gsize n_boxes)
{
  if (pixels->claimed == NULL)
    pixels->claimed = g_malloc0 ((gsize)pixels->width * pixels->height);
  for (gsize i = 0; i < n_boxes; i++)
    for (int y = boxes[i].y0; y < boxes[i].y1; y++)
      memset (pixels->claimed + (gsize)y * pixels->width + boxes[i].x0, 1, (gsize)(boxes[i].x1 - boxes[i].x0));
}

/* Each pixel is blended once: where boxes overlap, the first box takes the pixel. */
static void
canvas_pixels_blend (LcPixels *pixels, const LcTile *tile, const LcPixelBox *boxes, gsize n_boxes)
{
  canvas_pixels_claim (pixels, boxes, n_boxes);
  for (gsize i = 0; i < n_boxes; i++)
    for (int y = boxes[i].y0; y < boxes[i].y1; y++)
      {
        guint32 *row = pixels->data + (gsize)y * pixels->stride;
        guint8 *claimed = pixels->claimed + (gsize)y * pixels->width;
        const guint32 *from = tile->pixels + canvas_pixels_modulo (y - tile->y, tile->size) * tile->size;
        int at = canvas_pixels_modulo (boxes[i].x0 - tile->x, tile->size);

        for (int x = boxes[i].x0; x < boxes[i].x1; x++)
          {
            if (claimed[x] != 0)
              {
                claimed[x] = 0;
                row[x] = canvas_pixels_over (from[at], row[x]);
              }
            at = at + 1 < tile->size ? at + 1 : 0;
          }
      }
}

void
lc_pixels_fill (LcPixels *pixels, const LcTile *tile, const LcPixelBox *boxes, gsize n_boxes)
{
  cairo_surface_flush (pixels->surface);
  if (!tile->opaque)
    canvas_pixels_blend (pixels, tile, boxes, n_boxes);
  else if (tile->size == 1)
    fill_plain (pixels, tile->pixels[0], boxes, n_boxes);
  else
    fill_tiled (pixels, tile, boxes, n_boxes);
  cairo_surface_mark_dirty (pixels->surface);
}

/* --- Lines ------------------------------------------------------------------------------------------------------- */

static guint32
canvas_pixels_scaled (guint32 color, double share)
{
  guint32 part = (guint32)(share * 256 + 0.5);

  return ((color & 0xff00ff) * part >> 8 & 0xff00ff) | ((color >> 8 & 0xff00ff) * part & 0xff00ff00);
}

/* Walks along the axis on which the line is longer, and blends each pixel by how much of it the line covers. */
void
lc_pixels_line (LcPixels *pixels, const LcPixelLine *line, const LcPixelBox *box)
{
  gboolean steep = fabs (line->y1 - line->y0) > fabs (line->x1 - line->x0);
  double along0 = steep ? line->y0 : line->x0, along1 = steep ? line->y1 : line->x1;
  double across0 = steep ? line->x0 : line->y0, across1 = steep ? line->x1 : line->y1;
  double slope = along1 != along0 ? (across1 - across0) / (along1 - along0) : 0, stretch = hypot (1, slope);
  double half = line->width * stretch / 2, low = MIN (along0, along1), high = MAX (along0, along1);
  int first = MAX ((int)floor (low), steep ? box->y0 : box->x0);
  int last = MIN ((int)ceil (high), steep ? box->y1 : box->x1), least = steep ? box->x0 : box->y0;
  int most = steep ? box->x1 : box->y1;

  cairo_surface_flush (pixels->surface);
  for (int i = first; i < last; i++)
    {
      double part = MIN (high, i + 1.0) - MAX (low, i), middle = CLAMP (i + 0.5, low, high);
      double across = across0 + (middle - along0) * slope, top, bottom;

      if (line->gap > 0 && fmod (fabs (middle - along0) * stretch, line->dash + line->gap) >= line->dash)
        continue;
      top = MAX (across - half, least);
      bottom = MIN (across + half, most);
      for (int k = (int)top; k < bottom; k++)
        {
          double covered = MIN (bottom, k + 1.0) - MAX (top, k);
          guint32 *pixel = pixels->data + (gsize)(steep ? i : k) * pixels->stride + (steep ? k : i);

          *pixel = canvas_pixels_over (canvas_pixels_scaled (line->color, covered * part), *pixel);
        }
    }
  cairo_surface_mark_dirty (pixels->surface);
}
