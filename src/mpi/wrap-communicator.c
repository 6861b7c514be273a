/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that make communicators: each writes an event of all that take part, and names the new communicator. */
#include "collective.h"
#include "communicators.h"

#include <stdio.h>

/* A communicator made by all members of another one. */
struct making
{
  struct lc_collective collective;
  uint32_t number; /* number of the new communicator */
};

static void
wrap_communicator_begin (struct making *making, MPI_Comm parent)
{
  lc_collective_enter (&making->collective, parent);
  lc_collective_of_all (&making->collective, LC_COMMUNICATOR, NULL, LC_NOTHING, LC_NOTHING);
  making->number = lc_communicator_next (making->collective.communicator);
  lc_collective_block (&making->collective);
}

/* `detail` as for lc_communicator_name. */
static void
wrap_communicator_end (struct making *making, int result, const MPI_Comm *made, const char *detail)
{
  struct lc_mpi_call naming;

  lc_collective_leave (&making->collective, result);
  if (result != MPI_SUCCESS)
    return;
  lc_mpi_enter_unrecorded (&naming);
  lc_communicator_name (*made, making->collective.communicator, making->number, detail);
  lc_mpi_leave (&naming);
}

/* Wraps a function that makes a communicator from `parent` and stores it in `made`. */
#define WRAP(function, parent, made, detail, parameters, arguments) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct making making; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    wrap_communicator_begin (&making, parent); \
    result = PMPI_##function arguments; \
    wrap_communicator_end (&making, result, made, detail); \
    return result; \
  }

WRAP (Comm_dup, comm, made, "", (MPI_Comm comm, MPI_Comm *made), (comm, made))
WRAP (Comm_dup_with_info, comm, made, "", (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
WRAP (Comm_create, comm, made, NULL, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
WRAP (Comm_split_type, comm, made, NULL, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made))
WRAP (Intercomm_merge, comm, made, "", (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))
WRAP (Cart_sub, comm, made, NULL, (MPI_Comm comm, const int *remain, MPI_Comm *made), (comm, remain, made))
WRAP (Graph_create, comm, made, "",
      (MPI_Comm comm, int n, const int *index, const int *edges, int reorder, MPI_Comm *made),
      (comm, n, index, edges, reorder, made))
WRAP (Dist_graph_create, comm, made, "",
      (MPI_Comm comm, int n, const int *sources, const int *degrees, const int *destinations, const int *weights,
       MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n, sources, degrees, destinations, weights, info, reorder, made))
WRAP (Dist_graph_create_adjacent, comm, made, "",
      (MPI_Comm comm, int n_in, const int *sources, const int *source_weights, int n_out, const int *destinations,
       const int *destination_weights, MPI_Info info, int reorder, MPI_Comm *made),
      (comm, n_in, sources, source_weights, n_out, destinations, destination_weights, info, reorder, made))

LC_MPI_EXPORT int
MPI_Comm_split (MPI_Comm comm, int color, int key, MPI_Comm *made)
{
  struct making making;
  char detail[16];
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_split (comm, color, key, made);
  snprintf (detail, sizeof detail, "/%d", color);
  wrap_communicator_begin (&making, comm);
  result = PMPI_Comm_split (comm, color, key, made);
  wrap_communicator_end (&making, result, made, detail);
  return result;
}

/* Tells the recorder the topology, if the communicator has all of the world and its shape has a name. */
static void
tell_topology (MPI_Comm made, int n, const int *dims, const int *periods)
{
  const struct lc_communicator *communicator = lc_communicator_find (made);
  const struct lc_communicator *world = lc_communicator_find (MPI_COMM_WORLD);
  bool cube = n > 2;
  char text[64];

  if (!communicator || !world || communicator->size != world->size)
    return;
  for (int i = 0; i < communicator->size; i++)
    if (communicator->world[i] != (uint32_t)i)
      return;
  for (int i = 0; i < n; i++)
    cube = cube && dims[i] == 2;
  if (cube)
    lc_mpi_hooks->topology ("hypercube");
  else if (n == 1 && periods[0])
    lc_mpi_hooks->topology ("ring");
  else if ((n == 1 || n == 2) && (n == 1 || !periods[0] == !periods[1]))
    {
      snprintf (text, sizeof text, "%s:%dx%d", periods[0] ? "torus" : "mesh", dims[n - 1], n == 2 ? dims[0] : 1);
      lc_mpi_hooks->topology (text);
    }
}

LC_MPI_EXPORT int
MPI_Cart_create (MPI_Comm comm, int n, const int *dims, const int *periods, int reorder, MPI_Comm *made)
{
  struct making making;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Cart_create (comm, n, dims, periods, reorder, made);
  wrap_communicator_begin (&making, comm);
  result = PMPI_Cart_create (comm, n, dims, periods, reorder, made);
  wrap_communicator_end (&making, result, made, "");
  if (result == MPI_SUCCESS && *made != MPI_COMM_NULL)
    tell_topology (*made, n, dims, periods);
  return result;
}

/* For communicators that only their members make: the making is the first operation of the new communicator. */
static void
end_of_members (struct lc_mpi_call *call, int result, const MPI_Comm *made, const char *from, int tag)
{
  struct lc_communicator *communicator = NULL;
  struct lc_mpi_call naming;

  lc_mpi_leave (call);
  if (result != MPI_SUCCESS || *made == MPI_COMM_NULL)
    return;
  lc_mpi_enter_unrecorded (&naming);
  lc_communicator_name_set (*made, from, tag);
  communicator = lc_communicator_find (*made);
  lc_mpi_leave (&naming);
  if (communicator)
    lc_mpi_append (call, &(struct lc_finished){.operation = LC_COMMUNICATOR,
                                               .object = communicator->object,
                                               .sequence = communicator->collectives++,
                                               .value = communicator->members});
}

LC_MPI_EXPORT int
MPI_Comm_create_group (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
  const struct lc_communicator *parent;
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_create_group (comm, group, tag, made);
  lc_mpi_enter (&call);
  parent = lc_communicator_find (comm);
  result = PMPI_Comm_create_group (comm, group, tag, made);
  end_of_members (&call, parent ? result : MPI_ERR_COMM, made, parent ? parent->name : "", tag);
  return result;
}

LC_MPI_EXPORT int
MPI_Intercomm_create (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Intercomm_create (local, local_leader, peer, remote_leader, tag, made);
  lc_mpi_enter (&call);
  result = PMPI_Intercomm_create (local, local_leader, peer, remote_leader, tag, made);
  end_of_members (&call, result, made, "inter", tag);
  return result;
}

#if MPI_VERSION >= 4
/* Returns a number for a tag that is a text, as names have a number there. */
static int
wrap_communicator_number_of (const char *text)
{
  uint32_t hash = UINT32_C (0x811c9dc5);

  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT32_C (0x01000193);
  return (int)hash;
}

LC_MPI_EXPORT int
MPI_Comm_create_from_group (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_create_from_group (group, tag, info, handler, made);
  lc_mpi_enter (&call);
  result = PMPI_Comm_create_from_group (group, tag, info, handler, made);
  end_of_members (&call, result, made, "session", wrap_communicator_number_of (tag));
  return result;
}

LC_MPI_EXPORT int
MPI_Intercomm_create_from_groups (MPI_Group local, int local_leader, MPI_Group remote, int remote_leader,
                                  const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Intercomm_create_from_groups (local, local_leader, remote, remote_leader, tag, info, handler, made);
  lc_mpi_enter (&call);
  result = PMPI_Intercomm_create_from_groups (local, local_leader, remote, remote_leader, tag, info, handler, made);
  end_of_members (&call, result, made, "inter", wrap_communicator_number_of (tag));
  return result;
}
#endif

/* Wraps functions that connect to another world: the processes of this one take part together, and nothing can be known
 * of the new communicator. */
#define WRAP_OTHERS(function, parameters, arguments) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct lc_collective collective; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    lc_collective_enter (&collective, comm); \
    lc_collective_of_all (&collective, LC_COMMUNICATOR, NULL, LC_NOTHING, LC_NOTHING); \
    lc_collective_block (&collective); \
    result = PMPI_##function arguments; \
    lc_collective_leave (&collective, result); \
    return result; \
  }

WRAP_OTHERS (Comm_spawn,
             (const char *command, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
              int codes[]),
             (command, argv, n, info, root, comm, made, codes))
WRAP_OTHERS (Comm_spawn_multiple,
             (int n, char *commands[], char **argvs[], const int processes[], const MPI_Info infos[], int root,
              MPI_Comm comm, MPI_Comm *made, int codes[]),
             (n, commands, argvs, processes, infos, root, comm, made, codes))
WRAP_OTHERS (Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
             (port, info, root, comm, made))
WRAP_OTHERS (Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
             (port, info, root, comm, made))

LC_MPI_EXPORT int
MPI_Comm_join (int file, MPI_Comm *made)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_join (file, made);
  lc_mpi_enter (&call);
  result = PMPI_Comm_join (file, made);
  lc_mpi_leave (&call);
  return result;
}

