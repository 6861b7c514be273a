/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations with a request: begins non-blocking ones, and initialises persistent ones, which begin when
 * they are started. Their end is written when the request is found complete. */
#include "collective.h"

#define WRAP(function, parameters, arguments, description) \
  LC_MPI_EXPORT int MPI_##function (LC_LIST parameters, MPI_Comm comm, MPI_Request *request) \
  { \
    struct lc_collective collective; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function (LC_LIST arguments, comm, request); \
    lc_collective_enter (&collective, comm); \
    description; \
    result = PMPI_##function (LC_LIST arguments, comm, request); \
    lc_collective_begun (&collective, result, request, NULL); \
    return result; \
  }

#define BEGINNING(name, lower, parameters, arguments, description) WRAP (I##lower, parameters, arguments, description)
LC_COLLECTIVES (BEGINNING, int, int)

#if MPI_VERSION >= 4
#define BEGINNING_LARGE(name, lower, parameters, arguments, description) \
  WRAP (I##lower##_c, parameters, arguments, description)
LC_COLLECTIVES (BEGINNING_LARGE, MPI_Count, MPI_Aint)
#endif

LC_MPI_EXPORT int
MPI_Ibarrier (MPI_Comm comm, MPI_Request *request)
{
  struct lc_collective collective;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Ibarrier (comm, request);
  lc_collective_enter (&collective, comm);
  lc_collective_of_all (&collective, LC_BARRIER, NULL, LC_NOTHING, LC_NOTHING);
  result = PMPI_Ibarrier (comm, request);
  lc_collective_begun (&collective, result, request, NULL);
  return result;
}

#ifdef LC_PERSISTENT
#define WRAP_PERSISTENT(function, parameters, arguments, description) \
  LC_MPI_EXPORT int LC_PERSISTENT (function) (LC_LIST parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request) \
  { \
    struct lc_collective collective; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return LC_PERSISTENT_OF_MPI (function) (LC_LIST arguments, comm, info, request); \
    lc_collective_enter_persistent (&collective, comm); \
    description; \
    result = LC_PERSISTENT_OF_MPI (function) (LC_LIST arguments, comm, info, request); \
    lc_collective_initialised (&collective, result, request); \
    return result; \
  }

#define INITIALISING(name, lower, parameters, arguments, description) \
  WRAP_PERSISTENT (name##_init, parameters, arguments, description)
LC_COLLECTIVES (INITIALISING, int, int)

#if MPI_VERSION >= 4
#define INITIALISING_LARGE(name, lower, parameters, arguments, description) \
  WRAP_PERSISTENT (name##_init_c, parameters, arguments, description)
LC_COLLECTIVES (INITIALISING_LARGE, MPI_Count, MPI_Aint)
#endif

LC_MPI_EXPORT int
LC_PERSISTENT (Barrier_init) (MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
  struct lc_collective collective;
  int result;

  if (!lc_mpi_is_on ())
    return LC_PERSISTENT_OF_MPI (Barrier_init) (comm, info, request);
  lc_collective_enter_persistent (&collective, comm);
  lc_collective_of_all (&collective, LC_BARRIER, NULL, LC_NOTHING, LC_NOTHING);
  result = LC_PERSISTENT_OF_MPI (Barrier_init) (comm, info, request);
  lc_collective_initialised (&collective, result, request);
  return result;
}
#endif
