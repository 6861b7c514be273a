/* SPDX-License-Identifier: Apache-2.0 */
/* A race turned round: the program runs again, and the second one gets the lock first. */
#ifndef LC_CLI_FLIP_H
#define LC_CLI_FLIP_H

#include "lightcone/races.h"

/* Runs the recorded program so that the second of two acquisitions comes before the first, and then free; prints what
 * came of it. Returns the command's exit status. */
int lc_flip_race (const char *directory, const LcRacePair *pair);

#endif
