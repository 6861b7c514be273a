/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that linked libraries find in the recorder: see hooks.h. */
#include "hooks.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"
#include "recorder.h"
#include "regions.h"

static const uint8_t classes[LC_OPERATION_END] = {
#define X(identifier, number, name, class, layout) [number] = LC_CLASS_##class,
    LC_OPERATIONS (X)
#undef X
};

static inline enum lc_class
hooks_class_of (uint16_t operation)
{
  return operation < LC_OPERATION_END ? classes[operation] : LC_CLASS_NONE;
}

/* Appends an event in the layout of its operation, with `bytes` if the layout has them. */
static inline void
hooks_append (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end)
{
  const uint16_t operation = event->operation;

  if (LC_UNLIKELY (event->object == 0 && (event->flags & LC_EVENT_REQUEST) == 0))
    lc_count_lost (thread, LC_LOST_OBJECTS);
  else if (lc_layouts[operation] == LC_LAYOUT_COLLECTIVE)
    lc_append_collective (thread, operation, event->object, event->flags, lc_word (event->sequence, event->value),
                          event->bytes, begin, end);
  else
    lc_append (thread, operation, event->object, event->flags,
               lc_layouts[operation] == LC_LAYOUT_MESSAGE ? lc_message_word (event->sequence, event->bytes)
                                                          : lc_word (event->sequence, event->value),
               begin, end);
}

static inline size_t
hooks_size_of (uint16_t operation)
{
  return lc_layouts[operation] == LC_LAYOUT_COLLECTIVE ? sizeof (struct lc_event_collective)
                                                       : sizeof (struct lc_event_sync);
}

/* Appends an event of a request or a probe: tests in vain are told as one, and as the wait for what they have brought.
 */
static void
hooks_append_tested (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end)
{
  const uint64_t events = thread->events;

  switch (event->operation)
    {
    case LC_TEST_FAILED:
    case LC_PROBE_FAILED:
    case LC_FINISH_FAILED:
      if (lc_test_failed_again (thread, event, begin, end))
        return;
      hooks_append (thread, event, begin, end);
      lc_test_has_failed (thread, event, events, hooks_size_of (event->operation));
      return;
    case LC_COMPLETE:
    case LC_PROBE:
    case LC_FINISH_LOCAL:
    case LC_FINISH_FROM_ROOT:
    case LC_FINISH_AT_ROOT:
    case LC_FINISH_ALL:
      if (lc_test_succeeded (thread, event, begin, end, hooks_size_of (event->operation)))
        return;
      break;
    default:
      break;
    }
  hooks_append (thread, event, begin, end);
}

/* Converts the arguments of version 1, which passed bytes as the value. */
static struct lc_finished
event_of (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint8_t flags)
{
  struct lc_finished event = {.operation = operation, .flags = flags, .object = object, .sequence = sequence};

  if (lc_layouts[operation] == LC_LAYOUT_MESSAGE)
    event.bytes = value;
  else
    event.value = value;
  return event;
}

static uint32_t
new_object (const struct lc_object_record *record, const char *name)
{
  struct lc_slow slow;
  uint32_t id;

  if (lc_is_sandboxed ())
    return 0;
  lc_slow_begin (&slow);
  id = lc_object_new (record, name);
  lc_slow_end (&slow);
  return id;
}

static uint32_t
hook_object (enum lc_class class, const char *name, const void *address, uint64_t value)
{
  struct lc_thread *thread = lc_enter (class);
  struct lc_object_record record = {.object_class = (uint8_t) class,
                                    .kind = LC_KIND_LIBRARY,
                                    .address = (uint64_t)(uintptr_t)address,
                                    .value = value};

  if (thread == NULL)
    return 0;
  record.module = lc_stack (thread);
  return new_object (&record, name);
}

/* Reads the time after all earlier instructions, because marks and operations of the program measure how long those
 * took. */
static uint64_t
hook_now (void)
{
  return lc_now_after ();
}

