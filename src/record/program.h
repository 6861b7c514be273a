/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the library that programs link: access to the recorder, and waiting. */
#ifndef LC_RECORD_PROGRAM_H
#define LC_RECORD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"
#include "lightcone/record.h"

#define LC_LIKELY(condition) __builtin_expect (!!(condition), 1)
#define LC_UNLIKELY(condition) __builtin_expect (!!(condition), 0)
#define LC_INTERNAL __attribute__ ((visibility ("hidden")))

/* --- The recorder ------------------------------------------------------------------------------------------ */

/* The recorder; NULL: there is none; &lc_program_unknown: not searched for yet. */
LC_INTERNAL extern const struct lc_hooks *lc_program_hooks;
LC_INTERNAL extern const struct lc_hooks lc_program_unknown;
LC_INTERNAL const struct lc_hooks *lc_program_find (void);

/* What replays the program; NULL: nothing does, or it was not searched for yet. */
LC_INTERNAL extern const struct lc_replay_hooks *lc_program_replay;

/* Returns the recorder, or NULL. */
static inline const struct lc_hooks *
lc_program_recorder (void)
{
  const struct lc_hooks *hooks = __atomic_load_n (&lc_program_hooks, __ATOMIC_ACQUIRE);

  if (LC_LIKELY (hooks == NULL))
    return NULL;
  return LC_UNLIKELY (hooks == &lc_program_unknown) ? lc_program_find () : hooks;
}

/* Returns the recorder if it records operations of this class, else NULL. */
static inline const struct lc_hooks *lc_program_recorder_of (enum lc_class class)
{
  const struct lc_hooks *hooks = lc_program_recorder ();

  if (LC_LIKELY (hooks == NULL))
    return NULL;
  return __atomic_load_n (hooks->classes, __ATOMIC_RELAXED) >> class & 1 ? hooks : NULL;
}

/* Returns the number of the current address space, never 0. */
static inline uint32_t
lc_instance (const struct lc_hooks *hooks)
{
  return __atomic_load_n (hooks->instance, __ATOMIC_RELAXED);
}

/* --- Objects ----------------------------------------------------------------------------------------------- */

/* Copies the name with a suffix; returns 0 or ENOMEM. */
LC_INTERNAL int lc_handle_init (struct lc_handle *handle, const char *name, const char *suffix);
LC_INTERNAL void lc_handle_destroy (struct lc_handle *handle);

LC_INTERNAL uint32_t lc_handle_register (const struct lc_hooks *hooks, struct lc_handle *handle, enum lc_class class,
                                         const void *address, uint64_t value);

/* Returns the object's record in the current address space, and makes it if need be; 0: there is no room. */
static inline uint32_t
lc_handle_record (const struct lc_hooks *hooks, struct lc_handle *handle, enum lc_class class, const void *address,
                  uint64_t value)
{
  uint64_t id = __atomic_load_n (&handle->id, __ATOMIC_RELAXED);

  if (LC_LIKELY (id >> 32 == lc_instance (hooks)))
    return (uint32_t)id;
  return lc_handle_register (hooks, handle, class, address, value);
}

/* --- Operations -------------------------------------------------------------------------------------------- */

/* An operation that has begun. */
struct lc_pending
{
  const struct lc_hooks *hooks; /* NULL: the class is not recorded */
  uint64_t begin;
  uint32_t object; /* 0: no room for a record, and the recorder counts the operation as lost */
  uint8_t flags;
};

/* Begins an operation. `value` is for the object's record, if it has to be made. */
static inline struct lc_pending
lc_pending_begin (enum lc_class class, struct lc_handle *handle, const void *address, uint64_t value)
{
  struct lc_pending pending = {.hooks = lc_program_recorder_of (class)};

  if (LC_UNLIKELY (pending.hooks != NULL))
    {
      pending.object = lc_handle_record (pending.hooks, handle, class, address, value);
      pending.begin = pending.hooks->now ();
    }
  return pending;
}

