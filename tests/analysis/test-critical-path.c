/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path: small ones by hand; random ones against what must hold for each of its segments. */
#include <string.h>

#include "case.h"
#include "lightcone/critical-path.h"

/* --- What must hold for every path ------------------------------------------------------------------------- */

typedef struct
{
  const RandomHistory *random; /* or NULL */
  guint64 time;
  guint64 sums[3]; /* by LcCriticalPart */
  guint64 events, hops;
  LcCriticalSegment last;
} Walked;

/* The latest point on other processes that an event had to come after; before its begin if there is none. */
static guint64
latest_source (const RandomHistory *random, guint process, const RandomEvent *event)
{
  guint64 latest = 0;

  for (guint i = 0; i < event->sources->len; i++)
    {
      const RandomSource *source = &g_array_index (event->sources, RandomSource, i);
      const RandomEvent *from = random_history_event (random, source->process, source->ordinal);

      if (source->process != process)
        latest = MAX (latest, source->begin ? from->begin : from->end);
    }
  return latest;
}

/* A hop comes from the last point that was waited for; what is passed through did not wait. */
static void
check_with_source (const Walked *walked, const LcCriticalSegment *segment)
{
  const RandomEvent *event = random_history_event (walked->random, segment->process, (guint)segment->event->ordinal);
  guint64 latest = latest_source (walked->random, segment->process, event);

  g_assert_cmpuint (segment->end, ==, event->end);
  if (segment->part == LC_CRITICAL_HOP)
    {
      const RandomEvent *from =
          random_history_event (walked->random, segment->stay->from_process, (guint)segment->stay->from_ordinal);

      g_assert_cmpuint (latest, >, event->begin);
      g_assert_cmpuint (segment->begin, ==, latest);
      g_assert_cmpuint (segment->stay->from_point == LC_POINT_BEGIN ? from->begin : from->end, ==, latest);
    }
  else
    {
      g_assert_cmpuint (latest, <=, event->begin);
      g_assert_cmpuint (segment->begin, ==, event->begin);
    }
}

static gboolean
walk (const LcCriticalSegment *segment, gpointer data)
{
  Walked *walked = data;

  g_assert_cmpuint (segment->begin, ==, walked->time);
  g_assert_cmpuint (segment->end, >=, segment->begin);
  walked->time = segment->end;
  walked->sums[segment->part] += segment->end - segment->begin;
  walked->events += segment->part != LC_CRITICAL_COMPUTING;
  walked->hops += segment->part == LC_CRITICAL_HOP;
  g_assert_cmpint (segment->event == NULL, ==, segment->part == LC_CRITICAL_COMPUTING);
  if (walked->random != NULL && segment->event != NULL)
    check_with_source (walked, segment);
  walked->last = *segment;
  return TRUE;
}

static void
check_shares (const LcCriticalPath *path, guint64 length)
{
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    {
      gsize n;
      const LcCriticalShare *shares = lc_critical_path_get_shares (path, kind, &n);
      guint64 sum = 0;

      for (gsize i = 0; i < n; i++)
        {
          sum += shares[i].time;
          g_assert_true (i == 0 || shares[i].time <= shares[i - 1].time);
        }
      g_assert_cmpuint (sum, ==, length);
    }
}

static void
check_whole (LcCriticalPath *path, const RandomHistory *random)
{
  const LcCriticalSummary *summary = lc_critical_path_get_summary (path);
  Walked walked = {.random = random};
  g_autoptr (GError) error = NULL;

  g_assert_true (lc_critical_path_visit (path, walk, &walked, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (walked.time, ==, summary->end);
  g_assert_cmpuint (walked.sums[LC_CRITICAL_COMPUTING], ==, summary->computing);
  g_assert_cmpuint (walked.sums[LC_CRITICAL_EVENT], ==, summary->inside);
  g_assert_cmpuint (walked.sums[LC_CRITICAL_HOP], ==, summary->passing);
  g_assert_cmpuint (walked.hops, ==, summary->hops);
  if (random != NULL)
    g_assert_cmpuint (walked.events, ==, summary->events);
  check_shares (path, summary->end - summary->begin);
}

static void
check_random (guint32 seed, guint n_processes, guint n_steps, guint64 skew)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, n_steps);
  g_autoptr (Case) trial = case_new_random (random, skew, seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcCriticalPath) path = lc_critical_path_find (trial->history, LC_TIMELINE_MEASURED, NULL, &error);
  guint64 begin, end;

  g_assert_no_error (error);
  lc_history_get_span (trial->history, &begin, &end);
  g_assert_cmpuint (lc_critical_path_get_summary (path)->end, ==, end);
  check_whole (path, skew > 0 ? NULL : random);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (1000); seed++)
    check_random (seed, 1 + seed % 7, 10 + seed % 120, 0);
}

/* Clocks that disagree a little give arcs that end before they begin: no time may count twice for that. */
static void
test_skewed (void)
{
  for (guint32 seed = 1; seed <= random_trials (500); seed++)
    check_random (seed, 2 + seed % 6, 10 + seed % 120, seed % 5 == 0 ? 100000 : 20 + seed % 400);
}

