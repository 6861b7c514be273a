/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of one rank: its begin and end, and the timing of calls. */
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lightcone/control.h"

bool lc_profile_is_on, lc_profile_carries, lc_profile_one_clock, lc_profile_is_threaded, lc_profile_tells_paths;
struct lc_profile_cost lc_profile_costs[LC_PROFILE_KINDS];
__thread struct lc_profile_thread *lc_profile_self __attribute__ ((tls_model ("initial-exec")));
struct lc_profile_thread *lc_profile_threads;
int lc_profile_rank, lc_profile_ranks, lc_profile_pid;
struct lc_profile_thread *lc_profile_first;
int64_t lc_profile_origin, lc_profile_finish, lc_profile_before;

static const struct lc_control *control;
static double ns_per_tick = 1;
static int64_t spin; /* ns that each call loses on purpose */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct lc_profile_routine *routines;
static uint32_t n_routines;

enum
{
  FIRST_TRIAL = 1000, /* calls before the first trial */
  PATIENCE = 50000,   /* ns between two polls for a message: a program that does more in between is not waiting */
};

/* --- Tools ------------------------------------------------------------------------------------------------- */

int64_t
lc_profile_now (void)
{
  return (int64_t)((double)(lc_now_after () - control->start) * ns_per_tick);
}

int64_t
lc_profile_median (int64_t *values, int n)
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && values[j] < values[j - 1]; j--)
      {
        int64_t kept = values[j];

        values[j] = values[j - 1];
        values[j - 1] = kept;
      }
  return values[n / 2];
}

void
lc_profile_lock (void)
{
  pthread_mutex_lock (&lock);
}

void
lc_profile_unlock (void)
{
  pthread_mutex_unlock (&lock);
}

