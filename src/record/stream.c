/* SPDX-License-Identifier: Apache-2.0 */
/* A process's private history: a packet being written in its head, and the full ones in ctf/process-N. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  RETRY_AFTER = 4096, /* lost events: a disk that is full may not stay so */
};

/* Where the packets of processes that ended within their first one go, in packets-I. */
static uint64_t packets_size;
static uint32_t packets_lock;

void
lc_count_lost (struct lc_thread *thread, enum lc_lost reason)
{
  if (thread == NULL || thread->packet == &thread->scratch)
    {
      __atomic_add_fetch (&lc_control->lost[reason], 1, __ATOMIC_RELAXED);
      return;
    }
  thread->packet->lost[reason]++;
  thread->packet->events_discarded++;
}

static void
refresh_name (struct lc_thread *thread, struct lc_packet *packet)
{
  char name[16] = "";

  if (thread->named || prctl (PR_GET_NAME, name) != 0)
    return;
  memset (packet->name, 0, sizeof packet->name);
  memcpy (packet->name, name, strnlen (name, sizeof name));
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
        length--; /* not in the middle of a character */
    }
  memset (to, 0, sizeof thread->packet->name);
  memcpy (to, name, length);
  thread->named = true;
}

static void
use_scratch (struct lc_thread *thread)
{
  thread->packet = &thread->scratch;
  thread->next = thread->limit = NULL;
}

/*
 * The packet is empty again, and goes on where the last one ended. Emptied first: killed in the middle of this, its old
 * events must not be taken for the next packet's.
 */
static void
begin_packet (struct lc_thread *thread, struct lc_packet *packet)
{
  __atomic_store_n (&packet->content_size, sizeof *packet * 8, __ATOMIC_RELEASE);
  LC_COMPILER_BARRIER ();
  packet->timestamp_begin = packet->timestamp_end = thread->last;
  packet->packet_seq_num = thread->packets;
  packet->first_ordinal = thread->events;
  packet->packet_size = sizeof *packet * 8;
  thread->next = (unsigned char *)packet + sizeof *packet;
}

/* The magic number comes last: from then on the head counts. */
static void
describe_process (struct lc_thread *thread, struct lc_packet *packet)
{
  memset (packet, 0, sizeof *packet);
  memcpy (packet->uuid, lc_control->uuid, sizeof packet->uuid);
  packet->process = thread->process;
  packet->instance = lc_instance - 1;
  packet->pid = (uint32_t)getpid ();
  packet->thread = (uint32_t)syscall (SYS_gettid);
  packet->parent = thread->parent;
  packet->format_version = LC_FORMAT_VERSION;
  refresh_name (thread, packet);
  begin_packet (thread, packet);
  __atomic_store_n (&packet->magic, LC_CTF_MAGIC, __ATOMIC_RELEASE);
}

static bool
take_head (struct lc_thread *thread)
{
  if (thread->head == NULL)
    thread->head = lc_head_new (&thread->lost_to);
  if (thread->head == NULL)
    return false;
  describe_process (thread, thread->head);
  thread->packet = thread->head;
  thread->limit = (unsigned char *)thread->head + LC_HEAD_BYTES;
  return true;
}

void
lc_stream_open (struct lc_thread *thread)
{
  use_scratch (thread);
  thread->last = lc_now ();
  if (!take_head (thread))
    thread->retry = RETRY_AFTER;
}

/* Writes all of it at the offset, or leaves the file as it was. */
static bool
write_at (struct lc_thread *thread, int file, const void *data, uint64_t bytes, uint64_t offset)
{
  uint64_t written = 0;

  while (written < bytes)
    {
      long result =
          lc_file_grow (SYS_pwrite64, file, (uint64_t)(uintptr_t)data + written, bytes - written, offset + written);

      if (result <= 0)
        {
          if (result == 0 || lc_file_is_full (errno))
            thread->lost_to = LC_LOST_DISK;
          lc_file_resize (file, offset);
          return false;
        }
      written += (uint64_t)result;
    }
  return true;
}