static void
hook_block (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  struct lc_thread *thread = lc_enter (hooks_class_of (operation));

  if (thread != NULL)
    lc_block (thread, operation, object, sequence, begin);
}

static void
hook_unblock (void)
{
  if (lc_self != NULL)
    {
      lc_unblock (lc_self);
      lc_self->waiting_site = 0;
    }
}

static void
hook_acquire (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin, uint8_t flags)
{
  const struct lc_finished event = event_of (operation, object, sequence, value, flags);
  struct lc_thread *thread = lc_enter (hooks_class_of (operation));

  if (thread == NULL)
    return;
  lc_unblock (thread);
  hooks_append (thread, &event, begin, lc_now_after ());
}

static void
hook_release (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at)
{
  const struct lc_finished event = event_of (operation, object, sequence, value, 0);
  struct lc_thread *thread = lc_enter (hooks_class_of (operation));

  if (thread != NULL)
    hooks_append (thread, &event, at, at);
}

static void
hooks_hook_tag (uint32_t value)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);

  if (LC_LIKELY (thread != NULL))
    lc_append_tag (thread, value, 0, lc_site (thread), lc_now_after ());
}

/* The slot of a region; its `count` is the number of its limit. NULL: there is no room. */
static struct lc_slot *
region_slot (struct lc_thread *thread, const char *name)
{
  struct lc_slot *slot = lc_slot_at (thread, name, LC_CLASS_MARK);
  struct lc_object_record record = {.object_class = LC_CLASS_MARK, .kind = LC_KIND_LIBRARY};
  struct lc_slow slow;
  uint32_t id;

  if (LC_LIKELY (slot != NULL && lc_slot_id (slot) != 0))
    return slot;
  if (slot == NULL)
    return NULL;
  record.address = (uint64_t)(uintptr_t)name;
  lc_slow_begin (&slow);
  id = lc_object_new (&record, name);
  slot->count = name != NULL ? lc_region_limit (name) : 0;
  __atomic_store_n (&slot->id, id, __ATOMIC_RELEASE);
  lc_slow_end (&slow);
  return id != 0 ? slot : NULL;
}

static void
region_edge (uint16_t operation, const char *name, uint64_t at)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);
  struct lc_slot *slot;

  if (thread == NULL)
    return;
  slot = region_slot (thread, name);
  if (LC_UNLIKELY (slot == NULL))
    {
      lc_count_lost (thread, LC_LOST_OBJECTS);
      return;
    }
  if (at == 0)
    at = lc_now_after ();
  lc_append_mark (thread, operation, lc_slot_id (slot), at);
  if (LC_LIKELY (slot->count == 0))
    return;
  if (operation == LC_ENTER)
    lc_region_enter (thread, (uint32_t)slot->count, at);
  else
    lc_region_leave (thread, (uint32_t)slot->count, at);
}

static void
hooks_hook_enter (const char *name)
{
  region_edge (LC_ENTER, name, 0);
}

/* The time is read first: the end of a region does not include the search for its record. */
static void
hooks_hook_leave (const char *name)
{
  region_edge (LC_LEAVE, name, lc_now_after ());
}

/* Returns the calling thread, whichever classes are recorded. */
static struct lc_thread *
hooks_calling_thread (void)
{
  if (lc_classes == 0)
    return NULL;
  return lc_self != NULL ? lc_self : lc_enter_slow (UINT32_MAX);
}

static void
hooks_hook_name_process (const char *name)
{
  struct lc_thread *thread = hooks_calling_thread ();

  if (thread != NULL && name != NULL)
    lc_stream_name (thread, name);
}

