/* SPDX-License-Identifier: Apache-2.0 */
/* What is recorded of loops: chunks, ordered sections, and dependences. Much is inline, so that the caller's frame
 * tells the site. */
#ifndef LC_RECORD_WRAP_OPENMP_LOOPS_H
#define LC_RECORD_WRAP_OPENMP_LOOPS_H

#include "wrap-openmp.h"

enum
{
  LC_OPENMP_DIMENSIONS = 16,
  LC_OPENMP_STATIC = 1, /* schedules, as omp_get_schedule has them */
  LC_OPENMP_SCHEDULES = 0x7FFFFFFF,
};

/* --- Chunks ------------------------------------------------------------------------------------------------ */

/* Tells whether who comes takes the next chunk. */
static inline bool
lc_openmp_hands_out (bool chunk_is_given, const void *caller)
{
  __typeof__ (omp_get_schedule) *get_schedule;
  int kind = 0, chunk;

  if (chunk_is_given)
    return true;
  get_schedule = LC_OPENMP_REAL_FOR (omp_get_schedule, caller);
  if (get_schedule != NULL)
    get_schedule (&kind, &chunk);
  return (kind & LC_OPENMP_SCHEDULES) != LC_OPENMP_STATIC;
}

static inline struct lc_openmp_range
lc_openmp_range (uint64_t start, uint64_t step, bool is_down)
{
  return (struct lc_openmp_range){start, is_down ? 0 - step : step, is_down};
}

/* Begins a loop that has its chunks from the call at this address. */
static inline void
lc_openmp_begin_loop (struct lc_openmp_place *place, bool chunk_is_given, const void *caller,
                      struct lc_openmp_range range)
{
  struct lc_thread *thread = place != NULL ? lc_enter (LC_CLASS_TEAM) : NULL;

  if (place != NULL)
    place->loop = thread != NULL && lc_openmp_hands_out (chunk_is_given, caller)
                      ? lc_object (thread, caller, LC_CLASS_TEAM, LC_KIND_OPENMP)
                      : NULL;
  if (place != NULL)
    place->range = range;
}

/* Records that the calling thread has asked for a chunk, how many iterations it got, and the number of the first, from
 * 1 on; 0: not known. */
static inline LC_ALWAYS_INLINE void
lc_openmp_asked (const struct lc_openmp_place *place, uint64_t begin, uint64_t iterations, uint64_t first)
{
  struct lc_thread *thread = place != NULL && place->loop != NULL ? lc_enter (LC_CLASS_TEAM) : NULL;

  if (thread != NULL)
    lc_append_detailed (
        thread, lc_event_site (thread), first <= UINT32_MAX ? (uint32_t)first : 0, LC_CHUNK, place->loop->id, 0,
        lc_word (__atomic_fetch_add (&place->loop->sequence, 1, __ATOMIC_RELAXED), iterations), begin, lc_now_after ());
}

/* The same of a chunk of gcc's, which ends before `end`. */
static inline LC_ALWAYS_INLINE void
lc_openmp_took (const struct lc_openmp_place *place, uint64_t begin, bool is_there, uint64_t first, uint64_t end)
{
  const struct lc_openmp_range *range = place != NULL ? &place->range : NULL;
  uint64_t before, length;

  if (range == NULL || !is_there || range->step == 0)
    {
      lc_openmp_asked (place, begin, 0, 0);
      return;
    }
  before = range->is_down ? range->start - first : first - range->start;
  length = range->is_down ? first - end : end - first;
  lc_openmp_asked (place, begin, (length + range->step - 1) / range->step, before / range->step + 1);
}

/* --- Ordered sections -------------------------------------------------------------------------------------- */

/* Begins a loop whose chunks, or indices, come one after another. */
static inline void
lc_openmp_begin_ordered (struct lc_openmp_place *place, const void *caller)
{
  struct lc_thread *thread = place != NULL ? lc_enter (LC_CLASS_ADVANCE) : NULL;

  if (place == NULL)
    return;
  place->has_turn = false;
  place->ordered = thread != NULL ? lc_object (thread, caller, LC_CLASS_ADVANCE, LC_KIND_OPENMP) : NULL;
}

/*
 * A thread that waits for its turn. Turns are numbered by who has them; the first of all follows none. The slot's
 * `extra` is when the turn was passed on.
 */
