/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the library's operations: finding the recorder, making records of objects, and waiting. */
#include "program.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "futex.h"

enum
{
  PROGRAM_VERSION = 1, /* of the hooks called here, which later versions have too */
  PATIENCE = 50000,    /* ns: several times the cost of a sleep and a wake-up */
};

const struct lc_hooks lc_program_unknown;
const struct lc_hooks *lc_program_hooks = &lc_program_unknown;
const struct lc_replay_hooks *lc_program_replay;
bool lc_program_may_look;

/* --- The recorder ------------------------------------------------------------------------------------------ */

static bool
are_several_processors (void)
{
  cpu_set_t processors;

  /* The call fails on machines with more processors than a cpu_set_t can hold. */
  return sched_getaffinity (0, sizeof processors, &processors) != 0 || CPU_COUNT (&processors) > 1;
}

/* Threads that search at the same time find the same recorder. */
const struct lc_hooks *
lc_program_find (void)
{
  int error = errno;
  const struct lc_hooks *hooks = dlsym (RTLD_DEFAULT, LC_HOOKS_SYMBOL);
  const struct lc_replay_hooks *replay = hooks != NULL ? dlsym (RTLD_DEFAULT, LC_REPLAY_HOOKS_SYMBOL) : NULL;

  if (replay == NULL)
    dlerror (); /* clears the error, which the program would take for its own */
  if (hooks != NULL && hooks->version < PROGRAM_VERSION)
    hooks = NULL;
  __atomic_store_n (&lc_program_replay, replay, __ATOMIC_RELAXED);
  __atomic_store_n (&lc_program_may_look, are_several_processors (), __ATOMIC_RELAXED);
  __atomic_store_n (&lc_program_hooks, hooks, __ATOMIC_RELEASE);
  errno = error;
  return hooks;
}

/* Runs among the first constructors; operations in constructors before it find the recorder themselves. */
__attribute__ ((constructor (101))) static void
program_begin (void)
{
  lc_program_recorder ();
}

/* --- Objects ----------------------------------------------------------------------------------------------- */

int
lc_handle_init (struct lc_handle *handle, const char *name, const char *suffix)
{
  size_t length, suffix_length;

  handle->name = NULL;
  handle->id = 0;
  if (name == NULL)
    return 0;
  length = strlen (name);
  suffix_length = strlen (suffix);
  handle->name = malloc (length + suffix_length + 1);
  if (handle->name == NULL)
    return ENOMEM;
  memcpy (handle->name, name, length);
  memcpy (handle->name + length, suffix, suffix_length + 1);
  return 0;
}

void
lc_handle_destroy (struct lc_handle *handle)
{
  free (handle->name);
  handle->name = NULL;
}

/* Takes no lock, because a signal handler may interrupt it. If two threads make a record, the second one is never
 * used. */
uint32_t
lc_handle_register (const struct lc_hooks *hooks, struct lc_handle *handle, enum lc_class class, const void *address,
                    uint64_t value)
{
  uint64_t before = __atomic_load_n (&handle->id, __ATOMIC_RELAXED);
  uint32_t instance = lc_instance (hooks);
  uint32_t record = hooks->object (class, handle->name, address, value);

  if (record == 0)
    return 0;
  if (__atomic_compare_exchange_n (&handle->id, &before, (uint64_t)instance << 32 | record, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    return record;
  return (uint32_t)before;
}

/* --- Waiting ----------------------------------------------------------------------------------------------- */

void
lc_sleep (const uint32_t *word, uint32_t value, uint32_t mask)
{
  int error = errno;

  lc_own_futex (word, FUTEX_WAIT_BITSET_PRIVATE, value, mask);
  errno = error;
}

void
lc_wake (const uint32_t *word, int threads, uint32_t mask)
{
  int error = errno;

  lc_own_futex (word, FUTEX_WAKE_BITSET_PRIVATE, (uint32_t)threads, mask);
  errno = error;
}

/* Yields in between, because the awaited thread may need this processor. */
bool
lc_patience_is_left (struct lc_patience *patience)
{
  struct timespec now;
  uint64_t ns;

  clock_gettime (CLOCK_MONOTONIC, &now);
  ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  if (patience->end == 0)
    patience->end = ns + PATIENCE;
  sched_yield ();
  return ns < patience->end;
}

/* Waits until the turn is `value` (`wanted`), or until it is not. */
static void
program_await (uint64_t *turn, uint32_t value, bool wanted, uint32_t mask)
{
  struct lc_patience patience = {0};
  uint64_t state;

  do
    if ((lc_turn (turn) == value) == wanted)
      return;
  while (lc_look_again (&patience));
  state = __atomic_add_fetch (turn, LC_SLEEPER, __ATOMIC_ACQUIRE);
  while (((uint32_t)state == value) != wanted)
    {
      lc_sleep (lc_turn_word (turn), (uint32_t)state, mask);
      state = __atomic_load_n (turn, __ATOMIC_ACQUIRE);
    }
  __atomic_sub_fetch (turn, LC_SLEEPER, __ATOMIC_RELAXED);
}

void
lc_turn_await (uint64_t *turn, uint32_t wanted, uint32_t mask)
{
  program_await (turn, wanted, true, mask);
}

void
lc_turn_await_other (uint64_t *turn, uint32_t unwanted, uint32_t mask)
{
  program_await (turn, unwanted, false, mask);
}

void
lc_turn_set (uint64_t *turn, uint32_t value, uint32_t mask)
{
  uint64_t before = __atomic_load_n (turn, __ATOMIC_RELAXED), after;

  do
    after = (before & ~(uint64_t)UINT32_MAX) | value;
  while (!__atomic_compare_exchange_n (turn, &before, after, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  if (LC_UNLIKELY (before >= LC_SLEEPER))
    lc_wake (lc_turn_word (turn), INT_MAX, mask);
}

/* --- Misuse ------------------------------------------------------------------------------------------------ */

static size_t
program_put (char *text, size_t length, size_t limit, const char *more)
{
  while (*more != '\0' && length < limit)
    text[length++] = *more++;
  return length;
}

void
lc_program_fatal (const struct lc_handle *handle, const char *problem, uint64_t number)
{
  char text[256], digits[21], *digit = digits + sizeof digits - 1;
  size_t length = program_put (text, 0, sizeof text - 1, "lightcone: ");

  *digit = '\0';
  do
    *--digit = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  length = program_put (text, length, 150, handle->name != NULL ? handle->name : "(no name)");
  length = program_put (text, length, sizeof text - 1, problem);
  length = program_put (text, length, sizeof text - 1, digit);
  text[length++] = '\n';
  if (write (STDERR_FILENO, text, length) < 0)
    abort ();
  abort ();
}
