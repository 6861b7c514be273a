/* SPDX-License-Identifier: Apache-2.0 */
/* Moves: the meaning of keys and of the wheel, and their effect on the part in view. Plain arithmetic without
 * widgets. */
#ifndef LC_APP_DIAGRAM_MOVES_H
#define LC_APP_DIAGRAM_MOVES_H

#include <gdk/gdk.h>

#include "app/session/session.h"

typedef enum
{
  LC_MOVE_NONE,

  /* Moves of the part in view. The first four are directions on the screen. */
  LC_MOVE_LEFT,
  LC_MOVE_RIGHT,
  LC_MOVE_UP,
  LC_MOVE_DOWN,
  LC_MOVE_PAGE_BACK, /* in time */
  LC_MOVE_PAGE_ON,
  LC_MOVE_BEGIN,
  LC_MOVE_END,
  LC_MOVE_ZOOM_IN, /* in time */
  LC_MOVE_ZOOM_OUT,
  LC_MOVE_ROWS_IN,
  LC_MOVE_ROWS_OUT,
  LC_MOVE_FIT,

  /* Moves of the selection. */
  LC_MOVE_NEXT, /* on the same process */
  LC_MOVE_PREVIOUS,
  LC_MOVE_ROW_BEFORE, /* the event on another row that is nearest in time */
  LC_MOVE_ROW_AFTER,
  LC_MOVE_ARC_IN, /* to the other end of the longest arc into the event */
  LC_MOVE_ARC_OUT,
  LC_MOVE_ZOOM_TO,

  LC_MOVE_BACK, /* Escape */
  LC_MOVE_MENU,
} LcMove;

/* Finds the move that a key of the diagram means. */
LcMove lc_move_find (guint key, GdkModifierType modifiers);

/* The effect of the wheel. */
typedef enum
{
  LC_WHEEL_PANS,
  LC_WHEEL_ZOOMS_TIME,
  LC_WHEEL_ZOOMS_ROWS,
} LcWheel;

/* Finds the effect for the held modifiers. `zooms`: without a modifier the wheel zooms, and with Control it pans. */
LcWheel lc_wheel_find (GdkModifierType modifiers, gboolean zooms);

/* Returns the factor by which the wheel changes the length of the view; positive notches (down) show more of the
 * run. */
double lc_wheel_get_factor (double notches);

/* Returns the pixels that a notch pans a view of this length. */
double lc_wheel_get_pixels (double length);

/* Lays out a part of the run in a widget of this size. */
void lc_span_to_view (const LcSpan *span, LcOrientation orientation, double width, double height, LcDiagramView *view);

/* Pans the part by pixels, where `view` is its current layout. */
void lc_span_pan (LcSpan *span, const LcDiagramView *view, double x, double y);

/* Zoom by a factor around a place that stays in the window; 1 changes nothing. At the narrowest and the widest view,
 * the part stays as it is. */
void lc_span_zoom (LcSpan *span, const LcSpan *whole, double factor, double position);
void lc_span_zoom_rows (LcSpan *span, const LcSpan *whole, double factor, double row);

/* Finds the part in a rectangle between two places. FALSE: the rectangle is too small to have been meant. A rectangle
 * that is flat in one direction sets only the other one. */
gboolean lc_span_from_band (LcSpan *span, const LcDiagramView *view, LcPlace start, LcPlace end);

/* Shows all of [from, to] with some margin, at least `least` long. */
void lc_span_zoom_to (LcSpan *span, double from, double to, double least);

/* Moves the part as little as possible so that it contains [from, to] and the row. The part grows only if it must, and
 * never shrinks. */
void lc_span_reveal (LcSpan *span, double from, double to, double row);

/* Applies a move to the part in view, zooming around `position` and `row`. FALSE: it is not a move of the view. */
gboolean lc_span_move (LcSpan *span, const LcSpan *whole, LcOrientation orientation, LcMove move, double position,
                       double row);

/* --- The strip of the whole run -------------------------------------------------------------------------------------
 */

typedef enum
{
  LC_FRAME_OUTSIDE,
  LC_FRAME_BEGIN, /* the handles of the frame */
  LC_FRAME_END,
  LC_FRAME_INSIDE,
} LcFramePart;

/* Finds the part of a frame at a place; even a narrow frame has handles that can be grabbed. */
LcFramePart lc_frame_find (double place, double from, double to);

/* Applies a drag of a part of the frame by some positions; a handle stops at the other one. */
void lc_span_drag (LcSpan *span, const LcSpan *whole, LcFramePart part, double positions);

#endif
