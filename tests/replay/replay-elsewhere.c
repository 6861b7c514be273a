/* SPDX-License-Identifier: Apache-2.0 */
/* The first thread waits for something that has no turns in a replay, until the second has used its mutex. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static int gate[2]; /* a pipe */
static sem_t begun;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void
use (pthread_mutex_t *mutex)
{
  for (int i = 0; i < 10; i++)
    {
      pthread_mutex_lock (mutex);
      pthread_mutex_unlock (mutex);
    }
}

static void *
wait_and_use (void *data)
{
  char byte;

  sem_post (&begun);
  if (read (gate[0], &byte, 1) == 1)
    use (&first);
  return data;
}

static void *
use_and_post (void *data)
{
  sem_wait (&begun);
  use (&second);
  return write (gate[1], "", 1) == 1 ? data : NULL;
}

int
main (void)
{
  pthread_t threads[2];

  if (pipe (gate) != 0 || sem_init (&begun, 0, 0) != 0)
    return 2;
  pthread_create (&threads[0], NULL, wait_and_use, NULL);
  pthread_create (&threads[1], NULL, use_and_post, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
