/* SPDX-License-Identifier: Apache-2.0 */
/* The only rank of its world, with or without mpirun. */
#include "expect.h"

enum
{
  TAG = 1
};

int
main (int argc, char **argv)
{
  struct message sent, came;
  int sum, one = 1;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  CHECK (rank == 0 && ranks == 1);
  for (int i = 0; i < 3; i++)
    {
      sent = message_to (0, TAG);
      DO (MPI_Sendrecv (&sent, MESSAGE, 0, TAG, &came, MESSAGE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK (is_from (&came, 0, TAG) && came.number == i);
      expect_message ("isend", &sent);
      expect_message ("recv", &came);
      expect_message ("complete", &sent);
    }
  DO (MPI_Allreduce (&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  expect_collective ("world", "all-reduce", 1, 4);
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", 1);
  result ("sum %d", sum);
  return test_end ();
}
