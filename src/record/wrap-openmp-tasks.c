/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: tasks. */
#include "wrap-openmp.h"

enum
{
  TASK_DETACHES = 1 << 13, /* libgomp writes into the argument */
  TASK_REDUCES = 1 << 12,  /* libgomp reads the third word of the argument of a taskloop */
  TASK_IN_NO_GROUP = 1 << 11,
};

/*
 * What a task is given in front of its own argument. libgomp writes the first two words of a taskloop's argument for
 * each task, and reads the third.
 */
struct openmp_given
{
  uint64_t range[2];
  void *reductions;
  lc_openmp_routine *routine;
  lc_openmp_copy *copy;
  void *argument; /* the program's, until it is copied */
  size_t size;
  size_t offset; /* of its copy */
  struct lc_openmp_team *team;
  struct lc_openmp_group *group;
  uint64_t sequence; /* the n-th task of its routine */
  uint64_t wait;     /* number of its maker's next wait */
  uint64_t phase;    /* number of its team's barriers before it was made */
  uint64_t made;     /* when it was made */
  uint32_t object;
  uint32_t wait_object;
  uint32_t site;
  uint32_t instance;
  bool is_loop;
  bool is_counted; /* its maker's next wait knows of it */
};

static __thread struct lc_openmp_task *openmp_task __attribute__ ((tls_model ("initial-exec")));

void
lc_openmp_task_begin (struct lc_openmp_task *task, struct lc_openmp_team *team, struct lc_openmp_group *group)
{
  task->outer = openmp_task;
  task->team = team;
  task->group = group;
  task->made = task->phase = 0;
  task->is_explicit = false;
  task->depth = 0;
  openmp_task = task;
}

void
lc_openmp_task_end (const struct lc_openmp_task *task)
{
  openmp_task = task->outer;
}

const void *
lc_openmp_current_routine (void)
{
  return openmp_task != NULL ? (const void *)(uintptr_t)openmp_task->team->routine : NULL;
}

/* The waits of a team's tasks have the address two bytes into its routine. */
static inline LC_ALWAYS_INLINE struct lc_slot *
openmp_wait_slot (struct lc_thread *thread, const struct lc_openmp_team *team)
{
  return lc_object (thread, (const char *)(uintptr_t)team->routine + 2, LC_CLASS_TASK, LC_KIND_OPENMP);
}

/* --- Carrying out ------------------------------------------------------------------------------------------ */

/* What the thread is waiting for while it carries out a task. */
struct openmp_interruption
{
  uint64_t sequence;
  uint64_t begin;
  uint32_t object;
  uint32_t site;
  uint16_t operation; /* 0: it does not wait */
};

/* Ends the wait at a barrier that must be over, because its task was made after it. */
static void
openmp_look_at_barrier (const struct openmp_given *given, struct openmp_interruption *interruption)
{
  struct lc_openmp_place *place = lc_openmp_place;

  if (place == NULL || place->team != given->team || place->arrival == NULL || place->arrival->thread == NULL ||
      given->phase < place->generation)
    return;
  lc_openmp_is_over (place->arrival, interruption->operation != 0 ? interruption->site : given->site, given->made);
  *interruption = (struct openmp_interruption){0};
}

static struct openmp_interruption
openmp_interrupt (struct lc_thread *thread)
{
  struct openmp_interruption interruption = {0};

  if (!(thread->state & LC_THREAD_BLOCKED))
    return interruption;
  interruption = (struct openmp_interruption){.sequence = thread->packet->pending_sequence,
                                              .begin = thread->packet->pending_begin,
                                              .object = thread->packet->pending_object,
                                              .site = thread->waiting_site,
                                              .operation = thread->packet->pending_operation};
  lc_unblock (thread);
  thread->waiting_site = 0;
  return interruption;
}

