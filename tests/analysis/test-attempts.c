/* SPDX-License-Identifier: Apache-2.0 */
/* Attempts to take what another may have: their outcome stays, and is told if it would have been another one. */
#include <string.h>

#include "redecide-case.h"

static const Wish plainly = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 0};
static const Wish without_tags = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 0};
static const Wish with_barging = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 50};

/* Expects a warning of so many attempts that failed, and that did not; NULL: none. */
static void
expect_warning (const Redecided *result, const char *counts)
{
  if (counts == NULL)
    {
      g_assert_cmpuint (result->found.warnings->len, ==, 0);
      return;
    }
  g_assert_cmpuint (result->found.warnings->len, ==, 1);
  g_assert_nonnull (strstr (result->found.warnings->pdata[0], counts));
}

/* Each attempt ends as when measured: the last one finds the lock taken, the other two find it free. */
static const char *const as_measured[] = {"0", "0 5 lock L 1 tried=1\n100 105 unlock L 1\n",
                                          "1", "120 125 lock L 2 tried=1\n150 155 unlock L 2\n",
                                          "2", "130 131 lock-failed L\n",
                                          NULL};

static void
test_as_measured (void)
{
  const Wish *const wishes[] = {&plainly, &with_barging};

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (Case) trial = case_new (as_measured, NULL);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, wishes[i]);

      expect_warning (result, NULL);
      redecided_expect (trial, result, 1, 0, "1:0 lock L 2 120-125");
      redecided_expect (trial, result, 2, 0, "2:0 lock-failed L 0 130-131");
      g_assert_cmpuint (redecided_get (result, 1, 0)->arcs->len, ==, 1);
    }
}

/* Without its tag, process 1 comes while process 0 has the lock. It has it all the same, at once; process 2, which
 * waits for the lock, waits for process 0 alone, and has its turn. */
static void
test_had (void)
{
  const char *const files[] = {"0", "0 5 lock L 1\n100 105 unlock L 1\n",
                               "1", "0 0 tag value=1\n120 125 lock L 2 tried=1\n250 255 unlock L 2\n",
                               "2", "60 270 lock L 3\n300 305 unlock L 3\n",
                               NULL};
  const Wish *const wishes[] = {&without_tags, &with_barging};

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, wishes[i]);

      expect_warning (result, ": 1 (0 that failed, 1 that did not)");
      redecided_expect (trial, result, 1, 1, "1:1 lock L 2 20-25");
      redecided_expect (trial, result, 1, 2, "1:2 unlock L 2 150-155");
      redecided_expect (trial, result, 2, 0, i == 0 ? "2:0 lock L 2 60-120" : "2:0 lock L 2 60-170");
      g_assert_cmpuint (redecided_get (result, 1, 1)->arcs->len, ==, 0);
      g_assert_cmpuint (redecided_get (result, 2, 0)->arcs->len, ==, 1);
      g_assert_cmpuint (g_array_index (redecided_get (result, 2, 0)->arcs, SeenArc, 0).process, ==, 0);
      g_assert_cmpuint (redecided_find (result, trial, "L", FALSE).decisions, ==, 2);
      g_assert_cmpuint (result->n_sweeps, ==, 1);
    }
}

