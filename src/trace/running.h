/* SPDX-License-Identifier: Apache-2.0 */
/* Which of a recording's address spaces are still there, and go on writing to their places. */
#ifndef LC_TRACE_RUNNING_H
#define LC_TRACE_RUNNING_H

#include <glib.h>

typedef struct _LcRunning LcRunning;

/* For the recording whose heads-0 is open as `heads`. */
LcRunning *lc_running_new (int heads);
void lc_running_free (LcRunning *running);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRunning, lc_running_free)

/* Says that an address space of the recording had this number for the system: all are added before any is asked for. */
void lc_running_add (LcRunning *running, guint32 pid, guint32 instance);

/* TRUE if it is still there. A process that has become another program is another address space. */
gboolean lc_running_has (LcRunning *running, guint32 pid, guint32 instance);

#endif
