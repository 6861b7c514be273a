/* SPDX-License-Identifier: Apache-2.0 */
/* Replays clang's OpenMP: tasks. The program is given memory of the replay's for them; the library only gets what
 * stands for a task while a thread carries it out. */
#include <stdlib.h>
#include <string.h>

#include "replay-openmp-tasks.h"

enum
{
  TASK_IS_TIED = 1 << 0,
  TASK_IS_FINAL = 1 << 1,
  TASK_HAS_DESTRUCTORS = 1 << 3,
  TASK_DETACHES = 1 << 6,
  ALIGNMENT = 64, /* of what the program is given */
};

#define CLANG_MARK UINT64_C (0x6C696E6874636867)

/* A task as the compiler knows it; private variables follow. */
struct clang_given
{
  void *shared;
  lc_openmp_entry *routine;
  int32_t part;
  lc_openmp_entry *destructors;
  uint64_t reserved;
};

/* A task of clang's. */
struct clang_task
{
  struct lc_replay_task task;
  struct clang_given *given; /* with a mark in front of it */
  size_t size, shared_size;
  void *place; /* of the call by which it was made */
  int flags;
  bool is_running, is_again;       /* an untied one makes itself again */
  void *stand_in;                  /* of the library's, for one that its maker carries out itself ... */
  struct lc_replay_context *outer; /* ... and what that went on with */
  bool has_turn;
};

/* In front of what the program is given. */
struct clang_mark
{
  struct clang_task *task;
  uint64_t mark;
};

/* NULL: it is of the library's. */
static struct clang_task *
clang_task_of (void *given)
{
  const struct clang_mark *mark = (const struct clang_mark *)given - 1;

  return mark->mark == CLANG_MARK && mark->task->given == given ? mark->task : NULL;
}

/* --- Carrying out ------------------------------------------------------------------------------------------- */

static void
clang_task_destroy (struct clang_task *task, int thread)
{
  if ((task->flags & TASK_HAS_DESTRUCTORS) != 0 && task->given->destructors != NULL)
    task->given->destructors (thread, task->given);
}

static void
clang_task_body (struct clang_task *task, int thread)
{
  struct lc_replay_context *outer = lc_replay_context_begin (task->task.team, task->task.is_in_group);

  task->is_running = true;
  do
    {
      task->is_again = false;
      task->given->routine (thread, task->given);
    }
  while (task->is_again);
  clang_task_destroy (task, thread);
  lc_replay_context_end (outer);
}

static int
clang_stand_in (int thread, void *given)
{
  struct clang_task *const *task = ((struct clang_given *)given)->shared;

  clang_task_body (*task, thread);
  return 0;
}

/* Makes what stands for the task in the calling thread. NULL: the library cannot. */
static void *
clang_task_stand_in (struct clang_task *task, int thread)
{
  __typeof__ (__kmpc_omp_task_alloc) *alloc = LC_REPLAY_OPENMP (__kmpc_omp_task_alloc);
  struct clang_given *stand_in;

  if (alloc == NULL)
    return NULL;
  stand_in = alloc (task->place, thread, TASK_IS_TIED | (task->flags & TASK_IS_FINAL), sizeof *stand_in, sizeof task,
                    clang_stand_in);
  *(struct clang_task **)stand_in->shared = task;
  return stand_in;
}

static void
clang_task_call (struct lc_replay_task *data)
{
  struct clang_task *task = (void *)data;
  __typeof__ (__kmpc_omp_task_begin_if0) *begin = LC_REPLAY_OPENMP (__kmpc_omp_task_begin_if0);
  __typeof__ (__kmpc_omp_task_complete_if0) *complete = LC_REPLAY_OPENMP (__kmpc_omp_task_complete_if0);
  __typeof__ (__kmpc_global_thread_num) *number = LC_REPLAY_OPENMP (__kmpc_global_thread_num);
  int thread = number != NULL ? number (task->place) : 0;
  void *stand_in = begin != NULL && complete != NULL ? clang_task_stand_in (task, thread) : NULL;

  if (stand_in == NULL)
    {
      clang_task_body (task, thread);
      return;
    }
  begin (task->place, thread, stand_in);
  clang_stand_in (thread, stand_in);
  complete (task->place, thread, stand_in);
}

/* --- Making ------------------------------------------------------------------------------------------------- */

