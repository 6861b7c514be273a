/* SPDX-License-Identifier: Apache-2.0 */
/* Gives up the right to open any file, and then has threads that lock: what a recorder opens late, it cannot have. */
#include <pthread.h>
#include <sys/resource.h>

enum
{
  THREADS = 4,
  LOCKS = 1000,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
lock_often (void *unused)
{
  for (int i = 0; i < LOCKS; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  return unused;
}

int
main (void)
{
  const struct rlimit none = {0, 0};
  pthread_t threads[THREADS];

  if (setrlimit (RLIMIT_NOFILE, &none) != 0)
    return 1;
  for (int i = 0; i < THREADS; i++)
    if (pthread_create (&threads[i], NULL, lock_often, NULL) != 0)
      return 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}
