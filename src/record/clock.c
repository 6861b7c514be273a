/* SPDX-License-Identifier: Apache-2.0 */
/* The clock for machines whose processor counter cannot be used. */
#include "clock.h"

bool lc_clock_is_tsc;

uint64_t
lc_clock_monotonic (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C (1000000000) + (uint64_t)time.tv_nsec;
}
