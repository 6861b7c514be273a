/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules: written and read again, refused line by line, and compared with a history. */
#include "case.h"
#include "lightcone/schedule.h"

#include <string.h>

#define HEAD "%lightcone-schedule 1\n"
#define TWO HEAD "process 0 - a\nprocess 1 0.2 b\nevent 0:0 lock\nevent 1:1 lock\n"

static const char *const locks[] = {
    "a", "10 20 lock L 1 at=put@q.c:7\n30 40 unlock L 1\n50 60 lock M 1\n70 80 unlock M 1\n90 95 post S 1\n", "b",
    "100 110 wait S 1\n120 130 lock L 2\n140 150 unlock L 2\n160 170 lock M 2\n180 190 unlock M 2\n", NULL};

static void
refuse (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_schedule_parse (text, strlen (text), "x.schedule", &error));
  g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_again (void)
{
  static const char *const text =
      HEAD "title a\\x0ab \\x5c\noutcome signal 6\nprogram ./p q\nargument ./p q\nargument \n"
           "module 00ff /usr/bin/p\nprocess 3 - main\nprocess 1 3.7 worker 1\n"
           "event 1:12 lock\nnth 4\nobject queue of\nsite put() q.c:7\nevent 3:0 lock\n"
           "order 1:12 before 3:0\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_parse (text, strlen (text), "x", &error);
  g_autofree char *again = NULL;
  const LcScheduleProcess *process;

  g_assert_no_error (error);
  again = lc_schedule_to_text (schedule);
  g_assert_cmpstr (again, ==, text);
  g_assert_cmpstr (schedule->title, ==, "a\nb \\");
  g_assert_cmpstr (schedule->outcome, ==, "signal 6");
  g_assert_cmpint (g_array_index (schedule->events, LcScheduleEvent, 0).nth, ==, 4);
  g_assert_cmpint (g_array_index (schedule->events, LcScheduleEvent, 1).nth, ==, -1);
  g_assert_cmpuint (schedule->command->len, ==, 2);
  process = &g_array_index (schedule->processes, LcScheduleProcess, 1);
  g_assert_cmpuint (process->creator, ==, 3);
  g_assert_cmpuint (process->nth, ==, 7);
  g_assert_cmpstr (process->name, ==, "worker 1");
}

static void
test_refused (void)
{
  refuse ("", "x.schedule: line 1: a schedule begins with %lightcone-schedule 1");
  refuse ("%lightcone-schedule 2\n", "x.schedule: line 1: a schedule begins with %lightcone-schedule 1");
  refuse (HEAD "\n# so\nthis is none\n", "x.schedule: line 4: no such line is known");
  refuse (HEAD "title\n", "x.schedule: line 2: a text is missing");
  refuse (HEAD "title a\ntitle b\n", "x.schedule: line 3: this has been said already");
  refuse (HEAD "title \\x00\n", "x.schedule: line 2: after a backslash comes xHH, which is not 00");
  refuse (HEAD "title \\x4\n", "x.schedule: line 2: after a backslash comes xHH, which is not 00");
  refuse (HEAD "module xyz /p\n", "x.schedule: line 2: a module is BUILD-ID PATH");
  refuse (HEAD "process 1 0.1 b\n", "x.schedule: line 2: a process comes after its creator");
  refuse (HEAD "process 0 - a\nprocess 0 - b\n", "x.schedule: line 3: this has been said already");
  refuse (HEAD "process -1 - a\n", "x.schedule: line 2: a process is NUMBER CREATOR.NTH NAME, or NUMBER - NAME");
  refuse (HEAD "process 0 - a\nprocess 1 0 b\n",
          "x.schedule: line 3: a process is NUMBER CREATOR.NTH NAME, or NUMBER - NAME");
  refuse (HEAD "event 0:0 lock\n", "x.schedule: line 2: an event comes after its process");
  refuse (TWO "event 0:0 lock\n", "x.schedule: line 6: this has been said already");
  refuse (TWO "event 0:1\n", "x.schedule: line 6: an event is PROCESS:ORDINAL OPERATION");
  refuse (TWO "event 0 lock\n", "x.schedule: line 6: an event is PROCESS:ORDINAL");
  refuse (HEAD "site f()\n", "x.schedule: line 2: nth, object and site come after their event");
  refuse (HEAD "nth 1\n", "x.schedule: line 2: nth, object and site come after their event");
  refuse (TWO "nth -1\n", "x.schedule: line 6: nth is a number, from 0 on");
  refuse (TWO "nth 1 2\n", "x.schedule: line 6: nth is a number, from 0 on");
  refuse (TWO "nth 1\nnth 1\n", "x.schedule: line 7: this has been said already");
  refuse (TWO "order 0:0 after 1:1\n", "x.schedule: line 6: an order is PROCESS:ORDINAL before PROCESS:ORDINAL");
  refuse (TWO "order 0:0 before 1:2\n", "x.schedule: line 6: an order is of events that are described before it");
  refuse (TWO "order 0:0 before 0:0\n", "x.schedule: line 6: no event comes before itself");
}

