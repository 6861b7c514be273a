/* SPDX-License-Identifier: Apache-2.0 */
/* Blocking collective operations, numbered in the order of their communicator. */
#include "collective.h"

#define WRAP(function, parameters, arguments, description) \
  LC_MPI_EXPORT int MPI_##function (LC_LIST parameters, MPI_Comm comm) \
  { \
    struct lc_collective collective; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function (LC_LIST arguments, comm); \
    lc_collective_enter (&collective, comm); \
    description; \
    lc_collective_block (&collective); \
    result = PMPI_##function (LC_LIST arguments, comm); \
    lc_collective_leave (&collective, result); \
    return result; \
  }

#define BLOCKING(name, lower, parameters, arguments, description) WRAP (name, parameters, arguments, description)
LC_COLLECTIVES (BLOCKING, int, int)

#if MPI_VERSION >= 4
#define BLOCKING_LARGE(name, lower, parameters, arguments, description) \
  WRAP (name##_c, parameters, arguments, description)
LC_COLLECTIVES (BLOCKING_LARGE, MPI_Count, MPI_Aint)
#endif

/* Barriers have a class of their own, and so a count of their own. */
LC_MPI_EXPORT int
MPI_Barrier (MPI_Comm comm)
{
  struct lc_communicator *communicator;
  struct lc_mpi_call call;
  uint64_t number = 0;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Barrier (comm);
  lc_mpi_enter (&call);
  communicator = lc_communicator_use (&call, comm);
  if (communicator)
    {
      number = communicator->barriers++;
      lc_mpi_block (&call, LC_BARRIER, communicator->barrier, number);
    }
  result = PMPI_Barrier (comm);
  lc_mpi_leave (&call);
  if (communicator && result != MPI_SUCCESS)
    {
      communicator->barriers--;
      lc_mpi_hooks->unblock ();
    }
  else if (communicator)
    lc_mpi_append (&call, &(struct lc_finished){.operation = LC_BARRIER,
                                                .object = communicator->barrier,
                                                .sequence = number,
                                                .value = communicator->members});
  return result;
}
