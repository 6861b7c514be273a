/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories of the same program: where the order of events first differs, and where their times differ most. */
#ifndef LIGHTCONE_COMPARE_H
#define LIGHTCONE_COMPARE_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/*
 * Processes are the same if they have the same name, objects if they have the same name and class (of several with one
 * name, the n-th ones), and events if they have the same object, sequence, process and operation (of several of these,
 * the n-th ones). Events without a sequence are not compared.
 */

/* A timeline of a history. Both sides may be timelines of the same history. */
typedef struct
{
  LcHistory *history;
  guint32 timeline;
} LcCompareSide;

/* An event of one side. `process` is LC_TRACE_NONE if the side has no such event. */
typedef struct
{
  guint32 process;
  guint16 operation;
  guint64 ordinal;
  guint64 begin;
  guint64 end;
  guint64 waited;
} LcComparedEvent;

typedef struct
{
  guint32 objects[2]; /* the object's number on each side; LC_TRACE_NONE: not there */
  gint64 sequence;
  LcComparedEvent events[2];
} LcComparedPair;

/* A process. On a side without a process of this name, its number is LC_TRACE_NONE and everything else is 0. */
typedef struct
{
  guint32 processes[2];
  guint64 events[2];
  guint64 spans[2]; /* alive, ns */
  guint64 waiting[2];
} LcComparedProcess;

typedef struct
{
  guint64 n_pairs;         /* events that are on both sides */
  guint64 n_alone[2];      /* events on this side only, though their object is on both */
  guint64 n_unnumbered[2]; /* events without an object or a sequence, which are not compared */
  guint32 n_objects;       /* objects on both sides that have events with sequences on either */
  guint32 n_missing[2];    /* objects with events on this side only */
  guint32 n_differing;     /* of n_objects, those whose order differs */
  guint64 ends[2];         /* the end of each run (lc_statistics_total) */

  /*
   * LcComparedPair: of each object the first sequence whose events are not the same processes' and operations' on both
   * sides, with the first event of each side that the other one does not have. By the begin of the earlier of the two,
   * then by object; at most as many as asked for.
   */
  GArray *order;

  /* LcComparedPair: events on both sides whose durations differ most, the largest difference first, then by the first
   * side's process and ordinal; at most as many as asked for, none that are the same. */
  GArray *times;

  /* LcComparedProcess: in the first side's order, then those that only the second one has. */
  GArray *processes;
} LcComparison;

/* Called now and then by the thread that asked, with how much is done, from 0 to 1. */
typedef void (*LcCompareProgress) (double fraction, gpointer data);

/* Compares all events that have an object and a sequence, one object after the other, with only some of the events in
 * memory at a time. NULL with LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. */
LcComparison *lc_compare (const LcCompareSide sides[2], gsize limit, LcCompareProgress progress, gpointer data,
                          GCancellable *cancellable, GError **error);
void lc_comparison_free (LcComparison *comparison);

/* Finds the event of the other side that corresponds to an event of side `from` (0 or 1). FALSE with
 * LC_HISTORY_ERROR_UNKNOWN if there is none. */
gboolean lc_compare_find_partner (const LcCompareSide sides[2], guint from, guint32 process, guint64 ordinal,
                                  LcHistoryEvent *partner, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcComparison, lc_comparison_free)

G_END_DECLS

#endif
