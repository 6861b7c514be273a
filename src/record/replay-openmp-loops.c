/* SPDX-License-Identifier: Apache-2.0 */
/* Replays OpenMP: loops and sections, whose chunks are those of the recording, ordered sections, and loops with
 * dependences. The functions are those of gcc's. */
#include "replay-openmp.h"

enum
{
  MOST_ITERATIONS = (1 << 24) - 1, /* a chunk that is said to have as many may have more */
};

/* --- Chunks ------------------------------------------------------------------------------------------------- */

/*
 * The library begins and ends the loop, and is not asked for chunks: each thread takes those of its history, without
 * waiting for anybody, since taking one orders nothing.
 */
void
lc_replay_loop_begin (struct lc_replay_part *part, bool hands_out, struct lc_replay_range range, uintptr_t caller)
{
  if (part != NULL)
    part->loop =
        (struct lc_replay_loop){hands_out && lc_replay_enter (LC_CLASS_TEAM) != NULL, caller, LC_REPLAY_NONE, 0, range};
}

static uint64_t
replay_count_iterations (const struct lc_replay_range *range)
{
  const uint64_t length = range->is_down ? range->start - range->end : range->end - range->start;

  return range->step > 0 ? (length + range->step - 1) / range->step : 0;
}

/* Looks for the next chunk of a loop that was begun when threads were not free yet: nobody else has it. */
static const struct lc_replay_event *
replay_chunk_left (struct lc_replay_loop *loop)
{
  const struct lc_replayed *self = lc_replay_self;
  const struct lc_replay_event *event;

  if (loop->given < self->thread->next)
    loop->given = self->thread->next;
  while ((event = lc_replay_peek_at (self, loop->given - self->thread->next)) != NULL)
    {
      loop->given++;
      if (event->operation == LC_CHUNK && event->object == loop->object)
        return event;
    }
  return NULL;
}

/* Returns the chunk that the calling thread takes. NULL: there is none left. */
static const struct lc_replay_event *
replay_chunk_take (struct lc_replay_loop *loop, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_TEAM, LC_CHUNK, 0, (const void *)loop->address, caller};
  const struct lc_replay_event *event = lc_replay_openmp_tell (&call);

  if (event == NULL)
    event = lc_replay_self != NULL ? replay_chunk_left (loop) : NULL;
  else
    loop->object = event->object;
  if (event == NULL || event->value == 0)
    return NULL;
  if (event->detail == 0 || event->value == MOST_ITERATIONS)
    lc_replay_differs (lc_replay_self, &call, LC_REPLAY_UNKNOWN);
  else if ((uint64_t)event->detail - 1 + event->value > replay_count_iterations (&loop->range))
    lc_replay_differs (lc_replay_self, &call, LC_REPLAY_OUTCOME);
  else
    return event;
  return NULL;
}

bool
lc_replay_chunk (struct lc_replay_part *part, uintptr_t caller, uint64_t *first, uint64_t *last)
{
  const struct lc_replay_range *range = &part->loop.range;
  const struct lc_replay_event *event = replay_chunk_take (&part->loop, caller);
  uint64_t before, length;

  if (event == NULL)
    return false;
  before = ((uint64_t)event->detail - 1) * range->step;
  length = event->value * range->step;
  if (range->is_down)
    {
      *first = range->start - before;
      *last = length < *first - range->end ? *first - length : range->end;
    }
  else
    {
      *first = range->start + before;
      *last = length < range->end - *first ? *first + length : range->end;
    }
  return true;
}

void
lc_replay_openmp_end_loop (void)
{
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part == NULL)
    return;
  part->loop.is_steered = part->has_turn = false;
  part->ordered = 0;
}

/* --- Ordered sections --------------------------------------------------------------------------------------- */

void
lc_replay_ordered_begin (struct lc_replay_part *part, bool by_library, uintptr_t caller)
{
  if (part == NULL)
    return;
  part->ordered = caller;
  part->is_doacross = false;
  part->ordered_by_library = by_library;
  part->has_turn = false;
}

/* The first turn of all follows none, and has no event. */
void
lc_replay_take_turn (struct lc_replay_part *part, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_ADVANCE, LC_AWAIT, 0, (const void *)part->ordered, caller};
  const struct lc_replay_event *event = lc_replay_self != NULL ? lc_replay_peek (lc_replay_self) : NULL;

  part->has_turn = true;
  if (event == NULL || event->operation != LC_ADVANCE)
    lc_replay_openmp_tell (&call);
}