void *
lc_profile_allocate (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

struct lc_profile_routine *
lc_profile_routines (void)
{
  return __atomic_load_n (&routines, __ATOMIC_ACQUIRE);
}

/* Number 0 stands for all routines beyond the limit. */
static void
profile_number (struct lc_profile_routine *routine)
{
  lc_profile_lock ();
  if (routine->id == 0)
    routine->cost = lc_profile_costs[routine->kind];
  if (routine->id == 0 && n_routines + 2 < LC_PROFILE_ROUTINES)
    {
      routine->next = routines;
      __atomic_store_n (&routines, routine, __ATOMIC_RELEASE);
      __atomic_store_n (&routine->id, ++n_routines, __ATOMIC_RELEASE);
    }
  lc_profile_unlock ();
}

struct lc_profile_thread *
lc_profile_thread_allocate (void)
{
  struct lc_profile_thread *thread = lc_profile_allocate (sizeof *thread);

  if (thread != NULL && lc_profile_tells_paths)
    thread->paths = lc_profile_paths_new ();
  if (thread == NULL || (thread->paths != NULL) == lc_profile_tells_paths)
    return thread;
  lc_profile_thread_discard (thread);
  return NULL;
}

void
lc_profile_thread_discard (struct lc_profile_thread *thread)
{
  if (thread->paths != NULL)
    lc_profile_paths_discard (thread->paths);
  munmap (thread, sizeof *thread);
}

struct lc_profile_thread *
lc_profile_thread_new (void)
{
  struct lc_profile_thread *thread = lc_profile_is_on ? lc_profile_thread_allocate () : NULL;

  if (thread == NULL)
    return NULL;
  thread->trial.left = FIRST_TRIAL;
  lc_profile_lock ();
  thread->next = lc_profile_threads;
  lc_profile_threads = thread;
  lc_profile_unlock ();
  lc_profile_self = thread;
  return thread;
}

/* --- Calls ------------------------------------------------------------------------------------------------- */

/* Loses time on purpose, to test whether the compensation finds it. */
static void
lose_time (struct lc_profile_thread *thread)
{
  int64_t begin = lc_profile_now (), now = begin;

  while (now - begin < spin)
    now = lc_profile_now ();
  lc_compensation_add (&thread->self, now - begin);
}

static inline struct lc_profile_frame *
profile_push (struct lc_profile_thread *thread, struct lc_profile_routine *routine, uintptr_t stack)
{
  const struct lc_profile_cost *cost = &routine->cost;
  struct lc_profile_frame *frame;

  if (LC_PROFILE_UNLIKELY (__atomic_load_n (&routine->id, __ATOMIC_ACQUIRE) == 0))
    profile_number (routine);
  if (LC_PROFILE_UNLIKELY (spin > 0))
    lose_time (thread);
  lc_profile_charge (thread, cost->outside - cost->outside / 2);
  frame = &thread->frames[thread->depth];
  frame->times = lc_profile_find_times (thread, routine->id, &frame->path);
  frame->stack = stack != 0 ? stack : thread->depth > 0 ? frame[-1].stack : UINTPTR_MAX;
  thread->depth++;
  frame->routine = routine;
  memset (frame->inner, 0, sizeof frame->inner);
  frame->overhead = thread->self.overhead;
  frame->delay = lc_compensation_delay (&thread->self);
  thread->active[routine->id]++;
  frame->begin = lc_profile_now ();
  lc_profile_charge (thread, cost->inside - cost->inside / 2);
  return frame;
}

/* Ends the innermost call. */
static inline void
profile_pop (struct lc_profile_thread *thread, int64_t end)
{
  struct lc_profile_frame *frame = &thread->frames[thread->depth - 1];
  struct lc_profile_times *times = frame->times;
  const struct lc_profile_cost *cost = &frame->routine->cost;
  bool is_outer = --thread->active[frame->routine->id] == 0 || frame->path != LC_PROFILE_NO_PATH;
  int64_t spent[LC_PROFILE_WAYS];

  lc_profile_charge (thread, cost->inside / 2);
  spent[LC_PROFILE_NONE] = end - frame->begin;
  spent[LC_PROFILE_LOCAL] = spent[LC_PROFILE_NONE] - (thread->self.overhead - frame->overhead);
  spent[LC_PROFILE_PARALLEL] = spent[LC_PROFILE_NONE] - (lc_compensation_delay (&thread->self) - frame->delay);
  times->calls++;
  thread->depth--;
  if (LC_PROFILE_UNLIKELY (thread->trial.routine == frame->routine))
    thread->trial.measured += spent[LC_PROFILE_LOCAL];
  for (int way = 0; way < LC_PROFILE_WAYS; way++)
    {
      if (is_outer)
        times->inclusive[way] += spent[way];
      times->exclusive[way] += spent[way] - frame->inner[way];
      if (thread->depth > 0)
        thread->frames[thread->depth - 1].inner[way] += spent[way];
    }
  lc_profile_charge (thread, cost->outside / 2);
}

void
lc_profile_enter (struct lc_profile_thread *thread, struct lc_profile_routine *routine, uintptr_t stack)
{
  if (LC_PROFILE_UNLIKELY (thread->depth >= LC_PROFILE_DEPTH))
    {
      thread->depth++;
      thread->too_deep++;
    }
  else
    profile_push (thread, routine, stack);
}

/* Ends a call, and calls still open inside it, which were left with longjmp. */
void
lc_profile_leave (struct lc_profile_thread *thread, struct lc_profile_routine *routine)
{
  int64_t end = lc_profile_now ();
  uint32_t found = thread->depth;

  if (thread->depth > LC_PROFILE_DEPTH)
    {
      thread->depth--;
      return;
    }
  while (found > 0 && thread->frames[found - 1].routine != routine)
    found--;
  while (found > 0 && thread->depth >= found)
    profile_pop (thread, end);
}

/* The stack grows downwards, so those that are left are further down. */
void
lc_profile_jump (struct lc_profile_thread *thread, uintptr_t stack)
{
  int64_t end = lc_profile_now ();
  uint32_t depth = thread->depth;

  if (thread->trial.key != NULL)
    lc_profile_trial_other (thread);
  if (thread->depth > depth && thread->depth <= LC_PROFILE_DEPTH) /* a call that was not measured is left */
    thread->frames[thread->depth - 1].stack = 0;
  if (thread->depth > LC_PROFILE_DEPTH && thread->frames[LC_PROFILE_DEPTH - 1].stack < stack)
    thread->depth = LC_PROFILE_DEPTH;
  while (thread->depth > 0 && thread->depth <= LC_PROFILE_DEPTH && thread->frames[thread->depth - 1].stack < stack)
    profile_pop (thread, end);
}

bool
lc_profile_begin (struct lc_profile_call *call, struct lc_profile_routine *routine)
{
  struct lc_profile_thread *thread;
  struct lc_profile_frame *frame;

  if (!lc_profile_is_on || (thread = lc_profile_thread ()) == NULL || thread->inside)
    return false;
  call->error = errno;
  if (LC_PROFILE_UNLIKELY (thread->trial.key != NULL))
    lc_profile_trial_other (thread);
  /* MPI calls get a frame however deep they are: a receiver without a carrier would take the header for the message. */
  call->deeper = thread->depth > LC_PROFILE_DEPTH ? thread->depth - LC_PROFILE_DEPTH : 0;
  thread->depth -= call->deeper;
  frame = profile_push (thread, routine, 0);
  thread->inside = true;
  call->thread = thread;
  call->begin = frame->begin;
  call->polls = false;
  if (thread->poll_begin != 0 && frame->begin - thread->poll_end > PATIENCE)
    thread->poll_begin = 0;
  return true;
}

void
lc_profile_go (struct lc_profile_call *call)
{
  call->go = lc_profile_now ();
  lc_compensation_add (&call->thread->self, call->go - call->begin);
  errno = call->error;
}

void
lc_profile_back (struct lc_profile_call *call)
{
  call->error = errno;
  call->back = lc_profile_now ();
}

void
lc_profile_end (struct lc_profile_call *call)
{
  struct lc_profile_thread *thread = call->thread;
  int64_t end;

  thread->inside = false;
  end = lc_profile_now ();
  if (call->polls)
    {
      thread->poll_end = end;
      thread->poll_times = thread->frames[thread->depth - 1].times;
    }
  else
    thread->poll_begin = 0;
  lc_compensation_add (&thread->self, end - call->back);
  profile_pop (thread, end);
  thread->depth += call->deeper;
  errno = call->error;
}

void
lc_profile_add_waiting (struct lc_profile_thread *thread, int64_t measured, int64_t compensated)
{
  struct lc_profile_times *times = thread->frames[thread->depth - 1].times;

  times->waiting[LC_PROFILE_NONE] += measured;
  times->waiting[LC_PROFILE_LOCAL] += measured;
  times->waiting[LC_PROFILE_PARALLEL] += compensated;
}

void
lc_profile_move_waiting (struct lc_profile_thread *thread, int64_t adjusted, int64_t measured, int64_t compensated)
{
  struct lc_profile_times *times = thread->poll_times;

  times->waiting[LC_PROFILE_NONE] += measured;
  times->waiting[LC_PROFILE_LOCAL] += measured;
  times->waiting[LC_PROFILE_PARALLEL] += compensated;
  times->inclusive[LC_PROFILE_PARALLEL] -= adjusted;
  times->exclusive[LC_PROFILE_PARALLEL] -= adjusted;
  thread->frames[thread->depth - 1].delay += adjusted;
  if (thread->depth > 1)
    thread->frames[thread->depth - 2].inner[LC_PROFILE_PARALLEL] -= adjusted;
}

void
lc_profile_close (struct lc_profile_thread *thread)
{
  int64_t end;

  if (thread->trial.key != NULL)
    lc_profile_trial_other (thread);
  end = lc_profile_now ();
  while (thread->depth > LC_PROFILE_DEPTH)
    thread->depth--;
  while (thread->depth > 0)
    profile_pop (thread, end);
}

/* --- The beginning ----------------------------------------------------------------------------------------- */

static const struct lc_control *
profile_open_control (void)
{
  const char *directory = getenv (LC_CONTROL_ENVIRONMENT);
  struct lc_control *mapped = MAP_FAILED;
  struct stat status;
  char path[4096];
  int file;

  if (directory == NULL || strlen (directory) + sizeof "/.control" > sizeof path)
    return NULL;
  strcpy (path, directory);
  strcat (path, "/.control");
  file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && status.st_size >= (off_t)sizeof *mapped)
    mapped = mmap (NULL, sizeof *mapped, PROT_READ, MAP_SHARED, file, 0);
  close (file);
  if (mapped == MAP_FAILED)
    return NULL;
  if (memcmp (mapped->magic, "LCCONTRL", sizeof mapped->magic) == 0 && mapped->version == LC_CONTROL_VERSION &&
      mapped->purpose == LC_PURPOSE_PROFILE)
    return mapped;
  munmap (mapped, sizeof *mapped);
  return NULL;
}