/* Comm_idup is recorded as the only operation that does nothing but synchronise, a barrier; the communicator is named
 * when the request is complete. */
static void
wrap_communicator_begun (struct making *making, int result, MPI_Comm *made, MPI_Request *request)
{
  struct lc_pending_communicator pending = {made, making->collective.communicator, making->number};

  lc_collective_begun (&making->collective, result, request, &pending);
}

static void
begin_duplicate (struct making *making, MPI_Comm parent)
{
  lc_collective_enter (&making->collective, parent);
  lc_collective_of_all (&making->collective, LC_BARRIER, NULL, LC_NOTHING, LC_NOTHING);
  making->number = lc_communicator_next (making->collective.communicator);
}

LC_MPI_EXPORT int
MPI_Comm_idup (MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
  struct making making;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_idup (comm, made, request);
  begin_duplicate (&making, comm);
  result = PMPI_Comm_idup (comm, made, request);
  wrap_communicator_begun (&making, result, made, request);
  return result;
}

#if MPI_VERSION >= 4
LC_MPI_EXPORT int
MPI_Comm_idup_with_info (MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request)
{
  struct making making;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_idup_with_info (comm, info, made, request);
  begin_duplicate (&making, comm);
  result = PMPI_Comm_idup_with_info (comm, info, made, request);
  wrap_communicator_begun (&making, result, made, request);
  return result;
}
#endif

/* No event is written, as no process waits for another; but the recorder is suspended, as in all calls of MPI. */
LC_MPI_EXPORT int
MPI_Comm_free (MPI_Comm *comm)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_free (comm);
  lc_mpi_enter_unrecorded (&call);
  result = PMPI_Comm_free (comm);
  lc_mpi_leave (&call);
  return result;
}

LC_MPI_EXPORT int
MPI_Comm_disconnect (MPI_Comm *comm)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Comm_disconnect (comm);
  lc_mpi_enter_unrecorded (&call);
  result = PMPI_Comm_disconnect (comm);
  lc_mpi_leave (&call);
  return result;
}
