/* SPDX-License-Identifier: Apache-2.0 */
/* What keys, wheels, rubber bands and the frame of the overview do to the part in view. */
#include "app/diagram/diagram-moves.h"

static const LcSpan whole = {.from = 0, .to = 1000, .first_row = 0, .last_row = 10};

static void
assert_span (const LcSpan *span, double from, double to, double first_row, double last_row)
{
  g_assert_cmpfloat_with_epsilon (span->from, from, 1e-6);
  g_assert_cmpfloat_with_epsilon (span->to, to, 1e-6);
  g_assert_cmpfloat_with_epsilon (span->first_row, first_row, 1e-6);
  g_assert_cmpfloat_with_epsilon (span->last_row, last_row, 1e-6);
}

static void
test_keys (void)
{
  g_assert_cmpint (lc_move_find (GDK_KEY_Left, 0), ==, LC_MOVE_LEFT);
  g_assert_cmpint (lc_move_find (GDK_KEY_KP_Left, GDK_LOCK_MASK), ==, LC_MOVE_LEFT);
  g_assert_cmpint (lc_move_find (GDK_KEY_Up, GDK_CONTROL_MASK), ==, LC_MOVE_ZOOM_IN);
  g_assert_cmpint (lc_move_find (GDK_KEY_Up, GDK_SHIFT_MASK), ==, LC_MOVE_ROWS_IN);
  g_assert_cmpint (lc_move_find (GDK_KEY_KP_Subtract, 0), ==, LC_MOVE_ZOOM_OUT);
  /* On some keyboards these need Shift, on others not. */
  g_assert_cmpint (lc_move_find (GDK_KEY_plus, GDK_SHIFT_MASK), ==, LC_MOVE_ZOOM_IN);
  g_assert_cmpint (lc_move_find (GDK_KEY_plus, 0), ==, LC_MOVE_ZOOM_IN);
  g_assert_cmpint (lc_move_find (GDK_KEY_0, GDK_SHIFT_MASK), ==, LC_MOVE_FIT);
  g_assert_cmpint (lc_move_find (GDK_KEY_n, 0), ==, LC_MOVE_NEXT);
  g_assert_cmpint (lc_move_find (GDK_KEY_N, GDK_SHIFT_MASK), ==, LC_MOVE_PREVIOUS);
  g_assert_cmpint (lc_move_find (GDK_KEY_F10, GDK_SHIFT_MASK), ==, LC_MOVE_MENU);
  /* Keys of the window. */
  g_assert_cmpint (lc_move_find (GDK_KEY_F10, 0), ==, LC_MOVE_NONE);
  g_assert_cmpint (lc_move_find (GDK_KEY_Left, GDK_ALT_MASK), ==, LC_MOVE_NONE);
  g_assert_cmpint (lc_move_find (GDK_KEY_n, GDK_CONTROL_MASK), ==, LC_MOVE_NONE);
  g_assert_cmpint (lc_move_find (GDK_KEY_Tab, 0), ==, LC_MOVE_NONE);
}

static void
test_wheel (void)
{
  g_assert_cmpint (lc_wheel_find (0, FALSE), ==, LC_WHEEL_PANS);
  g_assert_cmpint (lc_wheel_find (GDK_CONTROL_MASK, FALSE), ==, LC_WHEEL_ZOOMS_TIME);
  g_assert_cmpint (lc_wheel_find (GDK_SHIFT_MASK, FALSE), ==, LC_WHEEL_ZOOMS_ROWS);
  g_assert_cmpint (lc_wheel_find (0, TRUE), ==, LC_WHEEL_ZOOMS_TIME);
  g_assert_cmpint (lc_wheel_find (GDK_CONTROL_MASK, TRUE), ==, LC_WHEEL_PANS);
  g_assert_cmpint (lc_wheel_find (GDK_SHIFT_MASK, TRUE), ==, LC_WHEEL_ZOOMS_ROWS);
  g_assert_cmpfloat (lc_wheel_get_factor (1), >, 1);
  g_assert_cmpfloat_with_epsilon (lc_wheel_get_factor (1) * lc_wheel_get_factor (-1), 1, 1e-9);
  g_assert_cmpfloat (lc_wheel_get_pixels (1000), <, 1000);
}

