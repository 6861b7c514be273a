/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations with the neighbours in a ring and in a graph: messages to each of them, and from each. */
#include "expect.h"

#include <stdio.h>
#include <string.h>

enum
{
  MOST = 2,
  EACH = 3,
};

struct neighbours
{
  MPI_Comm comm;
  char name[64];
  int n_to, n_from;
  int to[MOST], from[MOST];
  int persistent; /* how many such operations there have been */
};

static int here[MOST * EACH], elsewhere[MOST * EACH], there[MOST * EACH];
static int counts[MOST] = {EACH, EACH}, starts[MOST] = {0, EACH};
static MPI_Aint bytes_at[MOST] = {0, 4 * EACH};
static MPI_Datatype types[MOST];

static void
fill (void)
{
  for (int i = 0; i < MOST * EACH; i++)
    {
      there[i] = 100 * rank + i;
      here[i] = -1;
    }
}

static void
one (const char *operation, const char *name, int from, int to, int number, const char *bytes)
{
  expect ("%s %d>%d:neighbour@%s %d%s", operation, from, to, name, number, bytes);
}

/* The messages of one call: their numbers. */
struct numbers
{
  int sent[MOST], received[MOST];
};

/* What one call is: `begun` if it did not wait. */
static struct numbers
began (const struct neighbours *neighbours, bool begun)
{
  static struct
  {
    char name[80];
    int sent, received;
  } partners[256];
  static int n_partners;
  struct numbers numbers;

  for (int i = 0; i < neighbours->n_to + neighbours->n_from; i++)
    {
      bool is_sent = i < neighbours->n_to;
      int other = is_sent ? neighbours->to[i] : neighbours->from[i - neighbours->n_to], k = 0;
      char name[80];

      snprintf (name, sizeof name, "%d@%s", other, neighbours->name);
      for (k = 0; k < n_partners && strcmp (partners[k].name, name) != 0;)
        k++;
      if (k == n_partners)
        strcpy (partners[n_partners++].name, name);
      if (is_sent)
        one ("isend", neighbours->name, rank, other, numbers.sent[i] = partners[k].sent++, " bytes=12");
      else
        one (begun ? "irecv" : "recv", neighbours->name, other, rank,
             numbers.received[i - neighbours->n_to] = partners[k].received++, begun ? "" : " bytes=12");
    }
  return numbers;
}

static void
completed (const struct neighbours *neighbours, const struct numbers *numbers, bool begun)
{
  for (int i = 0; i < neighbours->n_to; i++)
    one ("complete", neighbours->name, rank, neighbours->to[i], numbers->sent[i], "");
  for (int i = 0; begun && i < neighbours->n_from; i++)
    one ("complete", neighbours->name, neighbours->from[i], rank, numbers->received[i], "");
}

static void
happened (const struct neighbours *neighbours, bool begun)
{
  struct numbers numbers = began (neighbours, begun);

  completed (neighbours, &numbers, begun);
}

#define LIST(...) __VA_ARGS__

#ifdef INITIALISE
/* Two of them at once, which every other rank starts in another order. */
#define PERSISTENT(function, sent, ...) \
  do \
    { \
      struct neighbours own[2] = {*neighbours, *neighbours}; \
      struct numbers numbers[2]; \
      MPI_Request requests[2]; \
\
      for (int i = 0; i < 2; i++) \
        { \
          DO (INITIALISE (function) (LIST sent, i ? here : elsewhere, __VA_ARGS__, neighbours->comm, MPI_INFO_NULL, \
                                     &requests[i])); \
          name_next (&own[i], neighbours); \
        } \
      for (int round = 0; round < 3; round++) \
        { \
          fill (); \
          for (int i = 0; i < 2; i++) \
            { \
              DO (MPI_Start (&requests[i ^ rank % 2])); \
              numbers[i ^ rank % 2] = began (&own[i ^ rank % 2], true); \
            } \
          DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE)); \
          CHECK (here[2] % 100 % EACH == 2 && here[2] / 100 == neighbours->from[0]); \
          for (int i = 0; i < 2; i++) \
            completed (&own[i], &numbers[i], true); \
        } \
      DO (MPI_Request_free (&requests[0])); \
      DO (MPI_Request_free (&requests[1])); \
    } \
  while (0)

