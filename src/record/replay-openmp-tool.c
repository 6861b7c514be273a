/* SPDX-License-Identifier: Apache-2.0 */
/* Replays clang's OpenMP: parallel regions and the barriers of their teams, as its library tells a tool of them. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ompt.h"
#include "openmp-fork.h"
#include "replay-openmp.h"

/* The calling thread's. */
static __thread struct
{
  const void *forked;       /* the routine that it hands to a team; NULL: it is not known */
  struct lc_replayed *home; /* of a worker: the history that it was made with */
  struct lc_suspension suspension;
  struct lc_replay_team *team; /* the innermost whose master it is */
  uint32_t depth;              /* number of regions that it has begun, with a turn or not */
} tool_thread __attribute__ ((tls_model ("initial-exec")));

/* --- In the library ----------------------------------------------------------------------------------------- */

__thread bool lc_replay_is_inside __attribute__ ((tls_model ("initial-exec")));

bool
lc_replay_enter_library (void)
{
  const bool was_inside = lc_replay_is_inside;

  if (!was_inside)
    lc_replay_record_suspend (&tool_thread.suspension);
  lc_replay_is_inside = true;
  return was_inside;
}

bool
lc_replay_leave_library (void)
{
  const bool was_inside = lc_replay_is_inside;

  if (was_inside)
    lc_replay_record_resume (&tool_thread.suspension);
  lc_replay_is_inside = false;
  return was_inside;
}

static struct
{
  uintptr_t start;
  size_t size;
} tool_code;

bool
lc_replay_is_of_library (uintptr_t caller)
{
  return caller - tool_code.start < tool_code.size;
}

void
lc_replay_made_by (uintptr_t caller, const void *address, enum lc_class class)
{
  struct lc_replay_place *place = lc_replay_place (address, class);

  lc_replay_made (address, class);
  if (place != NULL)
    place->is_of_library = lc_replay_is_of_library (caller);
}

/* The recorder takes such a call for the program's if it knows the object. Here the thread's history tells. */
bool
lc_replay_is_library_call (const struct lc_replayed *self, const struct lc_replay_call *call)
{
  const struct lc_replay_place *place;
  const struct lc_replay_event *event;
  uint32_t known;

  if (!lc_replay_is_of_library (call->caller))
    return false;
  place = self != NULL ? lc_replay_place (call->address, call->class) : NULL;
  if (place == NULL || place->is_of_library)
    return true;
  event = lc_replay_peek (self);
  if (event == NULL || (event->operation != call->operation && (call->failed == 0 || event->operation != call->failed)))
    return true;
  known = __atomic_load_n (&place->object, __ATOMIC_RELAXED);
  return known != event->object + 1 &&
         (known != 0 || __atomic_load_n (&lc_replay_object (event->object)->address, __ATOMIC_RELAXED) != 0);
}

/* --- Workers ------------------------------------------------------------------------------------------------ */

/*
 * Which of its workers the library gives to the team of an inner region, and whether it makes others, depends on which
 * of them are free. So a worker has no history between its parts, and begins a part with that of the thread that had
 * it.
 */
static bool
replay_tool_is_part (const struct lc_replay_event *event, const struct lc_replay_team *team, uint32_t number)
{
  return event->operation == LC_TEAM_START && event->object == team->region &&
         (event->detail == number || event->detail == 0);
}

