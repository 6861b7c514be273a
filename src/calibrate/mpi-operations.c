/* SPDX-License-Identifier: Apache-2.0 */
/* Measures MPI's operations without a partner: messages to oneself that are already awaited, and groups of one. */
#include "measure.h"
#include "mpi-workload.h"

enum
{
  OPERATIONS = LC_WARM_UP + 2 * LC_BATCH, /* that lc_measure carries out at most */
  IN_TURN = 5, /* requests, or kinds of probes: of so many in turn, tests in vain are not told as one row */
};

static MPI_Request sends[OPERATIONS], receives[OPERATIONS];
static long out[OPERATIONS], in[OPERATIONS];
static int number = 1, sum;

/* --- One operation --------------------------------------------------------------------------------------------- */

#define SELF 0, 0, MPI_COMM_SELF

LC_INLINE void
send_one (unsigned int object, unsigned int i)
{
  MPI_Send (&out[i], 1, MPI_LONG, SELF);
}

LC_INLINE void
ssend_one (unsigned int object, unsigned int i)
{
  MPI_Ssend (&out[i], 1, MPI_LONG, SELF);
}

LC_INLINE void
isend_one (unsigned int object, unsigned int i)
{
  MPI_Isend (&out[i], 1, MPI_LONG, SELF, &sends[i]);
}

LC_INLINE void
recv_one (unsigned int object, unsigned int i)
{
  MPI_Recv (&in[i], 1, MPI_LONG, SELF, MPI_STATUS_IGNORE);
}

LC_INLINE void
irecv_one (unsigned int object, unsigned int i)
{
  MPI_Irecv (&in[i], 1, MPI_LONG, SELF, &receives[i]);
}

LC_INLINE void
complete_one (unsigned int object, unsigned int i)
{
  MPI_Wait (&receives[i], MPI_STATUS_IGNORE);
}

LC_INLINE void
test_one (unsigned int object, unsigned int i)
{
  int is_done;

  MPI_Test (&receives[i % IN_TURN], &is_done, MPI_STATUS_IGNORE);
}

LC_INLINE void
probe_one (unsigned int object, unsigned int i)
{
  MPI_Probe (SELF, MPI_STATUS_IGNORE);
}

LC_INLINE void
iprobe_one (unsigned int object, unsigned int i)
{
  int is_there;

  MPI_Iprobe (0, (int)(i % IN_TURN), MPI_COMM_SELF, &is_there, MPI_STATUS_IGNORE);
}

LC_INLINE void
barrier_one (unsigned int object, unsigned int i)
{
  MPI_Barrier (MPI_COMM_SELF);
}

LC_INLINE void
all_reduce_one (unsigned int object, unsigned int i)
{
  MPI_Allreduce (&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

LC_INLINE void
broadcast_one (unsigned int object, unsigned int i)
{
  MPI_Bcast (&number, 1, MPI_INT, 0, MPI_COMM_SELF);
}

LC_INLINE void
reduce_one (unsigned int object, unsigned int i)
{
  MPI_Reduce (&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
}

LC_INLINE void
scatter_one (unsigned int object, unsigned int i)
{
  MPI_Scatter (&number, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_SELF);
}

LC_INLINE void
gather_one (unsigned int object, unsigned int i)
{
  MPI_Gather (&number, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_SELF);
}

LC_INLINE void
all_gather_one (unsigned int object, unsigned int i)
{
  MPI_Allgather (&number, 1, MPI_INT, &sum, 1, MPI_INT, MPI_COMM_SELF);
}

LC_INLINE void
all_to_all_one (unsigned int object, unsigned int i)
{
  MPI_Alltoall (&number, 1, MPI_INT, &sum, 1, MPI_INT, MPI_COMM_SELF);
}

LC_INLINE void
reduce_scatter_one (unsigned int object, unsigned int i)
{
  MPI_Reduce_scatter_block (&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

LC_INLINE void
scan_one (unsigned int object, unsigned int i)
{
  MPI_Scan (&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

LC_INLINE void
ibarrier_one (unsigned int object, unsigned int i)
{
  MPI_Ibarrier (MPI_COMM_SELF, &receives[i]);
}

/* --- Preparations and clean-ups ------------------------------------------------------------------------------- */

static unsigned int
mpi_operations_count (const struct lc_log *log)
{
  return log->recorded ? OPERATIONS : 2 * LC_BATCH;
}

static void
mpi_operations_each (const struct lc_log *log, lc_operation *operation)
{
  for (unsigned int i = 0; i < mpi_operations_count (log); i++)
    operation (0, i);
}

static void
mpi_operations_wait_for (const struct lc_log *log, MPI_Request *requests)
{
  MPI_Waitall ((int)mpi_operations_count (log), requests, MPI_STATUSES_IGNORE);
}

#define MEASURE(name, one) lc_measure (log, "mpi", name, one, NULL, NULL)

static void
measure_sending (struct lc_log *log)
{
  mpi_operations_each (log, irecv_one);
  MEASURE ("send", send_one);
  mpi_operations_wait_for (log, receives);
  mpi_operations_each (log, irecv_one);
  MEASURE ("ssend", ssend_one);
  mpi_operations_wait_for (log, receives);
  mpi_operations_each (log, irecv_one);
  MEASURE ("isend", isend_one);
  mpi_operations_wait_for (log, sends);
  mpi_operations_wait_for (log, receives);
}

static void
measure_receiving (struct lc_log *log)
{
  mpi_operations_each (log, isend_one);
  MEASURE ("recv", recv_one);
  mpi_operations_wait_for (log, sends);
  MEASURE ("irecv", irecv_one);
  mpi_operations_each (log, send_one);
  MEASURE ("complete", complete_one);
}

static void
measure_polling (struct lc_log *log)
{
  for (unsigned int i = 0; i < IN_TURN; i++)
    irecv_one (0, i);
  MEASURE ("test-failed", test_one);
  for (unsigned int i = 0; i < IN_TURN; i++)
    send_one (0, i);
  for (unsigned int i = 0; i < IN_TURN; i++)
    complete_one (0, i);
  MEASURE ("probe-failed", iprobe_one);
  isend_one (0, 0);
  MEASURE ("probe", probe_one);
  recv_one (0, 0);
  MPI_Wait (&sends[0], MPI_STATUS_IGNORE);
}

static void
measure_collectives (struct lc_log *log)
{
  MEASURE ("barrier", barrier_one);
  MEASURE ("all-reduce", all_reduce_one);
  MEASURE ("broadcast-root", broadcast_one);
  MEASURE ("reduce-root", reduce_one);
  MEASURE ("scatter-root", scatter_one);
  MEASURE ("gather-root", gather_one);
  MEASURE ("all-gather", all_gather_one);
  MEASURE ("all-to-all", all_to_all_one);
  MEASURE ("reduce-scatter", reduce_scatter_one);
  MEASURE ("scan", scan_one);
  MEASURE ("ibarrier", ibarrier_one);
  MEASURE ("finish-all", complete_one);
}

void
lc_measure_operations (struct lc_log *log)
{
  measure_sending (log);
  measure_receiving (log);
  measure_polling (log);
  measure_collectives (log);
}