static void
openmp_go_on_waiting (struct lc_thread *thread, const struct openmp_interruption *interruption)
{
  struct lc_packet *packet = thread->packet;

  if (interruption->operation == 0 || packet == NULL)
    return;
  packet->pending_begin = thread->last;
  packet->pending_object = interruption->object;
  packet->pending_sequence = interruption->sequence;
  packet->pending_site = interruption->site;
  __atomic_store_n (&packet->pending_operation, interruption->operation, __ATOMIC_RELEASE);
  thread->waiting_site = interruption->site;
  thread->state |= LC_THREAD_BLOCKED;
  LC_COMPILER_BARRIER ();
}

/* A thread that has nothing else to do, within a wait or at the end of its region, has waited for the task. */
static void
openmp_task_started (struct lc_thread *thread, const struct openmp_given *given,
                     const struct openmp_interruption *interruption, bool is_late)
{
  bool is_idle = interruption->operation != 0 || is_late;
  uint64_t now = lc_now_after (), begin = interruption->operation != 0 ? interruption->begin : now;

  if (interruption->operation == 0 && is_late)
    begin = thread == given->team->master && thread->last < given->team->master_end ? given->team->master_end
                                                                                    : thread->last;
  if (lc_openmp_records (LC_CLASS_TASK))
    lc_append_at (thread, given->site, LC_TASK_START, given->object, is_idle ? LC_EVENT_CONTENDED : 0,
                  lc_word (given->sequence, 0), begin, now);
}

/* Both waits that may be for the task are told: that of its maker, and that of the group that it is in. */
static void
openmp_task_ended (struct lc_thread *thread, const struct openmp_given *given)
{
  uint64_t now = lc_now ();

  if (!lc_openmp_records (LC_CLASS_TASK))
    return;
  if (given->is_counted)
    lc_append_at (thread, given->site, LC_TASK_END, given->wait_object, 0, lc_word (given->wait, 0), now, now);
  if (given->group == NULL)
    return;
  lc_append_at (thread, given->site, LC_TASK_END, given->wait_object, 0, lc_word (given->group->wait, 0), now, now);
  __atomic_fetch_add (&given->group->ended, 1, __ATOMIC_RELAXED);
}

static void
openmp_run_task (void *data)
{
  struct openmp_given *given = data;
  void *argument = (char *)data + given->offset;
  struct lc_thread *thread = given->instance == lc_instance ? lc_openmp_thread () : NULL;
  bool is_late = thread != NULL && (lc_openmp_place == NULL || lc_openmp_place->team != given->team);
  struct openmp_interruption interruption = {0};
  struct lc_openmp_task task;

  if (given->is_loop)
    memcpy (argument, given->range, sizeof given->range);
  if (thread != NULL)
    {
      interruption = openmp_interrupt (thread);
      openmp_look_at_barrier (given, &interruption);
      openmp_task_started (thread, given, &interruption, is_late);
    }
  lc_openmp_task_begin (&task, given->team, given->group);
  task.phase = given->phase;
  task.is_explicit = true;
  given->routine (argument);
  lc_openmp_task_end (&task);
  if (thread == NULL || given->instance != lc_instance)
    return;
  openmp_task_ended (thread, given);
  if (is_late && thread == given->team->master)
    given->team->master_end = lc_now ();
  else if (is_late)
    lc_openmp_ended (thread, given->team);
  openmp_go_on_waiting (thread, &interruption);
}

static void
openmp_copy_given (void *to, void *from)
{
  const struct openmp_given *given = from;
  char *argument = (char *)to + given->offset;

  memcpy (to, given, sizeof *given);
  if (given->copy != NULL)
    given->copy (argument, given->argument);
  else if (given->size > 0)
    memcpy (argument, given->argument, given->size);
}

/* --- Making ------------------------------------------------------------------------------------------------ */

