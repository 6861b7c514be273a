/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions, where MPI has them: communicators of groups without MPI_Init; and MPI_Init while a session goes on. */
#include "expect.h"

#include <stdio.h>

#if MPI_VERSION >= 4
/* A name ends in a hash of the members and the tag, and in how many there have been of these. Each is counted by its
   pattern here. */
#define WHOLE "session.r0.*.1"
#define AGAIN "session.r0.*.2"

static MPI_Group
group_of (MPI_Session session)
{
  MPI_Group group;

  DO (MPI_Group_from_session_pset (session, "mpi://WORLD", &group));
  return group;
}

static void
meet (MPI_Comm comm, const char *name, int members)
{
  DO (MPI_Barrier (comm));
  expect_barrier (name, members);
}

static MPI_Comm
make (MPI_Group group, const char *tag, const char *name)
{
  MPI_Comm comm;
  int members;

  DO (MPI_Group_size (group, &members));
  DO (MPI_Comm_create_from_group (group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
  expect_collective (name, "communicator", members, 0);
  meet (comm, name, members);
  return comm;
}

static void
talk (MPI_Comm comm)
{
  struct message sent = message_on (WHOLE, (rank + 1) % ranks, 5), came;
  int previous = (rank + ranks - 1) % ranks, sum, line;
  MPI_Request request;

  DO (MPI_Irecv (&came, MESSAGE, previous, 5, comm, &request));
  line = expect_later ();
  DO (MPI_Send (&sent, MESSAGE, sent.to, 5, comm));
  expect_on (WHOLE, "send", &sent, false);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, 5));
  expect_received_on (WHOLE, line, &came, false);
  DO (MPI_Allreduce (&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK (sum == ranks * (ranks - 1) / 2);
  expect_collective (WHOLE, "all-reduce", ranks, 4);
}

/* Those with even numbers, and the others. */
static void
divide (MPI_Group group)
{
  int ranges[2][1][3] = {{{0, (ranks - 1) / 2 * 2, 2}}, {{1, ranks / 2 * 2 - 1, 2}}}, own = rank % 2;
  MPI_Group halves[2];
  MPI_Comm half, both;
  char name[32];

  for (int i = 0; i < 2; i++)
    DO (MPI_Group_range_incl (group, 1, ranges[i], &halves[i]));
  snprintf (name, sizeof name, "session.r%d*.1", own);
  half = make (halves[own], "half", name);
  DO (MPI_Intercomm_create_from_groups (halves[own], 0, halves[!own], 0, "both", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                        &both));
  expect_collective ("inter.r0-r1.*.1", "communicator", ranks, 0);
  meet (both, "inter.r0-r1.*.1", ranks);
  DO (MPI_Comm_free (&both));
  DO (MPI_Comm_free (&half));
  for (int i = 0; i < 2; i++)
    DO (MPI_Group_free (&halves[i]));
}

int
main (int argc, char **argv)
{
  MPI_Session first, second;
  MPI_Group group;
  MPI_Comm comm;
  int own, all;

  DO (MPI_Session_init (MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first));
  group = group_of (first);
  DO (MPI_Group_rank (group, &own));
  DO (MPI_Group_size (group, &all));
  test_begin_as (argc, argv, own, all);
  comm = make (group, "whole", WHOLE);
  talk (comm);
  divide (group);
  DO (MPI_Session_init (MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second));
  DO (MPI_Comm_free (&comm));
  DO (MPI_Group_free (&group));
  DO (MPI_Session_finalize (&first));

  /* What was known of the world was the first session's. */
  group = group_of (second);
  comm = make (group, "whole", AGAIN);
  DO (MPI_Init (&argc, &argv));
  meet (MPI_COMM_WORLD, "world", ranks);
  DO (MPI_Finalize ());
  meet (comm, AGAIN, ranks);
  DO (MPI_Comm_free (&comm));
  DO (MPI_Group_free (&group));
  result ("good");
  DO (MPI_Session_finalize (&second));
  test_write ();
  return 0;
}
#else
int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  return test_end ();
}
#endif
