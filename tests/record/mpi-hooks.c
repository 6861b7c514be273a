/* SPDX-License-Identifier: Apache-2.0 */
/* What the library for MPI asks of the recorder, asked by a program that has no MPI. */
#include "case.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "hooks.h"

static const struct lc_hooks *hooks;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t ready;

/* These are never run without a recorder. */
static void
find_hooks (void)
{
  hooks = dlsym (RTLD_DEFAULT, LC_HOOKS_SYMBOL);
  CHECK (hooks != NULL && hooks->version >= 3);
}

static void
lock_and_unlock (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      CHECK (pthread_mutex_lock (&mutex) == 0);
      CHECK (pthread_mutex_unlock (&mutex) == 0);
    }
}

static void
await_child (pid_t child)
{
  int status = -1;

  CHECK (child > 0 && waitpid (child, &status, 0) == child && status == 0);
}

/* --- Suspended --------------------------------------------------------------------------------------------- */

static void
nested (void)
{
  struct lc_suspension outer, inner;

  lock_and_unlock (1);
  hooks->suspend (&outer);
  lock_and_unlock (10);
  hooks->suspend (&inner);
  lock_and_unlock (10);
  hooks->resume (&inner);
  lock_and_unlock (10);
  hooks->resume (&outer);
  lock_and_unlock (2);
}

/* As an error handler does, out of a call of MPI inside another. */
static void
jumped (void)
{
  static jmp_buf before;
  struct lc_suspension outer, inner;

  if (setjmp (before) == 0)
    {
      hooks->suspend (&outer);
      hooks->suspend (&inner);
      lock_and_unlock (10);
      CHECK (hooks->is_suspended ());
      longjmp (before, 1);
    }
  CHECK (!hooks->is_suspended ());
  lock_and_unlock (2);
  hooks->suspend (&outer);
  lock_and_unlock (10);
  hooks->resume (&outer);
  lock_and_unlock (2);
}

static void *
foreign_of_foreign (void *unused)
{
  lock_and_unlock (10);
  return unused;
}

static void *
foreign (void *value)
{
  pthread_t thread;

  lock_and_unlock (10);
  CHECK (pthread_create (&thread, NULL, foreign_of_foreign, NULL) == 0 && pthread_join (thread, NULL) == 0);
  return value;
}

static int
foreign_c11 (void *value)
{
  lock_and_unlock (10);
  return (int)(uintptr_t)value;
}

static void *
own (void *value)
{
  lock_and_unlock (3);
  return value;
}

/* The threads of the MPI library, and those of the program before and after them: some have the same names. */
static void
threads (void)
{
  struct lc_suspension suspension;
  pthread_t thread;
  thrd_t c11;
  void *result;
  int c11_result;

  CHECK (pthread_create (&thread, NULL, own, NULL) == 0 && pthread_join (thread, NULL) == 0);
  hooks->suspend (&suspension);
  CHECK (pthread_create (&thread, NULL, foreign, &mutex) == 0);
  CHECK (thrd_create (&c11, foreign_c11, (void *)77) == thrd_success);
  hooks->resume (&suspension);
  CHECK (pthread_join (thread, &result) == 0 && result == &mutex);
  CHECK (thrd_join (c11, &c11_result) == thrd_success && c11_result == 77);
  CHECK (pthread_create (&thread, NULL, own, NULL) == 0 && pthread_join (thread, NULL) == 0);
}

static void
ended (void *unused)
{
  lock_and_unlock (1);
}

static void *
wait_suspended (void *unused)
{
  struct lc_suspension suspension;
  sem_t never;

  CHECK (sem_init (&never, 0, 0) == 0);
  lock_and_unlock (1);
  pthread_cleanup_push (ended, NULL);
  hooks->suspend (&suspension);
  case_set (&ready, 1);
  sem_wait (&never);
  pthread_cleanup_pop (0);
  return NULL;
}

static void
cancelled (void)
{
  pthread_t thread;
  void *result;

  CHECK (pthread_create (&thread, NULL, wait_suspended, NULL) == 0);
  case_await (&ready, 1);
  CHECK (pthread_cancel (thread) == 0);
  CHECK (pthread_join (thread, &result) == 0 && result == PTHREAD_CANCELED);
}

