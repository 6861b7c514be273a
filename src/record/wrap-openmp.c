/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: parallel regions and the barriers of their teams. */
#include "wrap-openmp-barrier.h"

__thread struct lc_openmp_place *lc_openmp_place __attribute__ ((tls_model ("initial-exec")));

/* --- Regions ----------------------------------------------------------------------------------------------- */

/* The waiting of a pool's thread begins with the end of what it did last. */
void
lc_openmp_started (struct lc_thread *thread, const struct lc_openmp_team *team, uint32_t size, uint32_t number)
{
  uint64_t now = lc_now_after ();

  if (thread != NULL && lc_openmp_records (LC_CLASS_TEAM))
    lc_append_detailed (thread, team->site, number, LC_TEAM_START, team->object, LC_EVENT_CONTENDED,
                        lc_word (team->sequence, size), thread->events > 0 ? thread->last : now, now);
}

void
lc_openmp_ended (struct lc_thread *thread, struct lc_openmp_team *team)
{
  uint64_t now = lc_now ();

  if (thread == NULL || !lc_openmp_records (LC_CLASS_TEAM))
    return;
  lc_append_at (thread, team->site, LC_TEAM_END, team->object, 0, lc_word (team->sequence, 0), now, now);
  __atomic_fetch_add (&team->ended, 1, __ATOMIC_RELAXED);
}

void
lc_openmp_master_ended (struct lc_openmp_team *team, const struct lc_openmp_place *place)
{
  __atomic_fetch_add (&team->slot->count, place->first_index, __ATOMIC_RELAXED);
  team->master_end = lc_now ();
}

/* A loop whose start is not called has the address after the routine's. */
static struct lc_slot *
openmp_loop_of (struct lc_thread *thread, const struct lc_openmp_team *team)
{
  return thread != NULL && team->is_loop
             ? lc_object (thread, (const char *)(uintptr_t)team->routine + 1, LC_CLASS_TEAM, LC_KIND_OPENMP)
             : NULL;
}

void
lc_openmp_run (void *data)
{
  struct lc_openmp_team *team = data;
  struct lc_openmp_place place = {.team = team, .outer = lc_openmp_place};
  struct lc_openmp_task task;
  struct lc_thread *thread = lc_openmp_thread ();
  __typeof__ (omp_get_num_threads) *get_size = LC_OPENMP_REAL_FOR (omp_get_num_threads, team->caller);
  bool is_master = thread == team->master;

  place.size = get_size != NULL ? (uint32_t)get_size () : 1;
  if (!is_master)
    lc_openmp_started (thread, team, place.size, 0);
  place.loop = openmp_loop_of (thread, team);
  place.range = team->range;
  lc_openmp_place = &place;
  lc_openmp_task_begin (&task, team, NULL);
  team->routine (team->argument);
  lc_openmp_task_end (&task);
  lc_openmp_place = place.outer;
  if (is_master)
    lc_openmp_master_ended (team, &place);
  else
    lc_openmp_ended (lc_openmp_thread (), team);
}

/* Records the wait for the tasks that the others carried out after their parts. Returns its end, from which on the
 * master waits for these parts only. */
static uint64_t
openmp_join_tasks (struct lc_thread *thread, const struct lc_openmp_team *team)
{
  uint32_t late = __atomic_load_n (&team->late, __ATOMIC_RELAXED);
  uint64_t end = __atomic_load_n (&team->late_end, __ATOMIC_RELAXED);

  if (late == 0 || !lc_openmp_records (LC_CLASS_TASK))
    return team->master_end;
  if (end < team->master_end)
    end = team->master_end;
  lc_append_at (thread, team->site, LC_TASK_WAIT, __atomic_load_n (&team->late_object, __ATOMIC_RELAXED),
                LC_EVENT_CONTENDED, lc_word (__atomic_load_n (&team->late_wait, __ATOMIC_RELAXED) - 1, late),
                team->master_end, end);
  return end;
}

void
lc_openmp_join (struct lc_openmp_team *team)
{
  struct lc_thread *thread = lc_openmp_thread ();
  uint32_t ended = __atomic_load_n (&team->ended, __ATOMIC_RELAXED);
  uint64_t begin;

  if (thread == NULL || team->instance != lc_instance)
    return;
  __atomic_fetch_sub (&team->slot->taken, 1, __ATOMIC_RELAXED);
  begin = openmp_join_tasks (thread, team);
  if (lc_openmp_records (LC_CLASS_TEAM))
    lc_append_at (thread, team->site, LC_TEAM_JOIN, team->object, ended > 0 ? LC_EVENT_CONTENDED : 0,
                  lc_word (team->sequence, ended + 1), begin, lc_now_after ());
}

LC_EXPORT void
GOMP_parallel (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int flags)
{
  __typeof__ (GOMP_parallel) *real = LC_OPENMP_REAL (GOMP_parallel);
  struct lc_openmp_team team = {0};

  if (real == NULL)
    routine (argument);
  else if (!lc_openmp_fork (&team, routine, argument))
    real (routine, argument, threads, flags);
  else
    {
      real (lc_openmp_run, &team, threads, flags);
      lc_openmp_join (&team);
    }
}

