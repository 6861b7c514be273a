/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbourhood collective operations: a message to each neighbour, and one from each. */
#include <string.h>

#include "collective.h"

/* A call: the `n_to` messages to neighbours come first, then the `n_from` messages from neighbours. */
struct exchange
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator; /* NULL: nothing is recorded */
  char where[LC_MPI_NAME];              /* name of what the channels belong to: the communicator, or the operation */
  uint64_t *count;                      /* counter of a persistent operation's number, or NULL */
  int n_from, n_to;
  int *ranks; /* receivers first, then senders; followed by as much room for weights */
  struct lc_pending_message *messages;
};

/* --- Neighbours -------------------------------------------------------------------------------------------------- */

static int
count_cart (MPI_Comm comm, int *ranks)
{
  int dimensions = 0;

  PMPI_Cartdim_get (comm, &dimensions);
  for (int i = 0; ranks && i < dimensions; i++)
    PMPI_Cart_shift (comm, i, 1, &ranks[2 * i], &ranks[2 * i + 1]);
  return 2 * dimensions;
}

/* Without `ranks` counts the neighbours, with it lists them. */
static void
wrap_neighbour_look (MPI_Comm comm, int topology, struct exchange *exchange, int *ranks)
{
  int n_to = exchange->n_to, n_from = exchange->n_from, n = n_to + n_from, is_weighted;

  if (topology == MPI_CART)
    exchange->n_from = exchange->n_to = count_cart (comm, ranks);
  else if (topology == MPI_GRAPH && ranks)
    PMPI_Graph_neighbors (comm, exchange->communicator->rank, n_to, ranks);
  else if (topology == MPI_GRAPH)
    {
      PMPI_Graph_neighbors_count (comm, exchange->communicator->rank, &exchange->n_to);
      exchange->n_from = exchange->n_to;
    }
  else if (ranks)
    PMPI_Dist_graph_neighbors (comm, n_from, ranks + n_to, ranks + n + n_to, n_to, ranks, ranks + n);
  else
    PMPI_Dist_graph_neighbors_count (comm, &exchange->n_from, &exchange->n_to, &is_weighted);
  if (ranks && topology != MPI_DIST_GRAPH)
    for (int i = 0; i < n_from; i++)
      ranks[n_to + i] = ranks[i];
}

static bool
find_neighbours (MPI_Comm comm, struct exchange *exchange)
{
  int topology = MPI_UNDEFINED;
  size_t n;

  PMPI_Topo_test (comm, &topology);
  if (topology == MPI_UNDEFINED)
    return false;
  wrap_neighbour_look (comm, topology, exchange, NULL);
  n = (size_t)(exchange->n_from + exchange->n_to);
  if (n == 0)
    return false;
  lc_mpi_lock ();
  exchange->ranks = lc_mpi_allocate (2 * n * sizeof *exchange->ranks);
  exchange->messages = lc_mpi_allocate (n * sizeof *exchange->messages);
  lc_mpi_unlock ();
  if (!exchange->ranks || !exchange->messages)
    return false;
  wrap_neighbour_look (comm, topology, exchange, exchange->ranks);
  return true;
}

/* --- Messages ---------------------------------------------------------------------------------------------------- */

static uint64_t
bytes_at (const struct lc_amount *amount, int i)
{
  MPI_Count count = amount->count;

  if (amount->counts)
    count = amount->width == sizeof (int) ? ((const int *)amount->counts)[i] : ((const MPI_Count *)amount->counts)[i];
  return count > 0 ? lc_mpi_bytes (count, amount->types ? amount->types[i] : amount->type) : 0;
}

static struct lc_channel *
wrap_neighbour_channel_of (const struct exchange *exchange, int i, bool is_sent)
{
  const struct lc_communicator *communicator = exchange->communicator;
  uint32_t other = lc_communicator_partner (communicator, exchange->ranks[i]);

  if (other == LC_NO_PROCESS)
    return NULL;
  if (is_sent)
    return lc_channel_find_named (exchange->where, communicator->me, other, "neighbour");
  return lc_channel_find_named (exchange->where, other, communicator->me, "neighbour");
}

/* Lists the messages. A missing neighbour, at the edge of a grid, has no message. */
static void
wrap_neighbour_list (struct exchange *exchange, const struct lc_amount *sent, const struct lc_amount *received)
{
  int n = 0, n_to = exchange->n_to, end = exchange->n_to + exchange->n_from;

  for (int i = 0; i < end; i++)
    {
      bool is_sent = i < n_to;
      struct lc_channel *channel;

      lc_mpi_lock ();
      channel = wrap_neighbour_channel_of (exchange, i, is_sent);
      lc_mpi_unlock ();
      if (channel)
        exchange->messages[n++] = (struct lc_pending_message){
            .channel = channel,
            .bytes = is_sent ? bytes_at (sent, i) : bytes_at (received, i - n_to),
            .is_sent = is_sent,
        };
      else if (is_sent)
        exchange->n_to--;
      else
        exchange->n_from--;
    }
}

