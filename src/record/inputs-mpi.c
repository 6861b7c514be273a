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

/* A program may have loaded MPI itself, so that it is not behind this library. It then stays loaded. */
static void *
mpi_find_loaded_clock (void)
{
  static const char *const libraries[] = {"libmpi.so.40", "libmpich.so.12"};
  void *found = NULL;

  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && found == NULL; i++)
    {
      void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);

      found = library != NULL ? dlsym (library, "PMPI_Wtime") : NULL;
      if (library != NULL && found == NULL)
        dlclose (library);
    }
  dlerror (); /* clears the error, which the program would take for its own */
  return found;
}

static double
mpi_call_real (const char *name, void **place)
{
  void *found = __atomic_load_n (place, __ATOMIC_RELAXED);
  mpi_clock *clock;
  struct timespec now;

  if (found == NULL)
    found = lc_inputs_find (name, place);
  if (found == NULL)
    {
      found = mpi_find_loaded_clock ();
      __atomic_store_n (place, found, __ATOMIC_RELAXED);
    }
  __builtin_memcpy (&clock, &found, sizeof clock);
  if (clock != NULL)
    return clock ();
  syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* MPI reads the system's clock for it, which is then not kept by itself. What is given back needs no MPI. */
static double
mpi_time (const char *name, void **place)
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
  result = mpi_call_real (name, place);
  lc_inputs_set_inside (before);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, 0, &result, sizeof result);
  return result;
}

LC_INPUTS_EXPORT double
MPI_Wtime (void)
{
  static void *place;

  return mpi_time ("MPI_Wtime", &place);
}

LC_INPUTS_EXPORT double
PMPI_Wtime (void)
{
  static void *place;

  return mpi_time ("PMPI_Wtime", &place);
}