/* Returns the result that the operation has to have, because it had it when it was recorded. */
static inline enum lc_forecast
lc_pending_forecast (const struct lc_pending *pending, uint16_t operation)
{
  if (LC_LIKELY (pending->hooks == NULL || lc_program_replay == NULL))
    return LC_FORECAST_NONE;
  return lc_program_replay->forecast (operation, pending->object);
}

/* Tells that the operation has to wait. Only the first call counts. */
static inline void
lc_pending_block (struct lc_pending *pending, uint16_t operation, uint64_t sequence)
{
  if (LC_UNLIKELY (pending->hooks != NULL && !(pending->flags & LC_EVENT_CONTENDED)))
    pending->hooks->block (operation, pending->object, sequence, pending->begin);
  pending->flags |= LC_EVENT_CONTENDED;
}

/* Ends an operation that could wait. */
static inline void
lc_pending_end (const struct lc_pending *pending, uint16_t operation, uint64_t sequence, uint64_t value)
{
  if (LC_UNLIKELY (pending->hooks != NULL))
    pending->hooks->acquire (operation, pending->object, sequence, value, pending->begin, pending->flags);
}

/* Records an operation that others may wait for, stamped with its begin, before it takes effect. */
static inline void
lc_pending_release (const struct lc_pending *pending, uint16_t operation, uint64_t sequence, uint64_t value)
{
  if (LC_UNLIKELY (pending->hooks != NULL))
    pending->hooks->release (operation, pending->object, sequence, value, pending->begin);
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

#define LC_ANYONE UINT32_MAX

enum
{
  LC_LOOKS = 256 /* about as many as fit into some microseconds */
};

/* The state of a thread that looks again instead of sleeping; initially {0}. */
struct lc_patience
{
  uint32_t looks;
  uint64_t end; /* time at which patience ends; 0: not known yet */
};

/* Whether spinning makes sense: not on a single processor, where the awaited thread could not run meanwhile. */
LC_INTERNAL extern bool lc_program_may_look;

static inline void
lc_spin (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}

LC_INTERNAL bool lc_patience_is_left (struct lc_patience *patience);

/* Lets a moment pass. Returns true to look again, false to sleep. */
static inline bool
lc_look_again (struct lc_patience *patience)
{
  if (!__atomic_load_n (&lc_program_may_look, __ATOMIC_RELAXED))
    return false;
  lc_spin ();
  return LC_LIKELY (++patience->looks % LC_LOOKS != 0) || lc_patience_is_left (patience);
}

/* Sleeps while *word is value, until a wake-up whose mask shares a bit with this one. May return at any time. */
LC_INTERNAL void lc_sleep (const uint32_t *word, uint32_t value, uint32_t mask);

/* Wakes threads. Only the word's address is used, so its memory may already be gone. */
LC_INTERNAL void lc_wake (const uint32_t *word, int threads, uint32_t mask);

/*
 * A turn: a number in the low half of a word, and in the high half the number of threads that sleep until it changes. A
 * thread that changes the number then knows at once whether to wake others, and need not read the word again.
 */
#define LC_SLEEPER (UINT64_C (1) << 32)

static inline uint32_t
lc_turn (const uint64_t *turn)
{
  return (uint32_t)__atomic_load_n (turn, __ATOMIC_ACQUIRE);
}

/* Returns the half of the word that threads sleep on. */
static inline uint32_t *
lc_turn_word (uint64_t *turn)
{
  return (uint32_t *)(void *)turn + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

LC_INTERNAL void lc_turn_await (uint64_t *turn, uint32_t wanted, uint32_t mask);
LC_INTERNAL void lc_turn_await_other (uint64_t *turn, uint32_t unwanted, uint32_t mask);
LC_INTERNAL void lc_turn_set (uint64_t *turn, uint32_t value, uint32_t mask);

/* --- Misuse ------------------------------------------------------------------------------------------------ */

/* Prints what is wrong with the object to the standard error stream, and aborts. Signal-safe. */
LC_INTERNAL void lc_program_fatal (const struct lc_handle *handle, const char *problem, uint64_t number)
    __attribute__ ((noreturn));

#endif
