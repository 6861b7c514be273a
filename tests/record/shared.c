/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in memory that several address spaces share are one object to the recording. */
#include "case.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  PARTS = 3, /* address spaces */
  ROUNDS = 500
};

struct common
{
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_cond_t condition;
  pthread_barrier_t barrier;
  pthread_spinlock_t spin;
  sem_t semaphore;
  uint32_t turn, counts[3];
  char padding[300];
  pthread_mutex_t another;
};

static void
make (struct common *common)
{
  pthread_mutexattr_t mutex;
  pthread_rwlockattr_t rwlock;
  pthread_condattr_t condition;
  pthread_barrierattr_t barrier;

  CHECK (pthread_mutexattr_init (&mutex) == 0 && pthread_rwlockattr_init (&rwlock) == 0);
  CHECK (pthread_condattr_init (&condition) == 0 && pthread_barrierattr_init (&barrier) == 0);
  SHOW (pthread_mutexattr_setpshared (&mutex, PTHREAD_PROCESS_SHARED));
  SHOW (pthread_rwlockattr_setpshared (&rwlock, PTHREAD_PROCESS_SHARED));
  SHOW (pthread_condattr_setpshared (&condition, PTHREAD_PROCESS_SHARED));
  SHOW (pthread_barrierattr_setpshared (&barrier, PTHREAD_PROCESS_SHARED));
  SHOW (pthread_mutex_init (&common->mutex, &mutex));
  SHOW (pthread_mutex_init (&common->another, &mutex));
  SHOW (pthread_rwlock_init (&common->rwlock, &rwlock));
  SHOW (pthread_cond_init (&common->condition, &condition));
  SHOW (pthread_barrier_init (&common->barrier, &barrier, PARTS));
  SHOW (pthread_spin_init (&common->spin, PTHREAD_PROCESS_SHARED));
  SHOW_ERRNO (sem_init (&common->semaphore, 1, 2));
}

static void
take_part (struct common *common, uint32_t number)
{
  pthread_barrier_wait (&common->barrier);
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&common->mutex);
      common->counts[0]++;
      pthread_mutex_unlock (&common->mutex);
      pthread_spin_lock (&common->spin);
      common->counts[1]++;
      pthread_spin_unlock (&common->spin);
      sem_wait (&common->semaphore);
      sem_post (&common->semaphore);
      if (i % 8 != 0)
        {
          pthread_rwlock_rdlock (&common->rwlock);
          pthread_rwlock_unlock (&common->rwlock);
          continue;
        }
      pthread_rwlock_wrlock (&common->rwlock);
      common->counts[2]++;
      pthread_rwlock_unlock (&common->rwlock);
      pthread_barrier_wait (&common->barrier);
    }
  for (int i = 0; i < 20; i++)
    {
      pthread_mutex_lock (&common->another);
      while (common->turn % PARTS != number)
        pthread_cond_wait (&common->condition, &common->another);
      common->turn++;
      pthread_cond_broadcast (&common->condition);
      pthread_mutex_unlock (&common->another);
    }
}

static void
await_parts (const struct common *common)
{
  for (int i = 1; i < PARTS; i++)
    {
      int status = -1;

      CHECK (wait (&status) > 0 && status == 0);
    }
  printf ("%u, %u, %u, %u\n", common->counts[0], common->counts[1], common->counts[2], common->turn);
}

static void
after_fork (void)
{
  struct common *common = mmap (NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  CHECK (common != MAP_FAILED);
  make (common);
  for (uint32_t i = 1; i < PARTS; i++)
    if (fork () == 0)
      {
        take_part (common, i);
        _exit (0);
      }
  take_part (common, 0);
  await_parts (common);
}

static struct common *
map_file (const char *path, int flags)
{
  struct common *common;
  int file = open (path, O_RDWR | O_CLOEXEC | flags, 0600);

  CHECK (file >= 0 && ftruncate (file, 3 * 4096) == 0);
  /* Not at the beginning, and not at the same address everywhere. */
  CHECK (mmap (NULL, (size_t)getpid () % 16 * 4096 + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
         MAP_FAILED);
  common = mmap (NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
  CHECK (common != MAP_FAILED);
  close (file);
  return common;
}

/* `part FILE NUMBER`: another program, which finds the objects made. */
static void
part (void)
{
  CHECK (case_arguments != NULL && case_arguments[0] != NULL && case_arguments[1] != NULL);
  take_part (map_file (case_arguments[0], 0), (uint32_t)atoi (case_arguments[1]));
}

static void
in_file (void)
{
  char path[] = "/dev/shm/lightcone-test-XXXXXX";
  struct common *common;
  int file = mkstemp (path);

  CHECK (file >= 0 && close (file) == 0);
  common = map_file (path, 0);
  make (common);
  fflush (stdout);
  for (uint32_t i = 1; i < PARTS; i++)
    if (fork () == 0)
      {
        char number[8];

        snprintf (number, sizeof number, "%u", i);
        execl ("/proc/self/exe", "shared", "part", path, number, NULL);
        _exit (99);
      }
  take_part (common, 0);
  await_parts (common);
  unlink (path);
}

/* Two mappings of the same memory in one address space, and memory that is used again for other objects. */
static void
mapped_twice (void)
{
  int file = memfd_create ("lightcone-test", MFD_CLOEXEC);
  pthread_mutexattr_t attributes;
  pthread_mutex_t *one, *two;

  CHECK (file >= 0 && ftruncate (file, 4096) == 0);
  one = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  two = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK (one != MAP_FAILED && two != MAP_FAILED);
  CHECK (pthread_mutexattr_init (&attributes) == 0);
  CHECK (pthread_mutexattr_setpshared (&attributes, PTHREAD_PROCESS_SHARED) == 0);
  for (int i = 0; i < 2; i++)
    {
      SHOW (pthread_mutex_init (one, &attributes));
      SHOW (pthread_mutex_lock (one));
      SHOW (pthread_mutex_trylock (two));
      SHOW (pthread_mutex_unlock (two));
      SHOW (pthread_mutex_lock (two));
      SHOW (pthread_mutex_unlock (one));
      SHOW (pthread_mutex_destroy (one));
    }
}

/* Who is killed with a lock in its hands holds up nobody but those who wait for that lock. */
static void
one_is_killed (void)
{
  struct common *common = mmap (NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pid_t pid;
  int status = 0;

  CHECK (common != MAP_FAILED);
  CHECK (pthread_mutexattr_init (&attributes) == 0);
  CHECK (pthread_mutexattr_setpshared (&attributes, PTHREAD_PROCESS_SHARED) == 0);
  CHECK (pthread_mutexattr_setrobust (&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  CHECK (pthread_mutex_init (&common->mutex, &attributes) == 0);
  pid = fork ();
  if (pid == 0)
    {
      pthread_mutex_lock (&common->mutex);
      _exit (0);
    }
  CHECK (waitpid (pid, &status, 0) == pid);
  SHOW (pthread_mutex_lock (&common->mutex));
  SHOW (pthread_mutex_consistent (&common->mutex));
  SHOW (pthread_mutex_unlock (&common->mutex));
  SHOW (pthread_mutex_lock (&common->mutex));
  SHOW (pthread_mutex_unlock (&common->mutex));
}

const struct test_case cases[] = {
    {"after-fork", after_fork},       {"in-file", in_file}, {"part", part}, {"mapped-twice", mapped_twice},
    {"one-is-killed", one_is_killed}, {NULL, NULL},
};
