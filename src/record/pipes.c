/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which write to a pipe, a connection or an eventfd has ended a wait of a read or of a poll. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io.h"
#include "wake-ups.h"

/*
 * Writes are numbered before they begin. A read that finds the pipe empty, while no write goes on whose bytes have not
 * all been read, has waited for the next one: that of the next number, if it is the only one until the read returns, or
 * if all writes are one process's and all reads another's. Else the event says nothing of whom it has waited for.
 *
 * That is right as long as all who use the pipe are recorded. Those who are not (stdio writes within the C library) are
 * found out by the bytes: what was read must have been written, and of an empty pipe all of it must have been read.
 * From then on nothing is said of the pipe any more.
 */

static struct lc_pipe_use *
pipe_use (const struct lc_slot *slot)
{
  return &lc_control->shared_wake_ups[slot - lc_control->shared].pipe;
}

/* An eventfd is a number: what is written is added to it, and what is read is taken from it. */
static uint64_t
pipe_amount (const struct lc_io *io, int64_t result)
{
  uint64_t amount = result > 0 ? (uint64_t)result : 0;

  if (amount == sizeof amount && io->pipe->kind == LC_KIND_EVENTFD && io->buffer != NULL)
    memcpy (&amount, io->buffer, sizeof amount);
  return amount;
}

/* Returns the stream, if something can be said of it. */
static struct lc_slot *
pipe_find (int file, bool writes)
{
  struct lc_slot *slot = lc_stream_find (file, writes);

  if (slot == NULL || (__atomic_load_n (&pipe_use (slot)->shares, __ATOMIC_RELAXED) & LC_PIPE_UNSEEN) != 0)
    return NULL;
  return slot;
}

