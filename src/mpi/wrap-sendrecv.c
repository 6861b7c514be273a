/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_Sendrecv and the like: a message that is sent, one that is received, and the end of both. */
#include "steer.h"

struct exchange
{
  struct lc_sending sending; /* its communicator is NULL if nothing is sent */
  struct lc_mpi_call *call;
  struct lc_communicator *communicator; /* NULL if nothing is received */
  struct lc_receive *receive;           /* if there are several threads, or the call does not wait */
  MPI_Status own_status;
  uint8_t flags;
};

/*
 * Locks the tables. FALSE: there is nothing to record; then end the call with lc_mpi_pass. Either side may be
 * MPI_PROC_NULL. `is_posted`: the receive is posted before the call, as others may be posted during it, or it goes on
 * after the call.
 */
static bool
wrap_sendrecv_begin (struct exchange *exchange, MPI_Comm handle, int to, int send_tag, int *source, int *tag,
                     uint16_t operation, bool is_posted)
{
  struct lc_mpi_call *call = &exchange->sending.call;
  struct lc_communicator *communicator = lc_mpi_enter_message (call, handle, to != MPI_PROC_NULL ? to : *source);

  if (communicator == NULL)
    return false;
  exchange->call = call;
  exchange->sending.communicator = to != MPI_PROC_NULL ? communicator : NULL;
  exchange->communicator = *source != MPI_PROC_NULL ? communicator : NULL;
  exchange->flags = *source == MPI_ANY_SOURCE ? LC_EVENT_BLIND : 0;
  exchange->receive = NULL;
  lc_mpi_lock ();
  if (to != MPI_PROC_NULL)
    lc_sending_number (&exchange->sending, to, send_tag);
  if (exchange->communicator != NULL)
    lc_steer_receive (communicator, operation, to != MPI_PROC_NULL, source, tag);
  if (exchange->communicator != NULL && is_posted)
    exchange->receive = lc_receive_post (communicator, *source, *tag);
  return true;
}

/* An exchange sends first, so it is noted as waiting for the receive. */
static void
wrap_sendrecv_block (struct exchange *exchange)
{
  if (exchange->communicator != NULL)
    lc_mpi_block (exchange->call, LC_RECV, 0, 0);
  else if (exchange->sending.channel != NULL)
    lc_mpi_block (exchange->call, LC_SEND, exchange->sending.channel->object, exchange->sending.sequence);
}

static void
wrap_sendrecv_settle (struct exchange *exchange, int result, const MPI_Status *status, struct lc_finished *event)
{
  bool is_taken = result == MPI_SUCCESS || lc_mpi_is_truncated (result);

  if (exchange->sending.communicator != NULL && !is_taken)
    lc_sending_failed (&exchange->sending);
  if (exchange->communicator == NULL)
    return;
  if (!lc_mpi_is_threaded)
    {
      if (is_taken)
        lc_receive_at_once (exchange->communicator, status, event);
      return;
    }
  if (exchange->receive == NULL)
    return;
  if (is_taken)
    lc_receive_match (exchange->receive, status);
  else
    lc_receive_drop (exchange->receive);
  lc_receive_tell (exchange->receive, event);
  lc_receive_release (exchange->receive);
}

static void
append_sent (struct exchange *exchange, uint16_t operation, uint64_t bytes, uint64_t begin, uint64_t end)
{
  const struct lc_channel *channel = exchange->sending.channel;

  lc_mpi_append (exchange->call, &(struct lc_finished){.operation = operation,
                                                       .object = channel != NULL ? channel->object : 0,
                                                       .sequence = exchange->sending.sequence,
                                                       .bytes = bytes,
                                                       .begin = begin,
                                                       .end = end});
}

