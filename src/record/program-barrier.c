/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers that more threads may use than they gather, and that may be destroyed as soon as one thread has passed. */
#include "program.h"

#include <errno.h>
#include <limits.h>

/* Bits of `passed`, below the number of generations. */
enum
{
  SLEEPERS = 1,
  GENERATION = 2
};

static struct lc_pending
program_barrier_begin (struct lc_barrier *barrier)
{
  return lc_pending_begin (LC_CLASS_BARRIER, &barrier->handle, barrier, barrier->count);
}

int
lc_barrier_init (struct lc_barrier *barrier, const char *name, uint32_t count)
{
  *barrier = (struct lc_barrier){.count = count};
  if (count == 0)
    return EINVAL;
  if (lc_handle_init (&barrier->handle, name, "") != 0)
    return ENOMEM;
  program_barrier_begin (barrier);
  return 0;
}

void
lc_barrier_destroy (struct lc_barrier *barrier)
{
  lc_handle_destroy (&barrier->handle);
}

/* Compares wrapped numbers of generations, which are never far apart. */
static bool
has_passed (uint32_t passed, uint64_t generations)
{
  return (int32_t)(passed / GENERATION * GENERATION - (uint32_t)generations * GENERATION) >= 0;
}

static void
program_barrier_await (struct lc_barrier *barrier, uint64_t generations)
{
  uint32_t passed = __atomic_load_n (&barrier->passed, __ATOMIC_ACQUIRE);
  struct lc_patience patience = {0};

  while (!has_passed (passed, generations) && lc_look_again (&patience))
    passed = __atomic_load_n (&barrier->passed, __ATOMIC_ACQUIRE);
  while (!has_passed (passed, generations))
    if (passed & SLEEPERS)
      {
        lc_sleep (&barrier->passed, passed, LC_ANYONE);
        passed = __atomic_load_n (&barrier->passed, __ATOMIC_ACQUIRE);
      }
    else if (__atomic_compare_exchange_n (&barrier->passed, &passed, passed | SLEEPERS, true, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE))
      passed |= SLEEPERS;
}

bool
lc_barrier_wait (struct lc_barrier *barrier)
{
  struct lc_pending pending = program_barrier_begin (barrier);
  enum lc_forecast forecast = lc_pending_forecast (&pending, LC_BARRIER);
  uint64_t count = barrier->count, arrival, generation;
  bool last;

  if (LC_UNLIKELY (forecast != LC_FORECAST_NONE)) /* who replays it has gathered the threads */
    return forecast == LC_FORECAST_YES;
  arrival = __atomic_fetch_add (&barrier->arrived, 1, __ATOMIC_ACQ_REL);
  generation = arrival / count;
  last = arrival % count == count - 1;
  if (last)
    {
      /* With more threads than the barrier gathers, the last threads of two generations can be here at once. */
      program_barrier_await (barrier, generation);
      if (__atomic_exchange_n (&barrier->passed, (uint32_t)(generation + 1) * GENERATION, __ATOMIC_RELEASE) & SLEEPERS)
        lc_wake (&barrier->passed, INT_MAX, LC_ANYONE);
    }
  else
    {
      lc_pending_block (&pending, LC_BARRIER, generation);
      program_barrier_await (barrier, generation + 1);
    }
  lc_pending_end (&pending, LC_BARRIER, generation, count);
  return last;
}
