/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of MPI's functions share when a program is profiled: times, overhead, delays. */
#ifndef LC_MPI_PROFILE_H
#define LC_MPI_PROFILE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "lightcone/compensation.h"
#include "record/clock.h"

/*
 * The library is preloaded into the ranks of an MPI program in front of the recorder, which does nothing then. All
 * times are ns since the profile began. Memory comes from mmap, never from the program's heap. A wrapper:
 *
 *   if (!lc_profile_begin (&call, &routine)) return PMPI_X (...);
 *   ...                                  what it takes to carry the delay
 *   lc_profile_go (&call);               that was overhead
 *   result = PMPI_X (...);
 *   lc_profile_back (&call);
 *   ...                                  lc_profile_received and so on
 *   lc_profile_end (&call);              that was, too
 */

#define LC_PROFILE_EXPORT __attribute__ ((visibility ("default")))
#define LC_PROFILE_UNLIKELY(condition) __builtin_expect (!!(condition), 0)

enum
{
  LC_PROFILE_ROUTINES = 4096, /* at most, and levels of calls */
  LC_PROFILE_DEPTH = 2048,
  LC_PROFILE_PARTS = 1024,
  LC_PROFILE_SIZES = 40, /* classes of bytes: 0, 1, 2-3, 4-7 ... */
  LC_PROFILE_BATCH = 16, /* trials */
};

enum lc_profile_kind
{
  LC_PROFILE_MPI,
  LC_PROFILE_FUNCTION, /* of a program compiled with -finstrument-functions */
  LC_PROFILE_REGION,   /* lc_enter ... lc_leave */
  LC_PROFILE_KINDS,
};

/* The three ways in which a time is told. */
enum lc_profile_way
{
  LC_PROFILE_NONE,
  LC_PROFILE_LOCAL,
  LC_PROFILE_PARALLEL,
  LC_PROFILE_WAYS,
};

/* Of a call that costs nothing itself: what it takes longer for its caller (outside), and what of it its own stamps
   see (inside). */
struct lc_profile_cost
{
  int64_t outside, inside; /* in parts of a ns: LC_PROFILE_PARTS */
};

/* Static, one for each wrapper; or made when a function is called for the first time. */
struct lc_profile_routine
{
  const char *name;
  const void *function; /* NULL: the name is known */
  enum lc_profile_kind kind;
  uint32_t id; /* 0: not called yet */
  struct lc_profile_cost cost;
  struct lc_profile_routine *next;

  /* Trials of what it costs, by whoever has set is_busy: */
  bool is_busy;
  bool calls_others; /* or itself: there are no trials */
  uint32_t n_batch, n_found, n_failed;
  int64_t measured[2 * LC_PROFILE_BATCH], skipped[LC_PROFILE_BATCH]; /* lengths of windows */
  int64_t found;                                                     /* mean of n_found batches, parts of a ns */
};

struct lc_profile_times
{
  uint64_t calls, skipped; /* these are among the calls */
  uint32_t active;         /* activations that are going on */
  int64_t inclusive[LC_PROFILE_WAYS];
  int64_t exclusive[LC_PROFILE_WAYS];
  int64_t waiting[LC_PROFILE_WAYS];
};

struct lc_profile_frame
{
  struct lc_profile_routine *routine;
  int64_t begin, overhead, delay; /* when it was entered */
  int64_t inner[LC_PROFILE_WAYS]; /* of what it has called */
};

/* Of what a call costs where it is made: profile-trial.c. */
struct lc_profile_trial
{
  const void *key;        /* of the function or region; NULL: there is no trial now */
  uint32_t left;          /* calls until the next step; without a trial, until there is one */
  bool is_skipping;       /* its calls are not measured */
  bool is_open;           /* such a call is going on */
  bool goes_on;           /* the stretch of calls */
  int step;               /* enum step */
  uint32_t skipped_calls; /* that are not part of the profile yet */
  uint32_t stretches, others, random;
  struct lc_profile_routine *routine;
  int64_t since, length; /* of the stretch; of those of the window before it */
  int64_t told;          /* until then skipped calls are part of the profile */
  int64_t lengths[2];    /* of the windows before */
  int64_t own;           /* of a call without its measurement, parts of a ns */
};

