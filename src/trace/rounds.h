/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that does some work again and again. */
#ifndef LC_TRACE_ROUNDS_H
#define LC_TRACE_ROUNDS_H

#include <glib.h>

/* Does the work once, and returns for how long to pause after it, in microseconds. */
typedef gint64 (*LcRoundsWork) (gpointer data);

typedef struct _LcRounds LcRounds;

/* `name` is the thread's; `data` stays the caller's. */
LcRounds *lc_rounds_new (const char *name, LcRoundsWork work, gpointer data);
void lc_rounds_free (LcRounds *rounds); /* stops; NULL does nothing */

/* Works until lc_rounds_stop, which waits for the end of a round; it may be started again, also by a child of the
 * process. */
gboolean lc_rounds_start (LcRounds *rounds, GError **error);
void lc_rounds_stop (LcRounds *rounds);
gboolean lc_rounds_are_running (const LcRounds *rounds);

#endif
