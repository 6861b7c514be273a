/* SPDX-License-Identifier: Apache-2.0 */
/* Times in which nothing was recorded on purpose: what trace.ini says of them, and what the readers then leave out. */
#include <glib/gstdio.h>
#include <string.h>

#include "gaps.h"
#include "maker.h"

#define FIRST "%lightcone-events 1\n"

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  return trace;
}

static char *
list_gaps (const LcTrace *trace)
{
  gsize n;
  const LcTraceGap *gaps = lc_trace_get_gaps (trace, &n);

  return lc_gaps_to_text (gaps, n);
}

/* "BEGIN-END " of each event. */
static char *
list_events (LcTrace *trace, guint32 process)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, process);
  GString *text = g_string_new (NULL);
  guint64 ordinal = 0;
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    {
      g_assert_cmpuint (batch.first_ordinal, ==, ordinal);
      g_assert_cmpuint (batch.n_events, >, 0);
      ordinal += batch.n_events;
      for (gsize i = 0; i < batch.n_events; i++)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " ", batch.events[i].begin,
                                batch.events[i].end);
    }
  g_assert_cmpuint (lc_trace_count_events (trace, process), ==, ordinal);
  return g_string_free (text, FALSE);
}

static void
assert_events (LcTrace *trace, guint32 process, const char *expected)
{
  g_autofree char *found = list_events (trace, process);

  g_assert_cmpstr (found, ==, expected);
}

/* --- What trace.ini says ------------------------------------------------------------------------------------------ */

static void
check_settings (const char *settings, const char *expected, guint n_problems)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL;
  g_autofree char *found = NULL;

  maker_write_text (directory, "0.events", FIRST "10 20 lock m 1\n");
  maker_write_text (directory, "trace.ini", settings);
  trace = open_trace (directory);
  found = list_gaps (trace);
  g_assert_cmpstr (found, ==, expected);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, n_problems > 0);
  if (n_problems > 0)
    {
      const LcTraceProblem *problem = maker_problem (problems, "bad-gap", "trace.ini");

      g_assert_cmpuint (problem->count, ==, n_problems);
      g_assert_nonnull (strstr (problem->detail, "[gaps] "));
    }
  maker_remove (directory);
}

static void
test_settings (void)
{
  check_settings ("[trace]\n", NULL, 0);
  check_settings ("[gaps]\n", NULL, 0);
  check_settings ("[gaps]\n1=0;1500;ring;123456\n2=1700;1800;paused\n3=1900;;dump\n",
                  "0;1500;ring;123456\n1700;1800;paused\n1900;;dump", 0);
  check_settings ("[gaps]\n1=0;1500;ring;\n", "0;1500;ring", 0);
  check_settings ("[gaps]\n1= 5 ; 5 ; paused \n7=5;6;paused\n", "5;5;paused\n5;6;paused", 0);
}

static void
test_malformed (void)
{
  static const char *const wrong[] = {
      "",
      ";",
      ";;",
      ";;;;;;;;",
      "1;2",
      "1;2;ring;3;4",
      "2;1;ring",
      "-1;2;ring",
      "1;-2;ring",
      "x;2;ring",
      "1;y;ring",
      "1;2;other",
      "1;2;",
      "1;2;ring;-1",
      "1;2;ring;99999999999999999999999",
      "99999999999999999999;;ring",
      "2305843009213693952;;ring",
      "1;2305843009213693952;ring",
      "1;18446744073709551615;ring",
      "\\xff;\\xff;ring",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *alone = g_strdup_printf ("[gaps]\n1=%s\n", wrong[i]);
      g_autofree char *among = g_strdup_printf ("[gaps]\n1=0;5;ring\n2=%s\n3=7;8;paused\n", wrong[i]);

      check_settings (alone, NULL, 1);
      check_settings (among, "0;5;ring\n7;8;paused", 1);
    }
  check_settings ("[gaps]\n2=0;5;ring\n1=6;7;ring\n", "0;5;ring", 1);
  check_settings ("[gaps]\nx=0;5;ring\n0=6;7;ring\n", NULL, 1 + 1);
  check_settings ("[gaps]\n1=0;5;ring\n2=4;7;ring\n", "0;5;ring", 1);
  check_settings ("[gaps]\n1=0;;dump\n2=4;7;ring\n", "0;;dump", 1);
}

