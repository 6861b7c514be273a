/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks: round, few, within the range, told apart, all in one unit. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "draw/canvas/frame.h"
#include "draw/canvas/ticks.h"
#include "../history/random-trials.h"

/* --- By hand -------------------------------------------------------------------------------------------------------
 */

static void
expect (LcAxisScaleKind kind, double from, double to, guint most, const char *expected)
{
  g_autofree char *unit = NULL;
  g_autoptr (GArray) ticks = lc_ticks_new (kind, from, to, most, &unit);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ticks->len; i++)
    g_string_append_printf (text, "%s ", g_array_index (ticks, LcTick, i).text);
  g_string_append (text, unit != NULL ? unit : "-");
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_times_are_in_one_unit (void)
{
  expect (LC_SCALE_TIME, 0, 999, 5, "0 200 400 600 800 ns");
  expect (LC_SCALE_TIME, 0, 1000, 6, "0 0.2 0.4 0.6 0.8 1.0 µs");
  expect (LC_SCALE_TIME, 0, 12.5e6, 6, "0 5 10 ms");
  expect (LC_SCALE_TIME, 0, 12.5e6, 7, "0 2 4 6 8 10 12 ms");
  expect (LC_SCALE_TIME, 0, 90e9, 5, "0 20 40 60 80 s");
  expect (LC_SCALE_TIME, 1.5e9, 1.5001e9, 3, "1.50000 1.50005 1.50010 s");
  expect (LC_SCALE_TIME, 0, 0.5, 3, "0 200 400 ps");
}

static void
test_minutes_and_hours_have_sixty_parts (void)
{
  expect (LC_SCALE_TIME, 0, 300e9, 6, "0 1 2 3 4 5 min");
  expect (LC_SCALE_TIME, 0, 150e9, 6, "0:00 0:30 1:00 1:30 2:00 2:30 min:s");
  expect (LC_SCALE_TIME, 600e9, 601e9, 3, "10:00.0 10:00.5 10:01.0 min:s");
  expect (LC_SCALE_TIME, 0, 9000e9, 6, "0:00 0:30 1:00 1:30 2:00 2:30 h:min");
  expect (LC_SCALE_TIME, 0, 36000e9, 6, "0 2 4 6 8 10 h");
  expect (LC_SCALE_TIME, 7200e9, 7230e9, 4, "2:00:00 2:00:10 2:00:20 2:00:30 h:min:s");
}

static void
test_counts_are_whole (void)
{
  expect (LC_SCALE_COUNT, 0, 3, 10, "0 1 2 3 -");
  expect (LC_SCALE_COUNT, 0, 2.4e6, 3, "0 1,000,000 2,000,000 -");
  expect (LC_SCALE_COUNT, 0.25, 0.75, 5, "-");
}

static void
test_bytes_are_of_1024 (void)
{
  expect (LC_SCALE_BYTES, 0, 900, 5, "0 200 400 600 800 bytes");
  expect (LC_SCALE_BYTES, 0, 3 << 20, 4, "0 1 2 3 MiB");
  expect (LC_SCALE_BYTES, 0, 1536, 4, "0 0.5 1.0 1.5 KiB");
}

static void
test_shares_are_percent (void)
{
  expect (LC_SCALE_PERCENT, 0, 1, 6, "0 20 40 60 80 100 %");
  expect (LC_SCALE_PERCENT, 0.001, 0.004, 4, "0.1 0.2 0.3 0.4 %");
}

static void
test_numbers_have_a_power_of_ten_if_they_are_large (void)
{
  expect (LC_SCALE_NUMBER, -1, 1, 5, "-1.0 -0.5 0 0.5 1.0 -");
  expect (LC_SCALE_NUMBER, 0, 3e8, 4, "0 1 2 3 × 10⁸");
  expect (LC_SCALE_NUMBER, 0, 3e-12, 4, "0 1 2 3 × 10⁻¹²");
}

static void
test_a_range_may_have_no_length (void)
{
  expect (LC_SCALE_TIME, 0, 0, 5, "0 ns");
  expect (LC_SCALE_TIME, 1500, 1500, 5, "1.50 µs");
  expect (LC_SCALE_COUNT, 7, 7, 5, "7 -");
  expect (LC_SCALE_TIME, 0, 10, 0, "-");
}

static void
test_what_has_no_numbers_has_no_ticks (void)
{
  expect (LC_SCALE_NONE, 0, 10, 5, "-");
  expect (LC_SCALE_NAMES, 0, 10, 5, "-");
  expect (LC_SCALE_NUMBER, NAN, 1, 5, "-");
  expect (LC_SCALE_NUMBER, 0, INFINITY, 5, "-");
}

static void
expect_limits (LcAxisScaleKind kind, double from, double to, const char *expected)
{
  g_autofree char *first = NULL, *last = NULL, *unit = NULL, *text = NULL;

  lc_ticks_dup_limits (kind, from, to, &first, &last, &unit);
  text = g_strdup_printf ("%s %s %s", first, last, unit != NULL ? unit : "-");
  g_assert_cmpstr (text, ==, expected);
}