/* Records that the calling task makes another. False: it is not recorded. */
static inline LC_ALWAYS_INLINE bool
openmp_make (struct openmp_given *given, lc_openmp_routine *routine, bool is_loop)
{
  struct lc_openmp_task *task = openmp_task;
  struct lc_thread *thread = task != NULL && task->team->instance == lc_instance ? lc_openmp_thread () : NULL;
  struct lc_slot *slot, *waits;
  uint64_t now;

  if (thread == NULL)
    return false;
  slot = lc_object (thread, (const void *)(uintptr_t)routine, LC_CLASS_TASK, LC_KIND_OPENMP);
  waits = openmp_wait_slot (thread, task->team);
  if (slot == NULL || waits == NULL)
    return false;
  if (!is_loop && task->made++ == 0)
    task->wait = __atomic_fetch_add (&waits->sequence, 1, __ATOMIC_RELAXED);
  given->routine = routine;
  given->team = task->team;
  given->group = task->group;
  given->sequence = __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED);
  given->wait = task->wait;
  given->phase = task->is_explicit ? task->phase : lc_openmp_place->generation;
  given->object = slot->id;
  given->wait_object = waits->id;
  given->site = lc_site (thread);
  given->instance = lc_instance;
  given->is_loop = is_loop;
  given->is_counted = !is_loop;
  given->made = now = lc_now ();
  if (lc_openmp_records (LC_CLASS_TASK))
    lc_append_at (thread, given->site, LC_TASK_CREATE, slot->id, 0, lc_word (given->sequence, 0), now, now);
  return true;
}

/* Puts what is given in front of the argument. */
static void
openmp_give (struct openmp_given *given, void *argument, lc_openmp_copy *copy, long *size, long *alignment)
{
  size_t least = _Alignof(struct openmp_given), step = *alignment > (long)least ? (size_t)*alignment : least;

  given->argument = argument;
  given->copy = copy;
  given->size = (size_t)*size;
  given->offset = (sizeof *given + step - 1) / step * step;
  *size += (long)given->offset;
  *alignment = (long)step;
}

LC_EXPORT void
GOMP_task (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, bool condition,
           unsigned int flags, void **dependences, int priority, void *detach)
{
  __typeof__ (GOMP_task) *real = LC_OPENMP_REAL (GOMP_task);
  struct openmp_given given = {0};

  if (real == NULL)
    return;
  if ((flags & TASK_DETACHES) != 0 || !openmp_make (&given, routine, false))
    {
      real (routine, argument, copy, size, alignment, condition, flags, dependences, priority, detach);
      return;
    }
  openmp_give (&given, argument, copy, &size, &alignment);
  real (openmp_run_task, &given, openmp_copy_given, size, alignment, condition, flags, dependences, priority, detach);
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

/* A task that waits for others. */
struct openmp_gathering
{
  struct lc_thread *thread; /* NULL: it is not recorded */
  uint64_t wait;
  uint64_t begin;
  uint32_t object;
};

static inline LC_ALWAYS_INLINE struct openmp_gathering
openmp_begin_gathering (const struct lc_openmp_task *task, uint64_t wait)
{
  struct openmp_gathering gathering = {.thread = task->team->instance == lc_instance ? lc_enter (LC_CLASS_TASK) : NULL};
  struct lc_slot *slot = gathering.thread != NULL ? openmp_wait_slot (gathering.thread, task->team) : NULL;

  if (slot == NULL)
    return (struct openmp_gathering){0};
  gathering.wait = wait;
  gathering.object = slot->id;
  gathering.begin = lc_now ();
  lc_block (gathering.thread, LC_TASK_WAIT, gathering.object, wait, gathering.begin);
  return gathering;
}

static inline LC_ALWAYS_INLINE void
openmp_end_gathering (const struct openmp_gathering *gathering, uint64_t tasks)
{
  if (gathering->thread == NULL)
    return;
  lc_unblock (gathering->thread);
  lc_append (gathering->thread, LC_TASK_WAIT, gathering->object, tasks > 0 ? LC_EVENT_CONTENDED : 0,
             lc_word (gathering->wait, tasks), gathering->begin, lc_now_after ());
}

LC_EXPORT void
GOMP_taskwait (void)
{
  __typeof__ (GOMP_taskwait) *real = LC_OPENMP_REAL (GOMP_taskwait);
  struct lc_openmp_task *task = openmp_task;
  struct openmp_gathering gathering = {0};

  if (real == NULL)
    return;
  if (task != NULL && task->made > 0)
    gathering = openmp_begin_gathering (task, task->wait);
  real ();
  if (task == NULL)
    return;
  openmp_end_gathering (&gathering, task->made);
  task->made = 0;
}

static inline LC_ALWAYS_INLINE void
openmp_begin_group (struct lc_openmp_task *task)
{
  struct lc_thread *thread = task->team->instance == lc_instance ? lc_openmp_thread () : NULL;
  struct lc_slot *slot = thread != NULL ? openmp_wait_slot (thread, task->team) : NULL;
  struct lc_openmp_group *group = task->depth < LC_OPENMP_GROUPS ? &task->groups[task->depth] : NULL;

  task->depth++;
  if (group == NULL)
    return;
  *group = (struct lc_openmp_group){.outer = task->group};
  if (slot == NULL)
    return;
  group->wait = __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED);
  task->group = group;
}

