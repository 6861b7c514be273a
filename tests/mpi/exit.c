/* SPDX-License-Identifier: Apache-2.0 */
/* What is called at exit: the program's own handlers, and one that MPI_Init leaves behind as its libraries do. */
#include "expect.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void
take (int number)
{
  /* So often that each is known by it. */
  for (int i = 0; i <= number; i++)
    {
      pthread_mutex_lock (&mutexes[number]);
      pthread_mutex_unlock (&mutexes[number]);
    }
}

static void
registered_before (void)
{
  take (0);
}

static void
registered_by_mpi (void)
{
  take (1);
}

static void
registered_after (void)
{
  take (2);
}

/* Comes before the library's own. */
int
PMPI_Init (int *argc, char ***argv)
{
  int (*real) (int *argc, char ***argv) = (int (*) (int *, char ***))dlsym (RTLD_NEXT, "PMPI_Init");

  CHECK (atexit (registered_by_mpi) == 0);
  return real (argc, argv);
}

int
main (int argc, char **argv)
{
  CHECK (atexit (registered_before) == 0);
  CHECK (MPI_Init (&argc, &argv) == MPI_SUCCESS);
  CHECK (atexit (registered_after) == 0);
  CHECK (MPI_Finalize () == MPI_SUCCESS);
  return 0;
}