/* The same where gcc's library may know the order. */
static void
replay_take_next_turn (struct lc_replay_part *part, uintptr_t caller)
{
  __typeof__ (GOMP_ordered_start) *real = LC_REPLAY_OPENMP (GOMP_ordered_start);

  if (part->has_turn)
    return;
  lc_replay_take_turn (part, caller);
  if (part->ordered_by_library && real != NULL)
    real ();
}

void
lc_replay_pass_turn (struct lc_replay_part *part, uintptr_t caller)
{
  const struct lc_replay_call call = {LC_CLASS_ADVANCE, LC_ADVANCE, 0, (const void *)part->ordered, caller};

  lc_replay_openmp_tell (&call);
  part->has_turn = false;
}

/* A chunk's turn ends when the thread asks for another, having waited for it even if it has no ordered section. */
static void
replay_end_chunk (struct lc_replay_part *part, uintptr_t caller)
{
  if (part == NULL || part->ordered == 0 || part->is_doacross)
    return;
  replay_take_next_turn (part, caller);
  lc_replay_pass_turn (part, caller);
}

LC_REPLAY_EXPORT void
GOMP_ordered_start (void)
{
  __typeof__ (GOMP_ordered_start) *real = LC_REPLAY_OPENMP (GOMP_ordered_start);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (part != NULL && part->ordered != 0)
    replay_take_next_turn (part, LC_REPLAY_CALLER ());
  else if (real != NULL)
    real ();
}

/* --- The functions of the library --------------------------------------------------------------------------- */

static bool
replay_is_steered (const struct lc_replay_part *part)
{
  return part != NULL && part->loop.is_steered;
}

static bool
replay_signed_chunk (struct lc_replay_part *part, uintptr_t caller, long *first, long *last)
{
  uint64_t bounds[2];

  if (!lc_replay_chunk (part, caller, &bounds[0], &bounds[1]))
    return false;
  *first = (long)bounds[0];
  *last = (long)bounds[1];
  return true;
}

static bool
replay_unsigned_chunk (struct lc_replay_part *part, uintptr_t caller, lc_ull *first, lc_ull *last)
{
  uint64_t bounds[2];

  if (!lc_replay_chunk (part, caller, &bounds[0], &bounds[1]))
    return false;
  *first = bounds[0];
  *last = bounds[1];
  return true;
}

/* `kind` is signed or unsigned, `before` what comes first. A loop that has its chunks from here is begun by `steered`.
 */
#define START(name, parameters, arguments, kind, hands_out, range, before, steered) \
  LC_REPLAY_EXPORT bool name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct lc_replay_part *part = lc_replay_openmp_part (); \
\
    if (real == NULL) \
      return false; \
    before; \
    lc_replay_loop_begin (part, hands_out, range, LC_REPLAY_CALLER ()); \
    if (!replay_is_steered (part)) \
      return real arguments; \
    (void)(steered); \
    return replay_##kind##_chunk (part, LC_REPLAY_CALLER (), first, last); \
  }

#define NEXT(name, type, kind) \
  LC_REPLAY_EXPORT bool name (type *first, type *last) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct lc_replay_part *part = lc_replay_openmp_part (); \
\
    if (real == NULL) \
      return false; \
    replay_end_chunk (part, LC_REPLAY_CALLER ()); \
    return replay_is_steered (part) ? replay_##kind##_chunk (part, LC_REPLAY_CALLER (), first, last) \
                                    : real (first, last); \
  }

#define SIGNED_RANGE lc_replay_signed_range (start, end, increment)
#define UNSIGNED_RANGE ((struct lc_replay_range){start, end, up ? increment : 0 - increment, !up})

/* The library's own order of chunks would not be that of the turns, so that an ordered loop is begun as another one. */
#define SIGNED_STEERED LC_REPLAY_OPENMP (GOMP_loop_dynamic_start) (start, end, increment, 1, first, last)
#define UNSIGNED_STEERED LC_REPLAY_OPENMP (GOMP_loop_ull_dynamic_start) (up, start, end, increment, 1, first, last)