static bool
write_snapshot (uint32_t number, const char *name, const double *matrix, size_t rows, size_t columns)
{
  static const char padding[8];
  const size_t length = strlen (name);
  struct lc_snapshot_header header = {
      .version = LC_SNAPSHOT_VERSION, .name_length = (uint32_t)length, .rows = rows, .columns = columns};
  const struct lc_part parts[] = {{&header, sizeof header},
                                  {name, length},
                                  {padding, (8 - length % 8) % 8},
                                  {matrix, rows * columns * sizeof *matrix}};

  memcpy (header.magic, "LCMATRIX", sizeof header.magic);
  return lc_pieces_write (LC_PIECE_SNAPSHOT, number, 0, parts, sizeof parts / sizeof parts[0]);
}

static void
hooks_hook_snapshot (const char *name, const double *matrix, size_t rows, size_t columns)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MARK);
  uint64_t begin;
  struct lc_slow slow;
  struct lc_slot *slot;
  uint32_t number;
  bool written;

  if (thread == NULL || name == NULL)
    return;
  begin = lc_now ();
  slot = region_slot (thread, name);
  number = __atomic_fetch_add (&lc_control->next_snapshot, 1, __ATOMIC_RELAXED);
  lc_slow_begin (&slow);
  written = write_snapshot (number, name, matrix, rows, columns);
  lc_slow_end (&slow);
  if (written && slot != NULL)
    lc_append (thread, LC_SNAPSHOT, lc_slot_id (slot), 0, lc_word (number, 0), begin, lc_now_after ());
  else
    lc_count_lost (thread, written ? LC_LOST_OBJECTS : lc_places_reason ());
}

/* --- MPI --------------------------------------------------------------------------------------------------- */

/* Tells whether the class is recorded, even for a suspended thread. */
static bool hooks_is_recorded (enum lc_class class)
{
  return lc_control != NULL && (lc_classes >> class & 1) != 0;
}

static struct lc_thread *enter_even_suspended (enum lc_class class)
{
  if (LC_UNLIKELY ((lc_classes >> class & 1) == 0))
    return NULL;
  if (lc_self != NULL)
    return lc_self;
  return lc_is_suspended () ? lc_suspended () : lc_enter_slow (1u << class);
}

static void
hook_await (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  struct lc_thread *thread = enter_even_suspended (hooks_class_of (operation));

  lc_tests_end ();
  if (thread != NULL)
    lc_block (thread, operation, object, sequence, begin);
}

static void
hook_append (const struct lc_finished *event)
{
  struct lc_thread *thread = enter_even_suspended (hooks_class_of (event->operation));
  uint64_t end = event->end;

  if (LC_UNLIKELY (thread == NULL))
    return;
  lc_unblock (thread);
  if (LC_UNLIKELY (end == 0))
    end = lc_now_after ();
  hooks_append_tested (thread, event, event->begin != 0 ? event->begin : end, end);
}

static void
hook_append_alone (const struct lc_finished *event)
{
  lc_tests_end ();
  hook_append (event);
}

static void
hook_append_detailed (const struct lc_finished *event, uint32_t detail)
{
  struct lc_thread *thread = enter_even_suspended (hooks_class_of (event->operation));
  uint64_t end = event->end != 0 ? event->end : lc_now_after ();

  if (thread == NULL)
    return;
  lc_unblock (thread);
  if (event->object == 0)
    lc_count_lost (thread, LC_LOST_OBJECTS);
  else
    lc_append_detailed (thread, lc_event_site (thread), detail, event->operation, event->object, event->flags,
                        lc_word (event->sequence, event->value), event->begin != 0 ? event->begin : end, end);
}

static uint32_t
hook_shared_object (enum lc_class class, const char *name, uint64_t value)
{
  const struct lc_object_record record = {.object_class = (uint8_t) class, .kind = LC_KIND_MPI, .value = value};

  return hooks_is_recorded (class) ? new_object (&record, name) : 0;
}

static uint32_t
hook_request (void)
{
  return hooks_is_recorded (LC_CLASS_CHANNEL) ? lc_request_new () : 0;
}

static void
hook_resolve (uint32_t request, uint32_t object, uint32_t sequence)
{
  if (hooks_is_recorded (LC_CLASS_CHANNEL))
    lc_request_resolve (request, object, sequence);
}

