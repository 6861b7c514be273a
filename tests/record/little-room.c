/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that have little room, or give up rights and descriptors, are not harmed by being recorded. */
#include "case.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* More than one packet of events. */
enum
{
  ROUNDS = 3000
};

static void *
lock_and_unlock (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  return data;
}

static void
work_in_threads (int count)
{
  for (int i = 0; i < count; i++)
    {
      pthread_t thread;

      SHOW (pthread_create (&thread, NULL, lock_and_unlock, NULL));
      lock_and_unlock (NULL);
      SHOW (pthread_join (thread, NULL));
    }
}

static void
limit (int what, rlim_t value)
{
  const struct rlimit limit = {value, value};

  CHECK (setrlimit ((__rlimit_resource_t)what, &limit) == 0);
}

/* --- Descriptors and folders ------------------------------------------------------------------------------- */

static void
all_closed (void)
{
  lock_and_unlock (NULL);
  closefrom (3);
  printf ("the next is %d\n", open ("/dev/null", O_RDONLY));
  work_in_threads (2);
  printf ("the next is %d\n", open ("/dev/null", O_RDONLY));
}

/* Even the standard ones; what the recorder opens must not be taken for them. */
static void
none_at_all (void)
{
  int output = dup (STDOUT_FILENO);

  CHECK (close (0) == 0 && close (1) == 0 && close (2) == 0);
  lock_and_unlock (NULL);
  CHECK (open ("/dev/null", O_RDONLY) == 0);
  CHECK (dup2 (output, 1) == 1);
  work_in_threads (1);
}

static void
list_descriptors (void)
{
  DIR *folder;
  int count = 0;

  work_in_threads (1);
  folder = opendir ("/proc/self/fd");
  CHECK (folder != NULL);
  for (const struct dirent *entry; (entry = readdir (folder)) != NULL;)
    count += entry->d_name[0] != '.';
  closedir (folder);
  printf ("%d descriptors\n", count);
}

static void
few_descriptors (void)
{
  int used = 0;

  limit (RLIMIT_NOFILE, 12);
  while (dup (STDOUT_FILENO) >= 0)
    used++;
  printf ("could have %d\n", used);
  work_in_threads (2);
  close (11);
  printf ("the next is %d\n", open ("/dev/null", O_RDONLY));
}

static void
other_folder (void)
{
  CHECK (chdir ("/proc") == 0);
  work_in_threads (1);
  umask (0777);
  work_in_threads (1);
}

/* --- Rights ------------------------------------------------------------------------------------------------ */

static void
other_user (void)
{
  lock_and_unlock (NULL);
  if (geteuid () == 0)
    CHECK (setgroups (0, NULL) == 0 && setresgid (65534, 65534, 65534) == 0 && setresuid (65534, 65534, 65534) == 0);
  work_in_threads (3);
  lock_and_unlock (NULL);
}

static void
other_root (void)
{
  if (geteuid () == 0)
    CHECK (chroot ("/proc/self/fdinfo") == 0 && chdir ("/") == 0);
  work_in_threads (2);
}

/* --- Memory and disk --------------------------------------------------------------------------------------- */