static bool
replay_tool_take_history (struct lc_replayed *history)
{
  uint32_t is_free = 1;

  if (!__atomic_compare_exchange_n (&history->is_free, &is_free, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  if (lc_replay_self != history)
    history->thread->id = (uint32_t)syscall (SYS_gettid);
  lc_replay_self = history;
  return true;
}

static void
replay_tool_leave_history (void)
{
  __atomic_store_n (&lc_replay_self->is_free, 1, __ATOMIC_RELEASE);
}

/* Takes a history whose next event is the begin of the part. */
static bool
replay_tool_take_part (struct lc_replayed *history, const struct lc_replay_team *team, uint32_t number)
{
  const struct lc_replay_event *next;

  if (__atomic_load_n (&history->is_free, __ATOMIC_ACQUIRE) == 0)
    return false;
  next = lc_replay_peek (history);
  return next != NULL && replay_tool_is_part (next, team, number) && replay_tool_take_history (history);
}

static bool
replay_tool_has_part (const struct lc_replayed *history, const struct lc_replay_team *team, uint32_t number)
{
  const struct lc_replay_event *event;

  for (uint64_t i = 0; (event = lc_replay_peek_at (history, i)) != NULL; i++)
    if (replay_tool_is_part (event, team, number))
      return true;
  return false;
}

/* Waits until the history is free that has the part. Without any, the worker keeps the last that it had. */
static void
replay_tool_find_part (const struct lc_replay_team *team, uint32_t number)
{
  const uint32_t n = lc_replay_count_threads ();

  if (lc_replay_self != NULL && replay_tool_take_part (lc_replay_self, team, number))
    return;
  for (bool is_there = true; is_there && lc_replay_follows ();)
    {
      is_there = false;
      for (uint32_t i = 0; i < n; i++)
        {
          if (replay_tool_take_part (lc_replay_thread (i), team, number))
            return;
          is_there |= replay_tool_has_part (lc_replay_thread (i), team, number);
        }
      sched_yield ();
    }
  if (lc_replay_self != NULL)
    replay_tool_take_history (lc_replay_self);
}

bool
lc_replay_makes_worker (void)
{
  const struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD);
  const struct lc_replay_event *next = self != NULL ? lc_replay_peek (self) : NULL;

  return next == NULL || next->operation == LC_CREATE || next->operation == LC_CREATE_FAILED;
}

/* The library has made workers in the recorded run, and has others at its disposal now: their histories are free. */
static void
replay_tool_make_histories (const struct lc_replay_team *team)
{
  const struct lc_replay_call call = {LC_CLASS_THREAD, LC_CREATE, 0, NULL, 0};
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_THREAD), *made;
  const struct lc_replay_event *next;

  while (self != NULL && (next = lc_replay_peek (self)) != NULL && next->operation == LC_CREATE &&
         next->site == team->site && lc_replay_openmp_tell (&call) != NULL)
    {
      made = lc_replay_thread (next->object);
      if (made == NULL || made->thread->state != LC_REPLAY_UNBORN)
        return;
      made->thread->state = LC_REPLAY_RUNNING;
      next = lc_replay_peek (made);
      made->thread->next += next != NULL && next->operation == LC_START;
      __atomic_store_n (&made->is_free, 1, __ATOMIC_RELEASE);
    }
}

static void
replay_tool_thread_begins (int kind, union lc_ompt_data *data)
{
  data->value = kind == LC_OMPT_THREAD_WORKER;
  if (data->value == 0)
    return;
  tool_thread.home = lc_replay_self;
  if (lc_replay_self != NULL)
    replay_tool_leave_history ();
  lc_replay_enter_library ();
}

/* The end is that of the thread's own history. */
static void
replay_tool_thread_ends (union lc_ompt_data *data)
{
  struct lc_replayed *home = tool_thread.home;

  if (data->value == 0)
    return;
  while (home != NULL && !replay_tool_take_history (home) && lc_replay_follows ())
    sched_yield ();
  lc_replay_leave_library ();
}

/* --- Regions ------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
static void
replay_tool_fork_nothing (void)
{
}

/* Notes the routine that the caller hands to a team, and returns the library's function. */
__attribute__ ((visibility ("hidden"))) void *lc_replay_forks (const void *routine, const void *caller);

void *
lc_replay_forks (const void *routine, const void *caller)
{
  void *real = (void *)LC_REPLAY_OPENMP_FOR (__kmpc_fork_call, caller);

  tool_thread.forked = routine;
  return real != NULL ? real : (void *)replay_tool_fork_nothing;
}

LC_OPENMP_FORK_CALL (lc_replay_forks);
#endif