static void
test_limits_are_told_apart (void)
{
  expect_limits (LC_SCALE_TIME, 0, 40, "0 40 ns");
  expect_limits (LC_SCALE_TIME, 0, 12345678, "0 12.3 ms");
  expect_limits (LC_SCALE_TIME, 1e9, 1.000001e9, "1.00000000 1.00000100 s");
  expect_limits (LC_SCALE_COUNT, 10, 2000, "10 2,000 -");
}

/* --- At random -----------------------------------------------------------------------------------------------------
 */

/* What a text is worth in its unit: "1:30.5" of min:s is 90.5. */
static double
read_text (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  double value = 0;
  g_auto (GStrv) parts = NULL;

  for (const char *at = text; *at != '\0'; at++)
    if (*at != ',' && *at != '-')
      g_string_append_c (plain, *at);
  parts = g_strsplit (plain->str, ":", -1);
  for (gsize i = 0; parts[i] != NULL; i++)
    value = value * 60 + g_ascii_strtod (parts[i], NULL);
  return text[0] == '-' ? -value : value;
}

/* How many of the smallest part of the unit's texts are in it: seconds, or minutes, of h:min:s and h:min. */
static gboolean
is_round (double step)
{
  static const double sixties[] = {30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000};
  double exponent = floor (log10 (step) + 1e-9), digit = step / pow (10, exponent);

  for (gsize i = 0; i < G_N_ELEMENTS (sixties); i++)
    if (fabs (step / sixties[i] - 1) < 1e-6)
      return TRUE;
  return fabs (digit - 1) < 1e-6 || fabs (digit - 2) < 1e-6 || fabs (digit - 5) < 1e-6;
}

static void
check (LcAxisScaleKind kind, double from, double to, guint most)
{
  g_autofree char *unit = NULL;
  g_autoptr (GArray) ticks = lc_ticks_new (kind, from, to, most, &unit);
  const LcTick *all = (const LcTick *)(void *)ticks->data;

  g_assert_cmpuint (ticks->len, <=, most);
  for (guint i = 0; i < ticks->len; i++)
    {
      g_assert_cmpfloat (all[i].value, >=, MIN (from, to));
      g_assert_cmpfloat (all[i].value, <=, MAX (from, to));
    }
  for (guint i = 1; i < ticks->len; i++)
    {
      double step = read_text (all[i].text) - read_text (all[i - 1].text);

      g_assert_cmpfloat (all[i].value, >, all[i - 1].value);
      g_assert_cmpfloat (step, >, 0);
      if (fabs (read_text (all[i].text)) < 1e6 * step)
        g_assert_true (is_round (step));
    }
  /* More of them would be too many: so there are at least a fifth, if there is any room for that. */
  if (most >= 10 && kind != LC_SCALE_COUNT && kind != LC_SCALE_BYTES && fabs (to - from) > 1e-9 * fabs (to))
    g_assert_cmpuint (ticks->len, >=, most / 5);
}

static double
any_number (GRand *random)
{
  return pow (10, g_rand_double_range (random, -3, 18)) * g_rand_double (random);
}

static void
test_any_range (void)
{
  static const LcAxisScaleKind kinds[] = {LC_SCALE_TIME, LC_SCALE_COUNT, LC_SCALE_NUMBER, LC_SCALE_PERCENT,
                                          LC_SCALE_BYTES};
  GRand *random = g_rand_new_with_seed (20);

  for (guint i = 0; i < random_trials (100000); i++)
    {
      LcAxisScaleKind kind = kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];
      double from = any_number (random), to = from + any_number (random);
      guint most = (guint)g_rand_int_range (random, 0, 40);

      switch (g_rand_int_range (random, 0, 5))
        {
        case 0:
          from = 0;
          break;
        case 1:
          from = -from;
          break;
        case 2:
          to = from;
          break;
        case 3:
          to = from * (1 + g_rand_double (random) * 1e-6);
          break;
        default:
          break;
        }
      check (kind, from, to, most);
      check (kind, to, from, most);
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ticks/times-are-in-one-unit", test_times_are_in_one_unit);
  g_test_add_func ("/ticks/minutes-and-hours-have-sixty-parts", test_minutes_and_hours_have_sixty_parts);
  g_test_add_func ("/ticks/counts-are-whole", test_counts_are_whole);
  g_test_add_func ("/ticks/bytes-are-of-1024", test_bytes_are_of_1024);
  g_test_add_func ("/ticks/shares-are-percent", test_shares_are_percent);
  g_test_add_func ("/ticks/numbers-have-a-power-of-ten-if-they-are-large",
                   test_numbers_have_a_power_of_ten_if_they_are_large);
  g_test_add_func ("/ticks/a-range-may-have-no-length", test_a_range_may_have_no_length);
  g_test_add_func ("/ticks/what-has-no-numbers-has-no-ticks", test_what_has_no_numbers_has_no_ticks);
  g_test_add_func ("/ticks/limits-are-told-apart", test_limits_are_told_apart);
  g_test_add_func ("/ticks/any-range", test_any_range);
  return g_test_run ();
}
