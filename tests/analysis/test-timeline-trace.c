/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline that is written as a trace: merged again, it is the same, whatever operations there are. */
#include <glib/gstdio.h>
#include <string.h>

#include "case.h"
#include "lightcone/timeline-trace.h"

static char *
dup_path (const Case *trial)
{
  return g_strconcat (trial->directory, ".written", NULL);
}

static LcHistory *
write_and_merge (const Case *trial, const char *path)
{
  const LcTimelineTraceOptions options = {.origin = trial->directory, .path = path};
  const LcMergeOptions again = {.again = TRUE};
  g_autoptr (GError) error = NULL;
  LcHistory *history;

  lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error);
  g_assert_no_error (error);
  history = lc_merge_open (path, &again, &error);
  g_assert_no_error (error);
  return history;
}

static void
check_objects (LcHistory *a, guint32 of_a, LcHistory *b, guint32 of_b)
{
  LcHistoryObject one, other;

  g_assert_cmpint (of_a == LC_TRACE_NONE, ==, of_b == LC_TRACE_NONE);
  if (of_a == LC_TRACE_NONE)
    return;
  g_assert_true (lc_history_get_object (a, of_a, &one, NULL) && lc_history_get_object (b, of_b, &other, NULL));
  g_assert_cmpstr (one.name, ==, other.name);
  g_assert_cmpstr (one.class_name, ==, other.class_name);
  g_assert_cmpuint (one.value, ==, other.value);
  g_assert_cmpuint (one.waited, ==, other.waited);
  g_assert_cmpuint (one.held, ==, other.held);
  lc_history_object_clear (&one);
  lc_history_object_clear (&other);
}

static void
check_events (LcHistory *a, LcHistory *b, const LcHistoryEvent *one, const LcHistoryEvent *other)
{
  g_assert_cmpuint (one->begin, ==, other->begin);
  g_assert_cmpuint (one->end, ==, other->end);
  g_assert_cmpuint (one->waited, ==, other->waited);
  g_assert_cmpuint (one->woken, ==, other->woken);
  g_assert_cmpuint (one->layer, ==, other->layer);
  g_assert_cmpint (one->sequence, ==, other->sequence);
  g_assert_cmpint (one->value, ==, other->value);
  g_assert_cmpuint (one->bytes, ==, other->bytes);
  g_assert_cmpuint (one->peer, ==, other->peer);
  g_assert_cmpuint (one->cpu, ==, other->cpu);
  g_assert_cmphex (one->flags, ==, other->flags);
  g_assert_cmpint (one->basis, ==, other->basis);
  g_assert_cmpstr (lc_history_get_operation (a, one->operation)->name, ==,
                   lc_history_get_operation (b, other->operation)->name);
  check_objects (a, one->object, b, other->object);
}

static void
check_same (LcHistory *a, LcHistory *b)
{
  g_autoptr (LcHistoryWalk) in_a = lc_history_walk_new (a, LC_TIMELINE_MEASURED, LC_WALK_ALL, NULL, NULL);
  g_autoptr (LcHistoryWalk) in_b = lc_history_walk_new (b, LC_TIMELINE_MEASURED, LC_WALK_ALL, NULL, NULL);

  g_assert_cmpuint (lc_history_get_n_processes (a), ==, lc_history_get_n_processes (b));
  g_assert_cmpuint (lc_history_get_n_events (a), ==, lc_history_get_n_events (b));
  g_assert_cmpuint (lc_history_get_n_arcs (a), ==, lc_history_get_n_arcs (b));
  for (guint32 i = 0; i < lc_history_get_n_processes (a); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (a, i);

      g_assert_cmpstr (process->name, ==, lc_history_get_process (b, i)->name);
      for (guint64 k = 0; k < process->events; k++)
        {
          const LcHistoryArcEnd *from_a, *from_b;
          LcHistoryEvent one, other;

          g_assert_true (lc_history_walk_get (in_a, i, k, &one, &from_a, NULL));
          g_assert_true (lc_history_walk_get (in_b, i, k, &other, &from_b, NULL));
          check_events (a, b, &one, &other);
          g_assert_cmpuint (one.n_arcs, ==, other.n_arcs);
          for (guint32 n = 0; n < one.n_arcs; n++)
            {
              g_assert_cmpuint (from_a[n].process, ==, from_b[n].process);
              g_assert_cmpuint (from_a[n].ordinal, ==, from_b[n].ordinal);
              g_assert_cmpint (from_a[n].point, ==, from_b[n].point);
            }
        }
    }
}

static void
check_case (const Case *trial)
{
  g_autofree char *path = dup_path (trial);
  g_autoptr (LcHistory) written = write_and_merge (trial, path);

  check_same (trial->history, written);
  case_remove_folder (path);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (120); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 1 + seed % 7, 10 + seed % 150);
      g_autoptr (Case) trial = case_new_random (random, seed % 3 == 0 ? 20 + seed : 0, seed);

      check_case (trial);
    }
}

