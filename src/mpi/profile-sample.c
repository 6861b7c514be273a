/* SPDX-License-Identifier: Apache-2.0 */
/* The sample function, compiled with -finstrument-functions to measure what that costs. */
#include "profile-sample.h"

uint64_t lc_profile_sample_state;

__attribute__ ((noinline)) void
lc_profile_sample (void)
{
  lc_profile_sample_work (&lc_profile_sample_state);
}
