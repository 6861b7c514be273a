/* SPDX-License-Identifier: Apache-2.0 */
/* Deciding again who gets a lock, a piece of work or a message: small cases by hand, and programs at random. */
#include <string.h>

#include "redecide-case.h"

static const Wish plainly = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 0};
static const Wish without_tags = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 0};

static const char *const work_rules = "[work loop]\nclass=mutex\noperation=unlock\nobject=W*\n";

static void
expect_times (const Redecided *result)
{
  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      {
        const Seen *seen = redecided_get (result, i, k);

        g_assert_cmpuint (seen->origin_process, ==, i);
        g_assert_cmpuint (seen->origin_ordinal, ==, k);
        g_assert_cmpuint (seen->begin, ==, seen->measured_begin);
        g_assert_cmpuint (seen->end, ==, seen->measured_end);
      }
}

/* --- Locks ------------------------------------------------------------------------------------------------------- */

/* Process 1 came last because of its tags; without them it is first, and process 0 waits for it. */
static void
test_order_flips (void)
{
  const char *const files[] = {"0", "0 0 tag value=1\n180 190 lock L 1\n230 235 unlock L 1\n", "1",
                               "0 0 tag value=1\n110 110 tag value=1\n220 220 tag value=1\n330 330 tag value=1\n"
                               "440 440 tag value=1\n550 560 lock L 2\n600 605 unlock L 2\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);
  LcDecided decided = redecided_find (result, trial, "L", FALSE);

  redecided_expect (trial, result, 1, 5, "1:5 lock L 1 50-60");
  redecided_expect (trial, result, 1, 6, "1:6 unlock L 1 100-105");
  redecided_expect (trial, result, 0, 1, "0:1 lock L 2 80-115");
  redecided_expect (trial, result, 0, 2, "0:2 unlock L 2 155-160");
  g_assert_false (decided.kept);
  g_assert_cmpuint (decided.decisions, ==, 2);
  g_assert_cmpuint (decided.changed, ==, 2);
  g_assert_cmpuint (result->n_sweeps, ==, 1);
  g_assert_cmpuint (redecided_get (result, 0, 1)->arcs->len, ==, 1);
  g_assert_cmpuint (redecided_get (result, 1, 5)->arcs->len, ==, 0);
}

/* Nothing is taken off, and all came in the order in which they got the lock: all is as it was. */
static void
test_first_come_first_served (void)
{
  const char *const files[] = {"0", "0 10 lock L 1\n100 105 unlock L 1\n120 185 lock L 3\n200 201 unlock L 3\n", "1",
                               "50 115 lock L 2\n170 175 unlock L 2\n180 211 lock L 4\n220 221 unlock L 4\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  expect_times (result);
  g_assert_cmpuint (redecided_find (result, trial, "L", FALSE).changed, ==, 0);
  g_assert_cmpuint (redecided_find (result, trial, "L", FALSE).decisions, ==, 4);
}

/* Both came at 20: the lower number gets it, whoever had it when it was measured. */
static void
test_ties (void)
{
  const char *const files[] = {"0", "20 70 lock L 2\n80 85 unlock L 2\n", "1", "20 30 lock L 1\n50 60 unlock L 1\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  redecided_expect (trial, result, 0, 0, "0:0 lock L 1 20-30");
  redecided_expect (trial, result, 0, 1, "0:1 unlock L 1 40-45");
  redecided_expect (trial, result, 1, 0, "1:0 lock L 2 20-55");
}

/* The outer lock has a higher rank: both are decided. Process 1 takes Y while process 0 waits for X's former holder. */
static void
test_nested (void)
{
  const char *const files[] = {"0", "0 10 lock X 1\n20 30 lock Y 1\n40 50 unlock Y 1\n60 70 unlock X 1\n",
                               "1", "0 0 tag value=1\n100 110 lock Y 2\n120 130 unlock Y 2\n",
                               "2", "200 210 lock X 2\n220 230 lock Y 3\n240 250 unlock Y 3\n260 270 unlock X 2\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  g_assert_false (redecided_find (result, trial, "X", FALSE).kept);
  g_assert_false (redecided_find (result, trial, "Y", FALSE).kept);
  redecided_expect (trial, result, 1, 1, "1:1 lock Y 1 0-10");
  redecided_expect (trial, result, 0, 1, "0:1 lock Y 2 20-40");
  g_assert_cmpuint (redecided_find (result, trial, "Y", FALSE).changed, ==, 2);
  g_assert_cmpuint (redecided_find (result, trial, "X", FALSE).changed, ==, 0);
}

/* What is waited for in a section may need the lock itself: the lock stays, and so does one around it. */
static void
test_await_inside (void)
{
  const char *const files[] = {"0",
                               "0 0 tag value=1\n10 20 advance A 0\n100 110 lock L 2\n115 118 lock M 1\n120 125 unlock "
                               "M 1\n130 140 unlock L 2\n",
                               "1",
                               "5 10 lock L 1\n15 30 await A 0\n40 50 unlock L 1\n",
                               "2",
                               "200 210 lock N 1\n220 230 lock L 3\n240 250 unlock L 3\n260 270 unlock N 1\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  g_assert_true (redecided_find (result, trial, "L", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "N", FALSE).kept);
  g_assert_false (redecided_find (result, trial, "M", FALSE).kept);
  g_assert_cmpuint (redecided_find (result, trial, "L", FALSE).decisions, ==, 0);
  g_assert_cmpuint (result->found.warnings->len, ==, 1);
  g_assert_cmpuint (result->n_sweeps, ==, 1);
  redecided_expect (trial, result, 1, 0, "1:0 lock L 1 5-10");
}

/* Who waits for a condition gives the mutex back before, so that it may be decided. */
static void
test_condition (void)
{
  const char *const files[] = {
      "0", "0 10 lock M 1\n20 30 unlock M 1\n30 120 condition-wait C 1\n120 150 lock M 3\n160 170 unlock M 3\n", "1",
      "50 60 lock M 2\n90 100 signal C 1\n130 140 unlock M 2\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  g_assert_false (redecided_find (result, trial, "M", FALSE).kept);
  expect_times (result);
}

/* Five forks in a circle: none is decided. When one philosopher takes the other fork first, all are. */
static void
philosophers (gboolean circle)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  guint taken[5] = {0};
  g_autoptr (Case) trial = NULL;
  g_autoptr (Redecided) result = NULL;

  for (guint i = 0; i < 5; i++)
    {
      guint first = i, second = (i + 1) % 5, begin = i * 100;

      if (!circle && i == 4)
        {
          first = 0;
          second = 4;
        }
      taken[first]++;
      taken[second]++;
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files,
                       g_strdup_printf ("0 0 tag value=1\n%u %u lock F%u %u\n%u %u lock F%u %u\n%u %u unlock F%u %u\n"
                                        "%u %u unlock F%u %u\n",
                                        begin + 1, begin + 2, first, taken[first], begin + 3, begin + 4, second,
                                        taken[second], begin + 5, begin + 6, second, taken[second], begin + 7,
                                        begin + 8, first, taken[first]));
    }
  g_ptr_array_add (files, NULL);
  trial = case_new ((const char *const *)files->pdata, NULL);
  result = redecided_new (trial, NULL, &without_tags);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *fork = g_strdup_printf ("F%u", i);

      g_assert_cmpint (redecided_find (result, trial, fork, FALSE).kept, ==, circle);
    }
  g_assert_cmpuint (result->n_sweeps, ==, 1);
}

static void
test_philosophers (void)
{
  philosophers (TRUE);
  philosophers (FALSE);
}

/* A lock that is not given back, one that another process gives back, and one whose numbers have a gap. */
static void
test_odd_sections (void)
{
  const char *const files[] = {"0", "0 1 lock A 1\n2 3 lock B 1\n10 11 lock C 1\n12 13 unlock C 1\n", "1",
                               "4 5 unlock B 1\n20 21 lock C 3\n22 23 unlock C 3\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  g_assert_true (redecided_find (result, trial, "A", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "B", FALSE).kept);
  g_assert_true (redecided_find (result, trial, "C", FALSE).kept);
  expect_times (result);
}

/* --- Work -------------------------------------------------------------------------------------------------------- */

/* Process 0 has had two pieces with tags; without what these cost it is as fast as process 1, and takes three. */
static void
test_work_moves (void)
{
  const char *const files[] = {"0",
                               "0 5 lock W 1\n5 10 unlock W 1\n"
                               "20 20 tag value=1\n130 130 tag value=1\n240 240 tag value=1\n"
                               "350 355 lock W 4\n355 360 unlock W 4\n900 900 tag value=9\n",
                               "1",
                               "7 15 lock W 2\n15 20 unlock W 2\n120 120 tag value=2\n"
                               "320 325 lock W 3\n325 330 unlock W 3\n420 420 tag value=3\n"
                               "620 625 lock W 5\n625 630 unlock W 5\n700 700 tag value=8\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, work_rules);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);
  LcDecided decided = redecided_find (result, trial, "W", TRUE);

  /* Of its three tags each costs 100: process 0 is back for more at 50, process 1 at 220. */
  redecided_expect (trial, result, 0, 2, "0:2 tag - 0 20-20");
  redecided_expect (trial, result, 0, 4, "0:4 tag - 0 40-40");
  redecided_expect (trial, result, 0, 5, "0:5 lock W 3 50-55");
  redecided_expect (trial, result, 0, 6, "0:6 unlock W 3 55-60");
  /* The third piece was process 1's: 90 until its tag, and 100 from there to the next lock. */
  redecided_expect (trial, result, 0, 7, "1:5 tag - 0 150-150");
  redecided_expect (trial, result, 0, 8, "1:6 lock W 5 250-255");
  redecided_expect (trial, result, 0, 9, "1:7 unlock W 5 255-260");
  /* Nothing is left: its own last part, 540 after the unlock. */
  redecided_expect (trial, result, 0, 10, "0:7 tag - 0 800-800");
  redecided_expect (trial, result, 1, 2, "1:2 tag - 0 120-120");
  redecided_expect (trial, result, 1, 3, "1:3 lock W 4 220-225");
  redecided_expect (trial, result, 1, 5, "1:8 tag - 0 300-300");
  g_assert_cmpuint (result->seen[0]->len, ==, 11);
  g_assert_cmpuint (result->seen[1]->len, ==, 6);
  g_assert_false (decided.kept);
  g_assert_cmpuint (decided.decisions, ==, 3);
  g_assert_cmpuint (decided.changed, ==, 1);
  g_assert_cmpuint (result->n_sweeps, ==, 1);
}

/* Two loops with a barrier between: the pieces of one are never taken in the other. */
static void
test_two_loops (void)
{
  const char *const files[] = {"0",
                               "0 5 lock W 1\n5 10 unlock W 1\n20 20 tag value=1\n150 150 tag value=1\n"
                               "500 505 lock W 4\n505 510 unlock W 4\n520 600 barrier B 0\n"
                               "610 615 lock W 5\n615 620 unlock W 5\n900 905 lock W 7\n905 910 unlock W 7\n",
                               "1",
                               "7 15 lock W 2\n15 20 unlock W 2\n"
                               "300 305 lock W 3\n305 310 unlock W 3\n600 600 barrier B 0\n"
                               "611 625 lock W 6\n625 630 unlock W 6\n1000 1005 lock W 8\n1005 1010 unlock W 8\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, work_rules);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  /* Pieces: 1 (of 0), 2 (of 1) | 3 (1's tail), 4 (0's tail) || 5 (of 0), 6 (of 1) | 7, 8. */
  g_assert_false (redecided_find (result, trial, "W", TRUE).kept);
  g_assert_cmpuint (redecided_find (result, trial, "W", TRUE).decisions, ==, 4);
  g_assert_cmpuint (result->seen[0]->len, ==, 11);
  g_assert_cmpuint (result->seen[1]->len, ==, 9);
  redecided_expect (trial, result, 0, 6, "0:6 barrier B 0 320-610");
  g_assert_cmpuint (result->n_sweeps, ==, 1);
}

/* A piece that waits for a message belongs to its process. */
static void
test_bound_work (void)
{
  const char *const files[] = {"0",
                               "0 5 lock W 1\n5 10 unlock W 1\n20 25 send 0>1:7 1 bytes=8 to=1\n"
                               "50 55 lock W 3\n55 60 unlock W 3\n",
                               "1",
                               "7 15 lock W 2\n15 20 unlock W 2\n30 40 recv 0>1:7 1 bytes=8 from=0\n"
                               "60 65 lock W 4\n65 70 unlock W 4\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, work_rules);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  g_assert_cmpuint (redecided_find (result, trial, "W", TRUE).decisions, ==, 0);
  expect_times (result);
}

/* The hand-out has an operation of its own, without arcs, whose numbers are decided as well. */
static void
test_own_operation (void)
{
  const char *const rules = "[class counter]\nsummary=Iterations\nsequence=The n-th\n"
                            "[operation next]\nclass=counter\nsummary=Takes the next\n"
                            "[work loop]\nclass=counter\noperation=next\nobject=*\n";
  const char *const files[] = {"0", "0 1 next I 0\n20 20 tag value=1\n150 151 next I 2\n160 160 tag value=1\n", "1",
                               "5 6 next I 1\n100 100 tag value=2\n300 301 next I 3\n310 311 next I 4\n", NULL};
  g_autoptr (Case) trial = case_new (files, rules);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  /* Process 0 is back at 50, takes the third (process 1's, of no events, 9 long) and is back at 60. */
  g_assert_false (redecided_find (result, trial, "I", TRUE).kept);
  redecided_expect (trial, result, 0, 2, "0:2 next I 2 50-51");
  redecided_expect (trial, result, 1, 2, "1:2 next I 3 200-201");
}

/* --- Messages ---------------------------------------------------------------------------------------------------- */

static const char *const senders[] = {
    "0",
    "0 0 tag value=1\n200 210 recv 1>0:7 1 bytes=10 from=1 blind=1\n"
    "400 410 recv 2>0:7 1 bytes=20 from=2 blind=1\n"
    "500 510 recv 3>0:7 1 bytes=30 from=3 blind=1\n"
    "600 610 recv 1>0:8 1 bytes=40 from=1\n",
    "1",
    "0 0 tag value=1\n150 160 send 1>0:7 1 bytes=10 to=0\n170 180 send 1>0:8 1 bytes=40 to=0\n",
    "2",
    "0 0 tag value=1\n120 120 tag value=1\n230 240 send 2>0:7 1 bytes=20 to=0\n",
    "3",
    "0 0 tag value=1\n190 200 send 3>0:7 1 bytes=30 to=0\n",
    NULL};

/* Sends begin at 50, 30 and 90; the first receive at 100. */
static void
test_oldest (void)
{
  const Wish wish = {LC_MODEL_EVENT, LC_BLIND_FIFO, 100, 5};
  g_autoptr (Case) trial = case_new (senders, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &wish);

  redecided_expect (trial, result, 0, 1, "0:1 recv 2>0:7 1 100-110");
  redecided_expect (trial, result, 0, 2, "0:2 recv 1>0:7 1 300-310");
  redecided_expect (trial, result, 0, 3, "0:3 recv 3>0:7 1 400-410");
  redecided_expect (trial, result, 0, 4, "0:4 recv 1>0:8 1 500-510");
  g_assert_cmpuint (redecided_get (result, 0, 1)->bytes, ==, 20);
  g_assert_cmpuint (redecided_get (result, 0, 1)->peer, ==, 2);
  g_assert_true (redecided_get (result, 0, 1)->decided);
  g_assert_false (redecided_get (result, 0, 3)->decided);
  g_assert_cmpuint (redecided_get (result, 0, 1)->arcs->len, ==, 1);
  g_assert_cmpuint (g_array_index (redecided_get (result, 0, 1)->arcs, SeenArc, 0).process, ==, 2);
  g_assert_cmpuint (redecided_find (result, trial, "1>0:7", FALSE).changed, ==, 1);
}

static void
test_newest (void)
{
  const Wish wish = {LC_MODEL_EVENT, LC_BLIND_LIFO, 100, 5};
  g_autoptr (Case) trial = case_new (senders, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &wish);

  redecided_expect (trial, result, 0, 1, "0:1 recv 3>0:7 1 100-110");
  redecided_expect (trial, result, 0, 2, "0:2 recv 1>0:7 1 300-310");
  redecided_expect (trial, result, 0, 3, "0:3 recv 2>0:7 1 400-410");
}

/* Nothing has come when the receive begins: it takes what comes first, even if that is sent later than another. */
static void
test_first_to_come (void)
{
  const char *const files[] = {
      "0", "10 130 recv 1>0:7 1 bytes=10 from=1 blind=1\n140 150 recv 2>0:7 1 bytes=20 from=2 blind=1\n",
      "1", "0 0 tag value=1\n120 125 send 1>0:7 1 bytes=10 to=0\n",
      "2", "0 0 tag value=1\n115 118 send 2>0:7 1 bytes=20 to=0\n",
      NULL};
  const Wish wishes[] = {{LC_MODEL_EVENT, LC_BLIND_FIFO, 100, 1000}, {LC_MODEL_EVENT, LC_BLIND_LIFO, 100, 1000}};

  for (guint i = 0; i < G_N_ELEMENTS (wishes); i++)
    {
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, &wishes[i]);

      g_assert_cmpuint (redecided_get (result, 0, 0)->peer, ==, 2);
      g_assert_cmpuint (redecided_get (result, 0, 1)->peer, ==, 1);
      g_assert_cmpuint (result->n_sweeps, ==, 1);
    }
}

/* A channel that is received from in both ways stays as it was measured. */
static void
test_mixed_channel (void)
{
  const char *const files[] = {
      "0",
      "10 20 recv 1>0:7 1 bytes=1 from=1 blind=1\n30 40 recv 1>0:7 2 bytes=1 from=1\n"
      "50 60 recv 1>0:7 3 bytes=1 from=1 blind=1\n",
      "1", "0 1 send 1>0:7 1 bytes=1 to=0\n2 3 send 1>0:7 2 bytes=1 to=0\n4 5 send 1>0:7 3 bytes=1 to=0\n", NULL};
  const Wish wish = {LC_MODEL_EVENT, LC_BLIND_LIFO, 0, 0};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &wish);

  g_assert_true (redecided_find (result, trial, "1>0:7", FALSE).kept);
  expect_times (result);
}

/* --- At random --------------------------------------------------------------------------------------------------- */

enum
{
  LOCKS = 5,
  MOST = 5, /* processes */
};

/* A program that takes locks at random, in one order of all its events. */
typedef struct
{
  GRand *rand;
  guint n_processes;
  GString *text[MOST];
  guint64 clock[MOST];
  guint depth[MOST];
  guint held[MOST][LOCKS];
  gboolean taken[LOCKS];
  guint64 given_back[LOCKS];
  guint number[LOCKS];
  GArray *advanced; /* when */
  gboolean ordered; /* locks of a lower rank inside, and nothing is waited for there */
  guint work;
  guint64 work_given_back;
} Program;

static void
add (Program *program, guint process, guint64 release, guint cost, const char *what, guint number)
{
  guint64 start = program->clock[process] + (guint64)g_rand_int_range (program->rand, 0, 40);
  guint64 stop = MAX (start, release) + cost;

  g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s %u\n", start, stop,
                          what, number);
  program->clock[process] = stop;
}

static void
take_lock (Program *program, guint process)
{
  guint lock = (guint)g_rand_int_range (program->rand, 0, LOCKS);
  guint depth = program->depth[process];
  g_autofree char *what = g_strdup_printf ("lock L%u", lock);

  if (program->taken[lock] || depth == LOCKS ||
      (program->ordered && depth > 0 && program->held[process][depth - 1] <= lock))
    return;
  add (program, process, program->given_back[lock], 3, what, ++program->number[lock]);
  program->taken[lock] = TRUE;
  program->held[process][program->depth[process]++] = lock;
}

static void
give_back (Program *program, guint process)
{
  guint lock;
  g_autofree char *what = NULL;

  if (program->depth[process] == 0)
    return;
  lock = program->held[process][--program->depth[process]];
  what = g_strdup_printf ("unlock L%u", lock);
  add (program, process, 0, 2, what, program->number[lock]);
  program->taken[lock] = FALSE;
  program->given_back[lock] = program->clock[process];
}

static void
wait_for (Program *program, guint process)
{
  guint index;

  if (program->advanced->len == 0 || (program->ordered && program->depth[process] > 0))
    return;
  index = (guint)g_rand_int_range (program->rand, 0, (gint32)program->advanced->len);
  add (program, process, g_array_index (program->advanced, guint64, index), 4, "await A", index);
}

static void
hand_out (Program *program, guint process)
{
  if (program->depth[process] > 0)
    return;
  add (program, process, program->work_given_back, 3, "lock W", ++program->work);
  add (program, process, 0, 2, "unlock W", program->work);
  program->work_given_back = program->clock[process];
}

static void
add_step (Program *program, gboolean work)
{
  guint process = (guint)g_rand_int_range (program->rand, 0, (gint32)program->n_processes);

  switch (g_rand_int_range (program->rand, 0, work ? 9 : 8))
    {
    case 0:
    case 1:
      take_lock (program, process);
      break;
    case 2:
    case 3:
      give_back (program, process);
      break;
    case 4:
      add (program, process, 0, 1, "advance A", program->advanced->len);
      g_array_append_val (program->advanced, program->clock[process]);
      break;
    case 5:
      wait_for (program, process);
      break;
    case 8:
      hand_out (program, process);
      break;
    default:
      g_string_append_printf (program->text[process], "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag value=1\n",
                              program->clock[process], program->clock[process]);
      program->clock[process] += (guint64)g_rand_int_range (program->rand, 0, 200);
    }
}

static Case *
make_program (guint32 seed, gboolean ordered, gboolean work)
{
  Program program = {.rand = g_rand_new_with_seed (seed), .n_processes = 1 + seed % MOST, .ordered = ordered};
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  Case *trial;

  program.advanced = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < program.n_processes; i++)
    program.text[i] = g_string_new (NULL);
  for (guint i = 0; i < 20 + seed % 150; i++)
    add_step (&program, work);
  for (guint i = 0; i < program.n_processes; i++)
    {
      while (program.depth[i] > 0)
        give_back (&program, i);
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_string_free (program.text[i], FALSE));
    }
  g_ptr_array_add (files, NULL);
  trial = case_new ((const char *const *)files->pdata, work ? work_rules : NULL);
  g_array_unref (program.advanced);
  g_rand_free (program.rand);
  return trial;
}

/* Each event of the trace once; on each process in the order of the trace but where work was handed out. */
static void
check_events (const Case *trial, const Redecided *result, gboolean work)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 n_events = 0;

  for (guint i = 0; i < result->n_processes; i++)
    {
      n_events += lc_history_get_process (trial->history, i)->events;
      for (guint k = 0; k < result->seen[i]->len; k++)
        {
          const Seen *seen = redecided_get (result, i, k), *before = k > 0 ? redecided_get (result, i, k - 1) : NULL;
          g_autofree char *text = redecided_dup_text (trial, seen);

          g_assert_true (
              g_hash_table_add (found, g_strdup_printf ("%u:%u", seen->origin_process, (guint)seen->origin_ordinal)));
          g_assert_cmpuint (seen->end, >=, seen->begin);
          if (before == NULL)
            continue;
          g_assert_cmpuint (seen->begin, >=, before->end);
          if (before->origin_process == seen->origin_process && before->origin_ordinal + 1 == seen->origin_ordinal)
            continue;
          g_assert_true (work);
          g_free (text);
          text = redecided_dup_text (trial, before);
          g_assert_true (g_str_has_prefix (text, "unlock W"));
        }
    }
  g_assert_cmpuint (g_hash_table_size (found), ==, n_events);
}

/* An end of one event by its text: "unlock L1 3" before "lock L1 4", "advance A 3" before "await A 3". */
static void
check_order (const Case *trial, const Redecided *result)
{
  g_autoptr (GHashTable) ends = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      {
        const Seen *seen = redecided_get (result, i, k);
        char *text = redecided_dup_text (trial, seen);

        g_assert_true (seen->operation == LC_TAG || seen->operation == LC_AWAIT || !g_hash_table_contains (ends, text));
        g_hash_table_insert (ends, text, (gpointer)seen);
      }
  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      {
        const Seen *seen = redecided_get (result, i, k), *from;
        g_autofree char *text = redecided_dup_text (trial, seen), *wanted = NULL;
        g_auto (GStrv) parts = g_strsplit (text, " ", 3);

        if (seen->operation == LC_AWAIT)
          wanted = g_strdup_printf ("advance %s %s", parts[1], parts[2]);
        else if (seen->operation == LC_LOCK && seen->sequence > 1)
          wanted = g_strdup_printf ("unlock %s %" G_GINT64_FORMAT, parts[1], seen->sequence - 1);
        else
          continue;
        from = g_hash_table_lookup (ends, wanted);
        g_assert_nonnull (from);
        g_assert_cmpuint (from->end, <=, seen->end);
        g_assert_cmpuint (seen->arcs->len, ==, 1);
      }
}

/* Whoever came first was served first; what happened at once is left out. */
static void
check_served (const Case *trial, const Redecided *result)
{
  GHashTable *begins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < result->n_processes; i++)
    for (guint k = 0; k < result->seen[i]->len; k++)
      g_hash_table_insert (begins, redecided_dup_text (trial, redecided_get (result, i, k)),
                           (gpointer)redecided_get (result, i, k));
  for (guint i = 0; i < result->found.decided->len; i++)
    {
      const LcDecided *decided = &g_array_index (result->found.decided, LcDecided, i);
      LcHistoryObject object;
      const Seen *before = NULL;

      if (decided->kept || decided->work)
        continue;
      g_assert_true (lc_history_get_object (trial->history, decided->object, &object, NULL));
      for (guint k = 1; k <= decided->decisions; k++)
        {
          g_autofree char *text = g_strdup_printf ("lock %s %u", object.name, k);
          const Seen *seen = g_hash_table_lookup (begins, text);

          g_assert_nonnull (seen);
          g_assert_true (before == NULL || before->begin <= seen->begin);
          before = seen;
        }
      lc_history_object_clear (&object);
    }
  g_hash_table_unref (begins);
}

