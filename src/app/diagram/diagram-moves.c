/* SPDX-License-Identifier: Apache-2.0 */
/* Moves: the meaning of keys and of the wheel, and their effect on the part in view. Plain arithmetic without
 * widgets. */
#include "app/diagram/diagram-moves.h"

#include <math.h>

#define STEP 0.1          /* share of the view, moved by an arrow key */
#define PAGE 0.9          /* share of the view, moved by Page Up and Page Down */
#define KEY_FACTOR 1.5    /* zoom by a key */
#define NOTCH_FACTOR 1.25 /* zoom by a notch of the wheel */
#define NARROWEST 4.0     /* positions: the least that the session shows */
#define FEWEST_ROWS 1.0   /* the least that the session shows */
#define LEAST_BAND 4.0    /* pixels, below which a rubber band was not meant */
#define FLAT_BAND 12.0    /* pixels: a flatter rubber band means the other direction only */
#define GRIP 7.0          /* pixels on each side of a handle */
#define AROUND 0.25       /* free share on each side of the part that is zoomed to */

/* --- Keys and wheel ------------------------------------------------------------------------------------------------
 */

typedef struct
{
  guint key;
  GdkModifierType modifiers;
  LcMove move;
} Key;

static const Key keys[] = {
    {GDK_KEY_Left, 0, LC_MOVE_LEFT},
    {GDK_KEY_Right, 0, LC_MOVE_RIGHT},
    {GDK_KEY_Up, 0, LC_MOVE_UP},
    {GDK_KEY_Down, 0, LC_MOVE_DOWN},
    {GDK_KEY_Page_Up, 0, LC_MOVE_PAGE_BACK},
    {GDK_KEY_Page_Down, 0, LC_MOVE_PAGE_ON},
    {GDK_KEY_Home, 0, LC_MOVE_BEGIN},
    {GDK_KEY_End, 0, LC_MOVE_END},
    {GDK_KEY_Up, GDK_CONTROL_MASK, LC_MOVE_ZOOM_IN},
    {GDK_KEY_Right, GDK_CONTROL_MASK, LC_MOVE_ZOOM_IN},
    {GDK_KEY_Down, GDK_CONTROL_MASK, LC_MOVE_ZOOM_OUT},
    {GDK_KEY_Left, GDK_CONTROL_MASK, LC_MOVE_ZOOM_OUT},
    {GDK_KEY_plus, 0, LC_MOVE_ZOOM_IN},
    {GDK_KEY_equal, 0, LC_MOVE_ZOOM_IN},
    {GDK_KEY_minus, 0, LC_MOVE_ZOOM_OUT},
    {GDK_KEY_plus, GDK_CONTROL_MASK, LC_MOVE_ZOOM_IN},
    {GDK_KEY_equal, GDK_CONTROL_MASK, LC_MOVE_ZOOM_IN},
    {GDK_KEY_minus, GDK_CONTROL_MASK, LC_MOVE_ZOOM_OUT},
    {GDK_KEY_Up, GDK_SHIFT_MASK, LC_MOVE_ROWS_IN},
    {GDK_KEY_Right, GDK_SHIFT_MASK, LC_MOVE_ROWS_IN},
    {GDK_KEY_Down, GDK_SHIFT_MASK, LC_MOVE_ROWS_OUT},
    {GDK_KEY_Left, GDK_SHIFT_MASK, LC_MOVE_ROWS_OUT},
    {GDK_KEY_0, 0, LC_MOVE_FIT},
    {GDK_KEY_0, GDK_CONTROL_MASK, LC_MOVE_FIT},
    {GDK_KEY_n, 0, LC_MOVE_NEXT},
    {GDK_KEY_period, 0, LC_MOVE_NEXT},
    {GDK_KEY_N, GDK_SHIFT_MASK, LC_MOVE_PREVIOUS},
    {GDK_KEY_comma, 0, LC_MOVE_PREVIOUS},
    {GDK_KEY_j, 0, LC_MOVE_ROW_AFTER},
    {GDK_KEY_k, 0, LC_MOVE_ROW_BEFORE},
    {GDK_KEY_h, 0, LC_MOVE_ARC_IN},
    {GDK_KEY_l, 0, LC_MOVE_ARC_OUT},
    {GDK_KEY_Return, 0, LC_MOVE_ZOOM_TO},
    {GDK_KEY_Escape, 0, LC_MOVE_BACK},
    {GDK_KEY_Menu, 0, LC_MOVE_MENU},
    {GDK_KEY_F10, GDK_SHIFT_MASK, LC_MOVE_MENU},
};

