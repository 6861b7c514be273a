/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what the threads of each rank and the messages between ranks have done, in order: another one in each run. */
#include <linux/futex.h>
#include <mpi.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum
{
  THREADS = 3,
  ROUNDS = 10,
  MOST = 1000, /* notes of a rank */
};

static int rank, ranks;
static const char *differ;
static int never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static MPI_Comm copies[THREADS];
static int notes[MOST], n_notes, turns, total;
#ifdef _OPENMP
static int n_told;
#endif

/* Long enough for others to come before, and another time in each run. */
static void
linger (unsigned int *seed)
{
  *seed = *seed * 1103515245 + 12345;
  usleep (20 + (*seed >> 16 & 0x1ff));
}

static unsigned int
new_seed (int number)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return (unsigned int)now.tv_nsec + 7919 * (unsigned int)getpid () + (unsigned int)number;
}

static bool
is_asked_for (const char *difference, int which)
{
  return differ != NULL && strcmp (differ, difference) == 0 && rank == which;
}

/* Returns how many notes there were before. */
static int
note (int what)
{
  int before;

  pthread_mutex_lock (&mutex);
  before = n_notes;
  if (n_notes < MOST)
    notes[n_notes++] = what;
  pthread_mutex_unlock (&mutex);
  return before;
}

/* --- Threads that compute while the first one calls MPI -------------------------------------------------------- */

static void
come (void)
{
  pthread_mutex_lock (&mutex);
  turns++;
  pthread_cond_signal (&condition);
  pthread_mutex_unlock (&mutex);
}

