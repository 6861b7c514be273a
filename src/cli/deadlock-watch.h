/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for a deadlock in a recording that goes on, when its threads seem to be stuck. */
#ifndef LC_CLI_DEADLOCK_WATCH_H
#define LC_CLI_DEADLOCK_WATCH_H

#include <glib.h>

typedef struct _LcDeadlockWatch LcDeadlockWatch;

/* `directory`: where the recording goes, an absolute path. `found` is called in another thread with what `lightcone
 * check --deadlocks` says, once for each deadlock. Both have to live as long. */
LcDeadlockWatch *lc_deadlock_watch_new (const char *directory, void (*found) (const char *text, gpointer data),
                                        gpointer data);

/* From now on nothing is found. NULL is none. */
void lc_deadlock_watch_stop (LcDeadlockWatch *watch);

void lc_deadlock_watch_free (LcDeadlockWatch *watch);

/* Lets it look now. May be called in any thread, and returns at once. */
void lc_deadlock_watch_look (LcDeadlockWatch *watch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDeadlockWatch, lc_deadlock_watch_free)

#endif
