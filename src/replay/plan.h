/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that plans of threads and of ranks ask of a trace. */
#ifndef LC_REPLAY_PLAN_PRIVATE_H
#define LC_REPLAY_PLAN_PRIVATE_H

#include "lightcone/trace.h"

/* Without all events, the rest would be in an order that never was. FALSE with LC_TRACE_ERROR. */
gboolean lc_replay_plan_check (LcTrace *trace, GError **error);

/* What could not be read is missing: damage, or an error of the system. Call after all events have been read. FALSE
 * with LC_TRACE_ERROR. */
gboolean lc_replay_plan_check_read (LcTrace *trace, GError **error);

/* plan-program.c: returns the address space of the last program that the first process has executed, or its own. */
guint32 lc_replay_plan_find_last_program (LcTrace *trace);

/* Whether a process of the trace is the first thread of a program that has executed the one of this address space, or
 * another before it. */
gboolean lc_replay_plan_is_replaced (LcTrace *trace, guint32 process, guint32 instance);

/* Tells of each module whether it is one of LC_REPLAY_BELOW_MPI. Free with g_free. */
gboolean *lc_replay_plan_find_below_mpi (LcTrace *trace);

#endif
