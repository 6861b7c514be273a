/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator with a lock, which is used before the constructors of libraries that are preloaded run. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ROOM = 1 << 24,
};

void tell_early (void);

static pthread_mutex_t heap_mutex = PTHREAD_MUTEX_INITIALIZER;
static char heap[ROOM] __attribute__ ((aligned (16)));
static size_t heap_used;
static int n_allocations, n_early;

static void *
heap_take (size_t bytes)
{
  void *memory = NULL;

  pthread_mutex_lock (&heap_mutex);
  n_allocations++;
  if (bytes <= ROOM - 32 - heap_used)
    {
      *(size_t *)(void *)&heap[heap_used] = bytes;
      memory = &heap[heap_used + 16];
      heap_used += 16 + (bytes + 15) / 16 * 16;
    }
  pthread_mutex_unlock (&heap_mutex);
  return memory;
}

void *
malloc (size_t bytes)
{
  return heap_take (bytes);
}

void *
calloc (size_t n, size_t bytes)
{
  return heap_take (n * bytes);
}

void
free (void *memory)
{
  (void)memory;
}

void *
realloc (void *memory, size_t bytes)
{
  void *other = heap_take (bytes);
  size_t before = memory != NULL ? *(size_t *)(void *)((char *)memory - 16) : 0;

  if (other != NULL && memory != NULL)
    memcpy (other, memory, before < bytes ? before : bytes);
  return other;
}

__attribute__ ((constructor)) static void
heap_construct (void)
{
  const int n_before = n_allocations;
  void *volatile memory = malloc (1);

  free (memory);
  n_early = n_allocations - n_before;
}

/* Tells how many allocations came within the constructor's own. */
void
tell_early (void)
{
  printf ("%d\n", n_early);
}
