/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: collective operations. */
#include "profile.h"

/*
 * The delay travels with a broadcast as with a message. Before other operations, a small operation of the same flow
 * combines the delays (section 4.3: MPI_Barrier as a gathering and a broadcast); its time without waiting is
 * overhead.
 */
enum flow
{
  TO_ALL,
  TO_ROOT,
  FROM_ROOT,
  UPWARDS, /* from lower ranks to higher ones */
  FLOWS,
};

/* The least time of the small operation, thus without waiting. */
static int64_t least_cost[FLOWS];

static void
profile_collective_lower (int64_t *least, int64_t value)
{
  if (value < __atomic_load_n (least, __ATOMIC_RELAXED))
    __atomic_store_n (least, value, __ATOMIC_RELAXED);
}

/* Adds the part of the small operation that was waiting, and returns it. `group` is what the operation has brought. */
static int64_t
profile_collective_account (struct lc_profile_call *call, enum flow flow, int64_t back,
                            const struct lc_compensation_group *group)
{
  struct lc_profile_thread *thread = call->thread;
  int64_t begin = call->go, took = back - begin, there, bare, measured;

  profile_collective_lower (&least_cost[flow], took);
  if (lc_profile_one_clock)
    {
      there = -group->minus_last;
      bare = -group->minus_last_bare;
    }
  else
    {
      there = begin + took - least_cost[flow];
      bare = there - group->delay;
    }
  measured = there > begin ? there - begin : 0;
  if (measured > took)
    measured = took;
  lc_profile_add_waiting (thread, measured, lc_compensation_wait (&thread->self, begin, there, bare));
  return measured;
}

static void
profile_collective_exchange (struct lc_profile_call *call, enum flow flow, int root, MPI_Comm communicator)
{
  struct lc_compensation_group own = LC_COMPENSATION_GROUP_INIT, group = LC_COMPENSATION_GROUP_INIT;
  struct lc_profile_thread *thread = call->thread;
  int is_between = 0, rank = 0, result = MPI_SUCCESS;
  int64_t back, waited = 0;
  bool learns;

  if (!lc_profile_carries || communicator == MPI_COMM_NULL || root == MPI_PROC_NULL)
    return;
  PMPI_Comm_test_inter (communicator, &is_between);
  PMPI_Comm_rank (communicator, &rank);
  learns = is_between ? root == MPI_ROOT : root == rank;
  lc_compensation_arrive (&own, call->go, lc_compensation_delay (&thread->self));
  if (flow == TO_ALL)
    result = PMPI_Allreduce (&own, &group, 3, MPI_INT64_T, MPI_MIN, communicator);
  else if (flow == TO_ROOT)
    result = PMPI_Reduce (&own, &group, 3, MPI_INT64_T, MPI_MIN, root, communicator);
  else if (flow == UPWARDS)
    result = PMPI_Scan (&own, &group, 3, MPI_INT64_T, MPI_MIN, communicator);
  else
    {
      learns = !learns;
      group = own;
      result = PMPI_Bcast (&group, 3, MPI_INT64_T, root, communicator);
    }
  back = lc_profile_now ();
  if (result == MPI_SUCCESS && (learns || flow == TO_ALL || flow == UPWARDS))
    waited = profile_collective_account (call, flow, back, &group);
  lc_compensation_add (&thread->self, back - call->go - waited);
}

void
lc_profile_come_together (struct lc_profile_call *call, MPI_Comm communicator)
{
  profile_collective_exchange (call, TO_ALL, 0, communicator);
}

