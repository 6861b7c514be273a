/* SPDX-License-Identifier: Apache-2.0 */
/* Replays gcc's OpenMP: its functions for tasks. */
#include <string.h>

#include "replay-openmp-tasks.h"

enum
{
  TASK_DETACHES = 1 << 13,
  TASK_REDUCES = 1 << 12,
  TASK_IN_NO_GROUP = 1 << 11,
  TASK_IF = 1 << 10, /* a taskloop's tasks may be carried out by others */
  TASK_DEPENDS = 1 << 3,
  TASK_IS_FINAL = 1 << 1,
};

/* A task of gcc's, with a copy of its argument behind it. */
struct replay_gcc_task
{
  struct lc_replay_task task;
  lc_openmp_routine *routine;
  void *argument;
  unsigned int flags;
};

/* --- Carrying out ------------------------------------------------------------------------------------------- */

static void
replay_gcc_body (void *data)
{
  struct replay_gcc_task *task = data;
  struct lc_replay_context *outer = lc_replay_context_begin (task->task.team, task->task.is_in_group);

  task->routine (task->argument);
  lc_replay_context_end (outer);
}

static void
replay_gcc_call (struct lc_replay_task *task)
{
  __typeof__ (GOMP_task) *real = LC_REPLAY_OPENMP (GOMP_task);
  const struct replay_gcc_task *own = (const void *)task;

  if (real != NULL)
    real (replay_gcc_body, task, NULL, sizeof (void *), sizeof (void *), false, own->flags & TASK_IS_FINAL, NULL, 0,
          NULL);
  else
    replay_gcc_body (task);
}

/* --- Making ------------------------------------------------------------------------------------------------- */

/* The first word is their number, then comes that of those to write, then all addresses; or it is 0, and there are more
 * sorts, the last of which are objects that say themselves what they are. */
static void
replay_need_all (struct lc_replay_needs *needs, void **dependences)
{
  const bool has_sorts = dependences[0] == NULL;
  const uintptr_t n = (uintptr_t)dependences[has_sorts ? 1 : 0];
  const uintptr_t plain =
      has_sorts ? (uintptr_t)dependences[2] + (uintptr_t)dependences[3] + (uintptr_t)dependences[4] : n;
  void **addresses = dependences + (has_sorts ? 5 : 2);

  for (uintptr_t i = 0; i < n; i++)
    lc_replay_need (needs, i < plain ? addresses[i] : *(void **)addresses[i]);
}

/* Room for the copy of an argument. NULL: there is no memory. */
static struct replay_gcc_task *
replay_task_new (const struct replay_gcc_task *like, struct lc_replay_context *maker, long size, long alignment)
{
  const size_t step = alignment > 16 ? (size_t)alignment : 16;
  struct replay_gcc_task *task = lc_replay_get_memory (sizeof *task + (size_t)size + 2 * step);

  if (task == NULL)
    return NULL;
  *task = *like;
  task->task.call = replay_gcc_call;
  task->argument = (void *)(((uintptr_t)(task + 1) + step - 1) / step * step);
  lc_replay_task_made (&task->task, maker);
  return task;
}

static void
replay_task_copy (struct replay_gcc_task *task, lc_openmp_copy *copy, void *argument, long size)
{
  if (copy != NULL)
    copy (task->argument, argument);
  else if (size > 0)
    memcpy (task->argument, argument, (size_t)size);
}

/* Returns all that tasks of a construct have in common; its object has the address of the routine. */
static struct replay_gcc_task
replay_task_like (lc_openmp_routine *routine, unsigned int flags, uintptr_t caller)
{
  return (struct replay_gcc_task){
      .task = {.construct = (const void *)(uintptr_t)routine, .caller = caller}, .routine = routine, .flags = flags};
}

static void
replay_tell_unknown (const struct lc_replay_task *task)
{
  lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, task->construct, task->caller);
}

LC_REPLAY_EXPORT void
GOMP_task (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, bool condition,
           unsigned int flags, void **dependences, int priority, void *detach)
{
  __typeof__ (GOMP_task) *real = LC_REPLAY_OPENMP (GOMP_task);
  struct lc_replay_context *context = lc_replay_openmp_context ();
  const struct lc_replay_event *event;
  struct replay_gcc_task like = replay_task_like (routine, flags, LC_REPLAY_CALLER ()), *task;

  if (real == NULL)
    return;
  if (context != NULL && (flags & TASK_DETACHES) != 0)
    replay_tell_unknown (&like.task);
  event = context != NULL ? lc_replay_make_begin (like.task.construct, like.task.caller) : NULL;
  if (event == NULL)
    {
      lc_replay_run_left_tasks ();
      real (routine, argument, copy, size, alignment, condition && context == NULL, flags, dependences, priority,
            detach);
      return;
    }
  like.task.number = event->object;
  like.task.is_counted = true;
  like.task.is_in_group = lc_replay_is_in_group (context);
  if ((flags & TASK_DEPENDS) != 0 && dependences != NULL)
    replay_need_all (&like.task.needs, dependences);
  task = replay_task_new (&like, context, size, alignment);
  if (task == NULL)
    {
      lc_replay_leave (lc_replay_self);
      replay_tell_unknown (&like.task);
      real (routine, argument, copy, size, alignment, false, flags, dependences, priority, detach);
      return;
    }
  replay_task_copy (task, copy, argument, size);
  context->made++;
  lc_replay_task_keep (&task->task);
  lc_replay_done (lc_replay_self, event);
  lc_replay_run_own (like.task.number, !condition);
}

