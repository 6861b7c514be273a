/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent requests: each start is a message of its own. */
#include "messages.h"

/* Nothing is sent yet, and no event is written. Those to and from nobody are not known: they complete at once. */
static int
add (int result, const MPI_Request *handle, MPI_Comm communicator, bool is_receiver, int partner, int tag,
     uint64_t bytes)
{
  struct lc_mpi_call call;
  struct lc_communicator *found;
  struct lc_request *request;

  if (result != MPI_SUCCESS)
    return result;
  found = lc_mpi_enter_message (&call, communicator, partner);
  if (found == NULL)
    return result;
  lc_mpi_lock ();
  request = lc_request_add (*handle);
  if (request != NULL)
    {
      request->is_persistent = true;
      request->is_active = false;
      request->is_receiver = is_receiver;
      request->communicator = found;
      request->partner = partner;
      request->tag = tag;
      request->bytes = bytes;
      found->references++;
    }
  lc_mpi_unlock ();
  lc_mpi_leave (&call);
  return result;
}

#define PERSISTENT_SEND(name, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *buffer, Count count, MPI_Datatype type, int to, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    int result = PMPI_##name (buffer, count, type, to, tag, communicator, request); \
\
    return add (result, request, communicator, false, to, tag, lc_mpi_bytes (count, type)); \
  }

#define PERSISTENT_RECEIVE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int source, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    int result = PMPI_##name (buffer, count, type, source, tag, communicator, request); \
\
    return add (result, request, communicator, true, source, tag, lc_mpi_bytes (count, type)); \
  }

PERSISTENT_SEND (Send_init, int)
PERSISTENT_SEND (Bsend_init, int)
PERSISTENT_SEND (Rsend_init, int)
PERSISTENT_SEND (Ssend_init, int)
PERSISTENT_RECEIVE (Recv_init, int)

#if MPI_VERSION >= 4
PERSISTENT_SEND (Send_init_c, MPI_Count)
PERSISTENT_SEND (Bsend_init_c, MPI_Count)
PERSISTENT_SEND (Rsend_init_c, MPI_Count)
PERSISTENT_SEND (Ssend_init_c, MPI_Count)
PERSISTENT_RECEIVE (Recv_init_c, MPI_Count)
#endif

/* --- Starting ------------------------------------------------------------------------------------------------ */

static void
start (struct lc_request *request)
{
  struct lc_communicator *communicator = request->communicator;

  request->is_active = true;
  if (request->is_receiver)
    {
      request->receive = lc_receive_post (communicator, request->partner, request->tag);
      return;
    }
  request->channel = lc_channel_find (communicator, communicator->me,
                                      lc_communicator_partner (communicator, request->partner), request->tag);
  if (request->channel != NULL)
    request->sequence = request->channel->sent++;
}

/* The last one first: each takes its number back. */
static void
undo (struct lc_request *request)
{
  if (request->channel != NULL && request->channel->sent == request->sequence + 1)
    request->channel->sent--;
  request->channel = NULL;
  if (request->receive != NULL)
    {
      lc_receive_drop (request->receive);
      lc_receive_release (request->receive);
    }
  request->receive = NULL;
  request->is_active = false;
}

static struct lc_request *
look (MPI_Request handle)
{
  struct lc_request *request = lc_request_look (handle);

  return request != NULL && request->is_persistent ? request : NULL;
}

/* All begin before the call, for another rank may have a message before the call has returned; the last one takes its
   time. */
static void
tell (const struct lc_mpi_call *call, struct lc_request *request, bool is_last)
{
  struct lc_finished event = {.begin = call->begin, .end = is_last ? call->end : call->begin, .bytes = request->bytes};

  lc_mpi_lock ();
  event.operation = request->is_receiver ? LC_IRECV : LC_ISEND;
  if (request->receive != NULL)
    lc_receive_tell (request->receive, &event);
  else if (request->channel != NULL)
    {
      event.object = request->channel->object;
      event.sequence = request->sequence;
    }
  lc_mpi_unlock ();
  lc_mpi_append (call, &event);
}

static void
tell_all (const struct lc_mpi_call *call, int n, const MPI_Request requests[])
{
  struct lc_request *request, *before = NULL;

  for (int i = 0; i < n; i++)
    {
      lc_mpi_lock ();
      request = look (requests[i]);
      lc_mpi_unlock ();
      if (request == NULL)
        continue;
      if (before != NULL)
        tell (call, before, false);
      before = request;
    }
  if (before != NULL)
    tell (call, before, true);
}

/* Locked, so that with several threads all are posted in the order of their numbers. */
static int
start_all (int n, MPI_Request requests[], int (*call_mpi) (int, MPI_Request[]))
{
  struct lc_request *request;
  struct lc_mpi_call call;
  int result;

  lc_mpi_enter (&call);
  lc_mpi_lock ();
  for (int i = 0; i < n; i++)
    if ((request = look (requests[i])) != NULL)
      start (request);
  result = call_mpi (n, requests);
  for (int i = n - 1; result != MPI_SUCCESS && i >= 0; i--)
    if ((request = look (requests[i])) != NULL)
      undo (request);
  lc_mpi_unlock ();
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS)
    tell_all (&call, n, requests);
  return result;
}

static int
start_one (int n, MPI_Request requests[])
{
  (void)n;
  return PMPI_Start (requests);
}

LC_MPI_EXPORT int
MPI_Start (MPI_Request *request)
{
  return lc_mpi_is_on () ? start_all (1, request, start_one) : PMPI_Start (request);
}

LC_MPI_EXPORT int
MPI_Startall (int n, MPI_Request requests[])
{
  return lc_mpi_is_on () ? start_all (n, requests, PMPI_Startall) : PMPI_Startall (n, requests);
}
