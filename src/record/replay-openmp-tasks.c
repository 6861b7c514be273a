/* SPDX-License-Identifier: Apache-2.0 */
/* Replays gcc's OpenMP: tasks. The library is not given them: each is kept until the thread that carried it out has it
 * next in its history, where it waited, and is then handed to the library as one to carry out at once. */
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#include "replay-openmp.h"

enum
{
  TASK_DETACHES = 1 << 13,
  TASK_REDUCES = 1 << 12,
  TASK_IN_NO_GROUP = 1 << 11,
  TASK_IF = 1 << 10, /* a taskloop's tasks may be carried out by others */
  TASK_DEPENDS = 1 << 3,
  TASK_IS_FINAL = 1 << 1,
  MOST_NEEDS = 8,  /* dependences of a task that are recorded */
  MOST_GROUPS = 8, /* of a task, within one another */
};

/* The variables that a task depends on. */
struct replay_needs
{
  uint32_t n;
  bool is_too_many;
  const void *addresses[MOST_NEEDS];
};

/* A task until its end, with a copy of its argument behind it. */
struct replay_task
{
  struct replay_task *next, *before; /* of those that nobody has begun */
  lc_openmp_routine *routine;
  void *argument;
  struct lc_replay_team *team;
  struct lc_replay_context *maker;
  uintptr_t caller;
  uint32_t number; /* object of the plan */
  uint32_t index;  /* within the tasks of a loop */
  unsigned int flags;
  bool is_counted, is_in_group;
  struct replay_needs needs;
};

static __thread struct lc_replay_context *replay_context __attribute__ ((tls_model ("initial-exec")));

/* --- Memory ------------------------------------------------------------------------------------------------- */

/*
 * What is made of many sizes, and lives until another thread has used it. Memory is that of the system, since a
 * program's own functions may not be called here: pieces of powers of 2, which are used again, and each begins with its
 * size.
 */
enum
{
  LEAST_PIECE = 7, /* 128 bytes */
  PIECE_SIZES = 32,
  PIECE_HEAD = 16,
  CHUNK_BYTES = 1 << 20,
};

static struct replay_piece
{
  struct replay_piece *next;
} * replay_pieces[PIECE_SIZES];
static char *replay_chunk_at;
static size_t replay_chunk_room;
static uint32_t replay_tasks_lock; /* of this, and of the tasks below */

static void
replay_tasks_enter (void)
{
  while (__atomic_exchange_n (&replay_tasks_lock, 1, __ATOMIC_ACQUIRE) != 0)
    sched_yield ();
}

static void
replay_tasks_leave (void)
{
  __atomic_store_n (&replay_tasks_lock, 0, __ATOMIC_RELEASE);
}

/* NULL: there is none. */
static char *
replay_new_piece (size_t bytes)
{
  char *piece = replay_chunk_at;

  if (bytes > replay_chunk_room)
    {
      const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
      void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      if (memory == MAP_FAILED)
        return NULL;
      piece = replay_chunk_at = memory;
      replay_chunk_room = size;
    }
  replay_chunk_at += bytes;
  replay_chunk_room -= bytes;
  return piece;
}

void *
lc_replay_get_memory (size_t bytes)
{
  uint32_t size = LEAST_PIECE;
  char *piece;

  while (size < PIECE_SIZES && (size_t)1 << size < bytes + PIECE_HEAD)
    size++;
  if (size == PIECE_SIZES)
    return NULL;
  replay_tasks_enter ();
  piece = (char *)replay_pieces[size];
  if (piece != NULL)
    replay_pieces[size] = replay_pieces[size]->next;
  else
    piece = replay_new_piece ((size_t)1 << size);
  replay_tasks_leave ();
  if (piece == NULL)
    return NULL;
  memcpy (piece, &size, sizeof size);
  return piece + PIECE_HEAD;
}

void
lc_replay_give_memory (void *memory)
{
  struct replay_piece *piece = (void *)((char *)memory - PIECE_HEAD);
  uint32_t size;

  memcpy (&size, piece, sizeof size);
  replay_tasks_enter ();
  piece->next = replay_pieces[size];
  replay_pieces[size] = piece;
  replay_tasks_leave ();
}

/* --- Tasks that nobody has begun ---------------------------------------------------------------------------- */

static struct replay_task *replay_first_task, *replay_last_task;