struct lc_profile_thread
{
  struct lc_compensator self;
  int64_t rest; /* parts of a ns that are overhead too */
  struct lc_profile_trial trial;
  bool inside;           /* a wrapper: what MPI calls by itself is none of the program's */
  int64_t poll_begin;    /* since when the program has asked in vain whether a message is there; 0: it has not */
  int64_t poll_end;      /* of the last time */
  int64_t poll_overhead; /* at poll_begin */
  uint32_t poll_routine; /* who asked last */
  uint32_t depth;
  struct lc_profile_thread *next;
  struct lc_profile_frame frames[LC_PROFILE_DEPTH + 1]; /* the last one is for MPI's functions */
  struct lc_profile_times times[LC_PROFILE_ROUTINES];
};

struct lc_profile_call
{
  struct lc_profile_thread *thread;
  int64_t begin, go, back;
  bool polls;      /* it does not end a busy-wait */
  uint32_t deeper; /* calls that have no frame */
  int error;       /* errno */
};

/* What goes in front of a message. */
struct lc_profile_header
{
  int64_t delay;
  int64_t sent; /* 0: the clocks of the ranks are not one */
};

#define LC_PROFILE_NO_MESSAGE INT64_MIN

extern bool lc_profile_is_on;     /* the program is being profiled */
extern bool lc_profile_carries;   /* messages have a header */
extern bool lc_profile_one_clock; /* of all ranks */
extern bool lc_profile_is_threaded;
extern struct lc_profile_cost lc_profile_costs[LC_PROFILE_KINDS];
extern __thread struct lc_profile_thread *lc_profile_self __attribute__ ((tls_model ("initial-exec")));

/* --- profile.c --------------------------------------------------------------------------------------------- */

int64_t lc_profile_now (void);

/* The calling thread's state; NULL: there is no memory, or nothing is profiled. */
struct lc_profile_thread *lc_profile_thread_new (void);

static inline struct lc_profile_thread *
lc_profile_thread (void)
{
  struct lc_profile_thread *thread = lc_profile_self;

  return __builtin_expect (thread != NULL, 1) ? thread : lc_profile_thread_new ();
}

static inline void
lc_profile_charge (struct lc_profile_thread *thread, int64_t parts)
{
  thread->rest += parts;
  lc_compensation_add (&thread->self, thread->rest / LC_PROFILE_PARTS);
  thread->rest %= LC_PROFILE_PARTS;
}

void lc_profile_enter (struct lc_profile_thread *thread, struct lc_profile_routine *routine);
void lc_profile_leave (struct lc_profile_thread *thread, struct lc_profile_routine *routine);

/* FALSE: not profiled now. */
bool lc_profile_begin (struct lc_profile_call *call, struct lc_profile_routine *routine);
void lc_profile_go (struct lc_profile_call *call);
void lc_profile_back (struct lc_profile_call *call);
void lc_profile_end (struct lc_profile_call *call);

void lc_profile_add_waiting (struct lc_profile_thread *thread, int64_t measured, int64_t compensated);

/* Of the call that goes on, so much of what was found out in it about waiting belongs to the one that asked before. */
void lc_profile_move_waiting (struct lc_profile_thread *thread, int64_t adjusted, int64_t measured,
                              int64_t compensated);

/* Ends all calls that are going on. */
void lc_profile_close (struct lc_profile_thread *thread);

/* Sorts them. */
int64_t lc_profile_median (int64_t *values, int n);

void lc_profile_lock (void);
void lc_profile_unlock (void);

/* Never given back. NULL: there is none. */
void *lc_profile_allocate (size_t bytes);

/* All routines that have been called, the last one first. */
struct lc_profile_routine *lc_profile_routines (void);

/* An errand of the library's own, in an MPI call of the program's: what it takes is overhead. */
void lc_profile_overhead (struct lc_profile_thread *thread, int64_t overhead);

/* --- profile-carry.c --------------------------------------------------------------------------------------- */

/* A datatype of a header and a message; the header's place is fixed, for as long as the message is under way. */
struct lc_carrier
{
  struct lc_profile_header header;
  const void *buffer;
  int count;
  MPI_Datatype inner;
  MPI_Datatype type; /* of both; MPI_INT64_T when there is no more than the header */
  int type_count;
  void *base;     /* to be sent from, or received to */
  int64_t bytes;  /* of the message */
  uint64_t epoch; /* of datatypes, when it was made */
  bool is_named;  /* the inner datatype: it is never freed */
  struct lc_carrier *next;