/* A region of gcc's interface, which the library has too, is told by its wrapper. */
static void
replay_tool_parallel_begins (union lc_ompt_data *encountering, const void *frame, union lc_ompt_data *parallel,
                             unsigned int threads, int flags, const void *code)
{
  const void *routine = tool_thread.forked != NULL ? tool_thread.forked : lc_ompt_line (code);
  struct lc_replay_team *team;

  (void)encountering, (void)frame, (void)threads;
  parallel->pointer = NULL;
  tool_thread.forked = NULL;
  tool_thread.depth++;
  if (!(flags & LC_OMPT_PARALLEL_TEAM) || code == NULL || lc_openmp_is_own (code))
    return;
  team = lc_replay_get_memory (sizeof *team);
  if (team == NULL)
    return;
  *team = (struct lc_replay_team){0};
  if (!lc_replay_team_fork (team, (lc_openmp_routine *)(uintptr_t)routine, NULL, (uintptr_t)code))
    {
      lc_replay_give_memory (team);
      return;
    }
  team->outer = tool_thread.team;
  team->depth = tool_thread.depth;
  parallel->pointer = tool_thread.team = team;
  lc_replay_enter_library ();
}

/* The library may have given its own memory of the region to another one. */
static void
replay_tool_parallel_ends (union lc_ompt_data *parallel, union lc_ompt_data *encountering, int flags, const void *code)
{
  struct lc_replay_team *team = tool_thread.team;
  const bool has_turn = team != NULL && team->depth == tool_thread.depth;

  (void)parallel, (void)encountering, (void)flags, (void)code;
  lc_replay_leave_library ();
  tool_thread.depth--;
  if (!has_turn)
    return;
  tool_thread.team = team->outer;
  lc_replay_team_join (team);
  lc_replay_give_memory (team);
}

static void
replay_tool_part_begins (struct lc_replay_team *team, union lc_ompt_data *data, uint32_t size, uint32_t number)
{
  struct lc_replay_part *part = lc_replay_get_memory (sizeof *part);

  data->pointer = part;
  if (number == 0)
    replay_tool_make_histories (team);
  else
    {
      replay_tool_find_part (team, number);
      lc_replay_team_start (team, size);
    }
  if (part == NULL)
    return;
  *part = (struct lc_replay_part){.team = team, .outer = lc_replay_part, .size = size, .is_master = number == 0};
  team->size = size;
  lc_replay_part = part;
  part->outer_context = lc_replay_context_begin (team, false);
}

static void
replay_tool_part_ends (struct lc_replay_part *part)
{
  if (part->is_over)
    return;
  part->is_over = true;
  if (lc_replay_part == part)
    lc_replay_part = part->outer;
  lc_replay_part_end (part->team, part->is_master, part->outer_context);
  if (!part->is_master && lc_replay_self != NULL)
    replay_tool_leave_history ();
}

/* The end of a worker's implicit task is told when it is wanted again, and its team may be gone. */
static void
replay_tool_implicit_task (int scope, union lc_ompt_data *parallel, union lc_ompt_data *data, unsigned int threads,
                           unsigned int number, int flags)
{
  if (!(flags & LC_OMPT_TASK_IMPLICIT))
    return;
  if (scope == LC_OMPT_BEGIN)
    {
      lc_replay_leave_library ();
      data->pointer = NULL;
      if (parallel->pointer != NULL)
        replay_tool_part_begins (parallel->pointer, data, threads, number);
    }
  else if (data->pointer != NULL)
    {
      replay_tool_part_ends (data->pointer);
      lc_replay_give_memory (data->pointer);
      data->pointer = NULL;
    }
}

/* The recording does not tell who sees a cancellation, and after how much of its work. */
static void
replay_tool_cancel (union lc_ompt_data *data, int flags, const void *code)
{
  (void)data;
  if ((flags & LC_OMPT_CANCEL_ACTIVATED) && lc_replay_openmp_part () != NULL)
    lc_replay_openmp_unknown (LC_CLASS_TEAM, LC_TEAM_END, NULL, (uintptr_t)code);
}

/* --- Barriers ----------------------------------------------------------------------------------------------- */

