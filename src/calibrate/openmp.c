/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the constructs of OpenMP cost with gcc's library, which is loaded if it is there. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>

#include "measure.h"
#include "waiting.h"

#define OPENMP_LIBRARY "libgomp.so.1"

enum
{
  TEAMS = 32, /* in a batch */
  TEAMS_WARM_UP = 4,
  TEAM_PAUSE = 1000,            /* ns that the master waits for */
  GROUP = 32,                   /* tasks between two waits: few enough that none is carried out at once */
  ITERATIONS = LC_BATCH * 1024, /* of a loop, more than are ever asked for */
};

typedef void openmp_routine (void *);

/* X (type of the result, name, arguments). */
#define OPENMP_FUNCTIONS(X) \
  X (void, GOMP_parallel, (openmp_routine *, void *, unsigned int, unsigned int)) \
  X (void, GOMP_barrier, (void)) \
  X (void, GOMP_critical_name_start, (void **)) \
  X (void, GOMP_critical_name_end, (void **)) \
  X (bool, GOMP_loop_dynamic_start, (long, long, long, long, long *, long *)) \
  X (bool, GOMP_loop_dynamic_next, (long *, long *)) \
  X (bool, GOMP_loop_doacross_static_start, (unsigned int, long *, long, long *, long *)) \
  X (void, GOMP_doacross_post, (long *)) \
  X (void, GOMP_doacross_wait, (long, ...)) \
  X (void, GOMP_loop_end_nowait, (void)) \
  X (void, GOMP_task, \
     (openmp_routine *, void *, void (*) (void *, void *), long, long, bool, unsigned int, void **, int, void *)) \
  X (void, GOMP_taskwait, (void)) \
  X (int, omp_get_thread_num, (void))

static struct
{
#define X(type, name, arguments) type (*name) arguments;
  OPENMP_FUNCTIONS (X)
#undef X
} openmp;

static bool openmp_is_there;
static bool openmp_has_thread; /* besides the one that makes it */
static void *openmp_sections[LC_BATCH];

/* --- Regions ------------------------------------------------------------------------------------------------------ */

struct openmp_region
{
  uint64_t begin, end;
};

static void
gomp_empty (void *data)
{
  struct openmp_region *region = data;

  region->begin = lc_now ();
  region->end = lc_now ();
}

static enum lc_stamps_kind
gomp_kind (const struct lc_log *log)
{
  return log->recorded ? LC_STAMPS_EVENT : LC_STAMPS_COST;
}

static struct lc_series *
gomp_series (struct lc_log *log, const char *name)
{
  struct lc_series *series = lc_log_series (log, name, "openmp", gomp_kind (log));

  series->head.batch = LC_BATCH;
  return series;
}

/* A team of one has a master like any other, whose region takes the same to record. */
static void
gomp_measure_regions (struct lc_log *log)
{
  struct lc_series *fork = gomp_series (log, "fork"), *join = gomp_series (log, "team-join");

  for (unsigned int i = 0; i < LC_WARM_UP + LC_BATCH; i++)
    {
      struct openmp_region region;
      uint64_t before = lc_now (), after;

      openmp.GOMP_parallel (gomp_empty, &region, 1, 0);
      after = lc_now ();
      if (i < LC_WARM_UP)
        continue;
      lc_log_add (fork, before, region.begin);
      lc_log_add (join, region.end, after);
    }
}

/* A team of two: when the other thread begins and ends its part. */
struct gomp_team
{
  const struct lc_log *log;
  uint64_t begin, end;
};

static void
gomp_take_part (void *data)
{
  struct gomp_team *team = data;

  if (openmp.omp_get_thread_num () == 0)
    return;
  team->begin = lc_now ();
  lc_pause (team->log, TEAM_PAUSE); /* the master is to wait at the end */
  team->end = lc_now ();
}

static void
gomp_keep_apart (void *data)
{
  lc_pin (data, (unsigned int)openmp.omp_get_thread_num ());
}

