/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of clang: loops that hand out chunks, ordered sections, loops with dependences, and loops of tasks,
 * of which the library tells a tool too little. */
#include "openmp-fork.h"
#include "wrap-openmp-barrier.h"
#include "wrap-openmp-loops.h"
#include "wrap-openmp-tasks.h"
#include "wrap-openmp-tool.h"

/* --- Regions ----------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
static void
clang_fork_nothing (void)
{
}

/* Notes the routine that the caller hands to a team, and returns the library's function. */
__attribute__ ((visibility ("hidden"))) void *lc_openmp_forks (const void *routine, const void *caller);

void *
lc_openmp_forks (const void *routine, const void *caller)
{
  void *real = (void *)LC_OPENMP_REAL_FOR (__kmpc_fork_call, caller);

  lc_openmp_forked = routine;
  return real != NULL ? real : (void *)clang_fork_nothing;
}

LC_OPENMP_FORK_CALL (lc_openmp_forks);
#endif

/* --- Chunks ------------------------------------------------------------------------------------------------ */

/* The start of a loop with dependences was told before, with what it depends on. */
static void
clang_begin_loop (int schedule, const void *caller, struct lc_openmp_range range)
{
  const struct lc_openmp_schedule what = lc_openmp_clang_schedule (schedule);
  struct lc_openmp_place *place = lc_openmp_here ();

  if (place == NULL)
    return;
  if (what.is_ordered && place->dimensions == 0)
    lc_openmp_begin_ordered (place, caller);
  if (!what.is_static)
    lc_openmp_begin_loop (place, !what.is_runtime, caller, range);
}

/* Without a chunk, the loop has ended for the thread. */
static inline LC_ALWAYS_INLINE void
clang_asked (uint64_t begin, bool is_there, uint64_t first, uint64_t end)
{
  struct lc_openmp_place *place = lc_openmp_here ();

  lc_openmp_took (place, begin, is_there, first, end);
  if (!is_there && place != NULL && place->dimensions == 0)
    lc_openmp_end_loop ();
}

