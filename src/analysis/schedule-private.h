/* SPDX-License-Identifier: Apache-2.0 */
/* What making and reading schedules share. */
#ifndef LC_ANALYSIS_SCHEDULE_PRIVATE_H
#define LC_ANALYSIS_SCHEDULE_PRIVATE_H

#include "lightcone/schedule.h"

LcSchedule *lc_schedule_new_empty (void);

#endif