/* Names the thread "rank 3", unless the program has given it a name. */
static void
name_rank (struct lc_thread *thread, uint32_t rank)
{
  char name[16] = "rank ", digits[10];
  size_t length = strlen (name), count = 0;

  if (thread->named)
    return;
  do
    digits[count++] = (char)('0' + rank % 10);
  while ((rank /= 10) != 0);
  while (count > 0)
    name[length++] = digits[--count];
  lc_stream_name (thread, name);
}

static void
hook_rank (uint32_t rank, uint32_t ranks)
{
  struct lc_thread *thread = hooks_calling_thread ();
  struct lc_slow slow;

  if (thread == NULL)
    return;
  name_rank (thread, rank);
  lc_slow_begin (&slow);
  if (!lc_objects_rank (rank, ranks))
    lc_count_lost (thread, lc_places_reason ());
  lc_slow_end (&slow);
}

static void
hook_lost (enum lc_lost reason)
{
  struct lc_thread *thread = hooks_calling_thread ();

  if (thread != NULL)
    lc_count_lost (thread, reason);
}

static void
hook_topology (const char *text)
{
  size_t length = strlen (text);

  if (lc_control != NULL && length < sizeof lc_control->topology &&
      __atomic_exchange_n (&lc_control->has_topology, 1, __ATOMIC_RELAXED) == 0)
    memcpy (lc_control->topology, text, length);
}

static struct lc_shared_counter *
hook_counter (const char *name)
{
  return lc_control != NULL ? lc_counter (name) : NULL;
}

