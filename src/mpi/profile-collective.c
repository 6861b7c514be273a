/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: collective operations. */
#include <string.h>

#include "profile-usual.h"
#include "profile.h"

/*
 * The delay travels with a broadcast as with a message. Before other operations, a small operation of the same flow
 * combines the delays (section 4.3: MPI_Barrier as a gathering and a broadcast). The wait for its last member is that
 * of the program, which comes earlier, and what has come between is not the measurement's; what it usually takes
 * besides is overhead.
 */
enum flow
{
  TO_ALL,
  TO_ROOT,
  FROM_ROOT,
  UPWARDS, /* from lower ranks to higher ones */
  FLOWS,
};

enum
{
  ROUNDS = 8, /* of each flow, when the program starts */
  SIZES = 24, /* classes of communicators: 1, 2-3, 4-7 ... members */
};

/* What the small operation costs a member: by flow, by whether the member is told the delays, by class of size. */
static struct lc_usual usual[FLOWS][2][SIZES];
static int64_t first[FLOWS][2]; /* at the program's start; 0: not known */

/* A small operation, as one member sees it. */
struct exchange
{
  enum flow flow;
  bool learns; /* the member is told the delays */
  int size;    /* class of the communicator's size */
  struct lc_compensation_group group;
};

/* --- Its cost ---------------------------------------------------------------------------------------------- */

/* Where it is known when the last member came, what the operation took afterwards tells its cost. Who sends to the
 * root may have waited for others that do, and nothing tells for how long; the root that sends waits for nobody. */
static bool
profile_collective_is_clear (const struct exchange *exchange)
{
  return exchange->learns ? lc_profile_one_clock : exchange->flow == FROM_ROOT;
}

/* Returns how much of what the operation took without waiting is overhead. */
static int64_t
profile_collective_cost (const struct exchange *exchange, int64_t took)
{
  struct lc_usual *known = &usual[exchange->flow][exchange->learns][exchange->size];

  if (profile_collective_is_clear (exchange))
    lc_usual_add (known, took);
  return lc_usual_limit (known, first[exchange->flow][exchange->learns], took);
}

/* Adds the part of the small operation that was waiting, and returns it. */
static int64_t
profile_collective_account (struct lc_profile_call *call, const struct exchange *exchange, int64_t back)
{
  struct lc_profile_thread *thread = call->thread;
  int64_t begin = call->go, took = back - begin, cost = first[exchange->flow][exchange->learns], there, bare, measured;

  if (lc_profile_one_clock)
    {
      there = -exchange->group.minus_last;
      bare = -exchange->group.minus_last_bare;
    }
  else
    {
      there = begin + (took > cost ? took - cost : 0);
      bare = there - exchange->group.delay;
    }
  measured = there > begin ? there - begin : 0;
  if (measured > took)
    measured = took;
  lc_profile_add_waiting (thread, measured, lc_compensation_wait (&thread->self, begin, there, bare));
  return measured;
}

/* --- The operation ----------------------------------------------------------------------------------------- */

static int
profile_collective_class_of (MPI_Comm communicator)
{
  int members = 1, class = 0;

  PMPI_Comm_size (communicator, &members);
  while (members > 1 && class < SIZES - 1)
    {
      members /= 2;
      class ++;
    }
  return class;
}

/* Carries it out, for a member that comes at `at` with this delay. Returns what MPI does. */
static int
profile_collective_carry (struct exchange *exchange, enum flow flow, int root, MPI_Comm communicator, int64_t at,
                          int64_t delay)
{
  struct lc_compensation_group own = LC_COMPENSATION_GROUP_INIT, *group = &exchange->group;
  int is_between = 0, rank = 0;
  bool is_root;

  PMPI_Comm_test_inter (communicator, &is_between);
  PMPI_Comm_rank (communicator, &rank);
  is_root = is_between ? root == MPI_ROOT : root == rank;
  *exchange = (struct exchange){flow, flow == TO_ROOT ? is_root : flow != FROM_ROOT || !is_root,
                                profile_collective_class_of (communicator), LC_COMPENSATION_GROUP_INIT};
  lc_compensation_arrive (&own, at, delay);
  if (flow == TO_ALL)
    return PMPI_Allreduce (&own, group, 3, MPI_INT64_T, MPI_MIN, communicator);
  if (flow == TO_ROOT)
    return PMPI_Reduce (&own, group, 3, MPI_INT64_T, MPI_MIN, root, communicator);
  if (flow == UPWARDS)
    return PMPI_Scan (&own, group, 3, MPI_INT64_T, MPI_MIN, communicator);
  *group = own;
  return PMPI_Bcast (group, 3, MPI_INT64_T, root, communicator);
}

