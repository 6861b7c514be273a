/* SPDX-License-Identifier: Apache-2.0 */
/* Times until which threads wait that run one at a time. */
#ifndef LC_RECORD_SCHEDULE_LIMIT_H
#define LC_RECORD_SCHEDULE_LIMIT_H

#include <stdint.h>
#include <time.h>

/* ns until a time, coarse, so that it is the same in each run; -1 if there is none. */
int64_t lc_schedule_limit (clockid_t clock, const struct timespec *until);

/* Lets the time really come. */
void lc_schedule_wait_out (clockid_t clock, const struct timespec *until);

#endif
