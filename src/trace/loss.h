/* SPDX-License-Identifier: Apache-2.0 */
/* How many events a trace has lost, and why: what its processes have counted, and what nobody of them could. */
#ifndef LC_TRACE_LOSS_H
#define LC_TRACE_LOSS_H

#include "lightcone/trace.h"

/* Never beyond G_MAXINT64, whatever the numbers are. */
void lc_trace_lost_add (LcTraceLost *lost, const LcTraceLost *more);

/* FALSE: there is no such reason in this version. */
gboolean lc_lost_is_named (guint reason);

/* For details of problems: ": disk 3, file 4", or "". */
char *lc_lost_name_reasons (const guint64 lost[LC_LOST_REASONS]);

/* For people: ": the disk is full (3), a file of the trace could not be opened (4)", or "". */
char *lc_lost_reasons (const guint64 lost[LC_LOST_REASONS]);

/* "7 events were lost: the disk is full (3), ..."; NULL: none was. */
char *lc_lost_describe (const LcTraceLost *lost);

#endif
