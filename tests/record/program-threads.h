/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads at once on an object of lightcone/record.h, undisturbed or not, recorded or not. */
#ifndef LC_TEST_PROGRAM_THREADS_H
#define LC_TEST_PROGRAM_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lightcone/record.h"
#include "lightcone/trace-format.h"
#include "program-log.h"
#include "program.h"
#include "tap.h"

#ifdef LC_TEST_RECORDED
#include "fake-recorder.h"
#define BEGIN_LOG() log_begin ()
#define LOG_THREAD() fake_thread ()
#define LOG_OK(check) tap_ok (check, "recorded: %s", #check)
#else
#define BEGIN_LOG() ((void)0)
#define LOG_THREAD() 0
#define LOG_OK(check) ((void)0)
#endif

#if defined(__SANITIZE_THREAD__)
#define LC_TEST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LC_TEST_TSAN 1
#endif
#endif

enum
{
  THREADS = 4,
  MOST_THREADS = 80
};

static inline void
start (pthread_t *thread, void *(*routine) (void *), void *argument)
{
  if (pthread_create (thread, NULL, routine, argument) != 0)
    {
      printf ("Bail out! no threads\n");
      exit (1);
    }
}

/* The routine is given its number. */
static inline void
run (unsigned int count, void *(*routine) (void *))
{
  pthread_t threads[MOST_THREADS];

  for (uintptr_t i = 0; i < count; i++)
    start (&threads[i], routine, (void *)i);
  for (unsigned int i = 0; i < count; i++)
    pthread_join (threads[i], NULL);
}

static inline void
pause_ms (long ms)
{
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};

  while (nanosleep (&left, &left) != 0)
    continue;
}

static void
interrupt (int number)
{
  int error = errno;

  nanosleep (&(struct timespec){0, 20000}, NULL);
  errno = error;
}

/* Threads are stopped for a moment wherever they happen to be, which is where no scheduler would stop them. 0: no more.
 */
static inline void
interrupt_every (long microseconds)
{
  static timer_t timer;
  static bool made;
  struct sigaction action = {.sa_handler = interrupt};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  struct timespec interval = {0, microseconds * 1000};

  sigaction (SIGUSR2, &action, NULL);
  if (!made)
    made = timer_create (CLOCK_MONOTONIC, &event, &timer) == 0;
  if (made)
    timer_settime (timer, 0, &(struct itimerspec){interval, interval}, NULL);
}

/* Until another thread has come as far as this. */
#define WAIT_UNTIL(condition) \
  do \
    pause_ms (1); \
  while (!(condition))

static inline uint64_t
load (const uint64_t *word)
{
  return __atomic_load_n (word, __ATOMIC_RELAXED);
}

static inline uint32_t
load_small (const uint32_t *word)
{
  return __atomic_load_n (word, __ATOMIC_RELAXED);
}

static uint32_t failures;

static inline void
expect (bool good)
{
  if (!good)
    __atomic_fetch_add (&failures, 1, __ATOMIC_RELAXED);
}

static inline void
no_failures (const char *what)
{
  tap_ok (failures == 0, "%s (%u failures)", what, failures);
  failures = 0;
}

/* Interruptions show what goes wrong in a short moment, but also end a sleep that nobody else would: so both. */
static inline void
test_with_interruptions (void (*test) (void))
{
  test ();
  interrupt_every (200);
  test ();
  interrupt_every (0);
}

#endif
