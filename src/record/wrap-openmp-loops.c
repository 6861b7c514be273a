/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs of gcc: loops that hand out chunks, ordered sections, and loops with dependences. */
#include "real.h"
#include "wrap-openmp.h"

enum
{
  MOST_DIMENSIONS = 16,
  SCHEDULE_STATIC = 1,
  SCHEDULE_MASK = 0x7FFFFFFF,
};

/* --- Chunks ------------------------------------------------------------------------------------------------ */

/* Tells whether who comes takes the next chunk. */
static bool
openmp_hands_out (bool chunk_is_given, const void *caller)
{
  __typeof__ (omp_get_schedule) *get_schedule;
  int kind = 0, chunk;

  if (chunk_is_given)
    return true;
  get_schedule = LC_OPENMP_REAL_FOR (omp_get_schedule, caller);
  if (get_schedule != NULL)
    get_schedule (&kind, &chunk);
  return (kind & SCHEDULE_MASK) != SCHEDULE_STATIC;
}

/* Begins a loop that has its chunks from the call at this address. */
static void
openmp_begin_loop (struct lc_openmp_place *place, bool chunk_is_given, const void *caller)
{
  struct lc_thread *thread = place != NULL ? lc_enter (LC_CLASS_TEAM) : NULL;

  if (place != NULL)
    place->loop = thread != NULL && openmp_hands_out (chunk_is_given, caller)
                      ? lc_object (thread, caller, LC_CLASS_TEAM, LC_KIND_OPENMP)
                      : NULL;
}

/* Records that the calling thread has asked for a chunk, and how many iterations it got. */
static inline LC_ALWAYS_INLINE void
openmp_asked (const struct lc_openmp_place *place, uint64_t begin, uint64_t iterations)
{
  struct lc_thread *thread = place != NULL && place->loop != NULL ? lc_enter (LC_CLASS_TEAM) : NULL;

  if (thread != NULL)
    lc_append (thread, LC_CHUNK, place->loop->id, 0,
               lc_word (__atomic_fetch_add (&place->loop->sequence, 1, __ATOMIC_RELAXED), iterations), begin,
               lc_now_after ());
}

