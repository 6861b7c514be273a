/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations: one table describes each of MPI's functions in all its forms. */
#ifndef LC_MPI_COLLECTIVE_H
#define LC_MPI_COLLECTIVE_H

#include "recording.h"

/* The name of a function for persistent operations, by its part after MPI_: Open MPI 4.1 has them as an extension. */
#if MPI_VERSION >= 4
#define LC_PERSISTENT(name) MPI_##name
#define LC_PERSISTENT_OF_MPI(name) PMPI_##name
#elif defined OPEN_MPI
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define LC_PERSISTENT(name) MPIX_##name
#define LC_PERSISTENT_OF_MPI(name) PMPIX_##name
#endif
#endif

/* Counts and types as in an argument list. They are read only after MPI has accepted them. */
struct lc_amount
{
  const void *counts; /* NULL: `count` is the count */
  const MPI_Datatype *types;
  MPI_Count count;
  MPI_Datatype type;
  size_t width; /* size of each count, in bytes */
  bool local;   /* one for each member of the own group, even in an intercommunicator */
};

/* A call of a collective operation. */
struct lc_collective
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator; /* NULL: unknown, so nothing is recorded */
  uint64_t *count;                      /* the counter that `number` was taken from */
  uint64_t number;
  struct lc_amount amount;  /* sent by one process */
  struct lc_amount awaited; /* received by this process, if it receives anything */
  uint32_t members;
  uint16_t operation; /* the blocking operation; 0: this process takes no part */
  bool is_unknown;    /* set at the end: it cannot be known for whom this process has waited */
};

#define LC_ONE(n, datatype) ((struct lc_amount){.count = (n), .type = (datatype)})
#define LC_NOTHING LC_ONE (0, MPI_BYTE)
#define LC_EACH(list, datatype) ((struct lc_amount){.counts = (list), .width = sizeof *(list), .type = (datatype)})
#define LC_EACH_TYPED(list, list_of_types) \
  ((struct lc_amount){.counts = (list), .width = sizeof *(list), .types = (list_of_types)})
#define LC_EACH_LOCAL(list, datatype) \
  ((struct lc_amount){.counts = (list), .width = sizeof *(list), .type = (datatype), .local = true})

/* Begins a call by taking the communicator's next number, or the next one for its persistent operations. */
void lc_collective_enter (struct lc_collective *collective, MPI_Comm handle);
void lc_collective_enter_persistent (struct lc_collective *collective, MPI_Comm handle);

/*
 * Sets the operation and its amounts: lc_collective_rooted those that are significant at the root and at the others,
 * lc_collective_of_all what is sent (unless `buffer` is MPI_IN_PLACE) and received.
 */
void lc_collective_rooted (struct lc_collective *collective, uint16_t root_operation, uint16_t other, int root,
                           struct lc_amount at_root, struct lc_amount at_other);
void lc_collective_of_all (struct lc_collective *collective, uint16_t operation, const void *buffer,
                           struct lc_amount sent, struct lc_amount received);

/* Called before and after a blocking operation. */
void lc_collective_block (const struct lc_collective *collective);
void lc_collective_leave (struct lc_collective *collective, int result);

/* Called after a non-blocking operation has begun. `made` is the communicator to name when it is complete, or NULL. */
void lc_collective_begun (struct lc_collective *collective, int result, MPI_Request *request,
                          const struct lc_pending_communicator *made);

/*
 * Called after a persistent operation was initialised; each start of its request begins the operation. MPI (4.0,
 * section 6.13) matches such operations by the order in which they are initialised, and processes may start them in
 * different orders. So they are not numbered with the communicator's other operations: each is an object of its own,
 * such as "world/persistent.3" for the third one initialised on the world. Its n-th start on one process belongs to the
 * n-th start on another.
 */
void lc_collective_initialised (struct lc_collective *collective, int result, const MPI_Request *request);

/* Writes the name of the communicator's persistent operation with this number, at most LC_MPI_NAME bytes. */
void lc_collective_name_persistent (char *to, const struct lc_communicator *communicator, uint64_t number);

/* X (name, name after MPI_I, parameters before the communicator, arguments, call that describes it). COUNT and OFFSET
 * are the types of counts and displacements, which are larger in the functions with _c. */
