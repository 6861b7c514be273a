/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded into lightcone, it starts it again and again for a test: after the libraries are linked and before main, it
   forks for each request. What follows is the program as ever, without what takes most of the time of a short one.

   A request is a number of bytes, with the folder, input, output and errors of the new process as files; then the
   file mode mask, the number of arguments, them, and the environment, each ended by a zero. The answer is its status
   when it has ended. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES 4

typedef int Main (int argc, char **argv, char **environment);
typedef int StartMain (Main *program, int argc, char **argv, void (*begin) (void), void (*end) (void),
                       void (*end_linker) (void), void *stack);

static Main *program_main;

__attribute__ ((visibility ("default"))) StartMain __libc_start_main;

static void
give_up (void)
{
  _exit (125);
}

/* 0 if nobody will ask any more. */
static uint32_t
receive_size (int channel, int files[FILES])
{
  uint32_t size = 0;
  char space[CMSG_SPACE (FILES * sizeof (int))];
  struct iovec part = {.iov_base = &size, .iov_len = sizeof size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  ssize_t n = recvmsg (channel, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  struct cmsghdr *header = n == sizeof size ? CMSG_FIRSTHDR (&message) : NULL;

  if (n == 0)
    return 0;
  if (header == NULL || header->cmsg_len != CMSG_LEN (FILES * sizeof (int)))
    give_up ();
  memcpy (files, CMSG_DATA (header), FILES * sizeof (int));
  return size;
}

/* Moves what was received to where a program expects it. */
static void
take_files (int channel, const int files[FILES])
{
  close (channel);
  if (fchdir (files[0]) != 0)
    give_up ();
  for (int i = 1; i < FILES; i++)
    if (dup2 (files[i], i - 1) < 0)
      give_up ();
  for (int i = 0; i < FILES; i++)
    close (files[i]);
}

/* Runs the program in this process. */
static int
become (char *request, uint32_t size)
{
  char *next = request, *end = request + size;
  int argc;
  static char **argv; /* a search for leaks finds it at the end */

  umask ((mode_t)strtoul (next, NULL, 10));
  next += strlen (next) + 1;
  argc = atoi (next);
  next += strlen (next) + 1;
  argv = calloc ((size_t)argc + 1, sizeof *argv);
  for (int i = 0; argv != NULL && i < argc && next < end; i++, next += strlen (next) + 1)
    argv[i] = next;
  clearenv ();
  for (; next < end; next += strlen (next) + 1)
    putenv (next);
  return program_main (argc, argv, environ);
}

/* Returns the status of the program, in its process; in the one that starts it only when nobody asks any more. */
static int
serve (int channel)
{
  int files[FILES], status;
  uint32_t size;

  while ((size = receive_size (channel, files)) > 0)
    {
      char *request = malloc (size + 1);
      pid_t pid;

      if (request == NULL || recv (channel, request, size, MSG_WAITALL) != (ssize_t)size)
        give_up ();
      request[size] = '\0';
      pid = fork ();
      if (pid == 0)
        {
          prctl (PR_SET_PDEATHSIG, SIGKILL);
          take_files (channel, files);
          return become (request, size);
        }
      free (request);
      for (int i = 0; i < FILES; i++)
        close (files[i]);
      if (pid < 0 || waitpid (pid, &status, 0) != pid || write (channel, &status, sizeof status) != sizeof status)
        give_up ();
    }
  _exit (0);
}

static int
main_of_starter (int argc, char **argv, char **environment)
{
  const char *channel = getenv ("LIGHTCONE_TEST_CHANNEL");

  return channel != NULL ? serve (atoi (channel)) : program_main (argc, argv, environment);
}

int
__libc_start_main (Main *program, int argc, char **argv, void (*begin) (void), void (*end) (void),
                   void (*end_linker) (void), void *stack)
{
  StartMain *start;

  *(void **)&start = dlsym (RTLD_NEXT, "__libc_start_main");
  program_main = program;
  return start (main_of_starter, argc, argv, begin, end, end_linker, stack);
}
