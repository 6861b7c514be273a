/* SPDX-License-Identifier: Apache-2.0 */
/* The clock for machines whose processor counter cannot be used. */
#include "clock.h"

#ifdef LC_MPI_REPLAY
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool lc_clock_is_tsc;

uint64_t
lc_clock_monotonic (void)
{
  struct timespec time;

#ifdef LC_MPI_REPLAY /* where the program may be given the recorded time */
  syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &time);
#else
  clock_gettime (CLOCK_MONOTONIC, &time);
#endif
  return (uint64_t)time.tv_sec * UINT64_C (1000000000) + (uint64_t)time.tv_nsec;
}
