/* SPDX-License-Identifier: Apache-2.0 */
/* The blame that was found last answers the same question without the history, and no other one. */
#include <string.h>

#include "case.h"
#include "lightcone/sites.h"

static const char *const files[] = {"a",
                                    "0 10 lock m 1 at=put@p.c:1\n100 100 unlock m 1 at=put@p.c:2\n"
                                    "120 130 lock n 1 at=put@p.c:3\n180 180 unlock n 1 at=put@p.c:4\n",
                                    "b",
                                    "5 110 lock m 2 at=get@g.c:1\n115 115 unlock m 2 at=get@g.c:2\n"
                                    "125 190 lock n 2 at=get@g.c:3\n195 195 unlock n 2 at=get@g.c:4\n",
                                    NULL};

/* Asks both ways, and whether the answer is the array that was there before. */
static GArray *
ask (LcKeptBlame *kept, LcHistory *history, const LcWaitsAsked *asked, const GArray *before, gboolean is_same)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) expected = lc_statistics_blame (history, LC_TIMELINE_MEASURED, asked, NULL, NULL, NULL);
  GArray *found = lc_kept_blame_find (kept, history, asked, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, expected->len);
  if (found->len > 0)
    g_assert_cmpint (memcmp (found->data, expected->data, found->len * sizeof (LcBlame)), ==, 0);
  g_assert_cmpint (found == before, ==, is_same);
  return found;
}

static void
test_kept_blame (void)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcKeptBlame) kept = lc_kept_blame_new ();
  guint32 processes[] = {0, 1}, objects[] = {0};
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (trial->history));
  LcWaitsAsked asked = {.processes = processes, .n_processes = 2, .axis = LC_AXIS_TIME, .from = 0, .to = 200};
  g_autoptr (GArray) whole = ask (kept, trial->history, &asked, NULL, FALSE);
  g_autoptr (GArray) again = ask (kept, trial->history, &asked, whole, TRUE);
  g_autoptr (GArray) part = NULL, swapped = NULL, of_object = NULL, none = NULL, one = NULL, called = NULL;
  g_autoptr (LcCalled) place = lc_called_new (trial->history, "get");

  g_assert_cmpuint (whole->len, ==, 2);
  g_assert_cmpuint (again->len, ==, 2);
  asked.to = 115;
  part = ask (kept, trial->history, &asked, whole, FALSE);
  g_assert_cmpuint (part->len, ==, 1);
  processes[1] = 0; /* the question is copied: what the caller does to its own is no matter */
  asked.n_processes = 1;
  one = ask (kept, trial->history, &asked, part, FALSE);
  g_assert_cmpuint (one->len, ==, 0);
  processes[0] = 1;
  swapped = ask (kept, trial->history, &asked, one, FALSE);
  asked.to = 200;
  asked.filters.objects = objects;
  asked.filters.n_objects = 1;
  of_object = ask (kept, trial->history, &asked, swapped, FALSE);
  asked.filters.operations = operations;
  none = ask (kept, trial->history, &asked, of_object, FALSE);
  g_assert_cmpuint (none->len, ==, 0);
  asked.filters.operations = NULL;
  asked.filters.called = place;
  called = ask (kept, trial->history, &asked, none, FALSE);
  g_assert_cmpuint (called->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-blame/questions", test_kept_blame);
  return g_test_run ();
}