#define WRAPPER(function, flow, root, communicator, parameters, arguments) \
  LC_PROFILE_EXPORT int MPI_##function parameters \
  { \
    static struct lc_profile_routine routine = {.name = "MPI_" #function, .kind = LC_PROFILE_MPI}; \
    struct lc_profile_call call; \
    int result; \
\
    if (!lc_profile_begin (&call, &routine)) \
      return PMPI_##function arguments; \
    lc_profile_go (&call); \
    profile_collective_exchange (&call, flow, root, communicator); \
    result = PMPI_##function arguments; \
    lc_profile_back (&call); \
    lc_profile_end (&call); \
    return result; \
  }

WRAPPER (Reduce, TO_ROOT, root, comm,
         (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
         (from, to, n, type, op, root, comm))
WRAPPER (Gather, TO_ROOT, root, comm,
         (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype to_type, int root,
          MPI_Comm comm),
         (from, n, type, to, n_to, to_type, root, comm))
WRAPPER (Gatherv, TO_ROOT, root, comm,
         (const void *from, int n, MPI_Datatype type, void *to, const int ns[], const int places[],
          MPI_Datatype to_type, int root, MPI_Comm comm),
         (from, n, type, to, ns, places, to_type, root, comm))
WRAPPER (Scatter, FROM_ROOT, root, comm,
         (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype to_type, int root,
          MPI_Comm comm),
         (from, n, type, to, n_to, to_type, root, comm))
WRAPPER (Scatterv, FROM_ROOT, root, comm,
         (const void *from, const int ns[], const int places[], MPI_Datatype type, void *to, int n_to,
          MPI_Datatype to_type, int root, MPI_Comm comm),
         (from, ns, places, type, to, n_to, to_type, root, comm))
WRAPPER (Allreduce, TO_ALL, 0, comm, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, n, type, op, comm))
WRAPPER (Allgather, TO_ALL, 0, comm,
         (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype to_type, MPI_Comm comm),
         (from, n, type, to, n_to, to_type, comm))
WRAPPER (Allgatherv, TO_ALL, 0, comm,
         (const void *from, int n, MPI_Datatype type, void *to, const int ns[], const int places[],
          MPI_Datatype to_type, MPI_Comm comm),
         (from, n, type, to, ns, places, to_type, comm))
WRAPPER (Alltoall, TO_ALL, 0, comm,
         (const void *from, int n, MPI_Datatype type, void *to, int n_to, MPI_Datatype to_type, MPI_Comm comm),
         (from, n, type, to, n_to, to_type, comm))
WRAPPER (Alltoallv, TO_ALL, 0, comm,
         (const void *from, const int ns[], const int places[], MPI_Datatype type, void *to, const int to_ns[],
          const int to_places[], MPI_Datatype to_type, MPI_Comm comm),
         (from, ns, places, type, to, to_ns, to_places, to_type, comm))
WRAPPER (Alltoallw, TO_ALL, 0, comm,
         (const void *from, const int ns[], const int places[], const MPI_Datatype types[], void *to, const int to_ns[],
          const int to_places[], const MPI_Datatype to_types[], MPI_Comm comm),
         (from, ns, places, types, to, to_ns, to_places, to_types, comm))
WRAPPER (Reduce_scatter, TO_ALL, 0, comm,
         (const void *from, void *to, const int ns[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, ns, type, op, comm))
WRAPPER (Reduce_scatter_block, TO_ALL, 0, comm,
         (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, n, type, op, comm))
WRAPPER (Scan, UPWARDS, 0, comm, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, n, type, op, comm))
WRAPPER (Exscan, UPWARDS, 0, comm, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
         (from, to, n, type, op, comm))

/* The small operation replaces the barrier, as all processes wait in it alike. */
LC_PROFILE_EXPORT int
MPI_Barrier (MPI_Comm comm)
{
  static struct lc_profile_routine routine = {.name = "MPI_Barrier", .kind = LC_PROFILE_MPI};
  struct lc_profile_call call;
  struct lc_compensation_group own = LC_COMPENSATION_GROUP_INIT, group;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Barrier (comm);
  lc_profile_go (&call);
  lc_compensation_arrive (&own, call.go, lc_compensation_delay (&call.thread->self));
  if (lc_profile_carries && comm != MPI_COMM_NULL)
    result = PMPI_Allreduce (&own, &group, 3, MPI_INT64_T, MPI_MIN, comm);
  else
    result = PMPI_Barrier (comm);
  lc_profile_back (&call);
  if (lc_profile_carries && result == MPI_SUCCESS)
    profile_collective_account (&call, TO_ALL, call.back, &group);
  lc_profile_end (&call);
  return result;
}

LC_PROFILE_EXPORT int
MPI_Bcast (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
  static struct lc_profile_routine routine = {.name = "MPI_Bcast", .kind = LC_PROFILE_MPI};
  struct lc_received received = {0};
  struct lc_profile_call call;
  struct lc_carrier *carrier;
  int result, is_between = 0, rank = 0;
  bool sends;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Bcast (buffer, count, type, root, comm);
  carrier = comm != MPI_COMM_NULL ? lc_carrier_take (buffer, count, type, root) : NULL;
  if (carrier == NULL)
    {
      lc_profile_go (&call);
      result = PMPI_Bcast (buffer, count, type, root, comm);
      lc_profile_back (&call);
      lc_profile_end (&call);
      return result;
    }
  PMPI_Comm_test_inter (comm, &is_between);
  PMPI_Comm_rank (comm, &rank);
  sends = is_between ? root == MPI_ROOT : root == rank;
  lc_profile_go (&call);
  if (sends)
    lc_carrier_send (carrier, &call);
  else
    lc_carrier_expect (carrier);
  result = PMPI_Bcast (carrier->base, carrier->type_count, carrier->type, root, comm);
  lc_profile_back (&call);
  if (!sends)
    {
      lc_received_add (&received, carrier);
      lc_profile_received (&call, &received);
    }
  lc_carrier_give (carrier);
  lc_profile_end (&call);
  return result;
}

void
lc_profile_collective_begin (void)
{
  for (int i = 0; i < FLOWS; i++)
    least_cost[i] = INT64_MAX;
}
