/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone check --predict`. Its keys must never change. */
#ifndef LC_CLI_LOCK_CYCLES_H
#define LC_CLI_LOCK_CYCLES_H

#include "confirm.h"
#include "history/names.h"
#include "lightcone/lock-cycles.h"

/* In text for people, or as JSON. `confirmations`: of each cycle, or NULL. */
void lc_lock_cycles_show (const LcLockCycles *cycles, const LcConfirmation *confirmations, LcNames *names,
                          gboolean json);

#endif
