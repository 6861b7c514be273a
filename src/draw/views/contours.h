/* SPDX-License-Identifier: Apache-2.0 */
/* Contours of a matrix: bands of values, and a grid that says which band is where. */
#ifndef LC_DRAW_CONTOURS_H
#define LC_DRAW_CONTOURS_H

#include "lightcone/snapshot.h"

/* The band of a value that is infinite or no number. */
#define LC_BAND_NONE G_MAXUINT8

enum
{
  LC_BANDS_MOST = 16,
};

/* Bands are intervals of the values of one or more matrices; the last one includes the highest value. */
typedef struct
{
  double lowest;
  double highest;
  guint n_bands;    /* 1 if all values are the same, 0 if there are none */
  gboolean is_even; /* the intervals are equal; else the bands but the first begin at `begins` */
  double begins[LC_BANDS_MOST];
  guint64 n_strange; /* values that are infinite or no numbers */
} LcBands;

/* Begins without values. */
void lc_bands_init (LcBands *bands);

/* Includes the values of a matrix. */
void lc_bands_add (LcBands *bands, const LcSnapshot *snapshot);

/* Sets the number of bands, which are equal intervals, after all matrices were added. */
void lc_bands_divide (LcBands *bands, guint n_bands);

/* Divides the values of several matrices, which were all added, so that bands have about as many of them each: equal
 * intervals might leave a matrix of small values with one band. There are at most `n_bands`, and fewer if values that
 * are the same have more than their share. */
void lc_bands_share_out (LcBands *bands, const LcSnapshot *const *matrices, guint n, guint n_bands);

/* Gives LC_BAND_NONE for a value that is infinite or no number. */
guint8 lc_bands_find (const LcBands *bands, double value);

/* Gives the band of each point of a grid over the matrix, row after row. Where points are closer than values, they are
 * interpolated; where they are further apart, a point is the average of the values around it. Free it with g_free. */
guint8 *lc_bands_sample (const LcBands *bands, const LcSnapshot *snapshot, guint columns, guint rows);

#endif
