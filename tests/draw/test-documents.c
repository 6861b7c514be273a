/* SPDX-License-Identifier: Apache-2.0 */
/* The canvas as SVG and PDF: the same picture as in pixels, small, and with text that is text. */
#include <cairo-pdf.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

#include "canvas-case.h"
#include "../history/random-trials.h"

/* --- SVG --------------------------------------------------------------------------------------------------------- */

static char *
drawing_as_svg (void)
{
  LcCanvas *canvas = lc_canvas_new_svg (DRAWING_WIDTH, DRAWING_HEIGHT, LC_THEME_LIGHT, "A & B", "Some of everything");
  gsize length;
  char *svg;

  draw_some_of_everything (canvas);
  svg = lc_canvas_finish_svg (canvas, &length);
  g_assert_cmpuint (strlen (svg), ==, length);
  lc_canvas_free (canvas);
  return svg;
}

/* LIGHTCONE_REFERENCES_RENEW=1 makes what is drawn now the reference. */
static void
test_golden (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("LIGHTCONE_TEST_DATA"), "draw", "canvas.svg", NULL);
  g_autofree char *svg = drawing_as_svg (), *expected = NULL;

  if (g_strcmp0 (g_getenv ("LIGHTCONE_REFERENCES_RENEW"), "1") == 0)
    g_assert_true (g_file_set_contents (path, svg, -1, NULL));
  g_assert_true (g_file_get_contents (path, &expected, NULL, NULL));
  g_assert_cmpstr (svg, ==, expected);
}

static void
test_locale (void)
{
  g_autofree char *svg = drawing_as_svg (), *other = NULL;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale (LC_NUMERIC, "fr_FR.UTF-8") == NULL)
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  other = drawing_as_svg ();
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (svg, ==, other);
}

static gboolean
has_program (const char *name)
{
  g_autofree char *path = g_find_program_in_path (name);

  if (path == NULL)
    g_test_skip ("it is not installed");
  return path != NULL;
}