/* Without its tag, process 1 would find the lock free, but it has failed to get it. */
static void
test_failed (void)
{
  const char *const files[] = {"0", "50 55 lock L 1\n200 205 unlock L 1\n",
                               "1", "0 0 tag value=1\n120 125 lock-failed L\n160 165 tag value=2\n",
                               "2", "60 70 lock-failed L timed-out=1\n210 215 lock L 2\n220 221 unlock L 2\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  expect_warning (result, ": 1 (1 that failed, 0 that did not)");
  redecided_expect (trial, result, 1, 1, "1:1 lock-failed L 0 20-25");
  redecided_expect (trial, result, 1, 2, "1:2 tag - 0 60-65");
  redecided_expect (trial, result, 0, 0, "0:0 lock L 1 50-55");
}

/* A time that was over is no attempt, though the lock is free when it begins. */
static void
test_timed_out (void)
{
  const char *const files[] = {
      "0", "110 115 lock L 1\n200 205 unlock L 1\n", "1",
      "0 0 tag value=1\n120 125 lock-failed L timed-out=1\n300 301 lock L 2\n302 303 unlock L 2\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  expect_warning (result, NULL);
  redecided_expect (trial, result, 1, 1, "1:1 lock-failed L 0 20-25");
}

/* To read beside others is no other outcome; to read while somebody writes, and to write while somebody reads, is. */
static void
test_crews (void)
{
  const char *const files[] = {
      "0", "0 5 read-start T 0\n100 105 read-end T 0\n200 205 write-start T 1\n300 305 write-end T 1\n",
      "1", "0 0 tag value=1\n140 145 read-start T 0 tried=1\n150 155 read-end T 0\n",
      "2", "0 0 tag value=1\n320 325 read-start T 1 tried=1\n330 335 read-end T 1\n",
      "3", "0 0 tag value=1\n190 195 write-failed T\n",
      "4", "0 0 tag value=1\n410 415 write-start T 2 tried=1\n420 425 write-end T 2\n",
      "5", "430 435 read-start T 2\n440 445 read-end T 2\n",
      NULL};
  const Wish *const wishes[] = {&without_tags, &with_barging};

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, wishes[i]);

      /* Process 1 reads at 40, process 2 at 220, while process 0 writes; process 4 writes at 310. */
      expect_warning (result, ": 1 (0 that failed, 1 that did not)");
      redecided_expect (trial, result, 1, 1, "1:1 read-start T 0 40-45");
      redecided_expect (trial, result, 0, 2, "0:2 write-start T 1 200-205");
      redecided_expect (trial, result, 2, 1, "2:1 read-start T 1 220-225");
      redecided_expect (trial, result, 2, 2, "2:2 read-end T 1 230-235");
      redecided_expect (trial, result, 4, 1, "4:1 write-start T 2 310-315");
      redecided_expect (trial, result, 5, 0, "5:0 read-start T 2 430-435");
      g_assert_cmpuint (redecided_get (result, 2, 1)->arcs->len, ==, 0);
      g_assert_cmpuint (redecided_get (result, 4, 1)->arcs->len, ==, 1);
    }
}

/* The pool has two tokens at first. Process 1 took one that had come back; without its tag there is none yet. */
static void
test_tokens (void)
{
  const char *const files[] = {
      "0", "0 5 wait S 1\n100 105 post S 3\n",   "1", "0 0 tag value=1\n140 145 wait S 3 tried=1\n150 155 post S 4\n",
      "2", "10 15 wait S 2\n170 175 post S 5\n", "3", "180 185 wait S 4\n190 195 post S 6\n",
      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  expect_warning (result, ": 1 (0 that failed, 1 that did not)");
  redecided_expect (trial, result, 1, 1, "1:1 wait S 3 40-45");
  redecided_expect (trial, result, 3, 0, "3:0 wait S 3 180-185");
  g_assert_cmpuint (redecided_get (result, 1, 1)->arcs->len, ==, 0);
}

/* The warning is kept with the timeline. */
static void
test_kept_with_timeline (void)
{
  const char *const files[] = {"0", "0 5 lock L 1\n100 105 unlock L 1\n", "1",
                               "0 0 tag value=1\n120 125 lock L 2 tried=1\n250 255 unlock L 2\n", NULL};
  const char *const settings[] = {"overhead.tag=0;0;100", NULL};
  const LcApproximateOptions options = {.model = LC_MODEL_LIBERAL, .settings = settings};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcApproximation) approximation = lc_approximate (trial->directory, &options, &error);
  guint found = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < approximation->warnings->len; i++)
    found += strstr (approximation->warnings->pdata[i], "1 (0 that failed, 1 that did not)") != NULL;
  g_assert_cmpuint (found, ==, 1);
  g_assert_cmpuint (approximation->approximated_total, ==, 155);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempts/as-measured", test_as_measured);
  g_test_add_func ("/attempts/had", test_had);
  g_test_add_func ("/attempts/failed", test_failed);
  g_test_add_func ("/attempts/timed-out", test_timed_out);
  g_test_add_func ("/attempts/crews", test_crews);
  g_test_add_func ("/attempts/tokens", test_tokens);
  g_test_add_func ("/attempts/kept-with-timeline", test_kept_with_timeline);
  return g_test_run ();
}
