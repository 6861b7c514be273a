/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a program as `lightcone record` does, and prints what its recorder says in DIR/.control at the end. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lightcone/control.h"

static struct lc_control *
make_control (const char *directory, const char *purpose)
{
  struct lc_control *control;
  char path[4096];
  int file;

  snprintf (path, sizeof path, "%s/ctf", directory);
  if (mkdir (directory, 0777) != 0 || mkdir (path, 0777) != 0)
    return NULL;
  snprintf (path, sizeof path, "%s/.control", directory);
  file = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || ftruncate (file, sizeof *control) != 0)
    return NULL;
  control = mmap (NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close (file);
  if (control == MAP_FAILED)
    return NULL;
  memcpy (control->magic, "LCCONTRL", sizeof control->magic);
  control->version = LC_CONTROL_VERSION;
  control->clock = LC_CLOCK_MONOTONIC;
  control->frequency = 1000000000;
  control->classes = UINT32_MAX;
  control->patterns_offset = sizeof *control;
  control->purpose = strcmp (purpose, "profile") == 0 ? LC_PURPOSE_PROFILE : LC_PURPOSE_TRACE;
  if (strcmp (purpose, "trace-openmpi") == 0)
    control->mpi = LC_MPI_OPENMPI;
  return control;
}

static void
set_environment (const char *directory, const char *recorder)
{
  const char *others = getenv ("LD_PRELOAD");
  char preload[8192];

  snprintf (preload, sizeof preload, "%s%s%s", recorder, others != NULL ? ":" : "", others != NULL ? others : "");
  setenv (LC_CONTROL_ENVIRONMENT, directory, 1);
  setenv (LC_CONTROL_PRELOAD, recorder, 1);
  setenv ("LD_PRELOAD", preload, 1);
}

/* `run-recorded DIR trace|trace-openmpi|profile RECORDER RESULT PROGRAM ARGUMENT-0 ARGUMENT...` */
int
main (int argc, char **argv)
{
  struct lc_control *control;
  int status = 0;
  FILE *result;
  pid_t child;

  if (argc < 7)
    return 90;
  control = make_control (argv[1], argv[2]);
  if (control == NULL)
    return 91;
  child = fork ();
  if (child == 0)
    {
      set_environment (argv[1], argv[3]);
      execv (argv[5], argv + 6);
      _exit (89);
    }
  if (waitpid (child, &status, 0) != child)
    return 92;
  result = fopen (argv[4], "w");
  if (result == NULL ||
      fprintf (result, "%u %u %u\n", control->mpi_trouble, control->next_process, control->next_instance) < 0 ||
      fclose (result) != 0)
    return 93;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}