static void
test_limits (void)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= 4096; i++)
    g_string_append (text, "argument a\n");
  g_assert_null (lc_schedule_parse (text->str, text->len, "x", &error));
  g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_null (lc_schedule_parse (HEAD "title a\0b\n", sizeof HEAD + 10, "x", &error));
  g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "line 2: a zero byte"));
}

/* The lock of L could not be turned, for the token comes between; that the text says who was made by whom is seen by
 * the commands' tests. */
static void
test_history (void)
{
  g_autoptr (Case) trial = case_new (locks, NULL);
  g_autoptr (LcTrace) trace = lc_trace_open (trial->directory, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_new (trial->history, trace, &error);
  LcScheduleEvent *event;
  gboolean is_feasible;

  g_assert_no_error (error);
  g_assert_true (lc_schedule_add_order (schedule, trial->history, 1, 1, 0, 0, &error));
  g_assert_true (lc_schedule_add_order (schedule, trial->history, 0, 0, 1, 1, &error));
  g_assert_true (lc_schedule_add_order (schedule, trial->history, 0, 2, 0, 0, &error));
  g_assert_cmpuint (schedule->events->len, ==, 3);
  g_assert_cmpuint (schedule->processes->len, ==, 2);
  g_assert_true (lc_schedule_check (schedule, trial->history, &error));
  g_assert_true (lc_schedule_is_feasible (schedule, 0, trial->history, &is_feasible, &error));
  g_assert_false (is_feasible);
  g_assert_true (lc_schedule_is_feasible (schedule, 1, trial->history, &is_feasible, &error));
  g_assert_true (is_feasible);
  g_assert_true (lc_schedule_is_feasible (schedule, 2, trial->history, &is_feasible, &error));
  g_assert_false (is_feasible);
  event = &g_array_index (schedule->events, LcScheduleEvent, 1);
  g_assert_cmpstr (event->site, ==, "put() q.c:7");
  event->site[0] = 'P';
  g_assert_false (lc_schedule_check (schedule, trial->history, &error));
  g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER);
  g_clear_error (&error);
  event->site[0] = 'p';
  event->ordinal = 99;
  g_assert_false (lc_schedule_check (schedule, trial->history, &error));
  g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER);
}

/* By how many-th of its operation it is, an event is found again; the one after the last has not come. */
static void
test_nth (void)
{
  g_autoptr (Case) trial = case_new (locks, NULL);
  g_autoptr (LcTrace) trace = lc_trace_open (trial->directory, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_new (trial->history, trace, &error);
  const guint32 n_processes = lc_history_get_n_processes (trial->history);
  guint64 ordinal, n = 0;

  g_assert_no_error (error);
  for (guint32 process = 0; process < n_processes; process++)
    {
      const guint64 n_events = lc_history_get_process (trial->history, process)->events;

      for (guint64 i = 0; i < n_events; i++)
        g_assert_true (lc_schedule_add_order (schedule, trial->history, process, i, process, i, &error));
    }
  for (guint i = 0; i < schedule->events->len; i++)
    {
      const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, i);
      g_autofree char *operation = g_strdup (event->operation);
      const guint32 process = event->process;
      const guint64 expected = event->ordinal;

      g_assert_cmpint (event->nth, >=, 0);
      n += event->nth == 0;
      g_assert_true (
          lc_schedule_add_nth (schedule, trial->history, process, operation, (guint64)event->nth, &ordinal, &error));
      g_assert_cmpuint (ordinal, ==, expected);
    }
  g_assert_cmpuint (n, >, 0);
  n = schedule->events->len;
  g_assert_true (lc_schedule_add_nth (schedule, trial->history, 0, "barrier", 0, &ordinal, &error));
  g_assert_cmpuint (ordinal, ==, lc_history_get_process (trial->history, 0)->events);
  g_assert_cmpuint (schedule->events->len, ==, n + 1);
  g_assert_true (lc_schedule_check (schedule, trial->history, &error));
}

static const char *const makers[] = {"a", "10 20 create t 1\n30 40 lock L 1\n50 60 unlock L 1\n", NULL};

