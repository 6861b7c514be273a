/* SPDX-License-Identifier: Apache-2.0 */
/* The palette: what may be taken for one another can be told apart, by everyone, in every theme. */
#include <math.h>

#include "vision.h"

#define INK(name) [LC_INK_##name] = #name
static const char *const ink_names[LC_INKS] = {
    INK (BACKGROUND), INK (PANEL),    INK (TEXT),          INK (FAINT_TEXT), INK (AXIS),     INK (GRID),
    INK (RUNNING),    INK (EVENT),    INK (WAITING),       INK (HOLDING),    INK (DATA_ARC), INK (ORDER_ARC),
    INK (CRITICAL),   INK (PAST),     INK (COMMUNICATION), INK (FUTURE),     INK (PENDING),  INK (REORDERED),
    INK (PROBLEM),    INK (MEASURED), INK (WOKEN),         INK (PREEMPTED),  INK (OUTSIDE),  INK (APPROXIMATED),
    INK (BOUNDS),     INK (ACTUAL),   INK (PHASE),         INK (SELECTION),  INK (MESSAGE),  INK (COLLECTIVE),
    INK (REQUEST),
};
static const char *const theme_names[LC_THEMES] = {"light", "dark", "print", "high contrast", "dark high contrast"};

/* What may touch, or be taken for one another; and how far apart (CIEDE2000) everyone sees them at least. */
typedef struct
{
  const char *why;
  double least;
  LcInk inks[8];
  guint n_inks;
} Group;

#define GROUP(why, least, ...) \
  { \
    why, least, {__VA_ARGS__}, sizeof ((LcInk[]){__VA_ARGS__}) / sizeof (LcInk) \
  }
static const Group groups[] = {
    GROUP ("what a process does", 14, LC_INK_RUNNING, LC_INK_EVENT, LC_INK_WAITING, LC_INK_HOLDING,
           LC_INK_COMMUNICATION),
    GROUP ("the states of a process", 13, LC_INK_RUNNING, LC_INK_EVENT, LC_INK_WAITING, LC_INK_HOLDING, LC_INK_WOKEN,
           LC_INK_PREEMPTED, LC_INK_OUTSIDE),
    GROUP ("kinds of calls of MPI", 13, LC_INK_MESSAGE, LC_INK_COLLECTIVE, LC_INK_REQUEST, LC_INK_RUNNING,
           LC_INK_WAITING),
    GROUP ("timelines", 14, LC_INK_MEASURED, LC_INK_APPROXIMATED, LC_INK_ACTUAL, LC_INK_BOUNDS),
    GROUP ("highlights", 16, LC_INK_PAST, LC_INK_FUTURE, LC_INK_CRITICAL),
    GROUP ("arcs", 14, LC_INK_DATA_ARC, LC_INK_ORDER_ARC, LC_INK_CRITICAL),
    GROUP ("events", 10.5, LC_INK_EVENT, LC_INK_WAITING, LC_INK_REORDERED, LC_INK_PENDING, LC_INK_PROBLEM),
    GROUP ("the critical path on events", 11, LC_INK_CRITICAL, LC_INK_EVENT),
    GROUP ("the critical path on waiting", 11, LC_INK_CRITICAL, LC_INK_WAITING),
    GROUP ("the selection around events", 10, LC_INK_SELECTION, LC_INK_EVENT),
    GROUP ("the selection on the critical path", 11, LC_INK_SELECTION, LC_INK_CRITICAL),
};

static LcColor
ink (LcTheme theme, LcInk name)
{
  return lc_palette_get_color (theme, name);
}

/* --- The measures themselves ------------------------------------------------------------------------------------ */

