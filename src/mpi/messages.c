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

void
lc_sending_number (struct lc_sending *sending, int to, int tag)
{
  struct lc_communicator *communicator = sending->communicator;

  sending->channel = lc_channel_find (communicator, communicator->me, lc_communicator_partner (communicator, to), tag);
  sending->sequence = sending->channel != NULL ? sending->channel->sent++ : 0;
}

bool
lc_sending_begin (struct lc_sending *sending, MPI_Comm handle, int to, int tag)
{
  sending->communicator = lc_mpi_enter_message (&sending->call, handle, to);
  if (sending->communicator == NULL)
    return false;
  lc_mpi_lock ();
  lc_sending_number (sending, to, tag);
  return true;
}

/* Gives the number back, unless another thread has sent on the channel meanwhile. */
void
lc_sending_failed (struct lc_sending *sending)
{
  if (sending->channel != NULL && sending->channel->sent == sending->sequence + 1)
    sending->channel->sent--;
}
