/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wrappers that record a trace of MPI's functions: communicators, channels, requests. */
#ifndef LC_MPI_RECORDING_H
#define LC_MPI_RECORDING_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/clock.h"
#include "record/hooks.h"

/*
 * The library is preloaded into the ranks of an MPI program, once for each MPI (mpi.h differs), and defines MPI_X for
 * the functions whose events are recorded; PMPI_X does what the program asked for. A wrapper changes neither arguments
 * nor results nor the order of calls (but waits for all of several one after the other), sends no message of its own
 * (but for init.c, which compares clocks), and keeps errno. Memory comes from mmap or from static tables, never from
 * the program's heap.
 *
 * A wrapper looks like this:
 *
 *   if (!lc_mpi_is_on ()) return PMPI_X (...);
 *   lc_mpi_enter (&call);                         suspends the recorder, stamps the begin
 *   result = PMPI_X (...);
 *   lc_mpi_leave (&call);                         resumes it
 *   lc_mpi_append (&call, &(struct lc_finished){...});   only if result is MPI_SUCCESS
 */

#define LC_MPI_EXPORT __attribute__ ((visibility ("default")))

/* NULL: nothing is recorded, and each wrapper just calls its PMPI_ function. Set in MPI_Init (init.c). */
extern const struct lc_hooks *lc_mpi_hooks;

/* Whether several threads may be in MPI at once; only then are the tables locked. */
extern bool lc_mpi_is_threaded;

/* Whether the calling thread is in a wrapper: calls from inside MPI, or from the program's callbacks, are not
 * recorded. */
extern __thread bool lc_mpi_is_inside __attribute__ ((tls_model ("initial-exec")));

struct lc_mpi_call
{
  struct lc_suspension suspension;
  uint64_t begin, end; /* ticks */
  int error;           /* errno */
  bool is_entered;     /* lc_mpi_enter has been called (see lc_mpi_pass) */
};

/* Whether the thread has left a wrapper by a jump out of an error handler; then it is not inside any more. */
bool lc_mpi_has_jumped (void);

/* Whether calls are recorded now: between MPI_Init and MPI_Finalize of a recorded program, not inside another
 * wrapper. */
static inline bool
lc_mpi_is_on (void)
{
  return __builtin_expect (lc_mpi_hooks != NULL && (!lc_mpi_is_inside || lc_mpi_has_jumped ()), 1);
}

void lc_mpi_enter (struct lc_mpi_call *call);

/* Enters a call if it is recorded; also prepares `call` for lc_mpi_pass. */
static inline bool
lc_mpi_enter_if_on (struct lc_mpi_call *call)
{
  call->is_entered = false;
  if (!lc_mpi_is_on ())
    return false;
  lc_mpi_enter (call);
  return true;
}

/* The same for what has no event, and so no place in the order in which a replay stops. */
void lc_mpi_enter_unrecorded (struct lc_mpi_call *call);

/* Leaves the call. Stamps its end, unless it is stamped already: after all that MPI has done, as the call may have
 * waited. */
void lc_mpi_leave (struct lc_mpi_call *call);

/* Stamps the end of a call at once, before anything is found out about it. */
static inline void
lc_mpi_stamp (struct lc_mpi_call *call)
{
  call->end = lc_now_after ();
}

/* Does the same for a call that cannot have waited for others; costs half as much. */
static inline void
lc_mpi_stamp_local (struct lc_mpi_call *call)
{
  call->end = lc_now ();
}

/* Ends a call of which nothing is recorded, instead of lc_mpi_leave and lc_mpi_append: leaves it, if it was entered.
 * Such calls suspend the recorder too, because MPI's own locks are not the program's. Returns `result`. */
int lc_mpi_pass (struct lc_mpi_call *call, int result);

/* Called within a call that involves processes of an unknown world: counts it as lost. */
void lc_mpi_missed (struct lc_mpi_call *call);

