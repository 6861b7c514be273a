/* SPDX-License-Identifier: Apache-2.0 */
/* A program that does one step for each character that it reads from a file: w begins a worker, which waits for the
 * end; l takes the lock some times; q ends. It prints each step that is done. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum
{
  MOST_WORKERS = 8,
  TIMES = 100,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MOST_WORKERS];
static int n_workers, has_ended;

static void *
work (void *data)
{
  pthread_mutex_lock (&lock);
  while (!has_ended)
    pthread_cond_wait (&ended, &lock);
  pthread_mutex_unlock (&lock);
  return data;
}

static void
take_lock (void)
{
  for (int i = 0; i < TIMES; i++)
    {
      pthread_mutex_lock (&lock);
      pthread_mutex_unlock (&lock);
    }
}

static void
end_workers (void)
{
  pthread_mutex_lock (&lock);
  has_ended = 1;
  pthread_cond_broadcast (&ended);
  pthread_mutex_unlock (&lock);
  for (int i = 0; i < n_workers; i++)
    pthread_join (workers[i], NULL);
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? open (argv[1], O_RDONLY) : STDIN_FILENO;
  char step = 0;

  while (step != 'q' && read (steps, &step, 1) == 1)
    {
      if (step == 'w' && n_workers < MOST_WORKERS && pthread_create (&workers[n_workers], NULL, work, NULL) == 0)
        n_workers++;
      if (step == 'l')
        take_lock ();
      printf ("done: %c\n", step);
      fflush (stdout);
    }
  end_workers ();
  return 0;
}
