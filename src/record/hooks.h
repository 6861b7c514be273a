/* SPDX-License-Identifier: Apache-2.0 */
/* How the libraries for programs (program-*.c) and for MPI (src/mpi) speak to the recorder, if there is one. */
#ifndef LC_RECORD_HOOKS_H
#define LC_RECORD_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/control.h"

#define LC_HOOKS_VERSION 4
#define LC_HOOKS_SYMBOL "lc_record_hooks_1"

/* What only the end of the outermost `suspend` has to undo; the caller's, on its stack. */
struct lc_suspension
{
  bool is_outermost;
};

/* An event that has come to its end. `value`: members, of class collective and barrier; else 0. */
struct lc_finished
{
  uint16_t operation;
  uint8_t flags;
  uint32_t object; /* 0 counts as lost, unless flags have LC_EVENT_REQUEST */
  uint64_t sequence;
  uint64_t value;
  uint64_t bytes;      /* of class channel and collective */
  uint64_t begin, end; /* ticks; the end 0: now; the begin 0: as the end */
};

/*
 * Exported by the recorder as LC_HOOKS_SYMBOL, and found with dlsym by the program's side; never freed. All functions
 * may be called by any thread at any time, and none fails: what cannot be recorded is counted as lost.
 */
struct lc_hooks
{
  uint32_t version;

  /* Which classes are being recorded: bit 1 << enum lc_class; 0: nothing is. May change at a fork. */
  const uint32_t *classes;

  /* The number of this address space + 1: ids of another one (before a fork) are no longer valid. */
  const uint32_t *instance;

  /* A new record of an object; kind is LC_KIND_LIBRARY. 0: there is no room, and events with it are counted as lost.
     Signal-safe. */
  uint32_t (*object) (enum lc_class class, const char *name, const void *address, uint64_t value);

  /* The time now, in ticks. */
  uint64_t (*now) (void);

  /* The calling thread is about to block in an operation that began at `begin`; ended by `acquire` or `release`. */
  void (*block) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);

  /* An operation that began at `begin` and ends now. `value`: bytes, for those with LC_LAYOUT_MESSAGE. */
  void (*acquire) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin,
                   uint8_t flags);

  /*
   * An operation at an instant that was `at`. Call it before the effect on other threads can be seen; `at` must be
   * from before that effect too.
   */
  void (*release) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at);

  void (*tag) (uint32_t value);
  void (*enter) (const char *name);
  void (*leave) (const char *name);
  void (*name_process) (const char *name);
  void (*snapshot) (const char *name, const double *matrix, size_t rows, size_t columns);

  /* --- From version 3 on, for MPI: version 2 had others in this place ------------------------------------- */

  /*
   * Between these nothing that the calling thread does is recorded: the MPI library's own locks are none of the
   * program's. Threads that are made meanwhile are never recorded. `rank` does nothing then; `append` and those below
   * are as ever, for they say themselves what is to be recorded. They nest. A thread that jumps (longjmp) is no longer
   * suspended.
   */
  void (*suspend) (struct lc_suspension *suspension);
  void (*resume) (const struct lc_suspension *suspension);

  /* `now` may be read without a call: lc_clock_is_tsc (clock.h) of this recording. */
  const bool *clock_is_tsc;

  /* A record of an object of kind LC_KIND_MPI. 0: there is no room. */
  uint32_t (*shared_object) (enum lc_class class, const char *name, uint64_t value);

  /* As `block` and `acquire`, but also while the thread is suspended; and `append` is told everything. */
  void (*await) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);
  void (*append) (const struct lc_finished *event);

  /* The number of a new request (requests-I), and what its message turned out to be: once for each at most. Never by
     two threads at once. */
  uint32_t (*request) (void);
  void (*resolve) (uint32_t request, uint32_t object, uint32_t sequence);

  /* This address space is a rank of MPI_COMM_WORLD, and the calling thread its first one ("rank 3"). */
  void (*rank) (uint32_t rank, uint32_t ranks);

  /* The ranks' topology, as `[communication] topology` in trace.ini has it: the first one that is told counts. */
  void (*topology) (const char *text);

  /* By a name that all ranks give it. NULL: no room, or none that all who use it could share. */
  struct lc_shared_counter *(*counter) (const char *name);

  /* What the clock of this host showed, in ticks, when that of the reference host showed `reference` ns since its
     recording began, give or take `error` ns. The reference host says so with its own. */
  void (*clock) (uint64_t ticks, uint64_t reference, uint64_t error);

  /* The present, in ns since this host's recording began: what the reference host tells the others. */
  uint64_t (*since_start) (uint64_t ticks);

  /* What `block` or `await` has begun has come to no event. */
  void (*unblock) (void);

  bool (*is_suspended) (void);

  /* The calling thread, which must not be suspended, has done something that cannot be recorded. */
  void (*lost) (enum lc_lost reason);

  /* --- From version 4 on ---------------------------------------------------------------------------------- */

  /* Stops recording, in all address spaces, or lets it go on. */
  void (*set_paused) (bool paused);
};

#endif
