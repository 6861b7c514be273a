/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: loops that hand out chunks, ordered sections, and loops with dependences. */
#include "real.h"
#include "wrap-openmp-loops.h"

/* --- Chunks ------------------------------------------------------------------------------------------------ */

#define LOOP(name, chunk) \
  LC_EXPORT bool GOMP_loop_##name##_start (long start, long end, long increment, \
                                           LC_OPENMP_IF_##chunk (long size, ) long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    lc_openmp_begin_loop (place, chunk, __builtin_return_address (0), \
                          lc_openmp_range ((uint64_t)start, (uint64_t)increment, increment < 0)); \
    begin = lc_now (); \
    result = real (start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_##name##_next (long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_##name##_next); \
    uint64_t begin = lc_now (); \
    bool result; \
\
    if (real == NULL) \
      return false; \
    result = real (first, last); \
    lc_openmp_took (lc_openmp_here (), begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_start (bool up, lc_ull start, lc_ull end, lc_ull increment, \
                                               LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    lc_openmp_begin_loop (place, chunk, __builtin_return_address (0), lc_openmp_range (start, increment, !up)); \
    begin = lc_now (); \
    result = real (up, start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, *first, *last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_next (lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_next); \
    uint64_t begin = lc_now (); \
    bool result; \
\
    if (real == NULL) \
      return false; \
    result = real (first, last); \
    lc_openmp_took (lc_openmp_here (), begin, result, *first, *last); \
    return result; \
  }

LC_OPENMP_LOOPS (LOOP)

/* The region is the loop. `hands_out` is 0 where each thread knows its chunks. */
#define PARALLEL_LOOP(name, chunk, hands_out) \
  LC_EXPORT void GOMP_parallel_loop_##name (lc_openmp_routine *routine, void *argument, unsigned int threads, \
                                            long start, long end, long increment, \
                                            LC_OPENMP_IF_##chunk (long size, ) unsigned int flags) \
  { \
    __typeof__ (GOMP_parallel_loop_##name) *real = LC_OPENMP_REAL (GOMP_parallel_loop_##name); \
    struct lc_openmp_team team = {0}; \
\
    if (real == NULL) \
      return; \
    if (!lc_openmp_fork (&team, routine, argument)) \
      { \
        real (routine, argument, threads, start, end, increment, LC_OPENMP_IF_##chunk (size, ) flags); \
        return; \
      } \
    team.is_loop = (hands_out) && lc_openmp_hands_out (chunk, __builtin_return_address (0)); \
    team.range = lc_openmp_range ((uint64_t)start, (uint64_t)increment, increment < 0); \
    real (lc_openmp_run, &team, threads, start, end, increment, LC_OPENMP_IF_##chunk (size, ) flags); \
    lc_openmp_join (&team); \
  }

PARALLEL_LOOP (static, 1, 0)
#define X(name, chunk) PARALLEL_LOOP (name, chunk, 1)
LC_OPENMP_LOOPS (X)
#undef X

/* --- Sections ---------------------------------------------------------------------------------------------- */

/* Sections are handed out as chunks of a single iteration are. */
#define SECTIONS(name, parameters, arguments) \
  LC_EXPORT unsigned int name parameters \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    unsigned int section; \
    uint64_t begin; \
\
    if (real == NULL) \
      return 0; \
    lc_openmp_begin_loop (place, true, __builtin_return_address (0), (struct lc_openmp_range){0}); \
    begin = lc_now (); \
    section = real arguments; \
    lc_openmp_asked (place, begin, section != 0, section); \
    return section; \
  }

SECTIONS (GOMP_sections_start, (unsigned int count), (count))
SECTIONS (GOMP_sections2_start, (unsigned int count, uintptr_t *reductions, void **memory), (count, reductions, memory))

LC_EXPORT unsigned int
GOMP_sections_next (void)
{
  __typeof__ (GOMP_sections_next) *real = LC_OPENMP_REAL (GOMP_sections_next);
  uint64_t begin = lc_now ();
  unsigned int section;

  if (real == NULL)
    return 0;
  section = real ();
  lc_openmp_asked (lc_openmp_here (), begin, section != 0, section);
  return section;
}

/* --- Ordered sections -------------------------------------------------------------------------------------- */

LC_EXPORT void
GOMP_ordered_start (void)
{
  __typeof__ (GOMP_ordered_start) *real = LC_OPENMP_REAL (GOMP_ordered_start);
  struct lc_openmp_turn turn;

  if (real == NULL)
    return;
  turn = lc_openmp_begin_turn (lc_openmp_here ());
  real ();
  lc_openmp_take_turn (&turn);
}

/*
 * libgomp gives the turn to the next chunk when the thread asks for another one, not at the end of a section. The
 * thread gives the turn up, having waited for it even if the chunk had no ordered section: else the next would come
 * first.
 */
static inline LC_ALWAYS_INLINE void
openmp_end_chunk (struct lc_openmp_place *place, const void *caller)
{
  __typeof__ (GOMP_ordered_start) *wait = LC_OPENMP_REAL_FOR (GOMP_ordered_start, caller);

  if (place == NULL || place->ordered == NULL || wait == NULL)
    return;
  if (!place->has_turn)
    {
      struct lc_openmp_turn turn = lc_openmp_begin_turn (place);

      wait ();
      lc_openmp_take_turn (&turn);
    }
  lc_openmp_pass_turn (place);
}

/* Begins a loop with ordered sections. Each thread of one with a static schedule knows its chunks. */
static inline LC_ALWAYS_INLINE void
openmp_begin_in_order (struct lc_openmp_place *place, bool hands_out, bool chunk_is_given, const void *caller,
                       struct lc_openmp_range range)
{
  lc_openmp_begin_ordered (place, caller);
  if (hands_out)
    lc_openmp_begin_loop (place, chunk_is_given, caller, range);
  else if (place != NULL)
    place->loop = NULL;
}

#define ORDERED_LOOP(name, chunk, hands_out) \
  LC_EXPORT bool GOMP_loop_##name##_start (long start, long end, long increment, \
                                           LC_OPENMP_IF_##chunk (long size, ) long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    openmp_begin_in_order (place, hands_out, chunk, __builtin_return_address (0), \
                           lc_openmp_range ((uint64_t)start, (uint64_t)increment, increment < 0)); \
    begin = lc_now (); \
    result = real (start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_##name##_next (long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_##name##_next); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    openmp_end_chunk (place, __builtin_return_address (0)); \
    begin = lc_now (); \
    result = real (first, last); \
    lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_start (bool up, lc_ull start, lc_ull end, lc_ull increment, \
                                               LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    openmp_begin_in_order (place, hands_out, chunk, __builtin_return_address (0), \
                           lc_openmp_range (start, increment, !up)); \
    begin = lc_now (); \
    result = real (up, start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, *first, *last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_next (lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_next); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    openmp_end_chunk (place, __builtin_return_address (0)); \
    begin = lc_now (); \
    result = real (first, last); \
    lc_openmp_took (place, begin, result, *first, *last); \
    return result; \
  }

LC_OPENMP_ORDERED_LOOPS (ORDERED_LOOP)

/* --- Loops with reductions by tasks, or memory of their own -------------------------------------------------- */

/* Kinds of schedules in these calls, but for a bit that does not matter here. */
enum
{
  SCHEDULE_RUNTIME = 0,
  SCHEDULE_DYNAMIC = 2,
  SCHEDULE_GUIDED = 3,
};

static void
openmp_begin_any_loop (struct lc_openmp_place *place, long schedule, const void *caller, struct lc_openmp_range range)
{
  schedule &= LC_OPENMP_SCHEDULES;
  if (schedule == SCHEDULE_RUNTIME || schedule == SCHEDULE_DYNAMIC || schedule == SCHEDULE_GUIDED)
    lc_openmp_begin_loop (place, schedule != SCHEDULE_RUNTIME, caller, range);
  else if (place != NULL)
    place->loop = NULL;
}

/* Without a place for its bounds, no chunk is handed out. */
#define ANY_LOOP(name, parameters, arguments, range, before) \
  LC_EXPORT bool name parameters \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    before; \
    if (first != NULL) \
      openmp_begin_any_loop (place, schedule, __builtin_return_address (0), range); \
    begin = lc_now (); \
    result = real arguments; \
    if (first != NULL) \
      lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  }

#define IN_ORDER lc_openmp_begin_ordered (place, __builtin_return_address (0))
#define SIGNED_PARAMETERS \
  (long start, long end, long increment, long schedule, long size, long *first, long *last, uintptr_t *reductions, \
   void **memory)
#define UNSIGNED_PARAMETERS \
  (bool up, lc_ull start, lc_ull end, lc_ull increment, long schedule, lc_ull size, lc_ull *first, lc_ull *last, \
   uintptr_t *reductions, void **memory)
#define SIGNED_ARGUMENTS (start, end, increment, schedule, size, first, last, reductions, memory)
#define UNSIGNED_ARGUMENTS (up, start, end, increment, schedule, size, first, last, reductions, memory)
#define SIGNED_RANGE lc_openmp_range ((uint64_t)start, (uint64_t)increment, increment < 0)
#define UNSIGNED_RANGE lc_openmp_range (start, increment, !up)

ANY_LOOP (GOMP_loop_start, SIGNED_PARAMETERS, SIGNED_ARGUMENTS, SIGNED_RANGE, )
ANY_LOOP (GOMP_loop_ull_start, UNSIGNED_PARAMETERS, UNSIGNED_ARGUMENTS, UNSIGNED_RANGE, )
ANY_LOOP (GOMP_loop_ordered_start, SIGNED_PARAMETERS, SIGNED_ARGUMENTS, SIGNED_RANGE, IN_ORDER)
ANY_LOOP (GOMP_loop_ull_ordered_start, UNSIGNED_PARAMETERS, UNSIGNED_ARGUMENTS, UNSIGNED_RANGE, IN_ORDER)

/* --- Loops with dependences -------------------------------------------------------------------------------- */

#define DOACROSS_LOOP(name, chunk, hands_out) \
  LC_EXPORT bool GOMP_loop_doacross_##name##_start (unsigned int dimensions, long *counts, \
                                                    LC_OPENMP_IF_##chunk (long size, ) long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_doacross_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_doacross_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    lc_openmp_begin_doacross (place, dimensions, __builtin_return_address (0)); \
    for (unsigned int i = 0; i < dimensions; i++) \
      lc_openmp_count_indices (place, i, (uint64_t)counts[i]); \
    if (hands_out) \
      lc_openmp_begin_loop (place, chunk, __builtin_return_address (0), lc_openmp_range (0, 1, false)); \
    begin = lc_now (); \
    result = real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_doacross_##name##_start ( \
      unsigned int dimensions, lc_ull *counts, LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_doacross_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_ull_doacross_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    lc_openmp_begin_doacross (place, dimensions, __builtin_return_address (0)); \
    for (unsigned int i = 0; i < dimensions; i++) \
      lc_openmp_count_indices (place, i, counts[i]); \
    if (hands_out) \
      lc_openmp_begin_loop (place, chunk, __builtin_return_address (0), lc_openmp_range (0, 1, false)); \
    begin = lc_now (); \
    result = real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last); \
    lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  }

LC_OPENMP_DOACROSS_LOOPS (DOACROSS_LOOP)

#define ANY_DOACROSS_LOOP(name, type) \
  LC_EXPORT bool name (unsigned int dimensions, type *counts, long schedule, type size, type *first, type *last, \
                       uintptr_t *reductions, void **memory) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    struct lc_openmp_place *place = lc_openmp_here (); \
    uint64_t begin; \
    bool result; \
\
    if (real == NULL) \
      return false; \
    lc_openmp_begin_doacross (place, dimensions, __builtin_return_address (0)); \
    for (unsigned int i = 0; i < dimensions; i++) \
      lc_openmp_count_indices (place, i, (uint64_t)counts[i]); \
    if (first != NULL) \
      openmp_begin_any_loop (place, schedule, __builtin_return_address (0), lc_openmp_range (0, 1, false)); \
    begin = lc_now (); \
    result = real (dimensions, counts, schedule, size, first, last, reductions, memory); \
    if (first != NULL) \
      lc_openmp_took (place, begin, result, (uint64_t)*first, (uint64_t)*last); \
    return result; \
  }

ANY_DOACROSS_LOOP (GOMP_loop_doacross_start, long)
ANY_DOACROSS_LOOP (GOMP_loop_ull_doacross_start, lc_ull)

LC_EXPORT void
GOMP_doacross_post (long *at)
{
  __typeof__ (GOMP_doacross_post) *real = LC_OPENMP_REAL (GOMP_doacross_post);

  lc_openmp_posts ((const uint64_t *)(const void *)at);
  if (real != NULL)
    real (at);
}

LC_EXPORT void
GOMP_doacross_ull_post (lc_ull *at)
{
  __typeof__ (GOMP_doacross_ull_post) *real = LC_OPENMP_REAL (GOMP_doacross_ull_post);

  lc_openmp_posts ((const uint64_t *)(const void *)at);
  if (real != NULL)
    real (at);
}

/* How many there are is known from the loop's start. What is too many does no harm, and is not looked at. */
#define AWAIT(name, type) \
  LC_EXPORT void name (type first, ...) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    uint64_t at[LC_OPENMP_DIMENSIONS] = {(uint64_t)first}; \
    struct lc_openmp_wait wait; \
    va_list rest; \
\
    va_start (rest, first); \
    for (int i = 1; i < LC_OPENMP_DIMENSIONS; i++) \
      at[i] = (uint64_t)va_arg (rest, type); \
    va_end (rest); \
    if (real == NULL) \
      return; \
    wait = lc_openmp_awaits (at); \
    real ((type)at[0], (type)at[1], (type)at[2], (type)at[3], (type)at[4], (type)at[5], (type)at[6], (type)at[7], \
          (type)at[8], (type)at[9], (type)at[10], (type)at[11], (type)at[12], (type)at[13], (type)at[14], \
          (type)at[15]); \
    lc_openmp_awaited (&wait); \
  }

AWAIT (GOMP_doacross_wait, long)
AWAIT (GOMP_doacross_ull_wait, lc_ull)
