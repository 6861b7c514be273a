/* SPDX-License-Identifier: Apache-2.0 */
/* A history of the beginning of a run has what the whole one has, up to where it ends; and a trace that is still being
 * recorded has no problems because of that. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lightcone/merge.h"
#include "random-history.h"

typedef struct
{
  char *directory;
  char *beginning; /* where its history goes */
} Trace;

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("lightcone-beginning-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

static void
trace_init (Trace *trace)
{
  trace->directory = make_folder ();
  trace->beginning = g_build_filename (trace->directory, "beginning.lightcone", NULL);
}

static void
trace_clear (Trace *trace)
{
  GDir *dir = g_dir_open (trace->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (trace->directory, name, NULL);

      g_unlink (path);
    }
  g_dir_close (dir);
  g_rmdir (trace->directory);
  g_free (trace->directory);
  g_free (trace->beginning);
}

static void
write_text (const Trace *trace, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (trace->directory, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static LcMergeResult
merge (const Trace *trace, guint64 most_events)
{
  const LcMergeOptions options = {.most_events = most_events, .path = most_events > 0 ? trace->beginning : NULL};
  g_autoptr (GError) error = NULL;
  LcMergeResult result;

  lc_merge (trace->directory, &options, &result, &error);
  g_assert_no_error (error);
  return result;
}

static LcHistory *
open_history (const char *path)
{
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_history_open (path, &error);

  g_assert_no_error (error);
  return history;
}

/* --- The beginning is as in the whole -------------------------------------------------------------------------- */

static void
compare_arcs (LcHistory *part, LcHistory *whole, const LcHistoryEvent *event)
{
  g_autoptr (GArray) arcs = NULL, expected = NULL;
  g_autoptr (GError) error = NULL;

  lc_history_list_arcs_in (part, LC_TIMELINE_MEASURED, event->process, event->ordinal, &arcs, &error);
  g_assert_no_error (error);
  lc_history_list_arcs_in (whole, LC_TIMELINE_MEASURED, event->process, event->ordinal, &expected, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (arcs->len, ==, expected->len);
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);
      const LcHistoryArc *as = &g_array_index (expected, LcHistoryArc, i);

      g_assert_cmpuint (arc->from_process, ==, as->from_process);
      g_assert_cmpuint (arc->from_ordinal, ==, as->from_ordinal);
      g_assert_cmpuint (arc->from_time, ==, as->from_time);
      g_assert_cmpuint (arc->rule, ==, as->rule);
      /* What it depends on is there too. */
      g_assert_cmpuint (arc->from_ordinal, <, lc_history_get_process (part, arc->from_process)->events);
    }
}

static void
compare_event (LcHistory *part, LcHistory *whole, guint32 process, guint64 ordinal)
{
  g_autoptr (GError) error = NULL;
  LcHistoryEvent event, expected;

  lc_history_get_event (part, LC_TIMELINE_MEASURED, process, ordinal, &event, &error);
  g_assert_no_error (error);
  lc_history_get_event (whole, LC_TIMELINE_MEASURED, process, ordinal, &expected, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (event.begin, ==, expected.begin);
  g_assert_cmpuint (event.end, ==, expected.end);
  g_assert_cmpuint (event.waited, ==, expected.waited);
  g_assert_cmpuint (event.layer, ==, expected.layer);
  g_assert_cmpuint (event.operation, ==, expected.operation);
  g_assert_cmpuint (event.object, ==, expected.object);
  g_assert_cmpint (event.sequence, ==, expected.sequence);
  g_assert_cmpint (event.basis, ==, expected.basis);
  compare_arcs (part, whole, &event);
}

static void
compare (LcHistory *part, LcHistory *whole)
{
  guint32 n_processes = lc_history_get_n_processes (whole);

  g_assert_cmpuint (lc_history_get_n_processes (part), ==, n_processes);
  for (guint32 i = 0; i < n_processes; i++)
    {
      guint64 n = lc_history_get_process (part, i)->events;

      g_assert_cmpuint (n, <=, lc_history_get_process (whole, i)->events);
      g_assert_cmpuint (lc_history_get_process (part, i)->pending.operation, ==, LC_TRACE_NONE);
      for (guint64 j = 0; j < n; j++)
        compare_event (part, whole, i, j);
    }
}

static void
try_beginning (const Trace *trace, LcHistory *whole, guint64 most_events)
{
  LcMergeResult result = merge (trace, most_events);
  LcHistory *part = open_history (trace->beginning);

  g_assert_true (result.made);
  g_assert_cmpuint (result.events, ==, lc_history_get_n_events (part));
  g_assert_cmpuint (result.problems, ==, 0);
  if (result.cut)
    {
      g_assert_cmpuint (result.events, >=, most_events);
      /* Those that had begun and others that were being gone on with. */
      g_assert_cmpuint (result.events, <=, most_events + 64 + lc_history_get_n_processes (whole));
      compare (part, whole);
    }
  else
    g_assert_cmpuint (result.events, ==, lc_history_get_n_events (whole));
  lc_history_free (part);
}

static void
test_is_as_in_the_whole (void)
{
  guint32 n_trials = random_trials (40);
  guint cut = 0;

  for (guint32 seed = 1; seed <= n_trials; seed++)
    {
      RandomHistory *random = random_history_new (seed, 2 + seed % 7, 400);
      LcHistory *whole;
      LcMergeResult result;
      Trace trace;

      trace_init (&trace);
      random_history_write (random, trace.directory, 0, seed);
      random_history_free (random);
      result = merge (&trace, 0);
      g_assert_false (result.cut);
      g_assert_cmpuint (result.problems, ==, 0);
      whole = lc_merge_open (trace.directory, NULL, NULL);
      g_assert_nonnull (whole);
      for (guint64 most = 1; most < result.events + 100; most = most * 3 + 7)
        {
          try_beginning (&trace, whole, most);
          cut += most < result.events;
        }
      lc_history_free (whole);
      trace_clear (&trace);
    }
  g_assert_cmpuint (cut, >, n_trials);
}

/* It is nobody's history: the trace has its own, or none. */
static void
test_is_not_the_traces (void)
{
  g_autofree char *path = NULL;
  Trace trace;

  trace_init (&trace);
  write_text (&trace, "a.events", "%lightcone-events 1\n0 1 tag value=1\n2 3 tag value=2\n4 5 tag value=3\n");
  path = lc_merge_dup_path (trace.directory);
  merge (&trace, 1);
  g_assert_true (g_file_test (trace.beginning, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (merge (&trace, 0).made);
  g_assert_false (merge (&trace, 0).made);
  g_assert_true (merge (&trace, 1).made);
  trace_clear (&trace);
}

/* What is wrong in what was read is told; what only lacks what was not read is not. */
static void
test_tells_what_it_has_read (void)
{
  g_autoptr (GString) text = g_string_new ("%lightcone-events 1\n0 10 await A 7\n");
  Trace trace;

  trace_init (&trace);
  for (guint i = 1; i < 2000; i++)
    g_string_append_printf (text, "%u %u tag value=1\n", i * 10 + 1, i * 10 + 2);
  write_text (&trace, "a.events", text->str);
  write_text (&trace, "b.events", "%lightcone-events 1\n0 1 tag value=1\n1000 1001 advance A 7\n");
  write_text (&trace, "c.events", "%lightcone-events 1\n0 1 tag value=1\n7 nonsense\n");
  g_assert_cmpuint (merge (&trace, 0).problems, ==, 2); /* backwards, and the line */
  g_assert_cmpuint (merge (&trace, 1).problems, <=, 1);
  trace_clear (&trace);
}

/* --- While it is being recorded ---------------------------------------------------------------------------------- */

static void
test_growing (void)
{
  g_autofree char *control = NULL;
  LcMergeResult result;
  Trace trace;
  int file;

  trace_init (&trace);
  write_text (&trace, "a.events", "%lightcone-events 1\n0 5 await A 3\n6 7 tag value=1\n");
  write_text (&trace, "b.events", "%lightcone-events 1\n0 1 advance A 2\n");
  control = g_build_filename (trace.directory, ".control", NULL);
  file = open (control, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_cmpint (flock (file, LOCK_EX), ==, 0);

  result = merge (&trace, 0);
  g_assert_true (result.growing);
  g_assert_cmpuint (result.events, ==, 3);
  g_assert_cmpuint (result.problems, ==, 0);
  g_assert_true (merge (&trace, 0).made); /* there may be more by now */

  close (file);
  g_unlink (control);
  result = merge (&trace, 0);
  g_assert_false (result.growing);
  g_assert_true (result.made);
  g_assert_cmpuint (result.problems, ==, 1);
  trace_clear (&trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beginning/is-as-in-the-whole", test_is_as_in_the_whole);
  g_test_add_func ("/beginning/is-not-the-traces", test_is_not_the_traces);
  g_test_add_func ("/beginning/tells-what-it-has-read", test_tells_what_it_has_read);
  g_test_add_func ("/beginning/growing", test_growing);
  return g_test_run ();
}
