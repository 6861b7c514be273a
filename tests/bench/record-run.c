/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program and says how long it took, recorded or not: record-run RESULT PROGRAM ARGS... */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double
seconds (const struct timeval *time)
{
  return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static volatile pid_t child;

/* A server is told to end by a signal. */
static void
hand_on (int number)
{
  if (child > 0)
    kill (child, number);
}

/* Writes the seconds that passed, and those that the program had a processor. */
static int
write_result (const char *path, double wall, const struct rusage *usage)
{
  FILE *file = fopen (path, "we");

  if (file == NULL)
    return 1;
  fprintf (file, "%.6f %.6f\n", wall, seconds (&usage->ru_utime) + seconds (&usage->ru_stime));
  return fclose (file) == 0 ? 0 : 1;
}

int
main (int argc, char **argv)
{
  struct rusage usage;
  double begin = now (), wall;
  int status;
  pid_t pid;

  if (argc < 3 || posix_spawnp (&pid, argv[2], NULL, NULL, argv + 2, environ) != 0)
    return 2;
  child = pid;
  signal (SIGTERM, hand_on);
  signal (SIGINT, hand_on);
  signal (SIGQUIT, hand_on);
  while (wait4 (pid, &status, 0, &usage) != pid)
    if (errno != EINTR)
      return 2;
  wall = now () - begin;
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    return 1;
  return write_result (argv[1], wall, &usage);
}
