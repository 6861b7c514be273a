/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wrappers of MPI's functions for a profile: times, overhead, delays. */
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
 *   ...                                 prepare to carry the delay
 *   lc_profile_go (&call);              the time since lc_profile_begin was overhead
 *   result = PMPI_X (...);
 *   lc_profile_back (&call);
 *   ...                                 lc_profile_received and so on
 *   lc_profile_end (&call);             the time since lc_profile_back was overhead, too
 */

#define LC_PROFILE_EXPORT __attribute__ ((visibility ("default")))
#define LC_PROFILE_UNLIKELY(condition) __builtin_expect (!!(condition), 0)

enum
{
  LC_PROFILE_ROUTINES = 4096, /* routines, and (below) nested calls, at most */
  LC_PROFILE_DEPTH = 2048,
  LC_PROFILE_PARTS = 1024,
  LC_PROFILE_SIZES = 40, /* classes of bytes: 0, 1, 2-3, 4-7 ... */
  LC_PROFILE_BATCH = 16, /* trials in a batch */
};

enum lc_profile_kind
{
  LC_PROFILE_MPI,
  LC_PROFILE_FUNCTION, /* a function of a program compiled with -finstrument-functions */
  LC_PROFILE_REGION,   /* lc_enter ... lc_leave */
  LC_PROFILE_KINDS,
};

/* The three ways to compensate a time: not, locally, and in parallel. */
enum lc_profile_way
{
  LC_PROFILE_NONE,
  LC_PROFILE_LOCAL,
  LC_PROFILE_PARALLEL,
  LC_PROFILE_WAYS,
};

/* The cost of measuring a call: all that its caller sees (outside), and of it what the call's own stamps see
 * (inside). */
struct lc_profile_cost
{
  int64_t outside, inside; /* in fractions of a ns: LC_PROFILE_PARTS make 1 ns */
};

/* A wrapper's routine is static; that of a function is made when it is first called. */
struct lc_profile_routine
{
  const char *name;
  const void *function; /* NULL: `name` is known */
  enum lc_profile_kind kind;
  uint32_t id; /* 0: not called yet */
  struct lc_profile_cost cost;
  struct lc_profile_routine *next;

  /* Trials of its cost; `is_busy` protects these: */
  bool is_busy;
  bool calls_others; /* the routine calls others, or itself, so there are no trials */
  uint32_t n_batch, n_found, n_failed;
  int64_t measured[2 * LC_PROFILE_BATCH], skipped[LC_PROFILE_BATCH]; /* lengths of windows */
  int64_t found;                                                     /* mean of n_found batches, in fractions of a ns */
};

struct lc_profile_times
{
  uint64_t calls, skipped; /* `skipped` are among `calls` */
  int64_t inclusive[LC_PROFILE_WAYS];
  int64_t exclusive[LC_PROFILE_WAYS];
  int64_t waiting[LC_PROFILE_WAYS];
};

/* A path is a routine that another path has called. */
struct lc_profile_path
{
  uint32_t caller; /* LC_PROFILE_OUTERMOST: nobody that is measured */
  uint32_t routine;
  struct lc_profile_times times;
};

/* The call paths of a thread, callers before those they call. */
struct lc_profile_paths;

/* In place of the number of a path: */
enum
{
  LC_PROFILE_NO_PATH,   /* paths are not told, or there are too many */
  LC_PROFILE_OUTERMOST, /* no routine is open */
  LC_PROFILE_FIRST_PATH,
};

struct lc_profile_frame
{
  struct lc_profile_routine *routine;
  struct lc_profile_times *times; /* of its path, or else of the routine */
  uintptr_t stack;                /* the stack pointer of the function; of anything else, that of the frame before */
  uint32_t path;
  int64_t begin, overhead, delay; /* when it was entered */
  int64_t inner[LC_PROFILE_WAYS]; /* times of the calls inside */
};

/* A trial measures the cost of measuring a call where it is made (profile-trial.c). */
struct lc_profile_trial
{
  const void *key;        /* of the function or region; NULL: no trial now */
  uint32_t left;          /* calls until the next step, or until the next trial */
  bool is_skipping;       /* calls are not measured now */
  bool is_open;           /* a call that is not measured has begun */
  bool goes_on;           /* the stretch of calls continues */
  int step;               /* enum step */
  uint32_t skipped_calls; /* skipped calls that are not in the profile yet */
  uint32_t stretches, others, random;
  struct lc_profile_routine *routine;
  int64_t since, length; /* begin of the stretch; length of the window's earlier stretches */
  int64_t told;          /* skipped calls are in the profile up to this time */
  int64_t lengths[2];    /* of the previous windows */
  int64_t measured;      /* time of the calls that were measured since its begin, compensated locally */
  int64_t own;           /* time of a call without its measurement, in fractions of a ns */
};

