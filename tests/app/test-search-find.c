/* SPDX-License-Identifier: Apache-2.0 */
/* What a search finds: all events that fit, and the next one from any place, whichever way it is looked for. */
#include "../analysis/case.h"
#include "app/search/search-find.h"

/* Two events of `b` begin when one of `a` does, and one of them takes no time. */
static const char *const files[] = {
    "a",
    "0 10 lock m 1 at=put@pipe.cpp:7;main@x.c:1\n10 20 unlock m 1 at=give@pipe.cpp:9;main@x.c:2\n20 20 tag value=5\n40 "
    "90 lock n 1\n90 91 unlock n 1\n",
    "b",
    "0 40 lock m 2 at=lock_all@pipe.cpp:7\n40 40 unlock m 2\n40 45 tag value=7\n50 50 tag value=5\n",
    "rank 3",
    "0 5 send 0>3:1 0 bytes=10\n5 9 send 3>0:1@world.1 0 bytes=3000\n9 10 recv 3>1:2 0\n",
    NULL};

static const struct
{
  const char *query;
  const char *expected; /* "process.ordinal", in order; or a problem, in part, after "!" */
} cases[] = {
    {"lock", "0.0 1.0 0.3"},
    {"lock m", "0.0 1.0"},
    {"object:m", "0.0 1.0 0.1 1.1"},
    {"mutex n", "0.3 0.4"},
    {"object:m seq:2", "1.0 1.1"},
    {"lock 1", "0.0 0.3"},
    {"tag:5", "0.2 1.3"},
    {"tag 5", "0.2 1.3"},
    {"process:b tag", "1.2 1.3"},
    {"wait>5", "1.0"},
    {"took:40..60", "1.0 0.3"},
    {"lock process:a wait>1s", ""},
    {"rank 3", "2.0 2.1 2.2"},
    {"process:rank 3 recv", "2.2"},
    {"send bytes>1k", "2.1"},
    {"channel bytes<=10", "2.0"},
    {"to:3", "2.0"},
    {"from:3", "2.1 2.2"},
    {"from:3 to:1", "2.2"},
    {"from:3 recv", "2.2"},
    {"put", "0.0"},
    {"pipe.cpp:7", "0.0 1.0"},
    {"in:main", "0.0 0.1"},
    {"in:main in:lock_all", "0.0 1.0 0.1"},
    {"in:lock", "1.0"}, /* none is called so: a part */
    {"main unlock", "0.1"},
    {"in:nowhere", "!nowhere"},
    {"to:7", ""},
    {"to:rank 4", "!rank"},
    {"nothing-like-it", "!nothing-like-it"},
};

static char *
describe (const LcSearchFound *found)
{
  GString *string = g_string_new (NULL);

  for (guint i = 0; i < found->hits->len; i++)
    {
      const LcSearchHit *hit = &g_array_index (found->hits, LcSearchHit, i);

      g_string_append_printf (string, "%s%u.%" G_GUINT64_FORMAT, i > 0 ? " " : "", hit->process, hit->ordinal);
    }
  return g_string_free (string, FALSE);
}

/* From every hit, from between them, and from either end. */
static void
check_next (const LcSearchPlan *plan, const LcSearchNames *names, const GArray *hits)
{
  for (guint64 begin = 0; begin <= 100; begin += 5)
    for (guint32 process = 0; process < 2; process++)
      for (guint64 ordinal = 0; ordinal < 5; ordinal++)
        for (gboolean backwards = FALSE; backwards <= TRUE; backwards++)
          {
            LcSearchHit from = {.begin = begin, .process = process, .ordinal = ordinal}, hit;
            g_autoptr (GError) error = NULL;
            guint number;
            gboolean any = lc_search_seek (plan, names, &from, backwards, &hit, NULL, &error);

            g_assert_no_error (error);
            g_assert_cmpint (any, ==, lc_search_pick (hits, &from, backwards, &number));
            if (any)
              g_assert_cmpint (lc_search_compare (&hit, &g_array_index (hits, LcSearchHit, number)), ==, 0);
          }
}

/* From either end all that there is is found: also event 0 of process 0 at time 0, which is before any place. */
static void
check_ends (const LcSearchPlan *plan, const LcSearchNames *names, const GArray *hits)
{
  for (gboolean backwards = FALSE; backwards <= TRUE; backwards++)
    {
      g_autoptr (GError) error = NULL;
      LcSearchHit hit;
      guint number;
      gboolean any = lc_search_seek (plan, names, NULL, backwards, &hit, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (any, ==, hits->len > 0);
      g_assert_cmpint (lc_search_pick (hits, NULL, backwards, &number), ==, any);
      if (!any)
        continue;
      g_assert_cmpuint (number, ==, backwards ? hits->len - 1 : 0);
      g_assert_cmpint (lc_search_compare (&hit, &g_array_index (hits, LcSearchHit, number)), ==, 0);
    }
}

static void
test_find (void)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcOpened) opened = lc_opened_new (g_steal_pointer (&trial->history), trial->directory, FALSE);
  g_autoptr (LcShown) shown = lc_shown_new (opened);
  g_autoptr (LcSearchNames) names = lc_search_names_new (opened->history, NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *problem = NULL, *actual = NULL;
      g_autoptr (GArray) terms = lc_search_query_parse (cases[i].query, &problem);
      g_autoptr (LcSearchPlan) plan = lc_search_plan_new (shown, names, terms, &problem);
      g_autoptr (LcSearchFound) found = NULL;
      g_autoptr (GError) error = NULL;
      LcJobPermille done = 0;
      gint counted = 0;

      if (cases[i].expected[0] == '!')
        {
          g_assert_null (plan);
          g_assert_nonnull (strstr (problem, &cases[i].expected[1]));
          continue;
        }
      found = lc_search_find_all (plan, names, &done, &counted, NULL, &error);
      g_assert_no_error (error);
      actual = describe (found);
      g_assert_cmpstr (actual, ==, cases[i].expected);
      g_assert_cmpuint (found->n_hits, ==, found->hits->len);
      check_next (plan, names, found->hits);
      check_ends (plan, names, found->hits);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/search-find/all-and-next", test_find);
  return g_test_run ();
}
