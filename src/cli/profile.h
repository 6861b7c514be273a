/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles for people to read. */
#ifndef LC_CLI_PROFILE_H
#define LC_CLI_PROFILE_H

#include "lightcone/profile.h"

/* To standard output: the totals of all processes, then each one's routines; of these at most `limit`. */
void lc_profile_print (const LcProfile *profile, guint limit);

#endif
