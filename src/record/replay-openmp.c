/* SPDX-License-Identifier: Apache-2.0 */
/* Replays OpenMP: parallel regions, the barriers of their teams, and who carries out a `single`. The functions are
 * those of gcc's. */
#include "replay-openmp.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

__thread struct lc_replay_part *lc_replay_part __attribute__ ((tls_model ("initial-exec")));

/* --- The library -------------------------------------------------------------------------------------------- */

void *lc_replay_openmp_found[LC_REPLAY_OPENMP_COUNT];

static const char *const replay_openmp_names[] = {
#define X(type, name, arguments) #name,
    LC_REPLAY_OPENMP_FUNCTIONS (X)
#undef X
};

struct replay_openmp_search
{
  const char *name;
  void *found;
};

/* Returns a function of a library that is loaded, or of those that it needs. */
static void *
replay_openmp_find_in (const char *path, const char *name)
{
  void *library = dlopen (path, RTLD_LAZY | RTLD_NOLOAD), *found;

  if (library == NULL)
    return NULL;
  found = dlsym (library, name);
  dlclose (library);
  return lc_openmp_is_own (found) ? NULL : found;
}

static int
replay_openmp_look_in (struct dl_phdr_info *module, size_t size, void *data)
{
  struct replay_openmp_search *search = data;
  const char *slash = strrchr (module->dlpi_name, '/'), *file = slash != NULL ? slash + 1 : module->dlpi_name;

  (void)size;
  if (strncmp (file, "libgomp", 7) == 0 || lc_openmp_is_clang_library (file))
    search->found = replay_openmp_find_in (module->dlpi_name, search->name);
  return search->found != NULL;
}

/* A recorder's wrappers would take the replay's calls for the program's, so they are passed by: their events are those
 * of the plan. */
void *
lc_replay_openmp_find (enum lc_replay_openmp_function function, const void *caller)
{
  struct replay_openmp_search search = {.name = replay_openmp_names[function]};
  struct lc_suspension suspension;
  Dl_info module;

  lc_replay_record_suspend (&suspension);
  if (!lc_replay_has_openmp ())
    search.found = dlsym (RTLD_NEXT, search.name);
  if (search.found == NULL)
    dl_iterate_phdr (replay_openmp_look_in, &search);
  if (search.found == NULL && !lc_openmp_is_own (caller) && dladdr (caller, &module) != 0 && module.dli_fname != NULL)
    search.found = replay_openmp_find_in (module.dli_fname, search.name);
  if (search.found == NULL)
    dlerror (); /* clears the error, which the program would take for its own */
  lc_replay_record_resume (&suspension);
  __atomic_store_n (&lc_replay_openmp_found[function], search.found, __ATOMIC_RELEASE);
  return search.found;
}

/* --- Regions ------------------------------------------------------------------------------------------------ */

const struct lc_replay_event *
lc_replay_openmp_tell (const struct lc_replay_call *call)
{
  struct lc_replayed *self = lc_replay_enter (call->class);
  const struct lc_replay_event *event = self != NULL ? lc_replay_turn (self, call) : NULL;

  if (event != NULL)
    lc_replay_done (self, event);
  return event;
}

void
lc_replay_openmp_unknown (enum lc_class class, uint16_t operation, const void *address, uintptr_t caller)
{
  const struct lc_replay_call call = {class, operation, 0, address, caller};
  struct lc_replayed *self = lc_replay_enter (class);

  if (self != NULL)
    lc_replay_differs (self, &call, LC_REPLAY_UNKNOWN);
}

static struct lc_replay_call
replay_team_call (const struct lc_replay_team *team, uint16_t operation)
{
  return (struct lc_replay_call){LC_CLASS_TEAM, operation, 0, (const void *)(uintptr_t)team->routine, team->caller};
}

void
lc_replay_team_start (const struct lc_replay_team *team, uint32_t size)
{
  const struct lc_replay_call call = replay_team_call (team, LC_TEAM_START);
  const struct lc_replay_event *event = lc_replay_openmp_tell (&call);

  if (event != NULL && event->object != team->region)
    lc_replay_differs (lc_replay_self, &call, LC_REPLAY_OBJECT);
  else if (event != NULL && event->value != size)
    lc_replay_differs (lc_replay_self, &call, LC_REPLAY_OUTCOME);
}

