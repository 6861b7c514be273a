/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone check --predict`. Its keys must never change. */
#ifndef LC_CLI_LOCK_CYCLES_H
#define LC_CLI_LOCK_CYCLES_H

#include "history/names.h"
#include "lightcone/lock-cycles.h"

/* In text for people, or as JSON. */
void lc_lock_cycles_show (const LcLockCycles *cycles, LcNames *names, gboolean json);

#endif
