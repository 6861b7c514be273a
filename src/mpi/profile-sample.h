/* SPDX-License-Identifier: Apache-2.0 */
/* A function like those of a profiled program, for calibration. */
#ifndef LC_MPI_PROFILE_SAMPLE_H
#define LC_MPI_PROFILE_SAMPLE_H

#include <stdint.h>

void lc_profile_sample (void);

/*
 * The work of the sample function. Around an empty function the measurement would take longer than in a real program,
 * where part of it overlaps with the function's work. Each step depends on the one before, and each call on the one
 * before: otherwise the processor would overlap several calls where they are not measured, and that would be counted as
 * cost of the measurement.
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
