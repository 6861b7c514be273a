/* SPDX-License-Identifier: Apache-2.0 */
/* Replays clang's OpenMP: loops, whose chunks are those of the recording, who carries out a `single`, ordered sections,
 * and loops with dependences. */
#include "replay-openmp.h"

/* --- Chunks ------------------------------------------------------------------------------------------------- */

/* The bounds are those of the first and the last iteration. */
static struct lc_replay_range
replay_clang_range (uint64_t first, uint64_t last, int64_t step, bool is_empty)
{
  const uint64_t count = is_empty || step == 0 ? 0 : lc_openmp_clang_count (first, last, step);

  return (struct lc_replay_range){first, first + count * (uint64_t)step, step < 0 ? 0 - (uint64_t)step : (uint64_t)step,
                                  step < 0};
}

/* True: the loop has its chunks from the recording. */
static bool
replay_clang_begin (int schedule, struct lc_replay_range range, uintptr_t caller)
{
  const struct lc_openmp_schedule what = lc_openmp_clang_schedule (schedule);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part == NULL)
    return false;
  lc_replay_loop_begin (part, lc_replay_hands_out (!what.is_static, !what.is_runtime), range, caller);
  if (what.is_ordered && !part->is_doacross)
    lc_replay_ordered_begin (part, !part->loop.is_steered, caller);
  part->had_turn = false;
  return part->loop.is_steered;
}

/* Loops with dependences end by a call of their own. */
static void
replay_clang_end (void)
{
  const struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part != NULL && !part->is_doacross)
    lc_replay_openmp_end_loop ();
}

static bool
replay_clang_is_steered (void)
{
  const struct lc_replay_part *part = lc_replay_openmp_part ();

  return part != NULL && part->loop.is_steered;
}

static void replay_clang_end_iteration (void *place, int thread, uintptr_t caller);

