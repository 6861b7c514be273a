/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of which nothing is recorded: messages to and from nobody, and requests that are not active. What MPI locks in
   them is none of the program's either. */
#include "expect.h"

enum
{
  TURNS = 5
};

static int word, other;
static MPI_Status status;

static void
complete (MPI_Request *request)
{
  DO (MPI_Wait (request, &status));
  CHECK (*request == MPI_REQUEST_NULL);
}

static void
send_to_nobody (void)
{
  MPI_Request request;

  DO (MPI_Send (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  DO (MPI_Ssend (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  DO (MPI_Rsend (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  DO (MPI_Bsend (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  DO (MPI_Isend (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
  complete (&request);
  DO (MPI_Issend (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
  complete (&request);
}

static void
receive_from_nobody (void)
{
  MPI_Request request;
  MPI_Message message;
  int flag;

  DO (MPI_Recv (&other, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  CHECK (status.MPI_SOURCE == MPI_PROC_NULL);
  DO (MPI_Irecv (&other, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
  complete (&request);
  DO (MPI_Probe (MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  DO (MPI_Iprobe (MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status));
  CHECK (flag);
  DO (MPI_Mprobe (MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status));
  DO (MPI_Mrecv (&other, 1, MPI_INT, &message, &status));
  DO (MPI_Improbe (MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, &status));
  CHECK (flag);
  DO (MPI_Imrecv (&other, 1, MPI_INT, &message, &request));
  complete (&request);
}

static void
exchange_with_nobody (void)
{
  DO (MPI_Sendrecv (&word, 1, MPI_INT, MPI_PROC_NULL, 1, &other, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                    &status));
  DO (MPI_Sendrecv_replace (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
}

static void
start_for_nobody (void)
{
  MPI_Request requests[2];

  DO (MPI_Send_init (&word, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]));
  DO (MPI_Recv_init (&other, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]));
  DO (MPI_Startall (2, requests));
  DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE));
  DO (MPI_Start (&requests[0]));
  DO (MPI_Wait (&requests[0], &status));
  DO (MPI_Request_free (&requests[0]));
  DO (MPI_Request_free (&requests[1]));
}

static void
wait_for_nothing (void)
{
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, idle;
  int flag, place, places[2];

  DO (MPI_Wait (&requests[0], &status));
  DO (MPI_Test (&requests[0], &flag, &status));
  DO (MPI_Waitall (2, requests, MPI_STATUSES_IGNORE));
  DO (MPI_Waitall (0, requests, MPI_STATUSES_IGNORE));
  DO (MPI_Testall (2, requests, &flag, MPI_STATUSES_IGNORE));
  DO (MPI_Waitany (2, requests, &place, &status));
  CHECK (place == MPI_UNDEFINED);
  DO (MPI_Testany (2, requests, &place, &flag, &status));
  DO (MPI_Waitsome (2, requests, &place, places, MPI_STATUSES_IGNORE));
  DO (MPI_Testsome (2, requests, &place, places, MPI_STATUSES_IGNORE));

  DO (MPI_Recv_init (&other, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &idle));
  DO (MPI_Test (&idle, &flag, &status));
  CHECK (flag);
  DO (MPI_Wait (&idle, &status));
  DO (MPI_Request_free (&idle));
}

int
main (int argc, char **argv)
{
  test_begin (&argc, &argv, MPI_THREAD_MULTIPLE);
  for (int i = 0; i < TURNS; i++)
    {
      send_to_nobody ();
      receive_from_nobody ();
      exchange_with_nobody ();
      start_for_nobody ();
      wait_for_nothing ();
    }
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
  result ("good");
  return test_end ();
}
