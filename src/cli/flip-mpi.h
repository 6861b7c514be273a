/* SPDX-License-Identifier: Apache-2.0 */
/* Two messages turned round: an MPI program runs again, and a rank gets the second one first. */
#ifndef LC_CLI_FLIP_MPI_H
#define LC_CLI_FLIP_MPI_H

#include "flip.h"

/* Does lc_flip_events for a trace with ranks, whose launcher and its arguments are `command`. */
int lc_flip_messages (LcHistory *history, LcTrace *trace, char **command, const LcFlip *flip);

#endif