static int
wrap_sendrecv_end (struct exchange *exchange, int result, const MPI_Status *status, uint64_t bytes)
{
  struct lc_finished received = {.operation = LC_RECV, .flags = exchange->flags};
  struct lc_mpi_call *call = exchange->call;
  bool sends = exchange->sending.communicator != NULL;

  lc_mpi_leave (call);
  lc_mpi_lock ();
  wrap_sendrecv_settle (exchange, result, status, &received);
  lc_mpi_unlock ();
  lc_mpi_hooks->unblock ();
  if (result != MPI_SUCCESS)
    return result;
  if (exchange->communicator == NULL)
    {
      append_sent (exchange, LC_SEND, bytes, call->begin, call->end);
      return result;
    }
  if (sends)
    append_sent (exchange, LC_ISEND, bytes, call->begin, call->begin);
  received.bytes = lc_mpi_received (status);
  lc_mpi_append (call, &received);
  if (sends)
    append_sent (exchange, LC_COMPLETE, bytes, call->end, call->end);
  return result;
}

/* Unlocks the tables, with which both messages were posted, and waits for them if `result` is MPI_SUCCESS. */
static int
wrap_sendrecv_wait_for (MPI_Request *sent, MPI_Request *received, int result, MPI_Status *status)
{
  int sent_result;

  lc_mpi_unlock ();
  if (result != MPI_SUCCESS)
    return result;
  result = PMPI_Wait (received, status);
  sent_result = PMPI_Wait (sent, MPI_STATUS_IGNORE);
  return result != MPI_SUCCESS ? result : sent_result;
}

#define EXCHANGE(name, send, receive, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *out, Count n_out, MPI_Datatype out_type, int to, int send_tag, void *in, \
                                Count n_in, MPI_Datatype in_type, int source, int tag, MPI_Comm communicator, \
                                MPI_Status *status) \
  { \
    struct exchange exchange; \
    MPI_Request requests[2]; \
    int result; \
\
    if (!wrap_sendrecv_begin (&exchange, communicator, to, send_tag, &source, &tag, LC_RECV, lc_mpi_is_threaded)) \
      return lc_mpi_pass (&exchange.sending.call, PMPI_##name (out, n_out, out_type, to, send_tag, in, n_in, in_type, \
                                                               source, tag, communicator, status)); \
    wrap_sendrecv_block (&exchange); \
    if (status == MPI_STATUS_IGNORE) \
      status = &exchange.own_status; \
    if (lc_mpi_is_threaded) \
      { \
        result = PMPI_##receive (in, n_in, in_type, source, tag, communicator, &requests[1]); \
        if (result == MPI_SUCCESS) \
          result = PMPI_##send (out, n_out, out_type, to, send_tag, communicator, &requests[0]); \
        result = wrap_sendrecv_wait_for (&requests[0], &requests[1], result, status); \
      } \
    else \
      result = PMPI_##name (out, n_out, out_type, to, send_tag, in, n_in, in_type, source, tag, communicator, status); \
    return wrap_sendrecv_end (&exchange, result, status, lc_mpi_bytes (n_out, out_type)); \
  }

/* MPI_Sendrecv_replace cannot be split into sending and receiving. If another thread uses the same channels at the same
 * time, their messages may get each other's numbers. */
