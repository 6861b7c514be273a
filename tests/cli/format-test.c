/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and tables are for people to read, JSON for programs. */
#include <glib.h>
#include <locale.h>

#include "report/format.h"
#include "trace/json.h"

static void
check (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_counts (void)
{
  check (lc_format_count (0), "0");
  check (lc_format_count (999), "999");
  check (lc_format_count (1000), "1,000");
  check (lc_format_count (1234567), "1,234,567");
  check (lc_format_count (G_MAXUINT64), "18,446,744,073,709,551,615");
}

static void
test_durations (void)
{
  check (lc_format_duration (0), "0 ns");
  check (lc_format_duration (999), "999 ns");
  check (lc_format_duration (1000), "1.00 us");
  check (lc_format_duration (9994), "9.99 us");
  check (lc_format_duration (9995), "10.0 us");
  check (lc_format_duration (99949), "99.9 us");
  check (lc_format_duration (99951), "100 us");
  check (lc_format_duration (999499), "999 us");
  check (lc_format_duration (999500), "1.00 ms");
  check (lc_format_duration (1250000), "1.25 ms");
  check (lc_format_duration (999999999), "1.00 s");
  check (lc_format_duration (59900000000), "59.9 s");
  check (lc_format_duration (60000000000), "1 min 0 s");
  check (lc_format_duration (75900000000), "1 min 15 s");
  check (lc_format_duration (7500000000000), "2 h 5 min");
}

static void
test_moments (void)
{
  const guint64 second = 1000000000;

  check (lc_format_moment (2198123456, 3 * second), "2.198 s");
  check (lc_format_moment (2198123456, 0), "2.198123456 s");
  check (lc_format_moment (28780898, 100000), "28.7809 ms");
  check (lc_format_moment (28780898, 3 * second), "28.8 ms");
  check (lc_format_moment (350000, 3 * second), "350 us");
  check (lc_format_moment (0, second), "0 ns");
  check (lc_format_moment (999, 1), "999 ns");
  check (lc_format_moment (1234, 1), "1.234 us");
  check (lc_format_moment (999999, 3 * second), "1.000 ms");
  check (lc_format_moment (999999999, 3 * second), "1.000 s");
  check (lc_format_moment (75160000000, 600 * second), "1 min 15.2 s");
  check (lc_format_moment (119990000000, 9999 * second), "2 min 0 s");
  check (lc_format_moment (7500000000000, 9999 * second), "2 h 5 min");
  check (lc_format_moment (3599999999999, 9999 * second), "59 min 59 s");
  check (lc_format_moment (G_MAXUINT64, G_MAXUINT64), "5124095 h 34 min");
  check (lc_format_exact (28780898), "28,780,898 ns");
}

/* Differences have a sign, and what an operation costs may be less than a nanosecond. */
static void
test_changes_and_costs (void)
{
  check (lc_format_change (0), "0 ns");
  check (lc_format_change (1500), "+1.50 us");
  check (lc_format_change (-1500), "-1.50 us");
  check (lc_format_change (G_MININT64), "-2562047 h 47 min");
  check (lc_format_cost (-1), "0 ns");
  check (lc_format_cost (0.25), "0.25 ns");
  check (lc_format_cost (12.34), "12.3 ns");
  check (lc_format_cost (40), "40 ns");
  check (lc_format_cost (999.4), "999 ns");
  check (lc_format_cost (999.5), "1.00 us");
  check (lc_format_cost (1e300), "2500000 h 0 min");
}

static void
test_bytes (void)
{
  check (lc_format_bytes (1), "1 byte");
  check (lc_format_bytes (1023), "1023 bytes");
  check (lc_format_bytes (1536 << 10), "1.50 MiB");
  check (lc_format_bytes (G_MAXUINT64), "16.0 EiB");
}

static void
test_text (void)
{
  check (lc_format_text (NULL), "");
  check (lc_format_text ("a\033[2J\n\t\r\177"), "a\\x1b[2J\\n\\t\\r\\x7f");
  check (lc_format_text ("\302\233a\342\200\256b\342\200\250c\363\240\200\201"), "\\x9ba\\u202eb\\u2028c\\U000e0001");
  check (lc_format_text ("\342\200\217\342\201\246\330\234\357\273\277"), "\\u200f\\u2066\\u061c\\ufeff");
  check (lc_format_text ("\342\200\216\342\200\252\342\201\251"), "\\u200e\\u202a\\u2069");
  check (lc_format_text ("\331\205\333\214\342\200\214\330\256 \360\237\221\251\342\200\215\360\237\222\273"),
         "\331\205\333\214\342\200\214\330\256 \360\237\221\251\342\200\215\360\237\222\273");
  check (lc_format_lines ("a\n\tb\rc\033"), "a\n\tb\\rc\\x1b");
  check (lc_format_text ("\xff"), "\357\277\275");
}

static void
test_table (void)
{
  static const LcTableColumn columns[] = {{"Name", FALSE}, {"Empty", FALSE}, {"Events", TRUE}, {"Why", FALSE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  const char *cells[] = {"a", NULL, "1", NULL, "\346\227\245", "", "1,234,567", "why"};

  for (gsize i = 0; i < G_N_ELEMENTS (cells); i++)
    lc_table_take (table, g_strdup (cells[i]));
  check (lc_table_render (table, 1), " Name     Events  Why\n"
                                     " a             1\n"
                                     " \346\227\245    1,234,567  why\n");
}

static void
test_json (void)
{
  LcJson json = LC_JSON_INIT ();

  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "text", "a\"\\\n\x7f\xff\363\240\200\201");
  lc_json_add_integer (&json, "integer", G_MININT64);
  lc_json_begin_array (&json, "list");
  lc_json_add_count (&json, NULL, G_MAXUINT64);
  lc_json_add_null (&json, NULL);
  lc_json_end_array (&json);
  lc_json_begin_object (&json, "empty");
  lc_json_end_object (&json);
  lc_json_add_boolean (&json, "yes", TRUE);
  lc_json_end_object (&json);
  check (lc_json_finish (&json), "{\n"
                                 "  \"text\": \"a\\\"\\\\\\u000a\\u007f\357\277\275\\udb40\\udc01\",\n"
                                 "  \"integer\": -9223372036854775808,\n"
                                 "  \"list\": [\n"
                                 "    18446744073709551615,\n"
                                 "    null\n"
                                 "  ],\n"
                                 "  \"empty\": {},\n"
                                 "  \"yes\": true\n"
                                 "}\n");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/format/counts", test_counts);
  g_test_add_func ("/format/durations", test_durations);
  g_test_add_func ("/format/moments", test_moments);
  g_test_add_func ("/format/changes and costs", test_changes_and_costs);
  g_test_add_func ("/format/bytes", test_bytes);
  g_test_add_func ("/format/text", test_text);
  g_test_add_func ("/format/table", test_table);
  g_test_add_func ("/json", test_json);
  return g_test_run ();
}
