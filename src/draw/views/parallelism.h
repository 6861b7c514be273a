/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of processes that run, or of messages that are on their way, at the same time, for each timeline of a
 * picture: the base of four views. */
#ifndef LC_DRAW_PARALLELISM_H
#define LC_DRAW_PARALLELISM_H

#include "draw/views/view.h"
#include "lightcone/statistics.h"

/* A time without a change of the number. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint32 count;
} LcDegree;

/* A part of the picture's time. */
typedef struct
{
  guint64 begin;
  guint64 end;
  guint64 known;  /* how much of the part the timeline covers */
  guint64 sum;    /* of the counts, by their length */
  guint32 lowest; /* valid if `known` > 0 */
  guint32 highest;
} LcDegreeInterval;

typedef struct _LcCurve LcCurve;

/* Processes that run, or something else that is counted. Texts are to be translated. */
typedef struct
{
  gboolean (*visit) (LcHistory *history, guint32 timeline, const LcParallelismPart *part, LcParallelismVisit visit,
                     gpointer data, GCancellable *cancellable, GError **error);
  gboolean of_processes; /* no more than there are processes, and the parts with two and more are parallel */
  LcInk ink;
  const char *title; /* of the axis */
  const char *brief;
  char *(*dup_average) (const LcCurve *curve);
  char *(*dup_degree) (guint32 count, const char *begin, const char *end);
  char *(*dup_summary) (double average, guint32 lowest, guint32 highest, const char *begin, const char *end);
  gboolean (*fail_empty) (GError **error);
} LcCurveKind;

extern const LcCurveKind lc_curves_of_running, lc_curves_of_messages;

struct _LcCurve
{
  const LcCurveKind *kind;
  guint32 timeline;
  char *name;
  guint64 from; /* the part that the timeline covers; from == to: nothing */
  guint64 to;
  guint64 sum;
  guint32 lowest;
  guint32 highest;
  guint64 n_degrees;
  GArray *degrees;   /* LcDegree; NULL if there are more than wanted */
  GArray *intervals; /* LcDegreeInterval, one after the other */

  /* Only of processes: */
  guint32 n_levels;
  guint64 *levels; /* for each number k of processes, the time during which exactly k run */

  /* The span from the first to the last time at which two or more run; begin == end: never. */
  guint64 parallel_begin;
  guint64 parallel_end;
  guint64 parallel_running;
};

/* Makes the curves of the picture's timelines, in their order, with at most `n_intervals` intervals each. They have
 * degrees if these are no more than `most_degrees`. NULL with an error, LC_PICTURE_ERROR_EMPTY if there is nothing to
 * count. Free them with g_ptr_array_unref. */
GPtrArray *lc_curves_new (const LcViewContext *context, const LcCurveKind *kind, guint n_intervals,
                          guint64 most_degrees, GCancellable *cancellable, GError **error);

double lc_curve_get_average (const LcCurve *curve);
double lc_curve_get_parallel_average (const LcCurve *curve);
double lc_degree_interval_get_average (const LcDegreeInterval *interval);

/* Finds the time at a place of the plot. FALSE: the place is beside the plot, or more than `margin` above or below. */
gboolean lc_curves_find_time (const LcFrame *frame, LcRectangle area, LcPlace place, double margin, guint64 *time);

/* Finds the interval that contains a time, or NULL. */
const LcDegreeInterval *lc_curve_find_interval (const LcCurve *curve, guint64 time);

/* The largest degree that an axis must show. */
double lc_curves_get_top (const LcViewContext *context, const GPtrArray *curves);

/* Give the look of the n-th curve; the measured one is pale if it is not alone. */
LcFill lc_curves_get_fill (const GPtrArray *curves, guint n, LcCanvas *canvas);
LcStroke lc_curves_get_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas, double width);
LcStroke lc_curves_get_average_stroke (const GPtrArray *curves, guint n, LcCanvas *canvas);

/* Adds each curve and its average to the legend. */
void lc_curves_describe (const GPtrArray *curves, LcFrame *frame, LcCanvas *canvas);

/* Tells the average, lowest and highest degree of each curve in a sentence. */
char *lc_curves_tell (const GPtrArray *curves);

#endif
