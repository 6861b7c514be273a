/* SPDX-License-Identifier: Apache-2.0 */
/* Early reads: reads of an object before anybody wrote it. The rules allow them, but they are seldom intended. */
#ifndef LIGHTCONE_EARLY_READS_H
#define LIGHTCONE_EARLY_READS_H

#include "lightcone/sweep.h"

G_BEGIN_DECLS

/* The early reads of one object by one process. */
typedef struct
{
  guint32 object;
  guint32 process;
  guint32 operation; /* of the first early read */
  gint64 sequence;
  guint64 ordinal;
  guint64 count;
  guint32 writer; /* process that wrote the first version, later */
  guint64 writer_ordinal;
} LcEarlyRead;

/*
 * A visitor of the sweep that notes which versions are read before the object's first one was made. Objects of the
 * system's own (rwlocks) guard what has been there from the beginning: only those of lightcone/record.h and of text
 * traces count.
 */
LcSweepVisitor *lc_early_reads_new (LcTrace *trace, const LcRules *rules);
void lc_early_reads_free (LcSweepVisitor *visitor);

/* LcEarlyRead of objects that were written later, by object and process. Free with g_array_unref. */
GArray *lc_early_reads_list (LcSweepVisitor *visitor);

G_END_DECLS

#endif
