/* SPDX-License-Identifier: Apache-2.0 */
/* Counting semaphores. */
#include "program.h"

#include <errno.h>

/*
 * `tokens` is a turn: the number of free tokens, and that of the threads that sleep until there are some. Tokens are
 * numbered from 1. A post takes its stamp, then its number, then makes a token visible; a wait gets a token, then takes
 * its number. So when a wait has number k, k tokens were visible before, and at least k numbers taken, each after its
 * stamp.
 */

/* A record made later, in a forked address space, tells how many tokens were posted elsewhere. */
static struct lc_pending
program_semaphore_begin (struct lc_semaphore *semaphore)
{
  return lc_pending_begin (LC_CLASS_SEMAPHORE, &semaphore->handle, semaphore,
                           __atomic_load_n (&semaphore->posted, __ATOMIC_RELAXED));
}

int
lc_semaphore_init (struct lc_semaphore *semaphore, const char *name, uint32_t tokens)
{
  *semaphore = (struct lc_semaphore){.tokens = tokens, .posted = tokens};
  if (lc_handle_init (&semaphore->handle, name, "") != 0)
    return ENOMEM;
  program_semaphore_begin (semaphore);
  return 0;
}

void
lc_semaphore_destroy (struct lc_semaphore *semaphore)
{
  lc_handle_destroy (&semaphore->handle);
}

void
lc_semaphore_post (struct lc_semaphore *semaphore)
{
  struct lc_pending pending = program_semaphore_begin (semaphore);
  uint64_t before;

  if (LC_UNLIKELY (pending.hooks != NULL))
    lc_pending_release (&pending, LC_POST, __atomic_add_fetch (&semaphore->posted, 1, __ATOMIC_RELAXED), 0);
  before = __atomic_fetch_add (&semaphore->tokens, 1, __ATOMIC_RELEASE);
  if (LC_UNLIKELY ((uint32_t)before == UINT32_MAX))
    lc_program_fatal (&semaphore->handle, ": too many tokens: ", UINT32_MAX);
  if (LC_UNLIKELY (before >= LC_SLEEPER))
    lc_wake (lc_turn_word (&semaphore->tokens), 1, LC_ANYONE);
}

static bool
program_semaphore_take (struct lc_semaphore *semaphore)
{
  uint64_t tokens = __atomic_load_n (&semaphore->tokens, __ATOMIC_RELAXED);

  while ((uint32_t)tokens != 0)
    if (__atomic_compare_exchange_n (&semaphore->tokens, &tokens, tokens - 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
  return false;
}

static void
wait_and_take (struct lc_semaphore *semaphore)
{
  struct lc_patience patience = {0};
  uint64_t tokens;

  while (lc_look_again (&patience))
    if (program_semaphore_take (semaphore))
      return;
  tokens = __atomic_add_fetch (&semaphore->tokens, LC_SLEEPER, __ATOMIC_RELAXED);
  for (;;)
    if ((uint32_t)tokens == 0)
      {
        lc_sleep (lc_turn_word (&semaphore->tokens), 0, LC_ANYONE);
        tokens = __atomic_load_n (&semaphore->tokens, __ATOMIC_RELAXED);
      }
    else if (__atomic_compare_exchange_n (&semaphore->tokens, &tokens, tokens - 1 - LC_SLEEPER, true, __ATOMIC_ACQUIRE,
                                          __ATOMIC_RELAXED))
      return;
}

static void
record_taken (struct lc_semaphore *semaphore, const struct lc_pending *pending)
{
  if (LC_UNLIKELY (pending->hooks != NULL))
    lc_pending_end (pending, LC_WAIT, __atomic_add_fetch (&semaphore->taken, 1, __ATOMIC_RELAXED), 0);
}

void
lc_semaphore_wait (struct lc_semaphore *semaphore)
{
  struct lc_pending pending = program_semaphore_begin (semaphore);

  if (!program_semaphore_take (semaphore))
    {
      lc_pending_block (&pending, LC_WAIT, 0);
      wait_and_take (semaphore);
    }
  record_taken (semaphore, &pending);
}

bool
lc_semaphore_try_wait (struct lc_semaphore *semaphore)
{
  struct lc_pending pending = program_semaphore_begin (semaphore);
  enum lc_forecast forecast = lc_pending_forecast (&pending, LC_WAIT);
  bool taken = forecast != LC_FORECAST_NO && program_semaphore_take (semaphore);

  if (LC_UNLIKELY (!taken && forecast == LC_FORECAST_YES)) /* its token is on the way */
    {
      wait_and_take (semaphore);
      taken = true;
    }
  if (taken)
    record_taken (semaphore, &pending);
  else
    lc_pending_end (&pending, LC_WAIT_FAILED, 0, 0);
  return taken;
}
