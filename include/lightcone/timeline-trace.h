/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a timeline of a history as a trace of its own. */
#ifndef LIGHTCONE_TIMELINE_TRACE_H
#define LIGHTCONE_TIMELINE_TRACE_H

#include "lightcone/history.h"

G_BEGIN_DECLS

typedef struct
{
  const char *origin;       /* directory of the trace that the history was made of */
  const char *const *rules; /* further files of rules that it was made with; or NULL */
  const char *path;         /* of the directory to write; it must be missing or empty ... */
  gboolean replace;         /* ... or a trace, which is removed */
  GCancellable *cancellable;
} LcTimelineTraceOptions;

/*
 * Writes a text trace with the events and times of the timeline, and a trace.ini that tells where it comes from. Merged
 * with the rules that are written beside it, it has the same events, times, arcs and waiting. What text traces do not
 * have is left out: hosts, identifiers of processes, addresses, what was pending.
 *
 * FALSE: nothing is left there. LC_TRACE_ERROR_EXISTS: something is in the directory that must not be removed.
 */
gboolean lc_timeline_write_trace (LcHistory *history, guint32 timeline, const LcTimelineTraceOptions *options,
                                  GError **error);

G_END_DECLS

#endif
