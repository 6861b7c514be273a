/* SPDX-License-Identifier: Apache-2.0 */
/* Canvases to test with: images, a drawing that has some of everything, calls at random. */
#ifndef LC_TESTS_DRAW_CANVAS_CASE_H
#define LC_TESTS_DRAW_CANVAS_CASE_H

#include "lightcone/canvas.h"

typedef struct
{
  cairo_surface_t *surface;
  cairo_t *cairo;
  LcCanvas *canvas;
  int width;
  int height;
} Image;

#define PAPER 0xffffffffu

/* White. `indirect`: under a clip with which only Cairo can fill pixels, though it cuts nothing off. */
void image_init (Image *image, int width, int height, double scale, gboolean indirect);

/* Nothing more is painted: its pixels can be read. */
void image_finish (Image *image);
void image_clear (Image *image);
guint32 image_get (const Image *image, int x, int y);

/* How far the pixel that differs most is, of 255. */
guint image_distance (const Image *one, const Image *other);

/* 120 x 100, of everything a bit. */
#define DRAWING_WIDTH 120
#define DRAWING_HEIGHT 100
void draw_some_of_everything (LcCanvas *canvas);

/* Any call with any arguments that it allows; some of them make no sense. */
void draw_anything (LcCanvas *canvas, guint n_calls);

/* Letters of several scripts, marks, controls, and bytes that are no text. Free it with g_free. */
char *any_text (void);

#endif
