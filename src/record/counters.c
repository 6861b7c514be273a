/* SPDX-License-Identifier: Apache-2.0 */
/* Counters shared by all address spaces of a host, identified by name, in DIR/.control. */
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

static uint64_t
counters_hash (const char *name, uint64_t seed)
{
  uint64_t value = seed;

  for (const char *at = name; *at != '\0'; at++)
    {
      value = (value ^ (unsigned char)*at) * UINT64_C (0xFF51AFD7ED558CCD);
      value ^= value >> 29;
    }
  return value != 0 ? value : 1;
}

/* Waits until the process that took a place has named it; gives up after a while, because that process may have died in
 * between. */
static uint64_t
wait_for_check (const struct lc_named_counter *counter)
{
  uint64_t check = 0;

  for (int patience = 0; patience < 10000 && check == 0; patience++)
    {
      check = __atomic_load_n (&counter->check, __ATOMIC_ACQUIRE);
      if (check == 0)
        syscall (SYS_sched_yield);
    }
  return check;
}

/* Longest search: in a nearly full table, searching all of it would take longer than a counter is worth. */
#define STEPS 1024

struct lc_shared_counter *
lc_counter (const char *name)
{
  uint64_t key = counters_hash (name, UINT64_C (0x243F6A8885A308D3)),
           check = counters_hash (name, UINT64_C (0x13198A2E03707344));

  for (uint32_t step = 0; step < STEPS; step++)
    {
      struct lc_named_counter *counter = &lc_control->counters[(key + step) % LC_COUNTERS];
      uint64_t found = 0;

      if (__atomic_compare_exchange_n (&counter->key, &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        {
          __atomic_store_n (&counter->check, check, __ATOMIC_RELEASE);
          return &counter->counter;
        }
      if (found == key && wait_for_check (counter) == check)
        return &counter->counter;
    }
  return NULL;
}
