/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two PNG files: compare-pictures ACTUAL REFERENCE DIFFERENCE. Prints the share of pixels that differ visibly.
 */
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  VISIBLE = 40, /* of 255, in the channel that differs most: rounding and antialiasing are less */
};

static cairo_surface_t *
load (const char *path)
{
  cairo_surface_t *file = cairo_image_surface_create_from_png (path), *image;
  cairo_t *cairo;

  if (cairo_surface_status (file) != CAIRO_STATUS_SUCCESS)
    {
      fprintf (stderr, "%s: %s\n", path, cairo_status_to_string (cairo_surface_status (file)));
      exit (2);
    }
  image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, cairo_image_surface_get_width (file),
                                      cairo_image_surface_get_height (file));
  cairo = cairo_create (image);
  cairo_set_source_surface (cairo, file, 0, 0);
  cairo_paint (cairo);
  cairo_destroy (cairo);
  cairo_surface_destroy (file);
  cairo_surface_flush (image);
  return image;
}

static int
apart (unsigned a, unsigned b)
{
  int most = 0;

  for (int shift = 0; shift < 24; shift += 8)
    {
      int one = abs ((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));

      most = one > most ? one : most;
    }
  return most;
}

/* Leaves in `a` what differs, red on what it was, paler. */
static long
compare (cairo_surface_t *a, cairo_surface_t *b)
{
  int width = cairo_image_surface_get_width (a), height = cairo_image_surface_get_height (a);
  long found = 0;

  for (int y = 0; y < height; y++)
    {
      unsigned *row = (void *)(cairo_image_surface_get_data (a) + y * cairo_image_surface_get_stride (a));
      const unsigned *other = (void *)(cairo_image_surface_get_data (b) + y * cairo_image_surface_get_stride (b));

      for (int x = 0; x < width; x++)
        if (apart (row[x], other[x]) > VISIBLE)
          {
            row[x] = 0xff0000;
            found++;
          }
        else
          row[x] = 0xc0c0c0 | (row[x] >> 2 & 0x3f3f3f);
    }
  cairo_surface_mark_dirty (a);
  return found;
}

int
main (int argc, char **argv)
{
  cairo_surface_t *a, *b;
  int width, height;

  if (argc != 4)
    return 2;
  a = load (argv[1]);
  b = load (argv[2]);
  width = cairo_image_surface_get_width (a);
  height = cairo_image_surface_get_height (a);
  if (width != cairo_image_surface_get_width (b) || height != cairo_image_surface_get_height (b))
    {
      printf ("1.0\n");
      return 0;
    }
  printf ("%.6f\n", (double)compare (a, b) / ((double)width * height));
  if (cairo_surface_write_to_png (a, argv[3]) != CAIRO_STATUS_SUCCESS)
    return 2;
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
  return 0;
}
