/* SPDX-License-Identifier: Apache-2.0 */
/* A team of OpenMP's threads, as the recorder knows it. */
#ifndef LC_RECORD_WRAP_OPENMP_H
#define LC_RECORD_WRAP_OPENMP_H

#include "openmp.h"
#include "recorder.h"

extern void *lc_openmp_found[LC_OPENMP_FUNCTION_COUNT];

/* Finds the function that the code at this address would have called. NULL: there is none. */
void *lc_openmp_find (enum lc_openmp_function function, const void *caller);

/* Forgets which code calls which function: some of it has been unloaded. */
void lc_openmp_unload (void);

#define LC_OPENMP_REAL_FOR(name, caller) \
  ((__typeof__ (name) *)(LC_LIKELY (lc_openmp_found[LC_OPENMP_##name] != NULL) \
                             ? lc_openmp_found[LC_OPENMP_##name] \
                             : lc_openmp_find (LC_OPENMP_##name, caller)))
#define LC_OPENMP_REAL(name) LC_OPENMP_REAL_FOR (name, __builtin_return_address (0))

/* The iterations of a loop of gcc's, whose last is before `end`. `step` is positive also in loops that count down. */
struct lc_openmp_range
{
  uint64_t start, step;
  bool is_down;
};

/* A team of threads that carry out a parallel region. Its master has it on its stack until all have ended. */
struct lc_openmp_team
{
  void *reductions; /* GOMP_parallel_reductions reads it, as the first word of what it is given */
  lc_openmp_routine *routine;
  void *argument;
  const void *caller;
  struct lc_thread *master;
  const struct lc_openmp_place *around; /* the master's part in the team that has made this one; or NULL */
  struct lc_slot *slot;
  uint64_t sequence; /* the n-th region of this routine */
  uint64_t master_end;
  uint64_t generations; /* number of barriers that have a number ... */
  uint64_t numbers[2];  /* ... which that of the barrier before the last, and of the last, are kept here */
  uint64_t arrivals;
  uint64_t first_index; /* of its loops with dependences */
  uint32_t object;
  uint32_t site;
  uint32_t instance;
  uint32_t ended;               /* number of recorded ends */
  uint32_t late;                /* number of tasks that the others carried out after their parts, ... */
  uint32_t late_object;         /* ... what they end for: the wait at the region's end, ... */
  uint64_t late_wait;           /* ... its number, from 1 on; 0: none yet, ... */
  uint64_t late_end;            /* ... and the end of the last of them */
  bool is_alone;                /* no other team was carrying out the routine at its begin */
  bool is_loop;                 /* the region is a loop, whose start is not called */
  struct lc_openmp_range range; /* of that loop */
  bool is_cancelled;
  struct lc_openmp_team *outer; /* of the same master, and the number of regions that this is within; of clang's */
  uint32_t depth;
};

enum
{
  LC_OPENMP_GROUPS = 8,
};

/* Tasks whose end a taskgroup waits for. */
struct lc_openmp_group
{
  struct lc_openmp_group *outer;
  uint64_t wait;  /* number of the wait at its end */
  uint32_t ended; /* number of recorded ends */
};

/* A task that makes others; the implicit task of a thread of a team is one, too. It is on that thread's stack. */
struct lc_openmp_task
{
  struct lc_openmp_task *outer; /* what the thread was doing before */
  struct lc_openmp_team *team;
  struct lc_openmp_group *group; /* the innermost that it is in */
  uint64_t made;                 /* number of tasks since the last wait */
  uint64_t wait;                 /* number of the next wait, once a task was made */
  uint64_t phase;                /* number of its team's barriers before it was made; of an explicit task */
  bool is_explicit;
  uint32_t depth; /* of groups that it has begun; the innermost may have no room below */
  struct lc_openmp_group groups[LC_OPENMP_GROUPS];
};

/* A thread at a barrier of its team. */
struct lc_openmp_arrival
{
  struct lc_thread *thread; /* NULL: it is not recorded, or its event is written already */
  struct lc_openmp_place *place;
  uint64_t generation;
  uint64_t begin;
  uint32_t object;
  uint32_t site; /* of the last to arrive, which waits for nobody */
  uint8_t flags;
};

/* A thread's part in a team. */
struct lc_openmp_place
{
  struct lc_openmp_team *team;
  struct lc_openmp_place *outer;
  uint64_t generation;               /* number of barriers so far, that which it is at included */
  struct lc_openmp_arrival *arrival; /* at a barrier; or NULL */
  uint32_t size;
  bool is_reducing; /* clang: the thread adds its part where atomic operations would do */

  struct lc_slot *loop;         /* of the loop that hands out chunks; or NULL */
  struct lc_openmp_range range; /* of that loop */
  struct lc_slot *ordered;      /* of the ordered loop, or that with dependences; or NULL */
  bool has_turn;                /* the thread may carry out ordered sections of its chunk */
  bool had_turn;                /* clang: it has been, in this iteration */
  uint64_t first_index;         /* of the loop with dependences */
  uint64_t indices;
  uint32_t dimensions;
  uint64_t counts[16];
  struct lc_openmp_dimension bounds[16]; /* of clang's */
};

extern __thread struct lc_openmp_place *lc_openmp_place __attribute__ ((tls_model ("initial-exec")));

/* Returns the calling thread if anything is recorded. */
static inline struct lc_thread *
lc_openmp_thread (void)
{
  if (LC_UNLIKELY (lc_classes == 0))
    return NULL;
  return LC_LIKELY (lc_self != NULL) ? lc_self : lc_enter_slow (UINT32_MAX);
}

/* Returns the calling thread's part in its team. NULL: it is in none that is recorded. */
static inline struct lc_openmp_place *
lc_openmp_here (void)
{
  struct lc_openmp_place *place = lc_openmp_place;

  return place != NULL && place->team->instance == lc_instance ? place : NULL;
}

static inline bool lc_openmp_records (enum lc_class class)
{
  return (lc_classes >> class & 1) != 0;
}

/* Records that the calling thread is about to hand its routine to a team. False: it is not recorded. */
static inline LC_ALWAYS_INLINE bool
lc_openmp_fork (struct lc_openmp_team *team, lc_openmp_routine *routine, void *argument)
{
  struct lc_thread *thread = lc_openmp_thread ();
  uint64_t now;

  if (thread == NULL)
    return false;
  team->slot = lc_object (thread, (const void *)(uintptr_t)routine, LC_CLASS_TEAM, LC_KIND_OPENMP);
  if (team->slot == NULL)
    return false;
  team->routine = routine;
  team->argument = argument;
  team->caller = __builtin_return_address (0);
  team->master = thread;
  team->around = lc_openmp_here ();
  team->object = team->slot->id;
  team->instance = lc_instance;
  team->first_index = __atomic_load_n (&team->slot->count, __ATOMIC_RELAXED);
  team->is_alone = __atomic_fetch_add (&team->slot->taken, 1, __ATOMIC_RELAXED) == 0;
  team->sequence = __atomic_fetch_add (&team->slot->sequence, 1, __ATOMIC_RELAXED);
  team->site = lc_stack (thread);
  now = lc_now ();
  if (lc_openmp_records (LC_CLASS_TEAM))
    lc_append_at (thread, team->site, LC_FORK, team->object, 0, lc_word (team->sequence, 0), now, now);
  team->master_end = now;
  return true;
}

/* Carries out the routine of the struct lc_openmp_team as one of its threads. */
void lc_openmp_run (void *team);

/* Records that a thread that is not the master begins its part in a team of this size. `number` is that of the thread
 * in the team; 0: not known. */
void lc_openmp_started (struct lc_thread *thread, const struct lc_openmp_team *team, uint32_t size, uint32_t number);

/* Records that the master of a team begins to wait for the others. */
void lc_openmp_master_ended (struct lc_openmp_team *team, const struct lc_openmp_place *place);

/* Records that a barrier was over at this time, although the calling thread has not left it yet. */
void lc_openmp_is_over (struct lc_openmp_arrival *arrival, uint32_t site, uint64_t at);

/* Let the calling thread carry out a task, and go on with what it did before. */
void lc_openmp_task_begin (struct lc_openmp_task *task, struct lc_openmp_team *team, struct lc_openmp_group *group);
void lc_openmp_task_end (const struct lc_openmp_task *task);

/* Returns the address of the routine that the calling thread carries out. NULL: none that is recorded. */
const void *lc_openmp_current_routine (void);

/* Records that a thread that is not the master has ended its part. */
void lc_openmp_ended (struct lc_thread *thread, struct lc_openmp_team *team);

/* Records that all threads of the team have ended. */
void lc_openmp_join (struct lc_openmp_team *team);

#endif