/* However many there are: trace.ini has its own limit. */
static void
test_many (void)
{
  char *directory = maker_directory ();
  GString *settings = g_string_new ("[gaps]\n");
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) gaps = NULL;
  g_autofree char *text = NULL, *described = NULL;
  const LcTraceGap *all;
  gsize n;

  for (guint i = 1; i <= 20000; i++)
    g_string_append_printf (settings, "%u=%u;%u;paused\n", i, 10 * i, 10 * i + 4);
  maker_write_text (directory, "0.events", FIRST "10 20 lock m 1\n");
  maker_write_text (directory, "trace.ini", settings->str);
  trace = open_trace (directory);
  all = lc_trace_get_gaps (trace, &n);
  g_assert_cmpuint (n, ==, 20000);
  text = lc_gaps_to_text (all, n);
  gaps = lc_gaps_from_text (text);
  g_assert_cmpmem (gaps->data, gaps->len * sizeof *all, all, n * sizeof *all);
  g_assert_cmpuint (lc_gaps_measure (gaps, 0, 1000000), ==, 20000 * 4);
  g_assert_cmpuint (lc_gaps_measure (gaps, 12, 32), ==, 2 + 4 + 2);
  g_assert_cmpuint (lc_gaps_measure (gaps, 14, 20), ==, 0);
  described = lc_gaps_describe (gaps, "\n");
  g_assert_true (g_str_has_suffix (described, "and 19,995 more times in which nothing was recorded"));
  g_string_free (settings, TRUE);
  maker_remove (directory);
}

/* --- What is left out --------------------------------------------------------------------------------------------- */

/* Of a process with three packets of two events each, from 100 ns on and 100 ns apart, what is kept of it: all but the
 * first `dropped` packets. */
static void
write_process (const char *directory, guint32 number, guint dropped)
{
  g_autoptr (Maker) maker = maker_new (number);
  gsize begin = 0;

  for (guint i = 0; i < 6; i++)
    {
      if (i > 0 && i % 2 == 0)
        maker_packet (maker);
      if (i == 2 * dropped)
        begin = maker->packet;
      maker_sync (maker, LC_AWAIT, 0, i, 0, 100 + 100 * i, 150 + 100 * i, 0);
    }
  g_byte_array_remove_range (maker->bytes, 0, (guint)begin);
  maker->packet -= begin;
  maker_finish (maker, directory);
}

static char *
make_trace (const char *gaps)
{
  char *directory = maker_directory ();
  g_autofree char *settings = g_strconcat ("[gaps]\n", gaps, NULL);

  maker_write_metadata (directory);
  for (guint32 i = 0; i < 3; i++)
    write_process (directory, i, i);
  maker_write_text (directory, "trace.ini", settings);
  return directory;
}

static void
test_first (void)
{
  char *directory = make_trace ("1=0;440;ring\n");
  g_autoptr (LcTrace) trace = open_trace (directory);
  g_autoptr (GArray) problems = NULL;

  g_assert_cmpuint (lc_trace_get_kept_from (trace), ==, 440);
  g_assert_cmpuint (lc_trace_get_ready (trace), ==, 440);
  assert_events (trace, 0, "440-450 500-550 600-650 ");
  assert_events (trace, 1, "440-450 500-550 600-650 ");
  assert_events (trace, 2, "500-550 600-650 ");
  for (guint32 i = 0; i < 3; i++)
    {
      g_assert_cmpuint (lc_trace_get_process (trace, i)->begin, ==, 440);
      g_assert_cmpuint (lc_trace_get_process (trace, i)->end, ==, 650);
      g_assert_cmpuint (lc_trace_get_followed (trace, i, 500), ==, 440);
    }
  problems = lc_trace_list_problems (trace);
  for (guint i = 0; i < problems->len; i++) /* the events have no object */
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, i).name, ==, "object-unknown");
  maker_remove (directory);
}

