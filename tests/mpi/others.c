/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of other worlds: two are spawned, and two connect by themselves. They write into FOLDER/children. */
#include "expect.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  CHILDREN = 2
};

static void
greet (MPI_Comm others, int from, int to, bool is_sender)
{
  int word = is_sender ? 17 : 0;

  if (is_sender)
    DO (MPI_Send (&word, 1, MPI_INT, to, 3, others));
  else
    DO (MPI_Recv (&word, 1, MPI_INT, from, 3, others, MPI_STATUS_IGNORE));
  CHECK (word == 17);
}

/* What each world does by itself. */
static void
turn (void)
{
  struct message sent = message_to (1 - rank, 7), came;

  if (rank == 0)
    {
      DO (MPI_Send (&sent, MESSAGE, 1, 7, MPI_COMM_WORLD));
      expect_message ("send", &sent);
    }
  else if (rank == 1)
    {
      DO (MPI_Recv (&came, MESSAGE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      expect_message ("recv", &came);
    }
  DO (MPI_Barrier (MPI_COMM_WORLD));
  expect_barrier ("world", ranks);
}

static void
spawn (char *program, const char *folder)
{
  char path[4096], *arguments[] = {path, NULL}, *commands[] = {program, program}, **lists[] = {arguments, arguments};
  const int numbers[] = {1, 1};
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm others;

  snprintf (path, sizeof path, "%s/children", folder);
  if (rank == 0)
    CHECK (mkdir (path, 0777) == 0);
  DO (MPI_Comm_spawn (program, arguments, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE));
  expect_collective ("world", "communicator", ranks, 0);
  if (rank == 0)
    greet (others, 0, 1, true);
  DO (MPI_Comm_disconnect (&others));

  snprintf (path, sizeof path, "%s/more", folder);
  if (rank == 0)
    CHECK (mkdir (path, 0777) == 0);
  DO (MPI_Comm_spawn_multiple (2, commands, lists, numbers, infos, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE));
  expect_collective ("world", "communicator", ranks, 0);
  if (rank == 0)
    greet (others, 0, 1, true);
  DO (MPI_Comm_disconnect (&others));
}

/* By a port, as if they were of different worlds. */
static void
connect_ports (void)
{
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;

  if (rank == 0)
    DO (MPI_Open_port (MPI_INFO_NULL, port));
  DO (MPI_Bcast (port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
  expect_collective ("world", rank == 0 ? "broadcast-root" : "broadcast-recv", ranks, MPI_MAX_PORT_NAME);
  if (rank == 0)
    DO (MPI_Comm_accept (port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
  else
    DO (MPI_Comm_connect (port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
  expect_collective (rank == 0 ? "self/r0" : "self/r1", "communicator", 1, 0);
  DO (MPI_Comm_disconnect (&other));
  if (rank == 0)
    DO (MPI_Close_port (port));
}

/* By a connection of sockets. */
static void
join (void)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int file = socket (AF_INET, SOCK_STREAM, 0), taken = -1;
  MPI_Comm other;

  if (rank == 0)
    {
      CHECK (bind (file, (struct sockaddr *)&address, sizeof address) == 0 && listen (file, 1) == 0);
      CHECK (getsockname (file, (struct sockaddr *)&address, &length) == 0);
    }
  DO (MPI_Bcast (&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD));
  expect_collective ("world", rank == 0 ? "broadcast-root" : "broadcast-recv", ranks, sizeof address);
  if (rank == 0)
    taken = accept (file, NULL, NULL);
  else
    CHECK (connect (file, (struct sockaddr *)&address, sizeof address) == 0);
  DO (MPI_Comm_join (rank == 0 ? taken : file, &other));
  if (other != MPI_COMM_NULL)
    DO (MPI_Comm_disconnect (&other));
  close (taken);
  close (file);
}

int
main (int argc, char **argv)
{
  MPI_Comm parent;

  test_begin (&argc, &argv, MPI_THREAD_SINGLE);
  DO (MPI_Comm_get_parent (&parent));
  turn ();
  if (parent != MPI_COMM_NULL)
    {
      if (rank == 1)
        greet (parent, 0, 1, false);
      DO (MPI_Comm_disconnect (&parent));
    }
  else
    {
      spawn (argv[0], argv[1]);
      connect_ports ();
      join ();
    }
  turn ();
  result ("good");
  return test_end ();
}
