/* SPDX-License-Identifier: Apache-2.0 */
/* The interfaces of gcc's and clang's OpenMP libraries. */
#ifndef LC_RECORD_OPENMP_H
#define LC_RECORD_OPENMP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef unsigned long long lc_ull;
typedef void lc_openmp_routine (void *);
typedef void lc_openmp_copy (void *, void *);
typedef int lc_openmp_entry (int, void *); /* of a task of clang's */
typedef void lc_openmp_reducer (void *, void *);

/* Ways in which clang's library lets a thread add its part of a reduction to the others'. */
enum
{
  LC_OPENMP_REDUCE_HERE = 1, /* it may write the variables */
  LC_OPENMP_REDUCE_ATOMIC = 2,
};

/* The bounds of a loop with dependences, as clang's library is given them. */
struct lc_openmp_dimension
{
  int64_t first, last, step;
};

/* Counts the iterations from the first to the last, both included. */
static inline uint64_t
lc_openmp_clang_count (uint64_t first, uint64_t last, int64_t step)
{
  return step > 0 ? (last - first) / (uint64_t)step + 1 : (first - last) / (0 - (uint64_t)step) + 1;
}

/* Counts an iteration of a loop with dependences from the first one. False: there is no such iteration. */
static inline bool
lc_openmp_clang_index (const struct lc_openmp_dimension *bounds, const uint64_t *counts, uint32_t dimensions,
                       const int64_t *values, uint64_t *at)
{
  for (uint32_t i = 0; i < dimensions; i++)
    {
      if (bounds[i].step > 0 ? values[i] < bounds[i].first : values[i] > bounds[i].first)
        return false;
      at[i] = lc_openmp_clang_count ((uint64_t)bounds[i].first, (uint64_t)values[i], bounds[i].step) - 1;
      if (at[i] >= counts[i])
        return false;
    }
  return true;
}

/* A dependence of a wait, as clang's library is given it. */
struct lc_openmp_clang_dependence
{
  const void *variable;
  size_t size;
  uint8_t kinds; /* 1: in, 2: out */
};

/* The linker's names for the memory of the library that this is in: the recorder, or that of a replay. */
extern const char __ehdr_start[] __attribute__ ((visibility ("hidden")));
extern const char _end[] __attribute__ ((visibility ("hidden")));

/* Tells whether the address is in that library. */
static inline bool
lc_openmp_is_own (const void *address)
{
  return (uintptr_t)address >= (uintptr_t)__ehdr_start && (uintptr_t)address < (uintptr_t)_end;
}

/* Tells whether the path is that of clang's library, or of Intel's, which is the same. One that is a part of the
 * program has no code of its own that calls could be told by. */
static inline bool
lc_openmp_is_clang_library (const char *path)
{
  const char *slash = strrchr (path, '/'), *file = slash != NULL ? slash + 1 : path;

  return strncmp (file, "libomp", strlen ("libomp")) == 0 || strncmp (file, "libiomp", strlen ("libiomp")) == 0;
}

/* Schedules as clang hands them over. */
enum
{
  LC_OPENMP_CLANG_MODIFIERS = 3 << 29,
  LC_OPENMP_CLANG_UNMERGED = 128, /* added to those below */
  LC_OPENMP_CLANG_STATIC_CHUNKED = 33,
  LC_OPENMP_CLANG_STATIC = 34,
  LC_OPENMP_CLANG_DYNAMIC = 35,
  LC_OPENMP_CLANG_RUNTIME = 37,
  LC_OPENMP_CLANG_ORDERED = 32, /* added to those above */
};

/* A schedule of clang's. */
struct lc_openmp_schedule
{
  bool is_ordered;
  bool is_static;  /* each thread knows its chunks */
  bool is_runtime; /* or that is known by omp_get_schedule */
};

static inline struct lc_openmp_schedule
lc_openmp_clang_schedule (int schedule)
{
  struct lc_openmp_schedule result;

  schedule &= ~LC_OPENMP_CLANG_MODIFIERS;
  if (schedule > LC_OPENMP_CLANG_UNMERGED)
    schedule -= LC_OPENMP_CLANG_UNMERGED;
  result.is_ordered = schedule > 2 * LC_OPENMP_CLANG_ORDERED;
  if (result.is_ordered)
    schedule -= LC_OPENMP_CLANG_ORDERED;
  result.is_static = schedule == LC_OPENMP_CLANG_STATIC_CHUNKED || schedule == LC_OPENMP_CLANG_STATIC;
  result.is_runtime = schedule == LC_OPENMP_CLANG_RUNTIME;
  return result;
}