struct lc_profile_thread
{
  struct lc_compensator self;
  int64_t rest; /* overhead below a ns, in fractions */
  struct lc_profile_trial trial;
  bool inside;                         /* in a wrapper, where MPI's own calls do not count */
  int64_t poll_begin;                  /* since when the program polls in vain for a message; 0: it does not */
  int64_t poll_end;                    /* end of the last poll */
  int64_t poll_overhead;               /* overhead at poll_begin */
  struct lc_profile_times *poll_times; /* of the last poll */
  struct lc_profile_paths *paths;      /* NULL: they are not told */
  uint32_t depth;
  uint64_t too_deep; /* calls that are not told, for there are too many levels */
  struct lc_profile_thread *next;
  struct lc_profile_frame frames[LC_PROFILE_DEPTH + 1]; /* the last one is for a call of MPI at the deepest level */
  uint32_t active[LC_PROFILE_ROUTINES];                 /* activations of each routine now */
  struct lc_profile_times times[LC_PROFILE_ROUTINES];   /* of calls without a path */
};

struct lc_profile_call
{
  struct lc_profile_thread *thread;
  int64_t begin, go, back;
  bool polls;      /* it does not end the polling */
  uint32_t deeper; /* calls beyond the frames */
  int error;       /* errno of the program */
};

/* The header in front of a message. */
struct lc_profile_header
{
  int64_t delay;
  int64_t sent; /* 0: the ranks have different clocks */
};

#define LC_PROFILE_NO_MESSAGE INT64_MIN

extern bool lc_profile_is_on;     /* the program is profiled */
extern bool lc_profile_carries;   /* messages have headers */
extern bool lc_profile_one_clock; /* all ranks have one clock */
extern bool lc_profile_is_threaded;
extern bool lc_profile_tells_paths;
extern struct lc_profile_cost lc_profile_costs[LC_PROFILE_KINDS];
extern __thread struct lc_profile_thread *lc_profile_self __attribute__ ((tls_model ("initial-exec")));

/* --- profile.c --------------------------------------------------------------------------------------------- */

int64_t lc_profile_now (void);

/* Makes the state of a thread, which is in no list yet. NULL: there is no memory. */
struct lc_profile_thread *lc_profile_thread_allocate (void);
void lc_profile_thread_discard (struct lc_profile_thread *thread);

/* Makes the calling thread's state. NULL: there is no memory, or nothing is profiled. */
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

/* `stack`: the stack pointer of the function that calls this; 0: not known. */
void lc_profile_enter (struct lc_profile_thread *thread, struct lc_profile_routine *routine, uintptr_t stack);

/* Ends the calls whose functions a jump to a function with this stack pointer has left. */
void lc_profile_jump (struct lc_profile_thread *thread, uintptr_t stack);
void lc_profile_leave (struct lc_profile_thread *thread, struct lc_profile_routine *routine);

/* FALSE: the call is not profiled. */
bool lc_profile_begin (struct lc_profile_call *call, struct lc_profile_routine *routine);
void lc_profile_go (struct lc_profile_call *call);
void lc_profile_back (struct lc_profile_call *call);
void lc_profile_end (struct lc_profile_call *call);

void lc_profile_add_waiting (struct lc_profile_thread *thread, int64_t measured, int64_t compensated);

/* Moves waiting, and the adjustment that followed from it, from the present call to the one that polled before. */
void lc_profile_move_waiting (struct lc_profile_thread *thread, int64_t adjusted, int64_t measured,
                              int64_t compensated);

/* Ends all calls that are still open. */
void lc_profile_close (struct lc_profile_thread *thread);

/* Returns the median; sorts the values. */
int64_t lc_profile_median (int64_t *values, int n);

void lc_profile_lock (void);
void lc_profile_unlock (void);

/* Memory that is never freed. NULL: there is none. */
void *lc_profile_allocate (size_t bytes);

/* Returns the list of all routines that were called, the last one first. */
struct lc_profile_routine *lc_profile_routines (void);

/* --- profile-carry.c --------------------------------------------------------------------------------------- */

/* A carrier is a datatype of a header and a message. It stays at its address while the message is under way. */
struct lc_carrier
{
  struct lc_profile_header header;
  const void *buffer;
  int count;
  MPI_Datatype inner;
  MPI_Datatype type; /* of both; MPI_INT64_T if there is only the header */
  int type_count;
  void *base;     /* address to send from, or receive to */
  int64_t bytes;  /* length of the message */
  uint64_t epoch; /* epoch of datatypes in which it was made */
  bool is_named;  /* the inner datatype is a named one, which is never freed */
  struct lc_carrier *next;

  /* For requests: */
  uint64_t request;
  bool is_receive, is_persistent, is_active, is_claimed;
  int partner;
  struct lc_carrier *also; /* carrier of the message that the same request sends */
  size_t copy;             /* bytes of the buffer, if it is a copy to be freed with the carrier */
};

/* Returns a carrier for the message; NULL: this message has no header. */
struct lc_carrier *lc_carrier_take (const void *buffer, int count, MPI_Datatype type, int partner);
void lc_carrier_give (struct lc_carrier *carrier);