static gboolean
find_object (LcHistory *history, const char *name, LcHistoryObject *object)
{
  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      g_assert_true (lc_history_get_object (history, i, object, NULL));
      if (strcmp (object->name, name) == 0)
        return TRUE;
      lc_history_object_clear (object);
    }
  return FALSE;
}

/* What a wait without an object or a number says, and what the scheduler did. */
static void
test_odd (void)
{
  static const char *const files[] = {
      "a",
      "%process first one\n%object m the queue's mutex (2)\n%object s value=2 tokens\n%begin 5\n%absent 12 30 "
      "blocked\n%absent 41 44 preempted\n"
      "10 40 lock m 2 cpu=3 at=put@a%20b.c:7;main@a.c:12\n50 60 unlock m 2\n70 90 lock-failed m - timed-out=1\n"
      "100 150 condition-wait c - timed-out=1 unknown=1\n160 170 tag value=-3\n180 190 wait s 1\n",
      "b", "0 10 lock m 1\n20 25 unlock m 1\n30 40 advance x -5\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autofree char *path = dup_path (trial);
  g_autoptr (LcHistory) written = write_and_merge (trial, path);
  const LcHistoryProcess *process = lc_history_get_process (written, 0);
  const LcHistorySite *site;
  LcHistoryObject object;
  LcHistoryEvent event;

  check_same (trial->history, written);
  g_assert_cmpstr (process->name, ==, "first one");
  g_assert_cmpuint (process->begin, ==, 5);
  g_assert_true (process->is_scheduled);
  g_assert_true (find_object (written, "tokens", &object));
  g_assert_cmpuint (object.value, ==, 2);
  lc_history_object_clear (&object);
  g_assert_true (lc_history_get_event (written, LC_TIMELINE_MEASURED, 0, 0, &event, NULL));
  site = lc_history_get_own_site (written, event.stack);
  g_assert_cmpstr (site->function, ==, "put");
  g_assert_cmpstr (site->file, ==, "a b.c");
  g_assert_cmpuint (site->line, ==, 7);
  case_remove_folder (path);
}

/* Rules of the trace's own are needed to merge it again. */
static void
test_rules (void)
{
  static const char *const files[] = {"a", "0 10 hand-out s 1\n", "b", "5 30 take-in s 1\n", NULL};
  g_autoptr (Case) trial = case_new (
      files, "[class mine]\nsummary=Mine\nsequence=the n-th\n[operation hand-out]\nclass=mine\nsummary=Gives\n"
             "[operation take-in]\nclass=mine\nsummary=Takes\nwaits=true\n[arc hand-out to take-in]\n"
             "class=mine\nfrom=hand-out\nto=take-in\nsequence=same\n");
  g_autofree char *path = dup_path (trial);
  g_autoptr (LcHistory) written = write_and_merge (trial, path);

  g_assert_cmpuint (lc_history_get_n_arcs (written), ==, 1);
  check_same (trial->history, written);
  case_remove_folder (path);
}

/* Only what is a trace is removed, and never the one that is written. */
static void
test_replace (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, "[class mine]\nsummary=Mine\nsequence=the n-th\n");
  g_autofree char *path = dup_path (trial), *own = g_build_filename (path, "notes", NULL);
  LcTimelineTraceOptions options = {.origin = trial->directory, .path = path};
  g_autoptr (GError) error = NULL;

  lc_history_free (write_and_merge (trial, path));
  g_assert_false (lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS);
  g_clear_error (&error);
  options.replace = TRUE;
  g_assert_true (lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (own, "mine", -1, NULL));
  g_assert_false (lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_true (g_file_test (own, G_FILE_TEST_EXISTS));
  options.path = trial->directory;
  g_assert_false (lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS);
  case_remove_folder (path);
}

/* Who cannot write all of it leaves nothing. */
static void
test_refused (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autofree char *path = dup_path (trial);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  LcTimelineTraceOptions options = {.origin = trial->directory, .path = path};
  g_autoptr (GError) error = NULL;

  g_assert_false (lc_timeline_write_trace (trial->history, 77, &options, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_cancellable_cancel (cancellable);
  options.cancellable = cancellable;
  g_assert_false (lc_timeline_write_trace (trial->history, LC_TIMELINE_MEASURED, &options, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-trace/random", test_random);
  g_test_add_func ("/timeline-trace/odd", test_odd);
  g_test_add_func ("/timeline-trace/rules", test_rules);
  g_test_add_func ("/timeline-trace/replace", test_replace);
  g_test_add_func ("/timeline-trace/refused", test_refused);
  return g_test_run ();
}