static inline uint64_t
openmp_span (bool is_there, uint64_t first, uint64_t end)
{
  return is_there ? (first < end ? end - first : first - end) : 0;
}

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
    openmp_begin_loop (place, chunk, __builtin_return_address (0)); \
    begin = lc_now (); \
    result = real (start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    openmp_asked (place, begin, openmp_span (result, (uint64_t)*first, (uint64_t)*last)); \
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
    openmp_asked (lc_openmp_here (), begin, openmp_span (result, (uint64_t)*first, (uint64_t)*last)); \
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
    openmp_begin_loop (place, chunk, __builtin_return_address (0)); \
    begin = lc_now (); \
    result = real (up, start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
    openmp_asked (place, begin, openmp_span (result, *first, *last)); \
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
    openmp_asked (lc_openmp_here (), begin, openmp_span (result, *first, *last)); \
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
    team.is_loop = (hands_out) && openmp_hands_out (chunk, __builtin_return_address (0)); \
    real (lc_openmp_run, &team, threads, start, end, increment, LC_OPENMP_IF_##chunk (size, ) flags); \
    lc_openmp_join (&team); \
  }

PARALLEL_LOOP (static, 1, 0)
#define X(name, chunk) PARALLEL_LOOP (name, chunk, 1)
LC_OPENMP_LOOPS (X)
#undef X

/* --- Ordered sections -------------------------------------------------------------------------------------- */

/* Begins a loop whose chunks, or indices, come one after another. */
static void
openmp_begin_ordered (struct lc_openmp_place *place, const void *caller)
{
  struct lc_thread *thread = place != NULL ? lc_enter (LC_CLASS_ADVANCE) : NULL;

  if (place == NULL)
    return;
  place->has_turn = false;
  place->ordered = thread != NULL ? lc_object (thread, caller, LC_CLASS_ADVANCE, LC_KIND_OPENMP) : NULL;
}

/*
 * libgomp gives the turn to the next chunk when the thread asks for another one, not at the end of a section. Turns are
 * numbered by who has them; the first of all follows none. The slot's `extra` is when the turn was passed on.
 */
static inline LC_ALWAYS_INLINE void
openmp_take_turn (struct lc_openmp_place *place, void (*wait) (void))
{
  struct lc_thread *thread =
      place != NULL && place->ordered != NULL && !place->has_turn ? lc_enter (LC_CLASS_ADVANCE) : NULL;
  struct lc_slot *slot;
  uint64_t begin;

  if (thread == NULL)
    {
      wait ();
      return;
    }
  slot = place->ordered;
  begin = lc_now ();
  lc_block (thread, LC_AWAIT, slot->id, 0, begin);
  wait ();
  lc_unblock (thread);
  place->has_turn = true;
  if (slot->sequence > 0)
    lc_append (
        thread, LC_AWAIT, slot->id,
        (uint8_t)((slot->extra > begin ? LC_EVENT_CONTENDED : 0) | (place->team->is_alone ? 0 : LC_EVENT_UNKNOWN)),
        lc_word (slot->sequence, 0), begin, lc_now_after ());
  thread->waiting_site = 0;
}

static inline LC_ALWAYS_INLINE void
openmp_pass_turn (struct lc_openmp_place *place)
{
  struct lc_thread *thread = place->has_turn ? lc_enter (LC_CLASS_ADVANCE) : NULL;
  uint64_t now;

  place->has_turn = false;
  if (thread == NULL)
    return;
  now = lc_now ();
  place->ordered->extra = now;
  lc_append (thread, LC_ADVANCE, place->ordered->id, 0, lc_word (++place->ordered->sequence, 0), now, now);
}

LC_EXPORT void
GOMP_ordered_start (void)
{
  __typeof__ (GOMP_ordered_start) *real = LC_OPENMP_REAL (GOMP_ordered_start);

  if (real != NULL)
    openmp_take_turn (lc_openmp_here (), real);
}

/* Gives the turn up, having waited for it even if the chunk had no ordered section: else the next would come first. */
static inline LC_ALWAYS_INLINE void
openmp_end_chunk (struct lc_openmp_place *place, const void *caller)
{
  __typeof__ (GOMP_ordered_start) *wait = LC_OPENMP_REAL_FOR (GOMP_ordered_start, caller);

  if (place == NULL || place->ordered == NULL || wait == NULL)
    return;
  if (!place->has_turn)
    openmp_take_turn (place, wait);
  openmp_pass_turn (place);
}

#define ORDERED_LOOP(name, chunk) \
  LC_EXPORT bool GOMP_loop_##name##_start (long start, long end, long increment, \
                                           LC_OPENMP_IF_##chunk (long size, ) long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_##name##_start); \
\
    if (real == NULL) \
      return false; \
    openmp_begin_ordered (lc_openmp_here (), __builtin_return_address (0)); \
    return real (start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
  } \
\
  LC_EXPORT bool GOMP_loop_##name##_next (long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_##name##_next); \
\
    if (real == NULL) \
      return false; \
    openmp_end_chunk (lc_openmp_here (), __builtin_return_address (0)); \
    return real (first, last); \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_start (bool up, lc_ull start, lc_ull end, lc_ull increment, \
                                               LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_start); \
\
    if (real == NULL) \
      return false; \
    openmp_begin_ordered (lc_openmp_here (), __builtin_return_address (0)); \
    return real (up, start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last); \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_##name##_next (lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_##name##_next) *real = LC_OPENMP_REAL (GOMP_loop_ull_##name##_next); \
\
    if (real == NULL) \
      return false; \
    openmp_end_chunk (lc_openmp_here (), __builtin_return_address (0)); \
    return real (first, last); \
  }

LC_OPENMP_ORDERED_LOOPS (ORDERED_LOOP)

/* --- Loops with dependences -------------------------------------------------------------------------------- */

/*
 * Begins a loop with so many iterations in each dimension. The indices of loops that a team carries out one after the
 * other follow one another, as do those of teams: all threads count them alike.
 */
static void
openmp_begin_doacross (struct lc_openmp_place *place, unsigned int dimensions, const void *caller)
{
  openmp_begin_ordered (place, caller);
  if (place == NULL)
    return;
  place->loop = NULL;
  place->dimensions = dimensions <= MOST_DIMENSIONS ? dimensions : 0;
  place->indices = place->dimensions > 0 ? 1 : 0;
}

static void
openmp_count_indices (struct lc_openmp_place *place, unsigned int dimension, uint64_t count)
{
  if (place == NULL || dimension >= place->dimensions)
    return;
  place->counts[dimension] = count;
  place->indices *= count;
}

#define DOACROSS_LOOP(name, chunk) \
  LC_EXPORT bool GOMP_loop_doacross_##name##_start (unsigned int dimensions, long *counts, \
                                                    LC_OPENMP_IF_##chunk (long size, ) long *first, long *last) \
  { \
    __typeof__ (GOMP_loop_doacross_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_doacross_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
\
    if (real == NULL) \
      return false; \
    openmp_begin_doacross (place, dimensions, __builtin_return_address (0)); \
    for (unsigned int i = 0; i < dimensions; i++) \
      openmp_count_indices (place, i, (uint64_t)counts[i]); \
    return real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last); \
  } \
\
  LC_EXPORT bool GOMP_loop_ull_doacross_##name##_start ( \
      unsigned int dimensions, lc_ull *counts, LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last) \
  { \
    __typeof__ (GOMP_loop_ull_doacross_##name##_start) *real = LC_OPENMP_REAL (GOMP_loop_ull_doacross_##name##_start); \
    struct lc_openmp_place *place = lc_openmp_here (); \
\
    if (real == NULL) \
      return false; \
    openmp_begin_doacross (place, dimensions, __builtin_return_address (0)); \
    for (unsigned int i = 0; i < dimensions; i++) \
      openmp_count_indices (place, i, counts[i]); \
    return real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last); \
  }

