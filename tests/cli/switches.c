/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that leave their processors in ways that the recorder's own events do not tell. */
/*
 *   switches sleep            one thread sleeps 200 ms
 *   switches busy N MS        N threads compute for MS ms on one processor
 *   switches work N MS        the same, but each until it has computed for so long
 *   switches turns N          two threads hand a byte to each other through pipes N times
 *   switches fork             a child process sleeps 200 ms
 *   switches killed           a thread sleeps 200 ms, then the process is killed
 *   switches reuse N          N threads one after the other, each sleeps 1 ms
 *
 * `busy` prints the system's number of each thread, and how long the kernel says that it was ready, but not running.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ways[2][2];
static long count;

/* Makes an event, so that the thread is one that is recorded. */
static void
touch (void)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
}

static void
sleep_ms (long ms)
{
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};

  clock_nanosleep (CLOCK_MONOTONIC, 0, &time, NULL);
}

static void *
sleep_once (void *ms)
{
  touch ();
  sleep_ms ((long)ms);
  touch ();
  return NULL;
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static unsigned long long
ask_delay (void)
{
  unsigned long long running, delay = 0;
  FILE *file = fopen ("/proc/thread-self/schedstat", "r");

  if (file == NULL || fscanf (file, "%llu %llu", &running, &delay) != 2)
    delay = 0;
  if (file != NULL)
    fclose (file);
  return delay;
}

static void *
compute (void *ms)
{
  double end = now () + (double)(long)ms;
  unsigned long long before;

  touch ();
  before = ask_delay ();
  while (now () < end)
    ;
  printf ("%ld %llu\n", (long)syscall (SYS_gettid), ask_delay () - before);
  touch ();
  return NULL;
}

static void *
work (void *ms)
{
  const double end = (double)(long)ms / 1e3;
  struct timespec time;

  touch ();
  do
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  while ((double)time.tv_sec + (double)time.tv_nsec / 1e9 < end);
  touch ();
  return NULL;
}

static void *
take_turns (void *number)
{
  long which = (long)number;
  char byte = 0;

  touch ();
  for (long i = 0; i < count; i++)
    {
      if (which == 0 && write (ways[0][1], &byte, 1) != 1)
        abort ();
      if (read (ways[1 - which][0], &byte, 1) != 1)
        abort ();
      if (which == 1 && write (ways[1][1], &byte, 1) != 1)
        abort ();
    }
  touch ();
  return NULL;
}

/* The first processor that it may use is the only one from now on. */
static void
choose_processor (void)
{
  cpu_set_t all, one;
  int first = 0;

  CPU_ZERO (&one);
  if (sched_getaffinity (0, sizeof all, &all) != 0)
    abort ();
  while (first < CPU_SETSIZE - 1 && !CPU_ISSET (first, &all))
    first++;
  CPU_SET (first, &one);
  if (sched_setaffinity (0, sizeof one, &one) != 0)
    abort ();
}

static void
run (int n, void *(*function) (void *), long argument)
{
  pthread_t threads[64];

  for (int i = 0; i < n; i++)
    pthread_create (&threads[i], NULL, function, (void *)(argument < 0 ? (long)i : argument));
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";

  count = argc > 2 ? atol (argv[2]) : 0;
  if (strcmp (how, "sleep") == 0)
    run (1, sleep_once, 200);
  else if (strcmp (how, "busy") == 0 && argc > 3 && count <= 64)
    {
      choose_processor ();
      run ((int)count, compute, atol (argv[3]));
    }
  else if (strcmp (how, "work") == 0 && argc > 3 && count <= 64)
    {
      choose_processor ();
      run ((int)count, work, atol (argv[3]));
    }
  else if (strcmp (how, "turns") == 0 && pipe (ways[0]) == 0 && pipe (ways[1]) == 0)
    run (2, take_turns, -1);
  else if (strcmp (how, "fork") == 0)
    {
      if (fork () == 0)
        {
          sleep_once ((void *)200);
          exit (0);
        }
      wait (NULL);
    }
  else if (strcmp (how, "killed") == 0)
    {
      run (1, sleep_once, 200);
      kill (getpid (), SIGKILL);
    }
  else if (strcmp (how, "reuse") == 0)
    for (long i = 0; i < count; i++)
      run (1, sleep_once, 1);
  else
    return 2;
  return 0;
}
