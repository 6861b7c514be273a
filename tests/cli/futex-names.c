/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that sleeps at two words of memory, a static one and one on the heap, until it is woken. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t door;
static uint32_t *window;

static __attribute__ ((noinline)) void
sleep_at (uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

/* Until somebody was asleep there. */
static __attribute__ ((noinline)) void
wake_at (uint32_t *word)
{
  const struct timespec moment = {0, 1000000};

  while (syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 1)
    nanosleep (&moment, NULL);
}

static void *
work (void *argument)
{
  sleep_at (&door);
  sleep_at (window);
  return argument;
}

int
main (void)
{
  pthread_t worker;

  window = calloc (1, sizeof *window);
  if (window == NULL || pthread_create (&worker, NULL, work, NULL) != 0)
    return 1;
  wake_at (&door);
  wake_at (window);
  pthread_join (worker, NULL);
  free (window);
  return 0;
}
