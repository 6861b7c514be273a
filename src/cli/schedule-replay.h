/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program by a schedule. */
#ifndef LC_CLI_SCHEDULE_REPLAY_H
#define LC_CLI_SCHEDULE_REPLAY_H

#include <glib.h>

/* Runs the schedule's program, or another command if this is not empty, so often by the schedule of a file. Returns the
 * command's exit status: 0 if each run ended as the schedule says. */
int lc_schedule_replay (const char *file, char **given, guint times, gboolean quiet);

#endif
