/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded of tasks. What makes them and waits for them is inline, so that the caller's frame tells the site.
 */
#ifndef LC_RECORD_WRAP_OPENMP_TASKS_H
#define LC_RECORD_WRAP_OPENMP_TASKS_H

#include "wrap-openmp.h"

enum
{
  LC_OPENMP_DEPENDENCES = 8, /* the rest of a task's are not recorded */
};

/* A variable that a task depends on. */
struct lc_openmp_dependence
{
  struct lc_slot *slot;
  uint64_t version;
  uint32_t readers; /* of the version before the one that the task makes */
  uint32_t number;  /* among those of the task, from 1 on */
  bool writes;
};

struct lc_openmp_dependences
{
  uint32_t n;
  struct lc_openmp_dependence all[LC_OPENMP_DEPENDENCES];
};

/* A task that was made, until it ends. */
struct lc_openmp_made
{
  struct lc_openmp_team *team;
  struct lc_openmp_group *group;
  uint64_t sequence; /* the n-th task of its construct */
  uint64_t wait;     /* number of its maker's next wait */
  uint64_t phase;    /* number of its team's barriers before it was made */
  uint64_t made;     /* when it was made */
  uint32_t object;
  uint32_t wait_object;
  uint32_t site;
  uint32_t instance;
  uint32_t index;     /* within the tasks of a loop */
  bool is_counted;    /* its maker's next wait knows of it */
  bool is_undeferred; /* its maker waits until it can be carried out */
  struct lc_openmp_dependences dependences;
};

/* What the thread is waiting for while it carries out a task. */
struct lc_openmp_interruption
{
  uint64_t sequence;
  uint64_t begin;
  uint32_t object;
  uint32_t site;
  uint16_t operation; /* 0: it does not wait */
};

/* A thread that carries out a task. */
struct lc_openmp_run
{
  struct lc_openmp_interruption interruption;
  bool is_recorded;
  bool is_late; /* the thread's part in the team has ended already, and so has each task that it carried out since */
};

extern __thread struct lc_openmp_task *lc_openmp_task __attribute__ ((tls_model ("initial-exec")));

/* The task that the calling thread is making now; NULL: none. */
extern __thread const struct lc_openmp_made *lc_openmp_making __attribute__ ((tls_model ("initial-exec")));

/* Whether the calling thread is where it lets other tasks go before. */
extern __thread bool lc_openmp_is_yielding __attribute__ ((tls_model ("initial-exec")));

/* Let the calling thread begin with a task, and go on after it with what it waited for. With `is_done` false, somebody
 * else will end the task. */
void lc_openmp_task_starts (struct lc_openmp_run *run, struct lc_openmp_made *made, struct lc_openmp_task *task);
void lc_openmp_task_ends (const struct lc_openmp_run *run, const struct lc_openmp_made *made, bool is_done);

/* Records the end of a task for both waits that may be for it: that of its maker, and that of the group that it is
 * in. */
void lc_openmp_task_is_done (struct lc_thread *thread, const struct lc_openmp_made *made);

/* wrap-openmp-detach.c: a task that also ends when its event is fulfilled. NULL: there is no room for more. */
struct lc_openmp_detached;
struct lc_openmp_detached *lc_openmp_detach (const struct lc_openmp_made *made, uintptr_t event);

/* Tells that its code has ended. True: its event was fulfilled before, so the task has ended. */
bool lc_openmp_detached_ends (struct lc_openmp_detached *task);

/* wrap-openmp-depend.c: notes that what the calling task has just made depends on a variable. */
void lc_openmp_depend (struct lc_openmp_dependences *dependences, const void *address, bool writes);

/* Records that what a task depends on was there at last, and that others may now depend on the task. NULL: the thread
 * is not recorded. */
void lc_openmp_depended (struct lc_openmp_dependences *dependences, struct lc_thread *thread, uint32_t site,
                         uint8_t flags, uint64_t begin, uint64_t end);
void lc_openmp_release (const struct lc_openmp_dependences *dependences, struct lc_thread *thread, uint32_t site);

/* Returns the innermost group that the task has begun. NULL: it is not recorded. */
struct lc_openmp_group *lc_openmp_own_group (struct lc_openmp_task *task);

void lc_openmp_end_group (struct lc_openmp_task *task);

/* The waits of a team's tasks have the address two bytes into its routine. */
static inline LC_ALWAYS_INLINE struct lc_slot *
lc_openmp_wait_slot (struct lc_thread *thread, const struct lc_openmp_team *team)
{
  return lc_object (thread, (const char *)(uintptr_t)team->routine + 2, LC_CLASS_TASK, LC_KIND_OPENMP);
}

/* Records that the calling task makes another, by the construct at this address. With `is_counted`, its next
 * wait is for it, too. False: it is not recorded. */
