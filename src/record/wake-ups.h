/* SPDX-License-Identifier: Apache-2.0 */
/* The wake-ups of a condition variable or a futex, which several threads number and hand out. */
#ifndef LC_RECORD_WAKE_UPS_H
#define LC_RECORD_WAKE_UPS_H

#include "recorder.h"

/* Returns the wake-ups of a slot. NULL: this is a child that has emptied its slots. */
struct lc_wake_ups *lc_wake_ups_of (const struct lc_slot *slot);

void lc_wake_ups_lock (struct lc_wake_ups *wake_ups);
void lc_wake_ups_unlock (struct lc_wake_ups *wake_ups);

#endif