/* NULL: there is no memory. */
static struct clang_task *
clang_task_new (struct lc_replay_context *maker, void *place, int flags, size_t size, size_t shared_size,
                lc_openmp_entry *routine)
{
  const size_t room = (size + 15) / 16 * 16;
  struct clang_task *task =
      lc_replay_get_memory (sizeof *task + sizeof (struct clang_mark) + ALIGNMENT + room + shared_size);
  uintptr_t at;

  if (task == NULL)
    return NULL;
  at = (uintptr_t)(task + 1) + sizeof (struct clang_mark);
  *task = (struct clang_task){.task = {.call = clang_task_call},
                              .given = (void *)((at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT),
                              .size = size,
                              .shared_size = shared_size,
                              .place = place,
                              .flags = flags};
  ((struct clang_mark *)(void *)task->given)[-1] = (struct clang_mark){task, CLANG_MARK};
  *task->given =
      (struct clang_given){.shared = shared_size > 0 ? (char *)task->given + room : NULL, .routine = routine};
  lc_replay_task_made (&task->task, maker);
  return task;
}

static void
clang_tell_unknown (uintptr_t caller)
{
  if (lc_replay_openmp_context () != NULL)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, NULL, caller);
}

/* The size of a task is at least that of what the compiler knows of it. Which of the ends of a detached task is the
 * last is not recorded. */
LC_REPLAY_EXPORT void *
__kmpc_omp_task_alloc (void *place, int thread, int flags, size_t size, size_t shared_size, lc_openmp_entry *routine)
{
  __typeof__ (__kmpc_omp_task_alloc) *real = LC_REPLAY_OPENMP (__kmpc_omp_task_alloc);
  struct lc_replay_context *context = lc_replay_openmp_context ();
  struct clang_task *task = NULL;

  if ((flags & TASK_DETACHES) != 0)
    clang_tell_unknown (LC_REPLAY_CALLER ());
  else if (context != NULL)
    task = clang_task_new (context, place, flags, size, shared_size, routine);
  if (task != NULL)
    return task->given;
  return real != NULL ? real (place, thread, flags, size, shared_size, routine) : NULL;
}

/* Begins to make a task; its construct has the address of the line of the call, if that is in the program. NULL: the
 * thread has no turn. */
static const struct lc_replay_event *
clang_make_begin (struct clang_task *task, uintptr_t construct, uintptr_t caller)
{
  const struct lc_replay_context *context = lc_replay_openmp_context ();
  const struct lc_replay_event *event;

  task->task.caller = caller;
  task->task.construct = lc_openmp_is_own ((const void *)construct) ? NULL : (const char *)construct - 1;
  event = context != NULL ? lc_replay_make_begin (task->task.construct, caller) : NULL;
  if (event == NULL)
    return NULL;
  task->has_turn = true;
  task->task.number = event->object;
  task->task.is_counted = true;
  task->task.is_in_group = lc_replay_is_in_group (context);
  return event;
}

static void
clang_task_submit (struct clang_task *task, uintptr_t construct, uintptr_t caller)
{
  struct lc_replay_context *context = lc_replay_openmp_context ();
  const struct lc_replay_event *event;
  uint32_t number;

  if (task->is_running)
    {
      task->is_again = true;
      return;
    }
  event = clang_make_begin (task, construct, caller);
  if (event == NULL)
    {
      lc_replay_run_left_tasks ();
      clang_task_call (&task->task);
      lc_replay_task_forget (&task->task);
      return;
    }
  number = event->object;
  context->made++;
  lc_replay_task_keep (&task->task);
  lc_replay_done (lc_replay_self, event);
  lc_replay_run_own (number, false);
}

LC_REPLAY_EXPORT int
__kmpc_omp_task (void *place, int thread, void *given)
{
  __typeof__ (__kmpc_omp_task) *real = LC_REPLAY_OPENMP (__kmpc_omp_task);
  struct clang_task *task = clang_task_of (given);

  if (task == NULL)
    return real != NULL ? real (place, thread, given) : 0;
  clang_task_submit (task, LC_REPLAY_CALLER (), LC_REPLAY_CALLER ());
  return 0;
}

static void
clang_need_all (struct lc_replay_needs *needs, const struct lc_openmp_clang_dependence *dependences, int n)
{
  for (int i = 0; i < n; i++)
    if (lc_openmp_clang_depends (&dependences[i]))
      lc_replay_need (needs, dependences[i].variable);
}