static void
replay_task_keep (struct replay_task *task)
{
  replay_tasks_enter ();
  task->before = replay_last_task;
  task->next = NULL;
  if (replay_last_task != NULL)
    replay_last_task->next = task;
  else
    replay_first_task = task;
  replay_last_task = task;
  replay_tasks_leave ();
}

/* Takes a task out; LC_REPLAY_NONE: whichever is first. It was made not long ago, most often. NULL: there is none. */
static struct replay_task *
replay_task_take (uint32_t number, uint32_t index)
{
  struct replay_task *task;

  replay_tasks_enter ();
  task = number == LC_REPLAY_NONE ? replay_first_task : replay_last_task;
  while (task != NULL && number != LC_REPLAY_NONE && (task->number != number || task->index != index))
    task = task->before;
  if (task != NULL)
    {
      *(task->before != NULL ? &task->before->next : &replay_first_task) = task->next;
      *(task->next != NULL ? &task->next->before : &replay_last_task) = task->before;
    }
  replay_tasks_leave ();
  return task;
}

/* --- Contexts ----------------------------------------------------------------------------------------------- */

static void
replay_context_leave (struct lc_replay_context *context)
{
  if (__atomic_sub_fetch (&context->users, 1, __ATOMIC_ACQ_REL) == 0)
    lc_replay_give_memory (context);
}

/* Without memory, the thread's tasks have no turns. */
struct lc_replay_context *
lc_replay_context_begin (struct lc_replay_team *team, bool is_in_group)
{
  struct lc_replay_context *outer = replay_context, *context = lc_replay_get_memory (sizeof *context);

  if (context != NULL)
    *context = (struct lc_replay_context){.team = team, .users = 1, .is_in_group = is_in_group};
  replay_context = context;
  return outer;
}

void
lc_replay_context_end (struct lc_replay_context *outer)
{
  if (replay_context != NULL)
    replay_context_leave (replay_context);
  replay_context = outer;
}

static struct lc_replay_context *
replay_openmp_context (void)
{
  return lc_replay_has_openmp () ? replay_context : NULL;
}

static bool
replay_is_in_group (const struct lc_replay_context *context)
{
  return context->is_in_group || context->depth > 0;
}

const void *
lc_replay_waits_of (const struct lc_replay_team *team)
{
  return (const char *)(uintptr_t)team->routine + 2;
}

/* --- Carrying out ------------------------------------------------------------------------------------------- */

static void
replay_task_body (void *data)
{
  struct replay_task *task = data;
  struct lc_replay_context *outer = lc_replay_context_begin (task->team, task->is_in_group);

  task->routine (task->argument);
  lc_replay_context_end (outer);
}

static void
replay_task_call (struct replay_task *task)
{
  __typeof__ (GOMP_task) *real = LC_REPLAY_OPENMP (GOMP_task);

  if (real != NULL)
    real (replay_task_body, task, NULL, sizeof (void *), sizeof (void *), false, task->flags & TASK_IS_FINAL, NULL, 0,
          NULL);
  else
    replay_task_body (task);
}

static void
replay_task_forget (struct replay_task *task)
{
  replay_context_leave (task->maker);
  lc_replay_give_memory (task);
}

/* Tells so many events of the variables that a task depends on. */
static void
replay_tell_needs (const struct replay_needs *needs, uint32_t n, uintptr_t caller)
{
  for (uint32_t i = 0; i < n; i++)
    {
      const struct lc_replay_event *next = lc_replay_self != NULL ? lc_replay_peek (lc_replay_self) : NULL;
      struct lc_replay_call call = {LC_CLASS_CREW, 0, 0, NULL, caller};

      if (next == NULL || next->detail == 0 || next->detail > needs->n)
        return;
      call.operation = next->operation;
      call.address = needs->addresses[next->detail - 1];
      lc_replay_openmp_tell (&call);
    }
}

static void
replay_task_ended (const struct replay_task *task, uint32_t n_needs)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_END, 0, lc_replay_waits_of (task->team), task->caller};

  replay_tell_needs (&task->needs, n_needs, task->caller);
  if (task->is_counted)
    lc_replay_openmp_tell (&call);
  if (task->is_in_group)
    lc_replay_openmp_tell (&call);
}

/* Carries out a task that comes after so many events of what it depends on. */
static void
replay_task_run (struct replay_task *task, uint32_t n_needs)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_START, 0, (const void *)(uintptr_t)task->routine,
                                      task->caller};

  replay_tell_needs (&task->needs, n_needs, task->caller);
  lc_replay_openmp_tell (&call);
  replay_task_call (task);
  replay_task_ended (task, n_needs);
  replay_task_forget (task);
}

