/* SPDX-License-Identifier: Apache-2.0 */
/* Waits in ways that are not recorded, and runs on after its last recorded event. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct timespec wait_time = {0, 4000000};

static void
wait_unseen (int times)
{
  while (times-- > 0)
    syscall (SYS_nanosleep, &wait_time, NULL);
}

static void
run_for (int ms)
{
  struct timespec begin, now;

  clock_gettime (CLOCK_MONOTONIC, &begin);
  do
    clock_gettime (CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void *
wait_in_thread (void *data)
{
  wait_unseen (20);
  return data;
}

/* Still waits when the program ends. */
static void *
wait_on (void *data)
{
  wait_unseen (1000000);
  return data;
}

static void *
sleep_in_condition (void *data)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  struct timespec until;

  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += (until.tv_nsec + 80000000) / 1000000000;
  until.tv_nsec = (until.tv_nsec + 80000000) % 1000000000;
  pthread_mutex_lock (&mutex);
  pthread_cond_timedwait (&condition, &mutex, &until);
  pthread_mutex_unlock (&mutex);
  return data;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waits;

/* Nobody ever signals. */
static void *
wait_for_ever (void *data)
{
  pthread_mutex_lock (&mutex);
  waits = 1;
  while (waits)
    pthread_cond_wait (&condition, &mutex);
  pthread_mutex_unlock (&mutex);
  return data;
}

/* Returns when the thread waits. */
static void
see_waiting (void)
{
  for (int seen = 0; !seen;)
    {
      pthread_mutex_lock (&mutex);
      seen = waits;
      pthread_mutex_unlock (&mutex);
    }
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  const char *end = argc > 2 ? argv[2] : how;
  void *(*routine) (void *) = strcmp (how, "seen") == 0      ? sleep_in_condition
                              : strcmp (how, "left") == 0    ? wait_on
                              : strcmp (how, "pending") == 0 ? wait_for_ever
                                                             : wait_in_thread;
  pthread_t thread;

  pthread_create (&thread, NULL, routine, NULL);
  if (strcmp (how, "pending") == 0)
    see_waiting ();
  else if (strcmp (how, "left") != 0)
    pthread_join (thread, NULL);
  run_for (120);
  if (strcmp (end, "killed") == 0)
    kill (getpid (), SIGKILL);
  return 0;
}
