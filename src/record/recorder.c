/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder of an address space: its begin, its threads, its forks and its end. */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define LC_HAVE_RSEQ 1
#endif

#include "dispatch.h"
#include "environment.h"
#include "hooks.h"
#include "mpi.h"
#include "places.h"
#include "real.h"
#include "regions.h"
#include "sites.h"

__thread struct lc_thread *lc_self __attribute__ ((tls_model ("initial-exec")));

/* The reason why a thread without a state does not get one. */
enum
{
  OUTSIDE,
  IN_SLOW_PATH,
  ENDED,
  FOREIGN, /* made by a suspended thread, or at the end of a rank */
  SANDBOXED,
};
static __thread int place __attribute__ ((tls_model ("initial-exec")));
static __thread bool is_slow __attribute__ ((tls_model ("initial-exec"))); /* in a slow path of the recorder's own */

uint32_t lc_classes = UINT32_MAX;
void (*lc_after_end) (void);
uint64_t lc_overhead_test, lc_io_threshold;
struct lc_control *lc_control;
uint32_t lc_instance;
uint32_t lc_pid;

static pthread_key_t end_key;
static bool begun, constructed;
static uint32_t threads_lock;
static struct lc_thread *free_threads;  /* given back */
static struct lc_thread *fresh_threads; /* the rest of the last chunk, of which nothing was touched yet */
static struct lc_thread *fresh_threads_end;

/* State of the calling thread's own fork, from its first handler to its last. The child has its numbers, but not the
 * thread's state. */
static __thread struct lc_thread *forking __attribute__ ((tls_model ("initial-exec")));
static __thread uint32_t fork_process, fork_parent __attribute__ ((tls_model ("initial-exec")));
static __thread char fork_name[16] __attribute__ ((tls_model ("initial-exec")));

/* --- Slow paths -------------------------------------------------------------------------------------------- */

/* The system call is made directly, because the C library's function would not block the signal that cancels
 * threads. No flag can stand in for it: a handler that ran while its thread has one of our locks could wait for another
 * thread that needs the lock, end the thread, or jump, and would leave the lock taken. */
static void
set_signals (const sigset_t *signals, sigset_t *before)
{
  syscall (SYS_rt_sigprocmask, SIG_SETMASK, signals, before, 8);
}

void
lc_slow_begin (struct lc_slow *slow)
{
  sigset_t all;

  slow->error = errno;
  memset (&all, 0xFF, sizeof all);
  sigdelset (&all, SIGTRAP); /* a program that goes through itself step by step would be killed; its handler is not
                                recorded here */
  if (lc_dispatch_is_on)
    sigdelset (&all, SIGSYS); /* one that is blocked would end the program */
  set_signals (&all, &slow->signals);
  slow->self = lc_self;
  lc_self = NULL;
  slow->place = place;
  place = IN_SLOW_PATH;
  is_slow = true;
}

/* Tells whether this is the handler of a step through a slow path: its signal is blocked only then. */
static bool
recorder_is_stepping (void)
{
  sigset_t signals;

  sigemptyset (&signals);
  syscall (SYS_rt_sigprocmask, SIG_BLOCK, NULL, &signals, 8);
  return sigismember (&signals, SIGTRAP) == 1;
}

void
lc_slow_end (struct lc_slow *slow)
{
  if (slow->place != IN_SLOW_PATH)
    is_slow = false;
  lc_self = slow->self;
  place = slow->place;
  set_signals (&slow->signals, NULL);
  errno = slow->error;
}

/* The calling thread's state before its suspension, for resuming and for jumps. */
static __thread struct
{
  struct lc_thread *thread;
  int place;
  uint32_t instance;
  bool is_so;
} suspended __attribute__ ((tls_model ("initial-exec")));

