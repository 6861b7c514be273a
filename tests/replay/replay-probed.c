/* SPDX-License-Identifier: Apache-2.0 */
/* A program with variables to look at: its threads count under a lock, so that they have a certain value at each. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "lightcone/record.h"

enum
{
  THREADS = 3,
  ROUNDS = 50,
};

struct pair
{
  int left, right;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct lc_semaphore tokens;
static unsigned int count, posts;
static volatile int source = 7;
double half;
struct pair pair;
const char *word = "none yet";

/* Nobody calls it: in an expression it would change the program. */
int add_one (void);
int
add_one (void)
{
  return (int)++count;
}

static void *
use (void *data)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      int gone = source;

      source = gone;
      pthread_mutex_lock (&mutex);
      count++;
      half = count / 2.0;
      pair = (struct pair){-(int)count, (int)count * 2};
      word = "counted";
      pthread_mutex_unlock (&mutex);
      lc_semaphore_wait (&tokens);
      posts++;
      lc_semaphore_post (&tokens);
    }
  return data;
}

int
main (void)
{
  pthread_t threads[THREADS];

  lc_semaphore_init (&tokens, "tokens", 1);
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, use, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%u %u\n", count, posts);
  lc_semaphore_destroy (&tokens);
  return 0;
}