/* Many threads end with little to tell: they share a file, and whoever closes the recording gives each its own. */
static bool
write_only_packet (struct lc_thread *thread)
{
  uint64_t bytes = thread->packet->content_size / 8;
  bool written = false;
  int file;

  lc_lock (&packets_lock);
  file = lc_file_open ("packets-", lc_instance - 1, O_WRONLY | (packets_size == 0 ? O_CREAT : 0));
  if (file >= 0)
    {
      written = write_at (thread, file, thread->packet, bytes, packets_size);
      packets_size += written ? bytes : 0;
      lc_file_close (file);
    }
  lc_unlock (&packets_lock);
  return written;
}

static bool
write_packet (struct lc_thread *thread)
{
  uint64_t bytes = thread->packet->content_size / 8;
  int file = lc_file_open ("ctf/process-", thread->process, O_WRONLY | (thread->file_size == 0 ? O_CREAT : 0));
  bool written;

  if (file < 0)
    return false;
  written = write_at (thread, file, thread->packet, bytes, thread->file_size);
  lc_file_close (file);
  thread->file_size += written ? bytes : 0;
  return written;
}

static void
finish_packet (struct lc_thread *thread)
{
  thread->lost_to = LC_LOST_FILE;
  thread->packet->timestamp_end = thread->last;
  thread->packet->packet_size = thread->packet->content_size;
  refresh_name (thread, thread->packet);
}

static bool
next_packet (struct lc_thread *thread)
{
  uint64_t begin = lc_now ();
  struct lc_slow slow;
  bool ready;

  lc_slow_begin (&slow);
  if (thread->packet == &thread->scratch)
    ready = take_head (thread);
  else
    {
      finish_packet (thread);
      ready = write_packet (thread);
      if (ready)
        {
          thread->packets++;
          begin_packet (thread, thread->packet);
          thread->pause = begin;
        }
    }
  lc_slow_end (&slow);
  return ready;
}

bool
lc_stream_rotate (struct lc_thread *thread)
{
  if (thread->retry == 0)
    {
      if (next_packet (thread))
        return true;
      thread->retry = RETRY_AFTER;
    }
  else
    thread->retry--;
  lc_count_lost (thread, thread->lost_to);
  for (; thread->deferred_done != thread->deferred; thread->deferred_done++)
    lc_count_lost (thread, thread->lost_to);
  thread->state &= ~(uint32_t)LC_THREAD_APPENDING;
  return false;
}

/*
 * The calling thread's last act. The head is free for another thread; but one that cannot be written stays for whoever
 * closes the recording.
 */
void
lc_stream_close (struct lc_thread *thread)
{
  if (thread->packet == &thread->scratch)
    return;
  thread->packet->state = LC_STATE_ENDED;
  finish_packet (thread);
  if (thread->packets == 0 ? write_only_packet (thread) : write_packet (thread))
    thread->head->magic = 0;
  else
    thread->head = NULL;
  use_scratch (thread);
}

void
lc_streams_forget (void)
{
  packets_size = 0;
  packets_lock = 0;
  lc_heads_forget ();
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
  else if (lc_layouts[event->operation] == LC_LAYOUT_COLLECTIVE)
    lc_append_collective (thread, event->operation, event->object, flags, event->word, event->bytes, at, at);
  else
    lc_append (thread, event->operation, event->object, flags, event->word, at, at);
}

/* Another handler may interrupt this one at any point, and will have ended when it goes on. */
static void
defer (struct lc_thread *thread, const struct lc_deferred *event)
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
 * An operation of a signal handler. Inside a wait it is told as having come just before it, since events of one
 * process do not overlap; inside the writing of an event it is kept until that is written.
 */
void
lc_append_special (struct lc_thread *thread, const struct lc_deferred *event)
{
  if (thread->state & LC_THREAD_APPENDING)
    {
      defer (thread, event);
      return;
    }
  thread->state = 0;
  append_at (thread, event, thread->packet->pending_begin);
  thread->state = LC_THREAD_BLOCKED;
}

/* The next one, while handlers can do no more than add others: not in its place before it has been copied. */
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
 * Each event that is written here may be interrupted by more handlers, whose events come here too: but only the first
 * call writes them, or the stack would not be large enough for a storm of signals.
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

/* After the event that has been written since: what the recorder did in between is in its way. */
void
lc_append_pause (struct lc_thread *thread)
{
  uint64_t begin = thread->pause;

  thread->pause = 0;
  lc_append (thread, LC_PAUSE, 0, 0, 0, begin, lc_now ());
}