/* Of the table that Sharma, Wu and Dalal published to test implementations with. */
static void
test_difference (void)
{
  static const double table[][7] = {
      {50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425},
      {50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0000},
      {50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792},
      {50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195},
      {50, 2.5, 0, 73, 25, -18, 27.1492},
      {60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644},
      {22.7233, 20.0904, -46.6940, 23.0331, 14.9730, -42.5619, 2.0373},
      {2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082},
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const double *row = table[i];

      g_assert_cmpfloat_with_epsilon (vision_difference ((Lab){row[0], row[1], row[2]}, (Lab){row[3], row[4], row[5]}),
                                      row[6], 1e-4);
    }
}

/* Red and green of one lightness are as one to those who see no red, and to nobody else. */
static void
test_simulation (void)
{
  LcColor red = {0.75, 0.25, 0.25, 1}, green = {0.24, 0.47, 0.25, 1}, white = {1, 1, 1, 1};

  g_assert_cmpfloat (vision_difference (vision_see (VISION_USUAL, red), vision_see (VISION_USUAL, green)), >, 40);
  g_assert_cmpfloat (vision_difference (vision_see (VISION_DEUTERANOPIA, red), vision_see (VISION_DEUTERANOPIA, green)),
                     <, 14);
  for (guint vision = 0; vision < VISIONS; vision++)
    g_assert_cmpfloat (vision_difference (vision_see (vision, white), vision_see (VISION_USUAL, white)), <, 0.5);
}

static void
test_contrast (void)
{
  LcColor black = {0, 0, 0, 1}, white = {1, 1, 1, 1}, grey = {0.466667, 0.466667, 0.466667, 1}; /* #777 */

  g_assert_cmpfloat_with_epsilon (lc_color_contrast (black, white), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_color_contrast (white, black), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_color_contrast (grey, white), 4.48, 0.005);
  g_assert_cmpfloat_with_epsilon (lc_color_contrast (grey, grey), 1, 1e-9);
}

