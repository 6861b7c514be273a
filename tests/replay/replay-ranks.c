/* SPDX-License-Identifier: Apache-2.0 */
/* Prints in which order messages came to rank 0, and how often it asked in vain: another order in each run. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
  ROUNDS = 12,
  MOST = 32, /* ranks */
  TAGS = 3,
  LARGE = 5000, /* numbers: more than is sent before somebody takes it */
};

static int rank, ranks, large[LARGE];
static unsigned int seed;
static const char *differ;

/* Long enough for others to come before, and another time in each run. Tests in vain that come sooner after each other
 * are recorded as a wait. */
static void
linger (void)
{
  seed = seed * 1103515245 + 12345;
  usleep (20 + (seed >> 16 & 0x3ff));
}

static void
tell (const char *what, int source, int tag)
{
  printf ("%s%d.%d", what, source, tag);
}

/* Each of the others sends one message in each round, with a tag that changes. */
static void
send_all (MPI_Comm communicator, int n, const int *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      linger ();
      MPI_Send (data, n, MPI_INT, 0, (i + rank) % TAGS, communicator);
    }
}

/* --- Receives ------------------------------------------------------------------------------------------------- */

static void
take (MPI_Comm communicator)
{
  MPI_Status status;

  for (int i = 0; i < ROUNDS * (ranks - 1); i++)
    {
      MPI_Recv (large, LARGE, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
      tell (" ", status.MPI_SOURCE, status.MPI_TAG);
    }
}

static void
blind (void)
{
  if (rank == 0)
    take (MPI_COMM_WORLD);
  else
    send_all (MPI_COMM_WORLD, rank % 2 == 0 ? LARGE : 1, large);
}

/* The ranks are counted in another order there. */
static void
communicator (void)
{
  MPI_Comm turned, copy;

  MPI_Comm_split (MPI_COMM_WORLD, 0, rank == 0 ? 0 : ranks - rank, &turned);
  MPI_Comm_dup (turned, &copy);
  if (rank == 0)
    take (copy);
  else
    send_all (copy, 1, large);
  MPI_Comm_free (&copy);
  MPI_Comm_free (&turned);
}

/* All are posted before; the last of them are taken back, and what comes after goes to others. */
static void
posted (void)
{
  MPI_Request requests[MOST * 2];
  int buffers[MOST * 2], n = ranks - 1;
  MPI_Status statuses[MOST * 2];

  for (int round = 0; round < ROUNDS; round++)
    {
      if (rank == 0)
        {
          for (int i = 0; i < n + 2; i++)
            MPI_Irecv (&buffers[i], 1, MPI_INT, MPI_ANY_SOURCE, i % 2 == 0 ? MPI_ANY_TAG : 0, MPI_COMM_WORLD,
                       &requests[i]);
          MPI_Barrier (MPI_COMM_WORLD);
          MPI_Waitall (n, requests, statuses);
          for (int i = 0; i < n; i++)
            tell (" ", statuses[i].MPI_SOURCE, statuses[i].MPI_TAG);
          for (int i = n; i < n + 2; i++)
            {
              MPI_Cancel (&requests[i]);
              MPI_Wait (&requests[i], MPI_STATUS_IGNORE);
            }
        }
      else
        {
          MPI_Barrier (MPI_COMM_WORLD);
          linger ();
          MPI_Send (&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
      MPI_Barrier (MPI_COMM_WORLD);
    }
}

static void
exchange (void)
{
  MPI_Status status;
  int other = rank, next = rank + 1 < ranks ? rank + 1 : 1;

  for (int i = 0; i < ROUNDS * (rank == 0 ? ranks - 1 : 1); i++)
    if (rank == 0)
      {
        MPI_Sendrecv_replace (&other, 1, MPI_INT, i % (ranks - 1) + 1, 1, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        tell (" ", status.MPI_SOURCE, other);
      }
    else
      {
        linger ();
        MPI_Send (&next, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv (&other, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
      }
}

/* --- Probes --------------------------------------------------------------------------------------------------- */

static void
probe (void)
{
  MPI_Status status;

  if (rank != 0)
    send_all (MPI_COMM_WORLD, 1, large);
  for (int i = 0; rank == 0 && i < ROUNDS * (ranks - 1); i++)
    {
      MPI_Probe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      tell (" ", status.MPI_SOURCE, status.MPI_TAG);
      MPI_Recv (large, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void
probe_in_vain (void)
{
  MPI_Status status;

  if (rank != 0)
    send_all (MPI_COMM_WORLD, 1, large);
  for (int i = 0; rank == 0 && i < ROUNDS * (ranks - 1); i++)
    {
      int found = 0, vain = 0;

      while (MPI_Iprobe (MPI_ANY_SOURCE, i % TAGS, MPI_COMM_WORLD, &found, &status), !found)
        {
          MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
          if (found)
            break;
          vain++;
          linger ();
        }
      printf (" %d", vain);
      tell ("x", status.MPI_SOURCE, status.MPI_TAG);
      MPI_Recv (large, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void
probe_matched (void)
{
  MPI_Status status;
  MPI_Message message;

  if (rank != 0)
    send_all (MPI_COMM_WORLD, 1, large);
  for (int i = 0; rank == 0 && i < ROUNDS * (ranks - 1); i++)
    {
      int found = 0, vain = 0;

      if (i % 2 == 0)
        MPI_Mprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
      while (i % 2 != 0 &&
             (MPI_Improbe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status), !found))
        {
          vain++;
          linger ();
        }
      printf (" %d", vain);
      tell ("x", status.MPI_SOURCE, status.MPI_TAG);
      MPI_Mrecv (large, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
}

/* --- Requests ------------------------------------------------------------------------------------------------- */

/* Which requests of a call were over, as the program sees it. */
static int
some_are_over (const char *kind, int n, MPI_Request requests[], int places[], MPI_Status statuses[])
{
  int over = 0, flag = 0;

  if (strcmp (kind, "wait-any") == 0)
    flag = MPI_Waitany (n, requests, places, statuses) == MPI_SUCCESS;
  else if (strcmp (kind, "test-any") == 0)
    MPI_Testany (n, requests, places, &flag, statuses);
  else if (strcmp (kind, "wait-some") == 0)
    MPI_Waitsome (n, requests, &over, places, statuses);
  else
    MPI_Testsome (n, requests, &over, places, statuses);
  return over + flag;
}

/* Receives from all, from a certain one and from anybody in turns, and a send: whatever is over first. */
static void
several (const char *kind)
{
  MPI_Request requests[MOST + 1];
  MPI_Status statuses[MOST + 1];
  int buffers[MOST], places[MOST + 1];

  for (int round = 0; round < ROUNDS; round++)
    {
      int left = ranks, vain = 0;

      if (rank != 0)
        {
          linger ();
          MPI_Send (&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
          if (rank == 1)
            MPI_Recv (large, LARGE, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          continue;
        }
      for (int i = 1; i < ranks; i++)
        MPI_Irecv (&buffers[i], 1, MPI_INT, i % 2 == 0 ? i : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests[i]);
      MPI_Isend (large, LARGE, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
      while (left > 0)
        {
          const int n = some_are_over (kind, ranks, requests, places, statuses);

          vain += n == 0;
          left -= n;
          for (int i = 0; i < n; i++)
            printf ("%s%d", i == 0 ? " " : "+", places[i]);
          if (n == 0)
            linger ();
        }
      printf (" (%d)", vain);
    }
}

/* How often each of them was not over. */
static void
test (const char *kind)
{
  MPI_Request requests[MOST];
  MPI_Status statuses[MOST];
  int buffers[MOST];

  for (int round = 0; round < ROUNDS; round++)
    {
      int flag = 0, vain = 0;

      if (rank != 0)
        {
          linger ();
          MPI_Send (&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
      for (int i = 1; rank == 0 && i < ranks; i++)
        MPI_Irecv (&buffers[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[i]);
      for (int i = 1; rank == 0 && i < ranks; i++)
        {
          const int all = strcmp (kind, "test-all") == 0;

          while (all ? MPI_Testall (ranks - 1, requests + 1, &flag, statuses)
                     : MPI_Test (&requests[i], &flag, MPI_STATUS_IGNORE),
                 !flag)
            {
              vain++;
              linger ();
            }
          printf (" %d/%d", buffers[i], vain);
          if (all)
            break;
        }
      MPI_Ibarrier (MPI_COMM_WORLD, &requests[0]);
      while (MPI_Test (&requests[0], &flag, MPI_STATUS_IGNORE), !flag)
        {
          vain++;
          linger ();
        }
      if (rank == 0)
        printf (" [%d]", vain);
    }
}

/* A request that is begun anew takes another message each time. */
static void
persistent (void)
{
  MPI_Request requests[2];
  MPI_Status statuses[2];

  if (rank != 0)
    {
      send_all (MPI_COMM_WORLD, 1, &rank);
      send_all (MPI_COMM_WORLD, 1, &rank);
      return;
    }
  MPI_Recv_init (&large[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init (&large[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < ROUNDS * (ranks - 1); i++)
    {
      MPI_Startall (2, requests);
      MPI_Waitall (2, requests, statuses);
      tell (" ", statuses[0].MPI_SOURCE, statuses[0].MPI_TAG);
      tell (" ", statuses[1].MPI_SOURCE, large[1]);
    }
  MPI_Request_free (&requests[0]);
  MPI_Request_free (&requests[1]);
}

/* --- Differences ---------------------------------------------------------------------------------------------- */

static int
is_asked_for (const char *difference)
{
  return differ != NULL && strcmp (differ, difference) == 0;
}

/* The ranks do something else if DIFFER says so. */
static void
differing (void)
{
  int number = 0, tag = is_asked_for ("tag") ? 8 : 7;

  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 1 && is_asked_for ("operation"))
    MPI_Bcast (&number, 1, MPI_INT, 0, MPI_COMM_SELF);
  if (rank == 1)
    MPI_Send (&number, 1, MPI_INT, is_asked_for ("partner") ? 1 : 0, tag, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv (&number, 1, MPI_INT, is_asked_for ("source") ? 2 : MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              MPI_STATUS_IGNORE);
  if (rank == 1 && is_asked_for ("end"))
    exit (0);
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    printf ("end");
}

/* One rank lets all be ended, which are at different places then. */
static void
aborting (void)
{
  int number = rank;

  if (rank == 1)
    MPI_Recv (&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 2)
    MPI_Ssend (&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Abort (MPI_COMM_WORLD, 3);
  MPI_Barrier (MPI_COMM_WORLD);
}

/* What one rank has needs calls of others that are not in the past of it: a broadcast goes by way of some, and a long
 * message is sent when it is taken. */
static void
needing (void)
{
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  int number = rank;

  MPI_Bcast (large, LARGE, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 3)
    MPI_Send (&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv (&number, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (&rank, 1, MPI_INT, next, 2, &number, 1, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1)
    {
      MPI_Ssend (&number, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
      MPI_Send (large, LARGE, MPI_INT, 2, 4, MPI_COMM_WORLD);
      MPI_Send (&number, 1, MPI_INT, 3, 5, MPI_COMM_WORLD);
    }
  if (rank == 2)
    {
      MPI_Recv (&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (large, LARGE, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  if (rank == 3)
    MPI_Recv (&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    printf ("end");
}

/* Asks for the end of what a window is open for, and between that for a message that never comes. */
static int
count_vain_tests (MPI_Win window)
{
  int done = 0, found, vain = 0;

  while (MPI_Win_test (window, &done), !done)
    {
      MPI_Iprobe (MPI_ANY_SOURCE, TAGS, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
      vain++;
      linger ();
    }
  return vain;
}

/* Each rank writes to the next one, and lets the one before write. */
static void
windows (void)
{
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Group world, origins, targets;
  MPI_Win window;
  static int memory[ROUNDS];

  MPI_Win_create (memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group (MPI_COMM_WORLD, &world);
  MPI_Group_incl (world, 1, &before, &origins);
  MPI_Group_incl (world, 1, &next, &targets);
  for (int i = 0; i < ROUNDS; i++)
    {
      const int number = 100 * rank + i;

      linger ();
      MPI_Win_post (origins, 0, window);
      linger ();
      MPI_Win_start (targets, 0, window);
      MPI_Put (&number, 1, MPI_INT, next, i, 1, MPI_INT, window);
      linger ();
      MPI_Win_complete (window);
      if (i % 2 == 0)
        MPI_Win_wait (window);
      else if (rank == 0)
        printf (" %d", count_vain_tests (window));
      else
        count_vain_tests (window);
      if (rank == 0)
        printf (":%d", memory[i]);
    }
  MPI_Group_free (&origins);
  MPI_Group_free (&targets);
  MPI_Group_free (&world);
  MPI_Win_free (&window);
}

/* Rank 0 waits for what nobody sends, until it is killed, and the others for it. */
static void
waiting (void)
{
  int number;

  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0 && !is_asked_for ("patience"))
    alarm (1);
  if (rank == 0)
    MPI_Recv (&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier (MPI_COMM_WORLD);
}

/* --- All of them ---------------------------------------------------------------------------------------------- */

static const struct kind
{
  const char *name;
  void (*run) (void);
  void (*run_kind) (const char *kind);
  bool is_apart;
} kinds[] = {
    {"blind", .run = blind},
    {"communicator", .run = communicator},
    {"posted", .run = posted},
    {"exchange", .run = exchange},
    {"probe", .run = probe},
    {"probe-in-vain", .run = probe_in_vain},
    {"probe-matched", .run = probe_matched},
    {"persistent", .run = persistent},
    {"wait-any", .run_kind = several},
    {"wait-some", .run_kind = several},
    {"test-any", .run_kind = several},
    {"test-some", .run_kind = several},
    {"test", .run_kind = test},
    {"test-all", .run_kind = test},
    {"differing", .run = differing, .is_apart = true},
    {"aborting", .run = aborting, .is_apart = true},
    {"needing", .run = needing, .is_apart = true},
    {"waiting", .run = waiting, .is_apart = true},
    {"windows", .run = windows, .is_apart = true},
};

/* None of them may take messages of another. */
static void
run (const struct kind *kind)
{
  if (rank == 0)
    printf ("%s:", kind->name);
  if (kind->run != NULL)
    kind->run ();
  else
    kind->run_kind (kind->name);
  if (rank == 0)
    printf ("\n");
  MPI_Barrier (MPI_COMM_WORLD);
}

int
main (int argc, char **argv)
{
  const char *wanted = argc > 1 ? argv[1] : "";
  struct timespec now;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  clock_gettime (CLOCK_REALTIME, &now);
  seed = (unsigned int)now.tv_nsec + (unsigned int)getpid ();
  differ = getenv ("DIFFER");
  if (ranks < 3 || ranks > MOST)
    return 2;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp (wanted, kinds[i].name) == 0 || (strcmp (wanted, "all") == 0 && !kinds[i].is_apart))
      run (&kinds[i]);
  if (rank == 1 && is_asked_for ("more"))
    MPI_Barrier (MPI_COMM_SELF);
  MPI_Finalize ();
  return 0;
}
