/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of a process: packets, each written in a place and then left to be added to ctf/process-N. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "places.h"
#include "recorder.h"

enum
{
  RETRY_AFTER = 2,        /* lost events, after which a place may be free again */
  FIRST_BYTES = 4 * 4096, /* of a place that a thread begins to write in */
  POPULATE_WRITE = 23,    /* MADV_POPULATE_WRITE, younger than some headers and systems */
};

void
lc_count_lost (struct lc_thread *thread, enum lc_lost reason)
{
  if (thread != NULL && thread->packet != NULL)
    {
      thread->packet->lost[reason]++;
      thread->packet->events_discarded++;
    }
  if (thread == NULL || thread->packet == NULL || thread->packet == &thread->header)
    __atomic_add_fetch (&lc_control->lost[reason], 1, __ATOMIC_RELAXED);
  if (thread != NULL && thread->packet == &thread->header)
    thread->lost_apart[reason]++;
}

void
lc_stream_name (struct lc_thread *thread, const char *name)
{
  size_t length = strlen (name);
  char *to = thread->packet->name;

  if (length > sizeof thread->packet->name - 1)
    {
      length = sizeof thread->packet->name - 1;
      while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--; /* never cuts within a character */
    }
  memset (to, 0, sizeof thread->packet->name);
  memcpy (to, name, length);
  thread->named = true;
}

void
lc_stream_system_name (struct lc_thread *thread, const char *name)
{
  char *to = thread->packet->name;

  memset (thread->system_name, 0, sizeof thread->system_name);
  memcpy (thread->system_name, name, strnlen (name, sizeof thread->system_name - 1));
  if (thread->named)
    return;
  memset (to, 0, sizeof thread->packet->name);
  memcpy (to, thread->system_name, sizeof thread->system_name);
}

/* Leaves the place. No events are written until there is another one; the header is kept, and losses are counted in
 * it. */
static void
stream_leave_place (struct lc_thread *thread)
{
  thread->packet = &thread->header;
  thread->next = thread->limit = NULL;
}

/* Moves losses that were counted for the whole program to the stream. */
static void
stream_take_losses (struct lc_thread *thread)
{
  for (int i = 0; i < LC_LOST_REASONS; i++)
    {
      if (thread->lost_apart[i] != 0)
        __atomic_sub_fetch (&lc_control->lost[i], thread->lost_apart[i], __ATOMIC_RELAXED);
      thread->lost_apart[i] = 0;
    }
}

/*
 * Begins the next packet with the header of the last one, where that one ended. The magic number is written last,
 * because it makes the place valid.
 */
static void
stream_use_place (struct lc_thread *thread, struct lc_packet *packet)
{
  packet->magic = 0;
  LC_COMPILER_BARRIER ();
  memcpy ((char *)packet + sizeof packet->magic, (const char *)&thread->header + sizeof packet->magic,
          sizeof *packet - sizeof packet->magic);
  packet->content_size = packet->packet_size = sizeof *packet * 8;
  packet->timestamp_begin = packet->timestamp_end = thread->last;
  packet->packet_seq_num = thread->packets;
  packet->first_ordinal = thread->events;
  packet->stream_offset = thread->stream_size;
  __atomic_store_n (&packet->magic, LC_CTF_MAGIC, __ATOMIC_RELEASE);
  thread->next = (unsigned char *)packet + sizeof *packet;
  thread->limit = (unsigned char *)packet + FIRST_BYTES;
  thread->packet = packet;
  stream_take_losses (thread);
}

static bool
stream_find_place (struct lc_thread *thread)
{
  struct lc_packet *packet = LC_UNLIKELY (lc_control->lossless) ? lc_place_wait () : lc_place_take ();

  if (packet == NULL)
    return false;
  stream_use_place (thread, packet);
  return true;
}

/* Initializes the header without a system call, because a thread may be born in a sandbox. The name is that of its
 * creator. */
