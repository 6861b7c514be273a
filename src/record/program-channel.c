/* SPDX-License-Identifier: Apache-2.0 */
/* Message channels: a ring of buffers, in which a message has its place as soon as its number is taken. */
#include "program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Phases of a slot; its turn is the round of its message (number / slots) << 2, and a phase. */
enum phase
{
  FREE,
  FULL,
  TAKING, /* the receiver of a rendezvous has come */
};

struct slot
{
  uint64_t turn;
  uint64_t waiting; /* next round that is not free yet << 32 | bits: bit r means that the sender r rounds later waits */
  size_t bytes;
  uint32_t instance; /* address space that recorded the send */
  uint32_t rendezvous;
  unsigned char message[];
};

enum
{
  SLOT_ALIGNMENT = 64,
  MASK_ROUNDS = 16,
  WAITING_ROUNDS = 32
};

static uint32_t
turn_of (uint32_t round, enum phase phase)
{
  return round << 2 | phase;
}

static uint32_t
sender_mask (uint32_t round)
{
  return UINT32_C (1) << round % MASK_ROUNDS;
}

static uint32_t
receiver_mask (uint32_t round)
{
  return sender_mask (round) << MASK_ROUNDS;
}

static uint32_t
round_of (const struct lc_channel *channel, uint64_t number)
{
  return (uint32_t)(number / channel->slot_count);
}

static struct slot *
program_channel_slot_of (const struct lc_channel *channel, uint64_t number)
{
  return (struct slot *)(void *)((char *)channel->slots + number % channel->slot_count * channel->slot_bytes);
}

static struct lc_pending
program_channel_begin (struct lc_channel *channel)
{
  return lc_pending_begin (LC_CLASS_CHANNEL, &channel->handle, channel, channel->slot_count);
}

_Static_assert(sizeof (void *) != 8 || offsetof (struct lc_channel, room) == LC_CHANNEL_ROOM, "readers know it");

/* A replay is not told of it: who comes too early for a free buffer is another one each time. */
static struct lc_pending
begin_room (struct lc_channel *channel)
{
  if (LC_UNLIKELY (lc_program_replay != NULL))
    return (struct lc_pending){0};
  return lc_pending_begin (LC_CLASS_SEMAPHORE, &channel->room, &channel->room, channel->slot_count);
}

/* --- Making and destroying --------------------------------------------------------------------------------- */

static int
make_slots (struct lc_channel *channel, uint32_t slots, size_t bytes)
{
  size_t slot_bytes, total;

  if (__builtin_add_overflow (bytes, sizeof (struct slot) + SLOT_ALIGNMENT - 1, &slot_bytes))
    return ENOMEM;
  slot_bytes -= slot_bytes % SLOT_ALIGNMENT;
  if (__builtin_mul_overflow (slot_bytes, slots, &total) || total > PTRDIFF_MAX)
    return ENOMEM;
  channel->slots = aligned_alloc (SLOT_ALIGNMENT, total);
  if (channel->slots == NULL)
    return ENOMEM;
  channel->slot_bytes = slot_bytes;
  channel->slot_count = slots;
  channel->limit = bytes;
  for (uint32_t i = 0; i < slots; i++)
    *program_channel_slot_of (channel, i) = (struct slot){.turn = turn_of (0, FREE), .waiting = UINT64_C (1) << 32};
  return 0;
}

int
lc_channel_init (struct lc_channel *channel, const char *name, uint32_t slots, size_t bytes)
{
  *channel = (struct lc_channel){0};
  if (slots == 0)
    return EINVAL;
  if (make_slots (channel, slots, bytes) != 0 || lc_handle_init (&channel->handle, name, "") != 0 ||
      lc_handle_init (&channel->room, name, ".room") != 0)
    {
      lc_channel_destroy (channel);
      return ENOMEM;
    }
  program_channel_begin (channel);
  begin_room (channel);
  return 0;
}

void
lc_channel_destroy (struct lc_channel *channel)
{
  free (channel->slots);
  channel->slots = NULL;
  lc_handle_destroy (&channel->handle);
  lc_handle_destroy (&channel->room);
}

/* --- Room -------------------------------------------------------------------------------------------------- */

enum answer
{
  SAID,
  TOO_LATE,
  TOO_EARLY
};