/* Maps keys of the keypad to their twins. */
static guint
get_twin (guint key)
{
  static const guint twins[][2] = {
      {GDK_KEY_KP_Left, GDK_KEY_Left},
      {GDK_KEY_KP_Right, GDK_KEY_Right},
      {GDK_KEY_KP_Up, GDK_KEY_Up},
      {GDK_KEY_KP_Down, GDK_KEY_Down},
      {GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up},
      {GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down},
      {GDK_KEY_KP_Home, GDK_KEY_Home},
      {GDK_KEY_KP_End, GDK_KEY_End},
      {GDK_KEY_KP_Add, GDK_KEY_plus},
      {GDK_KEY_KP_Subtract, GDK_KEY_minus},
      {GDK_KEY_KP_0, GDK_KEY_0},
      {GDK_KEY_KP_Enter, GDK_KEY_Return},
      {GDK_KEY_ISO_Enter, GDK_KEY_Return},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (twins); i++)
    if (twins[i][0] == key)
      return twins[i][1];
  return key;
}

LcMove
lc_move_find (guint key, GdkModifierType modifiers)
{
  key = get_twin (key);
  modifiers &= GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK;
  /* Some keyboards need Shift for such a sign. */
  if (key < 0x80 && !g_ascii_isalpha ((char)key))
    modifiers &= ~GDK_SHIFT_MASK;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key && keys[i].modifiers == modifiers)
      return keys[i].move;
  return LC_MOVE_NONE;
}

LcWheel
lc_wheel_find (GdkModifierType modifiers, gboolean zooms)
{
  gboolean control = (modifiers & GDK_CONTROL_MASK) != 0, shift = (modifiers & GDK_SHIFT_MASK) != 0;

  if (shift && !control)
    return LC_WHEEL_ZOOMS_ROWS;
  return control != zooms ? LC_WHEEL_ZOOMS_TIME : LC_WHEEL_PANS;
}

double
lc_wheel_get_factor (double notches)
{
  return pow (NOTCH_FACTOR, CLAMP (notches, -20, 20));
}

double
lc_wheel_get_pixels (double length)
{
  return pow (MAX (length, 1), 2.0 / 3);
}

/* --- The part in view -----------------------------------------------------------------------------------------------
 */

void
lc_span_to_view (const LcSpan *span, LcOrientation orientation, double width, double height, LcDiagramView *view)
{
  *view = (LcDiagramView){.area = {0, 0, MAX (width, 1), MAX (height, 1)},
                          .orientation = orientation,
                          .from = span->from,
                          .to = span->to,
                          .first_row = span->first_row,
                          .last_row = span->last_row,
                          .n_tracks = 1};
}

static void
diagram_moves_shift (LcSpan *span, double positions, double rows)
{
  span->from += positions;
  span->to += positions;
  span->first_row += rows;
  span->last_row += rows;
}

void
lc_span_pan (LcSpan *span, const LcDiagramView *view, double x, double y)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  diagram_moves_shift (span, -(down ? y : x) / lc_diagram_get_scale (view),
                       -(down ? x : y) / lc_diagram_get_row_size (view));
}

/* Limits the factor by `whole` first, so that the view does not drift when nothing is left to zoom. */
static void
diagram_moves_zoom (double *from, double *to, double whole, double narrowest, double factor, double place)
{
  double length = *to - *from;

  factor = MAX (factor, MIN (narrowest / length, 1));
  factor = MIN (factor, MAX (whole / length, 1));
  *from = place - (place - *from) * factor;
  *to = *from + length * factor;
}

void
lc_span_zoom (LcSpan *span, const LcSpan *whole, double factor, double position)
{
  diagram_moves_zoom (&span->from, &span->to, whole->to - whole->from, NARROWEST, factor, position);
}

void
lc_span_zoom_rows (LcSpan *span, const LcSpan *whole, double factor, double row)
{
  diagram_moves_zoom (&span->first_row, &span->last_row, whole->last_row - whole->first_row, FEWEST_ROWS, factor, row);
}

gboolean
lc_span_from_band (LcSpan *span, const LcDiagramView *view, LcPlace start, LcPlace end)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  double along = fabs (down ? end.y - start.y : end.x - start.x),
         across = fabs (down ? end.x - start.x : end.y - start.y);
  double row, last_row, from, to;

  if (MAX (along, across) < LEAST_BAND)
    return FALSE;
  lc_diagram_get_position (view, start, &row, &from);
  lc_diagram_get_position (view, end, &last_row, &to);
  if (along >= FLAT_BAND || along >= across)
    {
      span->from = MIN (from, to);
      span->to = MAX (from, to);
    }
  if (across >= FLAT_BAND || across > along)
    {
      span->first_row = floor (MIN (row, last_row));
      span->last_row = ceil (MAX (row, last_row));
    }
  return TRUE;
}