static void
stream_describe (struct lc_thread *thread)
{
  struct lc_packet *header = &thread->header;

  memset (header, 0, sizeof *header);
  memcpy (header->uuid, lc_control->uuid, sizeof header->uuid);
  header->process = thread->process;
  header->instance = lc_instance - 1;
  header->pid = lc_pid;
  header->thread = lc_thread_id ();
  header->parent = thread->parent;
  header->format_version = LC_FORMAT_VERSION;
  header->start_site = thread->start_site;
  memcpy (header->name, thread->system_name, sizeof thread->system_name);
}

void
lc_stream_open (struct lc_thread *thread)
{
  stream_describe (thread);
  stream_leave_place (thread);
  thread->last = thread->begun = lc_now ();
  if (!stream_find_place (thread))
    thread->retry = RETRY_AFTER;
}

/* Gives the place away after keeping its header; nothing is written to the place any more. */
static void
stream_give_place (struct lc_thread *thread)
{
  struct lc_packet *packet = thread->packet;

  packet->timestamp_end = thread->last;
  packet->packet_size = packet->content_size;
  thread->stream_size += packet->packet_size / 8;
  thread->packets++;
  memcpy (&thread->header, packet, sizeof thread->header);
  stream_leave_place (thread);
  LC_COMPILER_BARRIER ();
  lc_place_give (packet);
}

/*
 * Has the system find memory for all of the place at once: a fault for each page takes longer in sum, and would count
 * as the program's time and not as the recorder's pause. Threads that write little never come here.
 */
static void
stream_populate (struct lc_thread *thread)
{
  const int error = errno;

  if (!lc_is_sandboxed ())
    madvise (thread->packet, LC_HEAD_BYTES, POPULATE_WRITE);
  errno = error;
  thread->limit = (unsigned char *)thread->packet + LC_HEAD_BYTES;
}

/* Goes on in the rest of the place. False: there is no rest. */
static bool
stream_extend (struct lc_thread *thread)
{
  uint64_t begin;

  if (thread->packet == &thread->header || thread->limit == (unsigned char *)thread->packet + LC_HEAD_BYTES)
    return false;
  begin = lc_now ();
  stream_populate (thread);
  thread->pause = begin;
  return true;
}

static bool
stream_next_packet (struct lc_thread *thread)
{
  uint64_t begin;

  if (thread->packet == &thread->header)
    return stream_find_place (thread);
  begin = lc_now ();
  stream_give_place (thread);
  if (!stream_find_place (thread))
    return false;
  stream_populate (thread);
  thread->pause = begin;
  return true;
}

bool
lc_stream_rotate (struct lc_thread *thread)
{
  if (LC_UNLIKELY (thread->packet == NULL))
    lc_thread_is_forked (thread);
  if (stream_extend (thread))
    return true;
  if (thread->retry == 0)
    {
      if (stream_next_packet (thread))
        return true;
      thread->retry = RETRY_AFTER;
    }
  else
    thread->retry--;
  for (; thread->deferred_done != thread->deferred; thread->deferred_done++)
    lc_count_lost (thread, lc_places_reason ());
  lc_count_lost (thread, lc_places_reason ());
  thread->state &= ~(uint32_t)LC_THREAD_APPENDING;
  return false;
}

/* Later events are written to another place. */
void
lc_stream_rest (struct lc_thread *thread)
{
  if (thread->packet != &thread->header && thread->packet->content_size > sizeof *thread->packet * 8)
    stream_give_place (thread);
}

/* Closes the stream, as the last act of its thread. */
void
lc_stream_close (struct lc_thread *thread)
{
  thread->packet->state = LC_STATE_ENDED;
  thread->packet->is_last = 1;
  if (thread->packet != &thread->header)
    stream_give_place (thread);
  stream_leave_place (thread);
}

const uint8_t lc_layouts[LC_OPERATION_END] = {
#define X(identifier, number, name, class, layout) [number] = LC_LAYOUT_##layout,
    LC_OPERATIONS (X)
#undef X
};

