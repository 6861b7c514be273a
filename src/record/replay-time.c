/* SPDX-License-Identifier: Apache-2.0 */
/* The time of waits with a limit: some callers, as C++'s library, do not believe the result, but look at the clock. */
/*
 * A replay is slower than the recorded run, so that a limit may be over here that was not over then. When it was is
 * known from when the program last read the clock: the recorded time of what the thread did next, and what the limit is
 * after the time that was read.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"
#include "replay.h"

enum
{
  SECOND = 1000000000,
};

static int64_t
replay_time_between (const struct timespec *from, const struct timespec *to)
{
  return (int64_t)(to->tv_sec - from->tv_sec) * SECOND + to->tv_nsec - from->tv_nsec;
}

static bool
replay_time_is_limit (const struct timespec *until)
{
  return until != NULL && until->tv_nsec >= 0 && until->tv_nsec < SECOND;
}

static struct lc_replay_reading *
replay_time_reading (struct lc_replayed *self, clockid_t clock)
{
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return NULL;
  return &self->readings[clock == CLOCK_MONOTONIC];
}

void
lc_replay_time_now (clockid_t clock, struct timespec *now)
{
  if (lc_replay_gives_inputs ())
    syscall (SYS_clock_gettime, clock, now);
  else
    LC_REAL (clock_gettime) (clock, now);
}

LC_REPLAY_EXPORT int
clock_gettime (clockid_t clock, struct timespec *now)
{
  struct lc_replayed *self = lc_replay_self;
  int result = LC_REAL (clock_gettime) (clock, now);
  struct lc_replay_reading *reading = self != NULL && result == 0 ? replay_time_reading (self, clock) : NULL;

  if (reading == NULL)
    return result;
  if (self->is_early && clock == self->clock && !lc_replay_gives_inputs ())
    {
      self->is_early = false;
      if (replay_time_between (now, &self->limit) <= 0)
        {
          *now = self->limit;
          now->tv_nsec--;
        }
      if (now->tv_nsec < 0)
        {
          now->tv_sec--;
          now->tv_nsec += SECOND;
        }
    }
  reading->time = *now;
  reading->event = lc_replay_peek (self);
  return 0;
}

/* A program that goes on waiting until the same time has read the clock meanwhile for other reasons. */
void
lc_replay_time_begin (struct lc_replayed *self, clockid_t clock, const struct timespec *until)
{
  const struct lc_replay_event *event = lc_replay_peek (self);
  const struct lc_replay_reading *reading = replay_time_reading (self, clock);
  struct lc_replay_reading now = {.event = event};

  if (!replay_time_is_limit (until) || event == NULL)
    return;
  if (self->over != 0 && clock == self->clock && replay_time_between (until, &self->limit) == 0)
    return;
  if (reading == NULL || reading->event == NULL)
    {
      if (lc_replay_gives_inputs ())
        return; /* the limit is one of the recorded time */
      if (LC_REAL (clock_gettime) (clock, &now.time) != 0)
        return;
      reading = &now;
    }
  self->clock = clock;
  self->limit = *until;
  self->over = (int64_t)reading->event->begin + replay_time_between (&reading->time, until);
}

/* The thread goes on when it has the mutex again. */
bool
lc_replay_time_is_over (const struct lc_replayed *self, const struct lc_replay_event *event)
{
  const struct lc_replay_event *next = self->thread->next + 1 < self->thread->n_events ? event + 1 : NULL;

  if (next == NULL || next->operation != LC_LOCK || (next->flags & LC_EVENT_AGAIN) == 0)
    next = event;
  return self->over != 0 && (int64_t)(next->begin + next->length) >= self->over;
}

void
lc_replay_time_await (clockid_t clock, const struct timespec *until)
{
  if (!replay_time_is_limit (until))
    return;
  while (LC_REAL (clock_nanosleep) (clock, TIMER_ABSTIME, until, NULL) == EINTR)
    ;
}

void
lc_replay_time_is_early (struct lc_replayed *self, clockid_t clock, const struct timespec *until)
{
  self->is_early = replay_time_is_limit (until) && clock == self->clock && self->over != 0;
}