static void
replay_team_end (const struct lc_replay_team *team)
{
  const struct lc_replay_call call = replay_team_call (team, LC_TEAM_END);

  lc_replay_openmp_tell (&call);
}

/* Ends a task that the thread has carried out after its part: for the wait at the region's end. Older recordings have
 * another end of its part instead. */
static void
replay_late_task_ended (const struct lc_replay_team *team)
{
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_TASK);
  const struct lc_replay_event *next = self != NULL ? lc_replay_peek (self) : NULL;
  const struct lc_replay_call call = {LC_CLASS_TASK, LC_TASK_END, 0, lc_replay_waits_of (team), team->caller};

  if (next != NULL && next->operation == LC_TEAM_END)
    replay_team_end (team);
  else
    lc_replay_openmp_tell (&call);
}

void
lc_replay_part_end (const struct lc_replay_team *team, bool is_master, struct lc_replay_context *outer)
{
  if (!is_master)
    replay_team_end (team);
  while (lc_replay_run_task (LC_REPLAY_TASKS_HERE, LC_REPLAY_NONE))
    if (!is_master)
      replay_late_task_ended (team);
  lc_replay_run_left_tasks ();
  lc_replay_context_end (outer);
}

/* Carries out the routine as one of the team's threads. */
static void
replay_team_run (void *data)
{
  struct lc_replay_team *team = data;
  struct lc_replay_part part = {.team = team, .outer = lc_replay_part};
  __typeof__ (omp_get_num_threads) *get_size = LC_REPLAY_OPENMP (omp_get_num_threads);
  const bool is_master = lc_replay_self == team->master;
  struct lc_replay_context *outer;

  part.size = get_size != NULL ? (uint32_t)get_size () : 1;
  part.loop = (struct lc_replay_loop){.is_steered = team->is_loop,
                                      .address = (uintptr_t)team->routine + 1,
                                      .object = LC_REPLAY_NONE,
                                      .range = team->range};
  if (!is_master)
    lc_replay_team_start (team, part.size);
  lc_replay_part = &part;
  outer = lc_replay_context_begin (team, false);
  team->routine (team->argument);
  lc_replay_part = part.outer;
  lc_replay_part_end (team, is_master, outer);
}

bool
lc_replay_team_fork (struct lc_replay_team *team, lc_openmp_routine *routine, void *argument, uintptr_t caller)
{
  struct lc_replay_call call;
  const struct lc_replay_event *event;

  team->routine = routine;
  team->argument = argument;
  team->caller = caller;
  call = replay_team_call (team, LC_FORK);
  event = lc_replay_has_openmp () ? lc_replay_openmp_tell (&call) : NULL;
  if (event == NULL)
    return false;
  team->region = event->object;
  team->site = event->site;
  team->master = lc_replay_self;
  team->around = lc_replay_part;
  return true;
}

void
lc_replay_team_join (const struct lc_replay_team *team)
{
  const struct lc_replay_call call = replay_team_call (team, LC_TEAM_JOIN);
  const struct lc_replay_call wait = {LC_CLASS_TASK, LC_TASK_WAIT, 0, lc_replay_waits_of (team), team->caller};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_TASK);
  const struct lc_replay_event *next = self != NULL ? lc_replay_peek (self) : NULL;

  if (next != NULL && next->operation == LC_TASK_WAIT)
    lc_replay_openmp_tell (&wait);
  lc_replay_openmp_tell (&call);
}

LC_REPLAY_EXPORT void
GOMP_parallel (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int flags)
{
  __typeof__ (GOMP_parallel) *real = LC_REPLAY_OPENMP (GOMP_parallel);
  struct lc_replay_team team = {0};

  if (real == NULL)
    routine (argument);
  else if (!lc_replay_team_fork (&team, routine, argument, LC_REPLAY_CALLER ()))
    real (routine, argument, threads, flags);
  else
    {
      real (replay_team_run, &team, threads, flags);
      lc_replay_team_join (&team);
    }
}

LC_REPLAY_EXPORT unsigned int
GOMP_parallel_reductions (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int flags)
{
  __typeof__ (GOMP_parallel_reductions) *real = LC_REPLAY_OPENMP (GOMP_parallel_reductions);
  struct lc_replay_team team = {.reductions = *(void **)argument};
  unsigned int result;

  if (real == NULL)
    return 0;
  if (!lc_replay_team_fork (&team, routine, argument, LC_REPLAY_CALLER ()))
    return real (routine, argument, threads, flags);
  result = real (replay_team_run, &team, threads, flags);
  lc_replay_team_join (&team);
  return result;
}

