/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the recorder for the program's libraries (program-*.c) and for MPI (src/mpi). */
#ifndef LC_RECORD_HOOKS_H
#define LC_RECORD_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/control.h"

#define LC_HOOKS_VERSION 10
#define LC_HOOKS_SYMBOL "lc_record_hooks_1"

/* State that the end of the outermost `suspend` restores; on the caller's stack. */
struct lc_suspension
{
  bool is_outermost;
};

/* An event that has ended. `value` is the number of members for classes collective and barrier, else 0. */
struct lc_finished
{
  uint16_t operation;
  uint8_t flags;
  uint32_t object; /* 0: counts as lost, unless flags have LC_EVENT_REQUEST */
  uint64_t sequence;
  uint64_t value;
  uint64_t bytes;      /* for classes channel and collective */
  uint64_t begin, end; /* ticks; end 0: now; begin 0: same as the end */
};

/*
 * Exported by the recorder as LC_HOOKS_SYMBOL, found by the libraries with dlsym, and never freed. All functions may be
 * called by any thread at any time, and never fail: events that cannot be recorded are counted as lost.
 */
struct lc_hooks
{
  uint32_t version;

  /* The recorded classes, as bits 1 << enum lc_class; 0: none. May change at a fork. */
  const uint32_t *classes;

  /* The number of this address space + 1: ids from another one (before a fork) are invalid. */
  const uint32_t *instance;

  /* Makes a record of an object of kind LC_KIND_LIBRARY. 0: there is no room, and its events count as lost.
   * Signal-safe. */
  uint32_t (*object) (enum lc_class class, const char *name, const void *address, uint64_t value);

  /* Returns the time now, in ticks. */
  uint64_t (*now) (void);

