/* SPDX-License-Identifier: Apache-2.0 */
/* A picture as the bytes of a file: PNG, SVG, PDF; as it is, or moving. */
#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/canvas/animated-png.h"
#include "picture-private.h"

#define LARGEST_SIDE 32767.0 /* pixels: the limit of Cairo's images */
#define MOST_PIXELS 100e6    /* needs 400 MB */
#define POINT 0.75           /* points per unit: 96 units are an inch */
#define LARGEST_PAGE 14400.0 /* points: the limit of PDF */

/* A picture as it is, or its view of one part of the run after the other. */
typedef struct
{
  LcPicture *picture;
  const GArray *parts; /* LcPicturePart; NULL: as it is */
  double seconds;      /* for each part */
  GCancellable *cancellable;
} Animation;

static guint
picture_encode_count (const Animation *animation)
{
  return animation->parts != NULL ? animation->parts->len : 1;
}

static gboolean
picture_encode_show (const Animation *animation, guint i, GError **error)
{
  const LcPicturePart *part = animation->parts != NULL ? &g_array_index (animation->parts, LcPicturePart, i) : NULL;

  return part == NULL || lc_picture_move (animation->picture, part->from, part->to, animation->cancellable, error);
}

static cairo_status_t
write_append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
check_status (cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE, _ ("the picture cannot be made: %s"),
               cairo_status_to_string (status));
  return FALSE;
}

/* The size is checked before anything is allocated. */
static gboolean
check_pixels (double width, double height, GError **error)
{
  if (width >= 1 && height >= 1 && width <= LARGEST_SIDE && height <= LARGEST_SIDE && width * height <= MOST_PIXELS)
    return TRUE;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE,
               _ ("a PNG of %.0f x %.0f pixels cannot be made: it can have %.0f on a side, and %.0f million in all; a "
                  "smaller size or scale, or an SVG, can"),
               width, height, LARGEST_SIDE, MOST_PIXELS / 1e6);
  return FALSE;
}

static void
paint_on (LcPicture *picture, cairo_surface_t *surface, double scale)
{
  cairo_t *cairo = cairo_create (surface);
  LcCanvas *canvas;

  cairo_scale (cairo, scale, scale);
  canvas = lc_canvas_new_cairo (cairo, picture->context.options.theme);
  lc_picture_paint (picture, canvas);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
}

/* Appends the picture as it is now, as a PNG. */
static gboolean
encode_one_png (LcPicture *picture, double width, double height, double scale, GByteArray *bytes, GError **error)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height);
  gboolean good = check_status (cairo_surface_status (surface), error);

  if (good)
    {
      paint_on (picture, surface, scale);
      good = check_status (cairo_surface_write_to_png_stream (surface, write_append, bytes), error);
    }
  cairo_surface_destroy (surface);
  return good;
}

static GByteArray *
encode_png (const Animation *animation, double scale, GError **error)
{
  const LcRectangle *whole = &animation->picture->context.whole;
  const double width = round (whole->width * scale), height = round (whole->height * scale);
  const guint n = picture_encode_count (animation);
  g_autoptr (LcAnimatedPng) moving = n > 1 ? lc_animated_png_new (n, animation->seconds) : NULL;

  if (!check_pixels (width, height, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      if (!picture_encode_show (animation, i, error) ||
          !encode_one_png (animation->picture, width, height, scale, bytes, error))
        return NULL;
      if (moving == NULL)
        return g_steal_pointer (&bytes);
      if (!lc_animated_png_add (moving, bytes->data, bytes->len))
        {
          g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE, _ ("the picture cannot be made: %s"),
                       _ ("its parts are not alike"));
          return NULL;
        }
    }
  return lc_animated_png_finish (moving);
}

/* The date is that of the recording, so that the same picture always has the same bytes. */
static void
set_date (cairo_surface_t *surface, LcHistory *history)
{
  g_autofree char *start = history != NULL ? lc_history_dup_meta (history, "start") : NULL, *text = NULL;
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (
      start != NULL ? g_ascii_strtoll (start, NULL, 10) / G_GINT64_CONSTANT (1000000000) : 0);

  if (date == NULL)
    return;
  text = g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
}

