/* SPDX-License-Identifier: Apache-2.0 */
/* The process that evaluates what is typed in the console: lightcone script, at the other end of two pipes. */
#ifndef LC_APP_CONSOLE_LINK_H
#define LC_APP_CONSOLE_LINK_H

#include <gio/gio.h>

/* Called on the main thread for each frame: `word` is as docs/architecture.md lists them, "complaint" for a line of
 * standard error, or "gone" when the process has ended. */
typedef void (*LcConsoleNews) (gpointer owner, const char *word, const char *text);

typedef struct _LcConsoleLink LcConsoleLink;

/* Starts the process. The limits, in MiB and in seconds (0: none), are of each evaluation. NULL: it cannot be started.
 */
LcConsoleLink *lc_console_link_new (const char *directory, guint memory_limit, guint time_limit, LcConsoleNews news,
                                    gpointer owner, GError **error);

/* Ends the process at once; no more news will come. */
void lc_console_link_free (LcConsoleLink *link);

/* Sends requests: pairs of a word and a text, NULL-terminated. The process must have answered those before. */
void lc_console_link_send (LcConsoleLink *link, const char *word, ...) G_GNUC_NULL_TERMINATED;

/* Interrupts what is evaluated; a process that does not react within seconds is ended. */
void lc_console_link_stop (LcConsoleLink *link);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcConsoleLink, lc_console_link_free)

#endif
