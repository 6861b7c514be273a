/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the processes and objects of a trace the names that its places suggest. */
#include "lightcone/where.h"
#include "trace/reader.h"

void
lc_where_name_trace (const LcWhere *where, LcTrace *trace)
{
  g_autoptr (GPtrArray) processes = lc_trace_make_process_names (trace, where->processes, where->given);

  lc_trace_set_names (trace, (const char *const *)processes->pdata, where->objects, where->order);
}
