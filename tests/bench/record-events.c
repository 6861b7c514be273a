/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorder is measured with: a lock that nobody else wants, a tag, and the least that recording these takes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../src/record/clock.h"
#include "lightcone/record.h"
#include "lightcone/trace-format.h"
#include "record-loop.h"

/* As much as stays in a processor's own cache. */
#define RING_WORDS ((64 << 10) / sizeof (uint64_t))
#define PAIR_WORDS (2 * sizeof (struct lc_event_sync) / sizeof (uint64_t))
#define TAG_WORDS (sizeof (struct lc_event_tag) / sizeof (uint64_t))

static void
lock_pairs (uint64_t count)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

  for (uint64_t i = 0; i < count; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
}

/* --- A lock that two threads want at a time, ten functions deep -------------------------------------------------- */

enum
{
  HELD_NS = 500, /* shorter than it takes to sleep and be woken */
  DEPTH = 10
};

static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;

static void
pass_time (uint64_t ns)
{
  struct timespec time;
  uint64_t begin, now;

  clock_gettime (CLOCK_MONOTONIC, &time);
  begin = now = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
  while (now - begin < ns)
    {
      clock_gettime (CLOCK_MONOTONIC, &time);
      now = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    }
}

static __attribute__ ((noinline)) void
hold_wanted (unsigned depth)
{
  if (depth > 0)
    {
      hold_wanted (depth - 1);
      __asm__ volatile("");
      return;
    }
  pthread_mutex_lock (&wanted);
  pass_time (HELD_NS);
  pthread_mutex_unlock (&wanted);
}

static void
contended_pairs (uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    hold_wanted (DEPTH);
}

static void
tags (uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    lc_tag ((uint32_t)i);
}

/* --- The limit ---------------------------------------------------------------------------------------------- */

/* Pages of a file that are there already. */
static uint64_t *
map_ring (void)
{
  char name[] = "ring-XXXXXX";
  int file = mkstemp (name);
  size_t bytes = RING_WORDS * sizeof (uint64_t);
  void *ring = MAP_FAILED;

  if (file >= 0 && ftruncate (file, (off_t)bytes) == 0)
    ring = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (ring == MAP_FAILED)
    {
      perror (name);
      exit (1);
    }
  unlink (name);
  close (file);
  memset (ring, 1, bytes);
  return ring;
}

static void
unmap_ring (uint64_t *ring)
{
  munmap (ring, RING_WORDS * sizeof (uint64_t));
}

/* When the lock begins and ends and when it is given back, and two events of 40 bytes. */
static void
limit_of_lock_pairs (uint64_t count)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  uint64_t *ring = map_ring (), begin, end, released;
  size_t place = 0;

  for (uint64_t i = 0; i < count; i++)
    {
      volatile uint64_t *to = ring + place;

      begin = lc_now ();
      pthread_mutex_lock (&mutex);
      end = lc_now ();
      released = lc_now ();
      to[0] = end;
      to[1] = i;
      to[2] = end - begin;
      to[3] = i;
      to[4] = i;
      to[5] = released;
      to[6] = i;
      to[7] = 0;
      to[8] = i;
      to[9] = i;
      place += PAIR_WORDS;
      if (place + PAIR_WORDS > RING_WORDS)
        place = 0;
      pthread_mutex_unlock (&mutex);
    }
  unmap_ring (ring);
}

static void
limit_of_tags (uint64_t count)
{
  uint64_t *ring = map_ring ();
  size_t place = 0;

  for (uint64_t i = 0; i < count; i++)
    {
      volatile uint64_t *to = ring + place;

      to[0] = lc_now ();
      to[1] = i;
      to[2] = i;
      place += TAG_WORDS;
      if (place + TAG_WORDS > RING_WORDS)
        place = 0;
    }
  unmap_ring (ring);
}

/* As `lightcone record` chooses the clock. */
static bool
system_trusts_tsc (void)
{
  char name[16] = "";
  FILE *file = fopen ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");

  if (file == NULL)
    return false;
  if (fgets (name, sizeof name, file) == NULL)
    name[0] = '\0';
  fclose (file);
  return strcmp (name, "tsc\n") == 0;
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    loop_body body;
  } bodies[] = {{"lock", lock_pairs},
                {"lock-limit", limit_of_lock_pairs},
                {"contended", contended_pairs},
                {"tag", tags},
                {"tag-limit", limit_of_tags}};
  loop_body body = NULL;

  lc_clock_is_tsc = system_trusts_tsc ();
  for (size_t i = 0; argc > 1 && i < sizeof bodies / sizeof bodies[0]; i++)
    if (strcmp (argv[1], bodies[i].name) == 0)
      body = bodies[i].body;
  return loop_main (argc - 1, argv + 1, body);
}