/* Arrows go in directions of the screen, whichever way the axis goes. */
static void
test_arrows (void)
{
  LcSpan down = {.from = 100, .to = 200, .first_row = 2, .last_row = 4}, right = down;

  g_assert_true (lc_span_move (&down, &whole, LC_ORIENTATION_DOWN, LC_MOVE_DOWN, 0, 0));
  assert_span (&down, 110, 210, 2, 4);
  g_assert_true (lc_span_move (&down, &whole, LC_ORIENTATION_DOWN, LC_MOVE_LEFT, 0, 0));
  assert_span (&down, 110, 210, 1.8, 3.8);
  g_assert_true (lc_span_move (&right, &whole, LC_ORIENTATION_RIGHT, LC_MOVE_RIGHT, 0, 0));
  assert_span (&right, 110, 210, 2, 4);
  g_assert_true (lc_span_move (&right, &whole, LC_ORIENTATION_RIGHT, LC_MOVE_UP, 0, 0));
  assert_span (&right, 110, 210, 1.8, 3.8);
}

static void
test_moves (void)
{
  LcSpan span = {.from = 100, .to = 200, .first_row = 2, .last_row = 4};

  lc_span_move (&span, &whole, LC_ORIENTATION_DOWN, LC_MOVE_PAGE_ON, 0, 0);
  assert_span (&span, 190, 290, 2, 4);
  lc_span_move (&span, &whole, LC_ORIENTATION_DOWN, LC_MOVE_END, 0, 0);
  assert_span (&span, 900, 1000, 2, 4);
  lc_span_move (&span, &whole, LC_ORIENTATION_DOWN, LC_MOVE_BEGIN, 0, 0);
  assert_span (&span, 0, 100, 2, 4);
  lc_span_move (&span, &whole, LC_ORIENTATION_DOWN, LC_MOVE_FIT, 0, 0);
  assert_span (&span, 0, 1000, 0, 10);
  g_assert_false (lc_span_move (&span, &whole, LC_ORIENTATION_DOWN, LC_MOVE_NEXT, 0, 0));
  assert_span (&span, 0, 1000, 0, 10);
}

/* The place that is zoomed at stays where it is, and nothing moves when nothing can be zoomed. */
static void
test_zoom (void)
{
  LcSpan span = {.from = 100, .to = 200, .first_row = 2, .last_row = 4};

  lc_span_zoom (&span, &whole, 0.5, 120);
  assert_span (&span, 110, 160, 2, 4);
  lc_span_zoom (&span, &whole, 2, 120);
  assert_span (&span, 100, 200, 2, 4);
  lc_span_zoom_rows (&span, &whole, 0.5, 3);
  assert_span (&span, 100, 200, 2.5, 3.5);
  lc_span_zoom_rows (&span, &whole, 0.5, 2.5);
  assert_span (&span, 100, 200, 2.5, 3.5);
  span = (LcSpan){.from = 10, .to = 14, .first_row = 0, .last_row = 10};
  lc_span_zoom (&span, &whole, 0.01, 10);
  assert_span (&span, 10, 14, 0, 10);
  span = whole;
  lc_span_zoom (&span, &whole, 3, 0);
  assert_span (&span, 0, 1000, 0, 10);
}

static void
test_pan (void)
{
  LcSpan span = {.from = 100, .to = 200, .first_row = 2, .last_row = 4};
  LcDiagramView view;

  lc_span_to_view (&span, LC_ORIENTATION_DOWN, 400, 1000, &view);
  lc_span_pan (&span, &view, 200, -100);
  assert_span (&span, 110, 210, 1, 3);
  span = (LcSpan){.from = 100, .to = 200, .first_row = 2, .last_row = 4};
  lc_span_to_view (&span, LC_ORIENTATION_RIGHT, 1000, 400, &view);
  lc_span_pan (&span, &view, -100, 200);
  assert_span (&span, 110, 210, 1, 3);
}

