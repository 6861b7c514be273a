/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the wrappers of point-to-point functions. */
#include "messages.h"

bool
lc_mpi_is_truncated (int result)
{
  int class = MPI_SUCCESS;

  return result != MPI_SUCCESS && PMPI_Error_class (result, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE;
}

struct lc_communicator *
lc_mpi_enter_message (struct lc_mpi_call *call, MPI_Comm handle, int partner)
{
  struct lc_communicator *communicator;

  if (!lc_mpi_enter_if_on (call) || partner == MPI_PROC_NULL)
    return NULL;
  communicator = lc_communicator_use (call, handle);
  if (communicator != NULL && partner != MPI_ANY_SOURCE &&
      lc_communicator_partner (communicator, partner) == LC_NO_PROCESS)
    return NULL;
  return communicator;
}
