/* SPDX-License-Identifier: Apache-2.0 */
/* Time that is lost on purpose with each event, so exactly that it can be taken off again. */
#include "recorder.h"

enum
{
  INTERRUPTED = 150, /* ticks: less is a matter of the clock's steps */
};

/* What reading the clock adds to what is lost. */
static int64_t reading;

/*
 * Reading the clock takes time as well. What was too much or too little of its steps, the next time makes up for.
 * Returns how much longer it took because something else came in between.
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

/* The longer an event takes, the more often it is interrupted, as the program would not be. */
void
lc_lose_time (struct lc_thread *thread)
{
  uint64_t more;

  if (thread->is_losing)
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

/* What losing no time takes, when nothing else comes in between. */
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
