/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a picture: title, what is shown, axes with units, legend, notes. Every view is painted in one. */
#ifndef LC_DRAW_FRAME_H
#define LC_DRAW_FRAME_H

#include "lightcone/canvas.h"

/* What the numbers on an axis are. */
typedef enum
{
  LC_SCALE_NONE, /* no numbers: the view labels it */
  LC_SCALE_TIME, /* ns: all ticks in one unit, which the title names */
  LC_SCALE_COUNT,
  LC_SCALE_NUMBER,
  LC_SCALE_PERCENT, /* 0 to 1 shown as 0 % to 100 % */
  LC_SCALE_BYTES,
  LC_SCALE_NAMES, /* of `names`: item k lies from k to k + 1 */
} LcAxisScaleKind;

typedef struct
{
  const char *title; /* "Time", "Running processes"; the unit is added. Borrowed until the frame is painted */
  LcAxisScaleKind kind;
  double from; /* at the left or the bottom */
  double to;   /* at the right or the top; may be less than `from` */
  gboolean grid;
  const char *const *names; /* LC_SCALE_NAMES: to - from of them */
  guint64 origin;           /* LC_SCALE_TIME: what is written as 0 */
} LcAxisScale;

typedef enum
{
  LC_LEGEND_FILL,
  LC_LEGEND_LINE,
  LC_LEGEND_MARKER,
  LC_LEGEND_RAMP, /* amounts from `text` to `text_to` */
} LcLegendKind;

typedef struct _LcFrame LcFrame;

/* `title` ("": none) and `shown` (the line below it) are copied. */
LcFrame *lc_frame_new (const char *title, const char *shown);
void lc_frame_free (LcFrame *frame);

/* Copied, but for the names of LC_SCALE_NAMES. Up is where the larger numbers are, unless to < from. */
void lc_frame_set_x (LcFrame *frame, const LcAxisScale *scale);
void lc_frame_set_y (LcFrame *frame, const LcAxisScale *scale);

/* The axis of time to the right, from the start of the recording, with a grid. */
void lc_frame_set_time (LcFrame *frame, guint64 from, guint64 to);

/* What lc_frame_set_time was told. FALSE: the axis is another one. */
gboolean lc_frame_get_time (const LcFrame *frame, guint64 *from, guint64 *to);

/* Room that the view wants for itself beside the plot: names of processes and the like. */
void lc_frame_set_margins (LcFrame *frame, double left, double top);

/* In the order in which they are shown. Those with the same text are added once. */
void lc_frame_add_fill (LcFrame *frame, const char *text, LcFill fill);
void lc_frame_add_line (LcFrame *frame, const char *text, LcStroke stroke);
void lc_frame_add_marker (LcFrame *frame, const char *text, LcMarker marker, LcFill fill);
void lc_frame_add_ramp (LcFrame *frame, const char *text, const char *lowest, const char *highest);

/* A sentence at the bottom: what is summed up, cut or left out. */
void lc_frame_add_note (LcFrame *frame, const char *text);

/* Lays it out in the whole of the picture, and paints it. The area for the view: */
LcRectangle lc_frame_paint (LcFrame *frame, LcCanvas *canvas, LcRectangle whole);

/* The same area without painting: how many pixels a view will have. */
LcRectangle lc_frame_measure (LcFrame *frame, LcCanvas *canvas, LcRectangle whole);

/* Where a value is on a painted frame's axis. */
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

/* Round numbers between `from` and `to` (1, 2, 5 times a power of ten; of time 60 too), no more than `most`, in a new
 * array that frees its texts. `unit` is what the texts are in, or NULL; free it with g_free. */
GArray *lc_ticks_new (LcAxisScaleKind kind, double from, double to, guint most, char **unit);

#endif
