/* SPDX-License-Identifier: Apache-2.0 */
/* Runs lightcone with scripts, as processes of their own. */
#ifndef LC_APP_SCRIPT_PROCESS_H
#define LC_APP_SCRIPT_PROCESS_H

#include <gio/gio.h>

/* FALSE: Lightcone was built without Guile. */
gboolean lc_script_process_is_possible (void);

/* Runs lightcone with these arguments, which are copied, and with limits of time and memory. The process ends when it
 * is cancelled. */
void lc_script_process_run_async (const char *const *arguments, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer data);

/* Gives what it has written; `*complaint`: the first line of what went wrong all the same, or "". NULL with an error
 * that has that line when it has failed. */
char *lc_script_process_finish (GAsyncResult *result, char **complaint, GError **error);

/* Has views of scripts drawn by lightcone export. To be called once, before windows are there. */
void lc_script_process_install (void);

#endif
