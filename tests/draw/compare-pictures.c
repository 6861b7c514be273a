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

static unsigned
average_around (cairo_surface_t *image, int x, int y, int blur)
{
  int width = cairo_image_surface_get_width (image), height = cairo_image_surface_get_height (image);
  unsigned sums[3] = {0}, n = 0;

  for (int row = y - blur; row <= y + blur; row++)
    for (int column = x - blur; column <= x + blur; column++)
      if (row >= 0 && row < height && column >= 0 && column < width)
        {
          const unsigned *pixels =
              (void *)(cairo_image_surface_get_data (image) + row * cairo_image_surface_get_stride (image));

          for (int channel = 0; channel < 3; channel++)
            sums[channel] += pixels[column] >> 8 * channel & 0xff;
          n++;
        }
  return sums[0] / n | sums[1] / n << 8 | sums[2] / n << 16;
}

/* Each pixel the average of those around it: what is moved by less than a pixel is the same then. */
static cairo_surface_t *
smooth (cairo_surface_t *image, int blur)
{
  int width = cairo_image_surface_get_width (image), height = cairo_image_surface_get_height (image);
  cairo_surface_t *result = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);

  cairo_surface_flush (result);
  for (int y = 0; y < height; y++)
    {
      unsigned *row = (void *)(cairo_image_surface_get_data (result) + y * cairo_image_surface_get_stride (result));

      for (int x = 0; x < width; x++)
        row[x] = average_around (image, x, y, blur);
    }
  cairo_surface_mark_dirty (result);
  cairo_surface_destroy (image);
  return result;
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

  if (argc != 4 && argc != 5)
    return 2;
  a = load (argv[1]);
  b = load (argv[2]);
  if (argc == 5)
    {
      a = smooth (a, atoi (argv[4]));
      b = smooth (b, atoi (argv[4]));
    }
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