/* --- Waiting ------------------------------------------------------------------------------------------------ */

#define WAIT(name, before) \
  LC_REPLAY_EXPORT void name (void) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    before (LC_REPLAY_CALLER ()); \
    if (real != NULL) \
      real (); \
  }

WAIT (GOMP_taskwait, lc_replay_task_wait)
WAIT (GOMP_taskgroup_start, lc_replay_group_begin)
WAIT (GOMP_taskgroup_end, lc_replay_group_end)

LC_REPLAY_EXPORT void
GOMP_taskwait_depend (void **dependences)
{
  __typeof__ (GOMP_taskwait_depend) *real = LC_REPLAY_OPENMP (GOMP_taskwait_depend);
  struct lc_replay_needs needs = {0};

  if (lc_replay_openmp_context () != NULL)
    replay_need_all (&needs, dependences);
  lc_replay_wait_for (&needs, LC_REPLAY_CALLER ());
  if (real != NULL)
    real (dependences);
}

/* The memory of a reduction is that of the thread that began the group, whoever carries the tasks out. */
LC_REPLAY_EXPORT void
GOMP_taskgroup_reduction_register (uintptr_t *data)
{
  __typeof__ (GOMP_taskgroup_reduction_register) *real = LC_REPLAY_OPENMP (GOMP_taskgroup_reduction_register);
  const struct lc_replay_context *context = lc_replay_openmp_context ();

  if (context != NULL)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, NULL, LC_REPLAY_CALLER ());
  if (real != NULL)
    real (data);
}

/* Tasks that take part in the reduction of a loop end before its memory is gone. */
LC_REPLAY_EXPORT void
GOMP_workshare_task_reduction_unregister (bool is_cancelled)
{
  __typeof__ (GOMP_workshare_task_reduction_unregister) *real =
      LC_REPLAY_OPENMP (GOMP_workshare_task_reduction_unregister);

  lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
  lc_replay_run_left_tasks ();
  if (real != NULL)
    real (is_cancelled);
}

/* --- Loops of tasks ----------------------------------------------------------------------------------------- */

/* The library is given this instead of the argument: it writes the first two words for each task, and reads the third.
 */
struct replay_taskloop
{
  uint64_t range[2];
  void *reductions;
  struct replay_gcc_task like;
  struct lc_replay_context *maker;
  lc_openmp_copy *copy;
  void *argument;
  long size, alignment;
  bool is_short; /* there was not enough memory */
};

static void
replay_taskloop_make (void *data)
{
  struct replay_taskloop *loop = data;
  struct replay_gcc_task *task = replay_task_new (&loop->like, loop->maker, loop->size, loop->alignment);

  loop->is_short |= task == NULL;
  if (task == NULL)
    return;
  replay_task_copy (task, loop->copy, loop->argument, loop->size);
  memcpy (task->argument, loop->range, sizeof loop->range);
  lc_replay_task_keep (&task->task);
  loop->like.task.index++;
}

/* False: the thread has no turn. */
static bool
replay_taskloop_begin (struct replay_taskloop *loop, unsigned int flags, const struct lc_replay_event **event)
{
  struct lc_replay_context *context = lc_replay_openmp_context ();

  *event = NULL;
  if (context != NULL && (flags & TASK_REDUCES) != 0)
    replay_tell_unknown (&loop->like.task);
  *event = context != NULL ? lc_replay_make_begin (loop->like.task.construct, loop->like.task.caller) : NULL;
  if (*event == NULL)
    {
      lc_replay_run_left_tasks ();
      return false;
    }
  loop->maker = context;
  loop->like.task.number = (*event)->object;
  loop->like.task.is_in_group = (flags & TASK_IN_NO_GROUP) == 0 || lc_replay_is_in_group (context);
  return true;
}

static void
replay_taskloop_end (const struct replay_taskloop *loop, unsigned int flags, const struct lc_replay_event *event)
{
  lc_replay_done (lc_replay_self, event);
  if (loop->is_short)
    replay_tell_unknown (&loop->like.task);
  if ((flags & TASK_IN_NO_GROUP) == 0)
    lc_replay_gather (loop->maker, loop->like.task.caller);
  else
    while (lc_replay_run_task (LC_REPLAY_TASKS_OWN, loop->like.task.number))
      ;
}

/* The library splits the loop as it does, and "carries out" at once what only keeps the tasks. */
#define TASKLOOP(name, type) \
  LC_REPLAY_EXPORT void name (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, \
                              long alignment, unsigned int flags, unsigned long tasks, int priority, type start, \
                              type end, type step) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct replay_taskloop loop = {.like = replay_task_like (routine, flags, LC_REPLAY_CALLER ()), \
                                   .copy = copy, \
                                   .argument = argument, \
                                   .size = size, \
                                   .alignment = alignment}; \
    const struct lc_replay_event *event; \
\
    if (real == NULL) \
      return; \
    if (!replay_taskloop_begin (&loop, flags, &event)) \
      { \
        real (routine, argument, copy, size, alignment, flags, tasks, priority, start, end, step); \
        return; \
      } \
    real (replay_taskloop_make, &loop, NULL, sizeof loop, _Alignof(struct replay_taskloop), \
          (flags & ~(unsigned int)TASK_IF) | TASK_IN_NO_GROUP, tasks, priority, start, end, step); \
    replay_taskloop_end (&loop, flags, event); \
  }

TASKLOOP (GOMP_taskloop, long)
TASKLOOP (GOMP_taskloop_ull, lc_ull)