void
lc_span_zoom_to (LcSpan *span, double from, double to, double least)
{
  double length = MAX ((to - from) * (1 + 2 * AROUND), least), middle = (from + to) / 2;

  span->from = middle - length / 2;
  span->to = middle + length / 2;
}

/* `margin`: the share of the length that stays free beside the range. */
static void
diagram_moves_move_into (double *from, double *to, double first, double last, double margin)
{
  double length = MAX (*to - *from, (last - first) * (1 + 2 * margin));

  if (first >= *from && last <= *to)
    return;
  *from = first < *from ? first - margin * length : last + margin * length - length;
  if (*from > first)
    *from = first - margin * length;
  *to = *from + length;
}

void
lc_span_reveal (LcSpan *span, double from, double to, double row)
{
  diagram_moves_move_into (&span->from, &span->to, from, to, STEP);
  diagram_moves_move_into (&span->first_row, &span->last_row, row, row + 1, 0);
}

/* --- Effects of keys --------------------------------------------------------------------------------------------- */

/* Arrow keys are directions on the screen: across the axis they move rows, along it positions. */
static gboolean
diagram_moves_go (LcSpan *span, LcOrientation orientation, LcMove move)
{
  double share = move == LC_MOVE_LEFT || move == LC_MOVE_UP ? -STEP : STEP;
  gboolean level = move == LC_MOVE_LEFT || move == LC_MOVE_RIGHT;

  if (level == (orientation == LC_ORIENTATION_RIGHT))
    diagram_moves_shift (span, share * (span->to - span->from), 0);
  else
    diagram_moves_shift (span, 0, share * (span->last_row - span->first_row));
  return TRUE;
}

gboolean
lc_span_move (LcSpan *span, const LcSpan *whole, LcOrientation orientation, LcMove move, double position, double row)
{
  double length = span->to - span->from;

  if (move >= LC_MOVE_LEFT && move <= LC_MOVE_DOWN)
    return diagram_moves_go (span, orientation, move);
  if (move == LC_MOVE_PAGE_BACK || move == LC_MOVE_PAGE_ON)
    diagram_moves_shift (span, move == LC_MOVE_PAGE_ON ? PAGE * length : -PAGE * length, 0);
  else if (move == LC_MOVE_BEGIN)
    diagram_moves_shift (span, whole->from - span->from, 0);
  else if (move == LC_MOVE_END)
    diagram_moves_shift (span, whole->to - span->to, 0);
  else if (move == LC_MOVE_ZOOM_IN || move == LC_MOVE_ZOOM_OUT)
    lc_span_zoom (span, whole, move == LC_MOVE_ZOOM_IN ? 1 / KEY_FACTOR : KEY_FACTOR, position);
  else if (move == LC_MOVE_ROWS_IN || move == LC_MOVE_ROWS_OUT)
    lc_span_zoom_rows (span, whole, move == LC_MOVE_ROWS_IN ? 1 / KEY_FACTOR : KEY_FACTOR, row);
  else if (move == LC_MOVE_FIT)
    *span = *whole;
  else
    return FALSE;
  return TRUE;
}

/* --- The strip of the whole run -------------------------------------------------------------------------------------
 */

LcFramePart
lc_frame_find (double place, double from, double to)
{
  double inner = MIN (GRIP, (to - from) / 3);

  if (place < from - GRIP || place > to + GRIP)
    return LC_FRAME_OUTSIDE;
  if (place < from + inner)
    return LC_FRAME_BEGIN;
  return place > to - inner ? LC_FRAME_END : LC_FRAME_INSIDE;
}

void
lc_span_drag (LcSpan *span, const LcSpan *whole, LcFramePart part, double positions)
{
  double length = span->to - span->from;

  if (part == LC_FRAME_BEGIN)
    span->from = CLAMP (span->from + positions, whole->from, MAX (span->to - NARROWEST, whole->from));
  else if (part == LC_FRAME_END)
    span->to = CLAMP (span->to + positions, MIN (span->from + NARROWEST, whole->to), whole->to);
  else
    {
      span->from = CLAMP (span->from + positions, whole->from, MAX (whole->to - length, whole->from));
      span->to = span->from + length;
    }
}
