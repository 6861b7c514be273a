/* SPDX-License-Identifier: Apache-2.0 */
/* Crews: what they guarantee to many threads at once, and that the recording agrees. */
#include "program-threads.h"

enum
{
  CREW_OPERATIONS = 10000
};

static struct lc_crew crew;
static uint64_t first_copy, second_copy; /* of the version, guarded by the crew */
static uint32_t crew_writes;

static void *
use_crew (void *argument)
{
  unsigned int random = (unsigned int)(uintptr_t)argument + 1;
  uint64_t version, last = 0;

  for (int i = 0; i < CREW_OPERATIONS; i++)
    {
      random = random * 1103515245 + 12345;
      if ((random >> 16) % 4 == 0)
        {
          version = lc_write_start (&crew);
          expect (first_copy == version - 1 && second_copy == version - 1);
          first_copy = version;
          if ((random >> 20) % 64 == 0)
            sched_yield ();
          second_copy = version;
          lc_write_end (&crew);
          __atomic_fetch_add (&crew_writes, 1, __ATOMIC_RELAXED);
        }
      else
        {
          version = lc_read_start (&crew);
          expect (first_copy == version && second_copy == version);
          if ((random >> 20) % 64 == 0)
            sched_yield ();
          expect (first_copy == version && second_copy == version);
          lc_read_end (&crew);
        }
      expect (version >= last);
      last = version;
    }
  return NULL;
}

static void
test_crew (void)
{
  BEGIN_LOG ();
  lc_crew_init (&crew, "crew");
  first_copy = second_copy = 0;
  crew_writes = 0;
  run (THREADS, use_crew);
  no_failures ("crew: writers exclude all others, and what is read has the version that was told");
  tap_ok (lc_read_start (&crew) == crew_writes, "crew: each write made one version");
  lc_read_end (&crew);
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_crew ("crew", crew_writes));
  lc_crew_destroy (&crew);
}

static uint32_t places;
static uint32_t read_place, write_place;

static void *
read_once (void *argument)
{
  lc_read_start (&crew);
  read_place = __atomic_add_fetch (&places, 1, __ATOMIC_RELAXED);
  lc_read_end (&crew);
  return NULL;
}

static void *
write_once (void *argument)
{
  lc_write_start (&crew);
  write_place = __atomic_add_fetch (&places, 1, __ATOMIC_RELAXED);
  lc_write_end (&crew);
  return NULL;
}

/* Long enough for threads that ought to wait to do so asleep, and for those that ought not to be seen. */
static void
test_crew_phases (void)
{
  pthread_t reader, writer;

  BEGIN_LOG ();
  lc_crew_init (&crew, "phases");
  places = 0;
  lc_read_start (&crew);
  start (&reader, read_once, NULL);
  pthread_join (reader, NULL);
  tap_ok (read_place == 1, "crew: one reader comes in while another is there");
  start (&writer, write_once, NULL);
  WAIT_UNTIL (load (&crew.readers) >> 32 != 0);
  start (&reader, read_once, NULL);
  WAIT_UNTIL ((uint32_t)load (&crew.readers) == 2);
  pause_ms (20);
  tap_ok (load_small (&places) == 1, "crew: a writer waits for a reader, and a later reader for the writer");
  lc_read_end (&crew);
  pthread_join (writer, NULL);
  pthread_join (reader, NULL);
  tap_ok (write_place == 2 && read_place == 3, "crew: the waiting writer goes before the later reader");

  places = 0;
  lc_write_start (&crew);
  start (&writer, write_once, NULL);
  WAIT_UNTIL (load_small (&crew.tickets) == 3);
  start (&reader, read_once, NULL);
  WAIT_UNTIL ((uint32_t)load (&crew.readers) == 1);
  pause_ms (20);
  tap_ok (load_small (&places) == 0, "crew: readers and writers wait for a writer");
  lc_write_end (&crew);
  pthread_join (writer, NULL);
  pthread_join (reader, NULL);
  tap_ok (read_place == 1 && write_place == 2, "crew: the waiting reader goes before the next writer");
  LOG_OK (log_check_threads ());
  LOG_OK (log_check_crew ("phases", 3));
  lc_crew_destroy (&crew);
}

static void
test_crew_wrapping (void)
{
  lc_crew_init (&crew, "wrapping");
  crew.tickets = UINT32_MAX - 100;
  crew.turn = crew.tickets;
  first_copy = second_copy = 0;
  run (THREADS, use_crew);
  no_failures ("crew: tickets come round");
  tap_ok (crew.turn >> 32 == 0, "crew: and nobody is thought to be asleep");
  lc_crew_destroy (&crew);
}

int
main (void)
{
  alarm (200);
  test_crew_phases ();
  test_crew_wrapping ();
  test_with_interruptions (test_crew);
  return tap_end ();
}
