/* SPDX-License-Identifier: Apache-2.0 */
/* The colours and patterns of all meanings, in each theme. */
#include "lightcone/palette.h"

#include <math.h>

/* Colours are 0xRRGGBB. tests/draw/test-palette.c says what must be true of them. */
/* clang-format off */
static const guint32 inks[LC_INKS][LC_THEMES] = {
    /*                         light     dark      print     contrast, light and dark */
    [LC_INK_BACKGROUND]    = {0xffffff, 0x1b1d21, 0xffffff, 0xffffff, 0x000000},
    [LC_INK_PANEL]         = {0xf8f9fb, 0x22252a, 0xffffff, 0xffffff, 0x000000},
    [LC_INK_TEXT]          = {0x1c2026, 0xeceef1, 0x000000, 0x000000, 0xffffff},
    [LC_INK_FAINT_TEXT]    = {0x555c66, 0xa9b0ba, 0x404040, 0x202020, 0xe4e4e4},
    [LC_INK_AXIS]          = {0x7d8590, 0x7b838f, 0x404040, 0x000000, 0xffffff},
    [LC_INK_GRID]          = {0xe3e6ea, 0x34383f, 0xdcdcdc, 0xb0b0b0, 0x5a5a5a},
    [LC_INK_RUNNING]       = {0x848e9d, 0x8891a0, 0x888f9b, 0x848e9d, 0x8891a0},
    [LC_INK_EVENT]         = {0x0056ae, 0x5c93fe, 0x09487d, 0x0056ae, 0x5c93fe},
    [LC_INK_WAITING]       = {0xe84100, 0xed9248, 0xe35700, 0xe84100, 0xed9248},
    [LC_INK_WOKEN]         = {0xbda06d, 0xf7fcbc, 0xffa908, 0xa7926a, 0xf7fcbc},
    [LC_INK_PREEMPTED]     = {0x420d5d, 0x470bf3, 0xac51cd, 0x420d5d, 0x5a1afd},
    [LC_INK_OUTSIDE]       = {0x00bdef, 0x4ef3eb, 0x40c2f5, 0x00a0d6, 0x4ef3eb},
    [LC_INK_HOLDING]       = {0xf3d88b, 0x6d5a1e, 0xefe0a8, 0x68573e, 0x6d5a1e},
    [LC_INK_COMMUNICATION] = {0x00956b, 0x00d9a7, 0x29986d, 0x00956b, 0x00d9a7},
    [LC_INK_MESSAGE]       = {0x0077c8, 0x3f93ff, 0x0077c8, 0x0077c8, 0x3f93ff},
    [LC_INK_COLLECTIVE]    = {0x0a3d2c, 0xd4ff5a, 0x0a3d2c, 0x0a3d2c, 0xd4ff5a},
    [LC_INK_REQUEST]       = {0xaa6655, 0xa07f62, 0xaa8866, 0xaa6655, 0xa07f62},
    [LC_INK_DATA_ARC]      = {0x2d3037, 0xc3cad4, 0x273042, 0x000000, 0xffffff},
    [LC_INK_ORDER_ARC]     = {0xac7bc3, 0xa06fc0, 0xa288b2, 0xac7bc3, 0xa06fc0},
    [LC_INK_CRITICAL]      = {0xbb3d70, 0xff4c82, 0xb2324d, 0xbc3c70, 0xff4c82},
    [LC_INK_PAST]          = {0x0069cd, 0x63b3f0, 0x0b4f8a, 0x0069cd, 0x63b3f0},
    [LC_INK_FUTURE]        = {0xdd9800, 0xf0bf4c, 0xdaa035, 0xc88800, 0xf0bf4c},
    [LC_INK_REORDERED]     = {0x6f3269, 0xbb80b1, 0x6a4dcb, 0x6f3269, 0xbb80b1},
    [LC_INK_PENDING]       = {0x7e1e28, 0xda5754, 0xab494a, 0x7e1e28, 0xda5754},
    [LC_INK_PROBLEM]       = {0xb3261e, 0xfdd891, 0x9c1810, 0xb3261e, 0xfdd891},
    [LC_INK_MEASURED]      = {0xa9b4c2, 0x657182, 0xb4b4b4, 0x8a96a6, 0x657182},
    [LC_INK_APPROXIMATED]  = {0x0056ae, 0x5c93fe, 0x09487d, 0x0056ae, 0x5c93fe},
    [LC_INK_BOUNDS]        = {0xf0c987, 0x7a5a20, 0xe6cf99, 0xb78f37, 0x7a5a20},
    [LC_INK_ACTUAL]        = {0x008f69, 0x00d9a7, 0x007f64, 0x008f69, 0x00d9a7},
    [LC_INK_PHASE]         = {0xeef1f6, 0x2a2e35, 0xf0f0f0, 0xe4e8ee, 0x24282e},
    [LC_INK_SELECTION]     = {0x2070ee, 0x97cfe8, 0x6e78ff, 0x2070ee, 0x97cfe8},
};
/* clang-format on */

