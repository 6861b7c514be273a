/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent requests: each start is a message or a collective operation of its own. */
#include "steer.h"

/* Adds the request; nothing is sent yet, and no event is written. Requests to or from MPI_PROC_NULL are left out, as
 * they complete at once. NULL: this one is. */
static struct lc_request *
wrap_persistent_add (struct lc_communicator *communicator, int result, const MPI_Request *handle,
                     const struct lc_request *made)
{
  struct lc_request *request = NULL;

  lc_mpi_lock ();
  if (communicator != NULL && result == MPI_SUCCESS)
    request = lc_request_add (*handle);
  if (request != NULL)
    {
      request->is_persistent = true;
      request->is_active = false;
      request->is_receiver = made->is_receiver;
      request->communicator = communicator;
      request->partner = made->partner;
      request->tag = made->tag;
      request->bytes = made->bytes;
      communicator->references++;
    }
  lc_mpi_unlock ();
  return request;
}

#define PERSISTENT_SEND(name, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *buffer, Count count, MPI_Datatype type, int to, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    struct lc_mpi_call call; \
    struct lc_communicator *found = lc_mpi_enter_message (&call, communicator, to); \
    int result = PMPI_##name (buffer, count, type, to, tag, communicator, request); \
\
    wrap_persistent_add ( \
        found, result, request, \
        &(struct lc_request){.is_receiver = false, .partner = to, .tag = tag, .bytes = lc_mpi_bytes (count, type)}); \
    return lc_mpi_pass (&call, result); \
  }

#define PERSISTENT_RECEIVE(name, Count) \
  LC_MPI_EXPORT int MPI_##name (void *buffer, Count count, MPI_Datatype type, int source, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    struct lc_mpi_call call; \
    struct lc_communicator *found = lc_mpi_enter_message (&call, communicator, source); \
    int result = PMPI_##name (buffer, count, type, source, tag, communicator, request); \
    struct lc_request *added = wrap_persistent_add ( \
        found, result, request, \
        &(struct lc_request){ \
            .is_receiver = true, .partner = source, .tag = tag, .bytes = lc_mpi_bytes (count, type)}); \
\
    if (added != NULL) \
      lc_steer_keep_start (added, buffer, count, type, communicator); \
    return lc_mpi_pass (&call, result); \
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
start_message (struct lc_request *request)
{
  struct lc_communicator *communicator = request->communicator;

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

static void
wrap_persistent_start (struct lc_request *request)
{
  request->is_active = true;
  if (request->collective.begin != 0)
    request->collective.number = request->collective.next++;
  else if (request->messages == NULL)
    start_message (request);
  for (int i = 0; i < request->n_messages; i++)
    lc_pending_message_number (&request->messages[i]);
}

static void
undo_message (struct lc_request *request)
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
}

/* Undoes a start. The last message comes first, so that each can give its number back. */
static void
wrap_persistent_undo (struct lc_request *request)
{
  undo_message (request);
  if (request->collective.begin != 0)
    request->collective.next--;
  for (int i = request->n_messages - 1; i >= 0; i--)
    lc_pending_message_unnumber (&request->messages[i]);
  request->is_active = false;
}

static struct lc_request *
wrap_persistent_look (MPI_Request handle)
{
  struct lc_request *request = lc_request_look (handle);

  return request != NULL && request->is_persistent ? request : NULL;
}

/* The events of one call. All begin before the call, because another rank may have a message before it returns; the
 * last event takes the time of the call. */
struct telling
{
  const struct lc_mpi_call *call;
  struct lc_finished last;
  bool any;
};

static void
wrap_persistent_tell (struct telling *telling, const struct lc_finished *event)
{
  if (telling->any)
    lc_mpi_append (telling->call, &telling->last);
  telling->last = *event;
  telling->last.begin = telling->last.end = telling->call->begin;
  telling->any = true;
}

static void
tell_last (struct telling *telling)
{
  telling->last.end = telling->call->end;
  if (telling->any)
    lc_mpi_append (telling->call, &telling->last);
}

static void
wrap_persistent_tell_message (struct telling *telling, const struct lc_request *request)
{
  struct lc_finished event = {.operation = request->is_receiver ? LC_IRECV : LC_ISEND, .bytes = request->bytes};

  lc_mpi_lock ();
  if (request->receive != NULL)
    lc_receive_tell (request->receive, &event);
  else if (request->channel != NULL)
    {
      event.object = request->channel->object;
      event.sequence = request->sequence;
    }
  lc_mpi_unlock ();
  wrap_persistent_tell (telling, &event);
}

static void
wrap_persistent_tell_collective (struct telling *telling, const struct lc_pending_collective *collective)
{
  wrap_persistent_tell (telling, &(struct lc_finished){.operation = collective->begin,
                                                       .object = collective->object,
                                                       .sequence = collective->number,
                                                       .value = collective->members,
                                                       .bytes = collective->bytes});
}

static void
tell_neighbour (struct telling *telling, const struct lc_pending_message *message)
{
  wrap_persistent_tell (telling, &(struct lc_finished){.operation = message->is_sent ? LC_ISEND : LC_IRECV,
                                                       .object = message->channel->object,
                                                       .sequence = message->sequence,
                                                       .bytes = message->bytes});
}

static void
tell_all (const struct lc_mpi_call *call, int n, const MPI_Request requests[])
{
  struct telling telling = {.call = call};

  for (int i = 0; i < n; i++)
    {
      struct lc_request *request;

      lc_mpi_lock ();
      request = wrap_persistent_look (requests[i]);
      lc_mpi_unlock ();
      if (request == NULL)
        continue;
      if (request->collective.begin != 0)
        wrap_persistent_tell_collective (&telling, &request->collective);
      else if (request->messages == NULL)
        wrap_persistent_tell_message (&telling, request);
      for (int k = 0; k < request->n_messages; k++)
        if (!request->messages[k].is_told)
          tell_neighbour (&telling, &request->messages[k]);
    }
  tell_last (&telling);
}

/* Counts the events that tell that a request has been started. */
static unsigned int
wrap_persistent_count_events (const struct lc_request *request)
{
  unsigned int n = 0;

  if (request->collective.begin != 0 || request->messages == NULL)
    return 1;
  for (int i = 0; i < request->n_messages; i++)
    n += !request->messages[i].is_told;
  return n;
}

static void
wrap_persistent_steer (int n, MPI_Request requests[])
{
  unsigned int told = 0;

  for (int i = 0; i < n; i++)
    {
      struct lc_request *request = wrap_persistent_look (requests[i]);

      if (request == NULL)
        continue;
      if (request->start != NULL)
        lc_steer_start (request, told, &requests[i]);
      told += wrap_persistent_count_events (request);
    }
}

/* The tables are locked during the call, so that several threads post in the order of their numbers. */
static int
start_all (int n, MPI_Request requests[], int (*call_mpi) (int, MPI_Request[]))
{
  struct lc_request *request;
  struct lc_mpi_call call;
  int result;

  lc_mpi_enter (&call);
  lc_mpi_lock ();
  wrap_persistent_steer (n, requests);
  for (int i = 0; i < n; i++)
    if ((request = wrap_persistent_look (requests[i])) != NULL)
      wrap_persistent_start (request);
  result = call_mpi (n, requests);
  for (int i = n - 1; result != MPI_SUCCESS && i >= 0; i--)
    if ((request = wrap_persistent_look (requests[i])) != NULL)
      wrap_persistent_undo (request);
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
