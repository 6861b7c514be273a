/* SPDX-License-Identifier: Apache-2.0 */
/* Pasts, futures and relations against a closure over all points, made step by step. */
#include "case.h"
#include "lightcone/causality.h"

/* Points are numbered through: 2 * event for its begin, 2 * event + 1 for its end. */
typedef struct
{
  const RandomHistory *random;
  guint *offset; /* of each process, the number of its first event */
  guint n_events;
  guint8 *reached; /* by event a * n_events + b: a's begin comes before b's end */
} Closure;

static guint
number_of (const Closure *closure, guint process, guint ordinal)
{
  return closure->offset[process] + ordinal;
}

static void
add_point (GArray *points, guint8 *seen, guint point)
{
  if (!seen[point])
    g_array_append_val (points, point);
  seen[point] = TRUE;
}

/* All points that come before the end of an event. */
static void
close_over (Closure *closure, RandomEvent **events, const guint8 *is_first, guint target)
{
  g_autofree guint8 *seen = g_new0 (guint8, 2 * closure->n_events);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (guint));

  add_point (points, seen, 2 * target + 1);
  for (guint i = 0; i < points->len; i++)
    {
      guint point = g_array_index (points, guint, i);
      const RandomEvent *event = events[point / 2];

      if (point % 2 == 1)
        {
          add_point (points, seen, point - 1);
          for (guint k = 0; k < event->sources->len; k++)
            {
              const RandomSource *source = &g_array_index (event->sources, RandomSource, k);

              add_point (points, seen, 2 * number_of (closure, source->process, source->ordinal) + !source->begin);
            }
        }
      else if (!is_first[point / 2])
        add_point (points, seen, point - 1);
    }
  for (guint a = 0; a < closure->n_events; a++)
    closure->reached[a * closure->n_events + target] = seen[2 * a];
}

static Closure *
closure_new (const RandomHistory *random)
{
  Closure *closure = g_new0 (Closure, 1);
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  g_autofree guint8 *is_first = NULL;

  closure->random = random;
  closure->offset = g_new0 (guint, random->n_processes + 1);
  for (guint i = 0; i < random->n_processes; i++)
    {
      closure->offset[i + 1] = closure->offset[i] + random->events[i]->len;
      for (guint j = 0; j < random->events[i]->len; j++)
        g_ptr_array_add (events, random_history_event (random, i, j));
    }
  closure->n_events = events->len;
  is_first = g_new0 (guint8, events->len + 1);
  for (guint i = 0; i < random->n_processes; i++)
    is_first[closure->offset[i]] |= random->events[i]->len > 0;
  closure->reached = g_new0 (guint8, closure->n_events * closure->n_events);
  for (guint target = 0; target < closure->n_events; target++)
    close_over (closure, (RandomEvent **)events->pdata, is_first, target);
  return closure;
}

static void
closure_free (Closure *closure)
{
  g_free (closure->offset);
  g_free (closure->reached);
  g_free (closure);
}

static gboolean
is_before (const Closure *closure, guint a, guint b)
{
  return closure->reached[a * closure->n_events + b];
}

/* --- What is to be compared -------------------------------------------------------------------------------- */

static void
check_event (const Closure *closure, LcHistory *history, guint process, guint ordinal)
{
  guint event = number_of (closure, process, ordinal);
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *past = lc_causality_past (history, process, ordinal, NULL, &error);
  g_autofree guint64 *future = NULL;

  g_assert_no_error (error);
  future = lc_causality_future (history, process, ordinal, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < closure->random->n_processes; i++)
    for (guint j = 0; j < closure->random->events[i]->len; j++)
      {
        guint other = number_of (closure, i, j);

        g_assert_cmpint (j < past[i], ==, is_before (closure, other, event));
        g_assert_cmpint (j >= future[i], ==, is_before (closure, event, other));
      }
}

static void
check_relation (const Closure *closure, LcHistory *history, GRand *random)
{
  guint32 processes[2];
  guint64 ordinals[2];
  guint events[2];
  gboolean before, after;
  LcRelation relation;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      do
        processes[i] = (guint32)g_rand_int_range (random, 0, (gint32)closure->random->n_processes);
      while (closure->random->events[processes[i]]->len == 0);
      ordinals[i] = (guint64)g_rand_int_range (random, 0, (gint32)closure->random->events[processes[i]]->len);
      events[i] = number_of (closure, processes[i], (guint)ordinals[i]);
    }
  g_assert_true (
      lc_causality_relation (history, processes[0], ordinals[0], processes[1], ordinals[1], NULL, &relation, &error));
  g_assert_no_error (error);
  before = is_before (closure, events[0], events[1]);
  after = is_before (closure, events[1], events[0]);
  g_assert_cmpint (relation == LC_RELATION_BEFORE || relation == LC_RELATION_TOGETHER, ==, before);
  g_assert_cmpint (relation == LC_RELATION_AFTER || relation == LC_RELATION_TOGETHER, ==, after);
}

static void
check (guint32 seed, guint n_processes, guint n_steps, guint64 skew)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, n_steps);
  g_autoptr (Case) trial = NULL;
  GRand *choice = g_rand_new_with_seed (seed);
  Closure *closure;

  if (skew > 0)
    random_history_harden (random);
  trial = case_new_random (random, skew, seed);
  closure = closure_new (random);

  for (guint i = 0; i < n_processes; i++)
    for (guint j = 0; j < random->events[i]->len; j++)
      if (g_rand_int_range (choice, 0, (gint32)closure->n_events) < 12)
        check_event (closure, trial->history, i, j);
  for (guint i = 0; i < 12 && closure->n_events > 0; i++)
    check_relation (closure, trial->history, choice);
  closure_free (closure);
  g_rand_free (choice);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (1500); seed++)
    check (seed, 1 + seed % 7, 10 + seed % 120, 0);
}

