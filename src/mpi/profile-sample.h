/* SPDX-License-Identifier: Apache-2.0 */
/* A function as a profiled program has them. */
#ifndef LC_MPI_PROFILE_SAMPLE_H
#define LC_MPI_PROFILE_SAMPLE_H

#include <stdint.h>

void lc_profile_sample (void);

/*
 * What it does. Around a function that does nothing the measurement would take longer than in a program, where part of
 * it goes on beside what the function does. Each step waits for the one before, and each call for the one before: else
 * the processor would do parts of several calls at once where they are not measured, and that would be counted, too.
 */
__attribute__ ((always_inline, no_instrument_function)) static inline void
lc_profile_sample_work (uint64_t *state)
{
  uint64_t value = *state;

  for (int i = 0; i < 32; i++)
    {
      value = value * UINT64_C (0x9E3779B97F4A7C15) + 1;
      value ^= value >> 32;
    }
  *(volatile uint64_t *)state = value;
}

extern uint64_t lc_profile_sample_state;

#endif