static void
append_at (struct lc_thread *thread, const struct lc_deferred *event, uint64_t at)
{
  uint8_t flags = event->flags | LC_EVENT_INTERRUPTED;

  if (lc_layouts[event->operation] == LC_LAYOUT_MARK)
    lc_append_mark (thread, event->operation, event->object, at);
  else if (lc_layouts[event->operation] == LC_LAYOUT_TAG)
    lc_append_tag (thread, event->object, (uint32_t)event->word, (uint32_t)event->site, at);
  else if (lc_layouts[event->operation] == LC_LAYOUT_COLLECTIVE)
    lc_append_sized (thread, event->operation, event->object, flags, event->word, event->bytes, at, at, event->site,
                     sizeof (struct lc_event_collective));
  else
    lc_append_at (thread, event->site, event->operation, event->object, flags, event->word, at, at);
}

/* Another signal handler may interrupt this at any point, but ends before this goes on. */
static void
stream_defer (struct lc_thread *thread, const struct lc_deferred *event)
{
  uint32_t number = __atomic_fetch_add (&thread->deferred, 1, __ATOMIC_RELAXED);

  if (number - thread->deferred_done < LC_DEFERRED_EVENTS)
    {
      thread->deferred_events[number % LC_DEFERRED_EVENTS] = *event;
      LC_COMPILER_BARRIER ();
      return;
    }
  __atomic_fetch_sub (&thread->deferred, 1, __ATOMIC_RELAXED);
  lc_count_lost (thread, LC_LOST_SIGNAL);
}

/*
 * Records an operation of a signal handler. Within a wait, it is recorded as if just before the wait, because events of
 * a process do not overlap; within the writing of an event, it is deferred until that is written.
 */
void
lc_append_special (struct lc_thread *thread, const struct lc_deferred *event)
{
  if (thread->state & LC_THREAD_APPENDING)
    {
      stream_defer (thread, event);
      return;
    }
  thread->state = 0;
  append_at (thread, event, thread->packet->pending_begin);
  thread->state = LC_THREAD_BLOCKED;
}

/* Takes the next deferred event. Meanwhile handlers can only add events, and cannot reuse its place before it is
 * copied. */
static bool
take_deferred (struct lc_thread *thread, struct lc_deferred *event)
{
  bool any;

  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  any = thread->deferred != thread->deferred_done;
  if (any)
    {
      *event = thread->deferred_events[thread->deferred_done % LC_DEFERRED_EVENTS];
      LC_COMPILER_BARRIER ();
      thread->deferred_done++;
    }
  LC_COMPILER_BARRIER ();
  thread->state = 0;
  LC_COMPILER_BARRIER ();
  return any;
}

static void
append_all_deferred (struct lc_thread *thread)
{
  uint64_t at = thread->last;
  struct lc_deferred event;

  while (take_deferred (thread, &event))
    append_at (thread, &event, at);
}

/*
 * Writes deferred events. Each of them may be interrupted by more handlers, which call this too: only the outermost
 * call writes, or a storm of signals would overflow the stack.
 */
void
lc_append_deferred (struct lc_thread *thread)
{
  if (thread->is_catching_up)
    return;
  do
    {
      thread->is_catching_up = true;
      LC_COMPILER_BARRIER ();
      append_all_deferred (thread);
      LC_COMPILER_BARRIER ();
      thread->is_catching_up = false;
      LC_COMPILER_BARRIER ();
    }
  while (thread->deferred != thread->deferred_done);
}

/*
 * Records the recorder's own work as an event of its own, after the event written since. An exit is the last event even
 * where it has begun a packet: nothing of the thread comes later.
 */
void
lc_append_pause (struct lc_thread *thread)
{
  uint64_t begin = thread->pause;

  thread->pause = 0;
  if (thread->is_ending)
    return;
  lc_append_at (thread, 0, LC_PAUSE, 0, 0, 0, begin, lc_now ());
}
