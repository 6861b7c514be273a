/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses MPI, as far as the dynamic linker can tell: it prints all that being executed twice may change.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int fake_mpi (void);

/* Only what is the same with and without a recorder. */
static void
print_environment (void)
{
  for (char **at = environ; at != NULL && *at != NULL; at++)
    if (strncmp (*at, "LIGHTCONE_", 10) != 0 && strncmp (*at, "LD_PRELOAD=", 11) != 0)
      puts (*at);
  printf ("LIGHTCONE_MPI is %s\n", getenv ("LIGHTCONE_MPI") != NULL ? "there" : "gone");
}

static void
print_signals (void)
{
  sigset_t signals;

  sigprocmask (SIG_SETMASK, NULL, &signals);
  for (int i = 1; i < 65; i++)
    if (sigismember (&signals, i) == 1)
      printf ("signal %d is blocked\n", i);
}

static void
print_descriptors (void)
{
  for (int i = 0; i < 64; i++)
    if (dup2 (i, i) == i)
      printf ("descriptor %d is open\n", i);
}

static void
print_all (int argc, char **argv)
{
  char name[16] = "";

  for (int i = 0; i < argc; i++)
    printf ("argument %d: %s\n", i, argv[i]);
  prctl (PR_GET_NAME, name);
  printf ("called %s, executed as %s\n", name, (const char *)getauxval (AT_EXECFN));
  print_environment ();
  print_signals ();
  print_descriptors ();
}

/* What differs when it is recorded, where a test can find it. */
static void
tell_recorder (const char *path)
{
  const char *(*recorder) (void) = (const char *(*)(void)) (uintptr_t)dlsym (RTLD_DEFAULT, "fake_mpi_recorder");
  const char *preload = getenv ("LD_PRELOAD");
  FILE *file = fopen (path, "a");

  if (file == NULL)
    exit (98);
  fprintf (file, "%s %s\n", recorder != NULL ? recorder () : "none", preload != NULL ? preload : "");
  fclose (file);
}

static void *
nothing (void *data)
{
  return data;
}

static int
again (char **argv)
{
  execl ("/proc/self/exe", argv[0], argv[1], "second", NULL);
  return 95;
}

static int
child (char **argv)
{
  int status = -1;
  pid_t child = fork ();

  if (child == 0)
    {
      execl ("/proc/self/exe", "a child", argv[1], NULL);
      _exit (94);
    }
  return waitpid (child, &status, 0) == child && status == 0 ? 0 : 93;
}

/* `mpi-program FILE [again|deleted|child]` */
int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[2] : "";
  pthread_t thread;

  setvbuf (stdout, NULL, _IOLBF, 0);
  if (argc < 2 || fake_mpi () != 4711)
    return 97;
  print_all (argc, argv);
  tell_recorder (argv[1]);
  if (pthread_create (&thread, NULL, nothing, NULL) != 0 || pthread_join (thread, NULL) != 0)
    return 96;
  if (strcmp (what, "again") == 0)
    return again (argv);
  if (strcmp (what, "deleted") == 0)
    return unlink ((const char *)getauxval (AT_EXECFN)) == 0 ? again (argv) : 92;
  return strcmp (what, "child") == 0 ? child (argv) : 0;
}
