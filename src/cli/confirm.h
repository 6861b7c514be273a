/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks that did not happen, each tried by a replay that is steered into it. */
#ifndef LC_CLI_CONFIRM_H
#define LC_CLI_CONFIRM_H

#include "lightcone/lock-cycles.h"

typedef enum
{
  LC_CONFIRM_UNTRIED,
  LC_CONFIRM_DEADLOCK,   /* each process holds its lock and asks for the next one's */
  LC_CONFIRM_IMPOSSIBLE, /* no order of the recorded events leads there */
  LC_CONFIRM_DIFFERED,   /* the program did something else on the way */
  LC_CONFIRM_ELSEWHERE,  /* some process did not come there: it waited for what has no turns */
  LC_CONFIRM_UNKNOWN,    /* it could not be replayed */
} LcConfirmation;

/* "deadlock", "impossible" ...; of LC_CONFIRM_UNTRIED NULL. */
const char *lc_confirmation_name (LcConfirmation confirmation);

/* The same for people: a part of a sentence. */
const char *lc_confirmation_describe (LcConfirmation confirmation);

/* Tries each cycle, with the recorded command. NULL: the user has been told why nothing could be tried. Free with
 * g_free. */
LcConfirmation *lc_confirm_cycles (const LcLockCycles *cycles, const char *directory);

#endif