LC_OPENMP_DOACROSS_LOOPS (DOACROSS_LOOP)

/* Returns the calling thread if it is in a recorded loop with dependences. */
static inline struct lc_thread *
openmp_doacross_thread (const struct lc_openmp_place *place)
{
  return place != NULL && place->ordered != NULL && place->dimensions > 0 ? lc_enter (LC_CLASS_ADVANCE) : NULL;
}

static uint64_t
openmp_index (const struct lc_openmp_place *place, const uint64_t *at)
{
  uint64_t index = 0;

  for (uint32_t i = 0; i < place->dimensions; i++)
    index = index * place->counts[i] + at[i];
  return place->team->first_index + place->first_index + index;
}

static inline LC_ALWAYS_INLINE void
openmp_posts (const uint64_t *at)
{
  struct lc_openmp_place *place = lc_openmp_here ();
  struct lc_thread *thread = openmp_doacross_thread (place);
  uint64_t now;

  if (thread == NULL)
    return;
  now = lc_now ();
  lc_append (thread, LC_ADVANCE, place->ordered->id, 0, lc_word (openmp_index (place, at), 0), now, now);
}

LC_EXPORT void
GOMP_doacross_post (long *at)
{
  __typeof__ (GOMP_doacross_post) *real = LC_OPENMP_REAL (GOMP_doacross_post);

  openmp_posts ((const uint64_t *)(const void *)at);
  if (real != NULL)
    real (at);
}

LC_EXPORT void
GOMP_doacross_ull_post (lc_ull *at)
{
  __typeof__ (GOMP_doacross_ull_post) *real = LC_OPENMP_REAL (GOMP_doacross_ull_post);

  openmp_posts ((const uint64_t *)(const void *)at);
  if (real != NULL)
    real (at);
}

/* A wait is written when it is over; its stack is found before. */
struct openmp_wait
{
  struct lc_thread *thread;
  struct lc_openmp_place *place;
  uint64_t sequence;
  uint64_t begin;
};

static inline LC_ALWAYS_INLINE struct openmp_wait
openmp_awaits (const uint64_t *at)
{
  struct openmp_wait wait = {.place = lc_openmp_here ()};

  wait.thread = openmp_doacross_thread (wait.place);
  if (wait.thread == NULL)
    return wait;
  wait.sequence = openmp_index (wait.place, at);
  wait.begin = lc_now ();
  lc_block (wait.thread, LC_AWAIT, wait.place->ordered->id, wait.sequence, wait.begin);
  return wait;
}

static inline LC_ALWAYS_INLINE void
openmp_awaited (const struct openmp_wait *wait)
{
  if (wait->thread == NULL)
    return;
  lc_unblock (wait->thread);
  lc_append (wait->thread, LC_AWAIT, wait->place->ordered->id, wait->place->team->is_alone ? 0 : LC_EVENT_UNKNOWN,
             lc_word (wait->sequence, 0), wait->begin, lc_now_after ());
}

/* How many there are is known from the loop's start. What is too many does no harm, and is not looked at. */
#define AWAIT(name, type) \
  LC_EXPORT void name (type first, ...) \
  { \
    __typeof__ (name) *real = LC_OPENMP_REAL (name); \
    uint64_t at[MOST_DIMENSIONS] = {(uint64_t)first}; \
    struct openmp_wait wait; \
    va_list rest; \
\
    va_start (rest, first); \
    for (int i = 1; i < MOST_DIMENSIONS; i++) \
      at[i] = (uint64_t)va_arg (rest, type); \
    va_end (rest); \
    if (real == NULL) \
      return; \
    wait = openmp_awaits (at); \
    real ((type)at[0], (type)at[1], (type)at[2], (type)at[3], (type)at[4], (type)at[5], (type)at[6], (type)at[7], \
          (type)at[8], (type)at[9], (type)at[10], (type)at[11], (type)at[12], (type)at[13], (type)at[14], \
          (type)at[15]); \
    openmp_awaited (&wait); \
  }

AWAIT (GOMP_doacross_wait, long)
AWAIT (GOMP_doacross_ull_wait, lc_ull)