static void
wrap_neighbour_number (struct exchange *exchange)
{
  lc_mpi_lock ();
  for (int i = 0; i < exchange->n_to + exchange->n_from; i++)
    lc_pending_message_number (&exchange->messages[i]);
  lc_mpi_unlock ();
}

static void
wrap_neighbour_enter (struct exchange *exchange, MPI_Comm comm)
{
  exchange->n_from = exchange->n_to = 0;
  exchange->ranks = NULL;
  exchange->messages = NULL;
  exchange->count = NULL;
  lc_mpi_enter (&exchange->call);
  exchange->communicator = lc_communicator_use (&exchange->call, comm);
}

static void
wrap_neighbour_begin (struct exchange *exchange, MPI_Comm comm)
{
  wrap_neighbour_enter (exchange, comm);
  if (!exchange->communicator || !find_neighbours (comm, exchange))
    exchange->communicator = NULL;
  else
    strcpy (exchange->where, exchange->communicator->name);
}

static void
wrap_neighbour_block (const struct exchange *exchange)
{
  struct lc_channel *channel = NULL;

  if (!exchange->communicator)
    return;
  lc_mpi_lock ();
  for (int i = exchange->n_to; !channel && i < exchange->n_to + exchange->n_from; i++)
    channel = wrap_neighbour_channel_of (exchange, i, false);
  lc_mpi_unlock ();
  if (channel)
    lc_mpi_block (&exchange->call, LC_RECV, channel->object, channel->received);
}

/* A persistent operation has its own channels, because other processes may start it in another order (see
 * lc_collective_initialised). */
static void
begin_persistent (struct exchange *exchange, MPI_Comm comm)
{
  wrap_neighbour_enter (exchange, comm);
  if (!exchange->communicator)
    return;
  exchange->count = &exchange->communicator->persistent;
  lc_collective_name_persistent (exchange->where, exchange->communicator,
                                 __atomic_fetch_add (exchange->count, 1, __ATOMIC_RELAXED));
  if (!find_neighbours (comm, exchange))
    exchange->communicator = NULL;
}

/* Writes one of several events of a call: one of them lasts from the begin to the end of the call, the others no
 * time. */
static void
wrap_neighbour_append (const struct exchange *exchange, uint16_t operation, int message, int place, int lasting)
{
  const struct lc_pending_message *of = &exchange->messages[message];
  struct lc_finished event = {
      .operation = operation,
      .object = of->channel->object,
      .sequence = of->sequence,
      .bytes = operation == LC_COMPLETE ? 0 : of->bytes,
      .begin = place <= lasting ? exchange->call.begin : exchange->call.end,
      .end = place < lasting ? exchange->call.begin : exchange->call.end,
  };

  lc_mpi_append (&exchange->call, &event);
}

static void
wrap_neighbour_release (struct exchange *exchange, size_t n)
{
  lc_mpi_lock ();
  if (exchange->ranks)
    lc_mpi_release (exchange->ranks, 2 * n * sizeof *exchange->ranks);
  if (exchange->messages)
    lc_mpi_release (exchange->messages, n * sizeof *exchange->messages);
  lc_mpi_unlock ();
}

/* `request` is NULL if the operation is complete. */
static void
wrap_neighbour_end (struct exchange *exchange, int result, const MPI_Request *request, struct lc_amount sent,
                    struct lc_amount received)
{
  size_t room = (size_t)(exchange->n_to + exchange->n_from);
  bool is_recorded = exchange->communicator && result == MPI_SUCCESS;
  int n, n_to;

  if (is_recorded)
    {
      wrap_neighbour_list (exchange, &sent, &received);
      wrap_neighbour_number (exchange);
    }
  n_to = exchange->n_to;
  n = is_recorded ? n_to + exchange->n_from : 0;
  lc_mpi_leave (&exchange->call);
  if (n == 0)
    lc_mpi_hooks->unblock ();
  for (int i = 0; i < n; i++)
    if (i < n_to)
      wrap_neighbour_append (exchange, LC_ISEND, i, i, request ? n - 1 : n_to);
    else
      wrap_neighbour_append (exchange, request ? LC_IRECV : LC_RECV, i, i, request ? n - 1 : n_to);
  for (int i = 0; n > 0 && !request && i < n_to; i++)
    wrap_neighbour_append (exchange, LC_COMPLETE, i, n + i, n_to);
  if (request && result == MPI_SUCCESS)
    lc_request_add_messages (*request, exchange->messages, n, false);
  wrap_neighbour_release (exchange, room);
}

static void
end_persistent (struct exchange *exchange, int result, const MPI_Request *request, struct lc_amount sent,
                struct lc_amount received)
{
  size_t room = (size_t)(exchange->n_to + exchange->n_from);

  if (exchange->count && result != MPI_SUCCESS)
    __atomic_fetch_sub (exchange->count, 1, __ATOMIC_RELAXED);
  if (exchange->communicator && result == MPI_SUCCESS)
    {
      wrap_neighbour_list (exchange, &sent, &received);
      lc_request_add_messages (*request, exchange->messages, exchange->n_to + exchange->n_from, true);
    }
  wrap_neighbour_release (exchange, room);
  lc_mpi_leave (&exchange->call);
}

