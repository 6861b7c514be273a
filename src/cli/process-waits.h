/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whether the threads of a process wait for nothing but each other. */
#ifndef LC_CLI_PROCESS_WAITS_H
#define LC_CLI_PROCESS_WAITS_H

#include <glib.h>
#include <sys/types.h>

/* Whether no thread can go on unless another one of the process does. Those of `held` and `awaiting` (pid_t) are known
 * to wait so; each other one must be seen to wait, without a limit, for a word of memory that no other process shares.
 * `switches` changes whenever one that is not held has run. In doubt, and with children that live, it is FALSE. */
gboolean lc_process_waits_for_itself (pid_t process, const GArray *held, const GArray *awaiting, guint64 *switches);

/* Whether a thread waits, without a limit, for a word of memory, so that only another thread lets it go on. */
gboolean lc_process_thread_waits (pid_t process, pid_t thread);

#endif