/* The first and the last sample matter: without room, a new one replaces the last. */
static void
hook_clock (uint64_t ticks, uint64_t reference, uint64_t error)
{
  const struct lc_clock_sample sample = {.ticks = ticks, .reference = reference, .error = error};
  uint32_t number;

  if (lc_control == NULL)
    return;
  number = __atomic_load_n (&lc_control->n_clock_samples, __ATOMIC_RELAXED);
  while (number < LC_CLOCK_SAMPLES && !__atomic_compare_exchange_n (&lc_control->n_clock_samples, &number, number + 1,
                                                                    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  lc_control->clock_samples[number < LC_CLOCK_SAMPLES ? number : LC_CLOCK_SAMPLES - 1] = sample;
}

static uint64_t
hook_since_start (uint64_t ticks)
{
  if (lc_control == NULL || ticks < lc_control->start)
    return 0;
  return (uint64_t)((unsigned __int128)(ticks - lc_control->start) * 1000000000 / lc_control->frequency);
}

static void
hook_name_object (const void *address, const char *name)
{
  const struct lc_object_record record = {.object_class = LC_CLASS_NAME, .address = (uint64_t)(uintptr_t)address};

  if (*name != '\0' && lc_classes != 0)
    new_object (&record, name);
}

static uint32_t
hook_place (enum lc_class class, enum lc_kind kind, const void *address)
{
  struct lc_thread *thread = enter_even_suspended (class);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, address, class, kind) : NULL;

  return slot != NULL ? lc_slot_id (slot) : 0;
}

static void
hook_make (uint32_t process, uint32_t processes, const void *function)
{
  if (lc_control != NULL)
    lc_thread_expect (process, processes, function);
}

static void
hooks_raise (uint64_t *number, uint64_t to)
{
  uint64_t before = __atomic_load_n (number, __ATOMIC_RELAXED);

  while (before < to && !__atomic_compare_exchange_n (number, &before, to, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    ;
}

static void
hooks_lock (const struct lc_thread *thread, struct lc_slot *slot, struct lc_finished *event)
{
  if (event->operation == LC_WRITE_START)
    {
      event->value = slot->count;
      slot->count = 0;
    }
  event->sequence = ++slot->sequence;
  slot->owner = (uint64_t)thread->process + 1;
  slot->depth = 1;
}

/* Brings the slot to where the event's own wrapper would have. */
static void
hooks_count (const struct lc_thread *thread, struct lc_slot *slot, struct lc_finished *event)
{
  switch (event->operation)
    {
    case LC_LOCK:
    case LC_WRITE_START:
      hooks_lock (thread, slot, event);
      break;
    case LC_READ_START:
      __atomic_fetch_add (&slot->count, 1, __ATOMIC_RELAXED);
      event->sequence = slot->sequence;
      break;
    case LC_UNLOCK:
    case LC_WRITE_END:
      slot->owner = 0;
      event->sequence = slot->sequence;
      break;
    case LC_READ_END:
      event->sequence = slot->sequence;
      break;
    case LC_POST:
      hooks_raise (&slot->count, event->sequence);
      break;
    case LC_WAIT:
      hooks_raise (&slot->taken, event->sequence);
      break;
    case LC_SIGNAL:
    case LC_BROADCAST:
      hooks_raise (&slot->sequence, event->sequence);
      break;
    case LC_BARRIER:
      hooks_raise (&slot->sequence, (event->sequence + 1) * event->value);
      break;
    default:
      break;
    }
}

static void
hook_carry_on (const struct lc_finished *event, enum lc_kind kind, const void *address)
{
  const enum lc_class class = hooks_class_of (event->operation);
  struct lc_thread *thread = enter_even_suspended (class);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, address, class, kind) : NULL;
  struct lc_finished counted = *event;

  if (slot != NULL)
    hooks_count (thread, slot, &counted);
  counted.object = slot != NULL ? lc_slot_id (slot) : 0;
  hook_append (&counted);
}

/* The site is that of the operation that comes next, though nothing of that is told yet. */
static uint32_t
hook_say (uint32_t value, uint32_t record, const char *text)
{
  const struct lc_object_record made = {.object_class = LC_CLASS_MARK, .kind = LC_KIND_LIBRARY};
  struct lc_thread *thread = enter_even_suspended (LC_CLASS_MARK);

  if (thread == NULL)
    return record;
  if (record == 0)
    record = new_object (&made, text);
  if (record != 0)
    lc_append_tag (thread, value, record, lc_site (thread), lc_now_after ());
  else
    lc_count_lost (thread, LC_LOST_OBJECTS);
  return record;
}

static void
hook_set_paused (bool paused)
{
  if (lc_control != NULL)
    lc_control_set_paused (lc_control, paused, lc_now ());
}

extern const struct lc_hooks lc_record_hooks_1;

LC_EXPORT const struct lc_hooks lc_record_hooks_1 = {
    .version = LC_HOOKS_VERSION,
    .classes = &lc_classes,
    .instance = &lc_instance,
    .object = hook_object,
    .now = hook_now,
    .block = hook_block,
    .acquire = hook_acquire,
    .release = hook_release,
    .tag = hooks_hook_tag,
    .enter = hooks_hook_enter,
    .leave = hooks_hook_leave,
    .name_process = hooks_hook_name_process,
    .snapshot = hooks_hook_snapshot,
    .suspend = lc_suspend,
    .resume = lc_resume,
    .clock_is_tsc = &lc_clock_is_tsc,
    .await = hook_await,
    .shared_object = hook_shared_object,
    .append = hook_append,
    .request = hook_request,
    .resolve = hook_resolve,
    .rank = hook_rank,
    .topology = hook_topology,
    .counter = hook_counter,
    .clock = hook_clock,
    .since_start = hook_since_start,
    .unblock = hook_unblock,
    .is_suspended = lc_is_suspended,
    .lost = hook_lost,
    .set_paused = hook_set_paused,
    .name_object = hook_name_object,
    .place = hook_place,
    .make = hook_make,
    .append_detailed = hook_append_detailed,
    .carry_on = hook_carry_on,
    .append_alone = hook_append_alone,
    .say = hook_say,
};
