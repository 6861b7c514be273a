/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what making, starting, ending and joining threads costs. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "measure.h"

struct made
{
  const struct lc_log *log;
  pid_t thread;
  uint64_t first, last; /* stamps that the thread itself takes */
  bool stay;            /* until another thread is blocked in joining this one */
  bool joining;
};

enum
{
  PAUSE = 60000, /* ns: enough for a thread to go to sleep */
};

static void *
threads_run (void *data)
{
  struct made *made = data;

  made->first = lc_now ();
  made->thread = gettid ();
  while (made->stay && !__atomic_load_n (&made->joining, __ATOMIC_ACQUIRE))
    sched_yield ();
  if (made->stay)
    lc_pause (made->log, PAUSE);
  __atomic_store_n (&made->last, lc_now (), __ATOMIC_RELEASE);
  return NULL;
}

struct stamps
{
  uint64_t create, created, join, joined;
};

static void
make_and_join (struct lc_log *log, struct made *made, struct stamps *stamps)
{
  pthread_t thread;
  int error;

  stamps->create = lc_now ();
  error = pthread_create (&thread, NULL, threads_run, made);
  stamps->created = lc_now ();
  if (error != 0)
    lc_fail ("pthread_create", error);
  log->threads++;
  /* Yields, because the new thread may be on this processor. */
  while (!made->stay && __atomic_load_n (&made->last, __ATOMIC_ACQUIRE) == 0)
    sched_yield ();
  while (!made->stay && tgkill (getpid (), made->thread, 0) == 0)
    sched_yield ();
  __atomic_store_n (&made->joining, true, __ATOMIC_RELEASE);
  stamps->join = lc_now ();
  pthread_join (thread, NULL);
  stamps->joined = lc_now ();
}

static void
log_recorded (struct lc_log *log, const struct made *made, const struct stamps *stamps)
{
  struct lc_series *create = lc_log_series (log, "create", "pthread", LC_STAMPS_EVENT);
  struct lc_series *start = lc_log_series (log, "start", "pthread", LC_STAMPS_EVENT);
  struct lc_series *exits = lc_log_series (log, "exit", "pthread", LC_STAMPS_EVENT);
  struct lc_series *join = lc_log_series (log, "join", "pthread", LC_STAMPS_EVENT);

  lc_log_add (create, stamps->create, stamps->created);
  lc_log_add (join, stamps->join, stamps->joined);
  if (start->head.count == 0)
    start->head.process = exits->head.process = log->threads;
  start->head.stride = exits->head.stride = 1;
  lc_log_add (start, stamps->create, made->first);
  lc_log_add (exits, made->last, stamps->joined);
}

void
lc_measure_threads (struct lc_log *log)
{
  uint64_t begin = lc_clock_monotonic ();

  for (uint32_t i = 0; i < log->rounds && !lc_enough (log, begin, i); i++)
    {
      struct made ended = {.log = log}, waited = {.log = log, .stay = true};
      struct stamps stamps;

      make_and_join (log, &ended, &stamps);
      if (log->recorded)
        {
          log_recorded (log, &ended, &stamps);
          continue;
        }
      lc_log_add (lc_log_series (log, "create", "pthread", LC_STAMPS_COST), stamps.create, stamps.created);
      lc_log_add (lc_log_series (log, "start", "pthread", LC_STAMPS_ASLEEP), stamps.create, ended.first);
      lc_log_add (lc_log_series (log, "join", "pthread", LC_STAMPS_COST), stamps.join, stamps.joined);
      make_and_join (log, &waited, &stamps);
      lc_log_add (lc_log_series (log, "join", "pthread", LC_STAMPS_ASLEEP), waited.last, stamps.joined);
    }
}
