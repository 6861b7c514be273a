/* SPDX-License-Identifier: Apache-2.0 */
/* A receiver that is late, for short messages and for such as no implementation of MPI puts into a buffer. */
#include <unistd.h>

#include "expect.h"

enum
{
  SMALL = 8,
  LARGE = 1 << 20,
  LATE = 100000 /* us */
};

static const int sizes[] = {SMALL, LARGE, LARGE, SMALL};
static unsigned char bytes[LARGE];

static void
pass_on (int number)
{
  const int size = sizes[number];

  if (rank == 0)
    {
      DO (MPI_Send (bytes, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD));
      expect ("send 0>1:1 %d bytes=%d", number, size);
      return;
    }
  if (size == LARGE)
    usleep (LATE);
  DO (MPI_Recv (bytes, size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (bytes[size - 1] == number);
  expect ("recv 0>1:1 %d bytes=%d", number, size);
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  for (int i = 0; i < 4; i++)
    {
      if (rank == 0)
        bytes[sizes[i] - 1] = (unsigned char)i;
      pass_on (i);
    }
  result ("good");
  return test_end ();
}
