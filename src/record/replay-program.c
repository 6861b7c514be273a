/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the objects of lightcone/record.h, which take this library for the recorder. */
#include "hooks.h"
#include "replay.h"

uint32_t lc_replay_library_classes;

static const uint32_t replay_instance = 1;
/* The calling thread initializes an object: its next operation may be far away. */
static __thread bool replay_initializes __attribute__ ((tls_model ("initial-exec")));

static uint32_t replay_made;               /* how many objects there have been */
static const void *replay_addresses[4096]; /* of them, by number - 1; of those after them nothing is compared */

static void
replay_hook_made (const void *address, enum lc_class class, uint32_t record)
{
  struct lc_replay_place *place;

  lc_replay_made (address, class);
  place = lc_replay_place (address, class);
  if (place != NULL)
    place->record = record;
}

/* Numbers an object, whose address may have been another's. */
static uint32_t
replay_hook_object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  uint32_t number = __atomic_fetch_add (&replay_made, 1, __ATOMIC_RELAXED);
  uint32_t record = lc_replay_recorder != NULL ? lc_replay_recorder->object (class, name, address, value) : 0;

  replay_initializes = true;
  replay_hook_made (address, class, record);
  if (class == LC_CLASS_CHANNEL)
    replay_hook_made ((const char *)address + 1, class, record);
  if (number < sizeof replay_addresses / sizeof replay_addresses[0])
    __atomic_store_n (&replay_addresses[number], address, __ATOMIC_RELEASE);
  return number + 1;
}

static enum lc_class
replay_hook_class_of (uint16_t operation)
{
  static const uint8_t classes[LC_OPERATION_END] = {
#define X(identifier, number, name, class, layout) [number] = LC_CLASS_##class,
      LC_OPERATIONS (X)
#undef X
  };

  return operation < LC_OPERATION_END ? classes[operation] : LC_CLASS_NONE;
}

static struct lc_replayed *
replay_hook_enter (void)
{
  const uint32_t classes = lc_replay_library_classes & LC_REPLAY_LIBRARY;

  return classes != 0 ? lc_replay_enter ((enum lc_class)__builtin_ctz (classes)) : NULL;
}

/* The receiving side of a channel is an object of its own, one byte into it. */
static struct lc_replay_call
replay_hook_call (uint16_t operation, uint32_t object)
{
  bool is_known = object > 0 && object <= sizeof replay_addresses / sizeof replay_addresses[0];
  const char *address = is_known ? __atomic_load_n (&replay_addresses[object - 1], __ATOMIC_ACQUIRE) : NULL;

  if (address != NULL && operation == LC_RECV)
    address++;
  return (struct lc_replay_call){replay_hook_class_of (operation), operation, 0, address, 0};
}

/* An operation reads the time before it decides anything: here it waits for its turn. It is not yet known which one it
 * is, but only those that have turns come here. */
static uint64_t
replay_hook_now (void)
{
  struct lc_replayed *self = replay_hook_enter ();
  uint64_t now = lc_replay_recorder != NULL ? lc_replay_recorder->now () : 1;

  if (self != NULL)
    self->began = now;
  if (self != NULL && !replay_initializes)
    lc_replay_await_library (self);
  replay_initializes = false;
  return self != NULL ? self->began : now; /* which is later after a probe */
}

/* Indices are the program's own. It may await another one than it did, which may never be advanced. */
static void
replay_hook_await (uint64_t index)
{
  struct lc_replayed *self = replay_hook_enter ();

  if (self == NULL)
    return;
  __atomic_store_n (&self->thread->index, index, __ATOMIC_RELAXED);
  __atomic_store_n (&self->thread->state, LC_REPLAY_AWAITING, __ATOMIC_RELEASE);
}