static void
profile_collective_exchange (struct lc_profile_call *call, enum flow flow, int root, MPI_Comm communicator)
{
  struct lc_profile_thread *thread = call->thread;
  struct exchange exchange;
  int64_t back, waited = 0;
  int result;

  if (!lc_profile_carries || communicator == MPI_COMM_NULL || root == MPI_PROC_NULL)
    return;
  result =
      profile_collective_carry (&exchange, flow, root, communicator, call->go, lc_compensation_delay (&thread->self));
  back = lc_profile_now ();
  if (result == MPI_SUCCESS && exchange.learns)
    waited = profile_collective_account (call, &exchange, back);
  lc_compensation_add (&thread->self, profile_collective_cost (&exchange, back - call->go - waited));
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
  bool carries = lc_profile_carries && comm != MPI_COMM_NULL;
  struct exchange exchange;
  int64_t waited;
  int result;

  if (!lc_profile_begin (&call, &routine))
    return PMPI_Barrier (comm);
  lc_profile_go (&call);
  if (carries)
    result = profile_collective_carry (&exchange, TO_ALL, 0, comm, call.go, lc_compensation_delay (&call.thread->self));
  else
    result = PMPI_Barrier (comm);
  lc_profile_back (&call);
  if (carries && result == MPI_SUCCESS)
    {
      waited = profile_collective_account (&call, &exchange, call.back);
      profile_collective_cost (&exchange, call.back - call.go - waited);
    }
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

/* --- The beginning ----------------------------------------------------------------------------------------- */

/* Tries a small operation, and adds what it took. */
static void
profile_collective_try (enum flow flow, int root, struct lc_usual tried[FLOWS][2])
{
  struct exchange exchange;
  int64_t begin = lc_profile_now (), there = begin, back;
  int result = profile_collective_carry (&exchange, flow, root, MPI_COMM_WORLD, begin, 0);

  back = lc_profile_now ();
  if (exchange.learns && lc_profile_one_clock && -exchange.group.minus_last > begin)
    there = -exchange.group.minus_last;
  if (result == MPI_SUCCESS)
    lc_usual_add (&tried[flow][exchange.learns], back > there ? back - there : 0);
}

/* The ranks begin each operation when they have ended one of all, so that they come at about the same time. Roots take
 * turns, and all ranks use the least of what they have found. */
void
lc_profile_collective_begin (void)
{
  struct lc_usual tried[FLOWS][2] = {0};
  int64_t own[FLOWS][2];

  for (int round = 0; round < ROUNDS; round++)
    for (int flow = TO_ROOT; flow < FLOWS; flow++)
      {
        profile_collective_try (TO_ALL, 0, tried);
        profile_collective_try ((enum flow)flow, round % lc_profile_ranks, tried);
      }
  for (int i = 0; i < 2 * FLOWS; i++)
    {
      int64_t found = lc_usual_get (&tried[i / 2][i % 2], 0);

      own[i / 2][i % 2] = found > 0 ? found : INT64_MAX;
    }
  if (PMPI_Allreduce (own, first, 2 * FLOWS, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS)
    memset (first, 0, sizeof first);
  for (int i = 0; i < 2 * FLOWS; i++)
    if (first[i / 2][i % 2] == INT64_MAX)
      first[i / 2][i % 2] = 0;
}