struct lc_openmp_turn
{
  struct lc_thread *thread; /* NULL: it is not recorded */
  struct lc_openmp_place *place;
  uint64_t begin;
};

static inline LC_ALWAYS_INLINE struct lc_openmp_turn
lc_openmp_begin_turn (struct lc_openmp_place *place)
{
  struct lc_openmp_turn turn = {.place = place};

  if (place != NULL && place->ordered != NULL && !place->has_turn)
    turn.thread = lc_enter (LC_CLASS_ADVANCE);
  if (turn.thread == NULL)
    return turn;
  turn.begin = lc_now ();
  lc_block (turn.thread, LC_AWAIT, place->ordered->id, 0, turn.begin);
  return turn;
}

static inline LC_ALWAYS_INLINE void
lc_openmp_take_turn (const struct lc_openmp_turn *turn)
{
  struct lc_openmp_place *place = turn->place;
  struct lc_thread *thread = turn->thread;
  struct lc_slot *slot;
  uint64_t begin = turn->begin;

  if (thread == NULL)
    return;
  slot = place->ordered;
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
lc_openmp_pass_turn (struct lc_openmp_place *place)
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

/* --- Loops with dependences -------------------------------------------------------------------------------- */

/*
 * Begins a loop with so many iterations in each dimension. The indices of loops that a team carries out one after the
 * other follow one another, as do those of teams: all threads count them alike.
 */
static inline void
lc_openmp_begin_doacross (struct lc_openmp_place *place, unsigned int dimensions, const void *caller)
{
  lc_openmp_begin_ordered (place, caller);
  if (place == NULL)
    return;
  place->loop = NULL;
  place->dimensions = dimensions <= LC_OPENMP_DIMENSIONS ? dimensions : 0;
  place->indices = place->dimensions > 0 ? 1 : 0;
}

static inline void
lc_openmp_count_indices (struct lc_openmp_place *place, unsigned int dimension, uint64_t count)
{
  if (place == NULL || dimension >= place->dimensions)
    return;
  place->counts[dimension] = count;
  place->indices *= count;
}

/* Returns the calling thread if it is in a recorded loop with dependences. */
static inline struct lc_thread *
lc_openmp_doacross_thread (const struct lc_openmp_place *place)
{
  return place != NULL && place->ordered != NULL && place->dimensions > 0 ? lc_enter (LC_CLASS_ADVANCE) : NULL;
}

static inline uint64_t
lc_openmp_index (const struct lc_openmp_place *place, const uint64_t *at)
{
  uint64_t index = 0;

  for (uint32_t i = 0; i < place->dimensions; i++)
    index = index * place->counts[i] + at[i];
  return place->team->first_index + place->first_index + index;
}

static inline LC_ALWAYS_INLINE void
lc_openmp_posts (const uint64_t *at)
{
  struct lc_openmp_place *place = lc_openmp_here ();
  struct lc_thread *thread = lc_openmp_doacross_thread (place);
  uint64_t now;

  if (thread == NULL)
    return;
  now = lc_now ();
  lc_append (thread, LC_ADVANCE, place->ordered->id, 0, lc_word (lc_openmp_index (place, at), 0), now, now);
}

/* A wait is written when it is over; its stack is found before. */
struct lc_openmp_wait
{
  struct lc_thread *thread;
  struct lc_openmp_place *place;
  uint64_t sequence;
  uint64_t begin;
};

static inline LC_ALWAYS_INLINE struct lc_openmp_wait
lc_openmp_awaits (const uint64_t *at)
{
  struct lc_openmp_wait wait = {.place = lc_openmp_here ()};

  wait.thread = lc_openmp_doacross_thread (wait.place);
  if (wait.thread == NULL)
    return wait;
  wait.sequence = lc_openmp_index (wait.place, at);
  wait.begin = lc_now ();
  lc_block (wait.thread, LC_AWAIT, wait.place->ordered->id, wait.sequence, wait.begin);
  return wait;
}

static inline LC_ALWAYS_INLINE void
lc_openmp_awaited (const struct lc_openmp_wait *wait)
{
  if (wait->thread == NULL)
    return;
  lc_unblock (wait->thread);
  lc_append (wait->thread, LC_AWAIT, wait->place->ordered->id, wait->place->team->is_alone ? 0 : LC_EVENT_UNKNOWN,
             lc_word (wait->sequence, 0), wait->begin, lc_now_after ());
}

#endif