__attribute__ ((constructor (102))) static void
lc_profile_load (void)
{
  control = profile_open_control ();
  if (control == NULL)
    return;
  lc_clock_is_tsc = control->clock == LC_CLOCK_TSC;
  ns_per_tick = control->frequency != 0 ? 1e9 / (double)control->frequency : 1;
  lc_profile_is_on = true;
  lc_profile_tells_paths = control->callpaths != 0;
  lc_profile_regions_calibrate (20);
  /* No trials when time is lost on purpose, or nothing is to be taken off. */
  lc_profile_tries = control->overhead_test == 0 && control->compensation != LC_COMPENSATION_NONE;
  spin = (int64_t)((double)control->overhead_test * ns_per_tick);
}

/* Measures the cost of a wrapper that carries nothing; its own stamps see most of it. */
static void
calibrate_calls (void)
{
  enum
  {
    ROUNDS = 20,
    CALLS = 200
  };
  static struct lc_profile_routine routine = {.kind = LC_PROFILE_MPI, .id = LC_PROFILE_ROUTINES - 1};
  struct lc_profile_thread *thread = lc_profile_self, *scratch = lc_profile_thread_allocate ();
  int64_t outside[ROUNDS], inside[ROUNDS], kept = spin;
  const struct lc_profile_times *calls;
  uint32_t path;

  if (scratch == NULL)
    return;
  calls = lc_profile_find_times (scratch, routine.id, &path);
  spin = 0;
  lc_profile_self = scratch;
  for (int round = 0; round < ROUNDS; round++)
    {
      int64_t begin = lc_profile_now (), before = scratch->self.overhead, own = calls->inclusive[LC_PROFILE_LOCAL];
      int64_t lost;

      for (int i = 0; i < CALLS; i++)
        {
          struct lc_profile_call call;

          if (!lc_profile_begin (&call, &routine))
            break;
          lc_profile_go (&call);
          lc_profile_back (&call);
          lc_profile_end (&call);
        }
      lost = lc_profile_now () - begin - (scratch->self.overhead - before);
      own = calls->inclusive[LC_PROFILE_LOCAL] - own;
      inside[round] = own > 0 ? own * LC_PROFILE_PARTS / CALLS : 0;
      outside[round] = lost > own ? (lost - own) * LC_PROFILE_PARTS / CALLS : 0;
    }
  spin = kept;
  lc_profile_self = thread;
  lc_profile_costs[LC_PROFILE_MPI] =
      (struct lc_profile_cost){lc_profile_median (outside, ROUNDS), lc_profile_median (inside, ROUNDS)};
  lc_profile_thread_discard (scratch);
}

