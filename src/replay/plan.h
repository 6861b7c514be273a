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

/* Tells of each module whether it is one of LC_REPLAY_BELOW_MPI. Free with g_free. */
gboolean *lc_replay_plan_find_below_mpi (LcTrace *trace);

#endif
