/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what calls cost that may leave the program, when they need not wait. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "measure.h"

static int ends[2]; /* of a pipe */
static int nothing; /* takes all that is written, and is always ready */

static void
files_write_pipe (unsigned int object, unsigned int i)
{
  const char byte = 0;

  if (write (ends[1], &byte, 1) != 1)
    lc_fail ("write", errno);
}

static void
files_read_pipe (unsigned int object, unsigned int i)
{
  char byte;

  if (read (ends[0], &byte, 1) != 1)
    lc_fail ("read", errno);
}

static void
files_write (unsigned int object, unsigned int i)
{
  const char byte = 0;

  if (write (nothing, &byte, 1) != 1)
    lc_fail ("write", errno);
}

static void
files_poll (unsigned int object, unsigned int i)
{
  struct pollfd one = {.fd = nothing, .events = POLLOUT};

  if (poll (&one, 1, -1) != 1)
    lc_fail ("poll", errno);
}

static void
files_prepare (void)
{
  if (pipe (ends) != 0)
    lc_fail ("pipe", errno);
  nothing = open ("/dev/null", O_WRONLY);
  if (nothing < 0)
    lc_fail ("/dev/null", errno);
}

/* What blocks in real programs are pipes and sockets, so these are what is read from. */
void
lc_measure_files (struct lc_log *log)
{
  static bool prepared;

  if (!prepared)
    files_prepare ();
  prepared = true;
  lc_measure (log, "pipe", "pipe-write", files_write_pipe, "read", files_read_pipe);
  lc_measure (log, "file", "write", files_write, NULL, NULL);
  lc_measure (log, "file", "poll", files_poll, NULL, NULL);
}