static void
check_same (const Redecided *one, const Redecided *other)
{
  for (guint i = 0; i < one->n_processes; i++)
    {
      g_assert_cmpuint (one->seen[i]->len, ==, other->seen[i]->len);
      for (guint k = 0; k < one->seen[i]->len; k++)
        {
          const Seen *a = redecided_get (one, i, k), *b = redecided_get (other, i, k);

          g_assert_cmpuint (a->origin_process, ==, b->origin_process);
          g_assert_cmpuint (a->origin_ordinal, ==, b->origin_ordinal);
          g_assert_cmpint (a->sequence, ==, b->sequence);
          g_assert_cmpuint (a->end, ==, b->end);
        }
    }
}

/* What was decided, written as if it had been measured: there all are served in the order in which they come. */
static Case *
write_again (const Case *trial, const Redecided *result)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < result->n_processes; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; k < result->seen[i]->len; k++)
        {
          const Seen *seen = redecided_get (result, i, k);
          g_autofree char *what = redecided_dup_text (trial, seen);

          g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", seen->begin, seen->end,
                                  seen->operation == LC_TAG ? "tag value=1" : what);
        }
      g_ptr_array_add (files, g_strdup_printf ("%u", i));
      g_ptr_array_add (files, g_string_free (g_steal_pointer (&text), FALSE));
    }
  g_ptr_array_add (files, NULL);
  return case_new ((const char *const *)files->pdata, NULL);
}

