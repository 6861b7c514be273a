/* SPDX-License-Identifier: Apache-2.0 */
/* Events that a user has named: PROCESS:ORDINAL. */
#ifndef LC_CLI_FIND_EVENT_H
#define LC_CLI_FIND_EVENT_H

#include "lightcone/history.h"

/* Finds an event of the measured timeline. FALSE with an error that tells what is wrong; `command` is the command's
 * name. */
gboolean lc_find_event (const LcHistory *history, const char *command, const char *text, guint32 *process,
                        guint64 *ordinal, GError **error);

#endif