/* --- By hand ----------------------------------------------------------------------------------------------- */

static gboolean
describe (const LcCriticalSegment *segment, gpointer data)
{
  static const char parts[] = "CEH"; /* as LcCriticalPart */

  g_string_append_printf (data, "%c%u %u-%u;", parts[segment->part], segment->process, (guint)segment->begin,
                          (guint)segment->end);
  return TRUE;
}

static LcCriticalPath *
find (const Case *trial)
{
  g_autoptr (GError) error = NULL;
  LcCriticalPath *path = lc_critical_path_find (trial->history, LC_TIMELINE_MEASURED, NULL, &error);

  g_assert_no_error (error);
  check_whole (path, NULL);
  return path;
}

static void
check_path (LcCriticalPath *path, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true (lc_critical_path_visit (path, describe, text, NULL, NULL));
  g_assert_cmpstr (text->str, ==, expected);
}

static void
check_share (const LcCriticalPath *path, LcCriticalShareKind kind, guint32 id, guint64 time, guint64 visits)
{
  gsize n;
  const LcCriticalShare *shares = lc_critical_path_get_shares (path, kind, &n);

  for (gsize i = 0; i < n; i++)
    if (shares[i].id == id)
      {
        g_assert_cmpuint (shares[i].time, ==, time);
        g_assert_cmpuint (shares[i].visits, ==, visits);
        return;
      }
  g_assert_not_reached ();
}

static const char *const hand_over[] = {"a", "10 20 lock L 1\n100 110 unlock L 1\n200 210 tag value=1\n", "b",
                                        "30 120 lock L 2\n300 310 unlock L 2\n", NULL};

static void
test_lock (void)
{
  g_autoptr (Case) trial = case_new (hand_over, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);

  check_path (path, "C0 0-10;E0 10-20;C0 20-100;E0 100-110;H1 110-120;C1 120-300;E1 300-310;");
  check_share (path, LC_CRITICAL_PROCESSES, 0, 110, 1);
  check_share (path, LC_CRITICAL_PROCESSES, 1, 200, 1);
  check_share (path, LC_CRITICAL_OBJECTS, LC_TRACE_NONE, 270, 3);
  check_share (path, LC_CRITICAL_OBJECTS, 0, 40, 4);
  check_share (path, LC_CRITICAL_OPERATIONS, LC_LOCK, 20, 2);
  check_share (path, LC_CRITICAL_OPERATIONS, LC_UNLOCK, 20, 2);
  check_share (path, LC_CRITICAL_REGIONS, LC_TRACE_NONE, 310, 2);
}

/* Of those that end last, the first process; each barrier is entered with who came last. */
static const char *const rounds[] = {
    "a", "50 105 barrier B 0\n160 205 barrier B 1\n", "b", "100 104 barrier B 0\n150 205 barrier B 1\n",
    "c", "20 103 barrier B 0\n200 203 barrier B 1\n", NULL};

static void
test_barriers (void)
{
  g_autoptr (Case) trial = case_new (rounds, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);

  check_path (path, "C1 0-100;H2 100-103;C2 103-200;H0 200-205;");
}

/* Who was blocked to its end did not make the run so long, unless nobody else has ended then: that is told. */
static const char *const in_vain[] = {"a", "0 5 tag value=1\n%pending 20 100 lock L 1\n", "b",
                                      "0 10 tag value=1\n100 100 exit\n", NULL};

static void
test_in_vain (void)
{
  static const char *const alone[] = {"a", "0 5 tag value=1\n%pending 20 100 lock L 1\n", NULL};
  g_autoptr (Case) trial = case_new (in_vain, NULL), killed = case_new (alone, NULL);
  g_autoptr (LcCriticalPath) path = find (trial), last = find (killed);

  check_path (path, "E1 0-10;C1 10-100;E1 100-100;");
  g_assert_cmpuint (lc_critical_path_get_summary (path)->pending, ==, LC_TRACE_NONE);
  check_path (last, "E0 0-5;C0 5-20;E0 20-100;");
  g_assert_cmpuint (lc_critical_path_get_summary (last)->pending, ==, 0);
}

/* The message left when the send began; what the sender did after that has nothing to do with it. */
static const char *const message[] = {"a", "10 60 send M 0 bytes=8\n", "b",
                                      "0 50 recv M 0 bytes=8\n70 80 tag value=1\n", NULL};

static void
test_message (void)
{
  g_autoptr (Case) trial = case_new (message, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);

  check_path (path, "C0 0-10;H1 10-50;C1 50-70;E1 70-80;");
}

/* A process does not compute before it is there. The text names the object of create and start: the process. */
static const char *const creation[] = {"a", "0 5 tag value=1\n20 40 create T\n50 51 tag value=2\n", "b",
                                       "60 70 start T\n100 110 tag value=3\n", NULL};

static void
test_creation (void)
{
  g_autoptr (Case) trial = case_new (creation, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);

  check_path (path, "E0 0-5;C0 5-20;H1 20-60;E1 60-70;C1 70-100;E1 100-110;");
  g_assert_cmpuint (lc_critical_path_get_summary (path)->events, ==, 3);
}

