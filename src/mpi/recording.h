/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of MPI's functions share when a trace is recorded: communicators, channels, requests. */
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
 * nor results nor the order of calls, sends no message of its own (but for init.c, which compares clocks), and keeps
 * errno. Memory comes from mmap or from static tables, never from the program's heap.
 *
 * A wrapper looks like this:
 *
 *   if (!lc_mpi_is_on ()) return PMPI_X (...);
 *   lc_mpi_enter (&call);                         stamps the begin, suspends the recorder
 *   result = PMPI_X (...);
 *   lc_mpi_leave (&call);                         resumes it
 *   lc_mpi_append (&call, &(struct lc_finished){...});   only if result is MPI_SUCCESS
 */

#define LC_MPI_EXPORT __attribute__ ((visibility ("default")))

/* NULL: nothing is recorded, and every wrapper is its PMPI_ function. Set in MPI_Init; init.c. */
extern const struct lc_hooks *lc_mpi_hooks;

/* Whether several threads may be in MPI at once: only then are the tables locked. */
extern bool lc_mpi_is_threaded;

/* The calling thread is in a wrapper: what MPI, or a function that the program has given to it, calls is not recorded.
 */
extern __thread bool lc_mpi_is_inside __attribute__ ((tls_model ("initial-exec")));

struct lc_mpi_call
{
  struct lc_suspension suspension;
  uint64_t begin, end; /* ticks */
  int error;           /* errno */
  bool is_entered;     /* lc_mpi_enter has been called: see lc_mpi_pass */
};

/* The calling thread is no longer inside, though it seems to be: an error handler has jumped out. */
bool lc_mpi_has_jumped (void);

/* Between MPI_Init and MPI_Finalize, if the program is recorded; not inside another wrapper. */
static inline bool
lc_mpi_is_on (void)
{
  return __builtin_expect (lc_mpi_hooks != NULL && (!lc_mpi_is_inside || lc_mpi_has_jumped ()), 1);
}

void lc_mpi_enter (struct lc_mpi_call *call);

/* With what lc_mpi_pass needs, if it comes to that. */
static inline bool
lc_mpi_enter_if_on (struct lc_mpi_call *call)
{
  call->is_entered = false;
  if (!lc_mpi_is_on ())
    return false;
  lc_mpi_enter (call);
  return true;
}

/* Stamps the end, unless that has been done: after all that MPI has done, for who may have waited. */
void lc_mpi_leave (struct lc_mpi_call *call);

/* The end as soon as it is there: before anything is found out about the call. */
static inline void
lc_mpi_stamp (struct lc_mpi_call *call)
{
  call->end = lc_now_after ();
}

/* The same of a call that waits for nobody; costs half as much. */
static inline void
lc_mpi_stamp_local (struct lc_mpi_call *call)
{
  call->end = lc_now ();
}

/*
 * After the call of one of which nothing is recorded, in place of both: leaves it, if it was entered. Until then it is
 * suspended like all others, for MPI's own locks are none of the program's. Returns `result`.
 */
int lc_mpi_pass (struct lc_mpi_call *call, int result);

/* Between these: it is with processes of another world, of which nothing is known, and is counted as lost. */
void lc_mpi_missed (struct lc_mpi_call *call);

/* The tables of this library; does nothing while there is one thread. Short: no MPI function but local ones inside. */
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

/* With the tables locked: memory that is not cleared. NULL: there is none. What is released goes to the free list of
   its own size, and back to the system only if it is large. */
void *lc_mpi_allocate (size_t bytes);
void lc_mpi_release (void *memory, size_t bytes);

/* --- Communicators: communicators.c ------------------------------------------------------------------------- */

#define LC_MPI_NAME 64

/*
 * All ranks give a communicator the same name without asking each other: "world"; "world.2", the second one that was
 * made from it; "world.2/1", that of colour 1 of the second; "world.2/r3", that whose first member is rank 3 of the
 * world. Names that would be longer than LC_MPI_NAME end in a hash of the rest.
 */
struct lc_receive;
struct lc_channel;

/* The receives of a communicator that have been posted: receives.c. All zeros at first. */
struct lc_receives
{
  uint64_t posted;                 /* how many there have been */
  struct lc_receive *first, *last; /* those that may take messages of several channels, in the order of posting */
  struct lc_channel *held;         /* channels with messages that cannot be numbered before those are known */
};

struct lc_communicator
{
  char name[LC_MPI_NAME];
  int size, rank;       /* of the own group */
  int remote_size;      /* 0: no intercommunicator */
  uint32_t me;          /* the own rank in the world, as worlds.h counts them */
  uint32_t *world;      /* rank (of the remote group, if there is one) -> rank in the world */
  uint32_t n_world;     /* its length */
  uint32_t members;     /* of collective operations: both groups */
  uint32_t object;      /* its record of class collective */
  uint32_t barrier;     /* its record of class barrier */
  uint64_t collectives; /* how many there have been; the next one has this number */
  uint64_t barriers;
  uint64_t persistent; /* how many persistent collective operations have been initialised */
  uint32_t derived;    /* how many communicators have been made from it */
  uint32_t windows;    /* and how many windows */
  int references;      /* its handle, and requests that are going on */
  struct lc_receives receives;
};