LC_REPLAY_EXPORT int
__kmpc_omp_task_with_deps (void *place, int thread, void *given, int n,
                           const struct lc_openmp_clang_dependence *dependences, int n_unique,
                           const struct lc_openmp_clang_dependence *unique)
{
  __typeof__ (__kmpc_omp_task_with_deps) *real = LC_REPLAY_OPENMP (__kmpc_omp_task_with_deps);
  struct clang_task *task = clang_task_of (given);

  if (task == NULL)
    return real != NULL ? real (place, thread, given, n, dependences, n_unique, unique) : 0;
  clang_need_all (&task->task.needs, dependences, n);
  clang_need_all (&task->task.needs, unique, n_unique);
  clang_task_submit (task, LC_REPLAY_CALLER (), LC_REPLAY_CALLER ());
  return 0;
}

/* The program itself calls the routine of a task that is not deferred between these two. */
LC_REPLAY_EXPORT void
__kmpc_omp_task_begin_if0 (void *place, int thread, void *given)
{
  __typeof__ (__kmpc_omp_task_begin_if0) *real = LC_REPLAY_OPENMP (__kmpc_omp_task_begin_if0);
  struct lc_replay_context *context = lc_replay_openmp_context ();
  struct clang_task *task = clang_task_of (given);
  const struct lc_replay_event *event =
      task != NULL ? clang_make_begin (task, LC_REPLAY_CALLER (), LC_REPLAY_CALLER ()) : NULL;

  if (event != NULL)
    {
      context->made++;
      lc_replay_done (lc_replay_self, event);
      lc_replay_task_begins (&task->task, 0);
    }
  if (task != NULL)
    given = task->stand_in = clang_task_stand_in (task, thread);
  if (real != NULL && given != NULL)
    real (place, thread, given);
  if (task != NULL)
    task->outer = lc_replay_context_begin (task->task.team, task->task.is_in_group);
}

LC_REPLAY_EXPORT void
__kmpc_omp_task_complete_if0 (void *place, int thread, void *given)
{
  __typeof__ (__kmpc_omp_task_complete_if0) *real = LC_REPLAY_OPENMP (__kmpc_omp_task_complete_if0);
  struct clang_task *task = clang_task_of (given);

  if (task != NULL)
    {
      clang_task_destroy (task, thread);
      lc_replay_context_end (task->outer);
      given = task->stand_in;
    }
  if (real != NULL && given != NULL)
    real (place, thread, given);
  if (task == NULL)
    return;
  if (task->has_turn)
    lc_replay_task_ends (&task->task, 0);
  lc_replay_task_forget (&task->task);
}

/* --- Waiting ------------------------------------------------------------------------------------------------ */

LC_REPLAY_EXPORT int
__kmpc_omp_taskwait (void *place, int thread)
{
  __typeof__ (__kmpc_omp_taskwait) *real = LC_REPLAY_OPENMP (__kmpc_omp_taskwait);

  lc_replay_task_wait (LC_REPLAY_CALLER ());
  return real != NULL ? real (place, thread) : 0;
}

LC_REPLAY_EXPORT int
__kmpc_omp_taskyield (void *place, int thread, int end)
{
  __typeof__ (__kmpc_omp_taskyield) *real = LC_REPLAY_OPENMP (__kmpc_omp_taskyield);

  lc_replay_run_tasks (LC_REPLAY_TASKS_YIELDED);
  return real != NULL ? real (place, thread, end) : 0;
}

LC_REPLAY_EXPORT void
__kmpc_omp_wait_deps (void *place, int thread, int n, const struct lc_openmp_clang_dependence *dependences,
                      int n_unique, const struct lc_openmp_clang_dependence *unique)
{
  __typeof__ (__kmpc_omp_wait_deps) *real = LC_REPLAY_OPENMP (__kmpc_omp_wait_deps);
  struct lc_replay_needs needs = {0};

  if (lc_replay_openmp_context () != NULL)
    {
      clang_need_all (&needs, dependences, n);
      clang_need_all (&needs, unique, n_unique);
    }
  lc_replay_wait_for (&needs, LC_REPLAY_CALLER ());
  if (real != NULL)
    real (place, thread, n, dependences, n_unique, unique);
}

#define GROUP(name, before) \
  LC_REPLAY_EXPORT void name (void *place, int thread) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    before (LC_REPLAY_CALLER ()); \
    if (real != NULL) \
      real (place, thread); \
  }

GROUP (__kmpc_taskgroup, lc_replay_group_begin)
GROUP (__kmpc_end_taskgroup, lc_replay_group_end)

