/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of the recording. */
#ifndef LC_RECORD_CLOCK_H
#define LC_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The compiler's builtins are used below, because <x86intrin.h> would add two megabytes to every file that reads the
 * clock. */
extern bool lc_clock_is_tsc;

uint64_t lc_clock_monotonic (void);

/* Reads the time, perhaps a little early because the processor reorders instructions: for begins, and for operations
 * that release others. */
static inline uint64_t
lc_now (void)
{
  if (__builtin_expect (lc_clock_is_tsc, 1))
    {
#if defined(__x86_64__)
      return __builtin_ia32_rdtsc ();
#elif defined(__aarch64__)
      uint64_t ticks;
      __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
      return ticks;
#endif
    }
  return lc_clock_monotonic ();
}

/* Reads the time after all earlier instructions are done: for the end of an operation that waits for others. */
static inline uint64_t
lc_now_after (void)
{
  if (__builtin_expect (lc_clock_is_tsc, 1))
    {
#if defined(__x86_64__)
      unsigned int processor;
      return __builtin_ia32_rdtscp (&processor);
#elif defined(__aarch64__)
      uint64_t ticks;
      __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks)::"memory");
      return ticks;
#endif
    }
  return lc_clock_monotonic ();
}

#endif
