/* SPDX-License-Identifier: Apache-2.0 */
/* How colours look to people who see some of them less, and how far apart two of them are then. */
#ifndef LC_TESTS_DRAW_VISION_H
#define LC_TESTS_DRAW_VISION_H

#include "lightcone/palette.h"

typedef enum
{
  VISION_USUAL,
  VISION_PROTANOPIA,
  VISION_DEUTERANOPIA,
  VISION_TRITANOPIA,
  VISION_GREY, /* a printer without colours */
  VISIONS,
} Vision;

extern const char *const vision_names[VISIONS];

typedef struct
{
  double lightness; /* 0 to 100 */
  double a;
  double b;
} Lab;

/* CIE L*a*b* of an opaque sRGB colour, as it is seen. */
Lab vision_see (Vision vision, LcColor color);

/* CIEDE2000: 1 is hardly to be seen side by side. */
double vision_difference (Lab one, Lab other);

#endif
