/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the programs that the first process of a trace has executed, one in the place of the other. */
#include "plan.h"

/* A program that is executed keeps the number of its process, and is another address space. */
static gboolean
plan_is_of_first_process (LcTrace *trace, guint32 process)
{
  const LcTraceProcess *first = lc_trace_get_process (trace, 0), *other = lc_trace_get_process (trace, process);

  return first->pid != 0 && other->pid == first->pid && other->thread == first->thread;
}

guint32
lc_replay_plan_find_last_program (LcTrace *trace)
{
  guint32 last = lc_trace_get_process (trace, 0)->instance;

  for (guint32 i = 1; i < lc_trace_get_n_processes (trace); i++)
    if (plan_is_of_first_process (trace, i))
      last = MAX (last, lc_trace_get_process (trace, i)->instance);
  return last;
}

gboolean
lc_replay_plan_is_replaced (LcTrace *trace, guint32 process, guint32 instance)
{
  return plan_is_of_first_process (trace, process) && lc_trace_get_process (trace, process)->instance < instance;
}
