/* SPDX-License-Identifier: Apache-2.0 */
/* Contours of a matrix: bands of values, and a grid that says which band is where. */
#ifndef LC_DRAW_CONTOURS_H
#define LC_DRAW_CONTOURS_H

#include "lightcone/snapshot.h"

/* The band of a value that is infinite or no number. */
#define LC_BAND_NONE G_MAXUINT8

/* Bands are equal intervals of the values of one or more matrices; the last one includes the highest value. */
typedef struct
{
  double lowest;
  double highest;
  guint n_bands;     /* 1 if all values are the same, 0 if there are none */
  guint64 n_strange; /* values that are infinite or no numbers */
} LcBands;

/* Begins without values. */
void lc_bands_init (LcBands *bands);

/* Includes the values of a matrix. */
void lc_bands_add (LcBands *bands, const LcSnapshot *snapshot);

/* Sets the number of bands, after all matrices were added. */
void lc_bands_divide (LcBands *bands, guint n_bands);

/* Gives LC_BAND_NONE for a value that is infinite or no number. */
guint8 lc_bands_find (const LcBands *bands, double value);

/* Gives the band of each point of a grid over the matrix, row after row. Where points are closer than values, they are
 * interpolated; where they are further apart, a point is the average of the values around it. Free it with g_free. */
guint8 *lc_bands_sample (const LcBands *bands, const LcSnapshot *snapshot, guint columns, guint rows);

#endif
