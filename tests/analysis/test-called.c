/* SPDX-License-Identifier: Apache-2.0 */
/* Which events are called in a place, by the names that people give to places. */
#include "case.h"
#include "lightcone/called.h"
#include "lightcone/statistics.h"

/* Of a, all is called in main(); what b does first is called nowhere. */
static const char *const files[] = {
    "a",
    "0 10 lock m 1 at=Queue<long>::put@src/pipe.cpp:13;feed@src/pipe.cpp:29;main@x.c:9\n"
    "20 20 unlock m 1 at=Queue<long>::put@src/pipe.cpp:16;feed@src/pipe.cpp:29;main@x.c:9\n"
    "30 40 lock n 1 at=output@y/pipe.cpp:13;main@x.c:12\n"
    "50 50 unlock n 1 at=main@x.c:13\n",
    "b",
    "0 0 tag value=1\n"
    "5 25 lock m 2 at=take@z.c:1\n"
    "30 30 unlock m 2 at=@z.c:2\n",
    NULL};

/* Gives the events in a place as "process.ordinal". */
static char *
dup_called (LcHistory *history, const char *place)
{
  g_autoptr (LcCalled) called = lc_called_new (history, place);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 process = 0; process < 2; process++)
    for (guint64 i = 0; i < lc_history_get_process (history, process)->events; i++)
      {
        LcHistoryEvent event;

        g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, i, &event, NULL));
        if (lc_called_has (called, &event))
          g_string_append_printf (text, "%s%u.%u", text->len > 0 ? " " : "", process, (guint)i);
      }
  g_assert_cmpint (lc_called_is_empty (called), ==, text->len == 0);
  g_assert_cmpstr (lc_called_get_place (called), ==, place);
  return g_strdup (text->str);
}

static void
test_places (void)
{
  static const struct
  {
    const char *place;
    const char *expected;
  } cases[] = {
      {"put", "0.0 0.1"},
      {"PUT()", "0.0 0.1"},
      {"Queue<long>::put", "0.0 0.1"},
      {"Queue", "0.0 0.1"},
      {"utp", "0.2"}, /* no function is called so: a part of one */
      {"out", "0.2"},
      {"main", "0.0 0.1 0.2 0.3"},
      {"feed", "0.0 0.1"},
      {"pipe.cpp", "0.0 0.1 0.2"},
      {"src/pipe.cpp", "0.0 0.1"},
      {"rc/pipe.cpp:13", ""},
      {"pipe.cpp:13", "0.0 0.2"},
      {"src/pipe.cpp:13", "0.0"},
      {"pipe.cpp:1", "0.0 0.1 0.2"}, /* there is no such line: what begins so */
      {"put() pipe.cpp:13", "0.0"},
      {"Queue<long>::put() pipe.cpp:13", "0.0"},
      {"x.c:9", "0.0 0.1"},
      {" x.c:12 ", "0.2"},
      {"z.c", "1.1 1.2"},
      {"z.c:2", "1.2"},
      {"nowhere", ""},
      {"", ""},
  };
  g_autoptr (Case) trial = case_new (files, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *found = dup_called (trial->history, cases[i].place);

      g_test_message ("%s", cases[i].place);
      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

/* A trace that does not say where its events are. */
static void
test_nowhere (void)
{
  static const char *const plain[] = {"a", "0 10 lock m 1\n", "b", "5 20 lock m 2\n", NULL};
  g_autoptr (Case) trial = case_new (plain, NULL);
  g_autofree char *found = dup_called (trial->history, "main");

  g_assert_cmpstr (found, ==, "");
}

static void
test_called_equal (void)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcCalled) one = lc_called_new (trial->history, "put"), same = lc_called_new (trial->history, "put");
  g_autoptr (LcCalled) other = lc_called_new (trial->history, "main");

  g_assert_true (lc_called_equal (one, same));
  g_assert_true (lc_called_equal (NULL, NULL));
  g_assert_false (lc_called_equal (one, other));
  g_assert_false (lc_called_equal (NULL, one));
}

static void
test_called_waits (void)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcCalled) there = lc_called_new (trial->history, "take"),
                       elsewhere = lc_called_new (trial->history, "put");
  LcWaitsAsked asked = {.filters.called = there};
  g_autoptr (GArray) some = NULL, none = NULL;

  some = lc_statistics_longest_waits (trial->history, LC_TIMELINE_MEASURED, &asked, 10, NULL, NULL, NULL, NULL);
  asked.filters.called = elsewhere;
  none = lc_statistics_longest_waits (trial->history, LC_TIMELINE_MEASURED, &asked, 10, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (some->len, ==, 1);
  g_assert_cmpuint (g_array_index (some, LcHistoryEvent, 0).process, ==, 1);
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/called/places", test_places);
  g_test_add_func ("/called/nowhere", test_nowhere);
  g_test_add_func ("/called/equal", test_called_equal);
  g_test_add_func ("/called/waits", test_called_waits);
  return g_test_run ();
}
