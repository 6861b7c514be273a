/* SPDX-License-Identifier: Apache-2.0 */
/* The extension of SQLite that other programs load: marks that they make, and columns as arrays. */
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "case.h"
#include "lightcone/marks.h"

static const char *extension;

static sqlite3 *
open_with_extension (const Case *at)
{
  sqlite3 *database;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open_v2 (lc_history_get_path (at->history), &database, SQLITE_OPEN_READONLY, NULL), ==,
                   SQLITE_OK);
  sqlite3_enable_load_extension (database, 1);
  if (sqlite3_load_extension (database, extension, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", extension, message);
  return database;
}

static int
append_row (void *text, int n, char **values, char **names G_GNUC_UNUSED)
{
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%c", values[i] != NULL ? values[i] : "-", i + 1 < n ? ' ' : '\n');
  return 0;
}

static void
check_answer (sqlite3 *database, const char *sql, const char *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);
  char *message = NULL;

  if (sqlite3_exec (database, sql, append_row, found, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
  if (!g_str_equal (found->str, expected))
    g_error ("%s: '%s', not '%s'", sql, found->str, expected);
}

static void
check_error (sqlite3 *database, const char *sql, const char *expected)
{
  char *message = NULL;

  if (sqlite3_exec (database, sql, NULL, NULL, &message) == SQLITE_OK)
    g_error ("%s: no error", sql);
  if (strstr (message, expected) == NULL)
    g_error ("%s: '%s', not '%s'", sql, message, expected);
  sqlite3_free (message);
}

#define ALL_MARKS "SELECT name, process, ordinal, begin, \"end\" FROM mark"
#define ALL_ANNOTATIONS "SELECT * FROM annotation"

/* Each mark is there once, an event has one annotation, and what goes is what was named. */
static void
test_marks (void)
{
  g_autofree char *path = NULL;
  sqlite3 *database;
  Case at;

  case_init (&at, 7, 4, 150);
  path = lc_marks_dup_path (lc_history_get_path (at.history));
  database = open_with_extension (&at);
  check_answer (database, ALL_MARKS, "");
  check_answer (database, "SELECT remove_mark (NULL)", "0\n");
  check_answer (database, "SELECT add_mark ('a', 1, 2)", "1\n");
  check_answer (database, "SELECT add_mark ('b', pack (p), pack (o)) FROM (SELECT 1 AS p, 5 AS o UNION SELECT 0, 3)",
                "2\n");
  check_answer (database, "SELECT add_mark ('a', 1, 2)", "1\n");
  check_answer (database, "SELECT add_mark ('a', 1, 7, 9)", "1\n");
  check_answer (database, "SELECT add_mark ('a', 1, 7, 8)", "1\n");
  check_answer (database, "SELECT add_mark ('a', pack (1), pack (1)) FROM event WHERE 0", "0\n");
  check_answer (database, "SELECT name, process, ordinal FROM mark WHERE ordinal IS NOT NULL", "a 1 2\nb 0 3\nb 1 5\n");
  check_answer (database, "SELECT name, process, begin, \"end\" FROM mark WHERE ordinal IS NULL", "a 1 7 8\na 1 7 9\n");
  check_answer (database, "SELECT remove_mark ('b', 1, 4)", "0\n");
  check_answer (database, "SELECT remove_mark (NULL, 1, 5)", "1\n");
  check_answer (database, "SELECT remove_mark ('b', 1, 7, 8)", "0\n");
  check_answer (database, "SELECT remove_mark ('a', 1, 7, 8)", "1\n");
  check_answer (database, "SELECT remove_mark ('a', pack (1), pack (1)) FROM event WHERE 0", "0\n");
  check_answer (database, "SELECT remove_mark ('b')", "1\n");
  check_answer (database, "SELECT count (*) FROM mark", "2\n");
  check_answer (database, "SELECT remove_mark (NULL)", "2\n");
  check_answer (database, ALL_MARKS, "");
  check_answer (database, "SELECT annotate (1, 2, 'so'), annotate (0, 3, 'first'), annotate (1, 2, 'why?')", "1 1 1\n");
  check_answer (database, ALL_ANNOTATIONS, "0 3 first\n1 2 why?\n");
  check_answer (database, "SELECT annotate (0, 3, NULL), annotate (0, 4, NULL)", "1 1\n");
  check_answer (database, ALL_ANNOTATIONS, "1 2 why?\n");
  check_answer (database, "SELECT annotate (1, 2, NULL)", "1\n");
  sqlite3_close (database);
  g_assert_cmpint (g_unlink (path), ==, 0);
  case_clear (&at);
}

/* What cannot be marked is refused with what is wrong, and nothing is changed. */
static void
test_marks_refused (void)
{
  static const struct
  {
    const char *sql, *error;
  } refused[] = {
      {"SELECT add_mark ('', 1, 2)", "the name of a mark has to be a text of 1 to 200 bytes in UTF-8"},
      {"SELECT add_mark (NULL, 1, 2)", "the name of a mark has to be a text of 1 to 200 bytes in UTF-8"},
      {"SELECT add_mark (printf ('%201s', 'a'), 1, 2)", "the name of a mark has to be a text of 1 to 200 bytes"},
      {"SELECT add_mark (CAST (x'ff' AS TEXT), 1, 2)", "the name of a mark has to be a text of 1 to 200 bytes"},
      {"SELECT add_mark (3, 1, 2)", "text"},
      {"SELECT add_mark (CAST (x'610062' AS TEXT), 1, 2)", "text"},
      {"SELECT add_mark ('a', 4, 2)", "there is no process 4"},
      {"SELECT add_mark ('a', 1, 1000000)", "has no event 1000000: its last one is "},
      {"SELECT add_mark ('a', 1, 9, 8)", "a span cannot be from 9 to 8"},
      {"SELECT add_mark ('a', -1, 2)", "numbers"},
      {"SELECT add_mark ('a', 4294967295, 2)", "numbers"},
      {"SELECT add_mark ('a', 1, -2)", "numbers"},
      {"SELECT add_mark ('a', 1, 2, -1)", "numbers"},
      {"SELECT add_mark ('a', 1, 2.5)", "numbers"},
      {"SELECT add_mark ('a', 1, NULL)", "numbers"},
      {"SELECT add_mark ('a', x'00', 2)", "numbers"},
      {"SELECT add_mark ('a', zeroblob (32), 2)", "numbers"},
      {"SELECT add_mark ('a', 1, pack (ordinal)) FROM event", "numbers"},
      {"SELECT add_mark ('a', pack (0.5), 1)", "numbers"},
      {"SELECT add_mark ('a', pack (NULL), 1)", "numbers"},
      {"SELECT add_mark ('a', substr (pack (1), 1, 32), 1)", "numbers"},
      {"SELECT add_mark ('a', pack (1) || x'00', 1)", "numbers"},
      {"SELECT remove_mark (3)", "text"},
      {"SELECT remove_mark ('a', 1, 'x')", "numbers"},
      {"SELECT annotate (1, 2, '')", "the text of an annotation has to be a text of 1 to 65536 bytes in UTF-8"},
      {"SELECT annotate (1, 2, 3)", "text"},
      {"SELECT annotate (4, 2, 'a')", "there is no process 4"},
      {"SELECT annotate (1, 1000000, 'a')", "has no event 1000000: its last one is "},
      {"SELECT annotate (-1, 2, 'a')", "numbers"},
      {"SELECT annotate (4294967295, 2, 'a')", "numbers"},
      {"SELECT annotate (1, -2, 'a')", "numbers"},
      {"SELECT annotate ('1', 2, 'a')", "numbers"},
      {"SELECT annotate (1, 2.5, 'a')", "numbers"},
      {"SELECT pack (x'00')", "pack: a column has bytes that are no text"},
      {"SELECT pack (CAST (x'610062' AS TEXT))", "pack: a text has a byte that is 0"},
      {"SELECT pack (a) FROM (SELECT 1 AS a UNION ALL SELECT 'b')", "pack: a column has both texts and numbers"},
      {"SELECT pack (a) FROM (SELECT 'b' AS a UNION ALL SELECT 1)", "pack: a column has both texts and numbers"},
      {"SELECT pack (a) FROM (SELECT 'b' AS a UNION ALL SELECT 0.5)", "pack: a column has both texts and numbers"},
  };
  sqlite3 *database;
  Case at;

  case_init (&at, 7, 4, 150);
  database = open_with_extension (&at);
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    check_error (database, refused[i].sql, refused[i].error);
  check_answer (database, ALL_MARKS, "");
  check_answer (database, ALL_ANNOTATIONS, "");
  sqlite3_close (database);
  case_clear (&at);
}

/* A column as an array: the kind, the number of rows, of nulls and of texts, the values, and what follows them. */
static void
test_pack (void)
{
#define WORD(digits) digits "00000000000000"
#define HEAD(kind, rows, nulls, texts) WORD (kind) WORD (rows) WORD (nulls) WORD (texts)
  static const struct
  {
    const char *values, *expected;
  } columns[] = {
      {"SELECT 1 WHERE 0", HEAD ("71", "00", "00", "00")},
      {"VALUES (1), (2)", HEAD ("71", "02", "00", "00") WORD ("01") WORD ("02")},
      {"VALUES (NULL), (2)", HEAD ("71", "02", "01", "00") WORD ("00") WORD ("02") WORD ("02")},
      {"VALUES (1), (0.5)", HEAD ("64", "02", "00", "00") "000000000000f03f000000000000e03f"},
      {"VALUES (0.5), (1)", HEAD ("64", "02", "00", "00") "000000000000e03f000000000000f03f"},
      {"VALUES ('ab'), ('c'), ('ab'), ('ab')", HEAD ("74", "04", "00", "02") WORD ("00") WORD ("01") WORD ("00")
                                                   WORD ("00") WORD ("00") WORD ("02") WORD ("03") "616263"},
  };
  sqlite3 *database;
  Case at;

  case_init (&at, 7, 4, 150);
  database = open_with_extension (&at);
  for (gsize i = 0; i < G_N_ELEMENTS (columns) && G_BYTE_ORDER == G_LITTLE_ENDIAN; i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT lower (hex (pack (a))) FROM (WITH t (a) AS (%s) SELECT a FROM t)",
                                              columns[i].values);
      g_autofree char *expected = g_strconcat (columns[i].expected, "\n", NULL);

      check_answer (database, sql, expected);
    }
  check_answer (database,
                "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) "
                "SELECT length (pack (i)), length (pack (nullif (i, 70))), length (pack ('x' || (i % 10))) FROM n",
                "72032 73160 72140\n");
  sqlite3_close (database);
  case_clear (&at);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  extension = argv[1];
  g_test_add_func ("/extension/marks", test_marks);
  g_test_add_func ("/extension/marks/refused", test_marks_refused);
  g_test_add_func ("/extension/pack", test_pack);
  return g_test_run ();
}
