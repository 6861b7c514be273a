/* SPDX-License-Identifier: Apache-2.0 */
/* Loses a precise amount of time with each event on purpose, to test whether it can be taken off again. */
#include "recorder.h"

enum
{
  INTERRUPTED = 150, /* ticks: a smaller excess comes from the clock's resolution */
};

/* Ticks that reading the clock adds to the lost time. */
static int64_t reading;

/*
 * Loses time, which includes that for reading the clock; a rest or an excess is made up for by the next call. Returns
 * the ticks of an interruption.
 */
static uint64_t
lose_time_lose (int64_t *owed, uint64_t ticks)
{
  int64_t want = *owed + (int64_t)ticks - reading, lost;
  uint64_t begin = lc_now ();

  do
    lost = (int64_t)(lc_now () - begin);
  while (lost < want);
  *owed = want - lost;
  if (*owed >= -INTERRUPTED)
    return 0;
  *owed = 0;
  return (uint64_t)(lost - want);
}

/* Interruptions of the delay would not have hit the program itself, and so are recorded as the recorder's own time. */
void
lc_lose_time (struct lc_thread *thread)
{
  uint64_t more;

  if (thread->is_losing || thread->is_ending)
    return;
  thread->is_losing = true;
  more = lose_time_lose (&thread->owed, lc_overhead_test);
  if (more > 0)
    {
      thread->pause = lc_now () - more;
      lc_append_pause (thread);
    }
  thread->is_losing = false;
}

/* Finds how long losing no time takes without interruptions. */
void
lc_lose_time_begin (void)
{
  enum
  {
    ATTEMPTS = 10,
    TIMES = 30,
    TICKS = 20000
  };
  const uint64_t ticks = lc_overhead_test < TICKS ? lc_overhead_test : TICKS;
  int64_t least = INT64_MAX;

  for (int attempt = 0; attempt < ATTEMPTS; attempt++)
    {
      int64_t owed = 0, took;
      uint64_t begin = lc_now_after ();

      for (int i = 0; i < TIMES; i++)
        lose_time_lose (&owed, ticks);
      took = ((int64_t)(lc_now_after () - begin) + owed) / TIMES - (int64_t)ticks;
      if (took < least)
        least = took;
    }
  reading = least;
}
