/* SPDX-License-Identifier: Apache-2.0 */
/* Moves: what a key or a wheel means, and what it does to the part in view. Plain sums, which know no widget. */
#ifndef LC_APP_DIAGRAM_MOVES_H
#define LC_APP_DIAGRAM_MOVES_H

#include <gdk/gdk.h>

#include "app/session/session.h"

typedef enum
{
  LC_MOVE_NONE,

  /* Of the part in view. The first four are directions on the screen. */
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

  /* Of the selection. */
  LC_MOVE_NEXT, /* on its process */
  LC_MOVE_PREVIOUS,
  LC_MOVE_ROW_BEFORE, /* the nearest in time on another row */
  LC_MOVE_ROW_AFTER,
  LC_MOVE_ARC_IN, /* to where the longest one that ends at it comes from */
  LC_MOVE_ARC_OUT,
  LC_MOVE_ZOOM_TO,

  LC_MOVE_BACK, /* Escape */
  LC_MOVE_MENU,
} LcMove;

/* What a key of the diagram does. */
LcMove lc_move_find (guint key, GdkModifierType modifiers);

/* What the wheel does. */
typedef enum
{
  LC_WHEEL_PANS,
  LC_WHEEL_ZOOMS_TIME,
  LC_WHEEL_ZOOMS_ROWS,
} LcWheel;

/* For the modifiers that are held; `zooms`: without any it zooms, and Control makes it pan. */
LcWheel lc_wheel_find (GdkModifierType modifiers, gboolean zooms);

/* By which factor the part in view becomes longer or shorter; `notches` of a wheel, down is more of the run. */
double lc_wheel_get_factor (double notches);

/* How far one notch goes, of a view that is so many pixels long. */
double lc_wheel_get_pixels (double length);

/* The view of a part in a widget of this size. */
void lc_span_to_view (const LcSpan *span, LcOrientation orientation, double width, double height, LcDiagramView *view);

/* The part that moves have led to; `view` is where it lies. Pixels: how far what is shown moves against the window. */
void lc_span_pan (LcSpan *span, const LcDiagramView *view, double x, double y);

/* By a factor around a place of the window, which stays where it is; 1: not at all. What is already as narrow or as
 * wide as can be stays as it is. */
void lc_span_zoom (LcSpan *span, const LcSpan *whole, double factor, double position);
void lc_span_zoom_rows (LcSpan *span, const LcSpan *whole, double factor, double row);

/* What lies in a rectangle between two places. FALSE: it is too small to have been meant. A rectangle that is flat in
 * one direction means only the other one. */
gboolean lc_span_from_band (LcSpan *span, const LcDiagramView *view, LcPlace start, LcPlace end);

/* All of [from, to], with something around it. `least`: not shorter than that. */
void lc_span_zoom_to (LcSpan *span, double from, double to, double least);

/* Moves it as little as need be to have [from, to] and the row in it; it becomes longer only if it must, and never
 * shorter. */
void lc_span_reveal (LcSpan *span, double from, double to, double row);

/* What a move of the part in view does. `position` and `row`: what zooming is around. FALSE: it is no such move. */
gboolean lc_span_move (LcSpan *span, const LcSpan *whole, LcOrientation orientation, LcMove move, double position,
                       double row);

/* --- The strip of the whole run -------------------------------------------------------------------------------------
 */

typedef enum
{
  LC_FRAME_OUTSIDE,
  LC_FRAME_BEGIN, /* its handles */
  LC_FRAME_END,
  LC_FRAME_INSIDE,
} LcFramePart;

/* What of a frame from one pixel to another is at a place; however narrow it is, each part of it can be got hold of. */
LcFramePart lc_frame_find (double place, double from, double to);

/* What becomes of the part in view when that part of its frame is moved by so many positions; a handle that is moved
 * over the other one stops there. */
void lc_span_drag (LcSpan *span, const LcSpan *whole, LcFramePart part, double positions);

#endif