static void
test_band (void)
{
  LcSpan span = whole;
  LcDiagramView view;

  lc_span_to_view (&span, LC_ORIENTATION_RIGHT, 1000, 400, &view);
  /* From corner to corner, whichever comes first: whole rows. */
  g_assert_true (lc_span_from_band (&span, &view, (LcPlace){300, 150}, (LcPlace){100, 50}));
  assert_span (&span, 100, 300, 1, 4);
  /* Flat: only time, only rows. */
  span = whole;
  g_assert_true (lc_span_from_band (&span, &view, (LcPlace){100, 50}, (LcPlace){300, 55}));
  assert_span (&span, 100, 300, 0, 10);
  span = whole;
  g_assert_true (lc_span_from_band (&span, &view, (LcPlace){100, 90}, (LcPlace){105, 210}));
  assert_span (&span, 0, 1000, 2, 6);
  /* Not meant. */
  g_assert_false (lc_span_from_band (&span, &view, (LcPlace){100, 90}, (LcPlace){102, 91}));
  /* The other way around. */
  span = whole;
  lc_span_to_view (&span, LC_ORIENTATION_DOWN, 400, 1000, &view);
  g_assert_true (lc_span_from_band (&span, &view, (LcPlace){50, 100}, (LcPlace){150, 300}));
  assert_span (&span, 100, 300, 1, 4);
}

static void
test_zoom_to (void)
{
  LcSpan span = whole;

  lc_span_zoom_to (&span, 100, 200, 0);
  assert_span (&span, 75, 225, 0, 10);
  lc_span_zoom_to (&span, 100, 100, 20);
  assert_span (&span, 90, 110, 0, 10);
}

static void
test_reveal (void)
{
  LcSpan span = {.from = 100, .to = 200, .first_row = 2, .last_row = 4};

  lc_span_reveal (&span, 150, 160, 3);
  assert_span (&span, 100, 200, 2, 4);
  lc_span_reveal (&span, 195, 205, 5);
  assert_span (&span, 115, 215, 4, 6);
  lc_span_reveal (&span, 50, 60, 0);
  assert_span (&span, 40, 140, 0, 2);
  /* It becomes as long as it must. */
  lc_span_reveal (&span, 300, 600, 0);
  g_assert_cmpfloat (span.from, <, 300);
  g_assert_cmpfloat (span.to, >, 600);
  span = (LcSpan){.from = 100, .to = 200, .first_row = 2, .last_row = 4};
  lc_span_reveal (&span, 90, 185, 2);
  g_assert_cmpfloat (span.from, <=, 90);
  g_assert_cmpfloat (span.to, >=, 185);
}

static void
test_frame (void)
{
  LcSpan span = {.from = 100, .to = 200, .first_row = 2, .last_row = 4};

  g_assert_cmpint (lc_frame_find (50, 100, 200), ==, LC_FRAME_OUTSIDE);
  g_assert_cmpint (lc_frame_find (101, 100, 200), ==, LC_FRAME_BEGIN);
  g_assert_cmpint (lc_frame_find (150, 100, 200), ==, LC_FRAME_INSIDE);
  g_assert_cmpint (lc_frame_find (203, 100, 200), ==, LC_FRAME_END);
  /* A narrow one has all of its parts too. */
  g_assert_cmpint (lc_frame_find (98, 100, 103), ==, LC_FRAME_BEGIN);
  g_assert_cmpint (lc_frame_find (101.5, 100, 103), ==, LC_FRAME_INSIDE);
  g_assert_cmpint (lc_frame_find (105, 100, 103), ==, LC_FRAME_END);

  lc_span_drag (&span, &whole, LC_FRAME_BEGIN, -50);
  assert_span (&span, 50, 200, 2, 4);
  lc_span_drag (&span, &whole, LC_FRAME_BEGIN, 500);
  g_assert_cmpfloat (span.from, <, span.to);
  g_assert_cmpfloat (span.to, ==, 200);
  span.from = 100;
  lc_span_drag (&span, &whole, LC_FRAME_END, 5000);
  assert_span (&span, 100, 1000, 2, 4);
  lc_span_drag (&span, &whole, LC_FRAME_INSIDE, -500);
  assert_span (&span, 0, 900, 2, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram-moves/keys", test_keys);
  g_test_add_func ("/diagram-moves/wheel", test_wheel);
  g_test_add_func ("/diagram-moves/arrows", test_arrows);
  g_test_add_func ("/diagram-moves/moves", test_moves);
  g_test_add_func ("/diagram-moves/zoom", test_zoom);
  g_test_add_func ("/diagram-moves/pan", test_pan);
  g_test_add_func ("/diagram-moves/band", test_band);
  g_test_add_func ("/diagram-moves/zoom-to", test_zoom_to);
  g_test_add_func ("/diagram-moves/reveal", test_reveal);
  g_test_add_func ("/diagram-moves/frame", test_frame);
  return g_test_run ();
}
