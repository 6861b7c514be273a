/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that fail and return (MPI_ERRORS_RETURN): nothing is recorded of them, and numbers go on as if they had not
 * been. */
#include "expect.h"

enum
{
  TAG = 1,
  SHORT,
};

static int next, previous;

static void
exchange (int tag)
{
  struct message sent = message_to (next, tag), came;

  DO (MPI_Sendrecv (&sent, MESSAGE, next, tag, &came, MESSAGE, previous, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK (is_from (&came, previous, tag));
  expect_message ("isend", &sent);
  expect_message ("recv", &came);
  expect_message ("complete", &sent);
}

/* A line of the results: which class of error it was. */
#define FAILS(call) fails (#call, call)
static void
fails (const char *what, int error)
{
  int class;

  test_check (error != MPI_SUCCESS, what, __FILE__, __LINE__);
  MPI_Error_class (error, &class);
  result ("%s: %d", what, class);
}

static void
wrong_arguments (void)
{
  MPI_Request request, bad = MPI_REQUEST_NULL;
  int word = 0, flag;

  FAILS (MPI_Send (&word, 1, MPI_INT, ranks + 5, TAG, MPI_COMM_WORLD));
  FAILS (MPI_Send (&word, 1, MPI_INT, next, -17, MPI_COMM_WORLD));
  FAILS (MPI_Send (&word, 1, MPI_DATATYPE_NULL, next, TAG, MPI_COMM_WORLD));
  FAILS (MPI_Ssend (&word, 1, MPI_INT, -50, TAG, MPI_COMM_WORLD));
  FAILS (MPI_Recv (&word, 1, MPI_INT, ranks, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  FAILS (MPI_Isend (&word, 1, MPI_INT, ranks, TAG, MPI_COMM_WORLD, &request));
  FAILS (MPI_Irecv (&word, 1, MPI_INT, ranks, TAG, MPI_COMM_WORLD, &request));
  FAILS (MPI_Sendrecv (&word, 1, MPI_INT, ranks, TAG, &word, 1, MPI_INT, previous, TAG, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
  FAILS (MPI_Probe (ranks, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  FAILS (MPI_Iprobe (ranks, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  FAILS (MPI_Bcast (&word, 1, MPI_INT, ranks, MPI_COMM_WORLD));
  FAILS (MPI_Ibcast (&word, 1, MPI_INT, ranks, MPI_COMM_WORLD, &request));
  FAILS (MPI_Start (&bad));
}

/* More comes than there is room for: it was received all the same, but is no event. */
static void
too_long (void)
{
  struct message sent = message_to (next, SHORT);
  MPI_Request request;
  int word;

  DO (MPI_Isend (&sent, MESSAGE, next, SHORT, MPI_COMM_WORLD, &request));
  expect_message ("isend", &sent);
  FAILS (MPI_Recv (&word, 1, MPI_INT, previous, SHORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DO (MPI_Wait (&request, MPI_STATUS_IGNORE));
  expect_message ("complete", &sent);
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  next = (rank + 1) % ranks;
  previous = (rank + ranks - 1) % ranks;
  DO (MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DO (MPI_Comm_set_errhandler (MPI_COMM_SELF, MPI_ERRORS_RETURN));
  exchange (TAG);
  wrong_arguments ();
  exchange (TAG);
  too_long ();
  exchange (SHORT);
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  return test_end ();
}