/* Whether all ranks read one clock: they are on the same boot of one host. */
static bool
is_one_clock (void)
{
  char text[64] = "";
  uint64_t hash[2] = {UINT64_C (1469598103934665603), 0}, least[2];
  int file = open ("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t length = file >= 0 ? read (file, text, sizeof text) : -1;

  if (file >= 0)
    close (file);
  for (ssize_t i = 0; i < length; i++)
    hash[0] = (hash[0] ^ (unsigned char)text[i]) * UINT64_C (1099511628211);
  hash[1] = ~hash[0];
  if (PMPI_Allreduce (hash, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS)
    return false;
  return length > 0 && least[0] == ~least[1];
}

/* Called after PMPI_Init. All of this is overhead, and all ranks leave it together, so that delays begin at 0. */
static void
profile_begin (struct lc_profile_call *call, int level)
{
  struct lc_profile_thread *thread = call->thread;
  uint32_t depth = thread->depth;

  lc_profile_is_threaded = level == MPI_THREAD_MULTIPLE;
  PMPI_Comm_rank (MPI_COMM_WORLD, &lc_profile_rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &lc_profile_ranks);
  calibrate_calls ();
  /* More exact than at load time, when all ranks and their launcher were still busy. */
  lc_profile_regions_calibrate (LC_PROFILE_ROUNDS);
  lc_profile_trial_costs ();
  if ((control->compensation & LC_COMPENSATION_PARALLEL) != 0)
    {
      lc_profile_one_clock = is_one_clock ();
      lc_carry_calibrate ();
      lc_profile_collective_begin ();
      lc_profile_carries = true;
    }
  PMPI_Barrier (MPI_COMM_WORLD);
  thread->depth = depth;
  lc_profile_end (call);
  lc_profile_first = thread;
  lc_profile_pid = (int)getpid ();
  lc_profile_origin = lc_profile_now ();
  lc_profile_before = thread->self.overhead;
  /* Calls that are open already keep their overhead so far. */
  for (uint32_t i = 0; i < thread->depth; i++)
    thread->frames[i].delay -= lc_compensation_delay (&thread->self);
  thread->self.adjusted = -thread->self.overhead;
}

#define ROUTINE(function) \
  static struct lc_profile_routine routine = {.name = #function, .kind = LC_PROFILE_MPI}; \
  struct lc_profile_call call

LC_PROFILE_EXPORT int
MPI_Init (int *argc, char ***argv)
{
  ROUTINE (MPI_Init);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Init (argc, argv);
  lc_profile_go (&call);
  result = PMPI_Init (argc, argv);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS)
    profile_begin (&call, MPI_THREAD_SINGLE);
  else
    lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Init_thread (int *argc, char ***argv, int required, int *provided)
{
  ROUTINE (MPI_Init_thread);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Init_thread (argc, argv, required, provided);
  lc_profile_go (&call);
  result = PMPI_Init_thread (argc, argv, required, provided);
  lc_profile_back (&call);
  if (result == MPI_SUCCESS)
    profile_begin (&call, *provided);
  else
    lc_profile_end (&call);
  return result;
}

/* --- The end ----------------------------------------------------------------------------------------------- */

/* Ranks wait for each other in MPI_Finalize in many an MPI, so it is compensated like a barrier. */
LC_PROFILE_EXPORT int
MPI_Finalize (void)
{
  ROUTINE (MPI_Finalize);
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Finalize ();
  lc_profile_go (&call);
  lc_profile_come_together (&call, MPI_COMM_WORLD);
  lc_carriers_end ();
  lc_profile_is_on = false;
  result = PMPI_Finalize ();
  lc_profile_is_on = true;
  lc_profile_carries = false;
  lc_profile_back (&call);
  lc_profile_end (&call);
  lc_profile_finish = lc_profile_now ();
  lc_profile_write ();
  lc_profile_is_on = false;
  return result;
}

LC_PROFILE_EXPORT int
MPI_Abort (MPI_Comm communicator, int code)
{
  if (lc_profile_is_on)
    lc_profile_write ();
  return PMPI_Abort (communicator, code);
}

__attribute__ ((destructor (102))) static void
lc_profile_unload (void)
{
  if (lc_profile_is_on && lc_profile_ranks > 0)
    lc_profile_write ();
}