LC_REPLAY_EXPORT void
GOMP_parallel_sections (lc_openmp_routine *routine, void *argument, unsigned int threads, unsigned int count,
                        unsigned int flags)
{
  __typeof__ (GOMP_parallel_sections) *real = LC_REPLAY_OPENMP (GOMP_parallel_sections);
  struct lc_replay_team team = {.is_loop = true, .range = {0, count, 1, false}};

  if (real == NULL)
    return;
  if (!lc_replay_team_fork (&team, routine, argument, LC_REPLAY_CALLER ()))
    {
      real (routine, argument, threads, count, flags);
      return;
    }
  real (replay_team_run, &team, threads, count, flags);
  lc_replay_team_join (&team);
}

/* Each thread with a static schedule knows its chunks. */
bool
lc_replay_hands_out (bool hands_out, bool chunk_is_given)
{
  enum
  {
    STATIC = 1,
    SCHEDULES = 0x7FFFFFFF
  };
  __typeof__ (omp_get_schedule) *get_schedule = LC_REPLAY_OPENMP (omp_get_schedule);
  int kind = 0, chunk;

  if (!hands_out || chunk_is_given)
    return hands_out;
  if (get_schedule != NULL)
    get_schedule (&kind, &chunk);
  return (kind & SCHEDULES) != STATIC;
}

#define PARALLEL_LOOP(name, chunk, hands_out) \
  LC_REPLAY_EXPORT void GOMP_parallel_loop_##name (lc_openmp_routine *routine, void *argument, unsigned int threads, \
                                                   long start, long end, long increment, \
                                                   LC_OPENMP_IF_##chunk (long size, ) unsigned int flags) \
  { \
    __typeof__ (GOMP_parallel_loop_##name) *real = LC_REPLAY_OPENMP (GOMP_parallel_loop_##name); \
    struct lc_replay_team team = {.range = lc_replay_signed_range (start, end, increment)}; \
\
    if (real == NULL) \
      return; \
    if (!lc_replay_team_fork (&team, routine, argument, LC_REPLAY_CALLER ())) \
      { \
        real (routine, argument, threads, start, end, increment, LC_OPENMP_IF_##chunk (size, ) flags); \
        return; \
      } \
    team.is_loop = lc_replay_hands_out (hands_out, chunk); \
    real (replay_team_run, &team, threads, start, end, increment, LC_OPENMP_IF_##chunk (size, ) flags); \
    lc_replay_team_join (&team); \
  }

PARALLEL_LOOP (static, 1, false)
#define X(name, chunk) PARALLEL_LOOP (name, chunk, true)
LC_OPENMP_LOOPS (X)
#undef X

/* --- Barriers ----------------------------------------------------------------------------------------------- */

const struct lc_replay_event *
lc_replay_openmp_arrive (const struct lc_replay_part *part, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_BARRIER, LC_BARRIER, 0, (const void *)(uintptr_t)part->team->routine,
                                      caller};
  struct lc_replayed *self;
  const struct lc_replay_event *event;

  lc_replay_run_tasks (LC_REPLAY_TASKS_HERE);
  lc_replay_run_left_tasks ();
  self = lc_replay_enter (LC_CLASS_BARRIER);
  event = self != NULL ? lc_replay_turn (self, &call) : NULL;
  if (event == NULL)
    return NULL;
  if (event->value != part->size)
    lc_replay_differs (self, &call, LC_REPLAY_OUTCOME);
  lc_replay_step (event->object);
  lc_replay_await (self, event->object, event->after + event->value, LC_REPLAY_GATHERING);
  return event;
}

void
lc_replay_openmp_leave (const struct lc_replay_event *event)
{
  if (event == NULL)
    return;
  lc_replay_done (lc_replay_self, event);
  lc_replay_run_tasks (LC_REPLAY_TASKS_LATE);
}

void
lc_replay_openmp_barrier (uintptr_t caller, void (*real) (void))
{
  const struct lc_replay_part *part = lc_replay_openmp_part ();
  const struct lc_replay_event *event = part != NULL ? lc_replay_openmp_arrive (part, caller) : NULL;

  real ();
  lc_replay_openmp_leave (event);
}

#define BARRIER(name, before) \
  LC_REPLAY_EXPORT void name (void) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    before; \
    if (real != NULL) \
      lc_replay_openmp_barrier (LC_REPLAY_CALLER (), real); \
  }

BARRIER (GOMP_barrier, )
BARRIER (GOMP_loop_end, lc_replay_openmp_end_loop ())
BARRIER (GOMP_sections_end, lc_replay_openmp_end_loop ())

/* The answer of the last cancellable barrier of the calling thread. */
static __thread bool replay_was_cancelled __attribute__ ((tls_model ("initial-exec")));

#define CANCELLABLE_BARRIER(name, before) \
  static void replay_call_##name (void) \
  { \
    replay_was_cancelled = LC_REPLAY_OPENMP (name) (); \
  } \
\
  LC_REPLAY_EXPORT bool name (void) \
  { \
    before; \
    if (LC_REPLAY_OPENMP (name) == NULL) \
      return false; \
    lc_replay_openmp_barrier (LC_REPLAY_CALLER (), replay_call_##name); \
    return replay_was_cancelled; \
  }

CANCELLABLE_BARRIER (GOMP_barrier_cancel, )
CANCELLABLE_BARRIER (GOMP_loop_end_cancel, lc_replay_openmp_end_loop ())
CANCELLABLE_BARRIER (GOMP_sections_end_cancel, lc_replay_openmp_end_loop ())

#define END(name) \
  LC_REPLAY_EXPORT void name (void) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
\
    lc_replay_openmp_end_loop (); \
    if (real != NULL) \
      real (); \
  }

END (GOMP_loop_end_nowait)
END (GOMP_sections_end_nowait)

/* Who sees a cancellation, and after how much of its work, is not recorded. */
#define CANCELLATION(name, parameters, arguments) \
  LC_REPLAY_EXPORT bool name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    bool result = real != NULL && real arguments; \
\
    if (result && lc_replay_openmp_part () != NULL) \
      lc_replay_openmp_unknown (LC_CLASS_TEAM, LC_TEAM_END, NULL, LC_REPLAY_CALLER ()); \
    return result; \
  }

