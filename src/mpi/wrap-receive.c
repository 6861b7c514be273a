/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_Recv, MPI_Irecv, and the receiving of messages that MPI_Mprobe has found. */
#include "steer.h"

struct receiving
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator;
  struct lc_receive *receive; /* set if there are several threads */
  MPI_Status own_status;
  uint8_t flags;
};

static bool
wrap_receive_begin (struct receiving *receiving, MPI_Comm handle, int *source, int *tag)
{
  struct lc_channel *channel = NULL;
  struct lc_communicator *communicator = lc_mpi_enter_message (&receiving->call, handle, *source);
  const int asked_source = *source, asked_tag = *tag;

  if (communicator == NULL)
    return false;
  receiving->communicator = communicator;
  receiving->receive = NULL;
  receiving->flags = *source == MPI_ANY_SOURCE ? LC_EVENT_BLIND : 0;
  lc_mpi_lock ();
  lc_steer_receive (communicator, LC_RECV, 0, source, tag);
  if (*source != MPI_ANY_SOURCE && *tag != MPI_ANY_TAG)
    channel = lc_channel_find (communicator, lc_communicator_partner (communicator, *source), communicator->me, *tag);
  lc_mpi_block (&receiving->call, LC_RECV, channel != NULL ? channel->object : 0,
                channel != NULL && channel->first == NULL ? channel->received : 0);
  if (lc_mpi_is_threaded)
    receiving->receive = lc_receive_post (communicator, *source, *tag);
  else
    lc_steer_await (handle, asked_source, asked_tag, source, tag);
  return true;
}

/* With several threads, the receive was posted with the tables locked; here they are unlocked, and it is waited for. */
static int
wrap_receive_wait_for (struct receiving *receiving, int result, MPI_Request *request, MPI_Status *status)
{
  if (result != MPI_SUCCESS && receiving->receive != NULL)
    {
      lc_receive_drop (receiving->receive);
      lc_receive_release (receiving->receive);
      receiving->receive = NULL;
    }
  lc_mpi_unlock ();
  return result == MPI_SUCCESS ? PMPI_Wait (request, status) : result;
}

/* Tells whether the receive has taken a message; in both cases later receives need not wait for this one any more. */
static void
wrap_receive_settle (struct receiving *receiving, bool is_taken, const MPI_Status *status, struct lc_finished *event)
{
  struct lc_receive *receive = receiving->receive;

  if (!lc_mpi_is_threaded)
    {
      if (is_taken)
        lc_receive_at_once (receiving->communicator, status, event);
      return;
    }
  if (receive == NULL)
    return;
  if (is_taken)
    lc_receive_match (receive, status);
  else
    lc_receive_drop (receive);
  lc_receive_tell (receive, event);
  lc_receive_release (receive);
}

static int
wrap_receive_end (struct receiving *receiving, int result, const MPI_Status *status)
{
  struct lc_finished event = {.operation = LC_RECV, .flags = receiving->flags};

  lc_mpi_leave (&receiving->call);
  lc_mpi_lock ();
  wrap_receive_settle (receiving, result == MPI_SUCCESS || lc_mpi_is_truncated (result), status, &event);
  lc_mpi_unlock ();
  if (result != MPI_SUCCESS)
    {
      lc_mpi_hooks->unblock ();
      return result;
    }
  event.bytes = lc_mpi_received (status);
  lc_mpi_append (&receiving->call, &event);
  return result;
}

