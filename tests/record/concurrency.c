/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder's own sources in one program with a race detector: many threads write, make objects, begin and end. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "hooks.h"
#include "recorder.h"
#include "trace-folder.h"
#include "wrap-condition.h"
#include "wrap-mutex.h"
#include "wrap-thread.h"

enum
{
  THREADS = 4,
  ROUNDS = 1500,
  PLACES = 4096, /* nobody empties them here */
  SHARED_OBJECTS = 32,
  OWN_OBJECTS = 8, /* of a round; each has an address of its own, so that the table grows and uses slots again */
};

extern const struct lc_hooks lc_record_hooks_1;

/* --- What the wrappers do, on the real functions ----------------------------------------------------------- */

static void
lock (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);
  struct lc_slot *slot = lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN);
  uint64_t begin = lc_now ();
  uint8_t flags = 0;

  if (pthread_mutex_trylock (mutex) != 0)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (thread, LC_LOCK, slot->id, 0, begin);
      pthread_mutex_lock (mutex);
      lc_unblock (thread);
    }
  lc_locked (thread, slot, begin, flags);
}

static void
unlock (pthread_mutex_t *mutex)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);

  if (!lc_unlocking (thread, lc_object (thread, mutex, LC_CLASS_MUTEX, LC_KIND_PLAIN)))
    abort ();
  pthread_mutex_unlock (mutex);
}

static int
call_wait (struct lc_condition_wait *wait)
{
  return pthread_cond_wait (wait->condition, wait->mutex);
}

static bool
woken (int result)
{
  return result == 0;
}

static void
wait_for (pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  struct lc_condition_wait wait = {condition, mutex, call_wait, woken, ETIMEDOUT, 0, NULL};

  lc_condition_wait (&wait);
}

/* --- The work ---------------------------------------------------------------------------------------------- */

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t objects[SHARED_OBJECTS];
static pthread_mutex_t *in_shared_memory;
static unsigned int turn;

static void
take_turns (unsigned int number)
{
  for (int i = 0; i < ROUNDS / 8; i++)
    {
      lock (&common);
      while (turn % THREADS != number)
        wait_for (&condition, &common);
      turn++;
      lc_condition_wake (&condition, true);
      pthread_cond_broadcast (&condition);
      unlock (&common);
    }
}

/* Objects that come and go, at addresses that all threads find at the same time, or this one alone. */
static void
make_objects (pthread_mutex_t *own, unsigned int round)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_MUTEX);

  for (int i = 0; i < OWN_OBJECTS; i++)
    {
      pthread_mutex_init (&own[i], NULL);
      lc_object_begin (thread, &own[i], LC_CLASS_MUTEX, LC_KIND_PLAIN, false, 0);
      lock (&own[i]);
      unlock (&own[i]);
      lc_object_end (thread, &own[i], LC_CLASS_MUTEX);
      pthread_mutex_destroy (&own[i]);
    }
  lock (&objects[round % SHARED_OBJECTS]);
  unlock (&objects[round % SHARED_OBJECTS]);
}

static void
mark (unsigned int round)
{
  static const char *const names[] = {"first region", "second region", "third region"};

  lc_record_hooks_1.enter (names[round % 3]);
  lc_record_hooks_1.tag (round);
  lc_record_hooks_1.leave (names[round % 3]);
}

/* What MPI's library holds while it asks; not one that is recorded. */
static char tables;

static void
lock_tables (void)
{
  while (__atomic_test_and_set (&tables, __ATOMIC_ACQUIRE))
    sched_yield ();
}

static void
unlock_tables (void)
{
  __atomic_clear (&tables, __ATOMIC_RELEASE);
}

/* What MPI asks for: as many requests as need several chunks, the older ones resolved last. */
static void
ask_for_requests (uint32_t channel)
{
  enum
  {
    PENDING = 16
  };
  uint32_t pending[PENDING];

  lock_tables ();
  for (uint32_t i = 0; i < PENDING; i++)
    pending[i] = lc_record_hooks_1.request ();
  unlock_tables ();
  for (uint32_t i = PENDING; i > 0; i--)
    {
      lock_tables ();
      lc_record_hooks_1.resolve (pending[i - 1], channel, pending[i - 1]);
      unlock_tables ();
      lc_record_hooks_1.append (&(struct lc_finished){
          .operation = LC_COMPLETE, .object = channel, .sequence = pending[i - 1], .begin = lc_now ()});
    }
}

