/* SPDX-License-Identifier: Apache-2.0 */
/* Non-blocking collective operations: their begin; what finds their request complete writes their end. */
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