/* Notes who writes, or who reads. */
static void
pipe_note (struct lc_pipe_use *use, uint32_t *first, const struct lc_thread *thread, uint32_t several)
{
  uint32_t nobody = 0;

  if (__atomic_load_n (first, __ATOMIC_SEQ_CST) == thread->process + 1)
    return;
  if (!__atomic_compare_exchange_n (first, &nobody, thread->process + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
      nobody != thread->process + 1)
    __atomic_fetch_or (&use->shares, several, __ATOMIC_SEQ_CST);
}

static inline uint64_t
pipe_load (const uint64_t *number)
{
  return __atomic_load_n (number, __ATOMIC_SEQ_CST);
}

/* Tells whether a read would wait. */
static bool
pipe_is_empty (int file)
{
  struct pollfd poll = {.fd = file, .events = POLLIN};
  struct timespec now = {0, 0};

  return syscall (SYS_ppoll, &poll, 1, &now, NULL, 8) == 0;
}

/* The order matters: who writes after the number was read here sees that somebody waits. */
void
lc_pipe_read_begin (struct lc_io *io)
{
  const int error = errno;
  struct lc_pipe_use *use;
  uint64_t over, written, read;
  uint32_t reading;

  io->pipe = pipe_find (io->file, false);
  if (io->pipe == NULL)
    {
      io->is_late = lc_stream_is_late (io->file);
      errno = error;
      return;
    }
  use = pipe_use (io->pipe);
  pipe_note (use, &use->reader, io->thread, LC_PIPE_READERS);
  reading = __atomic_add_fetch (&use->reading, 1, __ATOMIC_SEQ_CST);
  __atomic_add_fetch (&use->waiting, 1, __ATOMIC_SEQ_CST);
  io->sequence = pipe_load (&io->pipe->sequence);
  over = pipe_load (&use->writes_over);
  written = pipe_load (&use->bytes_written);
  read = pipe_load (&use->bytes_read);
  /* Of a pipe the system is asked, for many may use it whom nobody sees. They are found out later in a connection, too,
   * when more is read than was written, and asking costs as much as reading. */
  io->is_empty = io->pipe->kind == LC_KIND_PIPE ? pipe_is_empty (io->file) : over == io->sequence && written == read;
  io->is_sure = io->is_empty && (over == io->sequence || written == read);
  if (!io->is_empty)
    __atomic_sub_fetch (&use->waiting, 1, __ATOMIC_SEQ_CST);
  else if (over == io->sequence && reading == 1 && written != read && pipe_load (&io->pipe->sequence) == io->sequence)
    __atomic_fetch_or (&use->shares, LC_PIPE_UNSEEN, __ATOMIC_SEQ_CST);
  errno = error;
}

/* Tells whether the read has waited for the next write after those that had begun before. */
static bool
pipe_is_next (const struct lc_io *io, struct lc_pipe_use *use)
{
  uint64_t writes = pipe_load (&io->pipe->sequence) - io->sequence;
  uint32_t shares;

  if (writes == 0 || pipe_load (&use->bytes_read) > pipe_load (&use->bytes_written))
    __atomic_fetch_or (&use->shares, LC_PIPE_UNSEEN, __ATOMIC_SEQ_CST);
  shares = __atomic_load_n (&use->shares, __ATOMIC_SEQ_CST);
  return (shares & LC_PIPE_UNSEEN) == 0 && (writes == 1 || shares == 0);
}

/* What was read from a connection that was not accepted before is counted. */
static void
pipe_read_late (struct lc_io *io, int64_t result)
{
  const int error = errno;
  struct lc_slot *slot = result > 0 ? pipe_find (io->file, false) : NULL;

  if (slot != NULL)
    __atomic_add_fetch (&pipe_use (slot)->bytes_read, (uint64_t)result, __ATOMIC_SEQ_CST);
  errno = error;
}

void
lc_pipe_read_end (struct lc_io *io, int64_t result)
{
  struct lc_pipe_use *use;

  if (io->pipe == NULL)
    {
      pipe_read_late (io, result);
      return;
    }
  use = pipe_use (io->pipe);
  if (result > 0)
    __atomic_add_fetch (&use->bytes_read, pipe_amount (io, result), __ATOMIC_SEQ_CST);
  if (io->is_sure && result > 0 && pipe_is_next (io, use))
    {
      io->operation = LC_PIPE_READ;
      io->sequence++;
    }
  if (io->is_empty)
    __atomic_sub_fetch (&use->waiting, 1, __ATOMIC_SEQ_CST);
  __atomic_sub_fetch (&use->reading, 1, __ATOMIC_SEQ_CST);
}

/* A write into an empty stream is what a poll may be waiting for. Which one is the first is known if no other goes on.
 */
static bool
pipe_is_first (struct lc_pipe_use *use, uint64_t sequence, uint64_t before)
{
  if (__atomic_load_n (&use->is_polled, __ATOMIC_SEQ_CST) == 0 || before != pipe_load (&use->bytes_read) ||
      pipe_load (&use->writes_over) != sequence - 1)
    return false;
  __atomic_store_n (&use->first, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n (&use->before_first, before, __ATOMIC_SEQ_CST);
  __atomic_store_n (&use->first, sequence, __ATOMIC_SEQ_CST);
  return true;
}

void
lc_pipe_write_begin (struct lc_io *io)
{
  const int error = errno;
  struct lc_pipe_use *use;
  uint64_t before;

  io->pipe = io->size > 0 ? pipe_find (io->file, true) : NULL;
  errno = error;
  if (io->pipe == NULL)
    return;
  if (io->pipe->kind == LC_KIND_EVENTFD)
    io->size = LC_PIPE_MUCH;
  use = pipe_use (io->pipe);
  pipe_note (use, &use->writer, io->thread, LC_PIPE_WRITERS);
  before = __atomic_fetch_add (&use->bytes_written, io->size, __ATOMIC_SEQ_CST);
  io->sequence = __atomic_add_fetch (&io->pipe->sequence, 1, __ATOMIC_SEQ_CST);
  io->is_awaited = pipe_is_first (use, io->sequence, before);
  io->is_awaited |= __atomic_load_n (&use->waiting, __ATOMIC_SEQ_CST) > 0;
}

bool
lc_pipe_write_end (struct lc_io *io, int64_t result)
{
  struct lc_pipe_use *use = pipe_use (io->pipe);
  const uint64_t written = pipe_amount (io, result);

  if (written != io->size)
    __atomic_sub_fetch (&use->bytes_written, io->size - written, __ATOMIC_SEQ_CST);
  __atomic_add_fetch (&use->writes_over, 1, __ATOMIC_SEQ_CST);
  if (io->is_awaited && written == 0) /* its number is that of no bytes */
    __atomic_fetch_or (&use->shares, LC_PIPE_UNSEEN, __ATOMIC_SEQ_CST);
  io->operation = LC_PIPE_WRITE;
  return io->is_awaited;
}

/* --- Polls ------------------------------------------------------------------------------------------------- */

void
lc_pipe_poll_begin (struct lc_io *io, int file)
{
  const int error = errno;
  struct lc_slot *slot = pipe_find (file, false);

  errno = error;
  if (slot == NULL)
    return;
  pipe_note (pipe_use (slot), &pipe_use (slot)->reader, io->thread, LC_PIPE_READERS);
  __atomic_store_n (&pipe_use (slot)->is_polled, 1, __ATOMIC_SEQ_CST);
}

/* All that was written before the first write has been read, so the poll has waited for that one. */
void
lc_pipe_poll_end (struct lc_io *io, int file)
{
  const int error = errno;
  struct lc_slot *slot = pipe_find (file, false);
  struct lc_pipe_use *use;
  uint64_t first;

  errno = error;
  if (slot == NULL)
    return;
  use = pipe_use (slot);
  first = pipe_load (&use->first);
  if (first == 0 || pipe_load (&use->before_first) != pipe_load (&use->bytes_read) || pipe_load (&use->first) != first)
    return;
  io->pipe = slot;
  io->is_poll = true;
  io->sequence = first;
  io->operation = LC_PIPE_READ;
}
