/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations of the world, each with every root; with -DNON_BLOCKING those that are begun and waited for,
   with -DPERSISTENT those that are initialised, and then started and waited for. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each persistent one is an object of its own. */
static char object[64] = "world";

/* What a call is, and what has to be recorded of it. */
#ifdef PERSISTENT
#define NON_BLOCKING
#define BOTH(name, lower, ...) \
  do \
    { \
      MPI_Request request; \
\
      DO (INITIALISE (name) (__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, &request)); \
      name_next (); \
      DO (MPI_Start (&request)); \
      DO (MPI_Wait (&request, MPI_STATUS_IGNORE)); \
      CHECK (request != MPI_REQUEST_NULL); \
      DO (MPI_Wait (&request, MPI_STATUS_IGNORE)); \
      DO (MPI_Request_free (&request)); \
    } \
  while (0)

static void
name_next (void)
{
  static int n;

  snprintf (object, sizeof object, "world/persistent.%d", ++n);
}
#elif defined NON_BLOCKING
#define BOTH(name, lower, ...) \
  do \
    { \
      MPI_Request request; \
\
      DO (MPI_I##lower (__VA_ARGS__, MPI_COMM_WORLD, &request)); \
      DO (MPI_Wait (&request, MPI_STATUS_IGNORE)); \
    } \
  while (0)
#else
#define BOTH(name, lower, ...) DO (MPI_##name (__VA_ARGS__, MPI_COMM_WORLD))
#endif

enum
{
  EACH = 3
};

static int *here, *there;    /* EACH for each rank */
static int *counts, *starts; /* i + 1 for rank i */
static int *bytes_at;        /* where they start, in bytes */
static int total;            /* their sum */
static MPI_Datatype *types;  /* MPI_INT for each rank */

static void
happened (const char *operation, const char *finish, long bytes)
{
#ifdef NON_BLOCKING
  char begin[64] = "i";
  int number = expect_collective (object, strcat (begin, operation), ranks, bytes);

  expect_finish (object, finish, number, ranks, bytes);
#else
  (void)finish;
  expect_collective (object, operation, ranks, bytes);
#endif
}

static void
rooted (int root, const char *at_root, const char *finish_root, const char *other, const char *finish_other, long bytes)
{
  if (rank == root)
    happened (at_root, finish_root, bytes);
  else
    happened (other, finish_other, bytes);
}

static void
fill (void)
{
  for (int i = 0; i < total || i < EACH * ranks; i++)
    there[i] = 1000 * rank + i;
  for (int i = 0; i < total || i < EACH * ranks; i++)
    here[i] = -1;
}

static void
from_root (int root)
{
  for (int i = 0; i < EACH; i++)
    here[i] = rank == root ? 7 * root + i : -1;
  BOTH (Bcast, bcast, here, EACH, MPI_INT, root);
  CHECK (here[0] == 7 * root && here[EACH - 1] == 7 * root + EACH - 1);
  rooted (root, "broadcast-root", "finish-local", "broadcast-recv", "finish-from-root", 4 * EACH);

  fill ();
  BOTH (Scatter, scatter, there, EACH, MPI_INT, here, EACH, MPI_INT, root);
  CHECK (here[EACH - 1] == 1000 * root + EACH * rank + EACH - 1);
  rooted (root, "scatter-root", "finish-local", "scatter", "finish-from-root", 4 * EACH);

  fill ();
  BOTH (Scatterv, scatterv, there, counts, starts, MPI_INT, here, rank + 1, MPI_INT, root);
  CHECK (here[rank] == 1000 * root + starts[rank] + rank);
  rooted (root, "scatter-root", "finish-local", "scatter", "finish-from-root",
          rank == root ? 4 * ((total + ranks - 1) / ranks) : 4 * (rank + 1));
}

static void
to_root (int root)
{
  int sum = ranks * (ranks - 1) / 2;

  fill ();
  BOTH (Gather, gather, there, EACH, MPI_INT, here, EACH, MPI_INT, root);
  CHECK (rank != root || here[EACH * ranks - 1] == 1000 * (ranks - 1) + EACH - 1);
  rooted (root, "gather-root", "finish-at-root", "gather", "finish-local", 4 * EACH);

  fill ();
  BOTH (Gatherv, gatherv, there, rank + 1, MPI_INT, here, counts, starts, MPI_INT, root);
  CHECK (rank != root || here[total - 1] == 1000 * (ranks - 1) + ranks - 1);
  rooted (root, "gather-root", "finish-at-root", "gather", "finish-local",
          rank == root ? 4 * ((total + ranks - 1) / ranks) : 4 * (rank + 1));

  fill ();
  BOTH (Reduce, reduce, there, here, EACH, MPI_INT, MPI_SUM, root);
  CHECK (rank != root || here[1] == 1000 * sum + ranks);
  rooted (root, "reduce-root", "finish-at-root", "reduce", "finish-local", 4 * EACH);

  fill ();
  BOTH (Reduce, reduce, rank == root ? MPI_IN_PLACE : there, there, EACH, MPI_INT, MPI_SUM, root);
  CHECK (rank != root || there[1] == 1000 * sum + ranks);
  rooted (root, "reduce-root", "finish-at-root", "reduce", "finish-local", 4 * EACH);
}

/* Only the last one needs what all have: whom the others have waited for is not known. */
static void
scanned (void)
{
  if (rank == ranks - 1)
    happened ("scan", "finish-all", 4 * EACH);
  else
#ifdef NON_BLOCKING
    happened ("scan", "finish-local", 4 * EACH);
#else
    {
      expect_unseen ("world");
      expect ("scan world * value=%d bytes=%d", ranks, 4 * EACH);
    }
#endif
}

static void
of_sums (void)
{
  int sum = ranks * (ranks - 1) / 2;

  fill ();
  BOTH (Allreduce, allreduce, there, here, EACH, MPI_INT, MPI_SUM);
  CHECK (here[2] == 1000 * sum + 2 * ranks);
  happened ("all-reduce", "finish-all", 4 * EACH);
  BOTH (Allreduce, allreduce, MPI_IN_PLACE, there, EACH, MPI_INT, MPI_SUM);
  CHECK (there[2] == here[2]);
  happened ("all-reduce", "finish-all", 4 * EACH);
  result ("sum %d", here[2]);

  fill ();
  BOTH (Reduce_scatter, reduce_scatter, there, here, counts, MPI_INT, MPI_SUM);
  CHECK (here[rank] == 1000 * sum + ranks * (starts[rank] + rank));
  happened ("reduce-scatter", "finish-all", 4 * ((total + ranks - 1) / ranks));

  fill ();
  BOTH (Reduce_scatter_block, reduce_scatter_block, there, here, EACH, MPI_INT, MPI_SUM);
  CHECK (here[0] == 1000 * sum + ranks * EACH * rank);
  happened ("reduce-scatter", "finish-all", 4 * EACH);

  fill ();
  BOTH (Scan, scan, there, here, EACH, MPI_INT, MPI_SUM);
  CHECK (here[0] == 1000 * (rank * (rank + 1) / 2));
  scanned ();

  fill ();
  BOTH (Exscan, exscan, there, here, EACH, MPI_INT, MPI_SUM);
  CHECK (rank == 0 || here[0] == 1000 * (rank * (rank - 1) / 2));
  scanned ();
}

static void
of_all (void)
{
  fill ();
  BOTH (Allgather, allgather, there, EACH, MPI_INT, here, EACH, MPI_INT);
  CHECK (here[EACH * ranks - 1] == 1000 * (ranks - 1) + EACH - 1);
  happened ("all-gather", "finish-all", 4 * EACH);

  fill ();
  BOTH (Allgatherv, allgatherv, there, rank + 1, MPI_INT, here, counts, starts, MPI_INT);
  CHECK (here[total - 1] == 1000 * (ranks - 1) + ranks - 1);
  happened ("all-gather", "finish-all", 4 * (rank + 1));

  fill ();
  BOTH (Alltoall, alltoall, there, EACH, MPI_INT, here, EACH, MPI_INT);
  CHECK (here[EACH * (ranks - 1)] == 1000 * (ranks - 1) + EACH * rank);
  happened ("all-to-all", "finish-all", 4 * EACH);

  /* rank + 1 to each, of which i + 1 come from rank i */
  int *to_each = malloc (sizeof *to_each * (size_t)ranks), *zero = calloc ((size_t)ranks, sizeof *zero);

  CHECK (to_each != NULL && zero != NULL);
  for (int i = 0; i < ranks; i++)
    to_each[i] = rank + 1;
  fill ();
  BOTH (Alltoallv, alltoallv, there, to_each, zero, MPI_INT, here, counts, starts, MPI_INT);
  CHECK (here[total - 1] == 1000 * (ranks - 1) + ranks - 1);
  happened ("all-to-all", "finish-all", 4 * (rank + 1));

  fill ();
  BOTH (Alltoallw, alltoallw, there, to_each, zero, types, here, counts, bytes_at, types);
  CHECK (here[total - 1] == 1000 * (ranks - 1) + ranks - 1);
  happened ("all-to-all", "finish-all", 4 * (rank + 1));
  free (to_each);
  free (zero);
}

static void
meet (void)
{
#ifdef PERSISTENT
  MPI_Request request;

  DO (INITIALISE (Barrier) (MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  name_next ();
  DO (MPI_Start (&request));
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  DO (MPI_Request_free (&request));
  happened ("barrier", "finish-all", 0);
#elif defined NON_BLOCKING
  MPI_Request request;

  DO (MPI_Ibarrier (MPI_COMM_WORLD, &request));
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  happened ("barrier", "finish-all", 0);
#else
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
#endif
}

#ifdef PERSISTENT
enum
{
  SEVERAL = 3,
  ROUNDS = 4,
};

static const struct
{
  const char *at_root, *finish_root, *other, *finish_other;
  long bytes;
} kinds[SEVERAL] = {
    {"ibarrier", "finish-all", "ibarrier", "finish-all", 0},
    {"iall-reduce", "finish-all", "iall-reduce", "finish-all", 4},
    {"ibroadcast-root", "finish-local", "ibroadcast-recv", "finish-from-root", 4},
};

static int
one_of (char names[SEVERAL][64], int which, bool is_begin, int number)
{
  const char *begin = rank == 0 ? kinds[which].at_root : kinds[which].other;
  const char *finish = rank == 0 ? kinds[which].finish_root : kinds[which].finish_other;

  if (is_begin)
    return expect_collective (names[which], begin, ranks, kinds[which].bytes);
  expect_finish (names[which], finish, number, ranks, kinds[which].bytes);
  return number;
}

/* Several at once, which are started in another order by every other rank, and not all of them in each round; between
   them, others that are not persistent. */
static void
overlap (void)
{
  int value = 0, sum = 0, root = 0, other = rank, numbers[SEVERAL], done = 0;
  MPI_Request requests[SEVERAL];
  char names[SEVERAL][64];

  DO (INITIALISE (Barrier) (MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  DO (INITIALISE (Allreduce) (&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  DO (INITIALISE (Bcast) (&root, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]));
  for (int i = 0; i < SEVERAL; i++)
    {
      name_next ();
      strcpy (names[i], object);
    }
  for (int round = 0; round < ROUNDS; round++)
    {
      value = rank + round;
      root = rank == 0 ? 17 + round : -1;
      if (round == 1)
        DO (MPI_Startall (SEVERAL, requests));
      for (int i = 0; i < SEVERAL; i++)
        {
          int which = round != 1 && rank % 2 == 1 ? SEVERAL - 1 - i : i;

          if (round != 1)
            DO (MPI_Start (&requests[which]));
          numbers[which] = one_of (names, which, true, 0);
        }
      DO (MPI_Bcast (&other, 1, MPI_INT, 0, MPI_COMM_WORLD));
      expect_collective ("world", rank == 0 ? "broadcast-root" : "broadcast-recv", ranks, 4);
      for (done = 0; !done;)
        DO (MPI_Test (&requests[2], &done, MPI_STATUS_IGNORE));
      one_of (names, 2, false, numbers[2]);
      DO (MPI_Waitall (SEVERAL, requests, MPI_STATUSES_IGNORE));
      one_of (names, 0, false, numbers[0]);
      one_of (names, 1, false, numbers[1]);
      CHECK (sum == ranks * (ranks - 1) / 2 + ranks * round && root == 17 + round && other == 0);
    }
  for (int i = 0; i < SEVERAL; i++)
    DO (MPI_Request_free (&requests[i]));
}
#elif defined NON_BLOCKING
/* Several at once, found complete in other orders, by tests and together with messages. */
static void
overlap (void)
{
  struct message sent = message_to ((rank + 1) % ranks, 1), came;
  int previous = (rank + ranks - 1) % ranks, value = rank, sum, root = rank == 0 ? 17 : -1;
  int barrier, reduction, broadcast, line, done = 0;
  MPI_Request requests[5];

  DO (MPI_Ibarrier (MPI_COMM_WORLD, &requests[0]));
  barrier = expect_collective ("world", "ibarrier", ranks, 0);
  DO (MPI_Irecv (&came, MESSAGE, previous, 1, MPI_COMM_WORLD, &requests[1]));
  line = expect_later ();
  DO (MPI_Iallreduce (&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]));
  reduction = expect_collective ("world", "iall-reduce", ranks, 4);
  DO (MPI_Isend (&sent, MESSAGE, sent.to, 1, MPI_COMM_WORLD, &requests[3]));
  expect_message ("isend", &sent);
  DO (MPI_Ibcast (&root, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[4]));
  broadcast = expect_collective ("world", rank == 0 ? "ibroadcast-root" : "ibroadcast-recv", ranks, 4);

  while (!done)
    DO (MPI_Test (&requests[4], &done, MPI_STATUS_IGNORE));
  expect_finish ("world", rank == 0 ? "finish-local" : "finish-from-root", broadcast, ranks, 4);
  DO (MPI_Waitall (4, requests, MPI_STATUSES_IGNORE));
  CHECK (sum == ranks * (ranks - 1) / 2 && root == 17 && is_from (&came, previous, 1));
  expect_finish ("world", "finish-all", barrier, ranks, 0);
  expect_received (line, &came);
  expect_finish ("world", "finish-all", reduction, ranks, 4);
  expect_message ("complete", &sent);
}
#endif

static void
prepare (void)
{
  size_t n = (size_t)(ranks * (ranks + EACH));

  here = malloc (sizeof *here * n);
  there = malloc (sizeof *there * n);
  counts = malloc (sizeof *counts * (size_t)ranks);
  starts = malloc (sizeof *starts * (size_t)ranks);
  types = malloc (sizeof (MPI_Datatype) * (size_t)ranks);
  bytes_at = malloc (sizeof *bytes_at * (size_t)ranks);
  CHECK (here && there && counts && starts && types && bytes_at);
  for (size_t i = 0; i < n; i++)
    there[i] = here[i] = 0;
  for (int i = 0; i < ranks; i++)
    {
      starts[i] = total;
      bytes_at[i] = 4 * total;
      counts[i] = i + 1;
      types[i] = MPI_INT;
      total += counts[i];
    }
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  prepare ();
  meet ();
  for (int root = 0; root < ranks && root < 4; root++)
    {
      from_root (root);
      to_root (root);
      of_sums ();
      of_all ();
    }
#ifdef NON_BLOCKING
  overlap ();
#endif
  meet ();
  free (here);
  free (there);
  free (counts);
  free (starts);
  free (types);
  free (bytes_at);
  return test_end ();
}
