/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that leave the program: they become events of class io if they last longer than a threshold. */
#ifndef LC_RECORD_IO_H
#define LC_RECORD_IO_H

#include "cancellation.h"
#include "recorder.h"

/* A call that goes on. */
struct lc_io
{
  struct lc_thread *thread;
  uint16_t operation;
  int file;       /* what it waits for; -1: no file */
  uint32_t files; /* of a poll of several: how many */
  uint64_t begin, end;
  struct lc_cancellation cancellation;

  /* Of a stream that others may use: see pipes.c. */
  struct lc_slot *pipe; /* NULL: it is none */
  const void *buffer;   /* NULL: it is not looked at */
  bool is_late;         /* read: which stream it is, is not known before the call */
  bool is_poll;         /* it has waited for the write, and read nothing */
  uint64_t size;        /* bytes to write */
  uint64_t sequence;    /* read: of the last write that had begun before */
  bool is_empty;        /* the pipe was empty when the read began ... */
  bool is_sure;         /* ... and no write that had begun had more to give */
  bool is_awaited;      /* somebody was waiting when the write began */

  /* A wait for a signal: see signals.c. */
  uint32_t signal; /* 0: it is not known */
  uint32_t object; /* its record; 0: not known */
  bool is_unknown; /* several can have sent it */
};

/*
 * Returns the calling thread, if calls of it are recorded. A signal handler within another wait, or within the writing
 * of an event, is left alone: what it does must be as safe as it is without the recorder, and the wait that it
 * interrupts is told anyway.
 */
static inline struct lc_thread *
lc_io_enter (void)
{
  struct lc_thread *thread = lc_self;

  if (LC_UNLIKELY (thread == NULL) || LC_UNLIKELY ((lc_classes >> LC_CLASS_IO & 1) == 0))
    return NULL;
  return LC_LIKELY (thread->state == 0 && thread->packet != NULL && !thread->is_numbering && !thread->is_ending)
             ? thread
             : NULL;
}

/* Notes what the calling thread is about to do, in case it never ends. What it waits for is not looked up before. */
static inline LC_ALWAYS_INLINE void
lc_io_begin (struct lc_io *io)
{
  struct lc_packet *packet = io->thread->packet;

  io->begin = lc_now ();
  packet->pending_begin = io->begin;
  packet->pending_object = 0;
  packet->pending_sequence = 0;
  packet->pending_cpu = (uint16_t)*io->thread->cpu;
  packet->pending_site = 0;
  __atomic_store_n (&packet->pending_operation, io->operation, __ATOMIC_RELEASE);
  io->thread->state = LC_THREAD_BLOCKED;
  LC_COMPILER_BARRIER ();
}

/* Tells whether the call has lasted long enough to be recorded. */
static inline LC_ALWAYS_INLINE bool
lc_io_end (struct lc_io *io)
{
  lc_unblock (io->thread);
  io->end = lc_now_after ();
  return LC_UNLIKELY (io->end - io->begin >= lc_io_threshold);
}

/* Records a call that has lasted long enough. `error` is 0 if it did not fail. Keeps errno. */
void lc_io_record (struct lc_io *io, int64_t result, int error);

void lc_io_cancelled (void *data);

/* Carries out a real call, which may be a cancellation point. */
#define LC_IO_CALL(io, call) \
  do \
    { \
      (io)->cancellation = (struct lc_cancellation){lc_io_cancelled, (io), (io)->thread->cancellation}; \
      LC_UNWINDS_HERE (); \
      (io)->thread->cancellation = &(io)->cancellation; \
      call; \
      (io)->thread->cancellation = (io)->cancellation.outer; \
    } \
  while (0)

/* Defines the wrapper of a function. `error_of` is an expression with `result`; `waited_for` a descriptor, or -1. */
#define LC_IO_WRAP(type, name, parameters, arguments, error_of, what, waited_for) \
  LC_EXPORT type name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = (waited_for), .operation = (what)}; \
    type result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    if (LC_UNLIKELY (lc_io_end (&io))) \
      lc_io_record (&io, (int64_t)result, (error_of)); \
    return result; \
  }

#define LC_IO_ERRNO (result < 0 ? errno : 0)

/* --- Streams: streams.c ------------------------------------------------------------------------------------ */

enum
{
  LC_STREAM_FILES = 1024, /* descriptors that are remembered */
};

enum lc_stream_file
{
  LC_STREAM_UNKNOWN,
  LC_STREAM_NONE, /* nothing that is followed */
  LC_STREAM_KNOWN,
};

/* What is known of descriptors: enum lc_stream_file. */
extern uint8_t lc_stream_files[LC_STREAM_FILES];

/* Counts how often something was forgotten. */
extern uint32_t lc_stream_changes;

/* Tells whether a descriptor may be that of a pipe, a connection or an eventfd. */
static inline bool
lc_stream_is_likely (int file)
{
  return file >= LC_STREAM_FILES ||
         (file >= 0 && __atomic_load_n (&lc_stream_files[file], __ATOMIC_RELAXED) != LC_STREAM_NONE);
}

static inline void
lc_stream_forget (int file)
{
  if (file < 0 || file >= LC_STREAM_FILES ||
      __atomic_load_n (&lc_stream_files[file], __ATOMIC_RELAXED) == LC_STREAM_UNKNOWN)
    return;
  __atomic_store_n (&lc_stream_files[file], LC_STREAM_UNKNOWN, __ATOMIC_RELAXED);
  __atomic_add_fetch (&lc_stream_changes, 1, __ATOMIC_RELAXED);
}

/* Returns the slot of what the descriptor reads or writes now. NULL: it is no stream, or there is no room. Changes
 * errno. */
struct lc_slot *lc_stream_find (int file, bool writes);

/* Tells whether a file that had no slot to read from may have one later: a connection that nobody has accepted. */
bool lc_stream_is_late (int file);

/* The program has made an eventfd, or a copy of a descriptor. */
void lc_stream_add_event (int file, uint64_t first);
void lc_stream_copy (int from, int to);

/* --- What goes through them: pipes.c ----------------------------------------------------------------------- */

#define LC_PIPE_MUCH (UINT64_C (1) << 40) /* bytes, in place of a number that is not known */

/* Called before a call that reads or writes, and after it, with its result; they keep errno. After it, the operation
 * and the sequence are what is to be recorded. The end of a write tells whether it must be, though it was short. */
void lc_pipe_read_begin (struct lc_io *io);
void lc_pipe_read_end (struct lc_io *io, int64_t result);
void lc_pipe_write_begin (struct lc_io *io);
bool lc_pipe_write_end (struct lc_io *io, int64_t result);

/* Called when a poll waits for a file to read from, and when it has found that there is something to read: then it is
 * told of which write, if that is known. They keep errno. */
void lc_pipe_poll_begin (struct lc_io *io, int file);
void lc_pipe_poll_end (struct lc_io *io, int file);

#endif