/* Locks this library's tables; does nothing while there is one thread. Hold it shortly, and call only local functions
 * of MPI meanwhile. */
void lc_mpi_lock_slow (void);
void lc_mpi_unlock_slow (void);

static inline void
lc_mpi_lock (void)
{
  if (__builtin_expect (lc_mpi_is_threaded, 0))
    lc_mpi_lock_slow ();
}

static inline void
lc_mpi_unlock (void)
{
  if (__builtin_expect (lc_mpi_is_threaded, 0))
    lc_mpi_unlock_slow ();
}

/* Allocates memory that is not cleared; with the tables locked. NULL: there is none. Released memory goes to the free
 * list of its size; only large pieces go back to the system. */
void *lc_mpi_allocate (size_t bytes);
void lc_mpi_release (void *memory, size_t bytes);

/* --- Communicators (communicators.c) ------------------------------------------------------------------------ */

#define LC_MPI_NAME 64

/*
 * All ranks give a communicator the same name without communicating: "world"; "world.2", the second one made from it;
 * "world.2/1", colour 1 of the second; "world.2/r3", the one whose first member is rank 3 of the world. Names longer
 * than LC_MPI_NAME end in a hash of the rest.
 */
struct lc_receive;
struct lc_channel;

/* The posted receives of a communicator (receives.c). Initially all zeros. */
struct lc_receives
{
  uint64_t posted;                 /* how many were posted */
  struct lc_receive *first, *last; /* receives of unknown channel, in the order of posting */
  struct lc_channel *held;         /* channels whose receives cannot be numbered before those are known */
};

struct lc_communicator
{
  char name[LC_MPI_NAME];
  int size, rank;       /* of the own group */
  int remote_size;      /* 0: no intercommunicator */
  uint32_t me;          /* own rank in the world, as counted in worlds.h */
  uint32_t *world;      /* rank (in the remote group, if there is one) -> rank in the world */
  uint32_t n_world;     /* its length */
  uint32_t members;     /* of collective operations, thus of both groups */
  uint32_t object;      /* its object of class collective */
  uint32_t barrier;     /* its object of class barrier */
  uint64_t collectives; /* number of the next collective operation */
  uint64_t barriers;
  uint64_t persistent; /* number of the next persistent collective operation */
  uint32_t derived;    /* how many communicators were made from it */
  uint32_t windows;    /* how many windows were made from it */
  int references;      /* its MPI handle, and pending requests */
  struct lc_receives receives;
};

/* Drops a reference; with the tables locked. */
void lc_communicator_drop (struct lc_communicator *communicator);

/* Finds a communicator that is not MPI_COMM_NULL; with the tables unlocked. NULL: nothing is known of it, as its
 * members are of another world. */
struct lc_communicator *lc_communicator_find (MPI_Comm handle);

/* Finds a communicator that is used between lc_mpi_enter and lc_mpi_leave; NULL is counted as lost. */
struct lc_communicator *lc_communicator_use (struct lc_mpi_call *call, MPI_Comm handle);

/* Takes the number of the next communicator made from `parent`: before the call that makes it, in the same order on all
 * ranks. */
uint32_t lc_communicator_next (struct lc_communicator *parent);

/* Drops a reference; with the tables locked. A holder of a reference (a request) has increased `references`. */
void lc_communicator_drop (struct lc_communicator *communicator);

/* Names a communicator that was made. `detail` is "", or tells it from others of the same call ("/1"); NULL: its first
 * member does ("/r3"). Does nothing for MPI_COMM_NULL. */
void lc_communicator_name (MPI_Comm handle, const struct lc_communicator *parent, uint32_t number, const char *detail);

/* Returns the world rank of a partner; LC_NO_PROCESS for MPI_PROC_NULL or an unknown one. */
static inline uint32_t
lc_communicator_partner (const struct lc_communicator *communicator, int rank)
{
  if (rank < 0 || (uint32_t)rank >= communicator->n_world)
    return LC_NO_PROCESS;
  return communicator->world[rank];
}

