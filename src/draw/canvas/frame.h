/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a picture: title, what is shown, axes with units, legend, notes. Every view is painted in one. */
#ifndef LC_DRAW_FRAME_H
#define LC_DRAW_FRAME_H

#include "draw/canvas/legend.h"
#include "lightcone/canvas.h"

/* The kind of numbers on an axis. */
typedef enum
{
  LC_SCALE_NONE, /* no numbers: the view labels the axis itself */
  LC_SCALE_TIME, /* ns: all ticks have the same unit, which is added to the title */
  LC_SCALE_COUNT,
  LC_SCALE_NUMBER,
  LC_SCALE_PERCENT, /* 0 to 1, shown as 0 % to 100 % */
  LC_SCALE_BYTES,
  LC_SCALE_NAMES, /* `names`: item k lies from k to k + 1 */
} LcAxisScaleKind;

typedef struct
{
  const char *title; /* "Time", "Running processes"; the unit is added. Borrowed until the frame is painted */
  const char *brief; /* a title for where there is no room for that one, or NULL; likewise */
  LcAxisScaleKind kind;
  double from; /* at the left or the bottom */
  double to;   /* at the right or the top; may be less than `from` */
  gboolean grid;
  const char *const *names; /* LC_SCALE_NAMES: as many as from `from` to `to` */
  guint64 origin;           /* LC_SCALE_TIME: the time that is written as 0 */
} LcAxisScale;

typedef struct _LcFrame LcFrame;

/* `title` ("" for none) and `shown`, the line below it, are copied. */
LcFrame *lc_frame_new (const char *title, const char *shown);
void lc_frame_free (LcFrame *frame);

/* Scales are copied, except the names of LC_SCALE_NAMES. Larger numbers are at the top, unless to < from. */
void lc_frame_set_x (LcFrame *frame, const LcAxisScale *scale);
void lc_frame_set_y (LcFrame *frame, const LcAxisScale *scale);

/* Has time go down: lc_frame_set_time makes y the axis of time then, and lc_frame_set_y after it describes x. Without
 * lc_frame_set_time nothing changes. */
void lc_frame_turn (LcFrame *frame);
gboolean lc_frame_is_turned (const LcFrame *frame);

/* Makes x the axis of time, from the begin of the run, with a grid. To be called before lc_frame_set_y. */
void lc_frame_set_time (LcFrame *frame, guint64 from, guint64 to);

/* Gives the span of lc_frame_set_time. FALSE: no axis is of time. */
gboolean lc_frame_get_time (const LcFrame *frame, guint64 *from, guint64 *to);

/* Places the axis of lc_frame_set_time, if it has room there; other axes are where they have most room. The legend is
 * above the plot then, and labels of the axis y are cut to the room at the left. */
void lc_frame_place_time (LcFrame *frame, const LcTimePlace *place);

/* Gives the part of a painted frame that moves when another time is shown: the plot, and the numbers of time. */
LcRectangle lc_frame_get_moving (const LcFrame *frame);

/* Keeps room beside the plot that the view paints itself, for names of processes and the like. */
void lc_frame_set_margins (LcFrame *frame, double left, double top);

/* Items are shown in the order in which they are added. An item whose text was added before is ignored. */
void lc_frame_add_fill (LcFrame *frame, const char *text, LcFill fill);
void lc_frame_add_line (LcFrame *frame, const char *text, LcStroke stroke);
void lc_frame_add_marker (LcFrame *frame, const char *text, LcMarker marker, LcFill fill);
void lc_frame_add_sample (LcFrame *frame, const char *text, const LcLegendSample *sample);
void lc_frame_add_ramp (LcFrame *frame, const char *text, const char *lowest, const char *highest);
void lc_frame_add_shades (LcFrame *frame, const char *text, const char *lowest, const char *highest, LcShade shade);

/* Adds a sentence at the bottom that tells what is summed up, cut or left out. */
void lc_frame_add_note (LcFrame *frame, const char *text);

/* Lays the frame out in the picture and paints it. Returns the area for the view. */
LcRectangle lc_frame_paint (LcFrame *frame, LcCanvas *canvas, LcRectangle whole);

/* Gives the same area without painting, so that a view knows how many pixels it will have. */
LcRectangle lc_frame_measure (LcFrame *frame, LcCanvas *canvas, LcRectangle whole);

/* Give the place of a value on a painted frame's axis. */
double lc_frame_get_x (const LcFrame *frame, double value);
double lc_frame_get_y (const LcFrame *frame, double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFrame, lc_frame_free)

/* --- Ticks (ticks.c) -----------------------------------------------------------------------------------------------
 */

typedef struct
{
  double value;
  char *text;
} LcTick;

/* Gives a new array of at most `most` round numbers between `from` and `to`: 1, 2 or 5 times a power of ten, and for
 * time also multiples of 60. The array frees its texts. `unit` is the unit of the texts, or NULL; free it with
 * g_free. */
GArray *lc_ticks_new (LcAxisScaleKind kind, double from, double to, guint most, char **unit);

#endif
