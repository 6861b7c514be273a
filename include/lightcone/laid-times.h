/* SPDX-License-Identifier: Apache-2.0 */
/* Lays the times of one run under another one that has done the same, as a timeline. */
#ifndef LIGHTCONE_LAID_TIMES_H
#define LIGHTCONE_LAID_TIMES_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/* The model of such a timeline. */
#define LC_LAID_TIMES_MODEL "recorded"

/* Names the event of the old run that an event of the new one is. FALSE: there is none. */
typedef gboolean (*LcLaidFind) (guint32 process, guint64 ordinal, guint32 *old_process, guint64 *old_ordinal,
                                gpointer data);

typedef struct
{
  const char *name; /* of the timeline; another one of this name is replaced */
  LcLaidFind find;
  gpointer data;
  GCancellable *cancellable; /* or NULL */
} LcLaidTimesOptions;

/*
 * Adds a timeline to the history of the trace in `directory`, which is made if need be. Each event has the times of the
 * measured timeline of `old` there, if it is one of these and the same operation; one that is not comes right after the
 * one before it on its process and takes no time. `n_missing` is set to the number of those. FALSE: nothing was added;
 * LC_TRACE_ERROR, LC_RULES_ERROR, LC_HISTORY_ERROR, or G_IO_ERROR_CANCELLED.
 */
gboolean lc_lay_times (const char *directory, LcHistory *old, const LcLaidTimesOptions *options, guint64 *n_missing,
                       GError **error);

G_END_DECLS

#endif
