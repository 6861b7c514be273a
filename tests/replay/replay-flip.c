/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads and one lock: how the program ends depends on who has it first. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t first_comes = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t crew = PTHREAD_RWLOCK_INITIALIZER;
static sem_t done;
static atomic_int is_over;
static int winner, version;

/* Comes when the other one is through, or after a second. */
static void
come_later (void)
{
  const struct timespec pause = {0, 5000000};

  for (int i = 0; i < 200 && !atomic_load (&is_over); i++)
    nanosleep (&pause, NULL);
}

static void
come (int who)
{
  pthread_mutex_lock (&first_comes);
  if (winner == 0)
    winner = who;
  pthread_mutex_unlock (&first_comes);
}

static void *
come_first (void *data)
{
  come (1);
  atomic_store (&is_over, 1);
  sem_post (&done);
  return data;
}

static void *
come_second (void *data)
{
  come_later ();
  come (2);
  return data;
}

/* That the other one is through is known by the semaphore. */
static void *
come_after (void *data)
{
  sem_wait (&done);
  come (2);
  return data;
}

static void *
write_first (void *data)
{
  pthread_rwlock_wrlock (&crew);
  version = 1;
  pthread_rwlock_unlock (&crew);
  atomic_store (&is_over, 1);
  return data;
}

static void *
read_second (void *data)
{
  come_later ();
  pthread_rwlock_rdlock (&crew);
  winner = version == 0 ? 2 : 1;
  pthread_rwlock_unlock (&crew);
  return data;
}

int
main (int argc, char **argv)
{
  void *(*second) (void *) = come_second, *(*first) (void *) = come_first;
  pthread_t threads[2];

  sem_init (&done, 0, 0);
  if (argc == 2 && strcmp (argv[1], "after") == 0)
    second = come_after;
  if (argc == 2 && strcmp (argv[1], "crew") == 0)
    {
      first = write_first;
      second = read_second;
    }
  pthread_create (&threads[0], NULL, first, NULL);
  pthread_create (&threads[1], NULL, second, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  printf ("%d came first\n", winner);
  return winner == 1 ? 0 : 3;
}