static void
look_for_room (void)
{
  size_t megabytes = 0;

  while (mmap (NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    megabytes++;
  printf ("most of it can be had: %d\n", megabytes > 300);
}

static void
little_address_space (void)
{
  lock_and_unlock (NULL);
  limit (RLIMIT_AS, (size_t)400 << 20);
  look_for_room ();
  /* There is nothing left for anybody. */
  SHOW (pthread_create (&(pthread_t){0}, NULL, lock_and_unlock, NULL));
  lock_and_unlock (NULL);
}

/* As after a shell's `ulimit -v`. */
static void
little_from_the_beginning (void)
{
  pthread_t thread;

  if (case_arguments == NULL)
    {
      limit (RLIMIT_AS, (size_t)400 << 20);
      execl ("/proc/self/exe", "little-room", "little-from-the-beginning", "again", NULL);
    }
  lock_and_unlock (NULL);
  look_for_room ();
  lock_and_unlock (NULL);
  printf ("a thread can be had: %d\n", pthread_create (&thread, NULL, lock_and_unlock, NULL) == 0);
}

static size_t
locked_memory (void)
{
  FILE *file = fopen ("/proc/self/status", "r");
  char line[256];
  size_t kilobytes = 0;

  CHECK (file != NULL);
  while (fgets (line, sizeof line, file) != NULL)
    sscanf (line, "VmLck: %zu", &kilobytes);
  fclose (file);
  return kilobytes;
}

static void
locked_in_memory (void)
{
  limit (RLIMIT_STACK, 256 << 10);
  lock_and_unlock (NULL);
  /* Others may not lock enough for a thread's stack. */
  if (geteuid () == 0)
    CHECK (mlockall (MCL_CURRENT | MCL_FUTURE) == 0);
  work_in_threads (1);
  printf ("not too much: %d\n", locked_memory () < 100 << 10);
}

/* A file that grows over the limit is a signal that ends the program: it must not be one of ours. */
static void
small_files (void)
{
  lock_and_unlock (NULL);
  limit (RLIMIT_FSIZE, 100000);
  work_in_threads (6);
  limit (RLIMIT_FSIZE, 0);
  work_in_threads (2);
  puts ("done");
}

/* The program's own is still the program's. */
static void
small_files_of_its_own (void)
{
  FILE *file = tmpfile ();
  static char bytes[2000];
  sigset_t signals, pending;

  CHECK (file != NULL);
  sigemptyset (&signals);
  sigaddset (&signals, SIGXFSZ);
  CHECK (sigprocmask (SIG_BLOCK, &signals, NULL) == 0);
  limit (RLIMIT_FSIZE, 1000);
  SHOW_ERRNO ((int)write (fileno (file), bytes, sizeof bytes));
  SHOW_ERRNO ((int)write (fileno (file), bytes, sizeof bytes));
  work_in_threads (1);
  CHECK (sigpending (&pending) == 0);
  printf ("pending: %d\n", sigismember (&pending, SIGXFSZ));
  fflush (stdout);
  CHECK (sigprocmask (SIG_UNBLOCK, &signals, NULL) == 0);
  puts ("not reached");
}

/* `locks OBJECTS ROUNDS`: so many mutexes, each locked so often. */
static void
locks (void)
{
  int objects = case_arguments != NULL ? atoi (case_arguments[0]) : 1;
  int rounds = case_arguments != NULL && case_arguments[1] != NULL ? atoi (case_arguments[1]) : 1;
  pthread_mutex_t *mutexes = calloc ((size_t)objects, sizeof *mutexes);
  uint64_t sum = 0;

  CHECK (mutexes != NULL);
  for (int i = 0; i < objects; i++)
    CHECK (pthread_mutex_init (&mutexes[i], NULL) == 0);
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < objects; i++)
      {
        CHECK (pthread_mutex_lock (&mutexes[i]) == 0);
        sum++;
        CHECK (pthread_mutex_unlock (&mutexes[i]) == 0);
      }
  work_in_threads (2);
  printf ("%ju\n", (uintmax_t)sum);
}

const struct test_case cases[] = {
    {"all-closed", all_closed},
    {"none-at-all", none_at_all},
    {"list-descriptors", list_descriptors},
    {"few-descriptors", few_descriptors},
    {"other-folder", other_folder},
    {"other-user", other_user},
    {"other-root", other_root},
    {"little-address-space", little_address_space},
    {"little-from-the-beginning", little_from_the_beginning},
    {"locked-in-memory", locked_in_memory},
    {"small-files", small_files},
    {"small-files-of-its-own", small_files_of_its_own},
    {"locks", locks},
    {NULL, NULL},
};