static char *
new_folder (void)
{
  char *folder = g_dir_make_tmp ("lightcone-canvas-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

static void
run (const char *const *command, char **output)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)(gpointer)command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

static void
remove_all (const char *folder, const char *one, const char *other)
{
  g_assert_cmpint (g_remove (one), ==, 0);
  if (other != NULL)
    g_assert_cmpint (g_remove (other), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* As somebody else paints our SVG, against what we paint ourselves. */
static void
test_svg_agrees (void)
{
  if (!has_program ("rsvg-convert"))
    return;

  g_autofree char *folder = new_folder (), *svg = drawing_as_svg ();
  g_autofree char *in = g_build_filename (folder, "in.svg", NULL), *out = g_build_filename (folder, "out.png", NULL);
  guint64 sum = 0, differing = 0;
  Image ours, theirs = {.width = DRAWING_WIDTH, .height = DRAWING_HEIGHT};

  g_assert_true (g_file_set_contents (in, svg, -1, NULL));
  run ((const char *const[]){"rsvg-convert", "-o", out, in, NULL}, NULL);
  theirs.surface = cairo_image_surface_create_from_png (out);
  g_assert_cmpint (cairo_image_surface_get_width (theirs.surface), ==, DRAWING_WIDTH);
  image_init (&ours, DRAWING_WIDTH, DRAWING_HEIGHT, 1, FALSE);
  draw_some_of_everything (ours.canvas);
  image_finish (&ours);
  for (int y = 0; y < DRAWING_HEIGHT; y++)
    for (int x = 0; x < DRAWING_WIDTH; x++)
      {
        int apart = 0;

        for (guint shift = 0; shift < 24; shift += 8)
          apart = MAX (apart, ABS ((int)(image_get (&ours, x, y) >> shift & 0xff) -
                                   (int)(image_get (&theirs, x, y) >> shift & 0xff)));
        sum += (guint64)apart;
        differing += apart > 64;
      }
  g_test_message ("mean difference %.2f, %.2f %% differ by more than 64", (double)sum / (120 * 100),
                  (double)differing * 100 / (120 * 100));
  g_assert_cmpuint (sum, <, 4 * 120 * 100);
  g_assert_cmpuint (differing, <, 120 * 100 * 3 / 100);
  image_clear (&ours);
  cairo_surface_destroy (theirs.surface);
  remove_all (folder, in, out);
}

typedef struct
{
  GString *title;
  guint n_titles;
} Parsed;

/* Nothing but commands and numbers. */
static void
check_numbers (const char *name, const char *value)
{
  static const char *const numeric[] = {"d", "x", "y", "width", "height", "stroke-width", "fill-opacity", NULL};

  if (g_strv_contains (numeric, name))
    g_assert_cmpuint (strspn (value, "MmLlHhVvAaz0123456789.- "), ==, strlen (value));
}

static void
start_element (GMarkupParseContext *context G_GNUC_UNUSED, const char *element, const char **names, const char **values,
               gpointer data, GError **error G_GNUC_UNUSED)
{
  ((Parsed *)data)->n_titles += strcmp (element, "title") == 0;
  for (guint i = 0; names[i] != NULL; i++)
    check_numbers (names[i], values[i]);
}

static void
take_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error G_GNUC_UNUSED)
{
  Parsed *parsed = data;

  if (strcmp (g_markup_parse_context_get_element (context), "title") == 0 && parsed->n_titles == 1)
    g_string_append_len (parsed->title, text, (gssize)length);
}

/* Fails if it is no well-formed XML. */
static char *
parse_title (const char *svg)
{
  static const GMarkupParser parser = {.start_element = start_element, .text = take_text};
  Parsed parsed = {.title = g_string_new (NULL)};
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &parsed, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, svg, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_markup_parse_context_free (context);
  for (const char *at = svg; *at != '\0'; at++)
    g_assert_true ((guchar)*at >= 0x20 || *at == '\n' || *at == '\t');
  return g_string_free (parsed.title, FALSE);
}

static void
test_escapes (void)
{
  gsize length;
  LcCanvas *canvas = lc_canvas_new_svg (
      10, 10, LC_THEME_LIGHT, "a<b & \"c\" \x01 \xff \xef\xbf\xbe \u202e\u2066\u200f\u2028 進", "]]> <!-- </desc>");
  g_autofree char *svg = lc_canvas_finish_svg (canvas, &length), *title = parse_title (svg);

  g_assert_cmpstr (title, ==, "a<b & \"c\" \\x01 \xef\xbf\xbd \\ufffe \\u202e\\u2066\\u200f\\u2028 進");
  lc_canvas_free (canvas);
}

static void
test_svg_is_read (void)
{
  if (!has_program ("rsvg-convert"))
    return;
  for (guint round = 0; round < 6; round++)
    {
      g_autofree char *folder = new_folder (), *in = g_build_filename (folder, "in.svg", NULL);
      g_autofree char *out = g_build_filename (folder, "out.png", NULL);
      LcCanvas *canvas = lc_canvas_new_svg (120, 120, LC_THEME_DARK, NULL, NULL);
      g_autofree char *svg = NULL;
      gsize length;

      draw_anything (canvas, 60);
      svg = lc_canvas_finish_svg (canvas, &length);
      lc_canvas_free (canvas);
      g_assert_true (g_file_set_contents (in, svg, (gssize)length, NULL));
      run ((const char *const[]){"rsvg-convert", "-o", out, in, NULL}, NULL);
      remove_all (folder, in, out);
    }
}

/* A batch takes a few bytes for each of its rectangles. */
static void
test_size (void)
{
  LcRectangle *boxes = g_new (LcRectangle, 10000);
  LcCanvas *canvas = lc_canvas_new_svg (1600, 1000, LC_THEME_LIGHT, NULL, NULL);
  gsize length;

  for (guint i = 0; i < 10000; i++)
    boxes[i] = (LcRectangle){i % 100 * 16, i / 100 * 10, 7.25, 8};
  lc_canvas_rectangles (canvas, lc_canvas_fill (canvas, LC_INK_EVENT, 1), boxes, 10000);

  g_autofree char *svg = lc_canvas_finish_svg (canvas, &length);

  g_assert_cmpuint (length, <, 10000 * 24);
  g_assert_null (strstr (strstr (svg, "<path") + 1, "<path"));
  lc_canvas_free (canvas);
  g_free (boxes);
}

/* --- Anything ---------------------------------------------------------------------------------------------------- */

static cairo_status_t
count_bytes (void *data, const guchar *bytes G_GNUC_UNUSED, guint length)
{
  *(gsize *)data += length;
  return CAIRO_STATUS_SUCCESS;
}

static void
test_anything (void)
{
  for (guint round = 0; round < random_trials (40); round++)
    {
      LcCanvas *svg = lc_canvas_new_svg (120, 120, round % LC_THEMES, NULL, NULL), *pdf;
      gsize length, written = 0;
      cairo_surface_t *paper = cairo_pdf_surface_create_for_stream (count_bytes, &written, 120, 120);
      cairo_t *cairo = cairo_create (paper);
      Image image;

      image_init (&image, 120, 120, (double[]){1, 0.01, 3, 40}[round % 4], round % 5 == 0);
      draw_anything (image.canvas, 60);
      g_assert_cmpint (cairo_status (image.cairo), ==, CAIRO_STATUS_SUCCESS);
      image_clear (&image);
      draw_anything (svg, 60);

      g_autofree char *text = lc_canvas_finish_svg (svg, &length);

      g_free (parse_title (text));
      lc_canvas_free (svg);
      pdf = lc_canvas_new_cairo (cairo, LC_THEME_PRINT);
      draw_anything (pdf, 60);
      lc_canvas_free (pdf);
      g_assert_cmpint (cairo_status (cairo), ==, CAIRO_STATUS_SUCCESS);
      cairo_destroy (cairo);
      cairo_surface_finish (paper);
      g_assert_cmpint (cairo_surface_status (paper), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpuint (written, >, 0);
      cairo_surface_destroy (paper);
    }
}

static void
test_misuse (void)
{
  LcCanvas *canvas = lc_canvas_new_svg (10, 10, LC_THEME_LIGHT, NULL, NULL);

  g_test_expect_message ("lightcone-draw", G_LOG_LEVEL_CRITICAL, "*top_is_clip*");
  lc_canvas_unclip (canvas);
  lc_canvas_begin (canvas, "group", NULL);
  g_test_expect_message ("lightcone-draw", G_LOG_LEVEL_CRITICAL, "*top_is_clip*");
  lc_canvas_unclip (canvas);
  g_test_expect_message ("lightcone-draw", G_LOG_LEVEL_CRITICAL, "*levels*");
  g_assert_null (lc_canvas_finish_svg (canvas, NULL));
  lc_canvas_end (canvas);
  g_free (lc_canvas_finish_svg (canvas, NULL));
  g_test_expect_message ("lightcone-draw", G_LOG_LEVEL_CRITICAL, "*finished*");
  lc_canvas_clip (canvas, (LcRectangle){0, 0, 1, 1});
  g_test_assert_expected_messages ();
  lc_canvas_free (canvas);
}

/* --- PDF --------------------------------------------------------------------------------------------------------- */

static void
draw_pdf (const char *path)
{
  cairo_surface_t *surface = cairo_pdf_surface_create (path, DRAWING_WIDTH, DRAWING_HEIGHT);
  cairo_t *cairo = cairo_create (surface);
  LcCanvas *canvas = lc_canvas_new_cairo (cairo, LC_THEME_PRINT);
  LcFill hatch = lc_canvas_fill (canvas, LC_INK_WAITING, 1);

  lc_canvas_rectangles (canvas, hatch, &(LcRectangle){10, 10, 80, 20}, 1);
  lc_canvas_text (canvas, &(LcTextStyle){.font = LC_FONT_NORMAL, .ink = LC_INK_TEXT}, (LcPlace){10, 50}, "searchable");
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
}

/* Text with what it means, patterns without pixels. */
static void
test_pdf (void)
{
  g_autofree char *folder = new_folder (), *path = g_build_filename (folder, "out.pdf", NULL), *bytes = NULL;
  gsize length;

  draw_pdf (path);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_nonnull (g_strstr_len (bytes, -1, "%PDF"));
  for (gsize i = 0; i < length; i++)
    if (bytes[i] == '\0')
      bytes[i] = ' ';
  g_assert_nonnull (g_strstr_len (bytes, (gssize)length, "/ToUnicode"));
  g_assert_nonnull (g_strstr_len (bytes, (gssize)length, "/PatternType"));
  g_assert_null (g_strstr_len (bytes, (gssize)length, "/Image"));
  remove_all (folder, path, NULL);
}

static void
test_pdf_is_searchable (void)
{
  if (!has_program ("pdftotext"))
    return;

  g_autofree char *folder = new_folder (), *path = g_build_filename (folder, "out.pdf", NULL), *text = NULL;

  draw_pdf (path);
  run ((const char *const[]){"pdftotext", path, "-", NULL}, &text);
  g_assert_nonnull (strstr (text, "searchable"));
  remove_all (folder, path, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/documents/SVG is as it was", test_golden);
  g_test_add_func ("/documents/SVG is the same in every locale", test_locale);
  g_test_add_func ("/documents/SVG looks like the pixels", test_svg_agrees);
  g_test_add_func ("/documents/SVG is read by others", test_svg_is_read);
  g_test_add_func ("/documents/SVG has no markup in its texts", test_escapes);
  g_test_add_func ("/documents/SVG is small", test_size);
  g_test_add_func ("/documents/anything can be drawn", test_anything);
  g_test_add_func ("/documents/misuse is told", test_misuse);
  g_test_add_func ("/documents/PDF has text and patterns", test_pdf);
  g_test_add_func ("/documents/PDF can be searched", test_pdf_is_searchable);
  return g_test_run ();
}
