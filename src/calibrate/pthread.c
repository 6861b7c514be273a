/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the operations of pthreads cost their caller when nobody waits. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "measure.h"

static pthread_mutex_t mutexes[LC_BATCH];
/* Pairs that are tried in turn, because repeated attempts at the same object would be a single event. */
static pthread_mutex_t held[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlocks[LC_BATCH];
static pthread_rwlock_t written[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static sem_t semaphores[LC_BATCH];
static sem_t empty[2];
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

static void
pthread_lock (unsigned int object, unsigned int i)
{
  pthread_mutex_lock (&mutexes[object]);
}

static void
pthread_unlock (unsigned int object, unsigned int i)
{
  pthread_mutex_unlock (&mutexes[object]);
}

static void
try_lock (unsigned int object, unsigned int i)
{
  pthread_mutex_trylock (&held[i % 2]);
}

static void
pthread_read_start (unsigned int object, unsigned int i)
{
  pthread_rwlock_rdlock (&rwlocks[object]);
}

static void
pthread_write_start (unsigned int object, unsigned int i)
{
  pthread_rwlock_wrlock (&rwlocks[object]);
}

static void
pthread_read_or_write_end (unsigned int object, unsigned int i)
{
  pthread_rwlock_unlock (&rwlocks[object]);
}

static void
try_read (unsigned int object, unsigned int i)
{
  pthread_rwlock_tryrdlock (&written[i % 2]);
}

static void
try_write (unsigned int object, unsigned int i)
{
  pthread_rwlock_trywrlock (&written[i % 2]);
}

static void
pthread_post (unsigned int object, unsigned int i)
{
  sem_post (&semaphores[object]);
}

static void
pthread_take (unsigned int object, unsigned int i)
{
  sem_wait (&semaphores[object]);
}

static void
try_take (unsigned int object, unsigned int i)
{
  sem_trywait (&empty[i % 2]);
}

static void
pthread_wake_one (unsigned int object, unsigned int i)
{
  pthread_cond_signal (&condition);
}

static void
wake_all (unsigned int object, unsigned int i)
{
  pthread_cond_broadcast (&condition);
}

/* A timed wait whose time limit lies before time 0, so that the C library does not even ask the kernel: the only wait
 * of a single thread that ends. */
static void
wait_in_vain (unsigned int object, unsigned int i)
{
  static const struct timespec past = {-1, 0};

  pthread_cond_timedwait (&condition, &held[0], &past);
}

static void
pthread_gather (unsigned int object, unsigned int i)
{
  pthread_barrier_wait (&barrier);
}

static void
pthread_prepare (void)
{
  for (unsigned int i = 0; i < LC_BATCH; i++)
    {
      pthread_mutex_init (&mutexes[i], NULL);
      pthread_rwlock_init (&rwlocks[i], NULL);
      sem_init (&semaphores[i], 0, 0);
    }
  pthread_barrier_init (&barrier, NULL, 1);
  for (unsigned int i = 0; i < 2; i++)
    {
      sem_init (&empty[i], 0, 0);
      pthread_mutex_lock (&held[i]);
      pthread_rwlock_wrlock (&written[i]);
    }
}

void
lc_measure_pthread (struct lc_log *log)
{
  static bool prepared;

  if (!prepared)
    pthread_prepare ();
  prepared = true;
  lc_measure (log, "pthread", "lock", pthread_lock, "unlock", pthread_unlock);
  lc_measure (log, "pthread", "lock-failed", try_lock, NULL, NULL);
  lc_measure (log, "pthread", "read-start", pthread_read_start, "read-end", pthread_read_or_write_end);
  lc_measure (log, "pthread", "write-start", pthread_write_start, "write-end", pthread_read_or_write_end);
  lc_measure (log, "pthread", "read-failed", try_read, NULL, NULL);
  lc_measure (log, "pthread", "write-failed", try_write, NULL, NULL);
  lc_measure (log, "pthread", "post", pthread_post, "wait", pthread_take);
  lc_measure (log, "pthread", "wait-failed", try_take, NULL, NULL);
  lc_measure (log, "pthread", "signal", pthread_wake_one, NULL, NULL);
  lc_measure (log, "pthread", "broadcast", wake_all, NULL, NULL);
  if (log->recorded) /* in a loop, these events would follow those of the mutex */
    lc_measure_each (log, "pthread", "condition-wait-failed", wait_in_vain, NULL, NULL);
  else
    lc_measure (log, "pthread", "condition-wait-failed", wait_in_vain, NULL, NULL);
  lc_measure (log, "pthread", "barrier", pthread_gather, NULL, NULL);
}
