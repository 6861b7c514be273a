/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that were typed before, in the console or as a query, kept in the user's state folder. */
#ifndef LC_APP_CONSOLE_HISTORY_H
#define LC_APP_CONSOLE_HISTORY_H

#include <glib.h>

typedef struct _LcConsoleHistory LcConsoleHistory;

/* Reads what is kept in a file of this name. */
LcConsoleHistory *lc_console_history_new (const char *name);
void lc_console_history_free (LcConsoleHistory *history);

/* Adds what was typed, and keeps it. The next step back leads to it. */
void lc_console_history_add (LcConsoleHistory *history, const char *text);

/* Steps back or on from what stands in the entry now, which is kept as the newest one. NULL: there is no more. */
const char *lc_console_history_step (LcConsoleHistory *history, gboolean back, const char *typed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcConsoleHistory, lc_console_history_free)

#endif
