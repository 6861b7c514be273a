/* SPDX-License-Identifier: Apache-2.0 */
/* Prints profiles for people. */
#ifndef LC_CLI_PROFILE_H
#define LC_CLI_PROFILE_H

#include "lightcone/profile.h"

/* Prints the totals of all processes, then at most `limit` routines of each (0: no more than the totals); or of a
 * process that has call paths those with the most inclusive time, with all that lead to them. Who calls itself is one
 * line. */
void lc_profile_print (const LcProfile *profile, guint limit, gboolean by_path);

#endif
