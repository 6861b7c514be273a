/* SPDX-License-Identifier: Apache-2.0 */
/* A process's private history: a packet being written in heads/N, mapped, and the full ones in ctf/process-N. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

/*
 * The head is one file for as long as the process lives, and its pages are used again for each packet: they stay in
 * the processor's cache and the system never has to find and clear new ones, which would cost more than the event.
 * Should the program be killed, what is in the head is still in its file.
 */
enum
{
  FIRST_HEAD = 16 << 10, /* there may be ten thousand threads that hardly do anything */
  HEAD = 64 << 10,
  RETRY_AFTER = 4096, /* lost events: a disk that is full may not stay so */
};

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
  thread->window = 0;
}

/* The packet is empty again, and goes on where the last one ended. */
static void
begin_packet (struct lc_thread *thread, struct lc_packet *packet)
{
  packet->timestamp_begin = packet->timestamp_end = thread->last;
  packet->packet_seq_num = thread->packets;
  packet->first_ordinal = thread->events;
  packet->packet_size = sizeof *packet * 8;
  __atomic_store_n (&packet->content_size, sizeof *packet * 8, __ATOMIC_RELEASE);
  thread->next = (unsigned char *)packet + sizeof *packet;
}

static void
describe_process (struct lc_thread *thread, struct lc_packet *packet)
{
  memcpy (packet->uuid, lc_control->uuid, sizeof packet->uuid);
  packet->process = thread->process;
  packet->instance = lc_instance - 1;
  packet->pid = (uint32_t)getpid ();
  packet->thread = (uint32_t)syscall (SYS_gettid);
  packet->parent = thread->parent;
  packet->format_version = LC_FORMAT_VERSION;
  refresh_name (thread, packet);
  packet->magic = LC_CTF_MAGIC;
}

static bool
is_full (int error)
{
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EFAULT;
}

/* Puts a head of this size in the place of what there is; on failure leaves that, with lost_to saying why. */
static bool
map_head (struct lc_thread *thread, size_t bytes)
{
  struct lc_packet *head;
  int file = lc_file_open ("heads/", thread->process, O_RDWR | O_CREAT);

  thread->lost_to = LC_LOST_FILE;
  if (file < 0)
    return false;
  head = lc_file_map (file, 0, bytes);
  if (head == NULL && is_full (errno))
    thread->lost_to = LC_LOST_DISK;
  if (head == NULL && thread->window == 0)
    lc_file_resize (file, 0);
  lc_file_close (file);
  if (head == NULL)
    return false;
  if (thread->window == 0)
    describe_process (thread, head);
  else
    munmap (thread->packet, thread->window);
  thread->packet = head;
  thread->window = bytes;
  thread->limit = (unsigned char *)head + bytes;
  begin_packet (thread, head);
  return true;
}

void
lc_stream_open (struct lc_thread *thread)
{
  use_scratch (thread);
  thread->file_size = 0;
  thread->last = lc_now ();
  if (!map_head (thread, FIRST_HEAD))
    thread->retry = RETRY_AFTER;
}

/* Adds the head's packet to the stream, whole or not at all. */
static bool
write_packet (struct lc_thread *thread)
{
  struct lc_packet *packet = thread->packet;
  uint64_t bytes = packet->content_size / 8, written = 0;
  int file = lc_file_open ("ctf/process-", thread->process, O_WRONLY | O_CREAT);

  thread->lost_to = LC_LOST_FILE;
  if (file < 0)
    return false;
  packet->timestamp_end = thread->last;
  packet->packet_size = packet->content_size;
  refresh_name (thread, packet);
  while (written < bytes)
    {
      long result =
          syscall (SYS_pwrite64, file, (char *)packet + written, bytes - written, (off_t)(thread->file_size + written));

      if (result <= 0)
        {
          if (result == 0 || is_full (errno))
            thread->lost_to = LC_LOST_DISK;
          lc_file_resize (file, thread->file_size);
          break;
        }
      written += (uint64_t)result;
    }
  lc_file_close (file);
  if (written < bytes)
    return false;
  thread->file_size += bytes;
  thread->packets++;
  return true;
}

static bool
next_packet (struct lc_thread *thread)
{
  struct lc_slow slow;
  bool ready;

  lc_slow_begin (&slow);
  if (thread->window == 0)
    ready = map_head (thread, FIRST_HEAD);
  else
    {
      ready = write_packet (thread);
      if (ready && (thread->window == HEAD || !map_head (thread, HEAD)))
        begin_packet (thread, thread->packet);
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
  for (uint32_t lost = thread->deferred - thread->deferred_done + 1; lost > 0; lost--)
    lc_count_lost (thread, thread->lost_to);
  thread->deferred = thread->deferred_done = 0;
  thread->state &= ~(uint32_t)LC_THREAD_APPENDING;
  return false;
}

/* The calling thread's last act. A head that cannot be written stays, for whoever closes the recording. */
void
lc_stream_close (struct lc_thread *thread)
{
  if (thread->window == 0)
    return;
  thread->packet->state = LC_STATE_ENDED;
  if (write_packet (thread))
    lc_file_remove ("heads/", thread->process);
  munmap (thread->packet, thread->window);
  use_scratch (thread);
}

/* In a forked child: the stream is the parent's. */
void
lc_stream_abandon (struct lc_thread *thread)
{
  if (thread->window != 0)
    munmap (thread->packet, thread->window);
  use_scratch (thread);
}

static bool
is_mark (uint16_t operation)
{
  return operation == LC_TAG || operation == LC_ENTER || operation == LC_LEAVE;
}

/*
 * An operation of a signal handler. Inside a wait it is told as having come just before it, since events of one
 * process do not overlap; inside the writing of an event it is kept until that is written.
 */
void
lc_append_special (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word)
{
  struct lc_deferred *deferred;

  if (thread->state & LC_THREAD_APPENDING)
    {
      if (thread->deferred == LC_DEFERRED_EVENTS)
        {
          lc_count_lost (thread, LC_LOST_SIGNAL);
          return;
        }
      deferred = &thread->deferred_events[thread->deferred];
      *deferred = (struct lc_deferred){operation, flags, object, word};
      LC_COMPILER_BARRIER ();
      thread->deferred++;
      return;
    }
  thread->state = 0;
  if (is_mark (operation))
    lc_append_mark (thread, operation, object, thread->packet->pending_begin);
  else
    lc_append (thread, operation, object, flags | LC_EVENT_INTERRUPTED, word, thread->packet->pending_begin,
               thread->packet->pending_begin);
  thread->state = LC_THREAD_BLOCKED;
}

/* Handlers add to the deferred events only while an event is being written, so not between two rounds of this. */
void
lc_append_deferred (struct lc_thread *thread)
{
  uint64_t at = thread->last;

  while (thread->deferred_done < thread->deferred)
    {
      const struct lc_deferred event = thread->deferred_events[thread->deferred_done++];

      if (is_mark (event.operation))
        lc_append_mark (thread, event.operation, event.object, at);
      else
        lc_append (thread, event.operation, event.object, event.flags | LC_EVENT_INTERRUPTED, event.word, at, at);
    }
  thread->deferred = thread->deferred_done = 0;
}

void
lc_lose_time (void)
{
  uint64_t until = lc_now () + lc_overhead_test;

  while (lc_now () < until)
    ;
}
