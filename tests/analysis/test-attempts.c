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

/* --- At random --------------------------------------------------------------------------------------------------- */

enum
{
  LOCKS = 2,
  MOST = 5, /* processes */
  COST = 3, /* of a lock, and of an attempt */
  NONE = LOCKS,
};

typedef struct
{
  GRand *rand;
  guint n_processes;
  GString *text[MOST];
  guint64 clock[MOST];
  guint held[MOST]; /* a lock, or NONE */
  gboolean taken[LOCKS];
  guint64 given_back[LOCKS];
  guint number[LOCKS];
} Program;

static void
add (Program *program, guint process, guint64 release, const char *what)
{
  const guint64 start = program->clock[process] + (guint64)g_rand_int_range (program->rand, 0, 40);
  const guint64 stop = MAX (start, release) + COST;

  g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", start, stop,
                          what);
  program->clock[process] = stop;
}

/* An attempt is in time if nobody has the lock any more when it begins. */
static void
take_or_try (Program *program, guint process)
{
  const guint lock = (guint)g_rand_int_range (program->rand, 0, LOCKS);
  const gboolean tries = g_rand_boolean (program->rand);
  const gboolean is_late = program->given_back[lock] > program->clock[process];
  g_autofree char *what = NULL;

  if (program->taken[lock] || (tries && is_late))
    {
      what = g_strdup_printf ("lock-failed L%u", lock);
      if (tries)
        add (program, process, 0, what);
      return;
    }
  what = g_strdup_printf ("lock L%u %u%s", lock, ++program->number[lock], tries ? " tried=1" : "");
  add (program, process, program->given_back[lock], what);
  program->taken[lock] = TRUE;
  program->held[process] = lock;
}

static void
give_back (Program *program, guint process)
{
  const guint lock = program->held[process];
  g_autofree char *what = g_strdup_printf ("unlock L%u %u", lock, program->number[lock]);

  add (program, process, 0, what);
  program->taken[lock] = FALSE;
  program->given_back[lock] = program->clock[process];
  program->held[process] = NONE;
}

static void
add_step (Program *program)
{
  const guint process = (guint)g_rand_int_range (program->rand, 0, (gint32)program->n_processes);

  if (g_rand_int_range (program->rand, 0, 3) == 0)
    {
      g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag value=1\n",
                              program->clock[process], program->clock[process]);
      program->clock[process] += (guint64)g_rand_int_range (program->rand, 0, 200);
    }
  else if (program->held[process] == NONE)
    take_or_try (program, process);
  else
    give_back (program, process);
}

static Case *
make_program (guint32 seed)
{
  Program program = {.rand = g_rand_new_with_seed (seed), .n_processes = 2 + seed % (MOST - 1)};
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < program.n_processes; i++)
    {
      program.text[i] = g_string_new (NULL);
      program.held[i] = NONE;
    }
  for (guint i = 0; i < 20 + seed % 150; i++)
    add_step (&program);
  for (guint i = 0; i < program.n_processes; i++)
    {
      if (program.held[i] != NONE)
        give_back (&program, i);
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_string_free (program.text[i], FALSE));
    }
  g_ptr_array_add (files, NULL);
  g_rand_free (program.rand);
  return case_new ((const char *const *)files->pdata, NULL);
}

/* Turns have numbers without gaps, each after the one before; without a turn, a lock is had at once. */
static void
check_lock (const Redecided *result, const Seen *seen, GHashTable *unlocks, guint *n_aside)
{
  g_autofree char *before = g_strdup_printf ("%u:%d", seen->object, (int)seen->sequence - 1);
  const SeenArc *arc = seen->arcs->len > 0 ? &g_array_index (seen->arcs, SeenArc, 0) : NULL;
  const Seen *unlock = g_hash_table_lookup (unlocks, before);

  if (arc == NULL)
    {
      g_assert_cmpuint (seen->end, ==, seen->begin + COST);
      *n_aside += seen->decided && seen->is_unknown;
      return;
    }
  g_assert_cmpuint (seen->arcs->len, ==, 1);
  g_assert_true (redecided_get (result, arc->process, (guint)arc->ordinal) == unlock);
  g_assert_cmpuint (seen->end, >=, unlock->end);
}

static guint
check_program (const Case *trial, const Redecided *result)
{
  g_autoptr (GHashTable) unlocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_aside = 0;

  g_assert_cmpuint (result->n_sweeps, ==, 1);
  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      {
        const Seen *seen = redecided_get (result, i, k);

        if (seen->operation == LC_UNLOCK && !seen->is_unknown)
          g_assert_true (g_hash_table_insert (unlocks, g_strdup_printf ("%u:%d", seen->object, (int)seen->sequence),
                                              (gpointer)seen));
      }
  for (guint i = 0; i < result->n_processes; i++)
    {
      g_assert_cmpuint (result->seen[i]->len, ==, lc_history_get_process (trial->history, i)->events);
      for (guint k = 0; k < result->seen[i]->len; k++)
        if (redecided_get (result, i, k)->operation == LC_LOCK)
          check_lock (result, redecided_get (result, i, k), unlocks, &n_aside);
    }
  return n_aside;
}

/* The warning counts the locks without a turn. */
static void
test_random (void)
{
  const guint32 n_trials = random_trials (200);
  guint all = 0;

  for (guint32 seed = 1; seed <= n_trials; seed++)
    {
      g_autoptr (Case) trial = make_program (seed);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, seed % 2 == 0 ? &without_tags : &with_barging);
      const guint n_aside = check_program (trial, result);
      g_autofree char *counts = g_strdup_printf (", %u that did not)", n_aside);

      if (n_aside > 0)
        expect_warning (result, counts);
      all += n_aside;
    }
  g_assert_cmpuint (all, >, n_trials / 8);
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
  g_test_add_func ("/attempts/random", test_random);
  return g_test_run ();
}