#define LC_COLLECTIVES(X, COUNT, OFFSET) \
  X (Bcast, bcast, (void *buffer, COUNT count, MPI_Datatype type, int root), (buffer, count, type, root), \
     lc_collective_rooted (&collective, LC_BROADCAST_ROOT, LC_BROADCAST_RECV, root, LC_ONE (count, type), \
                           LC_ONE (count, type))) \
  X (Scatter, scatter, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type, int root), \
     (sent, n_sent, sent_type, received, n_received, received_type, root), \
     lc_collective_rooted (&collective, LC_SCATTER_ROOT, LC_SCATTER, root, LC_ONE (n_sent, sent_type), \
                           LC_ONE (n_received, received_type))) \
  X (Scatterv, scatterv, \
     (const void *sent, const COUNT *n_sent, const OFFSET *sent_at, MPI_Datatype sent_type, void *received, \
      COUNT n_received, MPI_Datatype received_type, int root), \
     (sent, n_sent, sent_at, sent_type, received, n_received, received_type, root), \
     lc_collective_rooted (&collective, LC_SCATTER_ROOT, LC_SCATTER, root, LC_EACH (n_sent, sent_type), \
                           LC_ONE (n_received, received_type))) \
  X (Gather, gather, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type, int root), \
     (sent, n_sent, sent_type, received, n_received, received_type, root), \
     lc_collective_rooted (&collective, LC_GATHER_ROOT, LC_GATHER, root, LC_ONE (n_received, received_type), \
                           LC_ONE (n_sent, sent_type))) \
  X (Gatherv, gatherv, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, const COUNT *n_received, \
      const OFFSET *received_at, MPI_Datatype received_type, int root), \
     (sent, n_sent, sent_type, received, n_received, received_at, received_type, root), \
     lc_collective_rooted (&collective, LC_GATHER_ROOT, LC_GATHER, root, LC_EACH (n_received, received_type), \
                           LC_ONE (n_sent, sent_type))) \
  X (Reduce, reduce, (const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op, int root), \
     (sent, received, count, type, op, root), \
     lc_collective_rooted (&collective, LC_REDUCE_ROOT, LC_REDUCE, root, LC_ONE (count, type), LC_ONE (count, type))) \
  X (Allreduce, allreduce, (const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op), \
     (sent, received, count, type, op), \
     lc_collective_of_all (&collective, LC_ALL_REDUCE, sent, LC_ONE (count, type), LC_ONE (count, type))) \
  X (Reduce_scatter, reduce_scatter, \
     (const void *sent, void *received, const COUNT *counts, MPI_Datatype type, MPI_Op op), \
     (sent, received, counts, type, op), \
     lc_collective_of_all (&collective, LC_REDUCE_SCATTER, sent, LC_EACH_LOCAL (counts, type), \
                           LC_EACH_LOCAL (counts, type))) \
  X (Reduce_scatter_block, reduce_scatter_block, \
     (const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op), (sent, received, count, type, op), \
     lc_collective_of_all (&collective, LC_REDUCE_SCATTER, sent, LC_ONE (count, type), LC_ONE (count, type))) \
  X (Scan, scan, (const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op), \
     (sent, received, count, type, op), \
     lc_collective_of_all (&collective, LC_SCAN, sent, LC_ONE (count, type), LC_ONE (count, type))) \
  X (Exscan, exscan, (const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op), \
     (sent, received, count, type, op), \
     lc_collective_of_all (&collective, LC_SCAN, sent, LC_ONE (count, type), LC_ONE (count, type))) \
  X (Allgather, allgather, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_type), \
     lc_collective_of_all (&collective, LC_ALL_GATHER, sent, LC_ONE (n_sent, sent_type), \
                           LC_ONE (n_received, received_type))) \
  X (Allgatherv, allgatherv, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, const COUNT *n_received, \
      const OFFSET *received_at, MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_at, received_type), \
     lc_collective_of_all (&collective, LC_ALL_GATHER, sent, LC_ONE (n_sent, sent_type), \
                           LC_EACH (n_received, received_type))) \
  X (Alltoall, alltoall, \
     (const void *sent, COUNT n_sent, MPI_Datatype sent_type, void *received, COUNT n_received, \
      MPI_Datatype received_type), \
     (sent, n_sent, sent_type, received, n_received, received_type), \
     lc_collective_of_all (&collective, LC_ALL_TO_ALL, sent, LC_ONE (n_sent, sent_type), \
                           LC_ONE (n_received, received_type))) \
  X (Alltoallv, alltoallv, \
     (const void *sent, const COUNT *n_sent, const OFFSET *sent_at, MPI_Datatype sent_type, void *received, \
      const COUNT *n_received, const OFFSET *received_at, MPI_Datatype received_type), \
     (sent, n_sent, sent_at, sent_type, received, n_received, received_at, received_type), \
     lc_collective_of_all (&collective, LC_ALL_TO_ALL, sent, LC_EACH (n_sent, sent_type), \
                           LC_EACH (n_received, received_type))) \
  X (Alltoallw, alltoallw, \
     (const void *sent, const COUNT *n_sent, const OFFSET *sent_at, const MPI_Datatype *sent_types, void *received, \
      const COUNT *n_received, const OFFSET *received_at, const MPI_Datatype *received_types), \
     (sent, n_sent, sent_at, sent_types, received, n_received, received_at, received_types), \
     lc_collective_of_all (&collective, LC_ALL_TO_ALL, sent, LC_EACH_TYPED (n_sent, sent_types), \
                           LC_EACH_TYPED (n_received, received_types)))

/* Removes the parentheses from a list. */
#define LC_LIST(...) __VA_ARGS__

#endif
