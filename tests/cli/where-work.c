/* SPDX-License-Identifier: Apache-2.0 */
/* Works for known times in two functions, and in a thread; prints which: "FUNCTION NANOSECONDS". */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define NOINLINE __attribute__ ((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static long long
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Returns how long it took, which is more if the thread did not get a processor. */
static long long NOINLINE
work (int milliseconds)
{
  const long long begin = now (), until = begin + milliseconds * 1000000LL;
  long long at;

  while ((at = now ()) < until)
    ;
  return at - begin;
}

static long long NOINLINE
slow_part (void)
{
  long long took;

  pthread_mutex_lock (&mutex); /* slow begins */
  took = work (6);
  pthread_mutex_unlock (&mutex);
  return took;
}

static long long NOINLINE
quick_part (void)
{
  long long took;

  pthread_mutex_lock (&mutex); /* quick begins */
  took = work (2);
  pthread_mutex_unlock (&mutex);
  return took;
}

static void *
worker (void *data)
{
  long long *took = data;

  *took = 0;
  for (int i = 0; i < 5; i++)
    *took += quick_part ();
  return NULL;
}

int
main (void)
{
  long long slow = 0, quick = 0, of_thread = 0;
  pthread_t thread;

  for (int i = 0; i < 5; i++)
    {
      slow += slow_part ();
      quick += quick_part ();
    }
  pthread_create (&thread, NULL, worker, &of_thread);
  pthread_join (thread, NULL);
  printf ("slow_part %lld\nquick_part %lld\nworker %lld\n", slow, quick, of_thread);
  return 0;
}