/* Tells the receiver that will make room for this round that the round's sender waits. */
static enum answer
say_waiting (struct slot *slot, uint32_t round)
{
  uint64_t before = __atomic_load_n (&slot->waiting, __ATOMIC_RELAXED), after;

  do
    {
      uint32_t ahead = round - (uint32_t)(before >> 32);

      if (ahead > INT32_MAX)
        return TOO_LATE;
      if (ahead >= WAITING_ROUNDS)
        return TOO_EARLY;
      after = before | UINT64_C (1) << ahead;
    }
  while (!__atomic_compare_exchange_n (&slot->waiting, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return SAID;
}

/* Called by the receiver before it makes room for the sender of this round: returns whether that sender waits.
 * Afterwards it is too late for it to say so. */
static bool
close_waiting (struct slot *slot, uint32_t round)
{
  uint64_t before = __atomic_load_n (&slot->waiting, __ATOMIC_RELAXED), after;

  do
    after = (uint64_t)(round + 1) << 32 | (uint32_t)before >> 1;
  while (!__atomic_compare_exchange_n (&slot->waiting, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return before & 1;
}

/* Waits because the slot for message `number` is full; `pending` is the send. */
static void
wait_for_room (struct lc_channel *channel, struct slot *slot, uint64_t number, uint16_t operation,
               struct lc_pending *pending)
{
  struct lc_pending room = begin_room (channel);
  uint32_t round = round_of (channel, number), turn = lc_turn (&slot->turn);
  enum answer answer = LC_LIKELY (room.hooks == NULL) ? TOO_LATE : say_waiting (slot, round);

  if (answer == TOO_LATE)
    {
      lc_pending_block (pending, operation, number);
      lc_turn_await (&slot->turn, turn_of (round, FREE), sender_mask (round));
      return;
    }
  lc_pending_block (&room, LC_WAIT, number + 1);
  while (answer == TOO_EARLY)
    {
      lc_turn_await_other (&slot->turn, turn, sender_mask (round));
      turn = lc_turn (&slot->turn);
      answer = say_waiting (slot, round);
    }
  lc_turn_await (&slot->turn, turn_of (round, FREE), sender_mask (round));
  if (answer == TOO_LATE)
    room.flags |= LC_EVENT_UNKNOWN;
  lc_pending_end (&room, LC_WAIT, number + 1, 0);
  *pending = program_channel_begin (channel);
}

/* Makes room for the sender of message `number`. */
static void
program_channel_make_room (struct lc_channel *channel, struct slot *slot, uint64_t number)
{
  uint32_t round = round_of (channel, number);

  if (LC_UNLIKELY (lc_program_recorder_of (LC_CLASS_SEMAPHORE) != NULL) && close_waiting (slot, round))
    {
      struct lc_pending room = begin_room (channel);

      lc_pending_release (&room, LC_POST, number + 1, 0);
    }
  lc_turn_set (&slot->turn, turn_of (round, FREE), sender_mask (round));
}

/* --- Messages ---------------------------------------------------------------------------------------------- */

static void
program_channel_fill (struct slot *slot, const void *message, size_t bytes, bool rendezvous,
                      const struct lc_pending *pending)
{
  slot->bytes = bytes;
  if (bytes > 0)
    memcpy (slot->message, message, bytes);
  slot->rendezvous = rendezvous;
  slot->instance = LC_UNLIKELY (pending->object != 0) ? lc_instance (pending->hooks) : 0;
}

/* Waits until a receiver takes the message, which may already have happened. */
static void
program_channel_meet (struct slot *slot, uint32_t round, uint64_t number, struct lc_pending *pending)
{
  uint32_t full = turn_of (round, FULL);

  if (lc_turn (&slot->turn) != full)
    return;
  lc_pending_block (pending, LC_SSEND, number);
  lc_turn_await_other (&slot->turn, full, sender_mask (round));
}

static void
program_channel_send (struct lc_channel *channel, const void *message, size_t bytes, bool rendezvous)
{
  struct lc_pending pending = program_channel_begin (channel);
  uint16_t operation = rendezvous ? LC_SSEND : LC_SEND;
  uint64_t number;
  uint32_t round;
  struct slot *slot;

  if (LC_UNLIKELY (bytes > channel->limit))
    lc_program_fatal (&channel->handle, ": message too long: ", bytes);
  number = __atomic_fetch_add (&channel->sent, 1, __ATOMIC_RELAXED);
  round = round_of (channel, number);
  slot = program_channel_slot_of (channel, number);
  if (lc_turn (&slot->turn) != turn_of (round, FREE))
    wait_for_room (channel, slot, number, operation, &pending);
  program_channel_fill (slot, message, bytes, rendezvous, &pending);
  if (!rendezvous)
    lc_pending_end (&pending, LC_SEND, number, bytes);
  lc_turn_set (&slot->turn, turn_of (round, FULL), receiver_mask (round));
  if (rendezvous)
    {
      program_channel_meet (slot, round, number, &pending);
      lc_pending_end (&pending, LC_SSEND, number, bytes);
    }
}

void
lc_send (struct lc_channel *channel, const void *message, size_t bytes)
{
  program_channel_send (channel, message, bytes, false);
}

void
lc_send_rendezvous (struct lc_channel *channel, const void *message, size_t bytes)
{
  program_channel_send (channel, message, bytes, true);
}

size_t
lc_receive (struct lc_channel *channel, void *message)
{
  struct lc_pending pending = program_channel_begin (channel);
  uint64_t number = __atomic_fetch_add (&channel->received, 1, __ATOMIC_RELAXED);
  uint32_t round = round_of (channel, number), full = turn_of (round, FULL);
  struct slot *slot = program_channel_slot_of (channel, number);
  size_t bytes;

  if (lc_turn (&slot->turn) != full)
    {
      lc_pending_block (&pending, LC_RECV, number);
      lc_turn_await (&slot->turn, full, receiver_mask (round));
    }
  if (slot->rendezvous)
    lc_turn_set (&slot->turn, turn_of (round, TAKING), sender_mask (round));
  bytes = slot->bytes;
  if (bytes > 0)
    memcpy (message, slot->message, bytes);
  if (LC_UNLIKELY (pending.hooks != NULL && slot->instance != lc_instance (pending.hooks)))
    pending.flags |= LC_EVENT_UNKNOWN;
  lc_pending_end (&pending, LC_RECV, number, bytes);
  program_channel_make_room (channel, slot, number + channel->slot_count);
  return bytes;
}