static bool
replay_is_need (const struct lc_replay_event *event)
{
  return (event->operation == LC_READ_START || event->operation == LC_WRITE_START) &&
         lc_replay_object (event->object)->kind == LC_KIND_OPENMP;
}

/* Returns the begin of a task that is next in the thread's history, behind `n_needs` events of what it depends on. */
static const struct lc_replay_event *
replay_next_task (const struct lc_replayed *self, uint32_t *n_needs)
{
  const struct lc_replay_event *event;

  for (*n_needs = 0; (event = lc_replay_peek_at (self, *n_needs)) != NULL && replay_is_need (event); ++*n_needs)
    ;
  return event != NULL && event->operation == LC_TASK_START ? event : NULL;
}

static bool
replay_is_allowed (const struct lc_replay_event *event, enum lc_replay_tasks which, uint32_t own)
{
  switch (which)
    {
    case LC_REPLAY_TASKS_OWN:
      return (event->detail & LC_TASK_AT_ONCE) != 0 && event->object == own;
    case LC_REPLAY_TASKS_LATE:
      return (event->detail & LC_TASK_LATE) != 0;
    case LC_REPLAY_TASKS_HERE:
    default:
      return (event->detail & LC_TASK_AT_ONCE) == 0;
    }
}

bool
lc_replay_run_task (enum lc_replay_tasks which, uint32_t own)
{
  struct lc_replayed *self = lc_replay_has_openmp () ? lc_replay_enter (LC_CLASS_TASK) : NULL;
  struct lc_suspension suspension;
  uint32_t n_needs = 0;
  const struct lc_replay_event *event = self != NULL ? replay_next_task (self, &n_needs) : NULL;
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_START, 0, NULL, 0};
  struct replay_task *task;
  bool is_made;

  if (event == NULL || !replay_is_allowed (event, which, own))
    return false;
  lc_replay_record_suspend (&suspension);
  is_made = lc_replay_await (self, event->object, 1, LC_REPLAY_WAITING);
  lc_replay_record_resume (&suspension);
  if (!is_made)
    return false;
  task = replay_task_take (event->object, LC_TASK_INDEX (event->detail));
  if (task == NULL || task->needs.n != n_needs || task->needs.is_too_many)
    lc_replay_differs (self, &call, task == NULL ? LC_REPLAY_OUTCOME : LC_REPLAY_UNKNOWN);
  if (task == NULL)
    return false;
  replay_task_run (task, n_needs);
  return true;
}

void
lc_replay_run_tasks (enum lc_replay_tasks which)
{
  while (lc_replay_run_task (which, LC_REPLAY_NONE))
    ;
}

void
lc_replay_run_left_tasks (void)
{
  struct replay_task *task;

  while (lc_replay_has_openmp () && !lc_replay_follows () && (task = replay_task_take (LC_REPLAY_NONE, 0)) != NULL)
    {
      replay_task_call (task);
      replay_task_forget (task);
    }
}

/* --- Dependences -------------------------------------------------------------------------------------------- */

static void
replay_need (struct replay_needs *needs, const void *address)
{
  for (uint32_t i = 0; i < needs->n; i++)
    if (needs->addresses[i] == address)
      return;
  if (needs->n == MOST_NEEDS)
    needs->is_too_many = true;
  else if (address != NULL)
    needs->addresses[needs->n++] = address;
}

/* The first word is their number, then comes that of those to write, then all addresses; or it is 0, and there are more
 * sorts, the last of which are objects that say themselves what they are. */
static void
replay_need_all (struct replay_needs *needs, void **dependences)
{
  const bool has_sorts = dependences[0] == NULL;
  const uintptr_t n = (uintptr_t)dependences[has_sorts ? 1 : 0];
  const uintptr_t plain =
      has_sorts ? (uintptr_t)dependences[2] + (uintptr_t)dependences[3] + (uintptr_t)dependences[4] : n;
  void **addresses = dependences + (has_sorts ? 5 : 2);

  for (uintptr_t i = 0; i < n; i++)
    replay_need (needs, i < plain ? addresses[i] : *(void **)addresses[i]);
}

/* --- Making ------------------------------------------------------------------------------------------------- */