#define LOOP(name, type, difference) \
  LC_EXPORT void __kmpc_dispatch_init_##name (void *place, int thread, int schedule, type first, type last, \
                                              difference step, difference chunk) \
  { \
    __typeof__ (__kmpc_dispatch_init_##name) *real = LC_OPENMP_REAL (__kmpc_dispatch_init_##name); \
\
    clang_begin_loop (schedule, __builtin_return_address (0), \
                      lc_openmp_range ((uint64_t)first, (uint64_t)step, step < 0)); \
    if (real != NULL) \
      real (place, thread, schedule, first, last, step, chunk); \
  } \
\
  LC_EXPORT int __kmpc_dispatch_next_##name (void *place, int thread, int *is_last, type *first, type *last, \
                                             difference *step) \
  { \
    __typeof__ (__kmpc_dispatch_next_##name) *real = LC_OPENMP_REAL (__kmpc_dispatch_next_##name); \
    uint64_t begin = lc_now (); \
    int result; \
\
    if (real == NULL) \
      return 0; \
    result = real (place, thread, is_last, first, last, step); \
    clang_asked (begin, result != 0, (uint64_t)*first, (uint64_t)*last + (uint64_t)*step); \
    return result; \
  } \
\
  LC_EXPORT void __kmpc_dispatch_fini_##name (void *place, int thread) \
  { \
    __typeof__ (__kmpc_dispatch_fini_##name) *real = LC_OPENMP_REAL (__kmpc_dispatch_fini_##name); \
\
    clang_end_iteration (place, thread, __builtin_return_address (0)); \
    if (real != NULL) \
      real (place, thread); \
  }

/* --- Single ------------------------------------------------------------------------------------------------ */

LC_EXPORT int
__kmpc_single (void *place, int thread)
{
  __typeof__ (__kmpc_single) *real = LC_OPENMP_REAL (__kmpc_single);
  struct lc_slot *slot = lc_openmp_single_slot (__builtin_return_address (0));
  const struct lc_openmp_arrival none = {0};
  int is_first;

  if (real == NULL)
    return 1;
  is_first = real (place, thread);
  lc_openmp_decided_single (slot, &none, is_first != 0);
  return is_first;
}

/* --- Ordered sections -------------------------------------------------------------------------------------- */

LC_EXPORT void
__kmpc_ordered (void *place, int thread)
{
  __typeof__ (__kmpc_ordered) *real = LC_OPENMP_REAL (__kmpc_ordered);
  struct lc_openmp_turn turn;

  if (real == NULL)
    return;
  turn = lc_openmp_begin_turn (lc_openmp_here ());
  real (place, thread);
  lc_openmp_take_turn (&turn);
}

LC_EXPORT void
__kmpc_end_ordered (void *place, int thread)
{
  __typeof__ (__kmpc_end_ordered) *real = LC_OPENMP_REAL (__kmpc_end_ordered);
  struct lc_openmp_place *here = lc_openmp_here ();

  if (here != NULL && here->ordered != NULL)
    {
      lc_openmp_pass_turn (here);
      here->had_turn = true;
    }
  if (real != NULL)
    real (place, thread);
}

/* An iteration that had no ordered section waits for its turn all the same: else the next would come first. */
static inline LC_ALWAYS_INLINE void
clang_end_iteration (void *place, int thread, const void *caller)
{
  struct lc_openmp_place *here = lc_openmp_here ();
  __typeof__ (__kmpc_ordered) *wait = LC_OPENMP_REAL_FOR (__kmpc_ordered, caller);
  __typeof__ (__kmpc_end_ordered) *pass = LC_OPENMP_REAL_FOR (__kmpc_end_ordered, caller);

  if (here == NULL || here->ordered == NULL || wait == NULL || pass == NULL)
    return;
  if (!here->had_turn)
    {
      struct lc_openmp_turn turn = lc_openmp_begin_turn (here);

      wait (place, thread);
      lc_openmp_take_turn (&turn);
      lc_openmp_pass_turn (here);
      pass (place, thread);
    }
  here->had_turn = false;
}

LOOP (4, int32_t, int32_t)
LOOP (4u, uint32_t, int32_t)
LOOP (8, int64_t, int64_t)
LOOP (8u, uint64_t, int64_t)

/* --- Loops with dependences -------------------------------------------------------------------------------- */

LC_EXPORT void
__kmpc_doacross_init (void *place, int thread, int dimensions, const struct lc_openmp_dimension *bounds)
{
  __typeof__ (__kmpc_doacross_init) *real = LC_OPENMP_REAL (__kmpc_doacross_init);
  struct lc_openmp_place *here = lc_openmp_here ();

  lc_openmp_begin_doacross (here, (unsigned int)dimensions, __builtin_return_address (0));
  for (int i = 0; here != NULL && i < (int)here->dimensions; i++)
    {
      here->bounds[i] = bounds[i];
      lc_openmp_count_indices (
          here, (unsigned int)i,
          lc_openmp_clang_count ((uint64_t)bounds[i].first, (uint64_t)bounds[i].last, bounds[i].step));
    }
  if (real != NULL)
    real (place, thread, dimensions, bounds);
}

LC_EXPORT void
__kmpc_doacross_fini (void *place, int thread)
{
  __typeof__ (__kmpc_doacross_fini) *real = LC_OPENMP_REAL (__kmpc_doacross_fini);

  lc_openmp_end_loop ();
  if (real != NULL)
    real (place, thread);
}

/* False: there is no such iteration, or it is not recorded. */
static bool
clang_count (const struct lc_openmp_place *place, const int64_t *values, uint64_t *at)
{
  return place != NULL && place->ordered != NULL && place->dimensions > 0 &&
         lc_openmp_clang_index (place->bounds, place->counts, place->dimensions, values, at);
}

LC_EXPORT void
__kmpc_doacross_post (void *place, int thread, const int64_t *values)
{
  __typeof__ (__kmpc_doacross_post) *real = LC_OPENMP_REAL (__kmpc_doacross_post);
  uint64_t at[LC_OPENMP_DIMENSIONS];

  if (clang_count (lc_openmp_here (), values, at))
    lc_openmp_posts (at);
  if (real != NULL)
    real (place, thread, values);
}

LC_EXPORT void
__kmpc_doacross_wait (void *place, int thread, const int64_t *values)
{
  __typeof__ (__kmpc_doacross_wait) *real = LC_OPENMP_REAL (__kmpc_doacross_wait);
  struct lc_openmp_wait wait = {0};
  uint64_t at[LC_OPENMP_DIMENSIONS];

  if (real == NULL)
    return;
  if (clang_count (lc_openmp_here (), values, at))
    wait = lc_openmp_awaits (at);
  real (place, thread, values);
  lc_openmp_awaited (&wait);
}

/* --- Waits for variables ----------------------------------------------------------------------------------- */

static void
clang_depend_on (struct lc_openmp_dependences *all, const struct lc_openmp_clang_dependence *dependences, int n)
{
  for (int i = 0; i < n; i++)
    if (lc_openmp_clang_depends (&dependences[i]))
      lc_openmp_depend (all, dependences[i].variable, lc_openmp_clang_writes (&dependences[i]));
}

/* Also before a task that its maker carries out itself. */
LC_EXPORT void
__kmpc_omp_wait_deps (void *place, int thread, int n, const struct lc_openmp_clang_dependence *dependences,
                      int n_unique, const struct lc_openmp_clang_dependence *unique)
{
  __typeof__ (__kmpc_omp_wait_deps) *real = LC_OPENMP_REAL (__kmpc_omp_wait_deps);
  struct lc_openmp_need need = {.thread = lc_openmp_needing ()};

  if (real == NULL)
    return;
  if (need.thread != NULL)
    {
      clang_depend_on (&need.dependences, dependences, n);
      clang_depend_on (&need.dependences, unique, n_unique);
    }
  lc_openmp_begin_need (&need);
  lc_openmp_has_made_task = false;
  real (place, thread, n, dependences, n_unique, unique);
  lc_openmp_end_need (&need);
}

LC_EXPORT int
__kmpc_omp_taskyield (void *place, int thread, int end)
{
  __typeof__ (__kmpc_omp_taskyield) *real = LC_OPENMP_REAL (__kmpc_omp_taskyield);
  int result;

  if (real == NULL)
    return 0;
  lc_openmp_has_made_task = false;
  lc_openmp_is_yielding = true;
  result = real (place, thread, end);
  lc_openmp_is_yielding = false;
  return result;
}

/* --- Loops of tasks ---------------------------------------------------------------------------------------- */

/* The library forgets where it was called. */
#define TASKLOOP(name, parameters, arguments) \
  LC_EXPORT void name parameters \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    const void *outer = lc_openmp_taskloop; \
\
    lc_openmp_taskloop = __builtin_return_address (0); \
    if (real != NULL) \
      real arguments; \
    lc_openmp_taskloop = outer; \
  }

TASKLOOP (__kmpc_taskloop,
          (void *place, int thread, void *task, int condition, uint64_t *first, uint64_t *last, int64_t step,
           int no_group, int schedule, uint64_t size, void *copy),
          (place, thread, task, condition, first, last, step, no_group, schedule, size, copy))
TASKLOOP (__kmpc_taskloop_5,
          (void *place, int thread, void *task, int condition, uint64_t *first, uint64_t *last, int64_t step,
           int no_group, int schedule, uint64_t size, int modifier, void *copy),
          (place, thread, task, condition, first, last, step, no_group, schedule, size, modifier, copy))
