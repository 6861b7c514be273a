/* SPDX-License-Identifier: Apache-2.0 */
/* Locks mutexes for ever, and counts how often in a file that is there when it is killed: counting FILE [SECONDS]. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

/* By thread: pairs that have begun, and pairs that are over; each in a cache line of its own. */
struct count
{
  uint64_t begun, over;
  char room[128 - 2 * sizeof (uint64_t)];
};

static struct count *counts;
static time_t end;

static void *
count_locks (void *argument)
{
  struct count *count = argument;
  pthread_mutex_t *mutex = &locker_mutexes[count - counts].mutex;

  while (!__atomic_load_n (&lockers_stop, __ATOMIC_RELAXED))
    {
      __atomic_store_n (&count->begun, count->begun + 1, __ATOMIC_SEQ_CST);
      pthread_mutex_lock (mutex);
      pthread_mutex_unlock (mutex);
      __atomic_store_n (&count->over, count->over + 1, __ATOMIC_SEQ_CST);
      /* Fewer events than a disk takes: what is looked for is not that they are too many. */
      for (volatile int i = 0; i < 200; i++)
        continue;
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int file = open (argv[1], O_RDWR | O_CREAT, 0600);

  if (argc < 2 || file < 0 || ftruncate (file, sizeof *counts * LOCKERS) != 0)
    return 2;
  counts = mmap (NULL, sizeof *counts * LOCKERS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (counts == MAP_FAILED)
    return 2;
  close (file);
  for (int i = 0; i < LOCKERS; i++)
    {
      pthread_mutex_init (&locker_mutexes[i].mutex, NULL);
      pthread_create (&lockers[i], NULL, count_locks, &counts[i]);
    }
  puts ("ready");
  fflush (stdout);
  end = argc > 2 ? atoi (argv[2]) : 20;
  sleep ((unsigned)end);
  stop_lockers ();
  return 0;
}
