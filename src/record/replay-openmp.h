/* SPDX-License-Identifier: Apache-2.0 */
/* Replays of OpenMP: teams, what each thread does in them, and tasks. */
#ifndef LC_RECORD_REPLAY_OPENMP_H
#define LC_RECORD_REPLAY_OPENMP_H

#include "openmp.h"
#include "replay.h"

/* X (type of the result, name, arguments). Those that are not recorded, but may change what is. */
#define LC_REPLAY_OPENMP_FUNCTIONS(X) \
  LC_OPENMP_TEAM_FUNCTIONS (X) \
  LC_OPENMP_LOCK_FUNCTIONS (X) \
  LC_OPENMP_LOOP_FUNCTIONS (X) \
  LC_OPENMP_TASK_FUNCTIONS (X) \
  LC_OPENMP_CLANG_FUNCTIONS (X) \
  X (void, __kmpc_fork_call, (void *, int, const void *, ...)) \
  X (void *, __kmpc_omp_task_alloc, (void *, int, int, size_t, size_t, lc_openmp_entry *)) \
  X (int, __kmpc_omp_task, (void *, int, void *)) \
  X (int, __kmpc_omp_task_with_deps, \
     (void *, int, void *, int, const struct lc_openmp_clang_dependence *, int, \
      const struct lc_openmp_clang_dependence *)) \
  X (void, __kmpc_omp_task_begin_if0, (void *, int, void *)) \
  X (void, __kmpc_omp_task_complete_if0, (void *, int, void *)) \
  X (int, __kmpc_omp_taskwait, (void *, int)) \
  X (void, __kmpc_taskgroup, (void *, int)) \
  X (void, __kmpc_end_taskgroup, (void *, int)) \
  X (void *, __kmpc_taskred_init, (int, int, void *)) \
  X (void *, __kmpc_taskred_modifier_init, (void *, int, int, int, void *)) \
  X (int, __kmpc_global_thread_num, (void *)) \
  X (bool, GOMP_cancel, (int, bool)) \
  X (bool, GOMP_cancellation_point, (int)) \
  X (void, GOMP_taskgroup_reduction_register, (uintptr_t *)) \
  X (void, GOMP_workshare_task_reduction_unregister, (bool)) \
  X (int, omp_get_num_threads, (void)) \
  X (void, omp_get_schedule, (int *, int *))

enum lc_replay_openmp_function
{
#define X(type, name, arguments) LC_REPLAY_##name,
  LC_REPLAY_OPENMP_FUNCTIONS (X)
#undef X
      LC_REPLAY_OPENMP_COUNT
};

void *__kmpc_omp_task_alloc (void *place, int thread, int flags, size_t size, size_t shared_size,
                             lc_openmp_entry *routine);
int __kmpc_omp_task (void *place, int thread, void *task);
int __kmpc_omp_task_with_deps (void *place, int thread, void *task, int n,
                               const struct lc_openmp_clang_dependence *dependences, int n_unique,
                               const struct lc_openmp_clang_dependence *unique);
void __kmpc_omp_task_begin_if0 (void *place, int thread, void *task);
void __kmpc_omp_task_complete_if0 (void *place, int thread, void *task);
int __kmpc_omp_taskwait (void *place, int thread);
void __kmpc_taskgroup (void *place, int thread);
void __kmpc_end_taskgroup (void *place, int thread);
void *__kmpc_taskred_init (int thread, int n, void *data);
void *__kmpc_taskred_modifier_init (void *place, int thread, int is_loop, int n, void *data);
int __kmpc_global_thread_num (void *place);
bool GOMP_cancel (int which, bool is_so);
bool GOMP_cancellation_point (int which);
void GOMP_taskgroup_reduction_register (uintptr_t *data);
void GOMP_workshare_task_reduction_unregister (bool is_cancelled);

extern void *lc_replay_openmp_found[LC_REPLAY_OPENMP_COUNT];

/* Finds the library's own function, or whatever comes next if OpenMP has no turns: a recorder, perhaps. Libraries by
 * other names are found by who calls them. */
void *lc_replay_openmp_find (enum lc_replay_openmp_function function, const void *caller);

