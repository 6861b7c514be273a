/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of a program that is recorded. */
#ifndef LC_CLI_RECORD_ENVIRONMENT_H
#define LC_CLI_RECORD_ENVIRONMENT_H

#include "lightcone/recording.h"

/* Our environment, for a program (the path of its file) with the recorder's library. `host` may be NULL. Free with
 * g_strfreev. */
char **lc_record_make_environment (const LcRecording *recording, const char *library, const char *program,
                                   const char *host);

#endif