/* Locks at random, within each other, with waiting for others inside and out. */
static void
test_random_locks (void)
{
  guint64 changed = 0;

  for (guint32 seed = 1; seed <= random_trials (400); seed++)
    {
      g_autoptr (Case) trial = make_program (seed, seed % 2 == 0, FALSE);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

      g_assert_cmpuint (result->n_sweeps, ==, 1);
      check_events (trial, result, FALSE);
      check_order (trial, result);
      check_served (trial, result);
      for (guint i = 0; i < result->found.decided->len; i++)
        {
          const LcDecided *decided = &g_array_index (result->found.decided, LcDecided, i);

          if (seed % 2 == 0)
            g_assert_false (decided->kept);
          changed += decided->changed;
        }
      if (seed % 4 == 0)
        {
          g_autoptr (Case) again = write_again (trial, result);
          g_autoptr (Redecided) same = redecided_new (again, NULL, &plainly);

          expect_times (same);
        }
      if (seed % 10 == 0)
        {
          g_autoptr (Redecided) same = redecided_new (trial, NULL, &without_tags);

          check_same (result, same);
        }
    }
  g_assert_cmpuint (changed, >, random_trials (400) / 8);
}

/* With work, which may have to be kept when it turns out that others wait for a later piece. */
static void
test_random_work (void)
{
  guint64 changed = 0;
  guint n_repeated = 0;

  for (guint32 seed = 1; seed <= random_trials (400); seed++)
    {
      g_autoptr (Case) trial = make_program (seed, seed % 2 == 0, TRUE);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

      n_repeated += result->n_sweeps > 1;
      check_events (trial, result, TRUE);
      check_order (trial, result);
      for (guint i = 0; i < result->found.decided->len; i++)
        if (g_array_index (result->found.decided, LcDecided, i).work)
          changed += g_array_index (result->found.decided, LcDecided, i).changed;
    }
  g_test_message ("%u pieces moved, %u sweeps repeated", (guint)changed, n_repeated);
  g_assert_cmpuint (changed, >, random_trials (400) / 8);
}