static void
name_next (struct neighbours *own, struct neighbours *neighbours)
{
  snprintf (own->name, sizeof own->name, "%.31s/persistent.%d", neighbours->name, ++neighbours->persistent);
}
#else
#define PERSISTENT(...)
#endif

#define BOTH(function, ifunction, ...) \
  do \
    { \
      MPI_Request request; \
\
      fill (); \
      DO (MPI_##function (__VA_ARGS__, neighbours->comm)); \
      CHECK (here[1] % 100 % EACH == 1 && here[1] / 100 == neighbours->from[0]); \
      happened (neighbours, false); \
      fill (); \
      DO (MPI_##ifunction (__VA_ARGS__, neighbours->comm, &request)); \
      DO (MPI_Wait (&request, MPI_STATUS_IGNORE)); \
      CHECK (here[2] % 100 % EACH == 2 && here[2] / 100 == neighbours->from[0]); \
      happened (neighbours, true); \
    } \
  while (0)

static void
exchange (struct neighbours *neighbours)
{
  BOTH (Neighbor_allgather, Ineighbor_allgather, there, EACH, MPI_INT, here, EACH, MPI_INT);
  BOTH (Neighbor_allgatherv, Ineighbor_allgatherv, there, EACH, MPI_INT, here, counts, starts, MPI_INT);
  BOTH (Neighbor_alltoall, Ineighbor_alltoall, there, EACH, MPI_INT, here, EACH, MPI_INT);
  BOTH (Neighbor_alltoallv, Ineighbor_alltoallv, there, counts, starts, MPI_INT, here, counts, starts, MPI_INT);
  BOTH (Neighbor_alltoallw, Ineighbor_alltoallw, there, counts, bytes_at, types, here, counts, bytes_at, types);
  PERSISTENT (Neighbor_allgather, (there, EACH, MPI_INT), EACH, MPI_INT);
  PERSISTENT (Neighbor_allgatherv, (there, EACH, MPI_INT), counts, starts, MPI_INT);
  PERSISTENT (Neighbor_alltoall, (there, EACH, MPI_INT), EACH, MPI_INT);
  PERSISTENT (Neighbor_alltoallv, (there, counts, starts, MPI_INT), counts, starts, MPI_INT);
  PERSISTENT (Neighbor_alltoallw, (there, counts, bytes_at, types), counts, bytes_at, types);
}

int
main (int argc, char **argv)
{
  int next, previous;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  types[0] = types[1] = MPI_INT;

  struct neighbours graph = {MPI_COMM_NULL, "world.1", 1, 1, {next}, {previous}};

  DO (MPI_Dist_graph_create_adjacent (MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &graph.comm));
  expect_collective ("world", "communicator", ranks, 0);
  exchange (&graph);
  DO (MPI_Comm_free (&graph.comm));

  struct neighbours ring = {MPI_COMM_NULL, "world.2", 2, 2, {previous, next}, {previous, next}};

  DO (MPI_Cart_create (MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring.comm));
  expect_collective ("world", "communicator", ranks, 0);
  exchange (&ring);
  DO (MPI_Comm_free (&ring.comm));

  /* At the ends of a line there is nobody on one side. */
  struct neighbours line = {MPI_COMM_NULL, "world.3", 2, 2, {previous, next}, {previous, next}};

  DO (MPI_Cart_create (MPI_COMM_WORLD, 1, &ranks, (int[]){0}, 0, &line.comm));
  expect_collective ("world", "communicator", ranks, 0);
  if (rank == 0 || rank == ranks - 1)
    {
      line.n_to = line.n_from = 1;
      line.to[0] = line.from[0] = rank == 0 ? next : previous;
    }
  fill ();
  DO (MPI_Neighbor_allgather (there, EACH, MPI_INT, here, EACH, MPI_INT, line.comm));
  CHECK (rank == 0 ? here[0] == -1 && here[EACH] == 100 * next : here[0] == 100 * previous);
  happened (&line, false);
  DO (MPI_Comm_free (&line.comm));
  result ("from %d", here[0]);
  return test_end ();
}
