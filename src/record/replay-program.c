/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the crews of lightcone/record.h, and its advances, which take this library for the recorder. */
#include "hooks.h"
#include "replay.h"

uint32_t lc_replay_library_classes;

static const uint32_t replay_instance = 1;
/* The calling thread initializes an object: its next operation may be far away. */
static __thread bool replay_initializes __attribute__ ((tls_model ("initial-exec")));

static uint32_t replay_made;               /* how many objects there have been */
static const void *replay_addresses[4096]; /* of them, by number - 1; of those after them nothing is compared */

/* Numbers an object, whose address may have been another's. */
static uint32_t
replay_hook_object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  uint32_t number = __atomic_fetch_add (&replay_made, 1, __ATOMIC_RELAXED);

  replay_initializes = true;
  lc_replay_made (address, class);
  if (number < sizeof replay_addresses / sizeof replay_addresses[0])
    __atomic_store_n (&replay_addresses[number], address, __ATOMIC_RELEASE);
  return number + 1;
}

static struct lc_replayed *
replay_hook_enter (void)
{
  struct lc_replayed *self = lc_replay_enter (LC_CLASS_CREW);

  return self != NULL ? self : lc_replay_enter (LC_CLASS_ADVANCE);
}

/* An operation reads the time before it decides anything: here it waits for its turn. It is not yet known which one it
 * is, but only those that have turns come here. */
static uint64_t
replay_hook_now (void)
{
  struct lc_replayed *self = replay_hook_enter ();

  if (self != NULL && !replay_initializes)
    lc_replay_await_library (self);
  replay_initializes = false;
  return 1;
}

static void
replay_hook_block (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
}

static void
replay_hook_tell (uint16_t operation, uint32_t object)
{
  bool is_known = object > 0 && object <= sizeof replay_addresses / sizeof replay_addresses[0];
  const void *address = is_known ? __atomic_load_n (&replay_addresses[object - 1], __ATOMIC_ACQUIRE) : NULL;
  const bool is_advance = operation == LC_ADVANCE || operation == LC_AWAIT;
  const struct lc_replay_call call = {is_advance ? LC_CLASS_ADVANCE : LC_CLASS_CREW, operation, 0, address, 0};
  struct lc_replayed *self = replay_hook_enter ();
  const struct lc_replay_event *event = self != NULL ? lc_replay_turn (self, &call) : NULL;

  if (event != NULL)
    lc_replay_done (self, event);
}

static void
replay_hook_acquire (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin,
                     uint8_t flags)
{
  replay_hook_tell (operation, object);
}

/* It comes before the release takes effect: whoever has its turn then waits for that in the crew itself. */
static void
replay_hook_release (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at)
{
  replay_hook_tell (operation, object);
}

static void
replay_hook_tag (uint32_t value)
{
}

static void
replay_hook_name (const char *name)
{
}

static void
replay_hook_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
}

extern const struct lc_hooks lc_record_hooks_1;

LC_REPLAY_EXPORT const struct lc_hooks lc_record_hooks_1 = {
    .version = 1,
    .classes = &lc_replay_library_classes,
    .instance = &replay_instance,
    .object = replay_hook_object,
    .now = replay_hook_now,
    .block = replay_hook_block,
    .acquire = replay_hook_acquire,
    .release = replay_hook_release,
    .tag = replay_hook_tag,
    .enter = replay_hook_name,
    .leave = replay_hook_name,
    .name_process = replay_hook_name,
    .snapshot = replay_hook_snapshot,
};