/* The child goes on where its parent was suspended, and is recorded as one of its own. */
static void
forked (void)
{
  struct lc_suspension suspension;
  pid_t child;

  lock_and_unlock (1);
  hooks->suspend (&suspension);
  child = fork ();
  if (child == 0)
    lock_and_unlock (10);
  hooks->resume (&suspension);
  lock_and_unlock (child == 0 ? 4 : 2);
  if (child == 0)
    _exit (0);
  await_child (child);
}

/* --- Events ------------------------------------------------------------------------------------------------ */

static uint32_t world, barrier, channel;

static void
make_objects (void)
{
  world = hooks->shared_object (LC_CLASS_COLLECTIVE, "world", 4);
  barrier = hooks->shared_object (LC_CLASS_BARRIER, "world", 4);
  channel = hooks->shared_object (LC_CLASS_CHANNEL, "0>3:7", LC_CHANNEL_ENDS (0, 3));
  CHECK (world != 0 && barrier != 0 && channel != 0);
}

static void
append (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t value, uint64_t bytes, uint8_t flags)
{
  hooks->append (&(struct lc_finished){.operation = operation,
                                       .flags = flags,
                                       .object = object,
                                       .sequence = sequence,
                                       .value = value,
                                       .bytes = bytes,
                                       .begin = hooks->now ()});
}

/* Each layout, and what does not fit: bytes and members that are larger than there is room for. */
static void
layouts (void)
{
  make_objects ();
  append (LC_BARRIER, barrier, 1, 4, 0, 0);
  append (LC_ALL_REDUCE, world, 1, 4, UINT64_C (5000000000), 0);
  append (LC_SEND, channel, 0, 0, 4096, 0);
  append (LC_SEND, channel, 1, 0, UINT64_C (5000000000), 0);
  append (LC_BROADCAST_ROOT, world, 2, UINT64_C (1) << 30, UINT64_MAX, 0);
  append (LC_IRECV, 0, 17, 0, 0, LC_EVENT_REQUEST | LC_EVENT_BLIND);
  append (LC_COMPLETE, channel, 2, 0, 0, LC_EVENT_UNKNOWN);
}

/* As many of 40 bytes as need several packets, between others of 32 and 16. */
static void
many (void)
{
  make_objects ();
  for (uint32_t i = 0; i < 5000; i++)
    {
      append (LC_ALL_GATHER, world, i + 1, 4, i, 0);
      lock_and_unlock (i % 3 == 0);
      hooks->tag (i);
    }
}

static void
stamps (void)
{
  uint64_t begin = hooks->now (), end = begin + 1000;

  make_objects ();
  while (hooks->now () < end)
    ;
  hooks->append (&(struct lc_finished){.operation = LC_SEND, .object = channel, .begin = begin, .end = begin});
  hooks->append (
      &(struct lc_finished){.operation = LC_SEND, .object = channel, .sequence = 1, .begin = begin, .end = end});
  hooks->append (&(struct lc_finished){.operation = LC_SEND, .object = channel, .sequence = 2, .end = end + 1});
  hooks->append (&(struct lc_finished){.operation = LC_SEND, .object = channel, .sequence = 3});
}

static void
handle (int number)
{
  hooks->release (LC_IALL_REDUCE, world, 7, 4, hooks->now ());
  hooks->release (LC_SEND, channel, 5, 99, hooks->now ());
}

/* What a handler does inside a wait comes just before it. */
static void
handler (void)
{
  make_objects ();
  signal (SIGUSR1, handle);
  hooks->block (LC_ALL_REDUCE, world, 8, hooks->now ());
  raise (SIGUSR1);
  append (LC_ALL_REDUCE, world, 8, 4, 1, 0);
}

/* Killed in it: the stream says what for. */
static void
blocked (void)
{
  struct lc_suspension suspension;

  make_objects ();
  hooks->block (LC_RECV, channel, 3, hooks->now ());
  hooks->suspend (&suspension);
  kill (getpid (), SIGKILL);
}

