/* SPDX-License-Identifier: Apache-2.0 */
/* When a process communicates, event by event. */
#ifndef LC_ANALYSIS_COMMUNICATION_H
#define LC_ANALYSIS_COMMUNICATION_H

#include "lightcone/statistics.h"

typedef struct
{
  /* From the end of the event before up to the end of this one: the parts in which the process communicates, in the
   * order of time; they do not overlap, and take some time. */
  void (*part) (const LcHistoryEvent *event, guint64 begin, guint64 end, gpointer data);

  /* Then the event itself. FALSE ends it. */
  gboolean (*event) (const LcHistoryEvent *event, gpointer data);
} LcCommunicationSink;

gboolean lc_communication_scan (LcHistory *history, guint32 timeline, guint32 process, const LcCommunicationSink *sink,
                                gpointer data, GCancellable *cancellable, GError **error);

#endif
