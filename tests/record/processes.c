/* SPDX-License-Identifier: Apache-2.0 */
/* Programs fork, spawn and execute others under recording as they do without, and those are recorded too. */
#include "case.h"

#include <fcntl.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char self[] = "/proc/self/exe";
static uint32_t go;

static void
lock_and_unlock (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
}

static void
await_child (pid_t child)
{
  int status = -1;

  CHECK (child > 0 && waitpid (child, &status, 0) == child);
  if (WIFEXITED (status))
    printf ("it exits with %d\n", WEXITSTATUS (status));
  else
    printf ("signal %d ends it\n", WTERMSIG (status));
}

/* What the started programs run: as many locks as they are told, and nothing printed by more than one at a time. */
static void
child (void)
{
  int rounds = case_arguments != NULL ? atoi (case_arguments[0]) : 0;

  lock_and_unlock (rounds);
  printf ("child: %d rounds\n", rounds);
  exit (rounds % 100);
}

/* --- fork -------------------------------------------------------------------------------------------------- */

static void *
return_it (void *value)
{
  lock_and_unlock (1);
  return value;
}

static void
forks (void)
{
  pid_t pid;

  lock_and_unlock (2);
  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    {
      pthread_t thread;

      lock_and_unlock (3);
      CHECK (pthread_create (&thread, NULL, return_it, NULL) == 0 && pthread_join (thread, NULL) == 0);
      exit (3);
    }
  await_child (pid);
  lock_and_unlock (1);
  pid = _Fork ();
  if (pid == 0)
    {
      lock_and_unlock (4);
      _exit (4);
    }
  await_child (pid);
  pid = fork ();
  if (pid == 0)
    {
      lock_and_unlock (5);
      raise (SIGKILL);
    }
  await_child (pid);
}

static void *
lock_until_go (void *data)
{
  while (__atomic_load_n (&go, __ATOMIC_SEQ_CST) == 0)
    {
      lock_and_unlock (1);
      for (volatile int i = 0; i < 1000; i++)
        ;
    }
  return NULL;
}

/* Held by the forking thread, and by its child's only one: nobody holds it twice. */
static void
fork_in_prepare (void)
{
  CHECK (pthread_mutex_lock (&mutex) == 0);
}

static void
fork_done (void)
{
  CHECK (pthread_mutex_unlock (&mutex) == 0);
}

static void *
fork_in_thread (void *data)
{
  for (int i = 0; i < 20; i++)
    {
      pid_t pid = fork ();
      int status = 0;

      if (pid == 0)
        {
          lock_and_unlock (10);
          _exit (i);
        }
      CHECK (pid > 0 && waitpid (pid, &status, 0) == pid && WIFEXITED (status) && WEXITSTATUS (status) == i);
    }
  return NULL;
}

