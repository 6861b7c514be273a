/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: tasks that end when an event is fulfilled, too, perhaps by another thread. */
#include "wrap-openmp-tasks.h"

enum
{
  DETACHED = 256, /* at a time; those of more end with their code */
};

/* Such a task. It ends twice: its code, and when its event is fulfilled, in any order. */
struct lc_openmp_detached
{
  uint32_t is_taken;
  uint32_t ends;
  uintptr_t event; /* 0: not written yet */
  struct lc_openmp_made made;
};

static struct lc_openmp_detached detached[DETACHED];
static uint32_t detached_count;

static struct lc_openmp_detached *
openmp_detached_at (uintptr_t event, uint32_t i)
{
  return &detached[(event / 64 + i) % DETACHED];
}

struct lc_openmp_detached *
lc_openmp_detach (const struct lc_openmp_made *made, uintptr_t event)
{
  for (uint32_t i = 0; event != 0 && i < DETACHED; i++)
    {
      struct lc_openmp_detached *task = openmp_detached_at (event, i);
      uint32_t expected = 0;

      if (!__atomic_compare_exchange_n (&task->is_taken, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        continue;
      task->made = *made;
      task->ends = 0;
      __atomic_fetch_add (&detached_count, 1, __ATOMIC_RELAXED);
      __atomic_store_n (&task->event, event, __ATOMIC_RELEASE);
      return task;
    }
  return NULL;
}

bool
lc_openmp_detached_ends (struct lc_openmp_detached *task)
{
  if (__atomic_add_fetch (&task->ends, 1, __ATOMIC_ACQ_REL) < 2)
    return false;
  __atomic_store_n (&task->event, 0, __ATOMIC_RELAXED);
  __atomic_fetch_sub (&detached_count, 1, __ATOMIC_RELAXED);
  __atomic_store_n (&task->is_taken, 0, __ATOMIC_RELEASE);
  return true;
}

/* The event is a task's own until it is fulfilled, so nobody else looks for it. NULL: it is not recorded. */
static struct lc_openmp_detached *
openmp_find_detached (uintptr_t event)
{
  if (event == 0 || __atomic_load_n (&detached_count, __ATOMIC_RELAXED) == 0)
    return NULL;
  for (uint32_t i = 0; i < DETACHED; i++)
    if (__atomic_load_n (&openmp_detached_at (event, i)->event, __ATOMIC_ACQUIRE) == event)
      return openmp_detached_at (event, i);
  return NULL;
}

/* The task's end is recorded before who waits for it can go on. */
LC_EXPORT void
omp_fulfill_event (uintptr_t event)
{
  __typeof__ (omp_fulfill_event) *real = LC_OPENMP_REAL (omp_fulfill_event);
  struct lc_openmp_detached *task = openmp_find_detached (event);
  struct lc_thread *thread = task != NULL ? lc_openmp_thread () : NULL;
  struct lc_openmp_made made;

  if (real == NULL)
    return;
  if (task != NULL)
    {
      made = task->made;
      if (lc_openmp_detached_ends (task) && thread != NULL && made.instance == lc_instance)
        lc_openmp_task_is_done (thread, &made);
    }
  real (event);
}