static inline LC_ALWAYS_INLINE bool
lc_openmp_make (struct lc_openmp_made *made, const void *construct, bool is_counted)
{
  struct lc_openmp_task *task = lc_openmp_task;
  struct lc_thread *thread = task != NULL && task->team->instance == lc_instance ? lc_openmp_thread () : NULL;
  struct lc_slot *slot, *waits;
  uint64_t now;

  if (thread == NULL)
    return false;
  slot = lc_object (thread, construct, LC_CLASS_TASK, LC_KIND_OPENMP);
  waits = lc_openmp_wait_slot (thread, task->team);
  if (slot == NULL || waits == NULL)
    return false;
  if (is_counted && task->made++ == 0)
    task->wait = __atomic_fetch_add (&waits->sequence, 1, __ATOMIC_RELAXED);
  made->team = task->team;
  made->group = task->group;
  made->sequence = __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED);
  made->wait = task->wait;
  made->phase = task->is_explicit ? task->phase : lc_openmp_place->generation;
  made->object = slot->id;
  made->wait_object = waits->id;
  made->site = lc_site (thread);
  made->instance = lc_instance;
  made->is_counted = is_counted;
  made->made = now = lc_now ();
  if (lc_openmp_records (LC_CLASS_TASK))
    lc_append_at (thread, made->site, LC_TASK_CREATE, slot->id, 0, lc_word (made->sequence, 0), now, now);
  return true;
}

/* A task that waits for others. */
struct lc_openmp_gathering
{
  struct lc_thread *thread; /* NULL: it is not recorded */
  uint64_t wait;
  uint64_t begin;
  uint32_t object;
};

static inline LC_ALWAYS_INLINE struct lc_openmp_gathering
lc_openmp_begin_gathering (const struct lc_openmp_task *task, uint64_t wait)
{
  struct lc_openmp_gathering gathering = {.thread =
                                              task->team->instance == lc_instance ? lc_enter (LC_CLASS_TASK) : NULL};
  struct lc_slot *slot = gathering.thread != NULL ? lc_openmp_wait_slot (gathering.thread, task->team) : NULL;

  if (slot == NULL)
    return (struct lc_openmp_gathering){0};
  gathering.wait = wait;
  gathering.object = slot->id;
  gathering.begin = lc_now ();
  lc_block (gathering.thread, LC_TASK_WAIT, gathering.object, wait, gathering.begin);
  return gathering;
}

static inline LC_ALWAYS_INLINE void
lc_openmp_end_gathering (const struct lc_openmp_gathering *gathering, uint64_t tasks)
{
  if (gathering->thread == NULL)
    return;
  lc_unblock (gathering->thread);
  lc_append (gathering->thread, LC_TASK_WAIT, gathering->object, tasks > 0 ? LC_EVENT_CONTENDED : 0,
             lc_word (gathering->wait, tasks), gathering->begin, lc_now_after ());
}

static inline LC_ALWAYS_INLINE void
lc_openmp_begin_group (struct lc_openmp_task *task)
{
  struct lc_thread *thread = task->team->instance == lc_instance ? lc_openmp_thread () : NULL;
  struct lc_slot *slot = thread != NULL ? lc_openmp_wait_slot (thread, task->team) : NULL;
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

/* A wait for some variables: as a task that depends on them and does nothing. */
struct lc_openmp_need
{
  struct lc_thread *thread; /* NULL: it is not recorded */
  struct lc_openmp_dependences dependences;
  uint64_t begin;
  uint32_t site;
};

/* Returns the calling thread if it carries out a recorded task. */
static inline struct lc_thread *
lc_openmp_needing (void)
{
  const struct lc_openmp_task *task = lc_openmp_task;

  return task != NULL && task->team->instance == lc_instance ? lc_openmp_thread () : NULL;
}

static inline LC_ALWAYS_INLINE void
lc_openmp_begin_need (struct lc_openmp_need *need)
{
  const struct lc_openmp_dependence *first = &need->dependences.all[0];

  if (need->dependences.n == 0)
    return;
  need->begin = lc_now ();
  lc_block (need->thread, first->writes ? LC_WRITE_START : LC_READ_START, first->slot->id, first->version, need->begin);
  need->site = need->thread->waiting_site;
}

static inline void
lc_openmp_end_need (struct lc_openmp_need *need)
{
  if (need->dependences.n == 0)
    return;
  lc_unblock (need->thread);
  need->thread->waiting_site = 0;
  lc_openmp_depended (&need->dependences, need->thread, need->site, LC_EVENT_CONTENDED, need->begin, lc_now_after ());
  lc_openmp_release (&need->dependences, need->thread, need->site);
}

#endif