/* An object that there was no room for. */
static void
without_object (void)
{
  append (LC_SEND, 0, 1, 0, 1, 0);
  append (LC_ALL_REDUCE, 0, 1, 4, 1, 0);
}

/* --- Requests ---------------------------------------------------------------------------------------------- */

enum
{
  THREADS = 4,
  REQUESTS = 60000, /* of each thread: several chunks, small and large ones */
};

static void
few_requests (void)
{
  uint32_t number = 0;

  for (int i = 0; i < 4; i++)
    number = hooks->request ();
  hooks->resolve (0, 70, 5);
  hooks->resolve (number, 80, 0);
  hooks->resolve (1, 90, UINT32_MAX);
}

/* What MPI's library holds while it asks; not one that is recorded. */
static char tables;

static uint32_t
ask (void)
{
  uint32_t number;

  while (__atomic_test_and_set (&tables, __ATOMIC_ACQUIRE))
    sched_yield ();
  number = hooks->request ();
  __atomic_clear (&tables, __ATOMIC_RELEASE);
  return number;
}

static void
resolve (uint32_t number)
{
  while (__atomic_test_and_set (&tables, __ATOMIC_ACQUIRE))
    sched_yield ();
  hooks->resolve (number, number + 1, number * 3);
  __atomic_clear (&tables, __ATOMIC_RELEASE);
}

/* The last ones first, and what is told twice counts once. */
static void *
resolve_many (void *unused)
{
  static __thread uint32_t numbers[REQUESTS];

  for (int i = 0; i < REQUESTS; i++)
    numbers[i] = ask ();
  for (int i = REQUESTS - 1; i >= 0; i--)
    resolve (numbers[i]);
  for (int i = 0; i < REQUESTS; i += 1000)
    resolve (numbers[i]);
  return NULL;
}

static void
many_requests (void)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, resolve_many, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
}

static void
forked_requests (void)
{
  pid_t child;

  CHECK (hooks->request () == 0 && hooks->request () == 1);
  hooks->resolve (1, 11, 1);
  child = fork ();
  if (child == 0)
    {
      CHECK (hooks->request () == 0);
      hooks->resolve (0, 22, 2);
      _exit (0);
    }
  await_child (child);
  CHECK (hooks->request () == 2);
  hooks->resolve (2, 33, 3);
}

/* No file of the program's may become longer than a few requests: theirs is not written by the program. */
static void
small_files_and_requests (void)
{
  struct rlimit limit;

  lock_and_unlock (1);
  CHECK (getrlimit (RLIMIT_FSIZE, &limit) == 0);
  limit.rlim_cur = 4096;
  CHECK (setrlimit (RLIMIT_FSIZE, &limit) == 0);
  for (uint32_t i = 0; i < 10; i++)
    hooks->resolve (hooks->request (), i + 1, 0);
  hooks->resolve (0, 0, 0);
}

/* --- Ranks ------------------------------------------------------------------------------------------------- */

static void
rank_at_once (void)
{
  hooks->rank (3, 12);
  lock_and_unlock (1);
}

/* Its header is written when the recorder has long gone on. */
static void
rank_late (void)
{
  for (int i = 0; i < 5000; i++)
    CHECK (hooks->shared_object (LC_CLASS_CHANNEL, "a channel with a name", 0) != 0);
  hooks->rank (11, 12);
  lock_and_unlock (1);
}

static void
rank_with_a_name (void)
{
  hooks->name_process ("the program's own");
  hooks->rank (0, 1);
  lock_and_unlock (1);
}

/* --- What is in DIR/.control ------------------------------------------------------------------------------- */

static const struct lc_control *
map_control (void)
{
  const struct lc_control *control;
  char path[4096];
  int file;

  snprintf (path, sizeof path, "%s/.control", getenv (LC_CONTROL_ENVIRONMENT));
  file = open (path, O_RDONLY | O_CLOEXEC);
  CHECK (file >= 0);
  control = mmap (NULL, sizeof *control, PROT_READ, MAP_SHARED, file, 0);
  CHECK (control != MAP_FAILED && close (file) == 0);
  return control;
}

