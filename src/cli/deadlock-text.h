/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the deadlocks of a trace that is not merged, as it may be while it is recorded. */
#ifndef LC_CLI_DEADLOCK_TEXT_H
#define LC_CLI_DEADLOCK_TEXT_H

#include "lightcone/rules.h"

/* Reads and sweeps the whole trace. Gives "": there are none; NULL with `error`. Free with g_free. */
char *lc_deadlock_text (const char *directory, const LcRules *rules, GError **error);

#endif