#define RECEIVE(name, immediate, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int source, int tag, \
                                MPI_Comm communicator, MPI_Status *status) \
  { \
    struct receiving receiving; \
    MPI_Request request; \
    int result; \
\
    if (!wrap_receive_begin (&receiving, communicator, &source, &tag)) \
      return lc_mpi_pass (&receiving.call, PMPI_##name (buffer, count, type, source, tag, communicator, status)); \
    if (status == MPI_STATUS_IGNORE) \
      status = &receiving.own_status; \
    if (lc_mpi_is_threaded) \
      result = wrap_receive_wait_for ( \
          &receiving, PMPI_##immediate (buffer, count, type, source, tag, communicator, &request), &request, status); \
    else \
      result = PMPI_##name (buffer, count, type, source, tag, communicator, status); \
    return wrap_receive_end (&receiving, result, status); \
  }

RECEIVE (Recv, Irecv, int)

/* --- Non-blocking receives ----------------------------------------------------------------------------------- */

/* What never took a message when it was recorded is posted where none comes. */
static void
wrap_receive_post_nowhere (struct receiving *receiving, MPI_Comm *handle, int *source, int *tag)
{
  *handle = lc_steer_nowhere ();
  *source = *tag = 0;
  receiving->receive = lc_receive_post (receiving->communicator, 0, LC_STEER_NO_TAG);
}

static bool
begin_immediate (struct receiving *receiving, MPI_Comm *handle, int *source, int *tag)
{
  receiving->communicator = lc_mpi_enter_message (&receiving->call, *handle, *source);
  if (receiving->communicator == NULL)
    return false;
  lc_mpi_lock ();
  if (lc_steer_receive (receiving->communicator, LC_IRECV, 0, source, tag))
    wrap_receive_post_nowhere (receiving, handle, source, tag);
  else
    receiving->receive = lc_receive_post (receiving->communicator, *source, *tag);
  return true;
}

/* Unlocks the tables, which were locked until the call has returned. */
static int
wrap_receive_end_immediate (struct receiving *receiving, int result, uint64_t bytes, const MPI_Request *handle)
{
  struct lc_finished event = {.operation = LC_IRECV, .bytes = bytes};
  struct lc_receive *receive = receiving->receive;
  struct lc_request *request = result == MPI_SUCCESS ? lc_request_add (*handle) : NULL;

  if (receive != NULL)
    lc_receive_tell (receive, &event);
  if (request != NULL)
    request->receive = receive;
  else if (receive != NULL)
    {
      if (result != MPI_SUCCESS)
        lc_receive_drop (receive);
      lc_receive_release (receive);
    }
  lc_mpi_unlock ();
  lc_mpi_leave (&receiving->call);
  if (result == MPI_SUCCESS)
    lc_mpi_append (&receiving->call, &event);
  return result;
}

#define IMMEDIATE_RECEIVE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int source, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    struct receiving receiving; \
    int result; \
\
    if (!begin_immediate (&receiving, &communicator, &source, &tag)) \
      { \
        result = PMPI_##name (buffer, count, type, source, tag, communicator, request); \
        return lc_request_pass (&receiving.call, result, request); \
      } \
    result = PMPI_##name (buffer, count, type, source, tag, communicator, request); \
    lc_mpi_stamp_local (&receiving.call); \
    return wrap_receive_end_immediate (&receiving, result, lc_mpi_bytes (count, type), request); \
  }

IMMEDIATE_RECEIVE (Irecv, int)

/* --- Matched receives ---------------------------------------------------------------------------------------- */

/* FALSE: nothing is known of the message; then end the call with lc_mpi_pass. */
static bool
begin_matched (struct receiving *receiving, MPI_Message message)
{
  struct lc_request *found;

  if (!lc_mpi_enter_if_on (&receiving->call))
    return false;
  lc_mpi_lock ();
  found = lc_message_take (message);
  receiving->receive = found != NULL ? found->receive : NULL;
  if (found == NULL)
    {
      lc_mpi_unlock ();
      return false;
    }
  found->receive = NULL;
  lc_request_forget (found);
  return true;
}

static int
end_matched (struct receiving *receiving, int result, const MPI_Status *status)
{
  struct lc_finished event = {.operation = LC_RECV};

  lc_mpi_leave (&receiving->call);
  lc_mpi_lock ();
  if (receiving->receive != NULL)
    {
      lc_receive_tell (receiving->receive, &event);
      lc_receive_release (receiving->receive);
    }
  lc_mpi_unlock ();
  if (result != MPI_SUCCESS)
    return result;
  event.bytes = lc_mpi_received (status);
  lc_mpi_append (&receiving->call, &event);
  return result;
}

#define RECEIVE_MATCHED(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, MPI_Message *message, \
                                MPI_Status *status) \
  { \
    struct receiving receiving; \
    int result; \
\
    if (!begin_matched (&receiving, *message)) \
      return lc_mpi_pass (&receiving.call, PMPI_##name (buffer, count, type, message, status)); \
    lc_mpi_unlock (); \
    if (status == MPI_STATUS_IGNORE) \
      status = &receiving.own_status; \
    result = PMPI_##name (buffer, count, type, message, status); \
    return end_matched (&receiving, result, status); \
  }

#define IMMEDIATE_RECEIVE_MATCHED(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, MPI_Message *message, \
                                MPI_Request *request) \
  { \
    struct receiving receiving; \
    int result; \
\
    if (!begin_matched (&receiving, *message)) \
      { \
        result = PMPI_##name (buffer, count, type, message, request); \
        return lc_request_pass (&receiving.call, result, request); \
      } \
    result = PMPI_##name (buffer, count, type, message, request); \
    lc_mpi_stamp_local (&receiving.call); \
    return wrap_receive_end_immediate (&receiving, result, lc_mpi_bytes (count, type), request); \
  }

RECEIVE_MATCHED (Mrecv, int)
IMMEDIATE_RECEIVE_MATCHED (Imrecv, int)

#if MPI_VERSION >= 4
RECEIVE (Recv_c, Irecv_c, MPI_Count)
IMMEDIATE_RECEIVE (Irecv_c, MPI_Count)
RECEIVE_MATCHED (Mrecv_c, MPI_Count)
IMMEDIATE_RECEIVE_MATCHED (Imrecv_c, MPI_Count)
#endif