#define LC_REPLAY_OPENMP_FOR(name, caller) \
  ((__typeof__ (name) *)(lc_replay_openmp_found[LC_REPLAY_##name] != NULL \
                             ? lc_replay_openmp_found[LC_REPLAY_##name] \
                             : lc_replay_openmp_find (LC_REPLAY_##name, caller)))
#define LC_REPLAY_OPENMP(name) LC_REPLAY_OPENMP_FOR (name, __builtin_return_address (0))

enum
{
  LC_REPLAY_DIMENSIONS = 16,
};

/* The iterations of a loop, the last of which is before `end`. `step` is positive also in loops that count down. */
struct lc_replay_range
{
  uint64_t start, end, step;
  bool is_down;
};

static inline struct lc_replay_range
lc_replay_signed_range (long start, long end, long step)
{
  return (struct lc_replay_range){(uint64_t)start, (uint64_t)end, step < 0 ? 0 - (uint64_t)step : (uint64_t)step,
                                  step < 0};
}

/* A team of threads; gcc's is on its master's stack. */
struct lc_replay_team
{
  void *reductions; /* GOMP_parallel_reductions reads it, as the first word of what it is given */
  lc_openmp_routine *routine;
  void *argument;
  uintptr_t caller;
  struct lc_replayed *master;
  const struct lc_replay_part *around; /* the master's part in the team that has made this one; or NULL */
  uint32_t region;                     /* object of the plan */
  uint32_t site;                       /* of the plan: of the begin */
  uint32_t size;
  struct lc_replay_team *outer; /* of the same master, and the number of regions that this is within; of clang's */
  uint32_t depth;
  bool is_loop; /* the region is a loop, whose start is not called */
  struct lc_replay_range range;
  void *copied[2]; /* what `single` hands to all, in turn */
};

/* A loop whose chunks are those of the recording. */
struct lc_replay_loop
{
  bool is_steered;
  uintptr_t address; /* of its object */
  uint32_t object;   /* of the plan, or LC_REPLAY_NONE before the first chunk */
  uint64_t given;    /* how far the thread's history has been given out, in a program that is free */
  struct lc_replay_range range;
};

/* A thread's part in a team. */
struct lc_replay_part
{
  struct lc_replay_team *team;
  struct lc_replay_part *outer;
  uint32_t size;
  uint32_t copies; /* of `single` so far */
  bool is_copying; /* it carries out the last one */
  struct lc_replay_loop loop;
  uintptr_t ordered;       /* the address of the object of an ordered loop, or 0 */
  bool ordered_by_library; /* it knows the order */
  bool is_doacross;        /* its indices are told one by one, chunks have no turns */
  bool has_turn;
  bool had_turn; /* clang: in this iteration */
  bool is_master, is_over;
  bool is_reducing; /* clang: the thread adds its part where atomic operations would do */
  struct lc_replay_context *outer_context;
  const struct lc_replay_event *arrival; /* at the barrier that it is in; or NULL */
  uint32_t dimensions;                   /* of clang's loop with dependences */
  uint64_t counts[LC_REPLAY_DIMENSIONS];
  struct lc_openmp_dimension bounds[LC_REPLAY_DIMENSIONS];
};

/* A task that may make others; the implicit task of a thread of a team is one, too. */
struct lc_replay_context
{
  struct lc_replay_team *team;
  uint32_t users;   /* itself, and the tasks that it has made and that have not ended */
  uint32_t depth;   /* of groups that it has begun */
  uint64_t made;    /* number of tasks since the last wait */
  bool is_in_group; /* since its begin */
};

/* The tasks that are next in a thread's history and may be carried out at a place. */
enum lc_replay_tasks
{
  LC_REPLAY_TASKS_HERE, /* where it waits */
  LC_REPLAY_TASKS_LATE, /* within a barrier that is over */
  LC_REPLAY_TASKS_OWN,  /* where it makes the task */
  LC_REPLAY_TASKS_YIELDED,
};

extern __thread struct lc_replay_part *lc_replay_part __attribute__ ((tls_model ("initial-exec")));

/* Returns the calling thread's part in a team, if OpenMP has turns. */
static inline struct lc_replay_part *
lc_replay_openmp_part (void)
{
  return lc_replay_has_openmp () ? lc_replay_part : NULL;
}

/* Waits for an operation's turn, and ends it: the recorded event, or NULL if there is none. */
const struct lc_replay_event *lc_replay_openmp_tell (const struct lc_replay_call *call);

/* A team's begin and end, by its master. False: the thread has no turns. */
bool lc_replay_team_fork (struct lc_replay_team *team, lc_openmp_routine *routine, void *argument, uintptr_t caller);
void lc_replay_team_join (const struct lc_replay_team *team);

/* The same of another thread's part: it must be one of the recorded team, and that have as many. */
void lc_replay_team_start (const struct lc_replay_team *team, uint32_t size);

/* A thread's part ends. Tasks that are left are carried out; then the thread goes on with `outer`. */
void lc_replay_part_end (const struct lc_replay_team *team, bool is_master, struct lc_replay_context *outer);

/* Comes to a barrier of the team, that of the library being `real`. */
void lc_replay_openmp_barrier (uintptr_t caller, void (*real) (void));

/* Comes to a barrier, and waits until all have. Returns the event, with which the thread leaves the library's own
 * barrier; NULL: it has no turn. */
const struct lc_replay_event *lc_replay_openmp_arrive (const struct lc_replay_part *part, uintptr_t caller);
void lc_replay_openmp_leave (const struct lc_replay_event *event);

/* Comes to a `single`. The event's value is 1 for who carries it out. NULL: it has no turn, and the library decides. */
const struct lc_replay_event *lc_replay_openmp_single (uintptr_t caller);

/* Whether who comes takes the next chunk of a loop. */
bool lc_replay_hands_out (bool hands_out, bool chunk_is_given);

/* replay-openmp-loops.c: begins a loop, which may have its chunks from the recording, and gives the calling thread the
 * next one: from its first iteration to before its last. The library must not be asked for chunks, so that nobody waits
 * for them. */
void lc_replay_loop_begin (struct lc_replay_part *part, bool hands_out, struct lc_replay_range range, uintptr_t caller);
bool lc_replay_chunk (struct lc_replay_part *part, uintptr_t caller, uint64_t *first, uint64_t *last);

/* The loop that the calling thread is in has ended. */
void lc_replay_openmp_end_loop (void);

/* Begins an ordered loop, or one with dependences. */
void lc_replay_ordered_begin (struct lc_replay_part *part, bool by_library, uintptr_t caller);
void lc_replay_doacross_begin (struct lc_replay_part *part, unsigned int dimensions, uintptr_t caller);

/* Takes the turn of an ordered section, and passes it on. */
void lc_replay_take_turn (struct lc_replay_part *part, uintptr_t caller);
void lc_replay_pass_turn (struct lc_replay_part *part, uintptr_t caller);

/* The turn of an operation on an index, which ends with lc_replay_index_done. NULL: there is none. */
const struct lc_replay_event *lc_replay_index_turn (uint16_t operation, uintptr_t caller);
void lc_replay_index_done (const struct lc_replay_event *event);

/* replay-openmp-tasks.c: memory of the system, which is aligned to 16 bytes. NULL: there is none. */
void *lc_replay_get_memory (size_t bytes);
void lc_replay_give_memory (void *memory);

/* replay-openmp-tasks.c: let the calling thread begin a task, and go on with what it did before. */
struct lc_replay_context *lc_replay_context_begin (struct lc_replay_team *team, bool is_in_group);
void lc_replay_context_end (struct lc_replay_context *outer);

/* Returns the address of the waits of a team's tasks: it is two bytes into its routine. */
const void *lc_replay_waits_of (const struct lc_replay_team *team);

/* Carries out the next task of the calling thread's history. False: that is none of these. `own`: an object of the
 * plan. */
bool lc_replay_run_task (enum lc_replay_tasks which, uint32_t own);

/* The same for all of them. */
void lc_replay_run_tasks (enum lc_replay_tasks which);

/* Carries out what was left when threads became free. */
void lc_replay_run_left_tasks (void);

/* Tells that the recording does not say in which order this came. */
void lc_replay_openmp_unknown (enum lc_class class, uint16_t operation, const void *address, uintptr_t caller);

#endif