static void
replay_hook_awaited (void)
{
  struct lc_replayed *self = lc_replay_self;

  if (self != NULL && self->thread->state == LC_REPLAY_AWAITING)
    __atomic_store_n (&self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
}

/* A message has its number from here on, and the next one may be sent or received before this one has come. */
static void
replay_hook_block (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  const struct lc_replay_call call = replay_hook_call (operation, object);
  struct lc_replayed *self = call.class == LC_CLASS_CHANNEL ? replay_hook_enter () : NULL;
  const struct lc_replay_event *event = self != NULL ? lc_replay_turn (self, &call) : NULL;

  if (operation == LC_AWAIT)
    replay_hook_await (sequence);
  if (event == NULL)
    return;
  lc_replay_step_early (self, event);
  lc_replay_leave (self);
}

static void
replay_hook_tell (uint16_t operation, uint32_t object)
{
  const struct lc_replay_call call = replay_hook_call (operation, object);
  struct lc_replayed *self = replay_hook_enter ();
  const struct lc_replay_event *event = self != NULL ? lc_replay_turn (self, &call) : NULL;

  if (event != NULL && operation == LC_WAIT_FAILED)
    lc_replay_failed (self, event);
  else if (event != NULL)
    lc_replay_done (self, event);
}

/* An arrival is a step; the threads of a generation wait for all of them, as at a barrier of POSIX. */
static enum lc_forecast
replay_hook_gather (struct lc_replayed *self, uint32_t object)
{
  const struct lc_replay_call call = replay_hook_call (LC_BARRIER, object);
  const struct lc_replay_event *event = lc_replay_turn (self, &call);
  bool is_complete;

  if (event == NULL)
    return LC_FORECAST_NONE;
  lc_replay_step (event->object);
  is_complete = lc_replay_await (self, event->object, event->after + event->value, LC_REPLAY_GATHERING);
  lc_replay_done (self, event);
  if (!is_complete)
    return LC_FORECAST_NONE;
  return (event->flags & LC_EVENT_CONTENDED) != 0 ? LC_FORECAST_NO : LC_FORECAST_YES;
}

static enum lc_forecast
replay_hook_forecast (uint16_t operation, uint32_t object)
{
  struct lc_replay_call call = replay_hook_call (operation, object);
  struct lc_replayed *self = replay_hook_enter ();
  const struct lc_replay_event *event;

  if (self == NULL)
    return LC_FORECAST_NONE;
  if (operation == LC_BARRIER)
    return replay_hook_gather (self, object);
  call.failed = LC_WAIT_FAILED;
  event = lc_replay_turn (self, &call);
  if (event == NULL)
    return LC_FORECAST_NONE;
  lc_replay_leave (self);
  return event->operation == LC_WAIT ? LC_FORECAST_YES : LC_FORECAST_NO;
}

static void
replay_hook_acquire (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin,
                     uint8_t flags)
{
  if (operation == LC_AWAIT)
    replay_hook_awaited ();
  replay_hook_tell (operation, object);
}

/* It comes before the release takes effect: whoever has its turn then waits for that in the crew itself. */
static void
replay_hook_release (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at)
{
  replay_hook_tell (operation, object);
}

/* --- What has no turns, and is only recorded ----------------------------------------------------------------- */

static void
replay_hook_tag (uint32_t value)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->tag (value);
}

static void
replay_hook_region_begins (const char *name)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->enter (name);
}

static void
replay_hook_region_ends (const char *name)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->leave (name);
}

static void
replay_hook_name (const char *name)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->name_process (name);
}

static void
replay_hook_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
  if (lc_replay_recorder != NULL)
    lc_replay_recorder->snapshot (name, matrix, rows, columns);
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
    .enter = replay_hook_region_begins,
    .leave = replay_hook_region_ends,
    .name_process = replay_hook_name,
    .snapshot = replay_hook_snapshot,
};

extern const struct lc_replay_hooks lc_replay_hooks_1;

LC_REPLAY_EXPORT const struct lc_replay_hooks lc_replay_hooks_1 = {.version = 2,
                                                                   .forecast = replay_hook_forecast,
                                                                   .suspend = lc_replay_suspend,
                                                                   .resume = lc_replay_resume,
                                                                   .process = lc_replay_get_process,
                                                                   .recorder = lc_replay_find_recorder};
