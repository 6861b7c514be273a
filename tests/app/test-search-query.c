/* SPDX-License-Identifier: Apache-2.0 */
/* What is typed to search is taken apart as its users mean it. */
#include <glib.h>

#include "app/search/search-query.h"
#include "trace/quantities.h"

/* "kind text lowest..highest" of each term, or the problem after an exclamation mark. */
static char *
describe (const char *text)
{
  static const char *const kinds[] = {"word",   "operation", "class",    "object", "process", "from", "to",   "region",
                                      "called", "marked",    "sequence", "tag",    "wait",    "took", "bytes"};
  g_autofree char *problem = NULL;
  g_autoptr (GArray) terms = lc_search_query_parse (text, &problem);
  g_autoptr (GString) string = g_string_new (NULL);

  if (terms == NULL)
    return g_strconcat ("!", problem, NULL);
  for (guint i = 0; i < terms->len; i++)
    {
      const LcSearchTerm *term = &g_array_index (terms, LcSearchTerm, i);

      g_string_append_printf (string, "%s%s", i > 0 ? "; " : "", kinds[term->kind]);
      if (!term->number)
        g_string_append_printf (string, " %s", term->text);
      else
        {
          if (term->kind == LC_SEARCH_WORD)
            g_string_append_printf (string, " %s", term->text);
          if (term->lowest != G_MININT64)
            g_string_append_printf (string, " from %" G_GINT64_FORMAT, term->lowest);
          if (term->highest != G_MAXINT64)
            g_string_append_printf (string, " to %" G_GINT64_FORMAT, term->highest);
        }
    }
  return g_string_free (g_steal_pointer (&string), FALSE);
}

static void
test_terms (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
      {"", ""},
      {"   ", ""},
      {"lock m2", "word lock; word m2"},
      {"await 17", "word await; word 17 from 17 to 17"},
      {"object:row seq:17", "object row; sequence from 17 to 17"},
      {"OBJ:row Op=lock", "object row; operation lock"},
      {"#17", "sequence from 17 to 17"},
      {"seq:10..20", "sequence from 10 to 20"},
      {"seq:10..", "sequence from 10"},
      {"seq>10", "sequence from 11"},
      {"seq<=10", "sequence to 10"},
      {"seq:-1", "sequence from -1 to -1"},
      {"tag:5", "tag from 5 to 5"},
      {"from:3 to:\"rank 4\"", "from 3; to rank 4"},
      {"to:3", "to 3"},
      {"too:3", "took from 3"},
      {"bytes>4k", "bytes from 4097"},
      {"size:1KiB..2MB", "bytes from 1024 to 2097152"},
      {"bytes<=10", "bytes to 10"},
      {"tag:0x10", "tag from 16 to 16"},
      {"tag:begin", "tag begin"},
      {"value:5", "tag from 5 to 5"},
      {"region:solve", "region solve"},
      {"in:pipe.cpp:7", "called pipe.cpp:7"},
      {"marked:odd", "marked odd"},
      {"called:Queue<long>::put", "called Queue<long>::put"},
      {"in:\"put() pipe.cpp:7\"", "called put() pipe.cpp:7"},
      {"pipe.cpp:7", "word pipe.cpp:7"},
      {"in x", "word in; word x"},
      {"process:worker-3 wait>1ms", "process worker-3; wait from 1000001"},
      {"wait:1ms", "wait from 1000000"},
      {"wait >= 1 ms lock", "wait from 1000000; word lock"},
      {"wait > 20 us", "wait from 20001"},
      {"wait>1,5ms", "wait from 1500001"},
      {"wait<2us", "wait from 0 to 1999"},
      {"took:1us..2us", "took from 1000 to 2000"},
      {"wait", "word wait"},
      {"wait s", "word wait; word s"},
      {"\"worker 3\"", "word worker 3"},
      {"process:\"worker 3\" lock", "process worker 3; word lock"},
      {"process: worker", "process worker"},
      {"\"tag:5\"", "word tag:5"},
      {"0>3:7", "word 0>3:7"},
      {"p:x", "word p:x"},
      {"object:0>3:7", "object 0>3:7"},
      {"#", "word #"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *actual = describe (cases[i].text);

      g_assert_cmpstr (actual, ==, cases[i].expected);
    }
}

static void
test_problems (void)
{
  static const char *const wrong[] = {"object:", "seq:", "seq:m2", "wait>much", "tag>x", "bytes>4q", "seq:1..x"};

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *actual = describe (wrong[i]);

      g_assert_cmpint (actual[0], ==, '!');
      g_assert_cmpuint (strlen (actual), >, 10);
    }
}

static void
test_durations (void)
{
  static const struct
  {
    const char *text;
    guint64 ns;
  } cases[] = {{"1 ms", 1000000}, {"20us", 20000}, {"20 µs", 20000},       {"1.5 s", 1500000000}, {"2,5ms", 2500000},
               {"17", 17},        {" 3 ns ", 3},   {"1 min", 60000000000}, {".5us", 500},         {"0", 0}};
  static const char *const wrong[] = {"", "ms", "1 parsec", "-1 ms", "1 ms 2", "12,345", "inf", "nan", "1e300 s", "0x"};
  guint64 ns;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (lc_parse_time (cases[i].text, &ns));
      g_assert_cmpuint (ns, ==, cases[i].ns);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (lc_parse_time (wrong[i], &ns));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/search-query/terms", test_terms);
  g_test_add_func ("/app/search-query/problems", test_problems);
  g_test_add_func ("/app/search-query/durations", test_durations);
  return g_test_run ();
}