static void
test_mix (void)
{
  LcColor black = {0, 0, 0, 1}, white = {1, 1, 1, 0}, middle = lc_color_mix (black, white, 0.5);

  /* Half of the light is #bc of #ff. */
  g_assert_cmpfloat_with_epsilon (middle.red, 188 / 255.0, 0.002);
  g_assert_cmpfloat_with_epsilon (middle.alpha, 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_color_mix (black, white, -1).green, 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (lc_color_mix (black, white, 2).green, 1, 1e-9);
}

/* --- The inks ---------------------------------------------------------------------------------------------------- */

static void
check_apart (LcTheme theme, const Group *group, LcInk one, LcInk other)
{
  for (guint vision = 0; vision < VISION_GREY; vision++)
    {
      double difference =
          vision_difference (vision_see (vision, ink (theme, one)), vision_see (vision, ink (theme, other)));

      if (!(difference >= group->least))
        g_error ("%s: %s: %s and %s are %.1f apart with %s vision, not %.1f", theme_names[theme], group->why,
                 ink_names[one], ink_names[other], difference, vision_names[vision], group->least);
    }
}

static void
test_inks_are_apart (void)
{
  for (guint theme = 0; theme < LC_THEMES; theme++)
    for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
      for (guint one = 0; one < groups[i].n_inks; one++)
        for (guint other = one + 1; other < groups[i].n_inks; other++)
          check_apart (theme, &groups[i], groups[i].inks[one], groups[i].inks[other]);
}

/* In shades of grey, what has no pattern of its own must be lighter or darker. */
static void
test_inks_in_grey (void)
{
  for (guint i = 0; i < 6; i++)
    for (guint one = 0; one < groups[i].n_inks; one++)
      for (guint other = one + 1; other < groups[i].n_inks; other++)
        {
          LcInk a = groups[i].inks[one], b = groups[i].inks[other];
          Lab seen_a = vision_see (VISION_GREY, ink (LC_THEME_PRINT, a));
          Lab seen_b = vision_see (VISION_GREY, ink (LC_THEME_PRINT, b));

          if (a != LC_INK_CRITICAL && b != LC_INK_CRITICAL &&
              lc_palette_get_pattern (a) == lc_palette_get_pattern (b) && !(vision_difference (seen_a, seen_b) >= 10))
            g_error ("%s and %s are %.1f apart in grey", ink_names[a], ink_names[b],
                     vision_difference (seen_a, seen_b));
        }
}

static void
check_contrast (LcTheme theme, LcInk name, LcInk ground, double least)
{
  double contrast = lc_color_contrast (ink (theme, name), ink (theme, ground));

  if (!(contrast >= least))
    g_error ("%s: %s on %s has a contrast of %.2f, not %.1f", theme_names[theme], ink_names[name], ink_names[ground],
             contrast, least);
}

static void
test_contrasts (void)
{
  static const LcInk marks[] = {LC_INK_AXIS,      LC_INK_EVENT,    LC_INK_WAITING,      LC_INK_COMMUNICATION,
                                LC_INK_DATA_ARC,  LC_INK_CRITICAL, LC_INK_PAST,         LC_INK_REORDERED,
                                LC_INK_PENDING,   LC_INK_PROBLEM,  LC_INK_APPROXIMATED, LC_INK_ACTUAL,
                                LC_INK_SELECTION, LC_INK_MESSAGE,  LC_INK_COLLECTIVE,   LC_INK_REQUEST};
  static const LcInk pale[] = {LC_INK_HOLDING, LC_INK_BOUNDS,    LC_INK_MEASURED, LC_INK_FUTURE,
                               LC_INK_WOKEN,   LC_INK_PREEMPTED, LC_INK_OUTSIDE};

  for (guint theme = 0; theme < LC_THEMES; theme++)
    {
      for (guint ground = LC_INK_BACKGROUND; ground <= LC_INK_PANEL; ground++)
        {
          check_contrast (theme, LC_INK_TEXT, ground, 7);
          check_contrast (theme, LC_INK_FAINT_TEXT, ground, 4.5);
          for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
            check_contrast (theme, marks[i], ground, 3);
        }
      check_contrast (theme, LC_INK_RUNNING, LC_INK_PANEL, 2.7);
      check_contrast (theme, LC_INK_ORDER_ARC, LC_INK_PANEL, 2.7);
      for (guint i = 0; i < G_N_ELEMENTS (pale); i++)
        check_apart (theme, &(Group){"pale", 8}, pale[i], LC_INK_PANEL);
      check_apart (theme, &(Group){"bands", 2}, LC_INK_PHASE, LC_INK_PANEL);
      check_apart (theme, &(Group){"lines", 4}, LC_INK_GRID, LC_INK_PANEL);
    }
}

/* With high contrast nothing that has a meaning is pale. */
static void
test_high_contrast (void)
{
  static const LcInk strong[] = {LC_INK_EVENT, LC_INK_WAITING, LC_INK_CRITICAL, LC_INK_PAST};
  static const LcInk neutral[] = {LC_INK_BACKGROUND, LC_INK_PANEL, LC_INK_GRID, LC_INK_PHASE};

  for (LcTheme theme = 0; theme < LC_THEMES; theme++)
    {
      gboolean is_dark = theme == LC_THEME_CONTRAST_DARK;

      g_assert_cmpint (lc_theme_has_contrast (theme), ==, theme == LC_THEME_CONTRAST || is_dark);
      if (!lc_theme_has_contrast (theme))
        continue;
      check_contrast (theme, LC_INK_TEXT, LC_INK_BACKGROUND, 20);
      check_contrast (theme, LC_INK_FAINT_TEXT, LC_INK_BACKGROUND, 15);
      for (LcInk name = 0; name < LC_INKS; name++)
        {
          gboolean is_neutral = FALSE;

          for (guint i = 0; i < G_N_ELEMENTS (neutral); i++)
            is_neutral |= name == neutral[i];
          if (!is_neutral)
            check_contrast (theme, name, LC_INK_PANEL, 2.95);
        }
      for (guint i = 0; i < G_N_ELEMENTS (strong); i++)
        check_contrast (theme, strong[i], LC_INK_PANEL, 3.95);
    }
}

/* --- Series and amounts ------------------------------------------------------------------------------------------ */

static void
check_series (LcTheme theme, guint one, guint other, guint vision, double least)
{
  double difference = vision_difference (vision_see (vision, lc_palette_get_series (theme, one)),
                                         vision_see (vision, lc_palette_get_series (theme, other)));

  if (!(difference >= least))
    g_error ("%s: series %u and %u are %.1f apart with %s vision", theme_names[theme], one, other, difference,
             vision_names[vision]);
}

static void
test_series (void)
{
  for (guint theme = 0; theme < LC_THEMES; theme++)
    for (guint one = 0; one < LC_PALETTE_SERIES; one++)
      for (guint other = one + 1; other < LC_PALETTE_SERIES; other++)
        {
          g_assert_cmpuint (lc_palette_get_series_pattern (one), ==, LC_PATTERN_SOLID);
          for (guint vision = 0; vision < VISION_GREY; vision++)
            check_series (theme, one, other, vision, 11);
          if (theme == LC_THEME_PRINT)
            check_series (theme, one, other, VISION_GREY, 7);
        }
}

/* No two of as many as there are colours and patterns look the same. */
static void
test_series_repeat (void)
{
  for (guint one = 0; one < LC_PALETTE_SERIES * LC_PATTERNS; one++)
    {
      LcColor color = lc_palette_get_series (LC_THEME_LIGHT, one);
      LcColor next = lc_palette_get_series (LC_THEME_LIGHT, one + LC_PALETTE_SERIES);

      g_assert_cmpuint (lc_palette_get_series_pattern (one), ==, one / LC_PALETTE_SERIES);
      g_assert_cmpfloat (color.red + 2 * color.green + 4 * color.blue, ==, next.red + 2 * next.green + 4 * next.blue);
    }
}

/* More of it is darker on light ground, lighter on dark ground, step by step. */
static void
test_amounts (void)
{
  for (guint theme = 0; theme < LC_THEMES; theme++)
    for (guint vision = 0; vision < VISIONS; vision++)
      {
        double sign = theme == LC_THEME_DARK || theme == LC_THEME_CONTRAST_DARK ? 1 : -1;
        Lab before = vision_see (vision, lc_palette_get_amount (theme, 0)), first = before;

        g_assert_cmpfloat (vision_difference (before, vision_see (vision, ink (theme, LC_INK_PANEL))), <, 5);
        for (guint i = 1; i <= 64; i++)
          {
            Lab now = vision_see (vision, lc_palette_get_amount (theme, i / 64.0));

            g_assert_cmpfloat (sign * (now.lightness - before.lightness), >, 0.4);
            before = now;
          }
        g_assert_cmpfloat (sign * (before.lightness - first.lightness), >, 60);
      }
  g_assert_cmpfloat (lc_palette_get_amount (LC_THEME_LIGHT, 7).blue, ==,
                     lc_palette_get_amount (LC_THEME_LIGHT, 1).blue);
  g_assert_cmpfloat (lc_palette_get_amount (LC_THEME_LIGHT, NAN).blue, ==,
                     lc_palette_get_amount (LC_THEME_LIGHT, 0).blue);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/high contrast", test_high_contrast);
  g_test_add_func ("/palette/colour differences are those of the reference table", test_difference);
  g_test_add_func ("/palette/who sees no green takes red for green", test_simulation);
  g_test_add_func ("/palette/contrast is that of WCAG", test_contrast);
  g_test_add_func ("/palette/colours are mixed as light", test_mix);
  g_test_add_func ("/palette/everyone can tell the inks apart", test_inks_are_apart);
  g_test_add_func ("/palette/inks without a pattern differ in grey", test_inks_in_grey);
  g_test_add_func ("/palette/text and marks stand out", test_contrasts);
  g_test_add_func ("/palette/everyone can tell series apart", test_series);
  g_test_add_func ("/palette/series repeat with other patterns", test_series_repeat);
  g_test_add_func ("/palette/more is stronger", test_amounts);
  return g_test_run ();
}
