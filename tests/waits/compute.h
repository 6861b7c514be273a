/* SPDX-License-Identifier: Apache-2.0 */
/* Computing for a time. */
#ifndef LC_TESTS_COMPUTE_H
#define LC_TESTS_COMPUTE_H

#include <time.h>

/* So many milliseconds of a processor, however busy the machine is. */
static inline void
compute (int milliseconds)
{
  struct timespec begin, now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &begin);
  do
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
}

#endif