/* Room for the copy of an argument. NULL: there is no memory. */
static struct replay_task *
replay_task_new (const struct replay_task *like, long size, long alignment)
{
  const size_t step = alignment > 16 ? (size_t)alignment : 16;
  struct replay_task *task = lc_replay_get_memory (sizeof *task + (size_t)size + 2 * step);

  if (task == NULL)
    return NULL;
  *task = *like;
  task->argument = (void *)(((uintptr_t)(task + 1) + step - 1) / step * step);
  __atomic_fetch_add (&task->maker->users, 1, __ATOMIC_RELAXED);
  return task;
}

static void
replay_task_copy (struct replay_task *task, lc_openmp_copy *copy, void *argument, long size)
{
  if (copy != NULL)
    copy (task->argument, argument);
  else if (size > 0)
    memcpy (task->argument, argument, (size_t)size);
}

/* Carries out a task that its maker has carried out at once, and what it did while that had to wait. */
static void
replay_run_own (uint32_t number, bool must_come)
{
  while (!lc_replay_run_task (LC_REPLAY_TASKS_OWN, number))
    if (!must_come || !lc_replay_run_task (LC_REPLAY_TASKS_HERE, LC_REPLAY_NONE))
      return;
}

/* Begins to make tasks; NULL: the thread has no turn, and carries them out by itself. */
static const struct lc_replay_event *
replay_make_begin (lc_openmp_routine *routine, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_CREATE, 0, (const void *)(uintptr_t)routine, caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_TASK);

  return self != NULL ? lc_replay_turn (self, &call) : NULL;
}

LC_REPLAY_EXPORT void
GOMP_task (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, bool condition,
           unsigned int flags, void **dependences, int priority, void *detach)
{
  __typeof__ (GOMP_task) *real = LC_REPLAY_OPENMP (GOMP_task);
  struct lc_replay_context *context = replay_openmp_context ();
  const struct lc_replay_event *event;
  struct replay_task like = {.routine = routine, .caller = LC_REPLAY_CALLER (), .flags = flags, .is_counted = true};
  struct replay_task *task;

  if (real == NULL)
    return;
  if (context != NULL && (flags & TASK_DETACHES) != 0)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, (const void *)(uintptr_t)routine, like.caller);
  event = context != NULL ? replay_make_begin (routine, like.caller) : NULL;
  if (event == NULL)
    {
      lc_replay_run_left_tasks ();
      real (routine, argument, copy, size, alignment, condition && context == NULL, flags, dependences, priority,
            detach);
      return;
    }
  like.team = context->team;
  like.maker = context;
  like.number = event->object;
  like.is_in_group = replay_is_in_group (context);
  if ((flags & TASK_DEPENDS) != 0 && dependences != NULL)
    replay_need_all (&like.needs, dependences);
  task = replay_task_new (&like, size, alignment);
  if (task == NULL)
    {
      lc_replay_leave (lc_replay_self);
      lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, (const void *)(uintptr_t)routine, like.caller);
      real (routine, argument, copy, size, alignment, false, flags, dependences, priority, detach);
      return;
    }
  replay_task_copy (task, copy, argument, size);
  context->made++;
  replay_task_keep (task);
  lc_replay_done (lc_replay_self, event);
  replay_run_own (like.number, !condition);
}

/* --- Waiting ------------------------------------------------------------------------------------------------ */

/* Waits for tasks; in a program that is free, for those that the calling one has made. */
static void
replay_gather (struct lc_replay_context *context, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_WAIT, 0, lc_replay_waits_of (context->team), caller};

  lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
  if (lc_replay_openmp_tell (&call) != NULL)
    return;
  while (!lc_replay_follows () && __atomic_load_n (&context->users, __ATOMIC_ACQUIRE) > 1)
    {
      lc_replay_run_left_tasks ();
      sched_yield ();
    }
}

LC_REPLAY_EXPORT void
GOMP_taskwait (void)
{
  __typeof__ (GOMP_taskwait) *real = LC_REPLAY_OPENMP (GOMP_taskwait);
  struct lc_replay_context *context = replay_openmp_context ();

  if (context != NULL && context->made > 0)
    {
      replay_gather (context, LC_REPLAY_CALLER ());
      context->made = 0;
    }
  if (real != NULL)
    real ();
}

LC_REPLAY_EXPORT void
GOMP_taskwait_depend (void **dependences)
{
  __typeof__ (GOMP_taskwait_depend) *real = LC_REPLAY_OPENMP (GOMP_taskwait_depend);
  const struct lc_replay_context *context = replay_openmp_context ();
  struct replay_needs needs = {0};

  if (context != NULL)
    replay_need_all (&needs, dependences);
  if (needs.is_too_many)
    lc_replay_openmp_unknown (LC_CLASS_CREW, LC_READ_START, NULL, LC_REPLAY_CALLER ());
  if (needs.n > 0 && lc_replay_enter (LC_CLASS_TASK) != NULL)
    {
      lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
      replay_tell_needs (&needs, 2 * needs.n, LC_REPLAY_CALLER ());
    }
  if (real != NULL)
    real (dependences);
}