#define PLAIN_LOOP(name, chunk, hands_out, before) \
  START (GOMP_loop_##name##_start, \
         (long start, long end, long increment, LC_OPENMP_IF_##chunk (long size, ) long *first, long *last), \
         (start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last), signed, \
         lc_replay_hands_out (hands_out, chunk), SIGNED_RANGE, before, SIGNED_STEERED) \
  START (GOMP_loop_ull_##name##_start, \
         (bool up, lc_ull start, lc_ull end, lc_ull increment, LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, \
          lc_ull *last), \
         (up, start, end, increment, LC_OPENMP_IF_##chunk (size, ) first, last), unsigned, \
         lc_replay_hands_out (hands_out, chunk), UNSIGNED_RANGE, before, UNSIGNED_STEERED) \
  NEXT (GOMP_loop_##name##_next, long, signed) \
  NEXT (GOMP_loop_ull_##name##_next, lc_ull, unsigned)

#define LOOP(name, chunk) PLAIN_LOOP (name, chunk, true, )
#define ORDERED_LOOP(name, chunk, hands_out) \
  PLAIN_LOOP (name, chunk, hands_out, \
              lc_replay_ordered_begin (part, !lc_replay_hands_out (hands_out, chunk), LC_REPLAY_CALLER ()))

LC_OPENMP_LOOPS (LOOP)
LC_OPENMP_ORDERED_LOOPS (ORDERED_LOOP)

/* Those with reductions by tasks, or memory of their own. Without a place for its bounds, no chunk is handed out. */
static bool
replay_schedule_hands_out (long schedule, const void *first)
{
  enum
  {
    RUNTIME = 0,
    DYNAMIC = 2,
    GUIDED = 3,
    SCHEDULES = 0x7FFFFFFF
  };

  schedule &= SCHEDULES;
  return first != NULL &&
         lc_replay_hands_out (schedule == RUNTIME || schedule == DYNAMIC || schedule == GUIDED, schedule != RUNTIME);
}

#define ANY_LOOP(name, before) \
  START (GOMP_loop_##name, \
         (long start, long end, long increment, long schedule, long size, long *first, long *last, \
          uintptr_t *reductions, void **memory), \
         (start, end, increment, schedule, size, first, last, reductions, memory), signed, \
         replay_schedule_hands_out (schedule, first), SIGNED_RANGE, before, \
         LC_REPLAY_OPENMP (GOMP_loop_start) (start, end, increment, schedule, size, first, last, reductions, memory)) \
  START (GOMP_loop_ull_##name, \
         (bool up, lc_ull start, lc_ull end, lc_ull increment, long schedule, lc_ull size, lc_ull *first, \
          lc_ull *last, uintptr_t *reductions, void **memory), \
         (up, start, end, increment, schedule, size, first, last, reductions, memory), unsigned, \
         replay_schedule_hands_out (schedule, first), UNSIGNED_RANGE, before, \
         LC_REPLAY_OPENMP (GOMP_loop_ull_start) (up, start, end, increment, schedule, size, first, last, reductions, \
                                                 memory))

ANY_LOOP (start, )
ANY_LOOP (ordered_start,
          lc_replay_ordered_begin (part, !replay_schedule_hands_out (schedule, first), LC_REPLAY_CALLER ()))

/* --- Sections ----------------------------------------------------------------------------------------------- */

static unsigned int
replay_section (struct lc_replay_part *part, uintptr_t caller)
{
  const struct lc_replay_event *event = replay_chunk_take (&part->loop, caller);

  return event != NULL ? event->detail : 0;
}

#define SECTIONS(name, parameters, arguments) \
  LC_REPLAY_EXPORT unsigned int name parameters \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    struct lc_replay_part *part = lc_replay_openmp_part (); \
    unsigned int section; \
\
    if (real == NULL) \
      return 0; \
    lc_replay_loop_begin (part, true, (struct lc_replay_range){0, count, 1, false}, LC_REPLAY_CALLER ()); \
    section = real arguments; \
    return replay_is_steered (part) ? replay_section (part, LC_REPLAY_CALLER ()) : section; \
  }

SECTIONS (GOMP_sections_start, (unsigned int count), (count))
SECTIONS (GOMP_sections2_start, (unsigned int count, uintptr_t *reductions, void **memory), (count, reductions, memory))

LC_REPLAY_EXPORT unsigned int
GOMP_sections_next (void)
{
  __typeof__ (GOMP_sections_next) *real = LC_REPLAY_OPENMP (GOMP_sections_next);
  struct lc_replay_part *part = lc_replay_openmp_part ();

  if (real == NULL)
    return 0;
  return replay_is_steered (part) ? replay_section (part, LC_REPLAY_CALLER ()) : real ();
}

/* --- Loops with dependences --------------------------------------------------------------------------------- */

/* The library keeps the order, whoever has the chunks. */
void
lc_replay_doacross_begin (struct lc_replay_part *part, unsigned int dimensions, uintptr_t caller)
{
  lc_replay_ordered_begin (part, true, dimensions <= LC_REPLAY_DIMENSIONS ? caller : 0);
  if (part != NULL)
    part->is_doacross = true;
}

#define DOACROSS_RANGE ((struct lc_replay_range){0, dimensions > 0 ? (uint64_t)counts[0] : 0, 1, false})
#define DOACROSS_BEGIN lc_replay_doacross_begin (part, dimensions, LC_REPLAY_CALLER ())

#define DOACROSS_LOOP(name, chunk, hands_out) \
  START (GOMP_loop_doacross_##name##_start, \
         (unsigned int dimensions, long *counts, LC_OPENMP_IF_##chunk (long size, ) long *first, long *last), \
         (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last), signed, \
         lc_replay_hands_out (hands_out, chunk), DOACROSS_RANGE, DOACROSS_BEGIN, \
         real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last)) \
  START (GOMP_loop_ull_doacross_##name##_start, \
         (unsigned int dimensions, lc_ull *counts, LC_OPENMP_IF_##chunk (lc_ull size, ) lc_ull *first, lc_ull *last), \
         (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last), unsigned, \
         lc_replay_hands_out (hands_out, chunk), DOACROSS_RANGE, DOACROSS_BEGIN, \
         real (dimensions, counts, LC_OPENMP_IF_##chunk (size, ) first, last))

LC_OPENMP_DOACROSS_LOOPS (DOACROSS_LOOP)

#define ANY_DOACROSS_LOOP(name, type, kind) \
  START (name, \
         (unsigned int dimensions, type *counts, long schedule, type size, type *first, type *last, \
          uintptr_t *reductions, void **memory), \
         (dimensions, counts, schedule, size, first, last, reductions, memory), kind, \
         replay_schedule_hands_out (schedule, first), DOACROSS_RANGE, DOACROSS_BEGIN, \
         real (dimensions, counts, schedule, size, first, last, reductions, memory))

ANY_DOACROSS_LOOP (GOMP_loop_doacross_start, long, signed)
ANY_DOACROSS_LOOP (GOMP_loop_ull_doacross_start, lc_ull, unsigned)

const struct lc_replay_event *
lc_replay_index_turn (uint16_t operation, uintptr_t caller)
{
  const struct lc_replay_part *part = lc_replay_openmp_part ();
  const struct lc_replay_call call = {LC_CLASS_ADVANCE, operation, 0, (const void *)(part != NULL ? part->ordered : 0),
                                      caller};
  struct lc_replayed *self = part != NULL && part->ordered != 0 ? lc_replay_enter (LC_CLASS_ADVANCE) : NULL;

  return self != NULL ? lc_replay_turn (self, &call) : NULL;
}

void
lc_replay_index_done (const struct lc_replay_event *event)
{
  if (event != NULL)
    lc_replay_done (lc_replay_self, event);
}

#define POST(name, type) \
  LC_REPLAY_EXPORT void name (type *at) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    const struct lc_replay_event *event = lc_replay_index_turn (LC_ADVANCE, LC_REPLAY_CALLER ()); \
\
    if (real != NULL) \
      real (at); \
    lc_replay_index_done (event); \
  }

POST (GOMP_doacross_post, long)
POST (GOMP_doacross_ull_post, lc_ull)

/* How many there are the library knows. What is too many does no harm. */
#define AWAIT(name, type) \
  LC_REPLAY_EXPORT void name (type first, ...) \
  { \
    __typeof__ (name) *real = LC_REPLAY_OPENMP (name); \
    const struct lc_replay_event *event = lc_replay_index_turn (LC_AWAIT, LC_REPLAY_CALLER ()); \
    type at[16] = {first}; \
    va_list rest; \
\
    va_start (rest, first); \
    for (int i = 1; i < 16; i++) \
      at[i] = va_arg (rest, type); \
    va_end (rest); \
    if (real != NULL) \
      real (at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10], at[11], at[12], at[13], \
            at[14], at[15]); \
    lc_replay_index_done (event); \
  }

AWAIT (GOMP_doacross_wait, long)
AWAIT (GOMP_doacross_ull_wait, lc_ull)