  /* For requests: */
  uint64_t request;
  bool is_receive, is_persistent, is_active, is_claimed;
  int partner;
  struct lc_carrier *also; /* of the message that the same request sends */
  size_t copy;             /* bytes of the buffer, if it is a copy that nobody needs afterwards */
};

/* NULL: this message has no header. */
struct lc_carrier *lc_carrier_take (const void *buffer, int count, MPI_Datatype type, int partner);
void lc_carrier_give (struct lc_carrier *carrier);

/* Its datatype is not used again, nor freed: MPICH 4.0 itself frees that which MPI_Isendrecv sends once too often.
   NULL: none. */
void lc_carrier_lose (struct lc_carrier *carrier);

/* The header of a message that this process sends now; after lc_profile_go. */
void lc_carrier_send (struct lc_carrier *carrier, struct lc_profile_call *call);
void lc_carrier_expect (struct lc_carrier *carrier);

/* The status is the program's: without the header. */
void lc_carrier_correct (MPI_Status *status);

/* Before MPI_Finalize: frees the datatypes that are not in use. */
void lc_carriers_end (void);

/* A datatype has been freed: its handle may become another one. */
void lc_carriers_forget_types (void);

/* What has been received in a call: begin with {0}. */
struct lc_received
{
  int count;
  int64_t bytes;       /* of the largest one */
  int64_t least;       /* delay */
  int64_t there, bare; /* the last arrival, as far as it is known, and what it would have been; INT64_MIN: unknown */
};

void lc_received_add (struct lc_received *received, const struct lc_carrier *carrier);

/* After lc_profile_back: the waiting, and the delay that follows from it. */
void lc_profile_received (struct lc_profile_call *call, const struct lc_received *received);

/* What carrying a message costs one side. */
int64_t lc_carry_cost (int64_t bytes);
void lc_carry_calibrate (void);

/* --- profile-requests.c ------------------------------------------------------------------------------------ */

void lc_profile_request_add (MPI_Request request, struct lc_carrier *carrier, bool is_receive, bool is_persistent,
                             int partner);

/* --- profile-collective.c ---------------------------------------------------------------------------------- */

/* As a barrier of all ranks; what is measured before MPI_Finalize ends here. */
void lc_profile_come_together (struct lc_profile_call *call, MPI_Comm communicator);
void lc_profile_collective_begin (void);

/* --- profile-regions.c ------------------------------------------------------------------------------------- */

#define LC_PROFILE_ROUNDS 100 /* at most */

void lc_profile_regions_calibrate (int rounds);

/* --- profile-trial.c --------------------------------------------------------------------------------------- */

extern bool lc_profile_tries;        /* there may be trials */
extern int64_t lc_profile_skip_cost; /* of a call that is not measured, parts of a ns */

/* The costs of a kind of calls have been measured: they are used for all whose own are not known. */
void lc_profile_trial_costs (void);

/* A call of this routine is about to be measured, and trial.left has become 0. */
void lc_profile_trial_begin (struct lc_profile_thread *thread, struct lc_profile_routine *routine, const void *key);

/* In a trial, a call begins that is not simply the next one of its step. TRUE: it is not to be measured. */
bool lc_profile_trial_enter (struct lc_profile_thread *thread, const void *key);

/* In a trial, something else happens than calls of its routine: before anything is done about it. */
void lc_profile_trial_other (struct lc_profile_thread *thread);

/* The profile is about to be written: calls that were skipped become part of it. */
void lc_profile_trial_tell (struct lc_profile_thread *thread);

/* --- profile-write.c --------------------------------------------------------------------------------------- */

/* Once; later calls do nothing. */
void lc_profile_write (void);

extern struct lc_profile_thread *lc_profile_threads;
extern int lc_profile_rank, lc_profile_ranks;
extern struct lc_profile_thread *lc_profile_first; /* the one that has called MPI_Init */
extern int64_t lc_profile_origin, lc_profile_finish;
extern int lc_profile_pid;        /* a child that it forks is no rank */
extern int64_t lc_profile_before; /* overhead until the end of MPI_Init */
extern uint64_t lc_profile_messages;

#endif
