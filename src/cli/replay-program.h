/* SPDX-License-Identifier: Apache-2.0 */
/* What a replay runs, and in which environment. */
#ifndef LC_CLI_REPLAY_PROGRAM_H
#define LC_CLI_REPLAY_PROGRAM_H

#include "lightcone/replay.h"

/* Gives the command, which is `given` (NULL-terminated, perhaps empty) or the recorded one, whose folder then becomes
 * ours, and whose environment is that of lc_replay_make_environment from then on. NULL: the user has been told. Free
 * with g_strfreev. */
char **lc_replay_find_command (LcTrace *trace, char **given);

/* Whether the program can be replayed. FALSE: the user has been told. */
gboolean lc_replay_check_program (const char *name);

/* The environment of the recorded command, or ours. Free with g_strfreev. */
char **lc_replay_dup_environment (void);

/* The same, with the libraries and the paths of the plan and of the inputs (NULL: none are given). Free with
 * g_strfreev. */
char **lc_replay_make_environment (LcTrace *trace, const char *library, const char *plan, const char *inputs);

/* NULL: the user has been told. */
struct lc_replay_header *lc_replay_map_plan (const char *path);

#endif