/* --- As a timeline -------------------------------------------------------------------------------------------------
 */

static void
expect_on (Case *trial, guint32 timeline, guint32 process, guint64 ordinal, const char *text)
{
  LcHistoryEvent event;
  g_autoptr (GArray) arcs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *all = NULL;

  g_assert_true (lc_history_get_event (trial->history, timeline, process, ordinal, &event, &error));
  g_assert_true (lc_history_list_arcs_in (trial->history, timeline, process, ordinal, &arcs, &error));
  all = g_strdup_printf ("%u:%u %s %d %u-%u%s", event.origin_process, (guint)event.origin_ordinal,
                         lc_history_get_operation (trial->history, event.operation)->name, (int)event.sequence,
                         (guint)event.begin, (guint)event.end,
                         event.flags & LC_HISTORY_EVENT_REORDERED ? " reordered" : "");
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);
      char *more = g_strdup_printf ("%s from %u:%u at %u", all, arc->from_process, (guint)arc->from_ordinal,
                                    (guint)arc->from_time);

      g_free (all);
      all = more;
    }
  g_assert_cmpstr (all, ==, text);
}

/* The same as when a plain approximation directs: the timeline has the arcs and the places that were decided. */
static void
test_timeline (void)
{
  const char *const files[] = {"0",
                               "0 5 lock W 1\n5 10 unlock W 1\n"
                               "20 20 tag value=1\n130 130 tag value=1\n240 240 tag value=1\n"
                               "350 355 lock W 4\n355 360 unlock W 4\n900 900 tag value=9\n",
                               "1",
                               "7 15 lock W 2\n15 20 unlock W 2\n120 120 tag value=2\n"
                               "320 325 lock W 3\n325 330 unlock W 3\n420 420 tag value=3\n"
                               "620 625 lock W 5\n625 630 unlock W 5\n700 700 tag value=8\n",
                               NULL};
  const char *const settings[] = {"overhead.tag=0;0;100", NULL};
  const LcApproximateOptions options = {.model = LC_MODEL_LIBERAL, .settings = settings};
  g_autoptr (Case) trial = case_new (files, work_rules);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcApproximation) approximation = lc_approximate (trial->directory, &options, &error);
  guint64 n_events;
  guint32 timeline;

  g_assert_no_error (error);
  g_assert_cmpuint (approximation->decided->len, ==, 2);
  g_assert_cmpuint (approximation->approximated_total, ==, 800);
  g_assert_true (lc_history_find_timeline (trial->history, "liberal", &timeline, &error));
  g_assert_cmpuint (timeline, ==, approximation->timeline);
  g_assert_true (lc_history_count_events (trial->history, timeline, 0, &n_events, &error));
  g_assert_cmpuint (n_events, ==, 11);
  g_assert_true (lc_history_count_events (trial->history, timeline, 1, &n_events, &error));
  g_assert_cmpuint (n_events, ==, 6);
  expect_on (trial, timeline, 0, 5, "0:5 lock 3 50-55 reordered from 1:1 at 20");
  expect_on (trial, timeline, 0, 7, "1:5 tag 0 150-150");
  expect_on (trial, timeline, 0, 8, "1:6 lock 5 250-255 reordered from 1:4 at 230");
  expect_on (trial, timeline, 0, 10, "0:7 tag 0 800-800");
  expect_on (trial, timeline, 1, 1, "1:1 unlock 2 15-20");
  expect_on (trial, timeline, 1, 5, "1:8 tag 0 300-300");
}