/* A worker stays in the library after the end of its part. */
static void
replay_tool_sync_wait (int kind, int scope, union lc_ompt_data *parallel, union lc_ompt_data *data, const void *code)
{
  struct lc_replay_part *part = data != NULL ? data->pointer : NULL;

  (void)parallel;
  if (part == NULL || kind > LC_OMPT_SYNC_BARRIER_PARALLEL || kind == LC_OMPT_SYNC_TASKWAIT ||
      kind == LC_OMPT_SYNC_TASKGROUP)
    return;
  if (scope == LC_OMPT_BEGIN)
    {
      if (lc_ompt_ends_region (kind, code, (const void *)part->team->caller))
        replay_tool_part_ends (part);
      else
        part->arrival = lc_replay_openmp_arrive (part, (uintptr_t)code);
      lc_replay_enter_library ();
    }
  else if (!part->is_over)
    {
      lc_replay_leave_library ();
      lc_replay_openmp_leave (part->arrival);
      part->arrival = NULL;
    }
}

/* --- The tool ----------------------------------------------------------------------------------------------- */

static int
replay_tool_begin (lc_ompt_lookup *lookup, int device, union lc_ompt_data *data)
{
  static const struct
  {
    enum lc_ompt_event event;
    lc_ompt_function *callback;
  } callbacks[] = {{LC_OMPT_THREAD_BEGIN, (lc_ompt_function *)replay_tool_thread_begins},
                   {LC_OMPT_THREAD_END, (lc_ompt_function *)replay_tool_thread_ends},
                   {LC_OMPT_PARALLEL_BEGIN, (lc_ompt_function *)replay_tool_parallel_begins},
                   {LC_OMPT_PARALLEL_END, (lc_ompt_function *)replay_tool_parallel_ends},
                   {LC_OMPT_IMPLICIT_TASK, (lc_ompt_function *)replay_tool_implicit_task},
                   {LC_OMPT_SYNC_REGION_WAIT, (lc_ompt_function *)replay_tool_sync_wait},
                   {LC_OMPT_CANCEL, (lc_ompt_function *)replay_tool_cancel}};
  lc_ompt_set_callback *set = (lc_ompt_set_callback *)lookup ("ompt_set_callback");

  (void)device, (void)data;
  if (set == NULL)
    return 0;
  for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
    set (callbacks[i].event, callbacks[i].callback);
  return 1;
}

static void
replay_tool_end (union lc_ompt_data *data)
{
  (void)data;
}

/* Another tool of the program's, or one that its user asks for, goes first, as it did for the recorder. A recorder of
 * the replay is told by the turns what is done. */
struct lc_ompt_tool *ompt_start_tool (unsigned int version, const char *runtime);

LC_REPLAY_EXPORT struct lc_ompt_tool *
ompt_start_tool (unsigned int version, const char *runtime)
{
  static struct lc_ompt_tool tool = {.begin = replay_tool_begin, .end = replay_tool_end};
  const bool has_turns = lc_replay_has_clang_openmp ();
  __typeof__ (ompt_start_tool) *other = (__typeof__ (ompt_start_tool) *)dlsym (RTLD_NEXT, "ompt_start_tool");
  struct lc_ompt_tool *others = NULL;
  const char *wanted = getenv ("OMP_TOOL_LIBRARIES");
  struct dl_find_object library;

  if (other != NULL)
    others = other (version, runtime);
  if (has_turns && lc_replay_recorder != NULL)
    others = NULL;
  if (others != NULL || !has_turns || (wanted != NULL && wanted[0] != '\0'))
    return others;
  if (_dl_find_object ((void *)(uintptr_t)runtime, &library) != 0)
    return NULL;
  __atomic_store_n (&tool_code.size, 0, __ATOMIC_RELEASE);
  if (lc_openmp_is_clang_library (library.dlfo_link_map->l_name))
    {
      __atomic_store_n (&tool_code.start, (uintptr_t)library.dlfo_map_start, __ATOMIC_RELEASE);
      __atomic_store_n (&tool_code.size, (size_t)((char *)library.dlfo_map_end - (char *)library.dlfo_map_start),
                        __ATOMIC_RELEASE);
    }
  return &tool;
}
