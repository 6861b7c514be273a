/* SPDX-License-Identifier: Apache-2.0 */
/* An event fills its place, and one that a signal handler has deferred meanwhile finds no other. What was just written
 * is then out of reach: nothing may be added to it, and nothing may crash.
 */
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "hooks.h"
#include "recorder.h"
#include "tap.h"
#include "trace-folder.h"
#include "wrap-thread.h"

enum
{
  OBJECT = 7
};

/* Gives the only place back, as `lightcone record` does after it has emptied it, and lets the thread find it. */
static void
make_room (struct lc_thread *thread)
{
  if (thread->next != NULL)
    return;
  lc_control->full_places[0] = 0;
  lc_control->free_places[0] = 1;
  thread->retry = 0;
}

/* Writes events until just one more fits. */
static void
fill_place (struct lc_thread *thread)
{
  make_room (thread);
  lc_append (thread, LC_LOCK, OBJECT, 0, 0, lc_now (), lc_now ());
  while (thread->limit != (unsigned char *)thread->packet + LC_HEAD_BYTES ||
         (size_t)(thread->limit - thread->next) >= 2 * sizeof (struct lc_event_sync))
    lc_append (thread, LC_LOCK, OBJECT, 0, 0, lc_now (), lc_now ());
}

/* As a signal handler does that comes while the thread writes an event. */
static void
defer_event (struct lc_thread *thread)
{
  thread->state = LC_THREAD_APPENDING;
  lc_append (thread, LC_UNLOCK, OBJECT, 0, 0, lc_now (), lc_now ());
  thread->state = 0;
}

static uint64_t
lost_events (const struct lc_thread *thread)
{
  uint64_t sum = 0;

  for (int reason = 0; reason < LC_LOST_REASONS; reason++)
    sum += thread->packet->lost[reason];
  return sum;
}

/* Tells whether it is as it should be after an event was written into the last room there was. */
static bool
has_no_place (const struct lc_thread *thread, uint64_t events, uint64_t lost, const char *what)
{
  return tap_ok (thread->next == NULL && thread->events == events + 1 && lost_events (thread) == lost + 1,
                 "%s: the event is written, the deferred one is lost", what);
}

static void
failed_attempts (struct lc_thread *thread)
{
  uint64_t events, lost = lost_events (thread);

  fill_place (thread);
  events = thread->events;
  defer_event (thread);
  lc_append_failed (thread, LC_LOCK_FAILED, OBJECT, lc_now ());
  has_no_place (thread, events, lost, "a failed attempt");
  for (int i = 0; i < 3; i++)
    lc_append_failed (thread, LC_LOCK_FAILED, OBJECT, lc_now ());
  tap_ok (thread->events == events + 1 && lost_events (thread) == lost + 4, "each further attempt is lost");
}

static void
wake_ups (struct lc_thread *thread)
{
  uint64_t events, lost = lost_events (thread);

  fill_place (thread);
  events = thread->events;
  defer_event (thread);
  lc_append (thread, LC_UNLOCK, OBJECT, 0, 0, lc_now (), lc_now ());
  has_no_place (thread, events, lost, "a wake-up");
  lc_has_woken (thread, events);
  lc_has_woken (thread, events - 1);
  tap_ok (thread->events == events + 1, "the event that woke others keeps the site it has");
}

static void
tests_in_vain (struct lc_thread *thread)
{
  const struct lc_finished test = {.operation = LC_TEST_FAILED, .object = OBJECT, .begin = lc_now ()};
  const size_t size = sizeof (struct lc_event_sync);
  uint64_t events, lost = lost_events (thread);

  fill_place (thread);
  events = thread->events;
  defer_event (thread);
  lc_append (thread, test.operation, OBJECT, 0, 0, test.begin, lc_now ());
  has_no_place (thread, events, lost, "a test in vain");
  lc_test_has_failed (thread, &test, events, size);
  tap_ok (!lc_test_failed_again (thread, &test, lc_now (), lc_now ()), "the next test does not belong to it");
  tap_ok (!lc_test_succeeded (thread, &test, lc_now (), lc_now (), size), "nor does one that succeeds");
}

static void
new_threads (struct lc_thread *thread)
{
  uint64_t events = thread->events, lost = lost_events (thread);
  struct lc_made made;
  struct lc_thread *child = lc_thread_make (&made);

  tap_ok (child != NULL && made.event == NULL && lost_events (thread) == lost + 1,
          "a thread can be made where no event finds a place");
  lc_thread_not_made (&made, child);
  tap_ok (thread->events == events, "and not be made after all");
  make_room (thread);
  child = lc_thread_make (&made);
  lc_thread_not_made (&made, child);
  tap_ok (thread->events == events + 1 && thread->next != NULL &&
              ((struct lc_event_sync *)lc_last_event (thread, sizeof (struct lc_event_sync)))->operation ==
                  LC_CREATE_FAILED,
          "where there is one, the event says so");
}

static int
remove_file (const char *path, const struct stat *status, int type, struct FTW *where)
{
  return remove (path);
}

int
main (int argc, char **argv)
{
  struct lc_thread *thread;
  char folder[4096];

  if (argc == 1)
    {
      const char *temporary = getenv ("TMPDIR");

      snprintf (folder, sizeof folder, "%s/lightcone-no-place-XXXXXX", temporary != NULL ? temporary : P_tmpdir);
      if (mkdtemp (folder) == NULL)
        return 1;
      trace_folder_make (folder, 1);
      trace_folder_run_again (folder, (char *[]){argv[0], folder, NULL});
    }
  thread = lc_enter (LC_CLASS_MUTEX);
  if (!tap_ok (thread != NULL, "the test is recorded"))
    return 1;
  failed_attempts (thread);
  wake_ups (thread);
  tests_in_vain (thread);
  new_threads (thread);
  nftw (argv[1], remove_file, 4, FTW_DEPTH | FTW_PHYS);
  return tap_end ();
}