/* The library's own count of loops goes on by one without iterations, which is asked for a chunk at once. */
#define LOOP(name, type, difference) \
  LC_REPLAY_EXPORT void __kmpc_dispatch_init_##name (void *place, int thread, int schedule, type first, type last, \
                                                     difference step, difference chunk) \
  { \
    __typeof__ (__kmpc_dispatch_init_##name) *real = LC_REPLAY_OPENMP (__kmpc_dispatch_init_##name); \
    __typeof__ (__kmpc_dispatch_next_##name) *next = LC_REPLAY_OPENMP (__kmpc_dispatch_next_##name); \
    const struct lc_replay_range range = \
        replay_clang_range ((uint64_t)first, (uint64_t)last, step, step < 0 ? first < last : first > last); \
\
    if (real == NULL || next == NULL) \
      return; \
    if (replay_clang_begin (schedule, range, LC_REPLAY_CALLER ())) \
      { \
        int is_last; \
\
        real (place, thread, LC_OPENMP_CLANG_DYNAMIC, 1, 0, 1, 1); \
        next (place, thread, &is_last, &first, &last, &step); \
      } \
    else \
      real (place, thread, schedule, first, last, step, chunk); \
  } \
\
  LC_REPLAY_EXPORT int __kmpc_dispatch_next_##name (void *place, int thread, int *is_last, type *first, type *last, \
                                                    difference *step) \
  { \
    __typeof__ (__kmpc_dispatch_next_##name) *real = LC_REPLAY_OPENMP (__kmpc_dispatch_next_##name); \
    struct lc_replay_part *part = lc_replay_openmp_part (); \
    int result; \
\
    if (real == NULL) \
      return 0; \
    if (replay_clang_is_steered ()) \
      { \
        uint64_t from = 0, end = 0; \
        const uint64_t by = part->loop.range.is_down ? 0 - part->loop.range.step : part->loop.range.step; \
\
        result = lc_replay_chunk (part, LC_REPLAY_CALLER (), &from, &end); \
        if (result != 0) \
          { \
            *first = (type)from; \
            *last = (type)(end - by); \
            *step = (difference)by; \
          } \
        if (result != 0 && is_last != NULL) \
          *is_last = end == part->loop.range.end; \
      } \
    else \
      result = real (place, thread, is_last, first, last, step); \
    if (result == 0) \
      replay_clang_end (); \
    return result; \
  } \
\
  LC_REPLAY_EXPORT void __kmpc_dispatch_fini_##name (void *place, int thread) \
  { \
    __typeof__ (__kmpc_dispatch_fini_##name) *real = LC_REPLAY_OPENMP (__kmpc_dispatch_fini_##name); \
\
    replay_clang_end_iteration (place, thread, LC_REPLAY_CALLER ()); \
    if (real != NULL && !replay_clang_is_steered ()) \
      real (place, thread); \
  }

/* --- Single ------------------------------------------------------------------------------------------------- */

/* The library counts those that come, and is asked all the same. */
LC_REPLAY_EXPORT int
__kmpc_single (void *place, int thread)
{
  __typeof__ (__kmpc_single) *real = LC_REPLAY_OPENMP (__kmpc_single);
  const struct lc_replay_event *event = lc_replay_openmp_single (LC_REPLAY_CALLER ());
  const int result = real != NULL ? real (place, thread) : 1;

  return event != NULL ? event->value > 0 : result;
}

/* --- Ordered sections --------------------------------------------------------------------------------------- */

static bool
replay_clang_is_ordered (const struct lc_replay_part *part)
{
  return part != NULL && part->ordered != 0 && !part->is_doacross;
}

static void
replay_clang_take_turn (struct lc_replay_part *part, void *place, int thread, uintptr_t caller)
{
  __typeof__ (__kmpc_ordered) *real = LC_REPLAY_OPENMP (__kmpc_ordered);

  if (!part->has_turn)
    lc_replay_take_turn (part, caller);
  if (part->ordered_by_library && real != NULL)
    real (place, thread);
}

static void
replay_clang_pass_turn (struct lc_replay_part *part, void *place, int thread, uintptr_t caller)
{
  __typeof__ (__kmpc_end_ordered) *real = LC_REPLAY_OPENMP (__kmpc_end_ordered);

  lc_replay_pass_turn (part, caller);
  if (part->ordered_by_library && real != NULL)
    real (place, thread);
}

LC_REPLAY_EXPORT void
__kmpc_ordered (void *place, int thread)
{
  __typeof__ (__kmpc_ordered) *real = LC_REPLAY_OPENMP (__kmpc_ordered);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (replay_clang_is_ordered (part))
    replay_clang_take_turn (part, place, thread, LC_REPLAY_CALLER ());
  else if (real != NULL)
    real (place, thread);
}

LC_REPLAY_EXPORT void
__kmpc_end_ordered (void *place, int thread)
{
  __typeof__ (__kmpc_end_ordered) *real = LC_REPLAY_OPENMP (__kmpc_end_ordered);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (replay_clang_is_ordered (part))
    {
      replay_clang_pass_turn (part, place, thread, LC_REPLAY_CALLER ());
      part->had_turn = true;
    }
  else if (real != NULL)
    real (place, thread);
}

/* An iteration without an ordered section has its turn all the same. */
static void
replay_clang_end_iteration (void *place, int thread, uintptr_t caller)
{
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (!replay_clang_is_ordered (part))
    return;
  if (!part->had_turn)
    {
      replay_clang_take_turn (part, place, thread, caller);
      replay_clang_pass_turn (part, place, thread, caller);
    }
  part->had_turn = false;
}

LOOP (4, int32_t, int32_t)
LOOP (4u, uint32_t, int32_t)
LOOP (8, int64_t, int64_t)
LOOP (8u, uint64_t, int64_t)

/* --- Loops with dependences --------------------------------------------------------------------------------- */

LC_REPLAY_EXPORT void
__kmpc_doacross_init (void *place, int thread, int dimensions, const struct lc_openmp_dimension *bounds)
{
  __typeof__ (__kmpc_doacross_init) *real = LC_REPLAY_OPENMP (__kmpc_doacross_init);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part != NULL)
    {
      lc_replay_doacross_begin (part, (unsigned int)dimensions, LC_REPLAY_CALLER ());
      part->dimensions = dimensions <= LC_REPLAY_DIMENSIONS ? (uint32_t)dimensions : 0;
    }
  for (uint32_t i = 0; part != NULL && i < part->dimensions; i++)
    {
      part->bounds[i] = bounds[i];
      part->counts[i] = lc_openmp_clang_count ((uint64_t)bounds[i].first, (uint64_t)bounds[i].last, bounds[i].step);
    }
  if (real != NULL)
    real (place, thread, dimensions, bounds);
}

LC_REPLAY_EXPORT void
__kmpc_doacross_fini (void *place, int thread)
{
  __typeof__ (__kmpc_doacross_fini) *real = LC_REPLAY_OPENMP (__kmpc_doacross_fini);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  lc_replay_openmp_end_loop ();
  if (part != NULL)
    part->is_doacross = false;
  if (real != NULL)
    real (place, thread);
}

/* An iteration that is not in the loop has no event. */
static const struct lc_replay_event *
replay_clang_index_turn (uint16_t operation, const int64_t *values, uintptr_t caller)
{
  const struct lc_replay_part *part = lc_replay_openmp_part ();
  uint64_t at[LC_REPLAY_DIMENSIONS];

  if (part == NULL || part->dimensions == 0 ||
      !lc_openmp_clang_index (part->bounds, part->counts, part->dimensions, values, at))
    return NULL;
  return lc_replay_index_turn (operation, caller);
}

#define INDEX(name, operation) \
  LC_REPLAY_EXPORT void name (void *place, int thread, const int64_t *values) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    const struct lc_replay_event *event = replay_clang_index_turn (operation, values, LC_REPLAY_CALLER ()); \
\
    if (real != NULL) \
      real (place, thread, values); \
    lc_replay_index_done (event); \
  }

INDEX (__kmpc_doacross_post, LC_ADVANCE)
INDEX (__kmpc_doacross_wait, LC_AWAIT)
