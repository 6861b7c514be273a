/* SPDX-License-Identifier: Apache-2.0 */
/* One rank ends in the middle: `abort FOLDER kill|abort|exit|barrier`; what was recorded of all until then can be read.
 */
#include "expect.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  MESSAGES = 100,
  TAG = 1,
  TIME = 300000, /* us, until all others have come out */
};

/* Comes before the library's own: the last rank is killed in it when all have come. */
int
PMPI_Barrier (MPI_Comm communicator)
{
  int (*real) (MPI_Comm communicator) = (int (*) (MPI_Comm))dlsym (RTLD_NEXT, "PMPI_Barrier");
  int result = real (communicator);

  if (rank == ranks - 1)
    {
      usleep (TIME);
      raise (SIGKILL);
    }
  return result;
}

static void
end (const char *how)
{
  if (strcmp (how, "kill") == 0)
    raise (SIGKILL);
  else if (strcmp (how, "abort") == 0)
    MPI_Abort (MPI_COMM_WORLD, 5);
  else
    _exit (6);
}

int
main (int argc, char **argv)
{
  int word = 0, last;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks);
  CHECK (argc == 3);
  last = ranks - 1;
  for (int i = 0; i < MESSAGES; i++)
    {
      if (rank == 0)
        MPI_Ssend (&i, 1, MPI_INT, last, TAG, MPI_COMM_WORLD);
      else if (rank == last)
        MPI_Recv (&word, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  if (strcmp (argv[2], "barrier") == 0)
    MPI_Barrier (MPI_COMM_WORLD);
  else if (rank == last)
    end (argv[2]);

  /* It never comes. */
  MPI_Recv (&word, 1, MPI_INT, last, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize ();
  return 0;
}