/* Whether that is recorded, and whether it is one to write: `in` is 1, `out` 2, and both may be added. */
static inline bool
lc_openmp_clang_depends (const struct lc_openmp_clang_dependence *dependence)
{
  return dependence->kinds >= 1 && dependence->kinds <= 3;
}

static inline bool
lc_openmp_clang_writes (const struct lc_openmp_clang_dependence *dependence)
{
  return dependence->kinds != 1;
}

/* X (type of the result, name, arguments). */
#define LC_OPENMP_TEAM_FUNCTIONS(X) \
  X (void, GOMP_parallel, (lc_openmp_routine *, void *, unsigned int, unsigned int)) \
  X (unsigned int, GOMP_parallel_reductions, (lc_openmp_routine *, void *, unsigned int, unsigned int)) \
  X (void, GOMP_parallel_sections, (lc_openmp_routine *, void *, unsigned int, unsigned int, unsigned int)) \
  X (void, GOMP_barrier, (void)) \
  X (bool, GOMP_barrier_cancel, (void)) \
  X (void, GOMP_loop_end, (void)) \
  X (bool, GOMP_loop_end_cancel, (void)) \
  X (void, GOMP_loop_end_nowait, (void)) \
  X (unsigned int, GOMP_sections_start, (unsigned int)) \
  X (unsigned int, GOMP_sections2_start, (unsigned int, uintptr_t *, void **)) \
  X (unsigned int, GOMP_sections_next, (void)) \
  X (void, GOMP_sections_end_nowait, (void)) \
  X (void, GOMP_sections_end, (void)) \
  X (bool, GOMP_sections_end_cancel, (void)) \
  X (void *, GOMP_single_copy_start, (void)) \
  X (void, GOMP_single_copy_end, (void *)) \
  X (bool, GOMP_single_start, (void))

#define LC_OPENMP_LOCK_FUNCTIONS(X) \
  X (void, GOMP_critical_start, (void)) \
  X (void, GOMP_critical_end, (void)) \
  X (void, GOMP_critical_name_start, (void **)) \
  X (void, GOMP_critical_name_end, (void **)) \
  X (void, GOMP_atomic_start, (void)) \
  X (void, GOMP_atomic_end, (void)) \
  X (void, omp_init_lock, (void *)) \
  X (void, omp_init_nest_lock, (void *)) \
  X (void, omp_destroy_lock, (void *)) \
  X (void, omp_destroy_nest_lock, (void *)) \
  X (void, omp_set_lock, (void *)) \
  X (void, omp_set_nest_lock, (void *)) \
  X (void, omp_unset_lock, (void *)) \
  X (void, omp_unset_nest_lock, (void *)) \
  X (int, omp_test_lock, (void *)) \
  X (int, omp_test_nest_lock, (void *)) \
  X (void, omp_init_lock_, (void *)) \
  X (void, omp_init_nest_lock_, (void *)) \
  X (void, omp_destroy_lock_, (void *)) \
  X (void, omp_destroy_nest_lock_, (void *)) \
  X (void, omp_set_lock_, (void *)) \
  X (void, omp_set_nest_lock_, (void *)) \
  X (void, omp_unset_lock_, (void *)) \
  X (void, omp_unset_nest_lock_, (void *)) \
  X (int, omp_test_lock_, (void *)) \
  X (int, omp_test_nest_lock_, (void *))

/* X (name, a chunk's size is given). Loops whose chunks are handed out to who comes. */
#define LC_OPENMP_LOOPS(X) \
  X (dynamic, 1) \
  X (guided, 1) \
  X (runtime, 0) \
  X (nonmonotonic_dynamic, 1) \
  X (nonmonotonic_guided, 1) \
  X (nonmonotonic_runtime, 0) \
  X (maybe_nonmonotonic_runtime, 0)

/* X (name, a chunk's size is given, chunks are handed out). */
#define LC_OPENMP_ORDERED_LOOPS(X) \
  X (ordered_static, 1, 0) \
  X (ordered_dynamic, 1, 1) \
  X (ordered_guided, 1, 1) \
  X (ordered_runtime, 0, 1)

#define LC_OPENMP_DOACROSS_LOOPS(X) \
  X (static, 1, 0) \
  X (dynamic, 1, 1) \
  X (guided, 1, 1) \
  X (runtime, 0, 1)

