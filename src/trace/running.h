/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which address spaces of a recording are still running, and writing to their places. */
#ifndef LC_TRACE_RUNNING_H
#define LC_TRACE_RUNNING_H

#include <glib.h>

typedef struct _LcRunning LcRunning;

/* Makes the object for the recording whose heads-0 is open as `heads`. */
LcRunning *lc_running_new (int heads);
void lc_running_free (LcRunning *running);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRunning, lc_running_free)

/* Adds an address space with its pid, before it is asked for. The system is asked anew if it is another one than was
 * known of the process. */
void lc_running_add (LcRunning *running, guint32 pid, guint32 instance);

/* TRUE if the address space still runs. After an exec, a process is another address space. */
gboolean lc_running_has (LcRunning *running, guint32 pid, guint32 instance);

#endif