/* Returns the innermost group that the task has begun. NULL: it is not recorded. */
static struct lc_openmp_group *
openmp_own_group (struct lc_openmp_task *task)
{
  if (task->depth == 0 || task->depth > LC_OPENMP_GROUPS || task->group != &task->groups[task->depth - 1])
    return NULL;
  return task->group;
}

static void
openmp_end_group (struct lc_openmp_task *task)
{
  struct lc_openmp_group *group = openmp_own_group (task);

  if (group != NULL)
    task->group = group->outer;
  if (task->depth > 0)
    task->depth--;
}

LC_EXPORT void
GOMP_taskgroup_start (void)
{
  __typeof__ (GOMP_taskgroup_start) *real = LC_OPENMP_REAL (GOMP_taskgroup_start);

  if (real == NULL)
    return;
  if (openmp_task != NULL)
    openmp_begin_group (openmp_task);
  real ();
}

LC_EXPORT void
GOMP_taskgroup_end (void)
{
  __typeof__ (GOMP_taskgroup_end) *real = LC_OPENMP_REAL (GOMP_taskgroup_end);
  struct lc_openmp_task *task = openmp_task;
  struct lc_openmp_group *group = task != NULL ? openmp_own_group (task) : NULL;
  struct openmp_gathering gathering = {0};

  if (real == NULL)
    return;
  if (group != NULL)
    gathering = openmp_begin_gathering (task, group->wait);
  real ();
  if (group != NULL)
    openmp_end_gathering (&gathering, group->ended);
  if (task != NULL)
    openmp_end_group (task);
}

/* The tasks of a loop are in a group of its own, whose end is that of the call, unless the program says otherwise. */
#define TASKLOOP(name, type) \
  LC_EXPORT void name (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, \
                       unsigned int flags, unsigned long tasks, int priority, type start, type end, type step) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_task *task = openmp_task; \
    struct openmp_given given = {0}; \
    struct openmp_gathering gathering = {0}; \
    struct lc_openmp_group *group; \
\
    if (real == NULL) \
      return; \
    if (task != NULL && !(flags & TASK_IN_NO_GROUP)) \
      openmp_begin_group (task); \
    group = task != NULL && !(flags & TASK_IN_NO_GROUP) ? openmp_own_group (task) : NULL; \
    if (!openmp_make (&given, routine, true)) \
      real (routine, argument, copy, size, alignment, flags, tasks, priority, start, end, step); \
    else \
      { \
        if (flags & TASK_REDUCES) \
          given.reductions = ((void **)argument)[2]; \
        openmp_give (&given, argument, copy, &size, &alignment); \
        if (group != NULL) \
          gathering = openmp_begin_gathering (task, group->wait); \
        real (openmp_run_task, &given, openmp_copy_given, size, alignment, flags, tasks, priority, start, end, step); \
        if (group != NULL) \
          openmp_end_gathering (&gathering, group->ended); \
      } \
    if (task != NULL && !(flags & TASK_IN_NO_GROUP)) \
      openmp_end_group (task); \
  }

TASKLOOP (GOMP_taskloop, long)
TASKLOOP (GOMP_taskloop_ull, lc_ull)
