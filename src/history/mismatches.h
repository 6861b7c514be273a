/* SPDX-License-Identifier: Apache-2.0 */
/* Mismatches: ranks of MPI that carry out different collective operations where all have to carry out the same. */
#ifndef LC_HISTORY_MISMATCHES_H
#define LC_HISTORY_MISMATCHES_H

#include "lightcone/sweep.h"

/* The first operation that is another one than that of the first member to come. Of one that never ended, the event is
 * the last of its process. */
typedef struct
{
  guint32 object;
  guint32 process;
  guint32 operation;
  gint64 sequence;
  guint64 ordinal;
  guint64 count; /* of such events of the process on this object */
  guint32 other; /* the first member's */
  guint64 other_ordinal;
  guint32 other_operation;
} LcMismatch;

/* A visitor of the sweep; NULL: the trace has no such operations. */
LcSweepVisitor *lc_mismatches_new (LcTrace *trace);
void lc_mismatches_free (LcSweepVisitor *visitor);

/* Ends the sweep, which may have been `cut`. LcMismatch, in the order in which they were found; also of NULL. Free with
 * g_array_unref. */
GArray *lc_mismatches_list (LcSweepVisitor *visitor, gboolean cut);

#endif