/* --- Channels (channels.c) ----------------------------------------------------------------------------------- */

/* A channel is one direction between two ranks with one tag and communicator: the object "0>3:7", or
 * "0>3:7@world.1". */
struct lc_channel
{
  uint32_t object; /* its object; 0: there was no room */
  uint32_t sent;   /* number of the next message, if this rank sends on it */
  uint32_t received;
  uint32_t initialised; /* of a partitioned message: how many were initialised with these ends and this tag */
  uint32_t from;
  int tag;

  /* For receives.c: */
  struct lc_receive *first, *last; /* posted for this channel and not numbered yet, in the order of posting */
  uint64_t matched;                /* all receives posted up to this one have got their message, or never will */
  struct lc_channel *next_held;    /* NULL: not held; itself: the last one */
};

/* Finds or makes a channel; with the tables locked. NULL: no memory. */
struct lc_channel *lc_channel_find (struct lc_communicator *communicator, uint32_t from, uint32_t to, int tag);

/* Finds a channel by its object. NULL: there is none yet. */
struct lc_channel *lc_channel_find_object (uint32_t object);

/* Finds or makes a channel with a word for a tag: "0>3:neighbour@world.1". */
struct lc_channel *lc_channel_find_named (const char *where, uint32_t from, uint32_t to, const char *what);

/* --- Requests (requests.c) ----------------------------------------------------------------------------------- */

/* A communicator that is being duplicated, to be named when it is complete. */
struct lc_pending_communicator
{
  MPI_Comm *handle;
  struct lc_communicator *parent;
  uint32_t number;
};

/* A collective operation that has begun, or a persistent one, which begins with each start of its request. */
struct lc_pending_collective
{
  uint64_t number; /* its sequence number */
  uint64_t next;   /* sequence number of the next start */
  uint64_t bytes;
  uint32_t object;
  uint32_t members;
  uint16_t begin;  /* operation of each start, LC_IBARRIER ...; 0: it has begun, and the caller writes its event */
  uint16_t finish; /* operation to write when the request is complete: LC_FINISH_... */
};

/* `made` may be NULL. */
void lc_request_add_collective (MPI_Request handle, const struct lc_pending_collective *collective,
                                struct lc_communicator *communicator, const struct lc_pending_communicator *made);

/* A message of a neighbourhood collective operation, or a partitioned one. */
struct lc_pending_message
{
  struct lc_channel *channel;
  uint64_t bytes;
  uint32_t sequence;
  bool is_sent;
  bool is_told; /* its `isend` is written when it is sent, not when the request is started */
};

/* Takes the next number of the message's channel; with the tables locked. */
static inline void
lc_pending_message_number (struct lc_pending_message *message)
{
  message->sequence = message->is_sent ? message->channel->sent++ : message->channel->received++;
}

static inline void
lc_pending_message_unnumber (struct lc_pending_message *message)
{
  --*(message->is_sent ? &message->channel->sent : &message->channel->received);
}

/* Adds a request of several messages, which have begun, or begin with each start if it is persistent. When it is
 * complete, a `complete` is written for each message. The list is copied. */
void lc_request_add_messages (MPI_Request handle, const struct lc_pending_message *messages, int n, bool is_persistent);

/* --- Messages ------------------------------------------------------------------------------------------------ */

/* Returns count * the size of the datatype; limited to the largest number. */
uint64_t lc_mpi_bytes (MPI_Count count, MPI_Datatype type);

/* Writes an event, which ends the call's pending operation. If both `begin` and `end` are 0, those of the call are
 * used. */
void lc_mpi_append (const struct lc_mpi_call *call, struct lc_finished *event);

/* Notes what the call is about to wait for, in case the program is killed in it. */
void lc_mpi_block (const struct lc_mpi_call *call, uint16_t operation, uint32_t object, uint64_t sequence);

#endif