static void
communicate (uint32_t channel, uint32_t world, unsigned int round)
{
  static const char *const names[] = {"first", "second", "third"};
  struct lc_shared_counter *counter = lc_record_hooks_1.counter (names[round % 3]);
  struct lc_suspension suspension;

  lc_record_hooks_1.suspend (&suspension);
  ask_for_requests (channel);
  lc_record_hooks_1.resume (&suspension);
  ask_for_requests (channel);
  __atomic_add_fetch (&counter->shared, 1, __ATOMIC_RELAXED);
  lc_record_hooks_1.append (&(struct lc_finished){
      .operation = LC_ALL_REDUCE, .object = world, .sequence = round, .value = THREADS, .bytes = round});
}

static void *
work (void *data)
{
  unsigned int number = (unsigned int)(uintptr_t)data;
  uint32_t channel = lc_record_hooks_1.shared_object (LC_CLASS_CHANNEL, "0>1:0", LC_CHANNEL_ENDS (0, 1));
  uint32_t world = lc_record_hooks_1.shared_object (LC_CLASS_COLLECTIVE, "world", THREADS);
  pthread_mutex_t *own = calloc ((size_t)ROUNDS * OWN_OBJECTS, sizeof *own);

  if (own == NULL)
    abort ();
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      make_objects (own + (size_t)i * OWN_OBJECTS, i);
      mark (i);
      communicate (channel, world, i);
      lock (&common);
      unlock (&common);
      lock (in_shared_memory);
      unlock (in_shared_memory);
    }
  take_turns (number);
  free (own);
  return NULL;
}

static void *
run (void *data)
{
  struct lc_thread *thread = data;

  lc_thread_begins (thread);
  return thread->routine (thread->argument);
}

static pthread_t
create (void *argument)
{
  struct lc_made made;
  struct lc_thread *thread = lc_thread_make (&made);
  uint32_t process = thread->process;
  pthread_t name;

  thread->routine = work;
  thread->argument = argument;
  if (pthread_create (&name, NULL, run, thread) != 0)
    abort ();
  lc_thread_known_as (&made, thread, &name, process);
  return name;
}

static int
attempt (struct lc_thread_join *join)
{
  return EBUSY;
}

static int
call_join (struct lc_thread_join *join)
{
  return pthread_join (join->thread, NULL);
}

static void
work_in_threads (void)
{
  pthread_t threads[THREADS];

  for (uintptr_t i = 0; i < THREADS; i++)
    threads[i] = create ((void *)i);
  for (int i = 0; i < THREADS; i++)
    {
      struct lc_thread_join join = {.thread = threads[i], .attempt = attempt, .call = call_join};

      if (lc_thread_join (&join) != 0)
        abort ();
    }
}

/* --- All of it ------------------------------------------------------------------------------------------------ */

/* `concurrency DIR`, an absolute path of an empty folder. The recorder begins before main, so this runs twice. */
int
main (int argc, char **argv)
{
  pthread_mutexattr_t attributes;

  if (argc != 2)
    return 2;
  if (getenv (LC_CONTROL_ENVIRONMENT) == NULL)
    {
      trace_folder_make (argv[1], PLACES);
      trace_folder_run_again (argv[1], argv);
    }
  in_shared_memory = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (in_shared_memory == MAP_FAILED || pthread_mutexattr_init (&attributes) != 0 ||
      pthread_mutexattr_setpshared (&attributes, PTHREAD_PROCESS_SHARED) != 0)
    abort ();
  pthread_mutex_init (in_shared_memory, &attributes);
  for (int i = 0; i < SHARED_OBJECTS; i++)
    pthread_mutex_init (&objects[i], NULL);
  work_in_threads ();
  work_in_threads ();
  printf ("%u turns\n", turn);
  return 0;
}