/* The recording does not tell who adds up what. */
#define REDUCTION(name, parameters, arguments) \
  LC_REPLAY_EXPORT void *name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    clang_tell_unknown (LC_REPLAY_CALLER ()); \
    return real != NULL ? real arguments : NULL; \
  }

REDUCTION (__kmpc_taskred_init, (int thread, int n, void *data), (thread, n, data))
REDUCTION (__kmpc_taskred_modifier_init, (void *place, int thread, int is_loop, int n, void *data),
           (place, thread, is_loop, n, data))

/* --- Loops of tasks ----------------------------------------------------------------------------------------- */

typedef void clang_loop_copier (void *to, void *from, int is_last);

/* A loop, or a part of it that a task of the library's own makes the tasks of. */
struct clang_loop
{
  struct clang_task *pattern; /* of its tasks, with the bounds of the part */
  size_t first, last;         /* where the bounds are in what the program is given */
  int64_t step;
  uint64_t end; /* the last iteration of the whole loop */
  clang_loop_copier *copy;
  uintptr_t construct;
  uintptr_t caller; /* 0: a task of the library's own makes the tasks, somewhere */
  uint64_t most;    /* tasks that are made one after the other */
  uint64_t tasks;   /* ... of so many iterations; the first `extras` have one more */
  uint64_t size, extras, count;
  bool is_last_short; /* the last task has what is left, which may be less */
};

static uint64_t
clang_bound (const struct clang_task *task, size_t at)
{
  uint64_t value;

  memcpy (&value, (const char *)task->given + at, sizeof value);
  return value;
}

static void
clang_set_bound (struct clang_task *task, size_t at, uint64_t value)
{
  memcpy ((char *)task->given + at, &value, sizeof value);
}

/* Without memory, the recording cannot be followed. */
static struct clang_task *
clang_loop_copy (const struct clang_loop *loop, uint64_t first, uint64_t last, bool is_last)
{
  const struct clang_task *pattern = loop->pattern;
  struct clang_task *task = clang_task_new (lc_replay_openmp_context (), pattern->place, pattern->flags, pattern->size,
                                            pattern->shared_size, pattern->given->routine);
  void *shared;

  if (task == NULL)
    {
      clang_tell_unknown (loop->caller);
      return NULL;
    }
  shared = task->given->shared;
  memcpy (task->given, pattern->given, pattern->size);
  task->given->shared = pattern->given->shared;
  if (shared != NULL)
    {
      memcpy (shared, pattern->given->shared, pattern->shared_size);
      task->given->shared = shared;
    }
  clang_set_bound (task, loop->first, first);
  clang_set_bound (task, loop->last, last);
  if (loop->copy != NULL)
    loop->copy (task->given, pattern->given, is_last);
  return task;
}

static void
clang_loop_end (struct clang_loop *loop)
{
  clang_task_destroy (loop->pattern, 0);
  lc_replay_task_forget (&loop->pattern->task);
}

/* Makes the tasks one after the other. */
static void
clang_loop_make (struct clang_loop *loop)
{
  uint64_t first = clang_bound (loop->pattern, loop->first), left = loop->count, extras = loop->extras;

  for (uint64_t i = 0; i < loop->tasks && left > 0; i++)
    {
      const uint64_t size = loop->size + (extras > 0), n = size < left ? size : left;
      const uint64_t last = first + (n - 1) * (uint64_t)loop->step;
      struct clang_task *task = clang_loop_copy (loop, first, last, last == loop->end);

      extras -= extras > 0;
      if (task != NULL)
        clang_task_submit (task, loop->construct, loop->caller);
      left -= n;
      first = last + (uint64_t)loop->step;
    }
  clang_loop_end (loop);
}

static void clang_loop_split (struct clang_loop *loop);

static int
clang_loop_rest (int thread, void *given)
{
  struct clang_loop loop;

  (void)thread;
  memcpy (&loop, ((struct clang_given *)given)->shared, sizeof loop);
  loop.caller = 0;
  clang_loop_split (&loop);
  return 0;
}