static gboolean
check_page (double width, double height, GError **error)
{
  if (width <= LARGEST_PAGE && height <= LARGEST_PAGE)
    return TRUE;
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE,
               _ ("a PDF cannot be larger than %.0f on a side: a smaller size, or an SVG, can be made"),
               LARGEST_PAGE / POINT);
  return FALSE;
}

/* Paints a page for each part. */
static gboolean
paint_pages (const Animation *animation, cairo_surface_t *surface, GError **error)
{
  for (guint i = 0; i < picture_encode_count (animation); i++)
    {
      if (i > 0)
        cairo_surface_show_page (surface);
      if (!picture_encode_show (animation, i, error))
        return FALSE;
      paint_on (animation->picture, surface, POINT);
    }
  return TRUE;
}

static GByteArray *
encode_pdf (const Animation *animation, GError **error)
{
  LcPicture *picture = animation->picture;
  const double width = picture->context.whole.width * POINT, height = picture->context.whole.height * POINT;
  g_autofree char *description = lc_picture_dup_description (picture);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  gboolean good;

  if (!check_page (width, height, error))
    return NULL;
  surface = cairo_pdf_surface_create_for_stream (write_append, bytes, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, picture->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Lightcone " LC_VERSION);
  set_date (surface, picture->context.history);
  good = paint_pages (animation, surface, error);
  cairo_surface_finish (surface);
  good = good && check_status (cairo_surface_status (surface), error);
  cairo_surface_destroy (surface);
  return good ? g_steal_pointer (&bytes) : NULL;
}

static GBytes *
encode_svg (const Animation *animation, GError **error)
{
  LcPicture *picture = animation->picture;
  g_autofree char *description = lc_picture_dup_description (picture);
  g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (picture->context.whole.width, picture->context.whole.height,
                                                   picture->context.options.theme, picture->title, description);
  const guint n = picture_encode_count (animation);
  gsize length;
  char *text;

  for (guint i = 0; i < n; i++)
    {
      if (!picture_encode_show (animation, i, error))
        return NULL;
      if (n > 1)
        lc_canvas_begin_frame (canvas, i, n, animation->seconds);
      lc_picture_paint (picture, canvas);
      if (n > 1)
        lc_canvas_end (canvas);
    }
  text = lc_canvas_finish_svg (canvas, &length);
  return g_bytes_new_take (text, length);
}

static GBytes *
picture_encode_as (const Animation *animation, LcFileKind kind, double scale, GError **error)
{
  GByteArray *bytes;

  if (kind == LC_FILE_SVG)
    return encode_svg (animation, error);
  bytes = kind == LC_FILE_PNG ? encode_png (animation, scale, error) : encode_pdf (animation, error);
  return bytes != NULL ? g_byte_array_free_to_bytes (bytes) : NULL;
}

GBytes *
lc_picture_encode (LcPicture *picture, LcFileKind kind, double scale, GError **error)
{
  return picture_encode_as (&(Animation){.picture = picture}, kind, scale, error);
}

GBytes *
lc_picture_encode_frames (LcPicture *picture, const LcPictureFrames *frames, LcFileKind kind, double scale,
                          GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) parts = NULL;

  g_return_val_if_fail (frames->n_frames >= 1 && frames->n_frames <= LC_MOST_FRAMES, NULL);
  g_return_val_if_fail (frames->rate >= LC_LEAST_RATE && frames->rate <= LC_MOST_RATE, NULL);
  g_return_val_if_fail ((picture->view->info.traits & LC_VIEW_FRAMES) != 0, NULL);

  parts = lc_picture_list_parts (picture, frames->n_frames);
  return picture_encode_as (&(Animation){picture, parts, 1 / frames->rate, cancellable}, kind, scale, error);
}
