/* SPDX-License-Identifier: Apache-2.0 */
/* Which of a recording's address spaces are still there, and go on writing to their heads. */
#ifndef LC_TRACE_RUNNING_H
#define LC_TRACE_RUNNING_H

#include <glib.h>

/* TRUE if the system's process `pid` has heads-`instance` of the trace in `directory` mapped. */
gboolean lc_is_running (const char *directory, guint32 pid, guint32 instance);

#endif