static const LcPattern patterns[LC_INKS] = {
    [LC_INK_WAITING] = LC_PATTERN_HATCH,        [LC_INK_COMMUNICATION] = LC_PATTERN_DOTS,
    [LC_INK_PAST] = LC_PATTERN_LEVEL,           [LC_INK_FUTURE] = LC_PATTERN_UPRIGHT,
    [LC_INK_REORDERED] = LC_PATTERN_BACK_HATCH, [LC_INK_PENDING] = LC_PATTERN_CROSS,
    [LC_INK_PROBLEM] = LC_PATTERN_GRID,         [LC_INK_BOUNDS] = LC_PATTERN_DOTS,
    [LC_INK_ACTUAL] = LC_PATTERN_LEVEL,         [LC_INK_WOKEN] = LC_PATTERN_BACK_HATCH,
    [LC_INK_PREEMPTED] = LC_PATTERN_DOTS,       [LC_INK_OUTSIDE] = LC_PATTERN_LEVEL,
    [LC_INK_COLLECTIVE] = LC_PATTERN_GRID,      [LC_INK_REQUEST] = LC_PATTERN_DOTS,
};

/* The series follow the palette of Okabe and Ito. */
static const guint32 series[LC_PALETTE_SERIES][LC_THEMES] = {
    {0x0070b0, 0x298eff, 0x074e89, 0x0070b0, 0x298eff}, {0xe69f00, 0xe69f00, 0xe29b00, 0xe69f00, 0xe69f00},
    {0x009e73, 0x16c08e, 0x34a07e, 0x009e73, 0x16c08e}, {0xbc7ba1, 0xc38db9, 0xaf5e8d, 0xbc7ba1, 0xc38db9},
    {0x53b7ef, 0xa6d9f6, 0x92cff2, 0x53b7ef, 0xa6d9f6}, {0xd35d00, 0xd35d00, 0xaa4400, 0xd35d00, 0xd35d00},
    {0xf8eb4a, 0xf8eb4a, 0xfdef4f, 0xf8eb4a, 0xf8eb4a}, {0x3a3a3a, 0xc9c9c9, 0x202020, 0x3a3a3a, 0xc9c9c9},
};

/* The ramp of amounts: nothing, a quarter, half, three quarters, all. */
#define STOPS 5
static const guint32 amounts[STOPS][LC_THEMES] = {
    {0xf1f4f8, 0x272b31, 0xffffff, 0xffffff, 0x000000}, {0xbfd5e8, 0x2d4a66, 0xc8c8c8, 0xc8c8c8, 0x3c3c3c},
    {0x7fadd2, 0x3f78a8, 0x919191, 0x919191, 0x707070}, {0x3a7db4, 0x74b0de, 0x555555, 0x555555, 0xb0b0b0},
    {0x0b3d6b, 0xd9eefb, 0x101010, 0x101010, 0xffffff},
};

gboolean
lc_theme_has_contrast (LcTheme theme)
{
  return theme == LC_THEME_CONTRAST || theme == LC_THEME_CONTRAST_DARK;
}

static LcColor
palette_color_of (guint32 rgb)
{
  return (LcColor){(rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0, 1};
}

LcColor
lc_palette_get_color (LcTheme theme, LcInk ink)
{
  g_return_val_if_fail (theme < LC_THEMES && ink < LC_INKS, (LcColor){0});

  return palette_color_of (inks[ink][theme]);
}

LcPattern
lc_palette_get_pattern (LcInk ink)
{
  g_return_val_if_fail (ink < LC_INKS, LC_PATTERN_SOLID);

  return patterns[ink];
}

LcColor
lc_palette_get_series (LcTheme theme, guint n)
{
  g_return_val_if_fail (theme < LC_THEMES, (LcColor){0});

  return palette_color_of (series[n % LC_PALETTE_SERIES][theme]);
}

LcPattern
lc_palette_get_series_pattern (guint n)
{
  return n / LC_PALETTE_SERIES % LC_PATTERNS;
}

LcColor
lc_palette_get_amount (LcTheme theme, double share)
{
  g_return_val_if_fail (theme < LC_THEMES, (LcColor){0});

  double place = share > 0 ? MIN (share, 1) * (STOPS - 1) : 0; /* 0 if `share` is no number */
  guint stop = MIN ((guint)place, STOPS - 2);
  double part = place - stop;
  LcColor from = palette_color_of (amounts[stop][theme]), to = palette_color_of (amounts[stop + 1][theme]);

  return (LcColor){from.red + part * (to.red - from.red), from.green + part * (to.green - from.green),
                   from.blue + part * (to.blue - from.blue), 1};
}

static double
to_light (double component)
{
  return component <= 0.04045 ? component / 12.92 : pow ((component + 0.055) / 1.055, 2.4);
}

static double
from_light (double light)
{
  return light <= 0.0031308 ? light * 12.92 : 1.055 * pow (light, 1 / 2.4) - 0.055;
}

static double
palette_mix (double from, double to, double share)
{
  return from_light (to_light (from) * (1 - share) + to_light (to) * share);
}

LcColor
lc_color_mix (LcColor from, LcColor to, double share)
{
  share = CLAMP (share, 0, 1);
  if (share >= 1)
    return to;
  return (LcColor){palette_mix (from.red, to.red, share), palette_mix (from.green, to.green, share),
                   palette_mix (from.blue, to.blue, share), from.alpha * (1 - share) + to.alpha * share};
}

static double
palette_luminance (LcColor color)
{
  return 0.2126 * to_light (color.red) + 0.7152 * to_light (color.green) + 0.0722 * to_light (color.blue);
}

double
lc_color_contrast (LcColor a, LcColor b)
{
  double light = palette_luminance (a), dark = palette_luminance (b);

  return (MAX (light, dark) + 0.05) / (MIN (light, dark) + 0.05);
}