static guint64
add_nth (LcSchedule *schedule, const Case *trial, guint32 process, const char *operation, guint64 nth)
{
  g_autoptr (GError) error = NULL;
  guint64 ordinal;

  g_assert_true (lc_schedule_add_nth (schedule, trial->history, process, operation, nth, &ordinal, &error));
  g_assert_no_error (error);
  return ordinal;
}

/* Events that had not come stand after all others, in the order in which they are added, each once; also those of a
 * thread that had been made and not begun. */
static void
test_absent (void)
{
  g_autoptr (Case) trial = case_new (makers, NULL);
  g_autoptr (LcTrace) trace = lc_trace_open (trial->directory, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_new (trial->history, trace, &error);
  guint32 thread, again, child;
  gboolean is_feasible;

  g_assert_cmpuint (add_nth (schedule, trial, 0, "lock", 3), ==, 3);
  g_assert_cmpuint (add_nth (schedule, trial, 0, "unlock", 3), ==, 4);
  g_assert_cmpuint (add_nth (schedule, trial, 0, "lock", 3), ==, 3);
  g_assert_cmpuint (add_nth (schedule, trial, 0, "lock", 0), ==, 1);
  g_assert_true (lc_schedule_add_unbegun (schedule, trial->history, 0, 0, &thread, &error));
  g_assert_cmpuint (thread, ==, 1);
  g_assert_true (lc_schedule_add_unbegun (schedule, trial->history, 0, 0, &again, &error));
  g_assert_cmpuint (again, ==, thread);
  g_assert_true (lc_schedule_add_unbegun (schedule, trial->history, thread, 0, &child, &error));
  g_assert_cmpuint (child, ==, 2);
  g_assert_cmpuint (add_nth (schedule, trial, thread, "start", 0), ==, 0);
  g_assert_cmpuint (add_nth (schedule, trial, thread, "lock", 5), ==, 1);
  g_assert_cmpuint (add_nth (schedule, trial, child, "start", 0), ==, 0);
  g_assert_true (lc_schedule_add_order (schedule, trial->history, 0, 3, thread, 0, &error));
  g_assert_true (lc_schedule_add_order (schedule, trial->history, thread, 1, 0, 0, &error));
  g_assert_true (lc_schedule_add_order (schedule, trial->history, thread, 1, 0, 1, &error));
  g_assert_true (lc_schedule_check (schedule, trial->history, &error));
  g_assert_true (lc_schedule_is_feasible (schedule, 0, trial->history, &is_feasible, &error));
  g_assert_true (is_feasible);
  g_assert_true (lc_schedule_is_feasible (schedule, 1, trial->history, &is_feasible, &error));
  g_assert_false (is_feasible); /* what a thread does is after its making */
  g_assert_true (lc_schedule_is_feasible (schedule, 2, trial->history, &is_feasible, &error));
  g_assert_true (is_feasible);
}

static gboolean
text_is_of (const char *text, const Case *trial)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_parse (text, strlen (text), "x", &error);
  gboolean good;

  g_assert_no_error (error);
  good = lc_schedule_check (schedule, trial->history, &error);
  if (!good)
    g_assert_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER);
  return good;
}

static void
test_another_run (void)
{
  g_autoptr (Case) trial = case_new (makers, NULL);

  g_assert_true (text_is_of (HEAD "process 0 - a\nevent 0:9 lock\nnth 1\n", trial));
  g_assert_false (text_is_of (HEAD "process 0 - a\nevent 0:9 lock\nnth 0\n", trial)); /* it had come */
  g_assert_false (text_is_of (HEAD "process 0 - a\nevent 0:9 lock\n", trial));
  g_assert_true (text_is_of (HEAD "process 0 - a\nprocess 1 0.0 t\nevent 1:0 start\nnth 0\n", trial));
  g_assert_false (text_is_of (HEAD "process 0 - a\nprocess 1 0.1 t\nevent 1:0 start\nnth 0\n", trial)); /* not made */
  g_assert_false (text_is_of (HEAD "process 1 - t\nevent 1:0 start\nnth 0\n", trial));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/again", test_again);
  g_test_add_func ("/schedule/refused", test_refused);
  g_test_add_func ("/schedule/limits", test_limits);
  g_test_add_func ("/schedule/history", test_history);
  g_test_add_func ("/schedule/nth", test_nth);
  g_test_add_func ("/schedule/absent", test_absent);
  g_test_add_func ("/schedule/another-run", test_another_run);
  return g_test_run ();
}
