/* SPDX-License-Identifier: Apache-2.0 */
/* The palette: the colour and the pattern of each meaning, in each theme. Nothing else in Lightcone names a colour. */
#ifndef LIGHTCONE_PALETTE_H
#define LIGHTCONE_PALETTE_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  LC_THEME_LIGHT,
  LC_THEME_DARK,
  LC_THEME_PRINT,         /* white paper; also tells its meanings apart in shades of grey */
  LC_THEME_CONTRAST,      /* black on white: thicker lines, patterns on white, and no pale tones */
  LC_THEME_CONTRAST_DARK, /* the same in white on black */
  LC_THEMES,
} LcTheme;

/* Components from 0 to 1, not multiplied by alpha. */
typedef struct
{
  double red;
  double green;
  double blue;
  double alpha;
} LcColor;

/* The pattern of an area, besides its colour, so that no meaning is told by colour alone. */
typedef enum
{
  LC_PATTERN_SOLID,
  LC_PATTERN_HATCH,      /* lines from bottom left to top right: waiting, everywhere */
  LC_PATTERN_BACK_HATCH, /* the other way */
  LC_PATTERN_CROSS,      /* hatch and back hatch */
  LC_PATTERN_DOTS,
  LC_PATTERN_LEVEL,   /* lines across */
  LC_PATTERN_UPRIGHT, /* lines down */
  LC_PATTERN_GRID,    /* level and upright */
  LC_PATTERNS,
} LcPattern;

/* The meaning of a colour and pattern. */
typedef enum
{
  LC_INK_BACKGROUND,
  LC_INK_PANEL, /* behind what is drawn, within the axes */
  LC_INK_TEXT,
  LC_INK_FAINT_TEXT, /* notes, ticks */
  LC_INK_AXIS,
  LC_INK_GRID,
  LC_INK_RUNNING, /* a process that computes, between events: its line */
  LC_INK_EVENT,   /* the box of an event */
  LC_INK_WAITING,
  LC_INK_WOKEN,     /* released, but not yet going on */
  LC_INK_PREEMPTED, /* ready, but without a processor */
  LC_INK_OUTSIDE,   /* blocked on what is no process */
  LC_INK_HOLDING,
  LC_INK_COMMUNICATION, /* what is neither computing nor waiting: transfer */
  LC_INK_MESSAGE,       /* within a call of MPI: from one to another, ... */
  LC_INK_COLLECTIVE,    /* ... of all together, ... */
  LC_INK_REQUEST,       /* ... or waiting for what was begun before */
  LC_INK_DATA_ARC,
  LC_INK_ORDER_ARC,
  LC_INK_CRITICAL, /* the critical path */
  LC_INK_PAST,
  LC_INK_FUTURE,
  LC_INK_REORDERED, /* an event whose order has changed */
  LC_INK_PENDING,   /* an operation that never ended */
  LC_INK_PROBLEM,   /* lost or damaged */
  LC_INK_MEASURED,
  LC_INK_APPROXIMATED,
  LC_INK_BOUNDS, /* between optimistic and pessimistic */
  LC_INK_ACTUAL, /* as it was without the measurement */
  LC_INK_PHASE,  /* the band of every other phase */
  LC_INK_SELECTION,
  LC_INKS,
} LcInk;

/* Whether a theme is one of high contrast. */
gboolean lc_theme_has_contrast (LcTheme theme);

LcColor lc_palette_get_color (LcTheme theme, LcInk ink);
LcPattern lc_palette_get_pattern (LcInk ink);

/* A colour and a pattern for the n-th of things that have no meaning of their own (objects, regions, series). Eight
 * colours; from the ninth on they come again with another pattern. */
#define LC_PALETTE_SERIES 8
LcColor lc_palette_get_series (LcTheme theme, guint n);
LcPattern lc_palette_get_series_pattern (guint n);

/* For amounts: 0 is hardly to be told from the panel, 1 the strongest. Lightness alone tells more from less. */
LcColor lc_palette_get_amount (LcTheme theme, double share);

/* The colour of a share, from 0 to 1: lc_palette_get_amount, or another one. */
typedef LcColor (*LcShade) (LcTheme theme, double share);

/* `share` of the way from one to the other, in linear light. */
LcColor lc_color_mix (LcColor from, LcColor to, double share);

/* WCAG's contrast of two opaque colours, 1 to 21. */
double lc_color_contrast (LcColor a, LcColor b);

G_END_DECLS

#endif
