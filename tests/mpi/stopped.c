/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that is stopped in collective operations, as by a busy machine: it gets its processor back long after the last
 * rank has come. `PROGRAM FOLDER`, where FOLDER is for a file that both ranks map. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum
{
  ROUNDS = 6,
  INSIDE = 3,  /* ms until the rank is inside of the operation */
  STOPPED = 40 /* ms */
};

struct shared
{
  atomic_int round; /* that rank 0 is about to begin; from 1 on */
  atomic_int pid;
};

static struct shared *shared;

static void
pause_for (long ms)
{
  const struct timespec time = {0, ms * 1000000};

  nanosleep (&time, NULL);
}

static struct shared *
map_shared (const char *folder)
{
  char path[4096];
  int file;
  void *memory;

  snprintf (path, sizeof path, "%s/shared", folder);
  file = open (path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate (file, sizeof *shared) != 0)
    exit (1);
  memory = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close (file);
  if (memory == MAP_FAILED)
    exit (1);
  return memory;
}

static int
is_stopped (pid_t pid)
{
  char path[64], line[512], *end = NULL;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/stat", (int)pid);
  file = fopen (path, "re");
  if (file == NULL)
    exit (1);
  if (fgets (line, sizeof line, file) != NULL)
    end = strrchr (line, ')');
  fclose (file);
  return end != NULL && end[2] == 'T';
}

static void *
go_on_later (void *data)
{
  pause_for (STOPPED);
  kill (atomic_load (&shared->pid), SIGCONT);
  return data;
}

/* Stops rank 0 when it has begun this round; the thread lets it go on, while this rank comes too. */
static pthread_t
stop_other (int round)
{
  pthread_t thread;

  while (atomic_load (&shared->round) < round)
    sched_yield ();
  pause_for (INSIDE);
  kill (atomic_load (&shared->pid), SIGSTOP);
  while (!is_stopped (atomic_load (&shared->pid)))
    sched_yield ();
  if (pthread_create (&thread, NULL, go_on_later, NULL) != 0)
    exit (1);
  return thread;
}

int
main (int argc, char **argv)
{
  int rank, mine = 1, all = 0;
  pthread_t thread = pthread_self ();

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  shared = map_shared (argv[1]);
  if (rank == 0)
    atomic_store (&shared->pid, (int)getpid ());
  MPI_Barrier (MPI_COMM_WORLD);
  for (int round = 1; round <= ROUNDS; round++)
    {
      if (rank == 0)
        atomic_store (&shared->round, round);
      else if (rank == 1)
        thread = stop_other (round);
      MPI_Allreduce (&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (rank == 1)
        pthread_join (thread, NULL);
    }
  if (rank == 0)
    atomic_store (&shared->round, ROUNDS + 1);
  else if (rank == 1)
    thread = stop_other (ROUNDS + 1);
  MPI_Finalize ();
  if (rank == 1)
    pthread_join (thread, NULL);
  return all == 2 ? 0 : 1;
}
