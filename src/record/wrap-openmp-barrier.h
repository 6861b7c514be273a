/* SPDX-License-Identifier: Apache-2.0 */
/* A thread at a barrier of its team, at the end of a loop, and at a `single`. All is inline, so that the caller's frame
 * tells the site. */
#ifndef LC_RECORD_WRAP_OPENMP_BARRIER_H
#define LC_RECORD_WRAP_OPENMP_BARRIER_H

#include "wrap-openmp.h"

/*
 * All threads of a team come to the same barriers, so each counts them for itself. A generation gets its number before
 * anybody leaves it; nobody comes to the one after the next before all have left it.
 */
static inline LC_ALWAYS_INLINE void
lc_openmp_number_generation (const struct lc_openmp_arrival *arrival, struct lc_slot *slot)
{
  struct lc_openmp_team *team = arrival->place->team;
  uint64_t expected = arrival->generation;

  if (__atomic_compare_exchange_n (&team->generations, &expected, arrival->generation + 1, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    __atomic_store_n (&team->numbers[arrival->generation & 1],
                      __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
}

/* `is_sure` false: whether this is a barrier is known afterwards only. */
static inline LC_ALWAYS_INLINE void
lc_openmp_arrive (struct lc_openmp_arrival *arrival, bool is_sure)
{
  struct lc_openmp_place *place = lc_openmp_here ();
  struct lc_slot *slot;

  *arrival = (struct lc_openmp_arrival){.place = place};
  if (place == NULL)
    return;
  arrival->generation = place->generation++;
  arrival->thread = lc_enter (LC_CLASS_BARRIER);
  slot = arrival->thread != NULL ? lc_object (arrival->thread, (const void *)(uintptr_t)place->team->routine,
                                              LC_CLASS_BARRIER, LC_KIND_OPENMP)
                                 : NULL;
  if (slot == NULL)
    {
      arrival->thread = NULL;
      return;
    }
  place->arrival = arrival;
  arrival->object = slot->id;
  arrival->begin = lc_now ();
  if (is_sure)
    lc_openmp_number_generation (arrival, slot);
  if ((__atomic_fetch_add (&place->team->arrivals, 1, __ATOMIC_RELAXED) + 1) % place->size != 0)
    {
      arrival->flags = LC_EVENT_CONTENDED;
      lc_block (arrival->thread, LC_BARRIER, arrival->object, 0, arrival->begin);
    }
  else
    arrival->site = lc_site (arrival->thread);
}

static inline uint64_t
lc_openmp_generation_word (const struct lc_openmp_arrival *arrival)
{
  const struct lc_openmp_team *team = arrival->place->team;

  return lc_word (__atomic_load_n (&team->numbers[arrival->generation & 1], __ATOMIC_ACQUIRE), arrival->place->size);
}

static inline LC_ALWAYS_INLINE void
lc_openmp_leave (const struct lc_openmp_arrival *arrival)
{
  struct lc_thread *thread = arrival->thread;

  if (arrival->place != NULL)
    arrival->place->arrival = NULL;
  if (thread == NULL)
    return;
  if (arrival->flags & LC_EVENT_CONTENDED)
    lc_unblock (thread);
  lc_append (thread, LC_BARRIER, arrival->object, arrival->flags, lc_openmp_generation_word (arrival), arrival->begin,
             lc_now_after ());
}

/* The calling thread did not wait: the barrier was cancelled, or is none. */
static inline void
lc_openmp_turn_back (const struct lc_openmp_arrival *arrival)
{
  if (arrival->place == NULL)
    return;
  arrival->place->generation--;
  arrival->place->arrival = NULL;
  if (arrival->thread == NULL)
    return;
  __atomic_fetch_sub (&arrival->place->team->arrivals, 1, __ATOMIC_RELAXED);
  if (arrival->flags & LC_EVENT_CONTENDED)
    {
      lc_unblock (arrival->thread);
      arrival->thread->waiting_site = 0;
    }
}

/* The calling thread was turned away: its team was cancelled, perhaps only after all of it had come to the barrier. */
static inline LC_ALWAYS_INLINE void
lc_openmp_cancelled (const struct lc_openmp_arrival *arrival)
{
  const struct lc_openmp_place *place = arrival->place;

  if (place != NULL && arrival->thread != NULL &&
      __atomic_load_n (&place->team->arrivals, __ATOMIC_RELAXED) >= (arrival->generation + 1) * place->size)
    lc_openmp_leave (arrival);
  else
    lc_openmp_turn_back (arrival);
}

/* The loop that the calling thread was in has ended. */
static inline void
lc_openmp_end_loop (void)
{
  struct lc_openmp_place *place = lc_openmp_here ();

  if (place == NULL)
    return;
  place->loop = place->ordered = NULL;
  place->has_turn = false;
  place->first_index += place->indices;
  place->indices = place->dimensions = 0;
}

/* A `single` is handed out as a section that is alone. */
static inline struct lc_slot *
lc_openmp_single_slot (const void *caller)
{
  struct lc_thread *thread = lc_openmp_here () != NULL ? lc_enter (LC_CLASS_TEAM) : NULL;

  return thread != NULL ? lc_object (thread, caller, LC_CLASS_TEAM, LC_KIND_OPENMP) : NULL;
}

/* Records whether the calling thread is who carries it out. Who is not has waited at the barrier already, whose event
 * comes next. */
static inline LC_ALWAYS_INLINE void
lc_openmp_decided_single (struct lc_slot *slot, const struct lc_openmp_arrival *arrival, bool is_first)
{
  struct lc_thread *thread = slot != NULL ? lc_openmp_thread () : NULL;
  uint32_t waiting;
  uint64_t at;

  if (thread == NULL)
    return;
  if (arrival->flags & LC_EVENT_CONTENDED)
    lc_unblock (thread);
  waiting = thread->waiting_site;
  at = arrival->begin != 0 ? arrival->begin : lc_now ();
  lc_append_detailed (thread, waiting != 0 ? waiting : lc_site (thread), is_first, LC_CHUNK, slot->id, 0,
                      lc_word (__atomic_fetch_add (&slot->sequence, 1, __ATOMIC_RELAXED), is_first), at, at);
}

#endif
