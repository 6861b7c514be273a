/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of the patterns. */
#include "draw/canvas/canvas-private.h"

#define P LC_PATTERN_PERIOD

/* A diagonal that crosses a corner of the square is continued at the opposite corner. */
#define RISING \
  {-1, P + 1, P + 1, -1}, {-1, 1, 1, -1}, \
  { \
    P - 1, P + 1, P + 1, P - 1 \
  }
#define FALLING \
  {-1, -1, P + 1, P + 1}, {-1, P - 1, 1, P + 1}, \
  { \
    P - 1, -1, P + 1, 1 \
  }
static const LcLine rising[] = {RISING};
static const LcLine falling[] = {FALLING};
static const LcLine both_diagonals[] = {RISING, FALLING};
static const LcLine level[] = {{0, 1.5, P, 1.5}, {0, 4.5, P, 4.5}};
static const LcLine upright[] = {{1.5, 0, 1.5, P}, {4.5, 0, 4.5, P}};
static const LcLine grid[] = {{0, 2.5, P, 2.5}, {2.5, 0, 2.5, P}};
static const LcPlace dots[] = {{1.5, 1.5}, {4.5, 4.5}};

const LcPatternShape *
lc_pattern_get_shape (LcPattern pattern)
{
#define LINES(width, lines) \
  { \
    width, G_N_ELEMENTS (lines), lines, 0, NULL \
  }
  static const LcPatternShape shapes[LC_PATTERNS] = {
      [LC_PATTERN_HATCH] = LINES (1.5, rising),
      [LC_PATTERN_BACK_HATCH] = LINES (1.5, falling),
      [LC_PATTERN_CROSS] = LINES (1.2, both_diagonals),
      [LC_PATTERN_DOTS] = {2, 0, NULL, G_N_ELEMENTS (dots), dots},
      [LC_PATTERN_LEVEL] = LINES (1, level),
      [LC_PATTERN_UPRIGHT] = LINES (1, upright),
      [LC_PATTERN_GRID] = LINES (1, grid),
  };
#undef LINES

  return &shapes[pattern];
}
