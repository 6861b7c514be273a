/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that rarely come to no end. */
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

#include "seeded.h"

static pthread_mutex_t locks[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t crew = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t tokens[2];
static int value, items, is_ready, is_over;

static void
use_both (int first, int second, int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      pthread_mutex_lock (&locks[first]);
      pthread_mutex_lock (&locks[second]);
      value++;
      pthread_mutex_unlock (&locks[second]);
      pthread_mutex_unlock (&locks[first]);
    }
}

/* --- Two locks, in two orders ----------------------------------------------------------------------------------- */

static void *
first_then_second (void *data)
{
  use_both (0, 1, 3);
  return data;
}

static void *
second_then_first (void *data)
{
  seeded_work (300);
  use_both (1, 0, 1);
  return data;
}

static void
two_locks (void)
{
  seeded_run (2, (void *(*const[]) (void *)){first_then_second, second_then_first});
}

/* --- Three locks, in a circle ------------------------------------------------------------------------------------ */

static void *
second_then_third (void *data)
{
  seeded_work (300);
  use_both (1, 2, 2);
  return data;
}

static void *
third_then_first (void *data)
{
  seeded_work (600);
  use_both (2, 0, 1);
  return data;
}

static void
three_locks (void)
{
  seeded_run (3, (void *(*const[]) (void *)){first_then_second, second_then_third, third_then_first});
}

/* --- A reader that wants to write keeps its reading ------------------------------------------------------------- */

static void *
upgrade (void *data)
{
  pthread_rwlock_rdlock (&crew);
  if (value == 0)
    {
      pthread_mutex_lock (&locks[0]);
      value = 1;
      pthread_mutex_unlock (&locks[0]);
    }
  pthread_rwlock_unlock (&crew);
  return data;
}

static void *
write_and_lock (void *data)
{
  seeded_work (300);
  pthread_mutex_lock (&locks[0]);
  pthread_rwlock_wrlock (&crew);
  value = 2;
  pthread_rwlock_unlock (&crew);
  pthread_mutex_unlock (&locks[0]);
  return data;
}

static void
lock_and_crew (void)
{
  seeded_run (2, (void *(*const[]) (void *)){upgrade, write_and_lock});
}

/* --- A wake-up that nobody waits for yet -------------------------------------------------------------------------- */

/* What is waited for is looked at before the lock is taken. */
static void *
wait_late (void *data)
{
  pthread_mutex_lock (&queue_lock);
  pthread_mutex_unlock (&queue_lock);
  if (!is_ready)
    {
      pthread_mutex_lock (&queue_lock);
      pthread_cond_wait (&changed, &queue_lock);
      pthread_mutex_unlock (&queue_lock);
    }
  return data;
}

static void *
make_ready (void *data)
{
  seeded_work (500);
  pthread_mutex_lock (&queue_lock);
  is_ready = 1;
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&queue_lock);
  return data;
}

static void
lost_wake_up (void)
{
  seeded_run (2, (void *(*const[]) (void *)){wait_late, make_ready});
}

/* --- One signal for two who wait for different things ------------------------------------------------------------- */

static void *
take_item (void *data)
{
  pthread_mutex_lock (&queue_lock);
  while (items == 0)
    pthread_cond_wait (&changed, &queue_lock);
  items--;
  pthread_mutex_unlock (&queue_lock);
  return data;
}

static void *
await_end (void *data)
{
  seeded_work (300);
  pthread_mutex_lock (&queue_lock);
  while (!is_over)
    pthread_cond_wait (&changed, &queue_lock);
  pthread_mutex_unlock (&queue_lock);
  return data;
}

static void *
put_item (void *data)
{
  seeded_work (600);
  pthread_mutex_lock (&queue_lock);
  items++;
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&queue_lock);
  seeded_work (300);
  pthread_mutex_lock (&queue_lock);
  is_over = 1;
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&queue_lock);
  return data;
}

static void
wrong_waiter (void)
{
  seeded_run (3, (void *(*const[]) (void *)){take_item, await_end, put_item});
}

/* --- A barrier that gathers one more than comes, if one gives up ----------------------------------------------------
 */

static void *
work_and_gather (void *data)
{
  bool gives_up;

  pthread_mutex_lock (&locks[0]);
  gives_up = is_over;
  pthread_mutex_unlock (&locks[0]);
  if (!gives_up)
    pthread_barrier_wait (&barrier);
  return data;
}

static void *
finish (void *data)
{
  seeded_work (500);
  pthread_mutex_lock (&locks[0]);
  is_over = 1;
  pthread_mutex_unlock (&locks[0]);
  pthread_barrier_wait (&barrier);
  return data;
}

static void
wrong_barrier_count (void)
{
  pthread_barrier_init (&barrier, NULL, 3);
  seeded_run (3, (void *(*const[]) (void *)){work_and_gather, work_and_gather, finish});
}

/* --- Two semaphores, in two orders ---------------------------------------------------------------------------------
 */

static void
use_tokens (int first, int second)
{
  sem_wait (&tokens[first]);
  sem_wait (&tokens[second]);
  value++;
  sem_post (&tokens[second]);
  sem_post (&tokens[first]);
}

static void *
first_token_first (void *data)
{
  use_tokens (0, 1);
  return data;
}

static void *
second_token_first (void *data)
{
  seeded_work (300);
  use_tokens (1, 0);
  return data;
}

static void
two_semaphores (void)
{
  sem_init (&tokens[0], 0, 1);
  sem_init (&tokens[1], 0, 1);
  seeded_run (2, (void *(*const[]) (void *)){first_token_first, second_token_first});
}

/* --- The end is told to as many as there are then ------------------------------------------------------------------
 */

static int waiting;

static void *
wait_for_end (void *data)
{
  pthread_mutex_lock (&locks[0]);
  waiting++;
  pthread_mutex_unlock (&locks[0]);
  sem_wait (&tokens[0]);
  return data;
}

static void *
tell_end (void *data)
{
  int n;

  seeded_work (5000);
  pthread_mutex_lock (&locks[0]);
  n = waiting;
  pthread_mutex_unlock (&locks[0]);
  for (int i = 0; i < n; i++)
    sem_post (&tokens[0]);
  return data;
}

static void
missed_signal (void)
{
  sem_init (&tokens[0], 0, 0);
  seeded_run (3, (void *(*const[]) (void *)){wait_for_end, wait_for_end, tell_end});
}

SeededProgram
seeded_find_deadlock (const char *name)
{
  static const struct
  {
    const char *name;
    SeededProgram program;
  } programs[] = {
      {"two-locks", two_locks},           {"three-locks", three_locks},
      {"lock-and-crew", lock_and_crew},   {"lost-wake-up", lost_wake_up},
      {"wrong-waiter", wrong_waiter},     {"wrong-barrier-count", wrong_barrier_count},
      {"two-semaphores", two_semaphores}, {"missed-signal", missed_signal},
  };

  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (programs[i].name, name) == 0)
      return programs[i].program;
  return NULL;
}