static void *
work (void *data)
{
  const int number = *(int *)data;
  unsigned int seed = new_seed (number);

  pthread_barrier_wait (&barrier);
  for (int i = 0; i < ROUNDS; i++)
    {
      linger (&seed);
      if (number == 2 && i == 4 && is_asked_for ("object", 1))
        {
          pthread_mutex_lock (&other);
          pthread_mutex_unlock (&other);
        }
      if (number == 3 && i == 4 && is_asked_for ("stay", 1))
        syscall (SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
      note (number);
      come ();
      if (number == 1 && i == 5 && is_asked_for ("leave", 1))
        break;
    }
  return NULL;
}

/* Waits until somebody has come since the last time: how many have is chance. */
static int
take_turns (void)
{
  int taken;

  pthread_mutex_lock (&mutex);
  while (turns == 0 && n_notes < THREADS * ROUNDS)
    pthread_cond_wait (&condition, &mutex);
  taken = turns;
  turns = 0;
  pthread_mutex_unlock (&mutex);
  return taken;
}

static void
talk (void)
{
  unsigned int seed = new_seed (0);
  MPI_Status status;
  int number = 0;

  if (rank == 0)
    for (int i = 0; i < ROUNDS * (ranks - 1); i++)
      {
        MPI_Recv (&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        note (1000 * status.MPI_SOURCE + number);
      }
  else
    for (int i = 0; i < ROUNDS; i++)
      {
        linger (&seed);
        number = take_turns ();
        if (i == 3 && is_asked_for ("message", 1))
          MPI_Barrier (MPI_COMM_SELF);
        MPI_Send (&number, 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD);
      }
  MPI_Allreduce (&n_notes, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void
run_threads (void *(*routine) (void *), void (*first) (void))
{
  pthread_t workers[THREADS];
  int numbers[THREADS];

  pthread_barrier_init (&barrier, NULL, THREADS + 1);
  for (int i = 0; i < THREADS; i++)
    {
      numbers[i] = i + 1;
      pthread_create (&workers[i], NULL, routine, &numbers[i]);
    }
  pthread_barrier_wait (&barrier);
  first ();
  for (int i = 0; i < THREADS; i++)
    pthread_join (workers[i], NULL);
  pthread_barrier_destroy (&barrier);
}

static void
threads (void)
{
  run_threads (work, talk);
}

/* A thread lets all be ended, which are at different places then. */
static void *
work_and_abort (void *data)
{
  work (data);
  if (rank == 1 && *(int *)data == 2)
    MPI_Abort (MPI_COMM_WORLD, 3);
  return NULL;
}

static void
aborting (void)
{
  run_threads (work_and_abort, talk);
}

/* --- The same with OpenMP -------------------------------------------------------------------------------------- */

#ifdef _OPENMP
static void
openmp (void)
{
#pragma omp parallel num_threads(THREADS + 1)
  {
    const int me = omp_get_thread_num ();
    unsigned int seed = new_seed (me);

#pragma omp master
    talk ();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < THREADS * ROUNDS; i++)
      {
        linger (&seed);
#pragma omp critical
        n_told++;
        note (100 * me + i);
        come ();
      }
#pragma omp single
    for (int i = 0; i < ROUNDS; i++)
#pragma omp task firstprivate(i)
      {
        unsigned int own = new_seed (i);

        linger (&own);
        note (10000 + 100 * omp_get_thread_num () + i);
      }
  }
}
#endif

/* --- Threads that all call MPI --------------------------------------------------------------------------------- */

/* One at a time, for they hold a mutex. */
static void *
take_turns_in_mpi (void *data)
{
  const int me = *(int *)data;
  unsigned int seed = new_seed (me);

  pthread_barrier_wait (&barrier);
  for (int i = 0; i < ROUNDS * (rank == 0 ? ranks - 1 : 1); i++)
    {
      int number = 0;
      MPI_Status status;

      linger (&seed);
      pthread_mutex_lock (&other);
      if (rank == 0)
        {
          MPI_Recv (&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
          note (10000 * status.MPI_SOURCE + number);
        }
      else
        {
          number = 100 * me + note (me);
          MPI_Send (&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
      pthread_mutex_unlock (&other);
    }
  return NULL;
}

static void
nothing (void)
{
}

static void
serialized (void)
{
  run_threads (take_turns_in_mpi, nothing);
}

/* All at once. */
static void *
rush_into_mpi (void *data)
{
  const int me = *(int *)data;
  unsigned int seed = new_seed (me);

  pthread_barrier_wait (&barrier);
  for (int i = 0; i < ROUNDS * (rank == 0 ? ranks - 1 : 1); i++)
    {
      int number = 0;
      MPI_Status status;
      MPI_Request request;

      linger (&seed);
      if (rank != 0)
        {
          number = 100 * me + note (me);
          MPI_Send (&number, 1, MPI_INT, 0, me == 2 && i == 4 && is_asked_for ("tag", 1), MPI_COMM_WORLD);
          continue;
        }
      if (i % 3 == 0)
        {
          MPI_Irecv (&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
          MPI_Wait (&request, &status);
        }
      else
        MPI_Recv (&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      note (100000 * me + 10000 * status.MPI_SOURCE + number);
    }
  return NULL;
}

static void
multiple (void)
{
  run_threads (rush_into_mpi, nothing);
}

static void
exchange (int me, int next, int before, unsigned int *seed)
{
  int number = me, sum = 0, found = 0, vain = 0;

  MPI_Sendrecv (&number, 1, MPI_INT, next, 1, &sum, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  note (1000 + sum);
  MPI_Allreduce (&number, &sum, 1, MPI_INT, MPI_SUM, copies[me - 1]);
  MPI_Send (&sum, 1, MPI_INT, next, 10 + me, MPI_COMM_WORLD);
  while (MPI_Iprobe (before, 10 + me, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE), !found)
    {
      vain++;
      linger (seed);
    }
  MPI_Recv (&number, 1, MPI_INT, before, 10 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  note (2000 + 10 * number + vain);
}

static void
take_any (int me, int next, int before)
{
  MPI_Request requests[2];
  MPI_Message message;
  MPI_Status status;
  int numbers[2], place, number = 0;

  for (int i = 0; i < 2; i++)
    MPI_Irecv (&numbers[i], 1, MPI_INT, MPI_ANY_SOURCE, 2 + i, MPI_COMM_WORLD, &requests[i]);
  MPI_Send (&me, 1, MPI_INT, next, 2 + me % 2, MPI_COMM_WORLD);
  MPI_Send (&me, 1, MPI_INT, before, 3 - me % 2, MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++)
    {
      MPI_Waitany (2, requests, &place, &status);
      note (10000 + 1000 * place + 100 * status.MPI_SOURCE + numbers[place]);
    }
  MPI_Send (&me, 1, MPI_INT, rank, 4, MPI_COMM_WORLD);
  MPI_Mprobe (MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv (&number, 1, MPI_INT, &message, &status);
  note (20000 + number);
}

/* The threads of all ranks come to the same calls, in any order. */
static void *
call_all_of_mpi (void *data)
{
  const int me = *(int *)data, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  unsigned int seed = new_seed (me);

  pthread_barrier_wait (&barrier);
  for (int i = 0; i < ROUNDS; i++)
    {
      linger (&seed);
      exchange (me, next, before, &seed);
      take_any (me, next, before);
    }
  return NULL;
}

static void
mixture (void)
{
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_dup (MPI_COMM_WORLD, &copies[i]);
  run_threads (call_all_of_mpi, nothing);
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_free (&copies[i]);
}

/* --- All ------------------------------------------------------------------------------------------------------- */

/* The ranks print one after the other. */
static void
print (const char *kind)
{
  int length = n_notes;
  MPI_Status status;

  if (rank != 0)
    {
      MPI_Send (&length, 1, MPI_INT, 0, 100, MPI_COMM_WORLD);
      MPI_Send (notes, length, MPI_INT, 0, 101, MPI_COMM_WORLD);
      return;
    }
  for (int i = 0; i < ranks; i++)
    {
      if (i > 0)
        {
          MPI_Recv (&length, 1, MPI_INT, i, 100, MPI_COMM_WORLD, &status);
          MPI_Recv (notes, MOST, MPI_INT, i, 101, MPI_COMM_WORLD, &status);
        }
      printf ("%s %d:", kind, i);
      for (int k = 0; k < length; k++)
        printf (" %d", notes[k]);
      printf ("\n");
    }
}

int
main (int argc, char **argv)
{
  static const char *const many[] = {"aborting", "multiple", "mixture"};
  const char *kind = argc > 1 ? argv[1] : "";
  int wanted = MPI_THREAD_SERIALIZED, provided;

  for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
    if (strcmp (kind, many[i]) == 0)
      wanted = MPI_THREAD_MULTIPLE;
  MPI_Init_thread (&argc, &argv, wanted, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  differ = getenv ("DIFFER");
  if (strcmp (kind, "threads") == 0)
    threads ();
  else if (strcmp (kind, "aborting") == 0)
    aborting ();
  else if (strcmp (kind, "serialized") == 0)
    serialized ();
  else if (strcmp (kind, "multiple") == 0)
    multiple ();
  else if (strcmp (kind, "mixture") == 0)
    mixture ();
#ifdef _OPENMP
  else if (strcmp (kind, "openmp") == 0)
    openmp ();
#endif
  else
    return 2;
  print (kind);
  MPI_Finalize ();
  return 0;
}
