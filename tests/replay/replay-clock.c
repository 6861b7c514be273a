/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for at most a millisecond, and then believe the clock only, as C++'s library does. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum
{
  CONSUMERS = 3,
  PRODUCERS = 2,
  ITEMS = 200,
  SECOND = 1000000000,
  LIMIT = SECOND / 1000,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled;
static unsigned int first, last, finished, timeouts;
static uint64_t items[PRODUCERS * ITEMS], result = 1;

static struct timespec
time_after (long ns)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  time.tv_nsec += ns;
  if (time.tv_nsec >= SECOND)
    {
      time.tv_sec++;
      time.tv_nsec -= SECOND;
    }
  return time;
}

/* Whether there is an item before the limit is over. */
static int
wait_for_item (void)
{
  const struct timespec until = time_after (LIMIT);

  while (first == last)
    {
      struct timespec now;

      pthread_cond_timedwait (&filled, &mutex, &until);
      now = time_after (0);
      if (now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec))
        return first != last;
    }
  return 1;
}

static void *
consume (void *data)
{
  const uint64_t number = (uint64_t)(uintptr_t)data;
  int is_done = 0;

  while (!is_done)
    {
      pthread_mutex_lock (&mutex);
      if (wait_for_item ())
        result = result * 1000003 + (items[first++] ^ number);
      else
        {
          timeouts++;
          is_done = finished == PRODUCERS;
        }
      pthread_mutex_unlock (&mutex);
    }
  return NULL;
}

static void *
produce (void *data)
{
  const struct timespec pause = {0, LIMIT};

  for (unsigned int i = 0; i < ITEMS; i++)
    {
      pthread_mutex_lock (&mutex);
      items[last++] = (uint64_t)(uintptr_t)data << 32 | i;
      pthread_mutex_unlock (&mutex);
      pthread_cond_signal (&filled);
      if (i % 20 == 0)
        nanosleep (&pause, NULL);
    }
  pthread_mutex_lock (&mutex);
  finished++;
  pthread_mutex_unlock (&mutex);
  return NULL;
}

int
main (void)
{
  pthread_t threads[CONSUMERS + PRODUCERS];
  pthread_condattr_t attributes;

  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&filled, &attributes);
  for (unsigned int i = 0; i < CONSUMERS + PRODUCERS; i++)
    pthread_create (&threads[i], NULL, i < CONSUMERS ? consume : produce, (void *)(uintptr_t)(i + 1));
  for (unsigned int i = 0; i < CONSUMERS + PRODUCERS; i++)
    pthread_join (threads[i], NULL);
  printf ("%016llx %u\n", (unsigned long long)result, timeouts);
  return 0;
}
