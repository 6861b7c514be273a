/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization variables: advance and await, each index once. */
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Bits of an index's word; the bits above are the address space that recorded its advance. */
enum
{
  ADVANCED = 1,
  CLAIMED = 2, /* a thread is about to advance the index, so nobody else records that */
  SLEEPERS = 4,
  INSTANCE_SHIFT = 3
};

static struct lc_pending
program_sync_begin (struct lc_sync *sync)
{
  return lc_pending_begin (LC_CLASS_ADVANCE, &sync->handle, sync, 0);
}

int
lc_sync_init (struct lc_sync *sync, const char *name, uint64_t first, uint64_t count)
{
  *sync = (struct lc_sync){.first = first, .count = count};
  if (count == 0 || first + (count - 1) < first)
    return EINVAL;
  if (count > PTRDIFF_MAX / sizeof *sync->advanced)
    return ENOMEM;
  sync->advanced = calloc ((size_t)count, sizeof *sync->advanced);
  if (sync->advanced == NULL || lc_handle_init (&sync->handle, name, "") != 0)
    {
      free (sync->advanced);
      sync->advanced = NULL;
      return ENOMEM;
    }
  program_sync_begin (sync);
  return 0;
}

void
lc_sync_destroy (struct lc_sync *sync)
{
  free (sync->advanced);
  sync->advanced = NULL;
  lc_handle_destroy (&sync->handle);
}

void
lc_sync_reset (struct lc_sync *sync)
{
  memset (sync->advanced, 0, (size_t)sync->count * sizeof *sync->advanced);
  sync->handle.id = 0;
  program_sync_begin (sync);
}

static uint32_t *
word_of (struct lc_sync *sync, uint64_t i)
{
  if (LC_UNLIKELY (i - sync->first >= sync->count))
    lc_program_fatal (&sync->handle, ": no such index: ", i);
  return &sync->advanced[i - sync->first];
}

static void
program_sync_publish (uint32_t *word, uint32_t instance)
{
  uint32_t advanced = instance << INSTANCE_SHIFT | ADVANCED;

  if (LC_UNLIKELY (__atomic_exchange_n (word, advanced, __ATOMIC_RELEASE) & SLEEPERS))
    lc_wake (word, INT_MAX, LC_ANYONE);
}

void
lc_advance (struct lc_sync *sync, uint64_t i)
{
  uint32_t *word = word_of (sync, i);
  struct lc_pending pending;

  if (__atomic_load_n (word, __ATOMIC_RELAXED) & (ADVANCED | CLAIMED))
    return;
  pending = program_sync_begin (sync);
  if (LC_LIKELY (pending.hooks == NULL))
    program_sync_publish (word, 0);
  else if (!(__atomic_fetch_or (word, CLAIMED, __ATOMIC_RELAXED) & (ADVANCED | CLAIMED)))
    {
      lc_pending_release (&pending, LC_ADVANCE, i, 0);
      program_sync_publish (word, pending.object != 0 ? lc_instance (pending.hooks) : 0);
    }
}

static void
program_sync_wait_for (uint32_t *word)
{
  struct lc_patience patience = {0};
  uint32_t state = 0;

  while (!(state & ADVANCED) && lc_look_again (&patience))
    state = __atomic_load_n (word, __ATOMIC_ACQUIRE);
  while (!(state & ADVANCED))
    if (state & SLEEPERS)
      {
        lc_sleep (word, state, LC_ANYONE);
        state = __atomic_load_n (word, __ATOMIC_ACQUIRE);
      }
    else
      state = __atomic_fetch_or (word, SLEEPERS, __ATOMIC_ACQUIRE) | SLEEPERS;
}

void
lc_await (struct lc_sync *sync, uint64_t i)
{
  uint32_t *word = word_of (sync, i);
  struct lc_pending pending = program_sync_begin (sync);

  if (!(__atomic_load_n (word, __ATOMIC_ACQUIRE) & ADVANCED))
    {
      lc_pending_block (&pending, LC_AWAIT, i);
      program_sync_wait_for (word);
    }
  if (LC_LIKELY (pending.hooks == NULL))
    return;
  if (__atomic_load_n (word, __ATOMIC_RELAXED) >> INSTANCE_SHIFT != lc_instance (pending.hooks))
    pending.flags |= LC_EVENT_UNKNOWN;
  lc_pending_end (&pending, LC_AWAIT, i, 0);
}