LC_REPLAY_EXPORT void
GOMP_taskgroup_start (void)
{
  __typeof__ (GOMP_taskgroup_start) *real = LC_REPLAY_OPENMP (GOMP_taskgroup_start);
  struct lc_replay_context *context = replay_openmp_context ();

  if (context != NULL && context->depth++ >= MOST_GROUPS)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_WAIT, lc_replay_waits_of (context->team), LC_REPLAY_CALLER ());
  if (real != NULL)
    real ();
}

LC_REPLAY_EXPORT void
GOMP_taskgroup_end (void)
{
  __typeof__ (GOMP_taskgroup_end) *real = LC_REPLAY_OPENMP (GOMP_taskgroup_end);
  struct lc_replay_context *context = replay_openmp_context ();

  if (context != NULL && context->depth > 0)
    {
      replay_gather (context, LC_REPLAY_CALLER ());
      context->depth--;
    }
  if (real != NULL)
    real ();
}

/* Its memory is that of the thread that began the group, whoever carries the tasks out. */
LC_REPLAY_EXPORT void
GOMP_taskgroup_reduction_register (uintptr_t *data)
{
  __typeof__ (GOMP_taskgroup_reduction_register) *real = LC_REPLAY_OPENMP (GOMP_taskgroup_reduction_register);
  const struct lc_replay_context *context = replay_openmp_context ();

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

/* What the library is given instead of the argument: it writes the first two words for each task, and reads the third.
 */
struct replay_taskloop
{
  uint64_t range[2];
  void *reductions;
  struct replay_task like;
  lc_openmp_copy *copy;
  void *argument;
  long size, alignment;
  bool is_short; /* there was not enough memory */
};

static void
replay_taskloop_make (void *data)
{
  struct replay_taskloop *loop = data;
  struct replay_task *task = replay_task_new (&loop->like, loop->size, loop->alignment);

  loop->is_short |= task == NULL;
  if (task == NULL)
    return;
  replay_task_copy (task, loop->copy, loop->argument, loop->size);
  memcpy (task->argument, loop->range, sizeof loop->range);
  replay_task_keep (task);
  loop->like.index++;
}

/* False: the thread has no turn. */
static bool
replay_taskloop_begin (struct replay_taskloop *loop, unsigned int flags, const struct lc_replay_event **event)
{
  struct lc_replay_context *context = replay_openmp_context ();

  *event = NULL;
  if (context != NULL && (flags & TASK_REDUCES) != 0)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, (const void *)(uintptr_t)loop->like.routine,
                              loop->like.caller);
  *event = context != NULL ? replay_make_begin (loop->like.routine, loop->like.caller) : NULL;
  if (*event == NULL)
    {
      lc_replay_run_left_tasks ();
      return false;
    }
  loop->like.team = context->team;
  loop->like.maker = context;
  loop->like.number = (*event)->object;
  loop->like.flags = flags;
  loop->like.is_in_group = (flags & TASK_IN_NO_GROUP) == 0 || replay_is_in_group (context);
  return true;
}

static void
replay_taskloop_end (const struct replay_taskloop *loop, unsigned int flags, const struct lc_replay_event *event)
{
  lc_replay_done (lc_replay_self, event);
  if (loop->is_short)
    lc_replay_openmp_unknown (LC_CLASS_TASK, LC_TASK_CREATE, (const void *)(uintptr_t)loop->like.routine,
                              loop->like.caller);
  if ((flags & TASK_IN_NO_GROUP) == 0)
    replay_gather (replay_context, loop->like.caller);
  else
    while (lc_replay_run_task (LC_REPLAY_TASKS_OWN, loop->like.number))
      ;
}

/* The library splits the loop as it does, and "carries out" at once what only keeps the tasks. */
#define TASKLOOP(name, type) \
  LC_REPLAY_EXPORT void name (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, \
                              long alignment, unsigned int flags, unsigned long tasks, int priority, type start, \
                              type end, type step) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct replay_taskloop loop = {.like = {.routine = routine, .caller = LC_REPLAY_CALLER ()}, \
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
