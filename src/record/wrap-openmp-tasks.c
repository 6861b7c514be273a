/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: tasks. */
#include "wrap-openmp-tasks.h"

enum
{
  TASK_DETACHES = 1 << 13, /* libgomp writes the event into the first word of the argument */
  TASK_REDUCES = 1 << 12,  /* libgomp reads the third word of the argument of a taskloop */
  TASK_IN_NO_GROUP = 1 << 11,
  TASK_DEPENDS = 1 << 3,
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
  struct lc_openmp_made made;
  const uintptr_t *event;              /* where libgomp has written it; or NULL */
  struct lc_openmp_detached *detached; /* or NULL */
  bool is_loop;
};

__thread struct lc_openmp_task *lc_openmp_task __attribute__ ((tls_model ("initial-exec")));
__thread const struct lc_openmp_made *lc_openmp_making __attribute__ ((tls_model ("initial-exec")));
__thread bool lc_openmp_is_yielding __attribute__ ((tls_model ("initial-exec")));

void
lc_openmp_task_begin (struct lc_openmp_task *task, struct lc_openmp_team *team, struct lc_openmp_group *group)
{
  task->outer = lc_openmp_task;
  task->team = team;
  task->group = group;
  task->made = task->phase = 0;
  task->is_explicit = false;
  task->depth = 0;
  lc_openmp_task = task;
}

void
lc_openmp_task_end (const struct lc_openmp_task *task)
{
  lc_openmp_task = task->outer;
}

const void *
lc_openmp_current_routine (void)
{
  return lc_openmp_task != NULL ? (const void *)(uintptr_t)lc_openmp_task->team->routine : NULL;
}

/* --- Carrying out ------------------------------------------------------------------------------------------ */

/* Ends the wait at a barrier that must be over, because its task was made after it. */
static void
openmp_look_at_barrier (const struct lc_openmp_made *made, struct lc_openmp_interruption *interruption)
{
  struct lc_openmp_place *place = lc_openmp_place;

  if (place == NULL || place->team != made->team || place->arrival == NULL || place->arrival->thread == NULL ||
      made->phase < place->generation)
    return;
  lc_openmp_is_over (place->arrival, interruption->operation != 0 ? interruption->site : place->arrival->site,
                     made->made);
  *interruption = (struct lc_openmp_interruption){0};
}

static struct lc_openmp_interruption
openmp_interrupt (struct lc_thread *thread)
{
  struct lc_openmp_interruption interruption = {0};

  if (!(thread->state & LC_THREAD_BLOCKED))
    return interruption;
  interruption = (struct lc_openmp_interruption){.sequence = thread->packet->pending_sequence,
                                                 .begin = thread->packet->pending_begin,
                                                 .object = thread->packet->pending_object,
                                                 .site = thread->waiting_site,
                                                 .operation = thread->packet->pending_operation};
  lc_unblock (thread);
  thread->waiting_site = 0;
  return interruption;
}

static void
openmp_go_on_waiting (struct lc_thread *thread, const struct lc_openmp_interruption *interruption)
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

/* How the thread comes to the task: where it makes it, in a barrier that it might have left before, or else where it
 * waits or ends next. */
static uint32_t
openmp_task_detail (const struct lc_openmp_made *made)
{
  const struct lc_openmp_made *making = lc_openmp_making;
  const struct lc_openmp_place *place = lc_openmp_place;
  uint32_t detail = made->index & LC_TASK_INDEX (UINT32_MAX);

  if (making != NULL && making->object == made->object && making->sequence == made->sequence)
    detail |= LC_TASK_AT_ONCE;
  else if (lc_openmp_is_yielding)
    detail |= LC_TASK_YIELDED;
  else if (place != NULL && place->team == made->team && place->arrival != NULL && place->arrival->thread == NULL)
    detail |= LC_TASK_LATE;
  return detail;
}

