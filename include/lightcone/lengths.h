/* SPDX-License-Identifier: Apache-2.0 */
/* How long a part of a run took, and each of its processes: to compare runs of the same program. */
#ifndef LIGHTCONE_LENGTHS_H
#define LIGHTCONE_LENGTHS_H

#include "lightcone/history.h"

G_BEGIN_DECLS

typedef enum
{
  LC_PART_RUN,     /* from the first begin to the last end */
  LC_PART_THREADS, /* from the begin of the first create to the end of the last join */
  LC_PART_REGION,  /* from the first time that any process enters a region to the last time that one leaves it */
} LcPart;

typedef struct
{
  char *path;       /* "0.2": the third process that the first one made; the same in each run that makes them so */
  const char *name; /* the history's */
  guint64 length;   /* of its life, ns */
} LcProcessLength;

typedef struct
{
  LcHistory *history;
  LcPart part;
  guint64 begin, end; /* of the part, ns */
  GArray *processes;  /* LcProcessLength, by number */
} LcLengths;

/*
 * Measures a part of a run on a timeline: "run", "threads", or the name of a region. NULL: the threads, or else the run
 * if it makes none or joins none. NULL with LC_HISTORY_ERROR_UNKNOWN if there is no such part. The history must outlive
 * the result; free it with lc_lengths_free.
 */
LcLengths *lc_lengths_find (LcHistory *history, guint32 timeline, const char *part, GCancellable *cancellable,
                            GError **error);
void lc_lengths_free (LcLengths *lengths);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcLengths, lc_lengths_free)

G_END_DECLS

#endif
