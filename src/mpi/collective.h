/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations: what each function of MPI says of itself, in one table for all the forms that it has. */
#ifndef LC_MPI_COLLECTIVE_H
#define LC_MPI_COLLECTIVE_H

#include "recording.h"

/* The functions of persistent operations, by the second part of their name: Open MPI 4.1 has them as an extension. */
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

/* Counts and types as an argument list has them, not looked at before MPI has said that they are right. */
struct lc_amount
{
  const void *counts; /* NULL: it is `count` */
  const MPI_Datatype *types;
  MPI_Count count;
  MPI_Datatype type;
  size_t width; /* of each of the counts */
  bool local;   /* one for each member of the own group, even if the others are of another */
};

/* One call of a collective operation. */
struct lc_collective
{
  struct lc_mpi_call call;
  struct lc_communicator *communicator; /* NULL: unknown, nothing is recorded */
  uint64_t *count;                      /* where its number is from */
  uint64_t number;
  struct lc_amount amount;  /* what one process sends */
  struct lc_amount awaited; /* what this one receives, if it receives anything */
  uint32_t members;
  uint16_t operation; /* the blocking one; 0: this process looks on while others communicate */
  bool is_unknown;    /* in the end: it cannot be said for whom it has waited */
};

#define LC_ONE(n, datatype) ((struct lc_amount){.count = (n), .type = (datatype)})
#define LC_NOTHING LC_ONE (0, MPI_BYTE)
#define LC_EACH(list, datatype) ((struct lc_amount){.counts = (list), .width = sizeof *(list), .type = (datatype)})
#define LC_EACH_TYPED(list, list_of_types) \
  ((struct lc_amount){.counts = (list), .width = sizeof *(list), .types = (list_of_types)})
#define LC_EACH_LOCAL(list, datatype) \
  ((struct lc_amount){.counts = (list), .width = sizeof *(list), .type = (datatype), .local = true})

/* Begins a call: takes the next number of the communicator; or the next one of its persistent operations. */
void lc_collective_enter (struct lc_collective *collective, MPI_Comm handle);
void lc_collective_enter_persistent (struct lc_collective *collective, MPI_Comm handle);

/*
 * What kind it is, and what is significant: at the root and at the others; or what is sent, unless `buffer` is
 * MPI_IN_PLACE, and received.
 */
void lc_collective_rooted (struct lc_collective *collective, uint16_t root_operation, uint16_t other, int root,
                           struct lc_amount at_root, struct lc_amount at_other);
void lc_collective_of_all (struct lc_collective *collective, uint16_t operation, const void *buffer,
                           struct lc_amount sent, struct lc_amount received);

/* Before and after the call of a blocking one. */
void lc_collective_block (const struct lc_collective *collective);
void lc_collective_leave (struct lc_collective *collective, int result);

/* After the call of a non-blocking one. `made`: what it is to name when it is complete, or NULL. */
void lc_collective_begun (struct lc_collective *collective, int result, MPI_Request *request,
                          const struct lc_pending_communicator *made);

/*
 * After the call of one that initialises a persistent operation: it begins with each start of the request. MPI (4.0,
 * section 6.13) matches such operations by the order in which they are initialised, and the processes of a communicator
 * may start them in different orders. So they have no place among the communicator's others, but each is an object of
 * its own, "world/persistent.3" for the third one that was initialised on the world, and its n-th start on one process
 * belongs to the n-th start on another.
 */
void lc_collective_initialised (struct lc_collective *collective, int result, const MPI_Request *request);

/* The name of the communicator's persistent operation with this number, at most LC_MPI_NAME bytes. */
void lc_collective_name_persistent (char *to, const struct lc_communicator *communicator, uint64_t number);

/*
 * X (name, name after MPI_I, parameters before the communicator, arguments, what it is). COUNT and OFFSET are the types
 * of counts and displacements: those of the functions with _c are larger.
 */
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

/* What a list in parentheses is without them. */
#define LC_LIST(...) __VA_ARGS__

#endif