  /* Tells that the calling thread is about to block in an operation that began at `begin`; `acquire` or `release` end
   * the block. */
  void (*block) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);

  /* Records an operation that began at `begin` and ends now. `value`: bytes, for operations with LC_LAYOUT_MESSAGE. */
  void (*acquire) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t begin,
                   uint8_t flags);

  /*
   * Records an operation of a single instant `at`. It must be called, and `at` be read, before other threads can see
   * the effect of the operation.
   */
  void (*release) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t at);

  void (*tag) (uint32_t value);
  void (*enter) (const char *name);
  void (*leave) (const char *name);
  void (*name_process) (const char *name);
  void (*snapshot) (const char *name, const double *matrix, size_t rows, size_t columns);

  /* --- From version 3 on, for MPI: version 2 had others in this place ------------------------------------- */

  /*
   * Between `suspend` and `resume`, nothing that the calling thread does is recorded, because the MPI library's own
   * locks are not the program's. Threads made meanwhile are never recorded. `rank` then does nothing; `append` and the
   * functions after it work as always, because they say themselves what to record. Suspensions nest. A jump (longjmp)
   * ends the thread's suspension.
   */
  void (*suspend) (struct lc_suspension *suspension);
  void (*resume) (const struct lc_suspension *suspension);

  /* lc_clock_is_tsc (clock.h) of this recording, with which `now` can be replaced by code without a call. */
  const bool *clock_is_tsc;

  /* Makes a record of an object of kind LC_KIND_MPI. 0: there is no room. */
  uint32_t (*shared_object) (enum lc_class class, const char *name, uint64_t value);

  /* Variants of `block` and `acquire` that also work while the thread is suspended; `append` gets all fields of the
   * event. */
  void (*await) (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);
  void (*append) (const struct lc_finished *event);

  /* `request` returns the number of a new request (requests-I), and `resolve` tells its message, at most once for each.
   * They must never be called by two threads at once. */
  uint32_t (*request) (void);
  void (*resolve) (uint32_t request, uint32_t object, uint32_t sequence);

  /* Tells that this address space is a rank of MPI_COMM_WORLD, and the calling thread its first one ("rank 3"). */
  void (*rank) (uint32_t rank, uint32_t ranks);

  /* Sets the ranks' topology, in the form of `[communication] topology` in trace.ini; only the first call counts. */
  void (*topology) (const char *text);

  /* Returns the counter that all ranks know by this name. NULL: there is no room, or not all of its users could share
   * it. */
  struct lc_shared_counter *(*counter) (const char *name);

  /* Tells what this host's clock showed, in ticks, when the reference host's showed `reference` ns since its recording
   * began, with an error of up to `error` ns. The reference host tells its own clock. */
  void (*clock) (uint64_t ticks, uint64_t reference, uint64_t error);

  /* Converts ticks to ns since this host's recording began, for the reference host to send to the others. */
  uint64_t (*since_start) (uint64_t ticks);

  /* Ends what `block` or `await` has begun without an event. */
  void (*unblock) (void);

  bool (*is_suspended) (void);

  /* Counts an event of the calling thread, which must not be suspended, as lost. */
  void (*lost) (enum lc_lost reason);

  /* --- From version 4 on ---------------------------------------------------------------------------------- */

  /* Stops recording, in all address spaces, or lets it go on. */
  void (*set_paused) (bool paused);

  /* --- From version 5 on ---------------------------------------------------------------------------------- */

  void (*name_object) (const void *address, const char *name);

  /* --- From version 6 on, for replays ---------------------------------------------------------------------- */

  /* Returns the record of an object of POSIX or C11 at this address, also while the thread is suspended, and makes it
   * if need be. 0: there is no room. */
  uint32_t (*place) (enum lc_class class, enum lc_kind kind, const void *address);

  /* Tells that the thread which the calling thread makes next has this number, among the first `processes`, which are
   * given in this way only (LC_NO_PROCESS: any number); and that it begins with this function. */
  void (*make) (uint32_t process, uint32_t processes, const void *function);

  /* --- From version 7 on, for replays ---------------------------------------------------------------------- */

  /* The same as `append`, with a detail (struct lc_event_sync). */
  void (*append_detailed) (const struct lc_finished *event, uint32_t detail);

  /* --- From version 8 on, for replays ---------------------------------------------------------------------- */

  /* The same as `append`, of an object of POSIX or C11 that the recorder's wrappers go on with: they number the next
   * event after this one. Locks are numbered here, too. The event's `object` is looked for by the address. */
  void (*carry_on) (const struct lc_finished *event, enum lc_kind kind, const void *address);

  /* --- From version 9 on, for replays ---------------------------------------------------------------------- */

  /* The same as `append`, of an event that tests in vain before it are no part of. */
  void (*append_alone) (const struct lc_finished *event);

  /* --- From version 10 on, for replays --------------------------------------------------------------------- */

  /* Records a tag that says a text, also while the thread is suspended. `record` is that of the text, or 0: it is made,
   * and returned. 0: there is no room, or nothing is recorded. */
  uint32_t (*say) (uint32_t value, uint32_t record, const char *text);
};

/* --- Replays ------------------------------------------------------------------------------------------------ */

#define LC_REPLAY_HOOKS_SYMBOL "lc_replay_hooks_1"

/* The result that an operation had when it was recorded. */
enum lc_forecast
{
  LC_FORECAST_NONE, /* not known: it is as it comes */
  LC_FORECAST_NO,
  LC_FORECAST_YES,
};

/* Exported by what replays a program, beside LC_HOOKS_SYMBOL, as LC_REPLAY_HOOKS_SYMBOL. */
struct lc_replay_hooks
{
  uint32_t version;

  /*
   * Tells an operation of the calling thread, which has begun, its result: whether an attempt to wait (LC_WAIT) takes a
   * token; whether the thread is the last at a barrier (LC_BARRIER), all of whose generation have come when the
   * function returns.
   */
  enum lc_forecast (*forecast) (uint16_t operation, uint32_t object);

  /* --- From version 2 on, for MPI ------------------------------------------------------------------------- */

  /* Between `suspend` and `resume`, the calling thread is in MPI, where nothing has a turn. They nest. */
  void (*suspend) (struct lc_suspension *suspension);
  void (*resume) (const struct lc_suspension *suspension);

  /* Returns the process of the trace whose history the calling thread follows, or UINT32_MAX. */
  uint32_t (*process) (void);

  /* Returns the hooks of the recorder that is behind the replay. NULL: there is none. */
  const struct lc_hooks *(*recorder) (void);
};

#endif
