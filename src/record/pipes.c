/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which write to a pipe has ended a wait of a read. */
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io.h"
#include "real.h"
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

enum
{
  NO_PIPE = 1,
};

uintptr_t lc_pipe_files[LC_PIPE_FILES];

static struct lc_pipe_use *
pipe_use (const struct lc_slot *slot)
{
  return &lc_control->shared_wake_ups[slot - lc_control->shared].pipe;
}

static bool
pipe_slot_is_of (const struct lc_slot *slot, const struct stat *status)
{
  return slot->owner == status->st_dev && lc_control->shared_records[slot - lc_control->shared].value == status->st_ino;
}

static void
pipe_remember (int file, uintptr_t what)
{
  if (file < LC_PIPE_FILES)
    __atomic_store_n (&lc_pipe_files[file], what, __ATOMIC_RELAXED);
}

/* Returns the slot of the pipe that the descriptor is now; NULL: it is none, or there is no room. */
static struct lc_slot *
pipe_find (int file)
{
  struct lc_slot *slot = NULL;
  struct lc_slow slow;
  struct stat status;

  if (lc_is_sandboxed () || syscall (SYS_fstat, file, &status) != 0)
    return NULL;
  if (!S_ISFIFO (status.st_mode))
    {
      pipe_remember (file, NO_PIPE);
      return NULL;
    }
  if (file < LC_PIPE_FILES)
    {
      uintptr_t known = __atomic_load_n (&lc_pipe_files[file], __ATOMIC_RELAXED);

      slot = known > NO_PIPE ? (struct lc_slot *)known : NULL;
    }
  if (LC_LIKELY (slot != NULL && pipe_slot_is_of (slot, &status)))
    return slot;
  lc_slow_begin (&slow);
  slot = lc_shared_pipe (status.st_dev, status.st_ino);
  lc_slow_end (&slow);
  pipe_remember (file, slot != NULL ? (uintptr_t)slot : NO_PIPE);
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

  io->pipe = pipe_find (io->file);
  if (io->pipe == NULL)
    {
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
  io->is_empty = pipe_is_empty (io->file);
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

void
lc_pipe_read_end (struct lc_io *io, int64_t result)
{
  struct lc_pipe_use *use = pipe_use (io->pipe);

  if (result > 0)
    __atomic_add_fetch (&use->bytes_read, (uint64_t)result, __ATOMIC_SEQ_CST);
  if (io->is_sure && result > 0 && pipe_is_next (io, use))
    {
      io->operation = LC_PIPE_READ;
      io->sequence++;
    }
  if (io->is_empty)
    __atomic_sub_fetch (&use->waiting, 1, __ATOMIC_SEQ_CST);
  __atomic_sub_fetch (&use->reading, 1, __ATOMIC_SEQ_CST);
}

void
lc_pipe_write_begin (struct lc_io *io)
{
  const int error = errno;
  struct lc_pipe_use *use;

  io->pipe = io->size > 0 ? pipe_find (io->file) : NULL;
  errno = error;
  if (io->pipe == NULL)
    return;
  use = pipe_use (io->pipe);
  pipe_note (use, &use->writer, io->thread, LC_PIPE_WRITERS);
  __atomic_add_fetch (&use->bytes_written, io->size, __ATOMIC_SEQ_CST);
  io->sequence = __atomic_add_fetch (&io->pipe->sequence, 1, __ATOMIC_SEQ_CST);
  io->is_awaited = __atomic_load_n (&use->waiting, __ATOMIC_SEQ_CST) > 0;
}

bool
lc_pipe_write_end (struct lc_io *io, int64_t result)
{
  struct lc_pipe_use *use = pipe_use (io->pipe);
  const uint64_t written = result > 0 ? (uint64_t)result : 0;

  if (written < io->size)
    __atomic_sub_fetch (&use->bytes_written, io->size - written, __ATOMIC_SEQ_CST);
  __atomic_add_fetch (&use->writes_over, 1, __ATOMIC_SEQ_CST);
  if (io->is_awaited && written == 0) /* its number is that of no bytes */
    __atomic_fetch_or (&use->shares, LC_PIPE_UNSEEN, __ATOMIC_SEQ_CST);
  io->operation = LC_PIPE_WRITE;
  return io->is_awaited;
}