#define LC_OPENMP_IF_0(...)
#define LC_OPENMP_IF_1(...) __VA_ARGS__

#define LC_OPENMP_LOOP_PROTOTYPES(X, name, chunk) \
  X (bool, GOMP_loop_##name##_start, (long, long, long, LC_OPENMP_IF_##chunk (long, ) long *, long *)) \
  X (bool, GOMP_loop_##name##_next, (long *, long *)) \
  X (bool, GOMP_loop_ull_##name##_start, \
     (bool, lc_ull, lc_ull, lc_ull, LC_OPENMP_IF_##chunk (lc_ull, ) lc_ull *, lc_ull *)) \
  X (bool, GOMP_loop_ull_##name##_next, (lc_ull *, lc_ull *))

#define LC_OPENMP_PARALLEL_PROTOTYPE(X, name, chunk) \
  X (void, GOMP_parallel_loop_##name, \
     (lc_openmp_routine *, void *, unsigned int, long, long, long, LC_OPENMP_IF_##chunk (long, ) unsigned int))

#define LC_OPENMP_DOACROSS_PROTOTYPES(X, name, chunk) \
  X (bool, GOMP_loop_doacross_##name##_start, (unsigned int, long *, LC_OPENMP_IF_##chunk (long, ) long *, long *)) \
  X (bool, GOMP_loop_ull_doacross_##name##_start, \
     (unsigned int, lc_ull *, LC_OPENMP_IF_##chunk (lc_ull, ) lc_ull *, lc_ull *))

#define LC_OPENMP_LOOP_FUNCTIONS(X) \
  LC_OPENMP_LOOP_PROTOTYPES (X, dynamic, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, guided, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, runtime, 0) \
  LC_OPENMP_LOOP_PROTOTYPES (X, nonmonotonic_dynamic, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, nonmonotonic_guided, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, nonmonotonic_runtime, 0) \
  LC_OPENMP_LOOP_PROTOTYPES (X, maybe_nonmonotonic_runtime, 0) \
  LC_OPENMP_LOOP_PROTOTYPES (X, ordered_static, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, ordered_dynamic, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, ordered_guided, 1) \
  LC_OPENMP_LOOP_PROTOTYPES (X, ordered_runtime, 0) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, static, 1) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, dynamic, 1) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, guided, 1) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, runtime, 0) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, nonmonotonic_dynamic, 1) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, nonmonotonic_guided, 1) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, nonmonotonic_runtime, 0) \
  LC_OPENMP_PARALLEL_PROTOTYPE (X, maybe_nonmonotonic_runtime, 0) \
  LC_OPENMP_DOACROSS_PROTOTYPES (X, static, 1) \
  LC_OPENMP_DOACROSS_PROTOTYPES (X, dynamic, 1) \
  LC_OPENMP_DOACROSS_PROTOTYPES (X, guided, 1) \
  LC_OPENMP_DOACROSS_PROTOTYPES (X, runtime, 0) \
  X (bool, GOMP_loop_start, (long, long, long, long, long, long *, long *, uintptr_t *, void **)) \
  X (bool, GOMP_loop_ordered_start, (long, long, long, long, long, long *, long *, uintptr_t *, void **)) \
  X (bool, GOMP_loop_ull_start, \
     (bool, lc_ull, lc_ull, lc_ull, long, lc_ull, lc_ull *, lc_ull *, uintptr_t *, void **)) \
  X (bool, GOMP_loop_ull_ordered_start, \
     (bool, lc_ull, lc_ull, lc_ull, long, lc_ull, lc_ull *, lc_ull *, uintptr_t *, void **)) \
  X (bool, GOMP_loop_doacross_start, (unsigned int, long *, long, long, long *, long *, uintptr_t *, void **)) \
  X (bool, GOMP_loop_ull_doacross_start, \
     (unsigned int, lc_ull *, long, lc_ull, lc_ull *, lc_ull *, uintptr_t *, void **)) \
  X (void, GOMP_ordered_start, (void)) \
  X (void, GOMP_doacross_post, (long *)) \
  X (void, GOMP_doacross_wait, (long, ...)) \
  X (void, GOMP_doacross_ull_post, (lc_ull *)) \
  X (void, GOMP_doacross_ull_wait, (lc_ull, ...))

#define LC_OPENMP_TASK_FUNCTIONS(X) \
  X (void, GOMP_task, \
     (lc_openmp_routine *, void *, lc_openmp_copy *, long, long, bool, unsigned int, void **, int, void *)) \
  X (void, GOMP_taskloop, \
     (lc_openmp_routine *, void *, lc_openmp_copy *, long, long, unsigned int, unsigned long, int, long, long, long)) \
  X (void, GOMP_taskloop_ull, \
     (lc_openmp_routine *, void *, lc_openmp_copy *, long, long, unsigned int, unsigned long, int, lc_ull, lc_ull, \
      lc_ull)) \
  X (void, GOMP_taskwait, (void)) \
  X (void, GOMP_taskwait_depend, (void **)) \
  X (void, GOMP_taskgroup_start, (void)) \
  X (void, GOMP_taskgroup_end, (void)) \
  X (void, omp_fulfill_event, (uintptr_t))

/* The interface of clang's library. */
#define LC_OPENMP_CLANG_LOOP(X, name, type, difference) \
  X (void, __kmpc_dispatch_init_##name, (void *, int, int, type, type, difference, difference)) \
  X (int, __kmpc_dispatch_next_##name, (void *, int, int *, type *, type *, difference *)) \
  X (void, __kmpc_dispatch_fini_##name, (void *, int))

#define LC_OPENMP_CLANG_FUNCTIONS(X) \
  LC_OPENMP_CLANG_LOOP (X, 4, int32_t, int32_t) \
  LC_OPENMP_CLANG_LOOP (X, 4u, uint32_t, int32_t) \
  LC_OPENMP_CLANG_LOOP (X, 8, int64_t, int64_t) \
  LC_OPENMP_CLANG_LOOP (X, 8u, uint64_t, int64_t) \
  X (void, __kmpc_critical, (void *, int, void *)) \
  X (void, __kmpc_critical_with_hint, (void *, int, void *, uint32_t)) \
  X (void, __kmpc_end_critical, (void *, int, void *)) \
  X (int, __kmpc_reduce, (void *, int, int, size_t, void *, lc_openmp_reducer *, void *)) \
  X (int, __kmpc_reduce_nowait, (void *, int, int, size_t, void *, lc_openmp_reducer *, void *)) \
  X (void, __kmpc_end_reduce, (void *, int, void *)) \
  X (void, __kmpc_end_reduce_nowait, (void *, int, void *)) \
  X (int, __kmpc_single, (void *, int)) \
  X (int, __kmpc_omp_taskyield, (void *, int, int)) \
  X (void, __kmpc_ordered, (void *, int)) \
  X (void, __kmpc_end_ordered, (void *, int)) \
  X (void, __kmpc_doacross_init, (void *, int, int, const struct lc_openmp_dimension *)) \
  X (void, __kmpc_doacross_fini, (void *, int)) \
  X (void, __kmpc_doacross_post, (void *, int, const int64_t *)) \
  X (void, __kmpc_doacross_wait, (void *, int, const int64_t *)) \
  X (void, __kmpc_omp_wait_deps, \
     (void *, int, int, const struct lc_openmp_clang_dependence *, int, const struct lc_openmp_clang_dependence *)) \
  X (void, __kmpc_taskloop, (void *, int, void *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, void *)) \
  X (void, __kmpc_taskloop_5, \
     (void *, int, void *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, int, void *))

#define LC_OPENMP_FUNCTIONS(X) \
  LC_OPENMP_TEAM_FUNCTIONS (X) \
  LC_OPENMP_LOCK_FUNCTIONS (X) \
  LC_OPENMP_LOOP_FUNCTIONS (X) \
  LC_OPENMP_TASK_FUNCTIONS (X) \
  LC_OPENMP_CLANG_FUNCTIONS (X)

/* Called, but not wrapped. */
#define LC_OPENMP_QUESTIONS(X) \
  X (int, omp_get_num_threads, (void)) \
  X (void, __kmpc_fork_call, (void *, int, const void *, ...)) \
  X (void, omp_get_schedule, (int *, int *))

enum lc_openmp_function
{
#define X(type, name, arguments) LC_OPENMP_##name,
  LC_OPENMP_FUNCTIONS (X) LC_OPENMP_QUESTIONS (X)
#undef X
      LC_OPENMP_FUNCTION_COUNT
};

#define X(type, name, arguments) type name arguments;
LC_OPENMP_FUNCTIONS (X)
LC_OPENMP_QUESTIONS (X)
#undef X

#endif
