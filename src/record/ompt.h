/* SPDX-License-Identifier: Apache-2.0 */
/* The part of OMPT that the recorder uses: what an OpenMP library tells a tool, as section 19 of the OpenMP 5.2
 * specification has it. */
#ifndef LC_RECORD_OMPT_H
#define LC_RECORD_OMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of the tool's for each region and task. */
union lc_ompt_data
{
  uint64_t value;
  void *pointer;
};

typedef void lc_ompt_function (void);
typedef lc_ompt_function *lc_ompt_lookup (const char *name);

struct lc_ompt_tool
{
  int (*begin) (lc_ompt_lookup *lookup, int device, union lc_ompt_data *data);
  void (*end) (union lc_ompt_data *data);
  union lc_ompt_data data;
};

/* What ompt_set_callback is given. */
enum lc_ompt_event
{
  LC_OMPT_THREAD_BEGIN = 1,
  LC_OMPT_THREAD_END = 2,
  LC_OMPT_PARALLEL_BEGIN = 3,
  LC_OMPT_PARALLEL_END = 4,
  LC_OMPT_TASK_CREATE = 5,
  LC_OMPT_TASK_SCHEDULE = 6,
  LC_OMPT_IMPLICIT_TASK = 7,
  LC_OMPT_SYNC_REGION_WAIT = 16,
  LC_OMPT_DEPENDENCES = 18,
  LC_OMPT_SYNC_REGION = 23,
  LC_OMPT_CANCEL = 30,
};

typedef int lc_ompt_set_callback (enum lc_ompt_event event, lc_ompt_function *callback);

enum lc_ompt_scope
{
  LC_OMPT_BEGIN = 1,
  LC_OMPT_END = 2,
};

enum lc_ompt_thread
{
  LC_OMPT_THREAD_WORKER = 2,
};

enum lc_ompt_parallel_flags
{
  LC_OMPT_PARALLEL_TEAM = -0x7FFFFFFF - 1,
};

enum lc_ompt_task_flags
{
  LC_OMPT_TASK_IMPLICIT = 1 << 1,
  LC_OMPT_TASK_EXPLICIT = 1 << 2,
  LC_OMPT_TASK_UNDEFERRED = 1 << 27,
};

/* What became of the task that a thread was carrying out. */
enum lc_ompt_task_status
{
  LC_OMPT_TASK_COMPLETE = 1,
  LC_OMPT_TASK_CANCELLED = 3,
  LC_OMPT_TASK_DETACHED = 4,       /* its code has ended, it has not */
  LC_OMPT_TASK_LATE_FULFILLED = 6, /* a detached one has ended */
};

enum lc_ompt_sync
{
  LC_OMPT_SYNC_BARRIER = 1,
  LC_OMPT_SYNC_BARRIER_IMPLICIT = 2, /* libraries that do not tell the next two apart */
  LC_OMPT_SYNC_BARRIER_EXPLICIT = 3,
  LC_OMPT_SYNC_BARRIER_IMPLEMENTATION = 4,
  LC_OMPT_SYNC_TASKWAIT = 5,
  LC_OMPT_SYNC_TASKGROUP = 6,
  LC_OMPT_SYNC_BARRIER_WORKSHARE = 8,
  LC_OMPT_SYNC_BARRIER_PARALLEL = 9,
};

enum lc_ompt_cancel_flags
{
  LC_OMPT_CANCEL_PARALLEL = 1 << 0,
  LC_OMPT_CANCEL_ACTIVATED = 1 << 4,
};

enum lc_ompt_dependence_type
{
  LC_OMPT_DEPENDENCE_IN = 1,
  LC_OMPT_DEPENDENCE_OUT = 2,
  LC_OMPT_DEPENDENCE_INOUT = 3,
};

struct lc_ompt_dependence
{
  union lc_ompt_data variable;
  int type;
};

/* The address before that to which a call returns is in the line of the call. */
static inline const void *
lc_ompt_line (const void *code)
{
  return (const char *)code - 1;
}

/* Whether a barrier is that at the end of the region that was called from `region`. Older libraries do not say it: its
 * code is the region's own, or nobody's. */
static inline bool
lc_ompt_ends_region (int kind, const void *code, const void *region)
{
  return kind == LC_OMPT_SYNC_BARRIER_PARALLEL ||
         ((kind == LC_OMPT_SYNC_BARRIER_IMPLICIT || kind == LC_OMPT_SYNC_BARRIER) && (code == NULL || code == region));
}

#endif
