/* SPDX-License-Identifier: Apache-2.0 */
/* Locks what a condition variable or a futex knows of its wake-ups. */
#include "wake-ups.h"

#include <sys/syscall.h>
#include <unistd.h>

/* The slot's own address decides whether it is shared: other processes may have written anything into a shared slot. */
struct lc_wake_ups *
lc_wake_ups_of (const struct lc_slot *slot)
{
  if (slot >= lc_control->shared && slot < lc_control->shared + LC_SHARED_SLOTS)
    return &lc_control->shared_wake_ups[slot - lc_control->shared];
  return (struct lc_wake_ups *)(uintptr_t)slot->extra;
}

/*
 * Locks for a few instructions. In shared memory the holder may have been killed, so waiting ends after a time that is
 * longer than a holder waits for a processor on a busy machine. Naps let a holder of lower priority go on, which
 * yielding alone might not.
 */
void
lc_wake_ups_lock (struct lc_wake_ups *wake_ups)
{
  static const struct timespec nap = {0, 50000}, long_nap = {0, 1000000};

  for (int patience = 0; patience < 1500; patience++)
    {
      if (__atomic_exchange_n (&wake_ups->lock, 1, __ATOMIC_ACQUIRE) == 0)
        return;
      if (patience < 100)
        syscall (SYS_sched_yield);
      else
        syscall (SYS_nanosleep, patience < 500 ? &nap : &long_nap, NULL);
    }
}

void
lc_wake_ups_unlock (struct lc_wake_ups *wake_ups)
{
  __atomic_store_n (&wake_ups->lock, 0, __ATOMIC_RELEASE);
}
