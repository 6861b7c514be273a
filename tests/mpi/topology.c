/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in a grid and in graphs: communicators with a topology. */
#include "expect.h"

#include <stdlib.h>

enum
{
  TAG = 2
};

/* To the right along one dimension. */
static void
shift (MPI_Comm grid, const char *name, int dimension)
{
  struct message sent, came;
  int from, to;

  DO (MPI_Cart_shift (grid, dimension, 1, &from, &to));
  sent = to == MPI_PROC_NULL ? (struct message){0} : message_on (name, to, TAG);
  DO (MPI_Sendrecv (&sent, MESSAGE, to, TAG, &came, MESSAGE, from, TAG, grid, MPI_STATUS_IGNORE));
  if (to != MPI_PROC_NULL)
    expect_on (name, from != MPI_PROC_NULL ? "isend" : "send", &sent, false);
  if (from != MPI_PROC_NULL)
    {
      CHECK (is_from (&came, from, TAG));
      expect_on (name, "recv", &came, false);
    }
  if (to != MPI_PROC_NULL && from != MPI_PROC_NULL)
    expect_on (name, "complete", &sent, false);
}

static void
grid (void)
{
  int dims[2] = {0, 0}, periods[2] = {0, 0}, where[2], remain[2] = {0, 1}, size;
  MPI_Comm grid, row;

  DO (MPI_Dims_create (ranks, 2, dims));
  DO (MPI_Cart_create (MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
  expect_collective ("world", "communicator", ranks, 0);
  DO (MPI_Cart_coords (grid, rank, 2, where));
  shift (grid, "world.1", 0);
  shift (grid, "world.1", 1);
  DO (MPI_Cart_sub (grid, remain, &row));
  expect_collective ("world.1", "communicator", ranks, 0);
  DO (MPI_Comm_size (row, &size));
  CHECK (size == dims[1]);
  DO (MPI_Barrier (row));
  expect_barrier (where[0] == 0 ? "world.1.1/r0" : "world.1.1/r*", size);
  DO (MPI_Comm_free (&row));
  DO (MPI_Comm_free (&grid));
  result ("grid %d x %d", dims[0], dims[1]);
}

static void
ring (void)
{
  MPI_Comm ring;

  DO (MPI_Cart_create (MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring));
  expect_collective ("world", "communicator", ranks, 0);
  shift (ring, "world.2", 0);
  DO (MPI_Comm_free (&ring));

  /* One that not all are in. */
  DO (MPI_Cart_create (MPI_COMM_WORLD, 1, (int[]){ranks - 1}, (int[]){1}, 0, &ring));
  expect_collective ("world", "communicator", ranks, 0);
  CHECK ((ring == MPI_COMM_NULL) == (rank == ranks - 1));
  if (ring != MPI_COMM_NULL)
    {
      shift (ring, "world.3", 0);
      DO (MPI_Comm_free (&ring));
    }
}

static void
graphs (void)
{
  int *index = malloc (sizeof *index * (size_t)ranks), *edges = malloc (sizeof *edges * (size_t)ranks);
  int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks, one = 1;
  MPI_Comm graph;

  CHECK (index != NULL && edges != NULL);
  for (int i = 0; i < ranks; i++)
    {
      index[i] = i + 1;
      edges[i] = (i + 1) % ranks;
    }
  DO (MPI_Graph_create (MPI_COMM_WORLD, ranks, index, edges, 0, &graph));
  expect_collective ("world", "communicator", ranks, 0);
  DO (MPI_Barrier (graph));
  expect_barrier ("world.4", ranks);
  DO (MPI_Comm_free (&graph));
  free (index);
  free (edges);

  DO (MPI_Dist_graph_create (MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
  expect_collective ("world", "communicator", ranks, 0);
  DO (MPI_Barrier (graph));
  expect_barrier ("world.5", ranks);
  DO (MPI_Comm_free (&graph));

  DO (MPI_Dist_graph_create_adjacent (MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &graph));
  expect_collective ("world", "communicator", ranks, 0);
  DO (MPI_Barrier (graph));
  expect_barrier ("world.6", ranks);
  DO (MPI_Comm_free (&graph));
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  grid ();
  ring ();
  graphs ();
  return test_end ();
}