/* The order keeps a signal handler in between from finding a thread without a state that may get one. */
void
lc_suspend (struct lc_suspension *suspension)
{
  suspension->is_outermost = place != IN_SLOW_PATH;
  if (LC_UNLIKELY (!suspension->is_outermost))
    return;
  suspended.thread = lc_self;
  suspended.place = place;
  suspended.instance = lc_instance;
  LC_COMPILER_BARRIER ();
  suspended.is_so = true;
  place = IN_SLOW_PATH;
  LC_COMPILER_BARRIER ();
  lc_self = NULL;
}

/* In a child forked during the suspension, the saved state belongs to the parent. */
static void
recorder_resume (void)
{
  suspended.is_so = false;
  lc_self = suspended.instance == lc_instance ? suspended.thread : NULL;
  LC_COMPILER_BARRIER ();
  place = suspended.place;
}

void
lc_resume (const struct lc_suspension *suspension)
{
  if (LC_LIKELY (suspension->is_outermost))
    recorder_resume ();
}

bool
lc_is_suspended (void)
{
  return suspended.is_so;
}

struct lc_thread *
lc_suspended (void)
{
  return suspended.is_so && suspended.instance == lc_instance ? suspended.thread : NULL;
}

/* The jump may end the suspended call; recording then resumes. */
void
lc_resume_jump (void)
{
  if (suspended.is_so)
    recorder_resume ();
}