#define EXCHANGE_IN_PLACE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int to, int send_tag, int source, \
                                int tag, MPI_Comm communicator, MPI_Status *status) \
  { \
    struct exchange exchange; \
    int result; \
\
    if (!wrap_sendrecv_begin (&exchange, communicator, to, send_tag, &source, &tag, LC_RECV, lc_mpi_is_threaded)) \
      return lc_mpi_pass (&exchange.sending.call, \
                          PMPI_##name (buffer, count, type, to, send_tag, source, tag, communicator, status)); \
    wrap_sendrecv_block (&exchange); \
    lc_mpi_unlock (); \
    if (status == MPI_STATUS_IGNORE) \
      status = &exchange.own_status; \
    result = PMPI_##name (buffer, count, type, to, send_tag, source, tag, communicator, status); \
    return wrap_sendrecv_end (&exchange, result, status, lc_mpi_bytes (count, type)); \
  }

EXCHANGE (Sendrecv, Isend, Irecv, int)
EXCHANGE_IN_PLACE (Sendrecv_replace, int)

#if MPI_VERSION >= 4

/* --- Non-blocking: one request for both ---------------------------------------------------------------------- */

static struct lc_request *
add_request (struct exchange *exchange, MPI_Request handle, uint64_t bytes)
{
  struct lc_request *request = lc_request_add (handle);

  if (request == NULL)
    return NULL;
  request->receive = exchange->receive;
  if (exchange->sending.communicator != NULL)
    request->channel = exchange->sending.channel;
  request->sequence = exchange->sending.sequence;
  request->bytes = bytes;
  return request;
}

static int
wrap_sendrecv_end_immediate (struct exchange *exchange, int result, const MPI_Request *handle, uint64_t sent,
                             uint64_t received)
{
  struct lc_finished event = {.operation = LC_IRECV, .bytes = received};
  struct lc_receive *receive = exchange->receive;
  bool sends = exchange->sending.communicator != NULL;

  if (receive != NULL)
    lc_receive_tell (receive, &event);
  if (result != MPI_SUCCESS && sends)
    lc_sending_failed (&exchange->sending);
  if (result != MPI_SUCCESS && receive != NULL)
    lc_receive_drop (receive);
  if ((result != MPI_SUCCESS || add_request (exchange, *handle, sent) == NULL) && receive != NULL)
    lc_receive_release (receive);
  lc_mpi_unlock ();
  lc_mpi_leave (exchange->call);
  if (result != MPI_SUCCESS)
    return result;
  if (sends)
    append_sent (exchange, LC_ISEND, sent, exchange->call->begin, exchange->call->end);
  event.begin = sends ? exchange->call->end : exchange->call->begin;
  event.end = exchange->call->end;
  if (exchange->communicator != NULL)
    lc_mpi_append (exchange->call, &event);
  return result;
}

#define IMMEDIATE_EXCHANGE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *out, Count n_out, MPI_Datatype out_type, int to, int send_tag, void *in, \
                                Count n_in, MPI_Datatype in_type, int source, int tag, MPI_Comm communicator, \
                                MPI_Request *request) \
  { \
    struct exchange exchange; \
    int result; \
    bool is_recorded = wrap_sendrecv_begin (&exchange, communicator, to, send_tag, &source, &tag, LC_IRECV, true); \
\
    result = PMPI_##name (out, n_out, out_type, to, send_tag, in, n_in, in_type, source, tag, communicator, request); \
    if (!is_recorded) \
      return lc_request_pass (&exchange.sending.call, result, request); \
    return wrap_sendrecv_end_immediate (&exchange, result, request, lc_mpi_bytes (n_out, out_type), \
                                        lc_mpi_bytes (n_in, in_type)); \
  }

#define IMMEDIATE_EXCHANGE_IN_PLACE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int to, int send_tag, int source, \
                                int tag, MPI_Comm communicator, MPI_Request *request) \
  { \
    struct exchange exchange; \
    int result; \
    bool is_recorded = wrap_sendrecv_begin (&exchange, communicator, to, send_tag, &source, &tag, LC_IRECV, true); \
\
    result = PMPI_##name (buffer, count, type, to, send_tag, source, tag, communicator, request); \
    if (!is_recorded) \
      return lc_request_pass (&exchange.sending.call, result, request); \
    return wrap_sendrecv_end_immediate (&exchange, result, request, lc_mpi_bytes (count, type), \
                                        lc_mpi_bytes (count, type)); \
  }

EXCHANGE (Sendrecv_c, Isend_c, Irecv_c, MPI_Count)
EXCHANGE_IN_PLACE (Sendrecv_replace_c, MPI_Count)
IMMEDIATE_EXCHANGE (Isendrecv, int)
IMMEDIATE_EXCHANGE (Isendrecv_c, MPI_Count)
IMMEDIATE_EXCHANGE_IN_PLACE (Isendrecv_replace, int)
IMMEDIATE_EXCHANGE_IN_PLACE (Isendrecv_replace_c, MPI_Count)
#endif