/* --- The functions ------------------------------------------------------------------------------------------------ */

#define BLOCKING(function, parameters, arguments, sent_amount, received_amount) \
  LC_MPI_EXPORT int MPI_##function (LC_LIST parameters, MPI_Comm comm) \
  { \
    struct exchange exchange; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function (LC_LIST arguments, comm); \
    wrap_neighbour_begin (&exchange, comm); \
    wrap_neighbour_block (&exchange); \
    result = PMPI_##function (LC_LIST arguments, comm); \
    wrap_neighbour_end (&exchange, result, NULL, sent_amount, received_amount); \
    return result; \
  }

#define BEGINNING(function, parameters, arguments, sent_amount, received_amount) \
  LC_MPI_EXPORT int MPI_##function (LC_LIST parameters, MPI_Comm comm, MPI_Request *request) \
  { \
    struct exchange exchange; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function (LC_LIST arguments, comm, request); \
    wrap_neighbour_begin (&exchange, comm); \
    result = PMPI_##function (LC_LIST arguments, comm, request); \
    wrap_neighbour_end (&exchange, result, request, sent_amount, received_amount); \
    return result; \
  }

#define INITIALISING(function, parameters, arguments, sent_amount, received_amount) \
  LC_MPI_EXPORT int LC_PERSISTENT (function) (LC_LIST parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request) \
  { \
    struct exchange exchange; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return LC_PERSISTENT_OF_MPI (function) (LC_LIST arguments, comm, info, request); \
    begin_persistent (&exchange, comm); \
    result = LC_PERSISTENT_OF_MPI (function) (LC_LIST arguments, comm, info, request); \
    end_persistent (&exchange, result, request, sent_amount, received_amount); \
    return result; \
  }

/* Lists the functions for one form (blocking, non-blocking or persistent) and one size of counts. */
#define EXCHANGES(X, allgather, allgatherv, alltoall, alltoallv, alltoallw, COUNT, OFFSET) \
  X (allgather, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_type), LC_ONE (n_sent, sent_type), \
     LC_ONE (n_received, received_type)) \
  X (allgatherv, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, const COUNT *n_received, \
      const OFFSET *received_at, MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_at, received_type), LC_ONE (n_sent, sent_type), \
     LC_EACH (n_received, received_type)) \
  X (alltoall, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_type), LC_ONE (n_sent, sent_type), \
     LC_ONE (n_received, received_type)) \
  X (alltoallv, \
     (const void *sent, const COUNT *n_sent, const OFFSET *sent_at, MPI_Datatype sent_type, void *received, \
      const COUNT *n_received, const OFFSET *received_at, MPI_Datatype received_type), \
     (sent, n_sent, sent_at, sent_type, received, n_received, received_at, received_type), \
     LC_EACH (n_sent, sent_type), LC_EACH (n_received, received_type)) \
  X (alltoallw, \
     (const void *sent, const COUNT *n_sent, const MPI_Aint *sent_at, const MPI_Datatype *sent_types, void *received, \
      const COUNT *n_received, const MPI_Aint *received_at, const MPI_Datatype *received_types), \
     (sent, n_sent, sent_at, sent_types, received, n_received, received_at, received_types), \
     LC_EACH_TYPED (n_sent, sent_types), LC_EACH_TYPED (n_received, received_types))

EXCHANGES (BLOCKING, Neighbor_allgather, Neighbor_allgatherv, Neighbor_alltoall, Neighbor_alltoallv, Neighbor_alltoallw,
           int, int)
EXCHANGES (BEGINNING, Ineighbor_allgather, Ineighbor_allgatherv, Ineighbor_alltoall, Ineighbor_alltoallv,
           Ineighbor_alltoallw, int, int)
#ifdef LC_PERSISTENT
EXCHANGES (INITIALISING, Neighbor_allgather_init, Neighbor_allgatherv_init, Neighbor_alltoall_init,
           Neighbor_alltoallv_init, Neighbor_alltoallw_init, int, int)
#endif
#if MPI_VERSION >= 4
EXCHANGES (BLOCKING, Neighbor_allgather_c, Neighbor_allgatherv_c, Neighbor_alltoall_c, Neighbor_alltoallv_c,
           Neighbor_alltoallw_c, MPI_Count, MPI_Aint)
EXCHANGES (BEGINNING, Ineighbor_allgather_c, Ineighbor_allgatherv_c, Ineighbor_alltoall_c, Ineighbor_alltoallv_c,
           Ineighbor_alltoallw_c, MPI_Count, MPI_Aint)
EXCHANGES (INITIALISING, Neighbor_allgather_init_c, Neighbor_allgatherv_init_c, Neighbor_alltoall_init_c,
           Neighbor_alltoallv_init_c, Neighbor_alltoallw_init_c, MPI_Count, MPI_Aint)
#endif