/* 0: free, 1: held, 2: held with sleepers. Spinning could keep a holder of lower priority from going on. */
void
lc_lock (uint32_t *lock)
{
  uint32_t free = 0;

  if (__atomic_compare_exchange_n (lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n (lock, 2, __ATOMIC_ACQUIRE) != 0)
    LC_REAL (syscall) (SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

void
lc_unlock (uint32_t *lock)
{
  if (__atomic_exchange_n (lock, 0, __ATOMIC_RELEASE) == 2)
    LC_REAL (syscall) (SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* --- Threads ----------------------------------------------------------------------------------------------- */

static void
recorder_forget (struct lc_thread *thread)
{
  memset (thread, 0, sizeof *thread);
  thread->packet = &thread->header;
}

/*
 * States of threads come from chunks that are never given back, so that ten thousand threads cost few mappings. A child
 * forked without the fork handlers finds the chunks empty, and so does not write where its parent does. A chunk has
 * many pages, and most programs need the first of them only.
 */
static struct lc_thread *
take_fresh_thread (void)
{
  enum
  {
    CHUNK = 32
  };
  struct lc_thread *chunk;

  if (fresh_threads == fresh_threads_end)
    {
      chunk = mmap (NULL, CHUNK * sizeof *chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (chunk == MAP_FAILED)
        return NULL;
      madvise (chunk, CHUNK * sizeof *chunk, MADV_WIPEONFORK);
      fresh_threads = chunk;
      fresh_threads_end = chunk + CHUNK;
    }
  return fresh_threads++;
}

static struct lc_thread *
take_thread (void)
{
  struct lc_thread *thread;

  lc_lock (&threads_lock);
  thread = free_threads;
  if (thread != NULL)
    free_threads = thread->next_free;
  else
    thread = take_fresh_thread ();
  lc_unlock (&threads_lock);
  if (thread != NULL)
    recorder_forget (thread);
  return thread;
}

static void
give_thread (struct lc_thread *thread)
{
  lc_lock (&threads_lock);
  thread->next_free = free_threads;
  free_threads = thread;
  lc_unlock (&threads_lock);
}

static const volatile uint32_t *
where_is_the_cpu (void)
{
  static const uint32_t unknown = LC_CPU_UNKNOWN;

#if LC_HAVE_RSEQ && defined(RSEQ_SIG)
  if (__rseq_size > 0)
    {
      const struct rseq *rseq = (const void *)((const char *)__builtin_thread_pointer () + __rseq_offset);

      if ((int)rseq->cpu_id >= 0)
        return &rseq->cpu_id;
    }
#endif
  return &unknown;
}

/* The next thread that the calling one makes. */
static __thread struct
{
  const void *function;
  uint32_t process;
  bool is_so;
} expected __attribute__ ((tls_model ("initial-exec")));

void
lc_thread_expect (uint32_t process, uint32_t processes, const void *function)
{
  uint32_t next = __atomic_load_n (&lc_control->next_process, __ATOMIC_RELAXED);

  while (next < processes && !__atomic_compare_exchange_n (&lc_control->next_process, &next, processes, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  expected.function = function;
  expected.process = process;
  expected.is_so = true;
}

struct lc_thread *
lc_thread_new (uint32_t parent)
{
  struct lc_slow slow;
  struct lc_thread *thread;

  lc_slow_begin (&slow);
  thread = take_thread ();
  if (thread != NULL)
    {
      thread->process = expected.is_so && expected.process != LC_NO_PROCESS
                            ? expected.process
                            : __atomic_fetch_add (&lc_control->next_process, 1, __ATOMIC_RELAXED);
      thread->start = expected.is_so ? expected.function : NULL;
      thread->parent = parent;
      thread->is_sandboxed = lc_is_sandboxed ();
      if (slow.self != NULL)
        memcpy (thread->system_name, slow.self->system_name, sizeof thread->system_name);
    }
  expected.is_so = false;
  lc_slow_end (&slow);
  return thread;
}

void
lc_thread_free (struct lc_thread *thread)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  give_thread (thread);
  lc_slow_end (&slow);
}

static void
register_as (struct lc_thread *thread, uint64_t process)
{
  struct lc_slot *slot = lc_slot_at (thread, (const void *)pthread_self (), LC_CLASS_THREAD);

  if (slot != NULL)
    __atomic_store_n (&slot->count, process, __ATOMIC_RELEASE);
}

void
lc_thread_register (struct lc_thread *thread)
{
  register_as (thread, (uint64_t)thread->process + 1);
}

struct lc_thread *
lc_thread_new_foreign (void)
{
  struct lc_slow slow;
  struct lc_thread *thread;

  if (lc_classes == 0 || lc_self != NULL || (place != IN_SLOW_PATH && place != FOREIGN))
    return NULL;
  lc_slow_begin (&slow);
  thread = take_thread ();
  lc_slow_end (&slow);
  return thread;
}

/* Registers the thread as unrecorded, so that joining it is not taken for joining an earlier thread of the same
 * name. */
void
lc_thread_is_foreign (struct lc_thread *thread)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  register_as (thread, 0);
  give_thread (thread);
  slow.place = FOREIGN;
  lc_slow_end (&slow);
}

/* Returns the function that the thread begins with, or NULL. */
static const void *
recorder_start_of (const struct lc_thread *thread)
{
  if (thread->start != NULL)
    return thread->start;
  return (const void *)(thread->routine != NULL ? (uintptr_t)thread->routine : (uintptr_t)thread->c11_routine);
}

static void
recorder_find_start (struct lc_thread *thread)
{
  const void *function = recorder_start_of (thread);

  if (function != NULL)
    lc_site_find_start (thread, function);
}

void
lc_thread_attach (struct lc_thread *thread, bool started, uint8_t flags)
{
  struct lc_slow slow;

  lc_slow_begin (&slow);
  thread->cpu = where_is_the_cpu ();
  lc_sandbox_inherit (thread->is_sandboxed);
  lc_stack_begin (thread);
  recorder_find_start (thread);
  lc_stream_open (thread);
  pthread_setspecific (end_key, thread);
  slow.self = thread;
  lc_slow_end (&slow);

  lc_thread_register (thread);
  if (started && lc_classes >> LC_CLASS_THREAD & 1)
    lc_append_at (thread, thread->start_site, LC_START, thread->process, flags, 0, thread->last, lc_now ());
  lc_dispatch_thread_begin (recorder_start_of (thread));
}

/* Makes a state for a thread that nobody announced: the first one, or one older than the recorder. */
static struct lc_thread *
recorder_adopt (bool is_first)
{
  struct lc_thread *thread = lc_thread_new (LC_NO_PROCESS);
  struct lc_slow slow;

  if (thread == NULL)
    {
      lc_count_lost (NULL, LC_LOST_OBJECTS);
      return NULL;
    }
  prctl (PR_GET_NAME, thread->system_name);
  lc_thread_attach (thread, false, 0);
  lc_slow_begin (&slow);
  lc_account_begin (thread, is_first);
  lc_slow_end (&slow);
  return thread;
}

void
lc_thread_leaves (void)
{
  if (lc_classes == 0 || (lc_self == NULL && place != OUTSIDE))
    return;
  if (lc_self != NULL)
    lc_stream_rest (lc_self);
  place = SANDBOXED;
  LC_COMPILER_BARRIER ();
  lc_self = NULL;
}

void
lc_thread_returns (struct lc_thread *thread)
{
  if (place != SANDBOXED)
    return;
  lc_self = thread;
  LC_COMPILER_BARRIER ();
  place = OUTSIDE;
}

static void
end_thread (struct lc_thread *thread)
{
  struct lc_slow slow;
  uint64_t now = lc_now ();

  thread->state = 0; /* the thread may have been cancelled in the middle of an event */
  thread->is_catching_up = false;
  thread->is_ending = true;
  if (lc_classes >> LC_CLASS_THREAD & 1)
    lc_append_at (thread, thread->start_site, LC_EXIT, thread->process, 0, 0, now, now);
  lc_slow_begin (&slow);
  lc_region_end (thread);
  lc_account_end (thread, LC_ACCOUNT_THREAD, now);
  lc_inputs_rest (thread);
  lc_stream_close (thread);
  give_thread (thread);
  slow.self = NULL;
  slow.place = ENDED;
  lc_slow_end (&slow);
  lc_dispatch_thread_end ();
}

enum
{
#ifdef __SANITIZE_THREAD__
  /* The race detector drops the thread in the last round. */
  LAST_ROUND = PTHREAD_DESTRUCTOR_ITERATIONS - 1,
#else
  LAST_ROUND = PTHREAD_DESTRUCTOR_ITERATIONS,
#endif
};

#ifdef __SANITIZE_ADDRESS__
/* A cancelled thread has left functions of ours without returning from them: their part of the stack is used again. */
void __asan_handle_no_return (void);
#define FORGET_LEFT_FUNCTIONS() __asan_handle_no_return ()
#else
#define FORGET_LEFT_FUNCTIONS() ((void)0)
#endif

/* Called in each round of the thread's destructors; the last round is the end of the thread as far as the recorder can
 * see it. */
static void
thread_ends (void *data)
{
  struct lc_thread *thread = data;

  FORGET_LEFT_FUNCTIONS ();
  if (lc_self == NULL && place == IN_SLOW_PATH) /* cancelled while it was suspended */
    {
      lc_self = thread;
      place = OUTSIDE;
    }
  if (lc_self != thread)
    return;
  if (++thread->exit_rounds < LAST_ROUND)
    pthread_setspecific (end_key, thread);
  else
    end_thread (thread);
}

/* --- Forks ------------------------------------------------------------------------------------------------- */

/*
 * Nothing is recorded between the fork handlers: in the child, handlers of other libraries run while the state is still
 * the parent's.
 */
void
lc_fork_prepare (void)
{
  struct lc_thread *thread = lc_self;

  if (thread == NULL || lc_classes == 0)
    return;
  fork_process = __atomic_fetch_add (&lc_control->next_process, 1, __ATOMIC_RELAXED);
  if (lc_classes >> LC_CLASS_THREAD & 1)
    {
      uint64_t now = lc_now ();

      lc_append (thread, LC_CREATE, fork_process, LC_EVENT_FORK, 0, now, now);
    }
  forking = thread;
  fork_parent = thread->process;
  memcpy (fork_name, thread->system_name, sizeof fork_name);
  lc_self = NULL;
  place = IN_SLOW_PATH;
}

void
lc_fork_parent (void)
{
  if (forking == NULL || place != IN_SLOW_PATH)
    return;
  lc_self = forking;
  forking = NULL;
  place = OUTSIDE;
}

/* Records that the announced child was not made. */
void
lc_fork_failed (void)
{
  struct lc_thread *thread = lc_classes >> LC_CLASS_THREAD & 1 ? lc_self : NULL;
  uint64_t now = lc_now ();

  if (thread != NULL)
    lc_append (thread, LC_CREATE_FAILED, fork_process, LC_EVENT_FORK, 0, now, now);
}

static void
take_instance (void)
{
  lc_pid = lc_thread_id ();
  lc_instance = __atomic_fetch_add (&lc_control->next_instance, 1, __ATOMIC_RELAXED) + 1;
}

/* Resets everything that still belongs to the parent. */
static void
begin_child (void)
{
  threads_lock = 0;
  free_threads = fresh_threads = fresh_threads_end = NULL;
  take_instance ();
  lc_slots_forget ();
  lc_records_forget ();
  lc_sites_forget ();
  lc_requests_forget ();
}

void
lc_fork_child (void)
{
  struct lc_thread *thread = forking;

  if (lc_classes == 0 || lc_control == NULL)
    return;
  begin_child ();
  if (thread == NULL)
    return;
  recorder_forget (thread);
  memcpy (thread->system_name, fork_name, sizeof fork_name);
  thread->is_sandboxed = lc_is_sandboxed ();
  thread->process = fork_process;
  thread->parent = fork_parent;
  forking = NULL;
  place = OUTSIDE;
  lc_thread_attach (thread, true, LC_EVENT_FORK);
}

/* Begins a child forked without handlers. Its parent is not known, because nothing in the parent's stream tells. */
void
lc_thread_is_forked (struct lc_thread *thread)
{
  uint32_t state = thread->state;
  struct lc_slow slow;

  lc_slow_begin (&slow);
  lc_thread_id_begin (); /* the C library does not know that this is another thread */
  begin_child ();
  recorder_forget (thread);
  prctl (PR_GET_NAME, thread->system_name);
  thread->process = __atomic_fetch_add (&lc_control->next_process, 1, __ATOMIC_RELAXED);
  thread->parent = LC_NO_PROCESS;
  lc_slow_end (&slow);
  lc_thread_attach (thread, false, 0);
  thread->state = state;
}

/* --- The beginning and the end ----------------------------------------------------------------------------- */

/* Checks the control block; the patterns for functions lie behind it. */
static bool
is_control (const struct lc_control *control, uint64_t size)
{
  return memcmp (control->magic, "LCCONTRL", sizeof control->magic) == 0 && control->version == LC_CONTROL_VERSION &&
         control->patterns_offset >= sizeof *control && control->patterns_offset <= size &&
         (uint64_t)control->include_length + control->exclude_length <= size - control->patterns_offset;
}

static struct lc_control *
recorder_open_control (void)
{
  const char *directory = getenv (LC_CONTROL_ENVIRONMENT);
  struct lc_control *control = MAP_FAILED;
  struct stat status;
  int file;

  if (directory == NULL || !lc_file_directory (directory))
    return NULL;
  file = lc_file_open (".control", O_RDWR);
  if (file < 0)
    return NULL;
  if (fstat (file, &status) == 0 && S_ISREG (status.st_mode) && status.st_size >= (off_t)sizeof *control)
    control = mmap (NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  lc_file_close (file);
  if (control == MAP_FAILED)
    return NULL;
  if (!is_control (control, (uint64_t)status.st_size))
    {
      munmap (control, (size_t)status.st_size);
      return NULL;
    }
  lc_file_belongs (status.st_mode, status.st_uid, status.st_gid);
  return control;
}

/* Returns the recorded classes. */
static uint32_t
begin_recording (void)
{
  lc_clock_is_tsc = lc_control->clock == LC_CLOCK_TSC;
  if (lc_control->purpose != LC_PURPOSE_TRACE || pthread_key_create (&end_key, thread_ends) != 0)
    return 0;
  lc_overhead_test = lc_control->overhead_test;
  lc_io_threshold = lc_control->io_threshold;
  if (lc_overhead_test != 0)
    lc_lose_time_begin ();
  lc_places_begin ();
  lc_thread_id_begin ();
  take_instance ();
  lc_functions_begin ();
  lc_sites_begin ();
  lc_dispatch_begin ();
  pthread_atfork (lc_fork_prepare, lc_fork_parent, lc_fork_child);
  return lc_control->classes & ((1u << LC_CLASSES) - 1);
}

static void
recorder_begin (const sigset_t *signals)
{
  uint32_t classes = 0;

  begun = true;
  lc_real_resolve ();
  lc_mpi_clean ();
  lc_control = recorder_open_control ();
  if (lc_control != NULL)
    {
      lc_environment_begin ();
      if (!lc_mpi_is_launcher ())
        {
          lc_mpi_begin (signals);
          lc_is_alone = __libc_single_threaded;
          classes = begin_recording ();
          lc_is_alone = false;
        }
    }
  __atomic_store_n (&lc_classes, classes, __ATOMIC_RELEASE);
}

struct lc_thread *
lc_enter_slow (uint32_t classes)
{
  struct lc_slow slow;
  bool is_first = !begun;

  if (place == IN_SLOW_PATH && is_slow && lc_classes != 0 && lc_control != NULL && recorder_is_stepping ())
    lc_count_lost (NULL, LC_LOST_SIGNAL);
  if (place == IN_SLOW_PATH || place == FOREIGN)
    return NULL;
  if (place == ENDED)
    {
      if (!lc_mpi_is_here ()) /* in a rank, the loaded libraries lock when a thread's memory is given back */
        lc_count_lost (NULL, LC_LOST_EXIT);
      return NULL;
    }
  if (place == SANDBOXED)
    {
      lc_count_lost (NULL, LC_LOST_SANDBOX);
      return NULL;
    }
  if (!begun)
    {
      lc_slow_begin (&slow);
      recorder_begin (&slow.signals);
      lc_slow_end (&slow);
    }
  if (!constructed && lc_mpi_is_here ())
    return NULL;
  return (lc_classes & classes) != 0 ? recorder_adopt (is_first) : NULL;
}

struct lc_thread *
lc_enter_quietly (void)
{
  return lc_self != NULL || place != OUTSIDE ? lc_self : lc_enter_slow (UINT32_MAX);
}

/* Constructors of other libraries may have run before this one, and have been recorded, except in MPI ranks, where
 * nothing is recorded until now. */
__attribute__ ((constructor (101))) static void
lc_begin (void)
{
  constructed = true;
  if (lc_self == NULL)
    lc_enter_slow (UINT32_MAX);
  if (lc_self != NULL && lc_mpi_is_here ())
    lc_inputs_begin_in_rank ();
}

/* Destructors of other libraries run after this one, so the stream stays open for another packet. In a rank, they
 * belong to MPI and are not recorded. */
__attribute__ ((destructor (101))) static void
lc_end (void)
{
  struct lc_thread *thread = lc_self;
  struct lc_slow slow;

  if (thread != NULL)
    {
      if (!lc_is_sandboxed ())
        {
          lc_slow_begin (&slow);
          lc_account_end (thread, LC_ACCOUNT_PROGRAM, lc_now ());
          lc_slow_end (&slow);
        }
      thread->packet->state = LC_STATE_ENDED;
      lc_stream_rest (thread);
      lc_inputs_rest (thread);
      if (!lc_is_sandboxed ())
        lc_records_rest ();
    }
  if (thread != NULL && lc_mpi_is_here ())
    {
      place = FOREIGN;
      LC_COMPILER_BARRIER ();
      lc_self = NULL;
    }
  else if (lc_after_end != NULL)
    lc_after_end ();
  lc_mpi_end ();
}
