/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that have no event, but in which MPI goes on with messages: what it does there is none of the program's doing.
 */
#include "recording.h"

LC_MPI_EXPORT int
MPI_Request_get_status (MPI_Request request, int *flag, MPI_Status *status)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Request_get_status (request, flag, status);
  lc_mpi_enter_unrecorded (&call);
  result = PMPI_Request_get_status (request, flag, status);
  lc_mpi_leave (&call);
  return result;
}

LC_MPI_EXPORT int
MPI_Buffer_detach (void *buffer, int *size)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Buffer_detach (buffer, size);
  lc_mpi_enter_unrecorded (&call);
  result = PMPI_Buffer_detach (buffer, size);
  lc_mpi_leave (&call);
  return result;
}
