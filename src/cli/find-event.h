/* SPDX-License-Identifier: Apache-2.0 */
/* Events that a user has named: PROCESS:ORDINAL. */
#ifndef LC_CLI_FIND_EVENT_H
#define LC_CLI_FIND_EVENT_H

#include "lightcone/history.h"

/* By number, or else by name. FALSE: there is none. */
gboolean lc_find_process (const LcHistory *history, const char *text, guint32 *process);

/* An event of the measured timeline. FALSE: the message of the error says what is wrong; `command` begins one. */
gboolean lc_find_event (const LcHistory *history, const char *command, const char *text, guint32 *process,
                        guint64 *ordinal, GError **error);

#endif
