/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI that print what they get from outside: the time, random numbers, their numbers and standard input. */
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum
{
  THREADS = 2,
  ROUNDS = 5,
  ROOM = 4096,
  LARGE = 1 << 22, /* which the C library maps */
};

static int rank, ranks;
static const char *differ;
static char text[ROOM];
static char parts[THREADS][ROOM];

static void __attribute__ ((format (printf, 2, 3))) note (char *to, const char *format, ...)
{
  const size_t length = strlen (to);
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (to + length, ROOM - length, format, arguments);
  va_end (arguments);
}

static bool
differs (const char *how)
{
  return rank == 1 && differ != NULL && strcmp (differ, how) == 0;
}

static double
system_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static unsigned int
random_number (size_t bytes)
{
  unsigned int numbers[2] = {0, 0};

  return getrandom (numbers, bytes, 0) == (ssize_t)bytes ? numbers[0] ^ numbers[1] : 0;
}

/* --- What a rank does ------------------------------------------------------------------------------------------ */

/* What MPI asks for itself, in its calls, is no input of the program. */
static void
use_mpi (void)
{
  char name[MPI_MAX_PROCESSOR_NAME];
  int flag, length, sum, came = 0, me = rank;
  char *large = malloc (LARGE);
  MPI_Request request;

  MPI_Get_processor_name (name, &length);
  memset (large, 1, LARGE);
  MPI_Irecv (&came, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
  MPI_Request_get_status (request, &flag, MPI_STATUS_IGNORE);
  MPI_Send (&me, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  MPI_Allreduce (&came, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast (large, LARGE, MPI_CHAR, 0, MPI_COMM_WORLD);
  free (large);
}

static void
ask (char *to)
{
  note (to, " %.9f", system_time ());
  note (to, " %ld", (long)time (NULL));
  note (to, " %08x", random_number (differs ("random") ? 8 : 4));
  note (to, " %.9f", MPI_Wtime ());
  note (to, " %.9f", PMPI_Wtime ());
  if (differs ("call"))
    note (to, " %d", (int)getpid ());
}

static void *
work (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      ask (data);
      if (data == parts[1] && differs ("thread"))
        note (data, " %d", (int)getpid ());
    }
  return NULL;
}

static void
ask_with_threads (void)
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, parts[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    note (text, " thread%s", parts[i]);
}

/* --- All of them ----------------------------------------------------------------------------------------------- */

static void
read_input (void)
{
  char line[80];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = '\0';
      note (text, " <%s>", line);
    }
}

static void
print_all (void)
{
  char *all = rank == 0 ? malloc ((size_t)ranks * ROOM) : NULL;

  MPI_Gather (text, ROOM, MPI_CHAR, all, ROOM, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; i++)
    printf ("%s\n", all + (size_t)i * ROOM);
  free (all);
}

int
main (int argc, char **argv)
{
  const bool has_threads = argc > 1 && strcmp (argv[1], "threads") == 0;
  int provided;

  differ = getenv ("DIFFER");
  note (text, "%.9f", system_time ());
  MPI_Init_thread (&argc, &argv, has_threads ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  note (text, " rank %d: %d", rank, (int)getpid ());
  if (rank == 0)
    read_input ();
  for (int i = 0; i < ROUNDS; i++)
    {
      ask (text);
      use_mpi ();
    }
  if (has_threads)
    ask_with_threads ();
  if (differs ("more"))
    note (text, " %.9f", MPI_Wtime ());
  print_all ();
  MPI_Finalize ();
  if (rank == 0)
    printf ("%.9f\n", system_time ());
  if (!differs ("less"))
    random_number (4);
  if (differs ("last"))
    random_number (4);
  return 0;
}
