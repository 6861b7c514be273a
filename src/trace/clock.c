/* SPDX-License-Identifier: Apache-2.0 */
/* Reads several clocks of this machine as near to the same moment as possible. */
#include "clock.h"

#include <gio/gio.h>
#include <time.h>

#include "timescale.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)
#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Number of tries; the quickest one counts, because it was not interrupted. */
#define TRIES 32

#define ESTIMATE_US 2000

static guint64
read_clock (clockid_t id)
{
  struct timespec time;

  clock_gettime (id, &time);
  return (guint64)time.tv_sec * NS_PER_SECOND + (guint64)time.tv_nsec;
}

static guint64
read_ticks (enum lc_clock clock)
{
#if defined(__x86_64__)
  if (clock == LC_CLOCK_TSC)
    {
      unsigned int processor;
      guint64 ticks = __builtin_ia32_rdtscp (&processor);

      __builtin_ia32_lfence ();
      return ticks;
    }
#endif
  return read_clock (CLOCK_MONOTONIC);
}

gboolean
lc_recording_tsc_usable (void)
{
#if defined(__x86_64__)
  g_autofree char *source = NULL;
  unsigned int a, b, c, d;

  if (!__get_cpuid (0x80000007, &a, &b, &c, &d) || !(d & 1u << 8))
    return FALSE;
  return g_file_get_contents (CLOCK_SOURCE, &source, NULL, NULL) && g_str_equal (g_strstrip (source), "tsc");
#else
  return FALSE;
#endif
}

gboolean
lc_clock_choose (LcRecordingClock wanted, enum lc_clock *clock, GError **error)
{
#if !defined(__x86_64__)
  if (wanted == LC_RECORDING_CLOCK_TSC)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "this processor has no time stamp counter");
      return FALSE;
    }
#endif
  if (wanted == LC_RECORDING_CLOCK_AUTO)
    *clock = lc_recording_tsc_usable () ? LC_CLOCK_TSC : LC_CLOCK_MONOTONIC;
  else
    *clock = wanted == LC_RECORDING_CLOCK_TSC ? LC_CLOCK_TSC : LC_CLOCK_MONOTONIC;
  return TRUE;
}

LcClockStamp
lc_clock_stamp (enum lc_clock clock)
{
  LcClockStamp best = {0};
  guint64 shortest = G_MAXUINT64;

  for (guint i = 0; i < TRIES; i++)
    {
      guint64 before = read_ticks (clock);
      guint64 monotonic = read_clock (CLOCK_MONOTONIC);
      guint64 realtime = read_clock (CLOCK_REALTIME);
      guint64 middle = read_clock (CLOCK_MONOTONIC);
      guint64 after = read_ticks (clock);

      if (after - before >= shortest)
        continue;
      shortest = after - before;
      best.ticks = before + (after - before) / 2;
      best.monotonic = monotonic + (middle - monotonic) / 2;
      best.realtime = (gint64)realtime;
    }
  return best;
}

guint64
lc_clock_frequency (enum lc_clock clock, const LcClockStamp *begin, const LcClockStamp *end)
{
  if (clock == LC_CLOCK_MONOTONIC)
    return NS_PER_SECOND;
  if (end->monotonic <= begin->monotonic || end->ticks <= begin->ticks)
    return 0;
  return lc_scale (end->ticks - begin->ticks, NS_PER_SECOND, end->monotonic - begin->monotonic);
}

guint64
lc_clock_estimate (enum lc_clock clock, const LcClockStamp *begin)
{
  LcClockStamp end;

  if (clock == LC_CLOCK_MONOTONIC)
    return NS_PER_SECOND;
  g_usleep (ESTIMATE_US);
  end = lc_clock_stamp (clock);
  return lc_clock_frequency (clock, begin, &end);
}
