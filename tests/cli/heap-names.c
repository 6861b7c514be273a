/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes on the heap whose making nobody sees, used by threads that come in any order. Each mutex is locked a number
 * of times that is its own, by which it is known in every run. heap-names SEED */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum
{
  WORKERS = 4,
  BUCKETS = 6,
};

struct bucket
{
  pthread_mutex_t lock;
  unsigned long sum;
};

static const struct bucket fresh = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct bucket *buckets, *single, *kept[WORKERS];
static unsigned seed;

static void
rest (unsigned long salt)
{
  const struct timespec time = {0, (long)((seed * 2654435761u + salt * 40503u) % 300000u)};

  nanosleep (&time, NULL);
}

static struct bucket *
make_bucket (void)
{
  struct bucket *bucket = malloc (sizeof *bucket);

  *bucket = fresh;
  return bucket;
}

static __attribute__ ((noinline)) void
put (struct bucket *bucket)
{
  pthread_mutex_lock (&bucket->lock);
  bucket->sum++;
  pthread_mutex_unlock (&bucket->lock);
}

static __attribute__ ((noinline)) void
take (struct bucket *bucket)
{
  pthread_mutex_lock (&bucket->lock);
  bucket->sum--;
  pthread_mutex_unlock (&bucket->lock);
}

static __attribute__ ((noinline)) void
keep (struct bucket *bucket)
{
  pthread_mutex_lock (&bucket->lock);
  bucket->sum += 2;
  pthread_mutex_unlock (&bucket->lock);
}

/* Bucket k is locked 100 + 10 k times by each worker, by half of them in each function. */
static void *
work (void *argument)
{
  const unsigned long number = (uintptr_t)argument;
  struct bucket *own = make_bucket ();
  pthread_mutex_t made;

  rest (number);
  pthread_mutex_init (&made, NULL);
  for (unsigned long i = 0; i < BUCKETS; i++)
    {
      const unsigned long k = (i + number + seed) % BUCKETS; /* another one comes first in each run */

      for (unsigned long n = 0; n < 100 + 10 * k; n++)
        (number % 2 == 0 ? put : take) (&buckets[k]);
    }
  rest (number + 7);
  for (unsigned long i = 0; i < 1000 + number; i++)
    (number % 2 == 0 ? put : take) (single);
  for (unsigned long i = 0; i < 20 + number; i++)
    keep (own);
  for (unsigned long i = 0; i < 40 + number; i++)
    {
      pthread_mutex_lock (&made);
      pthread_mutex_unlock (&made);
    }
  pthread_mutex_destroy (&made);
  kept[number] = own; /* not freed: another worker would get its memory, and be taken for a user of it */
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[WORKERS];

  seed = argc > 1 ? (unsigned)strtoul (argv[1], NULL, 10) : 0;
  buckets = malloc (BUCKETS * sizeof *buckets);
  for (unsigned k = 0; k < BUCKETS; k++)
    buckets[k] = fresh;
  single = make_bucket ();
  for (uintptr_t i = 0; i < WORKERS; i++)
    pthread_create (&threads[i], NULL, work, (void *)i);
  for (unsigned i = 0; i < WORKERS; i++)
    pthread_join (threads[i], NULL);
  free (single);
  free (buckets);
  return 0;
}
