/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that meet at locks which are held for some nanoseconds, in an order that only time decides. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

enum
{
  MOST_THREADS = 64,
  DEPTH = 12, /* of the tree */
};

typedef enum
{
  SHAPE_RANDOM,
  SHAPE_QUEUE,
  SHAPE_TREE,
  SHAPE_POOL,
  SHAPE_CREW,
} Shape;

/* A lock with what it protects, alone in its cache lines as in a program that cares. */
typedef struct
{
  pthread_mutex_t mutex;
  pthread_rwlock_t crew;
  long left, count;
  char padding[128];
} Guarded;

static long threads = 2, rounds = 100000, locks = 4, work = 10;
static bool show_time;
static int shape;

static Guarded *guarded;
static sem_t pool;
static atomic_long done;

static uint32_t
next_random (uint32_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

/* Computes for about so many nanoseconds, whatever the compiler thinks of it. */
static void
compute (long ns)
{
  for (long i = 0; i < ns; i++)
    __asm__ volatile("" ::: "memory");
}

static void
change (Guarded *one, long by)
{
  pthread_mutex_lock (&one->mutex);
  one->count += by;
  pthread_mutex_unlock (&one->mutex);
}

static void
lock_at_random (long number)
{
  uint32_t state = (uint32_t)number * 2654435761u + 1;

  for (long i = 0; i < rounds; i++)
    {
      compute (work);
      change (&guarded[next_random (&state) % (uint32_t)locks], 1);
    }
  atomic_fetch_add (&done, rounds);
}

/* Takes a task of one queue. FALSE: it is empty. */
static bool
take_task (Guarded *queue)
{
  bool found;

  pthread_mutex_lock (&queue->mutex);
  found = queue->left > 0;
  queue->left -= found;
  pthread_mutex_unlock (&queue->mutex);
  return found;
}

/* A queue for each thread, and those of others when that is empty; a counter that all tasks take a number from. */
static void
work_on_tasks (long number)
{
  uint32_t state = (uint32_t)number * 2654435761u + 1;
  long tasks = 0;

  for (long tried = 0; tried < threads;)
    {
      if (!take_task (&guarded[(number + tried) % threads]))
        {
          tried++;
          continue;
        }
      tasks++;
      change (&guarded[threads], 1);
      compute (work * (long)(next_random (&state) % 64));
    }
  atomic_fetch_add (&done, tasks);
}

/* Bodies fall into a tree whose cells have a lock each: from the root, which all lock, to a leaf that few do. */
static void
load_tree (long number)
{
  uint32_t state = (uint32_t)number * 2654435761u + 1;

  for (long i = 0; i < rounds; i++)
    {
      const uint32_t way = next_random (&state);
      const long levels = 4 + (long)(way >> 28) % (DEPTH - 4);

      for (long level = levels - 3; level <= levels; level++)
        {
          change (&guarded[(1L << level) - 1 + (long)(way & ((1u << level) - 1))], 1);
          compute (work);
        }
    }
  atomic_fetch_add (&done, rounds);
}

static void
share_pool (long number)
{
  uint32_t state = (uint32_t)number * 2654435761u + 1;

  for (long i = 0; i < rounds; i++)
    {
      compute (work * (long)(next_random (&state) % 64));
      while (sem_wait (&pool) != 0)
        continue;
      compute (work * (long)(next_random (&state) % 64));
      sem_post (&pool);
    }
  atomic_fetch_add (&done, rounds);
}

static void
read_and_write (long number)
{
  uint32_t state = (uint32_t)number * 2654435761u + 1;

  for (long i = 0; i < rounds; i++)
    {
      Guarded *one = &guarded[next_random (&state) % (uint32_t)locks];

      compute (work * (long)(next_random (&state) % 16));
      if (next_random (&state) % 8 == 0)
        {
          pthread_rwlock_wrlock (&one->crew);
          one->count++;
        }
      else
        pthread_rwlock_rdlock (&one->crew);
      compute (work);
      pthread_rwlock_unlock (&one->crew);
    }
  atomic_fetch_add (&done, rounds);
}

static void *
contend (void *argument)
{
  static void (*const shapes[]) (long) = {lock_at_random, work_on_tasks, load_tree, share_pool, read_and_write};

  shapes[shape]((long)(intptr_t)argument);
  return NULL;
}

static void
prepare (void)
{
  const long n = shape == SHAPE_QUEUE ? threads + 1 : shape == SHAPE_TREE ? 1L << (DEPTH + 1) : locks;

  guarded = example_allocate ((size_t)n, sizeof *guarded);
  for (long i = 0; i < n; i++)
    {
      pthread_mutex_init (&guarded[i].mutex, NULL);
      pthread_rwlock_init (&guarded[i].crew, NULL);
      /* Not all queues are as long, so that work has to be taken from others. */
      guarded[i].left = shape == SHAPE_QUEUE && i < threads ? rounds * (i + 1) * 2 / (threads + 1) : 0;
    }
  if (shape == SHAPE_QUEUE)
    for (long i = 0, left = rounds * threads; i < threads; i++)
      {
        guarded[i].left = i == threads - 1 ? left : guarded[i].left;
        left -= guarded[i].left;
      }
  sem_init (&pool, 0, (unsigned)(threads > 1 ? threads - 1 : 1));
}

int
main (int argc, char **argv)
{
  static const struct example_option options[] = {
      {"shape", "who shares what (random)", .choice = &shape, .words = "random|queue|tree|pool|crew"},
      {"threads", "how many (2)", .number = &threads, .least = 1, .most = MOST_THREADS},
      {"rounds", "how often each does it (100000)", .number = &rounds, .least = 1, .most = 10000000},
      {"locks", "how many locks there are (4)", .number = &locks, .least = 1, .most = 1000000},
      {"work", "how long to compute in between, in steps of a nanosecond or less (10)", .number = &work, .least = 0,
       .most = 1000000},
      {"time", "print how long it took", .flag = &show_time},
      {NULL}};
  pthread_t ids[MOST_THREADS];
  uint64_t begin;

  example_options (argc, argv, "Threads that share locks, in an order that only time decides.", options);
  prepare ();
  begin = example_now ();
  for (long i = 0; i < threads; i++)
    example_start (&ids[i], contend, (void *)(intptr_t)i);
  for (long i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  if (show_time)
    example_print_time (begin, example_now ());
  if (done != rounds * threads)
    example_fail ("%ld rounds were done, not %ld", (long)done, rounds * threads);
  printf ("contention: %ld rounds\n", rounds * threads);
  free (guarded);
  return 0;
}
