/* SPDX-License-Identifier: Apache-2.0 */
/* Finds when a process communicates, event by event. */
#ifndef LC_ANALYSIS_COMMUNICATION_H
#define LC_ANALYSIS_COMMUNICATION_H

#include "lightcone/states.h"
#include "lightcone/statistics.h"

typedef struct
{
  /* Called for each part between the end of the previous event and the end of this one in which the process
   * communicates: in the order of time, without overlaps or empty parts. */
  void (*part) (const LcHistoryEvent *event, guint64 begin, guint64 end, gpointer data);

  /* Called for each time in there in which it was preempted or outside of the program, whatever it held or was in; such
   * times are in no part. */
  void (*off) (const LcHistoryEvent *event, const LcStateSpan *span, gpointer data);

  /* Called for the event itself, after its parts. FALSE stops. */
  gboolean (*event) (const LcHistoryEvent *event, gpointer data);
} LcCommunicationSink;

gboolean lc_communication_scan (LcHistory *history, guint32 timeline, guint32 process, const LcCommunicationSink *sink,
                                gpointer data, GCancellable *cancellable, GError **error);

#endif
