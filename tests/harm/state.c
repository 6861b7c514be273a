/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what the system knows of this process, at its start, while threads lock mutexes, and at the end. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "threads.h"

static int
compare_numbers (const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* The entries of a folder of /proc that are numbers. */
static int
list_numbers (const char *path, int *numbers, int most)
{
  DIR *folder = opendir (path);
  struct dirent *entry;
  int n = 0, own = dirfd (folder);

  while ((entry = readdir (folder)) != NULL && n < most)
    if (entry->d_name[0] != '.' && (atoi (entry->d_name) != own || strstr (path, "fd") == NULL))
      numbers[n++] = atoi (entry->d_name);
  closedir (folder);
  qsort (numbers, (size_t)n, sizeof *numbers, compare_numbers);
  return n;
}

static void
print_descriptors (void)
{
  int numbers[1024], n = list_numbers ("/proc/self/fd", numbers, 1024);

  printf ("descriptors:");
  for (int i = 0; i < n; i++)
    printf (" %d/%x/%x", numbers[i], fcntl (numbers[i], F_GETFD), fcntl (numbers[i], F_GETFL) & ~O_LARGEFILE);
  printf ("\n");
}

static void
print_signals (void)
{
  sigset_t mask, pending;

  sigprocmask (SIG_BLOCK, NULL, &mask);
  sigpending (&pending);
  printf ("signals:");
  for (int i = 1; i < NSIG; i++)
    {
      struct sigaction action;

      if (sigaction (i, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
        printf (" %d:%s", i, action.sa_handler == SIG_IGN ? "ignored" : "handled");
      if (sigismember (&mask, i) == 1)
        printf (" %d:blocked", i);
      if (sigismember (&pending, i) == 1)
        printf (" %d:pending", i);
    }
  printf ("\n");
}

static void
print_limits (void)
{
  static const int limits[] = {RLIMIT_AS,     RLIMIT_CORE,  RLIMIT_CPU,     RLIMIT_DATA,  RLIMIT_FSIZE,
                               RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_STACK, RLIMIT_SIGPENDING};

  printf ("limits:");
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    {
      struct rlimit limit;

      getrlimit (limits[i], &limit);
      printf (" %lld/%lld", (long long)limit.rlim_cur, (long long)limit.rlim_max);
    }
  printf ("\n");
}

static void
print_timers (void)
{
  struct itimerval timer;

  printf ("timers:");
  for (int i = ITIMER_REAL; i <= ITIMER_PROF; i++)
    {
      getitimer (i, &timer);
      printf (" %ld", (long)(timer.it_value.tv_sec + timer.it_value.tv_usec));
    }
  printf (" alarm %u\n", alarm (0));
}

static void
print_rest (void)
{
  char folder[4096], name[32] = "";
  int tasks[64], n = list_numbers ("/proc/self/task", tasks, 64);
  mode_t mask = umask (0);

  umask (mask);
  prctl (PR_GET_NAME, name);
  printf ("folder %s, umask %o, nice %d, tasks %d, name %s, dumpable %d, no new privileges %d, death signal ",
          getcwd (folder, sizeof folder) != NULL ? strrchr (folder, '/') : "?", (unsigned)mask,
          getpriority (PRIO_PROCESS, 0), n, name, prctl (PR_GET_DUMPABLE), prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  prctl (PR_GET_PDEATHSIG, &n);
  printf ("%d, subreaper ", n);
  prctl (PR_GET_CHILD_SUBREAPER, &n);
  printf ("%d, own group %d, own session %d\n", n, getpgrp () == getpid (), getsid (0) == getpid ());
}

static int
compare_texts (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* All but what the recorder is found by, which children need too. */
static void
print_environment (void)
{
  static const char *const ours[] = {"LD_PRELOAD=", "LIGHTCONE_", "_="};
  char *sorted[1024];
  size_t n = 0;

  for (char **variable = environ; *variable != NULL && n < 1024; variable++)
    sorted[n++] = *variable;
  qsort (sorted, n, sizeof *sorted, compare_texts);
  for (size_t i = 0; i < n; i++)
    {
      bool own = false;

      for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        own |= strncmp (sorted[i], ours[k], strlen (ours[k])) == 0;
      if (!own)
        printf ("variable %s\n", sorted[i]);
    }
}

static void
print_all (const char *when)
{
  printf ("%s\n", when);
  print_descriptors ();
  print_signals ();
  print_limits ();
  print_timers ();
  print_rest ();
}

static void *
print_in_thread (void *when)
{
  print_all (when);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t thread;

  printf ("%d arguments, %s\n", argc, argv[argc - 1]);
  print_environment ();
  print_all ("at the start");
  start_lockers ();
  usleep (50000);
  print_all ("while threads lock");
  pthread_create (&thread, NULL, print_in_thread, (void *)"in a thread");
  pthread_join (thread, NULL);
  stop_lockers ();
  /* The system may take a moment to forget a thread that has ended. */
  usleep (50000);
  print_all ("at the end");
  return 3;
}
