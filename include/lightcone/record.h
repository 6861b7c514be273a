/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that a program may call to be recorded better: synchronization objects and marks. C11 and C++. */
#ifndef LIGHTCONE_RECORD_H
#define LIGHTCONE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /*
   * Link with `pkg-config --libs lightcone` (a small static library). The program then runs the same whether it is
   * recorded or not: the recorder is found when `lightcone record` starts the program; without it the synchronization
   * works all the same and a mark costs a load and a branch.
   *
   * All functions are thread-safe unless they say otherwise. A name is copied; NULL is none. Misuse that is not
   * checked (an object used before its init or after its destroy) is undefined, as with pthreads. init functions
   * return 0 or an error number (EINVAL, ENOMEM); destroy functions need that nobody is using the object. No function
   * is a cancellation point; operations keep errno. Objects serve one address space: do not put them in shared memory.
   */

  /* The identity of an object in the recording. Private. */
  struct lc_handle
  {
    char *name;  /* owned */
    uint64_t id; /* address space << 32 | record; 0: none yet */
  };

  /* --- Marks ----------------------------------------------------------------------------------------------- */

  /* Whether this program is being recorded now. */
  bool lc_recording (void);

  /*
   * Stops the recording of all threads and processes of this program, and lets it go on: for parts of a run that are of
   * no interest, or, with `lightcone record --paused`, for the one part that is. What counts is the last call, whoever
   * makes it; `lightcone control DIR stop` and `start` do the same from outside. Calls that are made when nothing
   * is recorded do nothing.
   */
  void lc_record_stop (void);
  void lc_record_start (void);

  /* Records a value of the program's own: the number of a round, a phase, a state. */
  void lc_tag (uint32_t value);

  /*
   * A region: what happens between the two calls, which must be made by the same thread and nest. `name` must be the
   * same pointer at both ends and stay valid: a string literal.
   */
  void lc_enter (const char *name);
  void lc_leave (const char *name);

  /* Names the calling process (thread) in the diagram. */
  void lc_name_process (const char *name);

  /*
   * Names the synchronization object at this address, whatever its interface: the one that is there, or if it has not
   * been used yet, the one that will be. Without this it has the name of its variable, where that is known.
   */
  void lc_name_object (const void *address, const char *name);

  /*
   * Keeps a copy of a matrix of doubles (row after row, `rows` times `columns`) beside the trace, and records an event
   * at this moment. The caller must make sure that nobody changes the matrix meanwhile. Does nothing if the program is
   * not being recorded.
   */
  void lc_snapshot (const char *name, const double *matrix, size_t rows, size_t columns);

  /* --- Crew: concurrent readers, exclusive writer, and the version of the guarded data ---------------------------- */

  /*
   * Writers go in order of arrival. A reader that starts while a writer writes or waits goes after that writer and
   * before the next one: so a reader must not start to read again while reading.
   */
  struct lc_crew
  {
    uint64_t readers;  /* number of readers that read or wait, and whether there is a writer */
    uint64_t turn;     /* of the writers, and whether any wait for it */
    uint32_t tickets;  /* of the writers */
    uint32_t draining; /* number of readers that the writer still waits for */
    uint64_t version;
    uint64_t reads;    /* address space << 32 | recorded read-starts of this version */
    uint32_t instance; /* the address space that recorded the last write-end */
    uint32_t padding;
    struct lc_handle handle;
  };

  int lc_crew_init (struct lc_crew *crew, const char *name);
  void lc_crew_destroy (struct lc_crew *crew);

  /* Both start functions return the version: 0 before the first write; each write-start makes the next version. */
  uint64_t lc_read_start (struct lc_crew *crew);
  void lc_read_end (struct lc_crew *crew);
  uint64_t lc_write_start (struct lc_crew *crew);
  void lc_write_end (struct lc_crew *crew);

  /* --- Advance and await on a synchronization variable ------------------------------------------------------- */

  struct lc_sync
  {
    uint32_t *advanced; /* owned */
    uint64_t first, count;
    struct lc_handle handle;
  };

  /* Makes a variable with the indices first ... first + count - 1. Using another index is a fatal error of the program
   * (abort). */
  int lc_sync_init (struct lc_sync *sync, const char *name, uint64_t first, uint64_t count);
  void lc_sync_destroy (struct lc_sync *sync);

  /* Marks index i as advanced. If it is already, nothing changes and nothing is recorded. */
  void lc_advance (struct lc_sync *sync, uint64_t i);

  /* Waits until index i is advanced. */
  void lc_await (struct lc_sync *sync, uint64_t i);

  /* Forgets all advanced indices. Nobody may be using the variable. In the recording it becomes a new object. */
  void lc_sync_reset (struct lc_sync *sync);

  /* --- Barrier ---------------------------------------------------------------------------------------------- */

  struct lc_barrier
  {
    uint64_t arrived;
    uint32_t count;
    uint32_t passed; /* number of generations that may all leave, << 1, and whether anyone waits for the next one */
    struct lc_handle handle;
  };

  int lc_barrier_init (struct lc_barrier *barrier, const char *name, uint32_t count);
  void lc_barrier_destroy (struct lc_barrier *barrier);

  /* Returns true to one of each `count` callers, the last to arrive. */
  bool lc_barrier_wait (struct lc_barrier *barrier);

  /* --- Semaphore -------------------------------------------------------------------------------------------- */

  struct lc_semaphore
  {
    uint64_t tokens; /* number of tokens, and whether anyone waits for one */
    uint64_t posted; /* number of tokens ever given, the initial ones included */
    uint64_t taken;
    struct lc_handle handle;
  };

  int lc_semaphore_init (struct lc_semaphore *semaphore, const char *name, uint32_t tokens);
  void lc_semaphore_destroy (struct lc_semaphore *semaphore);
  void lc_semaphore_post (struct lc_semaphore *semaphore); /* may be called by a signal handler */
  void lc_semaphore_wait (struct lc_semaphore *semaphore);
  bool lc_semaphore_try_wait (struct lc_semaphore *semaphore);

  /* --- Message channel -------------------------------------------------------------------------------------- */

  struct lc_channel
  {
    void *slots; /* owned */
    size_t slot_bytes;
    size_t limit;
    uint64_t slot_count;
    uint64_t sent, received;
    struct lc_handle handle;
    struct lc_handle room; /* a semaphore in the recording, for waiting for a free buffer */
  };

  /*
   * Makes a channel with `slots` buffers (at least 1) for messages of at most `bytes` bytes, for any number of senders
   * and receivers. The n-th message sent is the n-th received.
   */
  int lc_channel_init (struct lc_channel *channel, const char *name, uint32_t slots, size_t bytes);
  void lc_channel_destroy (struct lc_channel *channel);

  /* Copies a message into a buffer; waits while all buffers are full. Aborts if `bytes` is over the channel's limit. */
  void lc_send (struct lc_channel *channel, const void *message, size_t bytes);

  /* Sends a message as lc_send does, then waits until a receiver has begun to take it: a rendezvous. */
  void lc_send_rendezvous (struct lc_channel *channel, const void *message, size_t bytes);

  /* Waits for the next message, copies it to `message` (room for the channel's limit) and returns its length. */
  size_t lc_receive (struct lc_channel *channel, void *message);

#ifdef __cplusplus
}
#endif

#endif
