/* SPDX-License-Identifier: Apache-2.0 */
/* The time of MPI. Fortran's MPI_WTIME calls one of these. */
#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inputs.h"

double MPI_Wtime (void);
double PMPI_Wtime (void);

typedef double mpi_clock (void);

/* A program may have loaded MPI itself, so that it is not behind this library. */
static mpi_clock *
mpi_find_loaded_clock (void)
{
  static const char *const libraries[] = {"libmpi.so.40", "libmpich.so.12"};
  mpi_clock *clock = NULL;

  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && clock == NULL; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);
      void *found = library != NULL ? dlsym (library, "PMPI_Wtime") : NULL;

      __builtin_memcpy (&clock, &found, sizeof clock);
      if (library != NULL)
        dlclose (library);
    }
  dlerror (); /* clears the error, which the program would take for its own */
  return clock;
}

static double
mpi_call_real (mpi_clock *clock)
{
  struct timespec now;

  if (clock == NULL)
    clock = mpi_find_loaded_clock ();
  if (clock != NULL)
    return clock ();
  syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* MPI reads the system's clock for it, which is then not kept by itself. */
static double
mpi_time (mpi_clock *real)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_MPI_TIME, -1, 0);
  double result = 0;
  bool before;

  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, &result, sizeof result);
      lc_inputs_result (&call);
      return result;
    }
  before = lc_inputs_set_inside (true);
  result = mpi_call_real (real);
  lc_inputs_set_inside (before);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, 0, &result, sizeof result);
  return result;
}

LC_INPUTS_EXPORT double
MPI_Wtime (void)
{
  return mpi_time (LC_INPUTS_REAL (MPI_Wtime));
}

LC_INPUTS_EXPORT double
PMPI_Wtime (void)
{
  return mpi_time (LC_INPUTS_REAL (PMPI_Wtime));
}
