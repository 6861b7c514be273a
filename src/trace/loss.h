/* SPDX-License-Identifier: Apache-2.0 */
/* The number of events that a trace has lost, with reasons: those counted by its processes, and those counted apart. */
#ifndef LC_TRACE_LOSS_H
#define LC_TRACE_LOSS_H

#include "lightcone/trace.h"

/* Adds losses; counts never exceed G_MAXINT64. */
void lc_trace_lost_add (LcTraceLost *lost, const LcTraceLost *more);

/* FALSE: this version knows no such reason. */
gboolean lc_lost_is_named (guint reason);

/* Formats ": disk 3, file 4" for details of problems, or "". */
char *lc_lost_name_reasons (const guint64 lost[LC_LOST_REASONS]);

/* Formats ": the disk is full (3), a file of the trace could not be opened (4)" for users, or "". */
char *lc_lost_reasons (const guint64 lost[LC_LOST_REASONS]);

/* Describes the losses: "7 events were lost: the disk is full (3), ..."; NULL: no losses. */
char *lc_lost_describe (const LcTraceLost *lost);

#endif
