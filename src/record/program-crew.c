/* SPDX-License-Identifier: Apache-2.0 */
/* Crews: concurrent readers and exclusive writers, in phases, so that neither keep the other out for long. */
#include "program.h"

#include <errno.h>

/* Bits of `readers` above their number: a writer has its turn, and its ticket is odd. */
#define WRITER (UINT64_C (1) << 32)
#define ODD (UINT64_C (1) << 33)

/* Masks of the threads that wait for the turn: all readers, or writers by ticket. */
#define READERS (UINT32_C (1) << 31)

/* In `draining`: the bit of the sleeping writer, and the amount of a reader. */
enum
{
  ASLEEP = 1,
  READER = 2
};

static uint32_t
writer_mask (uint32_t ticket)
{
  return UINT32_C (1) << ticket % 31;
}

static uint64_t
writer_bits (uint32_t ticket)
{
  return ticket & 1 ? WRITER | ODD : WRITER;
}

static struct lc_pending
program_crew_begin (struct lc_crew *crew)
{
  return lc_pending_begin (LC_CLASS_CREW, &crew->handle, crew, 0);
}

/* Tells whether the version was written before a fork, or its write-end was lost. */
static bool
program_crew_is_unknown (const struct lc_crew *crew, uint64_t version, const struct lc_pending *pending)
{
  return version > 0 && crew->instance != lc_instance (pending->hooks);
}

int
lc_crew_init (struct lc_crew *crew, const char *name)
{
  *crew = (struct lc_crew){0};
  if (lc_handle_init (&crew->handle, name, "") != 0)
    return ENOMEM;
  program_crew_begin (crew);
  return 0;
}

void
lc_crew_destroy (struct lc_crew *crew)
{
  lc_handle_destroy (&crew->handle);
}

/* Counts the recorded readers of this address space: the next write-start comes after that many read-ends. */
static void
count_read (struct lc_crew *crew, uint32_t instance)
{
  uint64_t before = __atomic_load_n (&crew->reads, __ATOMIC_RELAXED), after;

  do
    after = before >> 32 == instance ? before + 1 : (uint64_t)instance << 32 | 1;
  while (!__atomic_compare_exchange_n (&crew->reads, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static uint64_t
take_reads (struct lc_crew *crew, uint32_t instance)
{
  uint64_t reads = __atomic_exchange_n (&crew->reads, 0, __ATOMIC_RELAXED);

  return reads >> 32 == instance ? (uint32_t)reads : 0;
}

uint64_t
lc_read_start (struct lc_crew *crew)
{
  struct lc_pending pending = program_crew_begin (crew);
  uint64_t readers = __atomic_fetch_add (&crew->readers, 1, __ATOMIC_ACQUIRE), version;
  uint32_t turn;

  if (LC_UNLIKELY (readers & WRITER))
    {
      lc_pending_block (&pending, LC_READ_START, 0);
      /* The turn may already be the next writer's, which cannot write before this read has ended. */
      turn = lc_turn (&crew->turn);
      if ((turn & 1) == ((readers & ODD) != 0))
        lc_turn_await_other (&crew->turn, turn, READERS);
    }
  version = crew->version;
  if (LC_UNLIKELY (pending.hooks != NULL))
    {
      if (program_crew_is_unknown (crew, version, &pending))
        pending.flags |= LC_EVENT_UNKNOWN;
      if (pending.object != 0)
        count_read (crew, lc_instance (pending.hooks));
    }
  lc_pending_end (&pending, LC_READ_START, version, 0);
  return version;
}

void
lc_read_end (struct lc_crew *crew)
{
  struct lc_pending pending = program_crew_begin (crew);

  lc_pending_release (&pending, LC_READ_END, crew->version, 0);
  if (LC_UNLIKELY (__atomic_fetch_sub (&crew->readers, 1, __ATOMIC_RELEASE) & WRITER) &&
      __atomic_sub_fetch (&crew->draining, READER, __ATOMIC_RELEASE) == ASLEEP)
    lc_wake (&crew->draining, 1, LC_ANYONE);
}

/* Waits for `readers` readers; those that have left meanwhile are already subtracted. */
static void
program_crew_drain (struct lc_crew *crew, uint32_t readers, struct lc_pending *pending)
{
  uint32_t left = __atomic_add_fetch (&crew->draining, readers * READER, __ATOMIC_ACQUIRE);
  struct lc_patience patience = {0};

  if (left == 0)
    return;
  lc_pending_block (pending, LC_WRITE_START, 0);
  while (left != 0 && lc_look_again (&patience))
    left = __atomic_load_n (&crew->draining, __ATOMIC_ACQUIRE);
  if (left == 0)
    return;
  left = __atomic_or_fetch (&crew->draining, ASLEEP, __ATOMIC_ACQUIRE);
  while (left != ASLEEP)
    {
      lc_sleep (&crew->draining, left, LC_ANYONE);
      left = __atomic_load_n (&crew->draining, __ATOMIC_ACQUIRE);
    }
  __atomic_store_n (&crew->draining, 0, __ATOMIC_RELAXED);
}

uint64_t
lc_write_start (struct lc_crew *crew)
{
  struct lc_pending pending = program_crew_begin (crew);
  uint32_t ticket = __atomic_fetch_add (&crew->tickets, 1, __ATOMIC_RELAXED), readers;
  uint64_t version, reads = 0;

  if (LC_UNLIKELY (lc_turn (&crew->turn) != ticket))
    {
      lc_pending_block (&pending, LC_WRITE_START, 0);
      lc_turn_await (&crew->turn, ticket, writer_mask (ticket));
    }
  readers = (uint32_t)__atomic_fetch_add (&crew->readers, writer_bits (ticket), __ATOMIC_ACQUIRE);
  if (LC_UNLIKELY (readers != 0))
    program_crew_drain (crew, readers, &pending);
  version = ++crew->version;
  if (LC_UNLIKELY (pending.hooks != NULL))
    {
      reads = take_reads (crew, lc_instance (pending.hooks));
      if (program_crew_is_unknown (crew, version - 1, &pending))
        {
          pending.flags |= LC_EVENT_UNKNOWN;
          reads = 0;
        }
    }
  lc_pending_end (&pending, LC_WRITE_START, version, reads);
  return version;
}

void
lc_write_end (struct lc_crew *crew)
{
  struct lc_pending pending = program_crew_begin (crew);
  uint32_t ticket = lc_turn (&crew->turn);

  lc_pending_release (&pending, LC_WRITE_END, crew->version, 0);
  crew->instance = LC_UNLIKELY (pending.object != 0) ? lc_instance (pending.hooks) : 0;
  __atomic_fetch_sub (&crew->readers, writer_bits (ticket), __ATOMIC_RELEASE);
  lc_turn_set (&crew->turn, ticket + 1, READERS | writer_mask (ticket + 1));
}
