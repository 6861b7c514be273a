/* SPDX-License-Identifier: Apache-2.0 */
/* A program to replay, whose output depends on the order in which threads use objects of lightcone/record.h. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lightcone/record.h"

enum
{
  THREADS = 4,
  ROUNDS = 200,
};

static struct lc_semaphore key, tokens;
static struct lc_barrier pair, all;
static struct lc_channel channel;
static uint64_t result = 1, results[THREADS + 1];

static uint64_t
mix (uint64_t before, uint64_t more)
{
  return before * 1000003 + more;
}

/* The key is taken by one thread at a time; what is left of the tokens is found out by attempts. */
static void
use_semaphores (uint64_t number)
{
  lc_barrier_wait (&all);
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      lc_semaphore_wait (&key);
      result = mix (result, number);
      lc_semaphore_post (&key);
      if (lc_semaphore_try_wait (&tokens))
        {
          sched_yield ();
          results[number] = mix (results[number], i);
          lc_semaphore_post (&tokens);
        }
    }
}

/* Two of the four threads meet; who is the last of them is chance. */
static void
use_barriers (uint64_t number)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      results[number] = mix (results[number], lc_barrier_wait (&pair));
      if (lc_barrier_wait (&all))
        result = mix (result, number);
    }
}

/* Two threads send, two receive: from whom is chance. Some messages are a rendezvous. */
static void
use_channel (uint64_t number)
{
  for (unsigned int i = 0; i < ROUNDS; i++)
    {
      uint64_t message = number << 32 | i;

      if (number % 2 == 0)
        {
          lc_receive (&channel, &message);
          results[number] = mix (results[number], message);
        }
      else if (i % 3 == 0)
        lc_send_rendezvous (&channel, &message, sizeof message);
      else
        lc_send (&channel, &message, sizeof message);
    }
}

static const struct
{
  const char *name;
  void (*use) (uint64_t number);
} uses[] = {{"semaphores", use_semaphores}, {"barriers", use_barriers}, {"channel", use_channel}};

static void (*use) (uint64_t number);

static void *
work (void *data)
{
  use ((uint64_t)(uintptr_t)data);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];

  for (size_t i = 0; argc > 1 && i < sizeof uses / sizeof uses[0]; i++)
    if (strcmp (uses[i].name, argv[1]) == 0)
      use = uses[i].use;
  if (use == NULL || lc_semaphore_init (&key, "key", 1) != 0 || lc_semaphore_init (&tokens, "tokens", 2) != 0 ||
      lc_barrier_init (&pair, "pair", 2) != 0 || lc_barrier_init (&all, "all", THREADS) != 0 ||
      lc_channel_init (&channel, NULL, 3, sizeof (uint64_t)) != 0)
    return 2;
  for (unsigned int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (unsigned int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (unsigned int i = 1; i <= THREADS; i++)
    result = mix (result, results[i]);
  printf ("%016llx\n", (unsigned long long)result);
  return 0;
}