/* Regions: a bracket lasts from the begin of its enter to the end of its leave. */
static const char *const regions[] = {
    "a",
    "10 11 enter outer\n20 21 enter inner\n30 31 leave inner\n40 41 enter inner\n50 60 lock L 1\n70 71 unlock L 1\n"
    "80 81 leave inner\n90 91 leave outer\n",
    "b", "5 6 enter work\n55 75 lock L 2\n100 101 leave work\n110 111 unlock L 2\n", NULL};

static void
test_regions (void)
{
  g_autoptr (Case) trial = case_new (regions, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);
  gsize n;

  check_path (path, "C0 0-10;E0 10-11;C0 11-20;E0 20-21;C0 21-30;E0 30-31;C0 31-40;E0 40-41;C0 41-50;E0 50-60;"
                    "C0 60-70;E0 70-71;H1 71-75;C1 75-100;E1 100-101;C1 101-110;E1 110-111;");
  lc_critical_path_get_shares (path, LC_CRITICAL_REGIONS, &n);
  g_assert_cmpuint (n, ==, 4);
  for (guint32 i = 0; i < lc_history_get_n_objects (trial->history); i++)
    {
      LcHistoryObject object;

      g_assert_true (lc_history_get_object (trial->history, i, &object, NULL));
      if (strcmp (object.name, "outer") == 0)
        check_share (path, LC_CRITICAL_REGIONS, i, 19, 2);
      else if (strcmp (object.name, "inner") == 0)
        check_share (path, LC_CRITICAL_REGIONS, i, 42, 2);
      else if (strcmp (object.name, "work") == 0)
        check_share (path, LC_CRITICAL_REGIONS, i, 30, 1);
      lc_history_object_clear (&object);
    }
  check_share (path, LC_CRITICAL_REGIONS, LC_TRACE_NONE, 20, 2);
}

/* A lock that goes round more processes than a walk keeps in mind, twice: all of them are looked at again. */
static void
test_many (void)
{
  enum
  {
    MANY = 600,
  };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) files = NULL;
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcCriticalPath) path = NULL;
  const LcCriticalSummary *summary;

  for (guint i = 0; i < MANY; i++)
    {
      guint first = 10 * i, second = 10 * (MANY + i);
      g_autofree char *name = g_strdup_printf ("%u", i);
      g_autofree char *text = g_strdup_printf (
          "0 %u lock m %u\n%u %u unlock m %u\n%u %u lock m %u\n%u %u unlock m %u\n", first + 2, i + 1, first + 8,
          first + 10, i + 1, first + 10, second + 2, MANY + i + 1, second + 8, second + 10, MANY + i + 1);

      g_strv_builder_add_many (builder, name, text, NULL);
    }
  files = g_strv_builder_end (builder);
  trial = case_new ((const char *const *)files, NULL);
  path = find (trial);
  summary = lc_critical_path_get_summary (path);
  g_assert_cmpuint (summary->end, ==, 20 * MANY);
  g_assert_cmpuint (summary->hops, ==, 2 * MANY - 1);
  g_assert_cmpuint (summary->computing, ==, 6 * 2 * MANY);
  g_assert_cmpuint (summary->passing, ==, 2 * (2 * MANY - 1));
  check_share (path, LC_CRITICAL_PROCESSES, 77, 20, 2);
}

static void
test_nothing (void)
{
  static const char *const empty[] = {"a", "", NULL};
  g_autoptr (Case) trial = case_new (empty, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);
  gsize n;

  check_path (path, "");
  g_assert_nonnull (path);
  lc_critical_path_get_stays (path, &n);
  g_assert_cmpuint (n, ==, 0);
}

static gboolean
stop (const LcCriticalSegment *segment, gpointer data)
{
  return ++*(guint *)data < 3;
}

static void
test_ends (void)
{
  g_autoptr (Case) trial = case_new (hand_over, NULL);
  g_autoptr (LcCriticalPath) path = find (trial);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_assert_true (lc_critical_path_visit (path, stop, &n, NULL, NULL));
  g_assert_cmpuint (n, ==, 3);
  g_cancellable_cancel (cancellable);
  g_assert_null (lc_critical_path_find (trial->history, LC_TIMELINE_MEASURED, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (lc_critical_path_find (trial->history, 77, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/critical-path/lock", test_lock);
  g_test_add_func ("/critical-path/barriers", test_barriers);
  g_test_add_func ("/critical-path/in-vain", test_in_vain);
  g_test_add_func ("/critical-path/message", test_message);
  g_test_add_func ("/critical-path/creation", test_creation);
  g_test_add_func ("/critical-path/regions", test_regions);
  g_test_add_func ("/critical-path/many", test_many);
  g_test_add_func ("/critical-path/nothing", test_nothing);
  g_test_add_func ("/critical-path/ends", test_ends);
  g_test_add_func ("/critical-path/random", test_random);
  g_test_add_func ("/critical-path/skewed", test_skewed);
  return g_test_run ();
}