CANCELLATION (GOMP_cancel, (int which, bool is_so), (which, is_so))
CANCELLATION (GOMP_cancellation_point, (int which), (which))

/* --- Single ------------------------------------------------------------------------------------------------- */

const struct lc_replay_event *
lc_replay_openmp_single (uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TEAM, LC_CHUNK, 0, (const void *)caller, caller};

  return lc_replay_openmp_part () != NULL ? lc_replay_openmp_tell (&call) : NULL;
}

LC_REPLAY_EXPORT bool
GOMP_single_start (void)
{
  __typeof__ (GOMP_single_start) *real = LC_REPLAY_OPENMP (GOMP_single_start);
  const struct lc_replay_event *event = lc_replay_openmp_single (LC_REPLAY_CALLER ());

  if (event != NULL)
    return event->value > 0;
  return real == NULL || real ();
}

/* The library would find out by itself who is first. Its barrier is passed once for each `single`, so that what the
 * first one hands out is there until all have it. */
LC_REPLAY_EXPORT void *
GOMP_single_copy_start (void)
{
  __typeof__ (GOMP_single_copy_start) *real = LC_REPLAY_OPENMP (GOMP_single_copy_start);
  __typeof__ (GOMP_barrier) *barrier = LC_REPLAY_OPENMP (GOMP_barrier);
  const struct lc_replay_event *event = lc_replay_openmp_single (LC_REPLAY_CALLER ());
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (event == NULL || barrier == NULL)
    return real != NULL ? real () : NULL;
  part->copies++;
  part->is_copying = event->value > 0;
  if (part->is_copying)
    return NULL;
  lc_replay_openmp_barrier (LC_REPLAY_CALLER (), barrier);
  return part->team->copied[part->copies % 2];
}

LC_REPLAY_EXPORT void
GOMP_single_copy_end (void *data)
{
  __typeof__ (GOMP_single_copy_end) *real = LC_REPLAY_OPENMP (GOMP_single_copy_end);
  __typeof__ (GOMP_barrier) *barrier = LC_REPLAY_OPENMP (GOMP_barrier);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part == NULL || barrier == NULL || !part->is_copying)
    {
      if (real != NULL)
        real (data);
      return;
    }
  part->is_copying = false;
  part->team->copied[part->copies % 2] = data;
  lc_replay_openmp_barrier (LC_REPLAY_CALLER (), barrier);
}