/* With the tables locked: one reference less. */
void lc_communicator_drop (struct lc_communicator *communicator);

/* With the tables unlocked. Of a communicator that is not MPI_COMM_NULL; NULL: nothing can be known of it (its members
 * are of another world). */
struct lc_communicator *lc_communicator_find (MPI_Comm handle);

/* The same of a communicator that is used between lc_mpi_enter and lc_mpi_leave: NULL is counted as lost. */
struct lc_communicator *lc_communicator_use (struct lc_mpi_call *call, MPI_Comm handle);

/* The number of the next communicator made from it: before the call that makes it, by all ranks in the same order. */
uint32_t lc_communicator_next (struct lc_communicator *parent);

/* One of its references less, with the tables locked; whoever keeps one (a request) counts `references` up. */
void lc_communicator_drop (struct lc_communicator *communicator);

/* Names a communicator that has been made. `detail`: "", or what tells it from others of the same call ("/1"); NULL:
   its first member does ("/r3"). Nothing happens for MPI_COMM_NULL. */
void lc_communicator_name (MPI_Comm handle, const struct lc_communicator *parent, uint32_t number, const char *detail);

/* The world's rank of a partner; MPI_PROC_NULL and what is unknown: LC_NO_PROCESS. */
static inline uint32_t
lc_communicator_partner (const struct lc_communicator *communicator, int rank)
{
  if (rank < 0 || (uint32_t)rank >= communicator->n_world)
    return LC_NO_PROCESS;
  return communicator->world[rank];
}

/* --- Channels: channels.c ------------------------------------------------------------------------------------ */

/* One direction between two ranks, with one tag and communicator: the object "0>3:7", or "0>3:7@world.1". */
struct lc_channel
{
  uint32_t object; /* its record; 0: there was no room */
  uint32_t sent;   /* the number of the next message, if this rank sends on it */
  uint32_t received;
  uint32_t initialised; /* of a partitioned message: how many with these ends and this tag */
  uint32_t from;
  int tag;

  /* For receives.c */
  struct lc_receive *first, *last; /* posted for this channel and not numbered yet, in the order of posting */
  uint64_t matched;                /* all posted up to this one have got their message, or never will */
  struct lc_channel *next_held;    /* NULL: it is not held; itself: it is the last one */
};

/* With the tables locked. NULL: no memory. */
struct lc_channel *lc_channel_find (struct lc_communicator *communicator, uint32_t from, uint32_t to, int tag);

/* One whose tag is a word: "0>3:neighbour@world.1". */
struct lc_channel *lc_channel_find_named (const char *where, uint32_t from, uint32_t to, const char *what);

/* --- Requests: requests.c ------------------------------------------------------------------------------------ */

/* What a communicator that is being duplicated is to be called when it is there. */
struct lc_pending_communicator
{
  MPI_Comm *handle;
  struct lc_communicator *parent;
  uint32_t number;
};

/* A collective operation that has begun, or one that is initialised, and begins with each start of its request. */
struct lc_pending_collective
{
  uint64_t number; /* its sequence */
  uint64_t next;   /* that of the next start */
  uint64_t bytes;
  uint32_t object;
  uint32_t members;
  uint16_t begin;  /* what each start is, LC_IBARRIER ...; 0: it has begun, and the caller writes that */
  uint16_t finish; /* what is written when the request is found complete: LC_FINISH_... */
};

/* `made`: or NULL. */
void lc_request_add_collective (MPI_Request handle, const struct lc_pending_collective *collective,
                                struct lc_communicator *communicator, const struct lc_pending_communicator *made);

/* A message of a neighbourhood collective operation, or one in partitions. */
struct lc_pending_message
{
  struct lc_channel *channel;
  uint64_t bytes;
  uint32_t sequence;
  bool is_sent;
  bool is_told; /* who sends it writes its `isend`, not who starts the request */
};

/* With the tables locked. */
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

/* The messages have begun, or begin with each start of the request, if that is persistent: when it is found complete, a
   `complete` is written for each. The list is copied. */
void lc_request_add_messages (MPI_Request handle, const struct lc_pending_message *messages, int n, bool is_persistent);

/* --- Messages ------------------------------------------------------------------------------------------------ */

/* count * the datatype's size; what does not fit is as much as fits. */
uint64_t lc_mpi_bytes (MPI_Count count, MPI_Datatype type);

/* Writes an event; ends the call's pending operation. `begin` and `end` 0: those of the call. */
void lc_mpi_append (const struct lc_mpi_call *call, struct lc_finished *event);

/* What the call is about to wait for, for when the program is killed in it. */
void lc_mpi_block (const struct lc_mpi_call *call, uint16_t operation, uint32_t object, uint64_t sequence);

#endif