static void
test_blind_timeline (void)
{
  const char *const settings[] = {"overhead.tag=0;0;100", "communication.short=0;0;0;0", "communication.long=5;0;0",
                                  "cost.recv=10", NULL};
  const LcApproximateOptions options = {.model = LC_MODEL_EVENT, .blind = LC_BLIND_FIFO, .settings = settings};
  g_autoptr (Case) trial = case_new (senders, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcApproximation) approximation = lc_approximate (trial->directory, &options, &error);
  LcHistoryEvent event;

  g_assert_no_error (error);
  g_assert_true (lc_history_get_event (trial->history, approximation->timeline, 0, 1, &event, &error));
  g_assert_cmpuint (event.begin, ==, 100);
  g_assert_cmpuint (event.peer, ==, 2);
  g_assert_cmpuint (event.bytes, ==, 20);
  g_assert_true (event.flags & LC_HISTORY_EVENT_REORDERED);
  g_assert_true (lc_history_get_event (trial->history, approximation->timeline, 0, 3, &event, &error));
  g_assert_cmpuint (event.peer, ==, 3);
}

/* Nothing to take off, and all served as they came: the measured timeline, of every program at random. */
static void
test_nothing_to_take_off (void)
{
  const LcApproximateOptions options = {.model = LC_MODEL_LIBERAL};

  for (guint32 seed = 2; seed <= 60; seed += 2)
    {
      g_autoptr (Case) trial = make_program (seed, TRUE, FALSE);
      g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);
      g_autoptr (Case) served = write_again (trial, result);
      g_autoptr (GError) error = NULL;
      g_autoptr (LcApproximation) approximation = lc_approximate (served->directory, &options, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (approximation->events, >, 0);
      g_assert_cmpuint (approximation->moved, ==, 0);
      g_assert_cmpuint (approximation->reordered, ==, 0);
      for (guint i = 0; i < approximation->decided->len; i++)
        g_assert_cmpuint (g_array_index (approximation->decided, LcDecided, i).changed, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/redecide/order-flips", test_order_flips);
  g_test_add_func ("/redecide/first-come-first-served", test_first_come_first_served);
  g_test_add_func ("/redecide/ties", test_ties);
  g_test_add_func ("/redecide/nested", test_nested);
  g_test_add_func ("/redecide/await-inside", test_await_inside);
  g_test_add_func ("/redecide/condition", test_condition);
  g_test_add_func ("/redecide/philosophers", test_philosophers);
  g_test_add_func ("/redecide/odd-sections", test_odd_sections);
  g_test_add_func ("/redecide/work-moves", test_work_moves);
  g_test_add_func ("/redecide/two-loops", test_two_loops);
  g_test_add_func ("/redecide/bound-work", test_bound_work);
  g_test_add_func ("/redecide/own-operation", test_own_operation);
  g_test_add_func ("/redecide/oldest", test_oldest);
  g_test_add_func ("/redecide/newest", test_newest);
  g_test_add_func ("/redecide/first-to-come", test_first_to_come);
  g_test_add_func ("/redecide/mixed-channel", test_mixed_channel);
  g_test_add_func ("/redecide/random-locks", test_random_locks);
  g_test_add_func ("/redecide/random-work", test_random_work);
  g_test_add_func ("/redecide/timeline", test_timeline);
  g_test_add_func ("/redecide/blind-timeline", test_blind_timeline);
  g_test_add_func ("/redecide/nothing-to-take-off", test_nothing_to_take_off);
  return g_test_run ();
}
