/* SPDX-License-Identifier: Apache-2.0 */
/* Events and timelines that a user has named. */
#ifndef LC_DRAW_FIND_NAMED_H
#define LC_DRAW_FIND_NAMED_H

#include "lightcone/history.h"

/* Finds an event of the measured timeline, PROCESS:ORDINAL. FALSE with an error that tells what is wrong; `command` is
 * the command's name. */
gboolean lc_find_event (const LcHistory *history, const char *command, const char *text, guint32 *process,
                        guint64 *ordinal, GError **error);

/* Finds a timeline by name. The error's message lists the timelines. */
gboolean lc_find_timeline (LcHistory *history, const char *name, guint32 *number, GError **error);

/* Finds the only timeline that is not measured, or else the only one named after a model that is chosen without
 * --model. Returns its name; free it with g_free. NULL: the error's message lists the timelines. */
char *lc_find_approximation (LcHistory *history, guint32 *number, GError **error);

#endif