LC_EXPORT unsigned int
GOMP_parallel_reductions (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int flags)
{
  __typeof__ (GOMP_parallel_reductions) *real = LC_OPENMP_REAL (GOMP_parallel_reductions);
  struct lc_openmp_team team = {.reductions = *(void **)argument};
  unsigned int result;

  if (real == NULL)
    return 0;
  if (!lc_openmp_fork (&team, routine, argument))
    return real (routine, argument, threads, flags);
  result = real (lc_openmp_run, &team, threads, flags);
  lc_openmp_join (&team);
  return result;
}

LC_EXPORT void
GOMP_parallel_sections (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int count,
                        unsigned int flags)
{
  __typeof__ (GOMP_parallel_sections) *real = LC_OPENMP_REAL (GOMP_parallel_sections);
  struct lc_openmp_team team = {0};

  if (real == NULL)
    return;
  if (!lc_openmp_fork (&team, routine, argument))
    {
      real (routine, argument, threads, count, flags);
      return;
    }
  team.is_loop = true;
  real (lc_openmp_run, &team, threads, count, flags);
  lc_openmp_join (&team);
}

/* --- Barriers ---------------------------------------------------------------------------------------------- */

/* libgomp lets a thread that has not seen yet that a barrier is over carry out tasks that were made afterwards. */
void
lc_openmp_is_over (struct lc_openmp_arrival *arrival, uint32_t site, uint64_t at)
{
  lc_append_at (arrival->thread, site, LC_BARRIER, arrival->object, arrival->flags, lc_openmp_generation_word (arrival),
                arrival->begin, at);
  arrival->thread = NULL;
}

#define BARRIER(name, before) \
  LC_EXPORT void name (void) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_arrival arrival; \
\
    if (real == NULL) \
      return; \
    before; \
    lc_openmp_arrive (&arrival, true); \
    real (); \
    lc_openmp_leave (&arrival); \
  }

#define CANCELLABLE_BARRIER(name, before) \
  LC_EXPORT bool name (void) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_arrival arrival; \
    bool is_cancelled; \
\
    if (real == NULL) \
      return false; \
    before; \
    lc_openmp_arrive (&arrival, true); \
    is_cancelled = real (); \
    if (is_cancelled) \
      lc_openmp_cancelled (&arrival); \
    else \
      lc_openmp_leave (&arrival); \
    return is_cancelled; \
  }

BARRIER (GOMP_barrier, )
BARRIER (GOMP_loop_end, lc_openmp_end_loop ())
BARRIER (GOMP_sections_end, lc_openmp_end_loop ())
CANCELLABLE_BARRIER (GOMP_barrier_cancel, )
CANCELLABLE_BARRIER (GOMP_loop_end_cancel, lc_openmp_end_loop ())
CANCELLABLE_BARRIER (GOMP_sections_end_cancel, lc_openmp_end_loop ())

#define END(name) \
  LC_EXPORT void name (void) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
\
    lc_openmp_end_loop (); \
    if (real != NULL) \
      real (); \
  }

END (GOMP_loop_end_nowait)
END (GOMP_sections_end_nowait)

/* NULL: the caller is the one that goes on, and comes to the barrier by GOMP_single_copy_end. */
LC_EXPORT void *
GOMP_single_copy_start (void)
{
  __typeof__ (GOMP_single_copy_start) *real = LC_OPENMP_REAL (GOMP_single_copy_start);
  struct lc_openmp_arrival arrival;
  struct lc_slot *slot = lc_openmp_single_slot (__builtin_return_address (0));
  void *result;

  if (real == NULL)
    return NULL;
  lc_openmp_arrive (&arrival, false);
  result = real ();
  if (result == NULL)
    lc_openmp_turn_back (&arrival);
  lc_openmp_decided_single (slot, &arrival, result == NULL);
  if (result != NULL)
    lc_openmp_leave (&arrival);
  return result;
}

LC_EXPORT bool
GOMP_single_start (void)
{
  __typeof__ (GOMP_single_start) *real = LC_OPENMP_REAL (GOMP_single_start);
  struct lc_slot *slot = lc_openmp_single_slot (__builtin_return_address (0));
  const struct lc_openmp_arrival none = {0};
  bool is_first;

  if (real == NULL)
    return true;
  is_first = real ();
  lc_openmp_decided_single (slot, &none, is_first);
  return is_first;
}

LC_EXPORT void
GOMP_single_copy_end (void *data)
{
  __typeof__ (GOMP_single_copy_end) *real = LC_OPENMP_REAL (GOMP_single_copy_end);
  struct lc_openmp_arrival arrival;

  if (real == NULL)
    return;
  lc_openmp_arrive (&arrival, true);
  real (data);
  lc_openmp_leave (&arrival);
}