static void
topology (void)
{
  const struct lc_control *control = map_control ();

  hooks->topology ("a topology whose description is too long");
  CHECK (control->topology[0] == '\0');
  hooks->topology ("mesh:4x2");
  hooks->topology ("ring");
  CHECK (strcmp (control->topology, "mesh:4x2") == 0);
}

/* The last place is for the last one. */
static void
clocks (void)
{
  const struct lc_control *control = map_control ();
  uint64_t begin = hooks->now (), end;

  for (uint64_t i = 0; i < LC_CLOCK_SAMPLES + 3; i++)
    hooks->clock (1000 + i, 2000 + i, 10 + i);
  CHECK (control->n_clock_samples == LC_CLOCK_SAMPLES);
  for (uint64_t i = 0; i < LC_CLOCK_SAMPLES; i++)
    {
      const struct lc_clock_sample *sample = &control->clock_samples[i];
      uint64_t number = i < LC_CLOCK_SAMPLES - 1 ? i : i + 3;

      CHECK (sample->ticks == 1000 + number && sample->reference == 2000 + number && sample->error == 10 + number);
    }
  CHECK (hooks->since_start (control->start) == 0 && hooks->since_start (control->start - 1) == 0);
  CHECK (hooks->since_start (control->start + 5 * control->frequency) == UINT64_C (5000000000));
  case_nap (50);
  end = hooks->now ();
  CHECK (hooks->since_start (end) - hooks->since_start (begin) >= 50000000);
  CHECK (hooks->since_start (end) - hooks->since_start (begin) < UINT64_C (10000000000));
}

/* All ranks of a host find the same ones, and none the other's. */
static void
counters (void)
{
  pid_t children[4];
  struct lc_shared_counter *first, *second;
  char name[32];

  for (int i = 0; i < 4; i++)
    {
      children[i] = fork ();
      if (children[i] != 0)
        continue;
      for (int j = 0; j < 200; j++)
        {
          snprintf (name, sizeof name, "world/window.%d", j);
          first = hooks->counter (name);
          CHECK (first != NULL);
          __atomic_add_fetch (&first->exclusive, 1 + j, __ATOMIC_RELAXED);
          __atomic_add_fetch (&first->shared, 1, __ATOMIC_RELAXED);
        }
      _exit (0);
    }
  for (int i = 0; i < 4; i++)
    await_child (children[i]);
  for (int j = 0; j < 200; j++)
    {
      snprintf (name, sizeof name, "world/window.%d", j);
      first = hooks->counter (name);
      CHECK (first->exclusive == 4 * (1 + (uint64_t)j) && first->shared == 4);
    }
  second = hooks->counter ("world/window.200");
  CHECK (second != NULL && second->exclusive == 0 && second == hooks->counter ("world/window.200"));
}

/* More of them than there is room for. */
static void
too_many_counters (void)
{
  struct lc_shared_counter *first = hooks->counter ("0");
  char name[32];
  int refused = 0;

  for (int i = 0; i < 2 * LC_COUNTERS; i++)
    {
      snprintf (name, sizeof name, "%d", i);
      if (hooks->counter (name) == NULL)
        refused++;
      CHECK (refused == 0 || i > LC_COUNTERS / 4 * 3);
    }
  CHECK (refused >= LC_COUNTERS && refused < LC_COUNTERS / 4 * 5);
  CHECK (first != NULL && hooks->counter ("0") == first);
}

#define CASE(function) \
  static void function##_recorded (void) \
  { \
    find_hooks (); \
    function (); \
  }

#define ALL(X) \
  X (nested) \
  X (jumped) \
  X (threads) \
  X (cancelled) \
  X (forked) \
  X (layouts) \
  X (many) \
  X (stamps) \
  X (handler) \
  X (blocked) \
  X (without_object) \
  X (few_requests) \
  X (many_requests) \
  X (forked_requests) \
  X (small_files_and_requests) \
  X (rank_at_once) \
  X (rank_late) \
  X (rank_with_a_name) \
  X (topology) \
  X (clocks) \
  X (counters) \
  X (too_many_counters)

ALL (CASE)

const struct test_case cases[] = {
#define X(function) {#function, function##_recorded},
    ALL (X)
#undef X
        {NULL, NULL},
};
