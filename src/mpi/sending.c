/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the messages that this rank sends. */
#include "steer.h"

void
lc_sending_number (struct lc_sending *sending, int to, int tag)
{
  struct lc_communicator *communicator = sending->communicator;

  sending->channel = lc_channel_find (communicator, communicator->me, lc_communicator_partner (communicator, to), tag);
  if (sending->channel != NULL)
    lc_steer_send (sending->channel, 0);
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
