/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that are had by whoever is there first, and locks that are handed over to who has waited. */
#include "redecide-case.h"

static const Wish plainly = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 0};
static const Wish without_tags = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 100, 0, 0};
static const Wish with_barging = {LC_MODEL_LIBERAL, LC_BLIND_PRESERVE, 0, 0, 50};

/* Process 1 needs 50 to wake up when process 0 gives the lock back at 100; by 150 process 0 has it again, until 205.
 * From then on it takes 50 again, and nobody comes in between. Process 2 waits behind it, and wakes up for itself. */
static void
test_barging (void)
{
  const char *const files[] = {"0", "0 0 lock L 1\n100 100 unlock L 1\n110 110 lock L 3\n205 205 unlock L 3\n",
                               "1", "20 100 lock L 2\n110 110 unlock L 2\n",
                               "2", "120 205 lock L 4\n215 215 unlock L 4\n",
                               NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &with_barging);

  redecided_expect (trial, result, 0, 2, "0:2 lock L 2 110-110");
  redecided_expect (trial, result, 0, 3, "0:3 unlock L 2 205-205");
  redecided_expect (trial, result, 1, 0, "1:0 lock L 3 20-255");
  redecided_expect (trial, result, 1, 1, "1:1 unlock L 3 265-265");
  redecided_expect (trial, result, 2, 0, "2:0 lock L 4 120-315");
  g_assert_cmpuint (redecided_find (result, trial, "L", FALSE).decisions, ==, 4);
}

/* Handed over, the same lock goes to process 1 at once. */
static void
test_handing_over (void)
{
  const char *const files[] = {"0", "0 0 lock L 1\n100 100 unlock L 1\n110 110 lock L 3\n205 205 unlock L 3\n", "1",
                               "20 100 lock L 2\n110 110 unlock L 2\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  redecided_expect (trial, result, 1, 0, "1:0 lock L 2 20-100");
  redecided_expect (trial, result, 0, 2, "0:2 lock L 3 110-110");
}

/* The pool has a token at first. Process 1 came late because of its tag; without it, it takes the first token, and
 * process 0 gets the one that it posts. */
static void
test_tokens (void)
{
  const char *const files[] = {"0", "50 60 wait S 1\n200 205 post S 2\n", "1",
                               "0 0 tag value=1\n120 215 wait S 2\n230 235 post S 3\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &without_tags);

  redecided_expect (trial, result, 1, 1, "1:1 wait S 1 20-30");
  redecided_expect (trial, result, 1, 2, "1:2 post S 2 45-50");
  redecided_expect (trial, result, 0, 0, "0:0 wait S 2 50-60");
  redecided_expect (trial, result, 0, 1, "0:1 post S 3 200-205");
  g_assert_cmpuint (redecided_find (result, trial, "S", FALSE).changed, ==, 2);
}

/* Two tokens are posted while two processes sleep: both are woken. Who comes in between has one of them, so the
 * second finds none, and sleeps until the next. */
static void
test_barging_tokens (void)
{
  const char *const files[] = {
      "0", "0 0 wait S 1\n100 100 post S 2\n105 105 post S 3\n130 130 wait S 4\n160 160 post S 4\n",
      "1", "20 100 wait S 2\n170 170 tag value=1\n",
      "2", "30 105 wait S 3\n175 175 tag value=1\n",
      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &with_barging);

  redecided_expect (trial, result, 0, 3, "0:3 wait S 2 130-130");
  redecided_expect (trial, result, 1, 0, "1:0 wait S 3 20-150");
  redecided_expect (trial, result, 2, 0, "2:0 wait S 4 30-210");
}

/* Tokens whose numbers have a gap stay as measured. */
static void
test_odd_tokens (void)
{
  const char *const files[] = {"0", "50 60 wait S 1\n200 205 post S 3\n", "1", "120 215 wait S 3\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (Redecided) result = redecided_new (trial, NULL, &plainly);

  g_assert_true (redecided_find (result, trial, "S", FALSE).kept);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/barging/waking-up", test_barging);
  g_test_add_func ("/barging/handing-over", test_handing_over);
  g_test_add_func ("/barging/tokens", test_tokens);
  g_test_add_func ("/barging/waking-up-for-tokens", test_barging_tokens);
  g_test_add_func ("/barging/odd-tokens", test_odd_tokens);
  return g_test_run ();
}
