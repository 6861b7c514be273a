/* SPDX-License-Identifier: Apache-2.0 */
/* The time that each process spent in each phase, and on what. */
#include <glib/gi18n-lib.h>

#include "communication.h"
#include "lightcone/phases.h"

/* Rows that are allowed: a gigabyte of them. */
enum
{
  MOST_ROWS = 1 << 24,
};

typedef struct
{
  const LcHistory *history;
  const LcPhases *phases;
  LcPhaseStatistics *rows; /* rows of one process: rows[phase * n_processes] */
  guint32 n_processes;
  guint32 phase;         /* of the present event */
  guint64 next;          /* the first event that may be in a later phase */
  guint64 communicating; /* since the end of the previous event */
  guint64 preempted;
  guint64 outside;
  guint64 end; /* end of the previous event */
} Sum;

static void
statistics_phases_add_part (const LcHistoryEvent *event, guint64 begin, guint64 end, gpointer data)
{
  ((Sum *)data)->communicating += end - begin;
}

static void
statistics_phases_add_off (const LcHistoryEvent *event, const LcStateSpan *span, gpointer data)
{
  Sum *sum = data;

  if (span->state == LC_IS_PREEMPTED)
    sum->preempted += span->end - span->begin;
  else
    sum->outside += span->end - span->begin;
}

static gboolean
statistics_phases_add_event (const LcHistoryEvent *event, gpointer data)
{
  Sum *sum = data;
  LcPhaseStatistics *row;

  if (event->ordinal == 0)
    sum->end = lc_history_get_followed (sum->history, event->process, event->begin);
  if (event->ordinal >= sum->next)
    {
      sum->phase = lc_phases_of (sum->phases, event->process, event->ordinal);
      sum->next = lc_phases_get_first (sum->phases, event->process, sum->phase + 1);
    }
  row = &sum->rows[(gsize)sum->phase * sum->n_processes];
  row->events++;
  row->time += event->end - sum->end;
  row->communication += sum->communicating;
  row->waiting += event->waited;
  row->preempted += sum->preempted;
  row->outside += sum->outside;
  sum->end = event->end;
  sum->communicating = sum->preempted = sum->outside = 0;
  return TRUE;
}

GArray *
lc_statistics_phases (LcHistory *history, guint32 timeline, const LcPhases *phases, GCancellable *cancellable,
                      GError **error)
{
  static const LcCommunicationSink sink = {statistics_phases_add_part, statistics_phases_add_off,
                                           statistics_phases_add_event};
  g_autoptr (GArray) result = g_array_new (FALSE, TRUE, sizeof (LcPhaseStatistics));
  guint32 n = lc_history_get_n_processes (history), n_phases = lc_phases_get_n (phases);

  if ((guint64)n * n_phases > MOST_ROWS)
    {
      g_set_error (error, LC_PHASES_ERROR, LC_PHASES_ERROR_DEFINITION,
                   _ ("%s: %u phases of %u processes are too many: choose phases that are fewer"),
                   lc_history_get_path (history), n_phases, n);
      return NULL;
    }
  g_array_set_size (result, n * n_phases);
  for (guint32 i = 0; i < n; i++)
    {
      Sum sum = {.history = history,
                 .phases = phases,
                 .rows = &g_array_index (result, LcPhaseStatistics, i),
                 .n_processes = n};

      if (!lc_communication_scan (history, timeline, i, &sink, &sum, cancellable, error))
        return NULL;
    }
  for (guint i = 0; i < result->len; i++)
    {
      LcPhaseStatistics *row = &g_array_index (result, LcPhaseStatistics, i);

      row->phase = i / n;
      row->process = i % n;
      row->computing = row->time - row->communication - row->preempted - row->outside;
      row->transfer = row->communication - row->waiting;
    }
  return g_steal_pointer (&result);
}