/* The time from one thread to the other, recorded or not: what belongs to both is handed over, too. */
static void
gomp_measure_teams (struct lc_log *log)
{
  const enum lc_stamps_kind kind = log->recorded ? LC_STAMPS_WAITED : LC_STAMPS_AWAKE;
  struct lc_series *start = lc_log_series (log, "team-start", "openmp", kind);
  struct lc_series *join = lc_log_series (log, "team-join", "openmp", kind);

  if (log->cpus < 2)
    return;
  openmp.GOMP_parallel (gomp_keep_apart, log, 2, 0);
  if (!openmp_has_thread)
    log->threads++;
  openmp_has_thread = true;
  start->head.batch = join->head.batch = TEAMS;
  for (unsigned int i = 0; i < TEAMS_WARM_UP + TEAMS; i++)
    {
      struct gomp_team team = {.log = log};
      uint64_t before = lc_now (), after;

      openmp.GOMP_parallel (gomp_take_part, &team, 2, 0);
      after = lc_now ();
      if (i < TEAMS_WARM_UP)
        continue;
      lc_log_add (start, before, team.begin);
      lc_log_add (join, team.end, after);
    }
}

/* --- Within a region ---------------------------------------------------------------------------------------------- */

static void
gomp_gather (unsigned int object, unsigned int i)
{
  openmp.GOMP_barrier ();
}

static void
gomp_enter_section (unsigned int object, unsigned int i)
{
  openmp.GOMP_critical_name_start (&openmp_sections[object]);
}

static void
gomp_leave_section (unsigned int object, unsigned int i)
{
  openmp.GOMP_critical_name_end (&openmp_sections[object]);
}

static void
gomp_ask (unsigned int object, unsigned int i)
{
  long first, last;

  openmp.GOMP_loop_dynamic_next (&first, &last);
}

static void
gomp_post (unsigned int object, unsigned int i)
{
  long at = i;

  openmp.GOMP_doacross_post (&at);
}

static void
gomp_wait (unsigned int object, unsigned int i)
{
  openmp.GOMP_doacross_wait (i);
}

static void
gomp_measure_loops (struct lc_log *log)
{
  long first, last, count = ITERATIONS;

  openmp.GOMP_loop_dynamic_start (0, ITERATIONS, 1, 1, &first, &last);
  lc_measure (log, "openmp", "chunk", gomp_ask, NULL, NULL);
  openmp.GOMP_loop_end_nowait ();
  openmp.GOMP_loop_doacross_static_start (1, &count, 1, &first, &last);
  lc_measure (log, "openmp", "advance", gomp_post, "await", gomp_wait);
  openmp.GOMP_loop_end_nowait ();
}

/* --- Tasks -------------------------------------------------------------------------------------------------------- */

/* Tasks that one wait carries out, one after the other. */
struct openmp_tasks
{
  struct lc_series *series; /* of what lies between two tasks, one event of which is looked at */
  uint64_t ended;           /* the stamp of the last task's end; 0: there is none to look at */
};

static void
gomp_task (void *data)
{
  struct openmp_tasks *tasks = *(struct openmp_tasks **)data;
  uint64_t begin = lc_now ();

  if (tasks->ended > 0 && tasks->series != NULL)
    lc_log_add (tasks->series, tasks->ended, begin);
  tasks->ended = lc_now ();
}

static void
gomp_measure_group (struct lc_series *create, struct lc_series *between, struct lc_series *wait)
{
  struct openmp_tasks tasks = {.series = between}, *argument = &tasks;

  for (unsigned int i = 0; i < GROUP; i++)
    {
      uint64_t before = lc_now (), after;

      openmp.GOMP_task (gomp_task, &argument, NULL, sizeof argument, _Alignof(struct openmp_tasks *), true, 0, NULL, 0,
                        NULL);
      after = lc_now ();
      if (create != NULL)
        lc_log_add (create, before, after);
    }
  openmp.GOMP_taskwait ();
  if (wait != NULL)
    lc_log_add (wait, tasks.ended, lc_now ());
}