/* A thread that has nothing else to do, within a wait or at the end of its region, has waited for the task. */
static void
openmp_task_started (struct lc_thread *thread, struct lc_openmp_made *made,
                     const struct lc_openmp_interruption *interruption, bool is_late)
{
  bool waits = made->is_undeferred && made->dependences.n > 0;
  uint8_t flags = interruption->operation != 0 || is_late || waits ? LC_EVENT_CONTENDED : 0;
  uint64_t now = lc_now_after (), begin = interruption->operation != 0 ? interruption->begin : now;

  if (interruption->operation == 0 && is_late)
    begin =
        thread == made->team->master && thread->last < made->team->master_end ? made->team->master_end : thread->last;
  else if (interruption->operation == 0 && waits)
    begin = thread->last;
  if (made->dependences.n > 0)
    {
      lc_openmp_depended (&made->dependences, thread, made->site, flags, begin, now);
      begin = now;
      flags = 0;
    }
  if (lc_openmp_records (LC_CLASS_TASK))
    lc_append_detailed (thread, made->site, openmp_task_detail (made), LC_TASK_START, made->object, flags,
                        lc_word (made->sequence, 0), begin, now);
}

void
lc_openmp_task_is_done (struct lc_thread *thread, const struct lc_openmp_made *made)
{
  uint64_t now = lc_now ();

  if (made->dependences.n > 0)
    lc_openmp_release (&made->dependences, thread, made->site);
  if (!lc_openmp_records (LC_CLASS_TASK))
    return;
  if (made->is_counted)
    lc_append_at (thread, made->site, LC_TASK_END, made->wait_object, 0, lc_word (made->wait, 0), now, now);
  if (made->group == NULL)
    return;
  lc_append_at (thread, made->site, LC_TASK_END, made->wait_object, 0, lc_word (made->group->wait, 0), now, now);
  __atomic_fetch_add (&made->group->ended, 1, __ATOMIC_RELAXED);
}

/* A thread that waits within a task may carry out others, which end before that one does. */
static bool
openmp_task_is_late (const struct lc_openmp_made *made)
{
  return (lc_openmp_place == NULL || lc_openmp_place->team != made->team) &&
         (lc_openmp_task == NULL || lc_openmp_task->team != made->team);
}

/* The end of a region waits for all tasks that its threads carry out after their parts: they end for one more wait,
 * which is the master's. */
