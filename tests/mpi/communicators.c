/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators made in each of the ways that MPI has for it, and messages and collective operations on them. */
#include "expect.h"

#include <stdio.h>
#include <string.h>

enum
{
  TAG = 3
};

static int made; /* from the world */

static const char *
next_name (const char *detail)
{
  static char names[4][64];
  static unsigned n;
  char *name = names[n++ % 4];

  snprintf (name, sizeof names[0], "world.%d%s", ++made, detail);
  return name;
}

static void
made_by_all (void)
{
  expect_collective ("world", "communicator", ranks, 0);
}

/* A message around it, and a sum. `first`, `step`: rank i of it is first + step * i in the world. */
static void
use (MPI_Comm comm, const char *name, int first, int step)
{
  struct message sent, came;
  int size, me, next, previous, sum, one = 1;

  DO (MPI_Comm_size (comm, &size));
  DO (MPI_Comm_rank (comm, &me));
  CHECK (rank == first + step * me);
  next = (me + 1) % size;
  previous = (me + size - 1) % size;
  sent = message_on (name, first + step * next, TAG);
  DO (MPI_Sendrecv (&sent, MESSAGE, next, TAG, &came, MESSAGE, previous, TAG, comm, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, first + step * previous, TAG));
  expect_on (name, "isend", &sent, false);
  expect_on (name, "recv", &came, false);
  expect_on (name, "complete", &sent, false);
  DO (MPI_Allreduce (&one, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK (sum == size);
  expect_collective (name, "all-reduce", size, 4);
  DO (MPI_Barrier (comm));
  expect_barrier (name, size);
}

static void
duplicate (void)
{
  const char *name = next_name ("");
  MPI_Comm comm, again;
  MPI_Request request;
  int number;

  DO (MPI_Comm_dup (MPI_COMM_WORLD, &comm));
  made_by_all ();
  use (comm, name, 0, 1);
  DO (MPI_Comm_dup (comm, &again));
  expect_collective (name, "communicator", ranks, 0);
  use (again, "world.1.1", 0, 1);
  DO (MPI_Comm_free (&again));
  DO (MPI_Comm_free (&comm));

  name = next_name ("");
  DO (MPI_Comm_dup_with_info (MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
  made_by_all ();
  use (comm, name, 0, 1);
  DO (MPI_Comm_free (&comm));

  name = next_name ("");
  DO (MPI_Comm_idup (MPI_COMM_WORLD, &comm, &request));
  number = expect_collective ("world", "ibarrier", ranks, 0);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  expect_finish ("world", "finish-all", number, ranks, 0);
  use (comm, name, 0, 1);
  DO (MPI_Comm_disconnect (&comm));

#if MPI_VERSION >= 4
  name = next_name ("");
  DO (MPI_Comm_idup_with_info (MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request));
  number = expect_collective ("world", "ibarrier", ranks, 0);
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  expect_finish ("world", "finish-all", number, ranks, 0);
  use (comm, name, 0, 1);
  DO (MPI_Comm_free (&comm));
#endif
}

static void
divide (void)
{
  char detail[16];
  const char *name;
  MPI_Comm comm;

  snprintf (detail, sizeof detail, "/%d", rank % 2);
  name = next_name (detail);
  DO (MPI_Comm_split (MPI_COMM_WORLD, rank % 2, rank, &comm));
  made_by_all ();
  use (comm, name, rank % 2, 2);
  DO (MPI_Comm_free (&comm));

  /* The other way round; and rank 0 in none. */
  name = next_name ("/7");
  DO (MPI_Comm_split (MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 7, -rank, &comm));
  made_by_all ();
  CHECK ((comm == MPI_COMM_NULL) == (rank == 0));
  if (rank != 0)
    {
      use (comm, name, ranks - 1, -1);
      DO (MPI_Comm_free (&comm));
    }

  name = next_name ("/r0");
  DO (MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
  made_by_all ();
  use (comm, name, 0, 1);
  DO (MPI_Comm_free (&comm));
}

static void
of_a_group (void)
{
  MPI_Group world, odd;
  const char *name;
  MPI_Comm comm;

  DO (MPI_Comm_group (MPI_COMM_WORLD, &world));
  DO (MPI_Group_range_incl (world, 1, (int[1][3]){{1, ranks - 1, 2}}, &odd));
  name = next_name ("/r1");
  DO (MPI_Comm_create (MPI_COMM_WORLD, odd, &comm));
  made_by_all ();
  CHECK ((comm == MPI_COMM_NULL) == (rank % 2 == 0));
  if (rank % 2 == 1)
    {
      use (comm, name, 1, 2);
      DO (MPI_Comm_free (&comm));
    }

  /* Only its members know of it. */
  for (int i = 1; rank % 2 == 1 && i <= 2; i++)
    {
      char pattern[32];

      snprintf (pattern, sizeof pattern, "world.r1.*.%d", i);
      DO (MPI_Comm_create_group (MPI_COMM_WORLD, odd, 5, &comm));
      expect_collective (pattern, "communicator", ranks / 2, 0);
      use (comm, pattern, 1, 2);
      DO (MPI_Comm_free (&comm));
    }
  DO (MPI_Group_free (&odd));
  DO (MPI_Group_free (&world));
}

/* Rooted operations of an intercommunicator: those of the root's group, but it, only look on. */
static void
across (MPI_Comm inter, const char *name)
{
  int even = rank % 2 == 0, there = (ranks + (even ? 0 : 1)) / 2, value = rank, sum, word = even ? 42 : 0;
  int root = !even ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  struct message sent, came;
  int me = rank / 2, to = 2 * me + even;

  sent = message_on (name, to, TAG);
  DO (MPI_Sendrecv (&sent, MESSAGE, me, TAG, &came, MESSAGE, me, TAG, inter, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, to, TAG));
  expect_on (name, "isend", &sent, false);
  expect_on (name, "recv", &came, false);
  expect_on (name, "complete", &sent, false);

  DO (MPI_Allreduce (&value, &sum, 1, MPI_INT, MPI_SUM, inter));
  CHECK (sum == there * (there - 1) + (even ? there : 0));
  expect_collective (name, "all-reduce", ranks, 4);

  DO (MPI_Bcast (&word, 1, MPI_INT, root, inter));
  CHECK (word == 42);
  if (root == MPI_PROC_NULL)
    expect_unseen (name);
  else
    expect_collective (name, even ? "broadcast-root" : "broadcast-recv", 1 + ranks / 2, 4);

  DO (MPI_Reduce (&value, &sum, 1, MPI_INT, MPI_SUM, root, inter));
  CHECK (root != MPI_ROOT || sum == there * (there - 1) + there);
  if (root == MPI_PROC_NULL)
    expect_unseen (name);
  else
    expect_collective (name, even ? "reduce-root" : "reduce", 1 + ranks / 2, 4);

  DO (MPI_Barrier (inter));
  expect_barrier (name, ranks);
}

static void
between_groups (void)
{
  char detail[16];
  const char *name;
  MPI_Comm half, inter, merged, both;

  snprintf (detail, sizeof detail, "/%d", rank % 2);
  next_name (detail);
  DO (MPI_Comm_split (MPI_COMM_WORLD, rank % 2, rank, &half));
  made_by_all ();
  DO (MPI_Intercomm_create (half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 9, &inter));
  name = "inter.r0-r1.*.1";
  expect_collective (name, "communicator", ranks, 0);
  across (inter, name);
  DO (MPI_Intercomm_merge (inter, rank % 2, &merged));
  expect_collective (name, "communicator", ranks, 0);
  DO (MPI_Barrier (merged));
  expect_barrier ("inter.r0-r1.*.1.1", ranks);
  DO (MPI_Comm_dup (inter, &both));
  expect_collective (name, "communicator", ranks, 0);
  across (both, "inter.r0-r1.*.1.2");
  DO (MPI_Comm_free (&both));
  DO (MPI_Comm_free (&merged));
  DO (MPI_Comm_free (&inter));
  DO (MPI_Comm_free (&half));
}

static void
alone (void)
{
  MPI_Comm comm;
  char name[32];
  int sum, one = 1;

  snprintf (name, sizeof name, "self/r%d", rank);
  DO (MPI_Allreduce (&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
  expect_collective (name, "all-reduce", 1, 4);
  DO (MPI_Comm_dup (MPI_COMM_SELF, &comm));
  expect_collective (name, "communicator", 1, 0);
  strcat (name, ".1");
  use (comm, name, rank, 1);
  DO (MPI_Comm_free (&comm));
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  duplicate ();
  divide ();
  of_a_group ();
  between_groups ();
  alone ();
  return test_end ();
}
