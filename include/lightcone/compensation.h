/* SPDX-License-Identifier: Apache-2.0 */
/* On-the-fly compensation of measurement overhead in programs that send messages: the equations. C11. */
#ifndef LIGHTCONE_COMPENSATION_H
#define LIGHTCONE_COMPENSATION_H

#include <stdint.h>

/*
 * Malony, Shende, Morris and Wolf, "Compensation of Measurement Overhead in Parallel Performance Profiling" (2007).
 * Each process keeps one of these while it is being measured, and tells its delay with every message that it sends.
 * Whatever a process does would have been done `delay` earlier without the measurement:
 *
 *   delay (x) = overhead + adjusted
 *
 * All are times in one unit of the caller's (ns, ticks). Who adds what is simple: lc_compensation_add is called for
 * each cost of measuring, once, by the process that has paid it, as soon as it has; all else follows from the functions
 * below, which never change `overhead`. Taken off `overhead` alone, a profile is compensated locally; taken off the
 * delay, in parallel.
 *
 * The figures write o' for the part of a process's time that is taken off. Here that is the delay, for both have to be
 * equal if what is left is to add up: measured time = approximated time + what is taken off, after every event. So
 * where the figures leave o' as it was, or take x1 - x2 off it although the process waited so much less, this follows
 * the sum (and their x'); for w' and x' it is the figures' equations.
 */
struct lc_compensator
{
  int64_t overhead; /* that this process has had itself; never less than before */
  int64_t adjusted; /* waiting that would not have been; below 0: that would have been besides */
};

static inline void
lc_compensation_add (struct lc_compensator *process, int64_t overhead)
{
  process->overhead += overhead;
}

/* x: how much earlier the next event of this process would have been. To be sent with every message. */
static inline int64_t
lc_compensation_delay (const struct lc_compensator *process)
{
  return process->overhead + process->adjusted;
}

/*
 * The process came to a point at `begin` where it could not go on before `there`; without the measurement, that would
 * have been at `bare`. Either may lie before `begin`. Times are absolute, of a clock that all who are involved share.
 * Returns how long it would have waited (w').
 */
static inline int64_t
lc_compensation_wait (struct lc_compensator *process, int64_t begin, int64_t there, int64_t bare)
{
  int64_t bare_begin = begin - lc_compensation_delay (process);
  int64_t measured = there > begin ? there - begin : 0;
  int64_t would_be = bare > bare_begin ? bare - bare_begin : 0;

  process->adjusted += measured - would_be;
  return would_be;
}

/*
 * The general scenario (figure 7): a message of a process whose delay was x1 (`sender`) has been received after waiting
 * w. With x2 the delay here:
 *
 *   x1 >= x2 + w:  w' = 0               x2' = x2 + w
 *   x1 <  x2 + w:  w' = w + (x2 - x1)   x2' = x1
 *
 * so x2' = min (x1, x2 + w). Exact if the process waited, or the message came just in time, as in all of the figures.
 * If the message had been there for a while (w is 0, but it was there before the receive began), the approximated
 * receive ends too late by that while at most, if x1 < x2: then lc_compensation_receive_early is exact.
 */
static inline int64_t
lc_compensation_receive (struct lc_compensator *process, int64_t sender, int64_t waited)
{
  return lc_compensation_wait (process, 0, waited, waited - sender);
}

/* The same for a message that had been there for `early` when the receive began, which did not wait. */
static inline int64_t
lc_compensation_receive_early (struct lc_compensator *process, int64_t sender, int64_t early)
{
  return lc_compensation_wait (process, 0, -early, -early - sender);
}

/*
 * Several messages, or the members of a collective operation, were waited for together (section 4.3): `least` is the
 * least of their delays, as if that message had come last. Exact if it did, or if all have the same delay; else the
 * approximated end is too late, by no more than the difference between its delay and that of the one that came last.
 * Where the members' clock is one and the same, lc_compensation_arrive over all of them and lc_compensation_wait are
 * exact.
 */
static inline int64_t
lc_compensation_receive_group (struct lc_compensator *process, int64_t least, int64_t waited)
{
  return lc_compensation_receive (process, least, waited);
}

/* The values that the members of a group combine, each by its minimum. They start from LC_COMPENSATION_GROUP_INIT. */
struct lc_compensation_group
{
  int64_t delay;           /* the least delay */
  int64_t minus_last;      /* the negated time when the last member came */
  int64_t minus_last_bare; /* the negated time when the last member would have come */
};

#define LC_COMPENSATION_GROUP_INIT \
  { \
    INT64_MAX, INT64_MAX, INT64_MAX \
  }

/* Adds a member with this delay that came at `at`. A reduction with MIN does the same to each of the three values. */
static inline void
lc_compensation_arrive (struct lc_compensation_group *group, int64_t at, int64_t delay)
{
  if (delay < group->delay)
    group->delay = delay;
  if (-at < group->minus_last)
    group->minus_last = -at;
  if (delay - at < group->minus_last_bare)
    group->minus_last_bare = delay - at;
}

#endif