/* Between two tasks lie the end of one and the start of the other, which are looked at by turns. */
static void
gomp_measure_tasks (struct lc_log *log)
{
  struct lc_series *create = gomp_series (log, "task-create"), *start = gomp_series (log, "task-start");
  struct lc_series *end = gomp_series (log, "task-end"), *wait = gomp_series (log, "task-wait");

  wait->head.batch = LC_BATCH / GROUP;
  start->head.batch = end->head.batch = LC_BATCH / GROUP * (GROUP - 1);
  gomp_measure_group (NULL, NULL, NULL);
  for (unsigned int i = 0; i < LC_BATCH / GROUP; i++)
    {
      gomp_measure_group (create, start, NULL);
      gomp_measure_group (NULL, end, wait);
    }
}

static void
gomp_measure_inside (void *data)
{
  struct lc_log *log = data;

  lc_measure (log, "openmp", "barrier", gomp_gather, NULL, NULL);
  lc_measure (log, "openmp", "lock", gomp_enter_section, "unlock", gomp_leave_section);
  gomp_measure_loops (log);
  gomp_measure_tasks (log);
}

/* --- The library -------------------------------------------------------------------------------------------------- */

/* Asks for functions of the whole program: where it is recorded, those are the recorder's. */
static bool
gomp_load (void)
{
  if (dlopen (OPENMP_LIBRARY, RTLD_NOW | RTLD_GLOBAL) == NULL)
    return false;
#define X(type, name, arguments) \
  openmp.name = (__typeof__ (openmp.name))dlsym (RTLD_DEFAULT, #name); \
  if (openmp.name == NULL) \
    return false;
  OPENMP_FUNCTIONS (X)
#undef X
  return true;
}

void
lc_load_openmp (void)
{
  openmp_is_there = gomp_load ();
}

void
lc_measure_openmp (struct lc_log *log)
{
  if (!openmp_is_there)
    return;
  gomp_measure_regions (log);
  gomp_measure_teams (log);
  openmp.GOMP_parallel (gomp_measure_inside, log, 1, 0);
}

/* --- Waiting ------------------------------------------------------------------------------------------------------ */

static long waiting_index;

static void
gomp_hold (void)
{
  openmp.GOMP_critical_name_start (&openmp_sections[0]);
}

static void
gomp_let_go (void)
{
  openmp.GOMP_critical_name_end (&openmp_sections[0]);
}

static void
gomp_advance (void)
{
  openmp.GOMP_doacross_post (&waiting_index);
}

static void
gomp_await (void)
{
  openmp.GOMP_doacross_wait (waiting_index);
}

static void
gomp_next (void)
{
  waiting_index++;
}

static const struct lc_waiting openmp_waitings[] = {
    {"lock", "openmp", .hold = gomp_hold, .release = gomp_let_go, .acquire = gomp_hold, .after = gomp_let_go,
     .only_spins = true},
    {"await", "openmp", .release = gomp_advance, .acquire = gomp_await, .after = gomp_next, .only_spins = true},
};

struct gomp_pair
{
  struct lc_log *log;
  struct lc_partner partner;
};

static void
gomp_take_turns (void *data)
{
  struct gomp_pair *pair = data;
  long first, last, count = ITERATIONS;

  openmp.GOMP_loop_doacross_static_start (1, &count, ITERATIONS, &first, &last);
  if (openmp.omp_get_thread_num () == 0)
    lc_measure_turns (pair->log, &pair->partner, openmp_waitings, sizeof openmp_waitings / sizeof openmp_waitings[0]);
  else
    lc_wait_each_turn (&pair->partner);
  openmp.GOMP_loop_end_nowait ();
}

void
lc_measure_openmp_waiting (struct lc_log *log)
{
  struct gomp_pair pair = {.log = log, .partner = {.log = log}};

  if (openmp_is_there && log->cpus > 1)
    openmp.GOMP_parallel (gomp_take_turns, &pair, 2, 0);
}
