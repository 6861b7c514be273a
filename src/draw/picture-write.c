/* SPDX-License-Identifier: Apache-2.0 */
/* A picture as a file: PNG, SVG, PDF. */
#include <cairo-pdf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture-private.h"

#define LARGEST_SIDE 32767.0 /* pixels: the limit of Cairo's images */
#define MOST_PIXELS 100e6    /* needs 400 MB */
#define POINT 0.75           /* points per unit: 96 units are an inch */
#define LARGEST_PAGE 14400.0 /* points: the limit of PDF */

static const struct
{
  const char *ending;
  LcFileKind kind;
} endings[] = {{".png", LC_FILE_PNG}, {".svg", LC_FILE_SVG}, {".pdf", LC_FILE_PDF}};

gboolean
lc_file_kind_parse (const char *path, LcFileKind *kind, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending))
      {
        *kind = endings[i].kind;
        return TRUE;
      }
  g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE,
               _ ("%s: no kind of file that can be written; the name has to end with .png, .svg or .pdf"), path);
  return FALSE;
}

/* --- In memory -----------------------------------------------------------------------------------------------------
 */

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

static gboolean
encode_png (LcPicture *picture, double scale, GByteArray *bytes, GError **error)
{
  double width = round (picture->context.whole.width * scale), height = round (picture->context.whole.height * scale);
  cairo_surface_t *surface;
  gboolean good;

  if (!check_pixels (width, height, error))
    return FALSE;
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height);
  good = check_status (cairo_surface_status (surface), error);
  if (good)
    {
      paint_on (picture, surface, scale);
      good = check_status (cairo_surface_write_to_png_stream (surface, write_append, bytes), error);
    }
  cairo_surface_destroy (surface);
  return good;
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
encode_pdf (LcPicture *picture, GByteArray *bytes, GError **error)
{
  double width = picture->context.whole.width * POINT, height = picture->context.whole.height * POINT;
  g_autofree char *description = lc_picture_dup_description (picture);
  cairo_surface_t *surface;
  cairo_status_t status;

  if (width > LARGEST_PAGE || height > LARGEST_PAGE)
    {
      g_set_error (error, LC_PICTURE_ERROR, LC_PICTURE_ERROR_FILE,
                   _ ("a PDF cannot be larger than %.0f on a side: a smaller size, or an SVG, can be made"),
                   LARGEST_PAGE / POINT);
      return FALSE;
    }
  surface = cairo_pdf_surface_create_for_stream (write_append, bytes, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, picture->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Lightcone " LC_VERSION);
  set_date (surface, picture->context.history);
  paint_on (picture, surface, POINT);
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return check_status (status, error);
}

static GBytes *
encode_svg (LcPicture *picture)
{
  g_autofree char *description = lc_picture_dup_description (picture);
  g_autoptr (LcCanvas) canvas = lc_canvas_new_svg (picture->context.whole.width, picture->context.whole.height,
                                                   picture->context.options.theme, picture->title, description);
  gsize length;
  char *text;

  lc_picture_paint (picture, canvas);
  text = lc_canvas_finish_svg (canvas, &length);
  return g_bytes_new_take (text, length);
}

GBytes *
lc_picture_encode (LcPicture *picture, LcFileKind kind, double scale, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (kind == LC_FILE_SVG)
    return encode_svg (picture);
  bytes = g_byte_array_new ();
  if (kind == LC_FILE_PNG ? !encode_png (picture, scale, bytes, error) : !encode_pdf (picture, bytes, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* --- On the disk ---------------------------------------------------------------------------------------------------
 */

static gboolean
fail_file (const char *path, GError **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return FALSE;
}

static gboolean
picture_write_all (int file, GBytes *bytes)
{
  gsize length;
  const char *at = g_bytes_get_data (bytes, &length), *end = at + length;

  while (at < end)
    {
      gssize written = write (file, at, (gsize)(end - at));

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return FALSE;
      at += written;
    }
  return TRUE;
}

/* Writes into something that is no regular file: a device or a pipe. */
static gboolean
write_into (const char *path, GBytes *bytes, GError **error)
{
  int file = g_open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
  gboolean written;

  if (file < 0)
    return fail_file (path, error);
  written = picture_write_all (file, bytes);
  if (!written)
    fail_file (path, error);
  if (close (file) != 0 && written)
    return fail_file (path, error);
  return written;
}

/* Writes another file and renames it to `path`, so that the old one is never half overwritten. `mode` is the old
 * file's, or 0. */
static gboolean
write_aside (const char *path, mode_t mode, GBytes *bytes, GError **error)
{
  g_autofree char *aside = g_strconcat (path, ".XXXXXX", NULL);
  int file = g_mkstemp_full (aside, O_WRONLY | O_CLOEXEC, 0666);
  gboolean written;

  if (file < 0)
    return fail_file (path, error);
  written = picture_write_all (file, bytes) && (mode == 0 || fchmod (file, mode) == 0);
  if (!written)
    fail_file (path, error);
  if (close (file) != 0 && written)
    written = fail_file (path, error);
  if (written && g_rename (aside, path) != 0)
    written = fail_file (path, error);
  if (!written)
    g_unlink (aside);
  return written;
}

gboolean
lc_picture_write_bytes (GBytes *bytes, const char *path, GError **error)
{
  g_autofree char *real = NULL;
  struct stat status;

  if (stat (path, &status) != 0)
    return write_aside (path, 0, bytes, error);
  if (!S_ISREG (status.st_mode))
    return write_into (path, bytes, error);
  /* A symbolic link stays one: the file that it points to is replaced. */
  real = realpath (path, NULL);
  return write_aside (real != NULL ? real : path, status.st_mode & 07777, bytes, error);
}

gboolean
lc_picture_write (LcPicture *picture, const char *path, LcFileKind kind, double scale, GError **error)
{
  g_autoptr (GBytes) bytes = lc_picture_encode (picture, kind, scale, error);

  if (bytes != NULL)
    return lc_picture_write_bytes (bytes, path, error);
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}
