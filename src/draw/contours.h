/* SPDX-License-Identifier: Apache-2.0 */
/* Contours of a matrix: bands of values, as a grid of which band is where. */
#ifndef LC_DRAW_CONTOURS_H
#define LC_DRAW_CONTOURS_H

#include "lightcone/snapshot.h"

/* What is no number, or infinite. */
#define LC_BAND_NONE G_MAXUINT8

/* Even intervals of the values of a matrix, or of several; the last one ends with the highest value. */
typedef struct
{
  double lowest;
  double highest;
  guint n_bands;     /* 1 if all values are the same, 0 if there are none */
  guint64 n_strange; /* values that are no numbers, or infinite */
} LcBands;

/* Without values. */
void lc_bands_init (LcBands *bands);

/* Takes them in. */
void lc_bands_add (LcBands *bands, const LcSnapshot *snapshot);

/* When all are in. */
void lc_bands_divide (LcBands *bands, guint n_bands);

/* LC_BAND_NONE: it is no number. */
guint8 lc_bands_find (const LcBands *bands, double value);

/* The band of each point of a grid over the matrix, row after row: where points are closer than values, of what lies
 * between these on straight lines; where they are further apart, of the average of the values around. Free with g_free.
 */
guint8 *lc_bands_sample (const LcBands *bands, const LcSnapshot *snapshot, guint columns, guint rows);

#endif
