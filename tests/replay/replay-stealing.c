/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts numbers by workers that steal tasks from each other, as radiosity of SPLASH-2 does. */
/*
 * Each worker has a queue with a mutex, takes its own newest task, and else the oldest one of somebody else's, if an
 * attempt gets that lock. The sorted numbers are always the same; who sorted what, in which order, is left to chance.
 * Arguments: workers, numbers.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WORKERS 16
#define MAX_TASKS 4096
#define SMALL 32

struct task
{
  int from, to;
};

struct queue
{
  pthread_mutex_t lock;
  int oldest, newest;
  struct task tasks[MAX_TASKS];
};

static struct queue queues[MAX_WORKERS];
static int n_workers = 4, n_numbers = 50000;
static int *numbers;
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER, order_lock = PTHREAD_MUTEX_INITIALIZER;
static int n_left; /* numbers that are not yet in their places */
static pthread_barrier_t begin;
static uint64_t order_hash = 14695981039346656037u;
static int stolen[MAX_WORKERS], sorted[MAX_WORKERS];

static void
queue_push (int worker, struct task task)
{
  struct queue *queue = &queues[worker];

  if (task.from >= task.to)
    return;
  pthread_mutex_lock (&queue->lock);
  queue->tasks[queue->newest++ % MAX_TASKS] = task;
  pthread_mutex_unlock (&queue->lock);
}

static int
queue_take (int worker, struct task *task)
{
  struct queue *queue = &queues[worker];
  int found;

  pthread_mutex_lock (&queue->lock);
  found = queue->oldest < queue->newest;
  if (found)
    *task = queue->tasks[--queue->newest % MAX_TASKS];
  pthread_mutex_unlock (&queue->lock);
  return found;
}

/* Who finds the victim's queue locked goes on to the next one. */
static int
queue_steal (int worker, struct task *task)
{
  for (int i = 1; i < n_workers; i++)
    {
      struct queue *queue = &queues[(worker + i) % n_workers];
      int found;

      if (pthread_mutex_trylock (&queue->lock) != 0)
        continue;
      found = queue->oldest < queue->newest;
      if (found)
        *task = queue->tasks[queue->oldest++ % MAX_TASKS];
      pthread_mutex_unlock (&queue->lock);
      if (found)
        return 1;
    }
  return 0;
}

static void
count_done (int worker, int from, int n)
{
  pthread_mutex_lock (&order_lock);
  order_hash = (order_hash ^ (uint64_t)(worker * n_numbers + from)) * 1099511628211u;
  pthread_mutex_unlock (&order_lock);
  pthread_mutex_lock (&left_lock);
  n_left -= n;
  pthread_mutex_unlock (&left_lock);
}

static int
compare_numbers (const void *a, const void *b)
{
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void
sort_task (int worker, struct task task)
{
  int low = task.from, high = task.to - 1, pivot = numbers[(task.from + task.to) / 2];

  sorted[worker]++;
  if (task.to - task.from <= SMALL)
    {
      qsort (&numbers[task.from], (size_t)(task.to - task.from), sizeof *numbers, compare_numbers);
      count_done (worker, task.from, task.to - task.from);
      return;
    }
  while (low <= high)
    {
      while (numbers[low] < pivot)
        low++;
      while (numbers[high] > pivot)
        high--;
      if (low <= high)
        {
          int kept = numbers[low];

          numbers[low++] = numbers[high];
          numbers[high--] = kept;
        }
    }
  count_done (worker, task.from, low - high - 1);
  queue_push (worker, (struct task){task.from, high + 1});
  queue_push (worker, (struct task){low, task.to});
}

static int
is_over (void)
{
  int left;

  pthread_mutex_lock (&left_lock);
  left = n_left;
  pthread_mutex_unlock (&left_lock);
  return left == 0;
}

static void *
work (void *data)
{
  int worker = (int)(intptr_t)data;
  struct task task;

  pthread_barrier_wait (&begin);
  while (!is_over ())
    {
      if (queue_take (worker, &task))
        sort_task (worker, task);
      else if (queue_steal (worker, &task))
        {
          stolen[worker]++;
          sort_task (worker, task);
        }
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t threads[MAX_WORKERS];
  unsigned random = 1;

  if (argc > 1)
    n_workers = atoi (argv[1]);
  if (argc > 2)
    n_numbers = atoi (argv[2]);
  if (n_workers < 1 || n_workers > MAX_WORKERS || n_numbers < 1 || n_numbers > 1000000)
    return 2;
  numbers = malloc ((size_t)n_numbers * sizeof *numbers);
  for (int i = 0; i < n_numbers; i++)
    numbers[i] = (int)((random = random * 1103515245u + 12345u) >> 8);
  n_left = n_numbers;
  pthread_barrier_init (&begin, NULL, (unsigned)n_workers);
  for (int i = 0; i < n_workers; i++)
    pthread_mutex_init (&queues[i].lock, NULL);
  queue_push (0, (struct task){0, n_numbers});
  for (int i = 0; i < n_workers; i++)
    pthread_create (&threads[i], NULL, work, (void *)(intptr_t)i);
  for (int i = 0; i < n_workers; i++)
    pthread_join (threads[i], NULL);
  for (int i = 1; i < n_numbers; i++)
    if (numbers[i - 1] > numbers[i])
      return 1;
  printf ("sorted; order %016llx;", (unsigned long long)order_hash);
  for (int i = 0; i < n_workers; i++)
    printf (" %d (%d stolen)", sorted[i], stolen[i]);
  printf ("\n");
  free (numbers);
  return 0;
}