/* Gives up the carrier's datatype, which is neither used again nor freed: MPICH 4.0 itself frees the one that
 * MPI_Isendrecv sends once too often. NULL is allowed. */
void lc_carrier_lose (struct lc_carrier *carrier);

/* Sets the header of a message that is sent now; after lc_profile_go. */
void lc_carrier_send (struct lc_carrier *carrier, struct lc_profile_call *call);
void lc_carrier_expect (struct lc_carrier *carrier);

/* Takes the header out of the size in the program's status. */
void lc_carrier_correct (MPI_Status *status);

/* Called before MPI_Finalize: frees the datatypes that are not in use. */
void lc_carriers_end (void);

/* Called when a datatype was freed, as its handle may be used for another one. */
void lc_carriers_forget_types (void);

/* The messages received in a call; initialise with {0}. */
struct lc_received
{
  int count;
  int64_t bytes;       /* length of the largest message */
  int64_t least;       /* the least delay */
  int64_t there, bare; /* when the last message came, and when it would have come without delays; INT64_MIN: unknown */
};

void lc_received_add (struct lc_received *received, const struct lc_carrier *carrier);

/* Called after lc_profile_back: adds the waiting, and adjusts the delay. */
void lc_profile_received (struct lc_profile_call *call, const struct lc_received *received);

/* Returns the cost of carrying a message, for one side. */
int64_t lc_carry_cost (int64_t bytes);
void lc_carry_calibrate (void);

/* --- profile-requests.c ------------------------------------------------------------------------------------ */

void lc_profile_request_add (MPI_Request request, struct lc_carrier *carrier, bool is_receive, bool is_persistent,
                             int partner);

/* --- profile-collective.c ---------------------------------------------------------------------------------- */

/* Exchanges delays as a barrier of all ranks would: measurements before MPI_Finalize end here. */
void lc_profile_come_together (struct lc_profile_call *call, MPI_Comm communicator);
void lc_profile_collective_begin (void);

/* --- profile-paths.c --------------------------------------------------------------------------------------- */

/* NULL: there is no memory. */
struct lc_profile_paths *lc_profile_paths_new (void);
void lc_profile_paths_discard (struct lc_profile_paths *paths);

/* Gives a path by its number, and the number after the last one. */
struct lc_profile_path *lc_profile_paths_get (struct lc_profile_paths *paths, uint32_t path);
uint32_t lc_profile_paths_end (const struct lc_profile_paths *paths);

struct lc_profile_times *lc_profile_paths_find_times (struct lc_profile_thread *thread, uint32_t routine,
                                                      uint32_t *path);

/* Finds where the times are added of a call that the innermost open routine makes. */
static inline struct lc_profile_times *
lc_profile_find_times (struct lc_profile_thread *thread, uint32_t routine, uint32_t *path)
{
  if (thread->paths != NULL)
    return lc_profile_paths_find_times (thread, routine, path);
  *path = LC_PROFILE_NO_PATH;
  return &thread->times[routine];
}

/* Brings the paths of all threads together in those of `thread`, and adds their times to those of the routines. Returns
 * how many calls had no path. */
uint64_t lc_profile_paths_gather (struct lc_profile_thread *thread);

/* --- profile-regions.c ------------------------------------------------------------------------------------- */

#define LC_PROFILE_ROUNDS 100 /* at most */

void lc_profile_regions_calibrate (int rounds);

/* --- profile-trial.c --------------------------------------------------------------------------------------- */

extern bool lc_profile_tries;        /* trials are allowed */
extern int64_t lc_profile_skip_cost; /* cost of a call that is not measured, in fractions of a ns */

/* Called when the costs of a kind of calls have been measured: routines without their own cost use it. */
void lc_profile_trial_costs (void);

/* Called when a call of this routine is about to be measured, and trial.left has become 0. */
void lc_profile_trial_begin (struct lc_profile_thread *thread, struct lc_profile_routine *routine, const void *key);

/* Called in a trial, for a call that is not simply the next one of its step. TRUE: do not measure it. */
bool lc_profile_trial_enter (struct lc_profile_thread *thread, const void *key);

/* Called in a trial, before anything else is done than a call of its routine. */
void lc_profile_trial_other (struct lc_profile_thread *thread);

/* Called before the profile is written: adds the skipped calls to it. */
void lc_profile_trial_tell (struct lc_profile_thread *thread);

/* --- profile-write.c --------------------------------------------------------------------------------------- */

/* Writes the profile once; later calls do nothing. */
void lc_profile_write (void);

extern struct lc_profile_thread *lc_profile_threads;
extern int lc_profile_rank, lc_profile_ranks;
extern struct lc_profile_thread *lc_profile_first; /* the thread that called MPI_Init */
extern int64_t lc_profile_origin, lc_profile_finish;
extern int lc_profile_pid;        /* tells the rank from a forked child */
extern int64_t lc_profile_before; /* overhead before the end of MPI_Init */
extern uint64_t lc_profile_messages;

#endif
