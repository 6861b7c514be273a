/* SPDX-License-Identifier: Apache-2.0 */
/* Uses descriptors by their numbers while other threads lock mutexes: descriptors MODE, in a folder of its own. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "threads.h"

enum
{
  RECORD = 50,
  ROUNDS = 4000, /* times RECORD: 200,000 bytes */
  SAVED = 100,
  MOST = 256,
};

static int failures;

static void
expect (bool good, const char *what)
{
  if (!good && failures++ < 10)
    printf ("%s: %s\n", what, strerror (errno));
}

/* A file whose bytes are written to a number that is taken and given back all the time. */
static void
write_by_number (void)
{
  char bytes[RECORD];
  int file = open ("numbered", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);

  memset (bytes, 'x', sizeof bytes);
  expect (dup2 (file, SAVED) == SAVED, "dup2");
  close (file);
  for (int i = 0; i < ROUNDS; i++)
    {
      expect (dup2 (SAVED, 3) == 3, "dup2");
      expect (write (3, bytes, sizeof bytes) == sizeof bytes, "write");
      expect (close (3) == 0, "close");
    }
}

/* As daemons do. What is not the program's cannot be open when it looks. */
static void
close_all (void)
{
  for (int round = 0; round < 300; round++)
    {
      for (int i = 3; i < MOST; i++)
        expect (close (i) != 0 && errno == EBADF, "a descriptor that is not ours");
      usleep (300);
    }
}

/* The system gives the lowest number that is free. */
static void
count_numbers (void)
{
  for (int round = 0; round < 3000; round++)
    {
      int first = open ("/dev/null", O_RDONLY), second = open ("/dev/null", O_RDONLY);

      expect (first == 3 && second == 4, "other numbers");
      close (second);
      close (first);
    }
}

/* Whatever is at the number is the program's: a pipe that it reads from in turn. */
static void
talk (void)
{
  char byte;

  for (int round = 0; round < 3000; round++)
    {
      int ends[2];

      expect (pipe (ends) == 0, "pipe");
      expect (write (ends[1], "a", 1) == 1, "write to a pipe");
      close (ends[1]);
      expect (read (ends[0], &byte, 1) == 1 && byte == 'a', "read from a pipe");
      expect (read (ends[0], &byte, 1) == 0, "more in the pipe");
      close (ends[0]);
    }
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "";

  for (int i = 3; i < MOST; i++)
    close (i);
  start_lockers ();
  if (strcmp (mode, "numbered") == 0)
    write_by_number ();
  else if (strcmp (mode, "close") == 0)
    close_all ();
  else if (strcmp (mode, "lowest") == 0)
    count_numbers ();
  else if (strcmp (mode, "pipes") == 0)
    talk ();
  else
    return 2;
  stop_lockers ();
  printf ("%d failures\n", failures);
  return failures != 0;
}