/* Splits the loop in two as the library does; the second part has `tasks`, and is made by a task of its own. */
static struct clang_loop
clang_loop_halve (struct clang_loop *loop)
{
  struct clang_loop second = *loop;

  loop->tasks /= 2;
  second.tasks -= loop->tasks;
  if (loop->is_last_short || loop->tasks > loop->extras)
    {
      second.extras = 0;
      loop->is_last_short = false;
      second.count = second.is_last_short ? loop->count - loop->size * loop->tasks : loop->size * second.tasks;
    }
  else
    {
      second.extras -= loop->tasks;
      loop->size++;
      loop->extras = 0;
      second.count = loop->count - loop->size * loop->tasks;
    }
  loop->count -= second.count;
  return second;
}

static void
clang_loop_split (struct clang_loop *loop)
{
  while (loop->tasks > loop->most)
    {
      struct clang_loop second = clang_loop_halve (loop);
      const uint64_t first = clang_bound (loop->pattern, loop->first);
      const uint64_t middle = first + loop->count * (uint64_t)loop->step;
      struct clang_task *rest = clang_task_new (lc_replay_openmp_context (), loop->pattern->place, TASK_IS_TIED,
                                                sizeof (struct clang_given), sizeof second, clang_loop_rest);

      second.pattern = clang_loop_copy (loop, middle, clang_bound (loop->pattern, loop->last), false);
      clang_set_bound (loop->pattern, loop->last, middle - (uint64_t)loop->step);
      if (rest == NULL || second.pattern == NULL)
        {
          clang_tell_unknown (loop->caller);
          break;
        }
      memcpy (rest->given->shared, &second, sizeof second);
      clang_task_submit (rest, loop->construct, loop->caller);
    }
  clang_loop_make (loop);
}

enum
{
  CLANG_BY_SIZE = 1, /* so many iterations for each task */
  CLANG_TASKS = 256, /* at most, that are made one after the other */
};

/* Finds out the number of tasks, and that of their iterations. */
static void
clang_loop_measure (struct clang_loop *loop, int schedule, uint64_t size, bool is_strict)
{
  const char *most = getenv ("KMP_TASKLOOP_MIN_TASKS");
  const uint64_t usual = (uint64_t)loop->pattern->task.team->size * 10;

  loop->most = most != NULL ? strtoull (most, NULL, 10) : 0;
  if (loop->most == 0)
    loop->most = usual < CLANG_TASKS ? usual : CLANG_TASKS;
  if (schedule == CLANG_BY_SIZE && is_strict)
    {
      loop->tasks = (loop->count + size - 1) / size;
      loop->size = size;
      loop->is_last_short = loop->count < loop->tasks * size;
      return;
    }
  if (schedule == CLANG_BY_SIZE)
    loop->tasks = size < loop->count ? loop->count / size : 1;
  else
    {
      loop->tasks = schedule == 0 ? usual : size;
      if (loop->tasks > loop->count)
        loop->tasks = loop->count;
    }
  loop->size = loop->count / loop->tasks;
  loop->extras = loop->count % loop->tasks;
}

#define TASKLOOP(name, more_parameters, more_arguments, is_strict) \
  LC_REPLAY_EXPORT void name (void *place, int thread, void *given, int condition, uint64_t *first, uint64_t *last, \
                              int64_t step, int no_group, int schedule, uint64_t size, more_parameters void *copy) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct clang_task *task = clang_task_of (given); \
    struct clang_loop loop = { \
        .pattern = task, .step = step, .construct = LC_REPLAY_CALLER (), .caller = LC_REPLAY_CALLER ()}; \
\
    if (task == NULL) \
      { \
        if (real != NULL) \
          real (place, thread, given, condition, first, last, step, no_group, schedule, size, more_arguments copy); \
        return; \
      } \
    loop.first = (size_t)((char *)first - (char *)given); \
    loop.last = (size_t)((char *)last - (char *)given); \
    loop.copy = (clang_loop_copier *)(uintptr_t)copy; \
    loop.count = lc_openmp_clang_count (*first, *last, step); \
    loop.end = *first + (loop.count - 1) * (uint64_t)step; \
    clang_loop_measure (&loop, schedule, size, is_strict); \
    if (!no_group) \
      lc_replay_group_begin (loop.caller); \
    if (condition != 0) \
      clang_loop_split (&loop); \
    else \
      clang_loop_make (&loop); \
    if (!no_group) \
      lc_replay_group_end (loop.caller); \
  }

#define MODIFIER_PARAMETER int modifier,
#define MODIFIER_ARGUMENT modifier,

TASKLOOP (__kmpc_taskloop, , , false)
TASKLOOP (__kmpc_taskloop_5, MODIFIER_PARAMETER, MODIFIER_ARGUMENT, modifier != 0)
