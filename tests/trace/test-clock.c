/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of ticks and ns, and the clocks of this machine. */
#include "clock.h"
#include "timescale.h"

#define NS G_GUINT64_CONSTANT (1000000000)

static void
test_identity (void)
{
  LcTimescale scale;

  lc_timescale_init (&scale, 1000, NS);
  g_assert_cmpuint (lc_timescale_ns (&scale, 0), ==, 0);
  g_assert_cmpuint (lc_timescale_ns (&scale, 999), ==, 0);
  g_assert_cmpuint (lc_timescale_ns (&scale, 1000), ==, 0);
  g_assert_cmpuint (lc_timescale_ns (&scale, 1001), ==, 1);
  g_assert_cmpuint (lc_timescale_ns (&scale, LC_TIME_LIMIT + 999), ==, LC_TIME_LIMIT - 1);
  g_assert_cmpuint (lc_timescale_ns (&scale, LC_TIME_LIMIT + 1000), ==, LC_TIME_LIMIT - 1);
  g_assert_cmpuint (lc_timescale_ns (&scale, G_MAXUINT64), ==, LC_TIME_LIMIT - 1);
}

/* Against a division of 128 bits: never more, and less by at most one in times of some years. */
static void
check_frequency (guint64 frequency)
{
  LcTimescale scale;
  guint64 last = 0;

  lc_timescale_init (&scale, 0, frequency);
  for (guint64 ticks = 1; ticks < (G_GUINT64_CONSTANT (1) << 60); ticks = ticks * 3 + 1)
    {
      LcWide exact = (LcWide)ticks * NS / frequency;
      guint64 ns = lc_timescale_ns (&scale, ticks);

      g_assert_cmpint (ticks > lc_timescale_last (&scale), ==, exact >= LC_TIME_LIMIT);
      if (exact >= LC_TIME_LIMIT)
        {
          g_assert_cmpuint (ns, ==, LC_TIME_LIMIT - 1);
          break;
        }
      g_assert_cmpuint (ns, <=, (guint64)exact);
      g_assert_cmpuint (ns + 1, >=, (guint64)exact);
      g_assert_cmpuint (ns, >=, last);
      g_assert_cmpuint (lc_timescale_ns (&scale, ticks + 1), >=, ns);
      last = ns;
    }
}

static void
test_frequencies (void)
{
  static const guint64 frequencies[] = {1, 3, 1000, 24000000, NS - 1, NS, NS + 1, 2596094011, 4999999999, NS * NS};

  for (gsize i = 0; i < G_N_ELEMENTS (frequencies); i++)
    check_frequency (frequencies[i]);
}

static void
test_scale (void)
{
  g_assert_cmpuint (lc_scale (10, 1, 3), ==, 3);
  g_assert_cmpuint (lc_scale (11, 1, 3), ==, 4);
  g_assert_cmpuint (lc_scale (G_MAXUINT64, G_MAXUINT64, G_MAXUINT64), ==, G_MAXUINT64);
  g_assert_cmpuint (lc_scale (G_MAXUINT64, 2, 1), ==, G_MAXUINT64);
  g_assert_cmpuint (lc_scale (5, 0, 7), ==, 0);
}

static void
test_frequency (void)
{
  const LcClockStamp begin = {.ticks = 5000, .monotonic = 100};
  const LcClockStamp end = {.ticks = 5000 + 2596094011, .monotonic = 100 + NS};
  const LcClockStamp later = {.ticks = 5000 + G_GUINT64_CONSTANT (2596094011) * 86400, .monotonic = 100 + NS * 86400};

  g_assert_cmpuint (lc_clock_frequency (LC_CLOCK_TSC, &begin, &end), ==, 2596094011);
  g_assert_cmpuint (lc_clock_frequency (LC_CLOCK_TSC, &begin, &later), ==, 2596094011);
  g_assert_cmpuint (lc_clock_frequency (LC_CLOCK_TSC, &end, &begin), ==, 0);
  g_assert_cmpuint (lc_clock_frequency (LC_CLOCK_TSC, &begin, &begin), ==, 0);
  g_assert_cmpuint (lc_clock_frequency (LC_CLOCK_MONOTONIC, &end, &begin), ==, NS);
}

static void
test_this_machine (void)
{
  enum lc_clock clock;
  LcClockStamp first, second;
  guint64 estimate, exact;

  g_assert_true (lc_clock_choose (LC_RECORDING_CLOCK_MONOTONIC, &clock, NULL));
  g_assert_cmpint (clock, ==, LC_CLOCK_MONOTONIC);
  g_assert_true (lc_clock_choose (LC_RECORDING_CLOCK_AUTO, &clock, NULL));
  g_assert_cmpint (clock, ==, lc_recording_tsc_usable () ? LC_CLOCK_TSC : LC_CLOCK_MONOTONIC);
  first = lc_clock_stamp (clock);
  estimate = lc_clock_estimate (clock, &first);
  g_usleep (20000);
  second = lc_clock_stamp (clock);
  exact = lc_clock_frequency (clock, &first, &second);
  g_assert_cmpuint (second.monotonic, >, first.monotonic);
  g_assert_cmpint (second.realtime, >, first.realtime);
  g_test_message ("estimate %" G_GUINT64_FORMAT ", exact %" G_GUINT64_FORMAT, estimate, exact);
  /* Loose, for a machine with much else to do: one part in a hundred. */
  g_assert_cmpuint (estimate, >, exact / 100 * 99);
  g_assert_cmpuint (estimate, <, exact / 100 * 101);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/identity", test_identity);
  g_test_add_func ("/clock/frequencies", test_frequencies);
  g_test_add_func ("/clock/scale", test_scale);
  g_test_add_func ("/clock/frequency", test_frequency);
  g_test_add_func ("/clock/this-machine", test_this_machine);
  return g_test_run ();
}