/* From threads, while others lock as fast as they can. */
static void
forks_of_threads (void)
{
  pthread_t threads[3];

  CHECK (pthread_atfork (fork_in_prepare, fork_done, fork_done) == 0);
  for (int i = 0; i < 3; i++)
    CHECK (pthread_create (&threads[i], NULL, i == 0 ? lock_until_go : fork_in_thread, NULL) == 0);
  for (int i = 1; i < 3; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  case_set (&go, 1);
  CHECK (pthread_join (threads[0], NULL) == 0);
  puts ("done");
}

/* Who may have no more processes must be told so. */
static void
fork_that_fails (void)
{
  const struct rlimit none = {0, 0};

  if (geteuid () == 0)
    CHECK (setresuid (65534, 65534, 65534) == 0);
  CHECK (setrlimit (RLIMIT_NPROC, &none) == 0);
  SHOW_ERRNO (fork () < 0 ? -1 : 0);
  lock_and_unlock (1);
}

/* --- exec and spawn ---------------------------------------------------------------------------------------- */

static pid_t
start_with (int how, char *rounds)
{
  char *arguments[] = {(char *)"processes", (char *)"child", rounds, NULL}, *nothing[] = {NULL};
  pid_t pid = how % 2 == 0 ? fork () : vfork ();

  if (pid != 0)
    return pid;
  switch (how / 2)
    {
    case 0:
      execve (self, arguments, environ);
      break;
    case 1:
      execve (self, arguments, nothing);
      break;
    case 2:
      execv (self, arguments);
      break;
    case 3:
      execl (self, "processes", "child", rounds, NULL);
      break;
    case 4:
      execle (self, "processes", "child", rounds, NULL, nothing);
      break;
    case 5:
      execlp (self, "processes", "child", rounds, NULL);
      break;
    case 6:
      execvp (self, arguments);
      break;
    case 7:
      execvpe (self, arguments, nothing);
      break;
    case 8:
      fexecve (open (self, O_RDONLY | O_CLOEXEC), arguments, nothing);
      break;
    default:
      execveat (open (self, O_RDONLY | O_CLOEXEC), "", arguments, nothing, AT_EMPTY_PATH);
      break;
    }
  _exit (99);
}

/* `executes`: each way to execute, after a fork and after a vfork. */
static void
executes (void)
{
  for (int how = 0; how < 20; how++)
    {
      char rounds[8];

      snprintf (rounds, sizeof rounds, "%d", how + 10);
      fflush (stdout);
      await_child (start_with (how, rounds));
    }
}

static void
executes_without_environment (void)
{
  CHECK (clearenv () == 0);
  fflush (stdout);
  await_child (start_with (4, (char *)"11"));
  await_child (start_with (6, (char *)"12"));
  await_child (start_with (10, (char *)"13"));
  SHOW_ERRNO (execl ("/nonexistent", "nonexistent", NULL));
  SHOW_ERRNO (execve ("/nonexistent", (char *[]){NULL}, (char *[]){NULL}));
  SHOW_ERRNO (execvp ("nonexistent-program", (char *[]){NULL}));
}

static void
spawns (void)
{
  char *arguments[] = {(char *)"processes", (char *)"child", (char *)"21", NULL}, *nothing[] = {NULL};
  pid_t pid = -1;

  fflush (stdout);
  CHECK (posix_spawn (&pid, self, NULL, NULL, arguments, environ) == 0);
  await_child (pid);
  CHECK (posix_spawn (&pid, self, NULL, NULL, arguments, nothing) == 0);
  await_child (pid);
  CHECK (posix_spawnp (&pid, self, NULL, NULL, arguments, nothing) == 0);
  await_child (pid);
  SHOW (posix_spawn (&pid, "/nonexistent", NULL, NULL, arguments, nothing));
}

static void
shell (void)
{
  char command[128], line[64] = "";
  FILE *pipe;

  fflush (stdout);
  snprintf (command, sizeof command, "/proc/%d/exe child 31", getpid ());
  printf ("status %d\n", WEXITSTATUS (system (command)));
  pipe = popen (command, "r");
  CHECK (pipe != NULL && fgets (line, sizeof line, pipe) != NULL);
  printf ("status %d of %s", WEXITSTATUS (pclose (pipe)), line);
}

static void *
execute (void *data)
{
  execl (self, "processes", "child", "41", NULL);
  return NULL;
}

/* All threads end, and the new program has the same number. */
static void
executes_in_thread (void)
{
  pthread_t threads[2];

  lock_and_unlock (1);
  CHECK (pthread_create (&threads[0], NULL, lock_until_go, NULL) == 0);
  CHECK (pthread_create (&threads[1], NULL, execute, NULL) == 0);
  pthread_join (threads[1], NULL);
}

const struct test_case cases[] = {
    {"child", child},
    {"forks", forks},
    {"forks-of-threads", forks_of_threads},
    {"fork-that-fails", fork_that_fails},
    {"executes", executes},
    {"executes-without-environment", executes_without_environment},
    {"spawns", spawns},
    {"shell", shell},
    {"executes-in-thread", executes_in_thread},
    {NULL, NULL},
};