/* Gaps that touch the first one belong to it; one in the middle leaves nothing out that is there. */
static void
test_last (void)
{
  char *directory = make_trace ("1=0;100;ring\n2=100;200;paused\n3=360;380;paused\n4=560;;dump\n");
  g_autoptr (LcTrace) trace = open_trace (directory);

  assert_events (trace, 0, "200-250 300-350 400-450 500-550 ");
  assert_events (trace, 1, "300-350 400-450 500-550 ");
  assert_events (trace, 2, "500-550 ");
  for (guint32 i = 0; i < 3; i++)
    {
      g_assert_cmpuint (lc_trace_get_process (trace, i)->end, ==, 550);
      g_assert_cmpint (lc_trace_get_process (trace, i)->state, ==, LC_STATE_RUNNING);
    }
  maker_remove (directory);
}

static void
test_nothing_left (void)
{
  static const char *const gaps[] = {"1=0;5000;ring\n", "1=0;;dump\n", "1=0;100;ring\n2=140;;dump\n"};

  for (guint i = 0; i < G_N_ELEMENTS (gaps); i++)
    {
      char *directory = make_trace (gaps[i]);
      g_autoptr (LcTrace) trace = open_trace (directory);

      for (guint32 k = 0; k < 3; k++)
        assert_events (trace, k, "");
      maker_remove (directory);
    }
}

/* Text is taken as it is; but who was there before the first gap ended is followed from then on. */
static void
test_text (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_text (directory, "0.events", FIRST "10 20 lock m 1\n");
  maker_write_text (directory, "1.events", FIRST "700 720 lock m 3\n");
  maker_write_text (directory, "2.events", FIRST "700 720 start 2\n");
  maker_write_text (directory, "trace.ini", "[gaps]\n1=0;500;ring\n2=710;;dump\n");
  trace = open_trace (directory);
  assert_events (trace, 0, "10-20 ");
  assert_events (trace, 1, "700-720 ");
  g_assert_cmpuint (lc_trace_get_followed (trace, 0, 10), ==, 10);
  g_assert_cmpuint (lc_trace_get_followed (trace, 1, 700), ==, 500);
  g_assert_cmpuint (lc_trace_get_followed (trace, 2, 700), ==, 700);
  maker_remove (directory);
}

/* --- Parts -------------------------------------------------------------------------------------------------------- */

static void
move_part (const char *part, const char *whole, const char *name)
{
  g_autofree char *to = g_build_filename (whole, name, NULL);

  g_assert_cmpint (g_rename (part, to), ==, 0);
}

/* What one host has not got is left out of the other's too; what was paused on either was paused. */
static void
test_parts (void)
{
  char *whole = maker_directory (), *one = make_trace ("1=0;240;ring;7\n2=360;370;paused\n");
  char *other = make_trace ("1=0;140;ring;3\n2=365;380;paused\n3=560;;dump\n");
  g_autofree char *inner = g_build_filename (whole, "ctf", NULL), *gaps = NULL;
  g_autoptr (LcTrace) trace = NULL;

  g_assert_cmpint (g_rmdir (inner), ==, 0);
  move_part (one, whole, "host-a");
  move_part (other, whole, "host-b");
  trace = open_trace (whole);
  gaps = list_gaps (trace);
  g_assert_cmpstr (gaps, ==, "0;240;ring;10\n360;380;paused\n560;;dump");
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 6);
  for (guint32 i = 0; i < 6; i++)
    {
      g_assert_cmpuint (lc_trace_get_process (trace, i)->begin, ==, 240);
      g_assert_cmpuint (lc_trace_get_process (trace, i)->end, ==, 550);
      assert_events (trace, i,
                     i % 3 == 0   ? "240-250 300-350 400-450 500-550 "
                     : i % 3 == 1 ? "300-350 400-450 500-550 "
                                  : "500-550 ");
    }
  g_clear_pointer (&trace, lc_trace_free);
  g_free (one);
  g_free (other);
  maker_remove (whole);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gaps/settings", test_settings);
  g_test_add_func ("/gaps/malformed", test_malformed);
  g_test_add_func ("/gaps/many", test_many);
  g_test_add_func ("/gaps/first", test_first);
  g_test_add_func ("/gaps/last", test_last);
  g_test_add_func ("/gaps/nothing-left", test_nothing_left);
  g_test_add_func ("/gaps/text", test_text);
  g_test_add_func ("/gaps/parts", test_parts);
  return g_test_run ();
}
