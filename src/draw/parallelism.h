/* SPDX-License-Identifier: Apache-2.0 */
/* How many processes run at the same time on each timeline of a picture: what three views are made of. */
#ifndef LC_DRAW_PARALLELISM_H
#define LC_DRAW_PARALLELISM_H

#include "draw/view.h"

/* So many run from one time to another. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint32 running;
} LcDegree;

/* One part of the picture's time. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint64 known;   /* how much of it the timeline covers */
  guint64 running; /* of all processes together */
  guint32 lowest;  /* if any of it is known */
  guint32 highest;
} LcDegreeInterval;

typedef struct
{
  guint32 timeline;
  char *name;
  guint64 from; /* what it covers; from == to: nothing */
  guint64 to;
  guint64 running;
  guint32 lowest;
  guint32 highest;
  guint64 n_degrees;
  GArray *degrees;   /* LcDegree, or NULL: they are more than wanted */
  GArray *intervals; /* LcDegreeInterval, one after the other */
  guint32 n_levels;
  guint64 *levels; /* the time with exactly k running */

  /* From the first to the last time at which two or more run; begin == end: never. */
  guint64 parallel_begin;
  guint64 parallel_end;
  guint64 parallel_running;
} LcCurve;

/* Of the picture's timelines, in their order; NULL with LC_PICTURE_ERROR_EMPTY, too. No more than so many intervals,
 * and each change if they are no more than `most_degrees`. Free with g_ptr_array_unref. */
GPtrArray *lc_curves_new (const LcViewContext *context, guint n_intervals, guint64 most_degrees,
                          GCancellable *cancellable, GError **error);

double lc_curve_get_average (const LcCurve *curve);
double lc_curve_get_parallel_average (const LcCurve *curve);
double lc_degree_interval_get_average (const LcDegreeInterval *interval);

/* The time at a place of the plot. FALSE: it is more than `margin` above or below, or beside it. */
gboolean lc_curves_find_time (const LcViewContext *context, LcRectangle area, LcPlace place, double margin,
                              guint64 *time);

/* The interval that a time is in, or NULL. */
const LcDegreeInterval *lc_curve_find_interval (const LcCurve *curve, guint64 time);

/* The largest degree that an axis has to show. */
double lc_curves_get_top (const LcViewContext *context, const GPtrArray *curves);

/* How the n-th of them is painted: the measured one pale if it is not alone. */
LcFill lc_curves_get_fill (const GPtrArray *curves, guint n, LcCanvas *canvas);
LcStroke lc_curves_get_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas, double width);
LcStroke lc_curves_get_average_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas);

/* In the legend: each one and its average. */
void lc_curves_describe (const GPtrArray *curves, LcFrame *frame, LcCanvas *canvas);

/* Each one's average, lowest and highest degree, in a sentence each. */
char *lc_curves_tell (const GPtrArray *curves);

#endif