static void
openmp_late_task_ended (struct lc_thread *thread, const struct lc_openmp_made *made)
{
  struct lc_openmp_team *team = made->team;
  struct lc_slot *slot = lc_openmp_records (LC_CLASS_TASK) ? lc_openmp_wait_slot (thread, team) : NULL;
  uint64_t wait = __atomic_load_n (&team->late_wait, __ATOMIC_RELAXED), now, last;

  if (slot == NULL)
    return;
  if (wait == 0)
    {
      uint64_t number = __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED) + 1;

      if (__atomic_compare_exchange_n (&team->late_wait, &wait, number, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        wait = number;
    }
  __atomic_store_n (&team->late_object, slot->id, __ATOMIC_RELAXED);
  now = lc_now ();
  lc_append_at (thread, made->site, LC_TASK_END, slot->id, 0, lc_word (wait - 1, 0), now, now);
  __atomic_fetch_add (&team->late, 1, __ATOMIC_RELAXED);
  last = __atomic_load_n (&team->late_end, __ATOMIC_RELAXED);
  while (last < now &&
         !__atomic_compare_exchange_n (&team->late_end, &last, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void
lc_openmp_task_starts (struct lc_openmp_run *run, struct lc_openmp_made *made, struct lc_openmp_task *task)
{
  struct lc_thread *thread = made->instance == lc_instance ? lc_openmp_thread () : NULL;

  *run = (struct lc_openmp_run){.is_recorded = thread != NULL};
  run->is_late = thread != NULL && openmp_task_is_late (made);
  if (thread != NULL)
    {
      run->interruption = openmp_interrupt (thread);
      openmp_look_at_barrier (made, &run->interruption);
      openmp_task_started (thread, made, &run->interruption, run->is_late);
    }
  lc_openmp_task_begin (task, made->team, made->group);
  task->phase = made->phase;
  task->is_explicit = true;
}

void
lc_openmp_task_ends (const struct lc_openmp_run *run, const struct lc_openmp_made *made, bool is_done)
{
  struct lc_thread *thread = run->is_recorded && made->instance == lc_instance ? lc_openmp_thread () : NULL;

  if (thread == NULL)
    return;
  if (is_done)
    lc_openmp_task_is_done (thread, made);
  if (run->is_late && thread == made->team->master)
    made->team->master_end = lc_now ();
  else if (run->is_late)
    openmp_late_task_ended (thread, made);
  openmp_go_on_waiting (thread, &run->interruption);
}

static void
openmp_run_task (void *data)
{
  struct openmp_given *given = data;
  void *argument = (char *)data + given->offset;
  struct lc_openmp_task task;
  struct lc_openmp_run run;

  if (given->is_loop)
    memcpy (argument, given->range, sizeof given->range);
  lc_openmp_task_starts (&run, &given->made, &task);
  given->routine (argument);
  lc_openmp_task_end (&task);
  lc_openmp_task_ends (&run, &given->made, given->detached == NULL || lc_openmp_detached_ends (given->detached));
}

/* The program's own argument gets the event as it would have. The task cannot have begun yet. */
static void
openmp_detach_given (struct openmp_given *given)
{
  if (given->argument != NULL && given->size >= sizeof (uintptr_t) && given->range[0] == *given->event)
    memcpy (given->argument, given->event, sizeof *given->event);
  given->detached = lc_openmp_detach (&given->made, *given->event);
}

static void
openmp_copy_given (void *to, void *from)
{
  struct openmp_given *given = from;
  char *argument = (char *)to + given->offset;

  if (given->event != NULL)
    openmp_detach_given (given);
  memcpy (to, given, sizeof *given);
  given->made.index++;
  if (given->copy != NULL)
    given->copy (argument, given->argument);
  else if (given->size > 0)
    memcpy (argument, given->argument, given->size);
}

/* --- Making ------------------------------------------------------------------------------------------------ */

static inline LC_ALWAYS_INLINE bool
openmp_make_routine (struct openmp_given *given, lc_openmp_routine *routine, bool is_loop)
{
  given->routine = routine;
  given->is_loop = is_loop;
  return lc_openmp_make (&given->made, (const void *)(uintptr_t)routine, !is_loop);
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

/* The kinds of what a depend object stands for. */
enum
{
  DEPENDS_IN = 1,
};

/* The first word is their number, then comes that of those to write, then all addresses; or it is 0, and there are more
 * sorts: those to write, those to write in any order, those to read, and objects that say themselves what they are. */
static void
openmp_depend_on (struct lc_openmp_dependences *all, void **dependences)
{
  bool has_sorts = dependences[0] == NULL;
  uintptr_t n = (uintptr_t)dependences[has_sorts ? 1 : 0], written = (uintptr_t)dependences[has_sorts ? 2 : 1];
  uintptr_t plain = n;
  void **addresses = dependences + (has_sorts ? 5 : 2);

  if (has_sorts)
    {
      written += (uintptr_t)dependences[3];
      plain = written + (uintptr_t)dependences[4];
    }
  for (uintptr_t i = 0; i < n; i++)
    {
      void **object = i < plain ? NULL : addresses[i];

      if (object == NULL)
        lc_openmp_depend (all, addresses[i], i < written);
      else
        lc_openmp_depend (all, object[0], (uintptr_t)object[1] != DEPENDS_IN);
    }
}

LC_EXPORT void
GOMP_task (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, bool condition,
           unsigned int flags, void **dependences, int priority, void *detach)
{
  __typeof__ (GOMP_task) *real = LC_OPENMP_REAL (GOMP_task);
  const struct lc_openmp_made *outer = lc_openmp_making;
  struct openmp_given given = {0};

  if (real == NULL)
    return;
  if (!openmp_make_routine (&given, routine, false))
    {
      real (routine, argument, copy, size, alignment, condition, flags, dependences, priority, detach);
      return;
    }
  given.made.is_undeferred = !condition;
  given.event = (flags & TASK_DETACHES) != 0 ? detach : NULL;
  if ((flags & TASK_DEPENDS) != 0 && dependences != NULL)
    openmp_depend_on (&given.made.dependences, dependences);
  openmp_give (&given, argument, copy, &size, &alignment);
  lc_openmp_making = &given.made;
  real (openmp_run_task, &given, openmp_copy_given, size, alignment, condition, flags, dependences, priority, detach);
  lc_openmp_making = outer;
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

LC_EXPORT void
GOMP_taskwait (void)
{
  __typeof__ (GOMP_taskwait) *real = LC_OPENMP_REAL (GOMP_taskwait);
  struct lc_openmp_task *task = lc_openmp_task;
  struct lc_openmp_gathering gathering = {0};

  if (real == NULL)
    return;
  if (task != NULL && task->made > 0)
    gathering = lc_openmp_begin_gathering (task, task->wait);
  real ();
  if (task == NULL)
    return;
  lc_openmp_end_gathering (&gathering, task->made);
  task->made = 0;
}

struct lc_openmp_group *
lc_openmp_own_group (struct lc_openmp_task *task)
{
  if (task->depth == 0 || task->depth > LC_OPENMP_GROUPS || task->group != &task->groups[task->depth - 1])
    return NULL;
  return task->group;
}

void
lc_openmp_end_group (struct lc_openmp_task *task)
{
  struct lc_openmp_group *group = lc_openmp_own_group (task);

  if (group != NULL)
    task->group = group->outer;
  if (task->depth > 0)
    task->depth--;
}

LC_EXPORT void
GOMP_taskwait_depend (void **dependences)
{
  __typeof__ (GOMP_taskwait_depend) *real = LC_OPENMP_REAL (GOMP_taskwait_depend);
  struct lc_openmp_need need = {.thread = lc_openmp_needing ()};

  if (real == NULL)
    return;
  if (need.thread != NULL)
    openmp_depend_on (&need.dependences, dependences);
  lc_openmp_begin_need (&need);
  real (dependences);
  lc_openmp_end_need (&need);
}

LC_EXPORT void
GOMP_taskgroup_start (void)
{
  __typeof__ (GOMP_taskgroup_start) *real = LC_OPENMP_REAL (GOMP_taskgroup_start);

  if (real == NULL)
    return;
  if (lc_openmp_task != NULL)
    lc_openmp_begin_group (lc_openmp_task);
  real ();
}

LC_EXPORT void
GOMP_taskgroup_end (void)
{
  __typeof__ (GOMP_taskgroup_end) *real = LC_OPENMP_REAL (GOMP_taskgroup_end);
  struct lc_openmp_task *task = lc_openmp_task;
  struct lc_openmp_group *group = task != NULL ? lc_openmp_own_group (task) : NULL;
  struct lc_openmp_gathering gathering = {0};

  if (real == NULL)
    return;
  if (group != NULL)
    gathering = lc_openmp_begin_gathering (task, group->wait);
  real ();
  if (group != NULL)
    lc_openmp_end_gathering (&gathering, group->ended);
  if (task != NULL)
    lc_openmp_end_group (task);
}

/* The tasks of a loop are in a group of its own, whose end is that of the call, unless the program says otherwise. */
#define TASKLOOP(name, type) \
  LC_EXPORT void name (lc_openmp_routine *routine, void *argument, lc_openmp_copy *copy, long size, long alignment, \
                       unsigned int flags, unsigned long tasks, int priority, type start, type end, type step) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_task *task = lc_openmp_task; \
    const struct lc_openmp_made *outer = lc_openmp_making; \
    struct openmp_given given = {0}; \
    struct lc_openmp_gathering gathering = {0}; \
    struct lc_openmp_group *group; \
\
    if (real == NULL) \
      return; \
    if (task != NULL && !(flags & TASK_IN_NO_GROUP)) \
      lc_openmp_begin_group (task); \
    group = task != NULL && !(flags & TASK_IN_NO_GROUP) ? lc_openmp_own_group (task) : NULL; \
    if (!openmp_make_routine (&given, routine, true)) \
      real (routine, argument, copy, size, alignment, flags, tasks, priority, start, end, step); \
    else \
      { \
        if (flags & TASK_REDUCES) \
          given.reductions = ((void **)argument)[2]; \
        openmp_give (&given, argument, copy, &size, &alignment); \
        if (group != NULL) \
          gathering = lc_openmp_begin_gathering (task, group->wait); \
        lc_openmp_making = (flags & TASK_IN_NO_GROUP) ? &given.made : NULL; \
        real (openmp_run_task, &given, openmp_copy_given, size, alignment, flags, tasks, priority, start, end, step); \
        lc_openmp_making = outer; \
        if (group != NULL) \
          lc_openmp_end_gathering (&gathering, group->ended); \
      } \
    if (task != NULL && !(flags & TASK_IN_NO_GROUP)) \
      lc_openmp_end_group (task); \
  }

TASKLOOP (GOMP_taskloop, long)
TASKLOOP (GOMP_taskloop_ull, lc_ull)
