/* SPDX-License-Identifier: Apache-2.0 */
/* How colours look to people who see some of them less, and how far apart two of them are then. */
#include "vision.h"

#include <math.h>

const char *const vision_names[VISIONS] = {"usual", "protanopia", "deuteranopia", "tritanopia", "grey"};

/* Machado, Oliveira and Fernandes 2009, severity 1, on linear sRGB; grey is its luminance. */
static const double simulations[VISIONS][3][3] = {
    [VISION_USUAL] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [VISION_PROTANOPIA] = {{0.152286, 1.052583, -0.204868},
                           {0.114503, 0.786281, 0.099216},
                           {-0.003882, -0.048116, 1.051998}},
    [VISION_DEUTERANOPIA] = {{0.367322, 0.860646, -0.227968},
                             {0.280085, 0.672501, 0.047413},
                             {-0.011820, 0.042940, 0.968881}},
    [VISION_TRITANOPIA] = {{1.255528, -0.076749, -0.178779},
                           {-0.078411, 0.930809, 0.147602},
                           {0.004733, 0.691367, 0.303900}},
    [VISION_GREY] = {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
};

static const double to_xyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};

static void
multiply (const double matrix[3][3], const double from[3], double to[3])
{
  for (guint i = 0; i < 3; i++)
    to[i] = matrix[i][0] * from[0] + matrix[i][1] * from[1] + matrix[i][2] * from[2];
}

static double
linear (double component)
{
  return component <= 0.04045 ? component / 12.92 : pow ((component + 0.055) / 1.055, 2.4);
}

static double
cube_root (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

Lab
vision_see (Vision vision, LcColor color)
{
  const double light[3] = {linear (color.red), linear (color.green), linear (color.blue)};
  double seen[3], xyz[3], x, y, z;

  multiply (simulations[vision], light, seen);
  for (guint i = 0; i < 3; i++)
    seen[i] = CLAMP (seen[i], 0, 1);
  multiply (to_xyz, seen, xyz);
  x = cube_root (xyz[0] / 0.95047);
  y = cube_root (xyz[1]);
  z = cube_root (xyz[2] / 1.08883);
  return (Lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double
degrees (double radians)
{
  double angle = radians * 180 / G_PI;

  return angle < 0 ? angle + 360 : angle;
}

static double
cosine (double angle)
{
  return cos (angle * G_PI / 180);
}

static double
hue_of (double a, double b)
{
  return a == 0 && b == 0 ? 0 : degrees (atan2 (b, a));
}

/* Sharma, Wu and Dalal 2005. */
double
vision_difference (Lab one, Lab other)
{
  double mean_c = (hypot (one.a, one.b) + hypot (other.a, other.b)) / 2;
  double g = 0.5 * (1 - sqrt (pow (mean_c, 7) / (pow (mean_c, 7) + pow (25, 7))));
  double a1 = (1 + g) * one.a, a2 = (1 + g) * other.a;
  double c1 = hypot (a1, one.b), c2 = hypot (a2, other.b), h1 = hue_of (a1, one.b), h2 = hue_of (a2, other.b);
  double turn = c1 * c2 == 0 ? 0 : h2 - h1;

  if (turn > 180)
    turn -= 360;
  else if (turn < -180)
    turn += 360;

  double dl = other.lightness - one.lightness, dc = c2 - c1, dh = 2 * sqrt (c1 * c2) * sin (turn * G_PI / 360);
  double l = (one.lightness + other.lightness) / 2, c = (c1 + c2) / 2, h = h1 + h2;

  if (c1 * c2 != 0)
    h = fabs (h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;

  double t =
      1 - 0.17 * cosine (h - 30) + 0.24 * cosine (2 * h) + 0.32 * cosine (3 * h + 6) - 0.20 * cosine (4 * h - 63);
  double sl = 1 + 0.015 * (l - 50) * (l - 50) / sqrt (20 + (l - 50) * (l - 50));
  double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  double rotation =
      -2 * sqrt (pow (c, 7) / (pow (c, 7) + pow (25, 7))) * sin (60 * exp (-pow ((h - 275) / 25, 2)) * G_PI / 180);

  dl /= sl;
  dc /= sc;
  dh /= sh;
  return sqrt (MAX (dl * dl + dc * dc + dh * dh + rotation * dc * dh, 0));
}