/* What came before what is not told by clocks. */
static void
test_skewed (void)
{
  for (guint32 seed = 1; seed <= random_trials (500); seed++)
    check (seed, 2 + seed % 6, 10 + seed % 120, 100000);
}

/* --- By hand ----------------------------------------------------------------------------------------------- */

static void
check_boundaries (const guint64 *found, guint64 first, guint64 second, guint64 third)
{
  g_assert_nonnull (found);
  g_assert_cmpuint (found[0], ==, first);
  g_assert_cmpuint (found[1], ==, second);
  g_assert_cmpuint (found[2], ==, third);
}

static const char *const barrier[] = {"a", "0 5 tag value=1\n10 40 barrier B 0\n50 60 tag value=2\n",
                                      "b", "0 5 tag value=1\n20 41 barrier B 0\n50 60 tag value=2\n",
                                      "c", "0 5 tag value=1\n10 20 tag value=2\n30 42 barrier B 0\n",
                                      NULL};

static void
test_barrier (void)
{
  g_autoptr (Case) trial = case_new (barrier, NULL);
  g_autofree guint64 *past = lc_causality_past (trial->history, 0, 1, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, 0, 1, NULL, NULL);
  LcRelation relation;

  check_boundaries (past, 2, 2, 3);
  check_boundaries (future, 1, 1, 2);
  g_assert_true (lc_causality_relation (trial->history, 0, 1, 2, 2, NULL, &relation, NULL));
  g_assert_cmpint (relation, ==, LC_RELATION_TOGETHER);
  g_assert_true (lc_causality_relation (trial->history, 2, 1, 0, 2, NULL, &relation, NULL));
  g_assert_cmpint (relation, ==, LC_RELATION_BEFORE);
  g_assert_true (lc_causality_relation (trial->history, 0, 2, 1, 2, NULL, &relation, NULL));
  g_assert_cmpint (relation, ==, LC_RELATION_CONCURRENT);
}

/* A send that waits for something does not hand that on: its message left at its begin. */
static const char *const message[] = {"a", "0 5 advance A 0\n",
                                      "b", "0 2 tag value=1\n10 30 send M 0 bytes=1\n40 50 tag value=2\n",
                                      "c", "0 20 recv M 0\n30 31 tag value=3\n",
                                      NULL};

static void
test_message (void)
{
  g_autoptr (Case) trial = case_new (message, NULL);
  g_autofree guint64 *past = lc_causality_past (trial->history, 2, 0, NULL, NULL);
  g_autofree guint64 *future = lc_causality_future (trial->history, 1, 1, NULL, NULL);
  g_autofree guint64 *alone = lc_causality_future (trial->history, 0, 0, NULL, NULL);

  check_boundaries (past, 0, 2, 1);
  check_boundaries (future, LC_CAUSALITY_NEVER, 1, 0);
  check_boundaries (alone, 0, LC_CAUSALITY_NEVER, LC_CAUSALITY_NEVER);
}

/* What a relay gives on, it gives at its begin, whatever it waits for until its end. */
static const char relay_rules[] = "[class relay]\nsummary=Relay\nsequence=The number\n"
                                  "[operation give]\nclass=relay\nsummary=Gives\n"
                                  "[operation relay]\nclass=relay\nsummary=Relays\nwaits=true\n"
                                  "[operation take]\nclass=relay\nsummary=Takes\nwaits=true\n"
                                  "[arc give to relay]\nclass=relay\nfrom=give\nto=relay\nsequence=same\nkind=data\n"
                                  "[arc relay to take]\nclass=relay\nfrom=relay\nfrom-point=begin\nto=take\n"
                                  "sequence=same\nkind=data\n";
static const char *const relay[] = {
    "a", "0 5 tag value=1\n10 60 give R 1\n",
    "b", "0 5 tag value=1\n20 70 relay R 1\n80 90 tag value=2\n",
    "c", "0 1 tag value=1\n1 2 tag value=2\n2 3 tag value=3\n4 30 take R 1\n40 50 tag value=4\n",
    NULL};

static void
test_relay (void)
{
  g_autoptr (Case) trial = case_new (relay, relay_rules);
  g_autofree guint64 *past_of_relay = lc_causality_past (trial->history, 1, 1, NULL, NULL);
  g_autofree guint64 *past_of_take = lc_causality_past (trial->history, 2, 3, NULL, NULL);
  g_autofree guint64 *future_of_give = lc_causality_future (trial->history, 0, 1, NULL, NULL);
  g_autofree guint64 *future_of_relay = lc_causality_future (trial->history, 1, 1, NULL, NULL);

  check_boundaries (past_of_relay, 2, 2, 0);
  check_boundaries (past_of_take, 0, 2, 4);
  check_boundaries (future_of_give, 1, 1, LC_CAUSALITY_NEVER);
  check_boundaries (future_of_relay, LC_CAUSALITY_NEVER, 1, 3);
}

static void
test_errors (void)
{
  g_autoptr (Case) trial = case_new (barrier, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_causality_past (trial->history, 0, 3, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_null (lc_causality_future (trial->history, 3, 0, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (lc_causality_past (trial->history, 0, 2, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (lc_causality_future (trial->history, 0, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/causality/barrier", test_barrier);
  g_test_add_func ("/causality/message", test_message);
  g_test_add_func ("/causality/relay", test_relay);
  g_test_add_func ("/causality/errors", test_errors);
  g_test_add_func ("/causality/random", test_random);
  g_test_add_func ("/causality/skewed", test_skewed);
  return g_test_run ();
}
