/* SPDX-License-Identifier: Apache-2.0 */
/* The door to SQLite: files, statements, errors, and tables that are not rows. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/database.h"
#include "lightcone/history.h"

static char *folder;

static char *
path_of (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_remove (path);
  return path;
}

static void
check_error (GError *error, GQuark domain, int code, const char *path)
{
  g_assert_error (error, domain, code);
  g_assert_true (path == NULL || g_str_has_prefix (error->message, path));
  g_error_free (error);
}

static LcDatabase *
open_writable (const char *path)
{
  GError *error = NULL;
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  LcDatabase *database = lc_database_open_writable (fd, path, &error);

  g_assert_no_error (error);
  close (fd);
  return database;
}

/* A file with a table of 1,000 rows. */
static void
make_file (const char *path)
{
  GError *error = NULL;
  int fd = g_open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  LcDatabase *database = lc_database_create (fd, path, 4096, &error);
  LcStatement *statement;

  close (fd);

  g_assert_no_error (error);
  g_assert_true (lc_database_run (database, "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB, d REAL);", &error));
  statement = lc_database_prepare (database, "INSERT INTO t VALUES (?1, ?2, ?3, ?1 / 2.0)", NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 1000; i++)
    {
      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, i % 2 == 0 ? "even" : NULL);
      lc_statement_bind_blob (statement, 3, &i, i == 0 ? 0 : sizeof i);
      g_assert_true (lc_statement_run (statement, &error));
    }
  lc_statement_free (statement);
  g_assert_true (lc_database_commit (database, &error));
  lc_database_close (database);
}

/* All rows as text: columns separated by a space, rows by a newline. */
static char *
rows_of (LcDatabase *database, const char *sql)
{
  GError *error = NULL;
  LcStatement *statement = lc_database_prepare (database, sql, NULL, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  while (lc_statement_step (statement, &error) == LC_STEP_ROW)
    for (int i = 0; i < lc_statement_n_columns (statement); i++)
      {
        const char *value = lc_statement_text (statement, i);

        g_string_append (text, value != NULL ? value : "-");
        g_string_append_c (text, i + 1 < lc_statement_n_columns (statement) ? ' ' : '\n');
      }
  g_assert_no_error (error);
  lc_statement_free (statement);
  return g_string_free (text, FALSE);
}

#define assert_rows(database, sql, expected) \
  do \
    { \
      g_autofree char *rows = rows_of (database, sql); \
      g_assert_cmpstr (rows, ==, expected); \
    } \
  while (0)

static void
test_write_and_read (void)
{
  g_autofree char *path = path_of ("read");
  GError *error = NULL;
  gsize size;
  int number;

  make_file (path);
  LcDatabase *database = lc_database_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (lc_database_get_path (database), ==, path);
  assert_rows (database, "SELECT count(*), sum(a), count(b) FROM t", "1000 499500 500\n");
  assert_rows (database, "PRAGMA page_size", "4096\n");
  LcStatement *statement = lc_database_prepare (database, "SELECT a, b, c AS name, d FROM t WHERE a < 2", NULL, &error);
  g_assert_cmpstr (lc_statement_column_name (statement, 2), ==, "name");
  g_assert_cmpint (lc_statement_step (statement, &error), ==, LC_STEP_ROW);
  g_assert_cmpint (lc_statement_type (statement, 2), ==, LC_VALUE_BLOB);
  lc_statement_blob (statement, 2, &size);
  g_assert_cmpuint (size, ==, 0);
  g_assert_cmpint (lc_statement_step (statement, &error), ==, LC_STEP_ROW);
  g_assert_cmpint (lc_statement_int (statement, 0), ==, 1);
  g_assert_cmpint (lc_statement_type (statement, 1), ==, LC_VALUE_NULL);
  memcpy (&number, lc_statement_blob (statement, 2, &size), sizeof number);
  g_assert_cmpint (number, ==, 1);
  g_assert_cmpfloat (lc_statement_real (statement, 3), ==, 0.5);
  g_assert_cmpint (lc_statement_step (statement, &error), ==, LC_STEP_DONE);
  lc_statement_free (statement);
  lc_database_close (database);
}

static void
test_statements_follow_each_other (void)
{
  g_autofree char *path = path_of ("tail");
  const char *tail = " ; -- nothing\n SELECT 1; /* more */ SELECT 2 ; -- end";
  GError *error = NULL;
  int n = 0;

  make_file (path);
  LcDatabase *database = lc_database_open (path, &error);
  for (;;)
    {
      LcStatement *statement = lc_database_prepare (database, tail, &tail, &error);

      g_assert_no_error (error);
      if (statement == NULL)
        break;
      g_assert_cmpint (lc_statement_step (statement, &error), ==, LC_STEP_ROW);
      g_assert_cmpint (lc_statement_int (statement, 0), ==, ++n);
      lc_statement_free (statement);
    }
  g_assert_cmpint (n, ==, 2);
  lc_database_close (database);
}

static void
test_what_cannot_be_opened (void)
{
  g_autofree char *path = path_of ("bad"), *missing = path_of ("missing"), *link = path_of ("link");
  g_autofree char *pipe = path_of ("pipe");
  GError *error = NULL;

  g_assert_null (lc_database_open (missing, &error));
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_NONE, missing);
  g_assert_null (lc_database_open (folder, &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, folder);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (lc_database_open (pipe, &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, pipe);
  make_file (path);
  g_assert_cmpint (symlink (path, link), ==, 0);
  g_assert_null (lc_database_open (link, &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS, link);
  g_assert_true (g_file_set_contents (path, "These are not the bytes of any database, but a text.", -1, NULL));
  g_assert_null (lc_database_open (path, &error));
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, path);
}

static void
test_damage (void)
{
  g_autofree char *path = path_of ("damaged"), *bytes = NULL;
  GError *error = NULL;
  gsize size;

  make_file (path);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  memset (bytes + 4096, 0xA5, size - 4096);
  g_assert_true (g_file_set_contents (path, bytes, (gssize)size, NULL));
  LcDatabase *database = lc_database_open (path, &error);
  g_assert_no_error (error);
  g_assert_false (lc_database_run (database, "SELECT sum(a) FROM t", &error));
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, path);
  lc_database_close (database);
}

static void
test_nothing_can_be_written (void)
{
  static const char *const refused[] = {"DELETE FROM t",
                                        "CREATE TABLE u (a)",
                                        "CREATE TEMP TABLE u (a)",
                                        "CREATE TEMP VIEW u AS SELECT 1",
                                        "CREATE VIRTUAL TABLE u USING fts5 (a)",
                                        "ATTACH '/etc/passwd' AS u",
                                        "ATTACH '0' AS u",
                                        "ATTACH ':memory:' AS u",
                                        "VACUUM INTO 'u'",
                                        "VACUUM",
                                        "ANALYZE",
                                        "PRAGMA query_only = 0",
                                        "PRAGMA journal_mode = WAL",
                                        "PRAGMA writable_schema = 1",
                                        "PRAGMA user_version = 7",
                                        "PRAGMA temp_store_directory = '/'",
                                        "PRAGMA wal_checkpoint",
                                        "PRAGMA trusted_schema = 1",
                                        "DROP TABLE t"};
  g_autofree char *path = path_of ("read-only"), *before = NULL, *after = NULL;
  GError *error = NULL;
  gsize size;

  make_file (path);
  g_assert_true (g_file_get_contents (path, &before, &size, NULL));
  LcDatabase *database = lc_database_open (path, &error);
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_test_message ("%s", refused[i]);
      g_assert_false (lc_database_run (database, refused[i], &error));
      check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_READ_ONLY, path);
    }
  g_assert_false (lc_database_run (database, "UPDATE sqlite_schema SET sql = ''", &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, path);
  g_assert_false (lc_database_run (database, "SELECT load_extension ('libm.so.6')", &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, path);
  assert_rows (database, "SELECT count(*) FROM pragma_table_info ('t')", "4\n");
  assert_rows (database,
               "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT max(i) FROM n", "9\n");
  lc_database_close (database);
  g_assert_true (g_file_get_contents (path, &after, &size, NULL));
  g_assert_cmpmem (before, size, after, size);

  database = open_writable (path);
  g_assert_true (lc_database_run (database, "BEGIN; DELETE FROM t WHERE a > 1; COMMIT", &error));
  assert_rows (database, "SELECT count(*) FROM t", "2\n");
  lc_database_close (database);
}

/* --- What lies beside a file, and what is in it --------------------------------------------------------------- */

/* The journal of a transaction that was never ended names another one, which SQLite removes when it has undone it. */
static void
forge_journal (const char *path, const char *victim)
{
  static const guint8 magic[] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 sum = 0, number, length = (guint32)strlen (victim);

  g_byte_array_set_size (bytes, 512);
  memset (bytes->data, 0, bytes->len);
  memcpy (bytes->data, magic, sizeof magic);
  bytes->data[22] = 2;  /* sectors of 512 */
  bytes->data[26] = 16; /* pages of 4096 */
  number = GUINT32_TO_BE (0x40000000 / 4096 + 1);
  g_byte_array_append (bytes, (const guint8 *)&number, sizeof number);
  g_byte_array_append (bytes, (const guint8 *)victim, length);
  number = GUINT32_TO_BE (length);
  g_byte_array_append (bytes, (const guint8 *)&number, sizeof number);
  for (guint32 i = 0; i < length; i++)
    sum += (guint32)victim[i];
  sum = GUINT32_TO_BE (sum);
  g_byte_array_append (bytes, (const guint8 *)&sum, sizeof sum);
  g_byte_array_append (bytes, magic, sizeof magic);
  g_assert_true (g_file_set_contents (journal, (const char *)bytes->data, bytes->len, NULL));
}

static void
test_journals_are_not_looked_at (void)
{
  g_autofree char *path = path_of ("forged"), *victim = path_of ("victim"), *journal = path_of ("forged-journal");
  g_autofree char *before = NULL, *after = NULL;
  GError *error = NULL;
  gsize size, size_after;

  make_file (path);
  g_assert_true (g_file_set_contents (victim, "mine", -1, NULL));
  forge_journal (path, victim);
  g_assert_true (g_file_get_contents (journal, &before, &size, NULL));
  LcDatabase *database = lc_database_open (path, &error);
  g_assert_no_error (error);
  assert_rows (database, "SELECT count(*), sum(b = 'even') FROM t", "1000 500\n");
  lc_database_close (database);
  database = open_writable (path);
  g_assert_true (lc_database_run (database, "BEGIN; DELETE FROM t WHERE a > 1; COMMIT", &error));
  lc_database_close (database);
  g_assert_true (g_file_test (victim, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (journal, &after, &size_after, NULL));
  g_assert_cmpmem (before, size, after, size_after);
}

/* A file is not mapped: what is missing of it is damage, and no signal. */
static void
test_shortened_while_open (void)
{
  g_autofree char *path = path_of ("shortened");
  GError *error = NULL;

  make_file (path);
  LcDatabase *database = lc_database_open (path, &error);
  LcStatement *statement = lc_database_prepare (database, "SELECT b FROM t", NULL, &error);
  g_assert_cmpint (lc_statement_step (statement, &error), ==, LC_STEP_ROW);
  g_assert_cmpint (truncate (path, 4096), ==, 0);
  g_assert_false (lc_statement_run (statement, &error));
  lc_statement_free (statement);
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, path);
  lc_database_close (database);
}

enum
{
  LEVELS = 6,
  CHILDREN = 400,
};

/* An inner page of a table, at whose beginning other things may be; all its children are the same page. */
static void
make_inner_page (guint8 *page, gsize skip, guint32 child)
{
  const guint16 at = GUINT16_TO_BE (4096 - 5);

  memset (page + skip, 0, 4096 - skip);
  child = GUINT32_TO_BE (child);
  page[skip] = 5;
  page[skip + 3] = CHILDREN >> 8;
  page[skip + 4] = CHILDREN & 0xFF;
  memcpy (page + skip + 5, &at, sizeof at);
  memcpy (page + skip + 8, &child, sizeof child);
  for (guint i = 0; i < CHILDREN; i++)
    memcpy (page + skip + 12 + 2 * i, &at, sizeof at);
  memcpy (page + 4096 - 5, &child, sizeof child);
  page[4095] = 1;
}

/* A schema of more tables than anybody can count, in some pages that name each other. */
static void
test_endless_schema (void)
{
  g_autofree char *path = path_of ("endless"), *bytes = NULL;
  g_autoptr (GByteArray) file = g_byte_array_new ();
  GError *error = NULL;
  guint32 n_pages;
  gsize size;

  make_file (path);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  n_pages = (guint32)(size / 4096);
  g_byte_array_append (file, (const guint8 *)bytes, (guint)size);
  g_byte_array_set_size (file, (guint)size + (LEVELS + 1) * 4096);
  /* What was the first page becomes a leaf further on, with its one table. */
  guint8 *leaf = file->data + size;
  memset (leaf, 0, 4096);
  memcpy (leaf, bytes + 100, 10);
  memcpy (leaf + 4096 - 512, bytes + 4096 - 512, 512);
  g_assert_cmpint (leaf[0], ==, 13);
  for (guint i = 0; i < LEVELS; i++)
    make_inner_page (file->data + size + (i + 1) * 4096, 0, n_pages + 1 + i);
  make_inner_page (file->data, 100, n_pages + 1 + LEVELS);
  const guint32 pages = GUINT32_TO_BE (n_pages + 1 + LEVELS);
  memcpy (file->data + 28, &pages, sizeof pages);
  g_assert_true (g_file_set_contents (path, (const char *)file->data, file->len, NULL));
  gint64 begin = g_get_monotonic_time ();
  g_assert_null (lc_database_open (path, &error));
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_TIME_SPAN_SECOND);
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, path);
}

/* What a schema says is not carried out. */
static void
test_schema_is_not_trusted (void)
{
  g_autofree char *path = path_of ("distrusted");
  GError *error = NULL;

  make_file (path);
  LcDatabase *database = open_writable (path);
  g_assert_true (lc_database_run (database,
                                  "BEGIN; CREATE VIEW v AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                                  "FROM n) SELECT * FROM n; CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; "
                                  "END; COMMIT",
                                  &error));
  g_assert_true (lc_database_run (database, "BEGIN; INSERT INTO t (a) VALUES (5000); COMMIT", &error));
  lc_database_close (database);
  database = lc_database_open (path, &error);
  g_assert_no_error (error);
  assert_rows (database, "SELECT count(*) FROM t", "1001\n");
  g_assert_false (lc_database_run (database, "SELECT count(*) FROM v", &error));
  g_clear_error (&error);
  lc_database_close (database);
}

static void
test_errors_say_where (void)
{
  g_autofree char *path = path_of ("where");
  GError *error = NULL;

  make_file (path);
  LcDatabase *database = lc_database_open (path, &error);
  g_assert_null (lc_database_prepare (database, "SELECT a,\n  \xC3\xA4, nobody\nFROM t", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  g_assert_true (g_str_has_suffix (error->message, "(line 2, column 3)"));
  g_clear_error (&error);
  g_assert_null (lc_database_prepare (database, "SELECT a FROM t WHERE \xC3\xA4\xC3\xA4 = nobody", NULL, &error));
  g_assert_true (g_str_has_suffix (error->message, "(line 1, column 23)"));
  g_clear_error (&error);
  lc_database_close (database);
}

static gpointer
interrupt_soon (gpointer database)
{
  g_usleep (100000);
  lc_database_interrupt (database);
  return NULL;
}

static void
test_interruption (void)
{
  g_autofree char *path = path_of ("interrupt");
  GError *error = NULL;

  make_file (path);
  LcDatabase *database = lc_database_open (path, &error);
  GThread *thread = g_thread_new ("interrupt", interrupt_soon, database);
  g_assert_false (lc_database_run (database, "SELECT count(*) FROM t AS x, t AS y, t AS z, t AS w", &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_CANCELLED, path);
  g_thread_join (thread);
  /* Nor does one begin that would not have ended otherwise: nobody knows which one somebody wanted to end. */
  g_assert_false (lc_database_run (database, "SELECT 1", &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_CANCELLED, path);
  lc_database_resume (database);
  assert_rows (database, "SELECT count(*) FROM t", "1000\n");
  lc_database_close (database);
}

/* --- A table of numbers ---------------------------------------------------------------------------------------- */

enum
{
  NUMBERS = 1000,
};

typedef struct
{
  guint n_connected, n_filters, n_rows; /* how many the cursors have given */
  gboolean destroyed, fails;
  LcTablePlan plan;
} Numbers;

typedef struct
{
  Numbers *numbers;
  gint64 at, last;
} Cursor;

static gboolean
connect_numbers (gpointer data, GError **error)
{
  ((Numbers *)data)->n_connected++;
  return TRUE;
}

static void
disconnect_numbers (gpointer data)
{
  ((Numbers *)data)->n_connected--;
}

static void
destroy_numbers (gpointer data)
{
  g_assert_cmpuint (((Numbers *)data)->n_connected, ==, 0);
  ((Numbers *)data)->destroyed = TRUE;
}

static void
plan_numbers (gpointer data, LcTablePlan *plan)
{
  Numbers *numbers = data;
  double rows = NUMBERS;

  for (gsize i = 0; i < plan->n_constraints; i++)
    if (plan->constraints[i].column == 0)
      {
        plan->constraints[i].use = TRUE;
        rows /= plan->constraints[i].kind == LC_CONSTRAINT_EQUAL ? NUMBERS : 4;
      }
  plan->cost = plan->rows = rows;
  plan->ordered = plan->n_order == 1 && plan->order_columns[0] == 0;
  plan->mode = 7;
  numbers->plan = *plan;
}

static gpointer
open_numbers (gpointer data)
{
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->numbers = data;
  return cursor;
}

static gboolean
filter_numbers (gpointer data, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
                GError **error)
{
  Cursor *cursor = data;

  g_assert_cmpint (mode, ==, 7);
  cursor->numbers->n_filters++;
  cursor->at = 0;
  cursor->last = NUMBERS - 1;
  for (gsize i = 0; i < n_values; i++)
    {
      LcConstraintKind kind = values[i].kind;
      gint64 value = values[i].integer;

      if (values[i].type != LC_VALUE_INT && values[i].type != LC_VALUE_REAL)
        continue;
      if (kind == LC_CONSTRAINT_EQUAL || kind == LC_CONSTRAINT_GREATER_EQUAL)
        cursor->at = MAX (cursor->at, value);
      if (kind == LC_CONSTRAINT_EQUAL || kind == LC_CONSTRAINT_LESS_EQUAL)
        cursor->last = MIN (cursor->last, value);
      if (kind == LC_CONSTRAINT_GREATER)
        cursor->at = MAX (cursor->at, MIN (value, NUMBERS) + 1);
      if (kind == LC_CONSTRAINT_LESS)
        cursor->last = MIN (cursor->last, MAX (value, 0) - 1);
    }
  return TRUE;
}

static gboolean
next_number (gpointer data, GError **error)
{
  Cursor *cursor = data;

  cursor->at++;
  if (!cursor->numbers->fails || cursor->at < 5)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "there is no fifth number");
  return FALSE;
}

static gboolean
is_at_end (gpointer data)
{
  const Cursor *cursor = data;

  cursor->numbers->n_rows += cursor->at <= cursor->last;
  return cursor->at > cursor->last;
}

static void
output_number (gpointer data, int column, LcTableOutput *output)
{
  const Cursor *cursor = data;
  g_autofree char *text = g_strdup_printf ("n%d", (int)cursor->at);

  if (column == 0)
    lc_table_output_int (output, cursor->at);
  else if (column == 1)
    lc_table_output_text (output, text);
  else if (column == 2)
    lc_table_output_static_text (output, cursor->at % 2 == 0 ? "even" : NULL);
  else
    lc_table_output_int (output, 2 * cursor->at);
}

static gint64
get_row (gpointer data)
{
  return ((const Cursor *)data)->at;
}

static const LcVirtualTable table = {
    .name = "number",
    .declaration = "CREATE TABLE number (n INTEGER, name TEXT, parity TEXT, twice INTEGER)",
    .connect = connect_numbers,
    .disconnect = disconnect_numbers,
    .plan = plan_numbers,
    .open = open_numbers,
    .filter = filter_numbers,
    .next = next_number,
    .is_at_end = is_at_end,
    .column = output_number,
    .row = get_row,
    .close = g_free,
};

static LcDatabase *
open_with_numbers (const char *path, Numbers *numbers)
{
  GError *error = NULL;
  LcDatabase *database;

  make_file (path);
  database = lc_database_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (lc_database_add_table (database, &table, numbers, destroy_numbers, &error));
  return database;
}

static void
test_tables (void)
{
  g_autofree char *path = path_of ("table");
  Numbers numbers = {0};
  LcDatabase *database = open_with_numbers (path, &numbers);

  assert_rows (database, "SELECT * FROM number WHERE n IN (3, 6)", "3 n3 - 6\n6 n6 even 12\n");
  g_assert_cmpuint (numbers.n_filters, ==, 2);
  g_assert_cmpuint (numbers.n_rows, ==, 2);
  assert_rows (database, "SELECT count(*), sum(n) FROM number WHERE name LIKE 'n9%'", "111 95904\n");
  assert_rows (database, "SELECT a, name FROM t JOIN number ON n = a WHERE a BETWEEN 5 AND 6", "5 n5\n6 n6\n");
  assert_rows (database, "SELECT sum(x.n = y.n) FROM number x, number y WHERE x.n < 5 AND y.n < 7", "5\n");
  g_assert_cmpuint (numbers.plan.columns_used, ==, 1);
  assert_rows (database, "SELECT rowid FROM number WHERE n = 4", "4\n");
  lc_database_close (database);
  g_assert_true (numbers.destroyed);
}

/* The table gets each constraint, and gives what SQLite would have found by itself. */
static void
test_constraints (void)
{
  static const char *const operators[] = {"=", ">", ">=", "<", "<="};
  static const char *const values[] = {"3",
                                       "3.5",
                                       "-1",
                                       "1e300",
                                       "-1e300",
                                       "NULL",
                                       "'3'",
                                       "'x'",
                                       "x'33'",
                                       "999",
                                       "3.0",
                                       "1000",
                                       "9.3e18",
                                       "-0.5",
                                       "''",
                                       "9223372036854775807",
                                       "0",
                                       "1e18",
                                       "-9223372036854775808"};
  g_autofree char *path = path_of ("constraints");
  Numbers numbers = {0};
  LcDatabase *database = open_with_numbers (path, &numbers);

  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (values); j++)
      {
        g_autofree char *with = g_strdup_printf ("SELECT n FROM number WHERE n %s %s", operators[i], values[j]);
        g_autofree char *without = g_strdup_printf ("SELECT n FROM number WHERE n %s %s AND n + 0 < 5000 "
                                                    "AND abs(n) >= 0 OR n < 0 AND n > 0",
                                                    operators[i], values[j]);
        g_autofree char *plain = g_strdup_printf ("SELECT a FROM t WHERE a %s %s ORDER BY a", operators[i], values[j]);
        g_autofree char *found = rows_of (database, with), *other = rows_of (database, without);
        g_autofree char *expected = rows_of (database, plain);

        g_assert_cmpstr (found, ==, expected);
        g_assert_cmpstr (other, ==, expected);
      }
  lc_database_close (database);
}

static void
test_order (void)
{
  g_autofree char *path = path_of ("order");
  Numbers numbers = {0};
  LcDatabase *database = open_with_numbers (path, &numbers);

  assert_rows (database, "SELECT n FROM number ORDER BY n LIMIT 3", "0\n1\n2\n");
  g_assert_cmpuint (numbers.n_rows, <, 10);
  assert_rows (database, "SELECT n FROM number ORDER BY n DESC LIMIT 2", "999\n998\n");
  assert_rows (database, "SELECT n FROM number ORDER BY name LIMIT 2", "0\n1\n");
  assert_rows (database, "SELECT n FROM number WHERE n IN (7, 2, 5) ORDER BY n", "2\n5\n7\n");
  lc_database_close (database);
}

/* What a table says is wrong reaches the caller as it was; SQLite goes on. */
static void
test_errors_of_tables (void)
{
  g_autofree char *path = path_of ("table-errors");
  Numbers numbers = {.fails = TRUE};
  LcDatabase *database = open_with_numbers (path, &numbers);
  GError *error = NULL;

  g_assert_false (lc_database_run (database, "SELECT sum(n) FROM number", &error));
  g_assert_cmpstr (error->message, ==, "there is no fifth number");
  check_error (g_steal_pointer (&error), LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, NULL);
  assert_rows (database, "SELECT n FROM number LIMIT 2", "0\n1\n");
  g_assert_false (lc_database_run (database, "INSERT INTO number VALUES (1, 2, 3, 4)", &error));
  check_error (g_steal_pointer (&error), G_IO_ERROR, G_IO_ERROR_READ_ONLY, path);
  lc_database_close (database);
}

static void
remove_files (void)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("lightcone-test-XXXXXX", NULL);
  g_test_add_func ("/database/write and read", test_write_and_read);
  g_test_add_func ("/database/statements follow each other", test_statements_follow_each_other);
  g_test_add_func ("/database/what cannot be opened", test_what_cannot_be_opened);
  g_test_add_func ("/database/damage", test_damage);
  g_test_add_func ("/database/nothing can be written", test_nothing_can_be_written);
  g_test_add_func ("/database/journals are not looked at", test_journals_are_not_looked_at);
  g_test_add_func ("/database/shortened while open", test_shortened_while_open);
  g_test_add_func ("/database/endless schema", test_endless_schema);
  g_test_add_func ("/database/schema is not trusted", test_schema_is_not_trusted);
  g_test_add_func ("/database/errors say where", test_errors_say_where);
  g_test_add_func ("/database/interruption", test_interruption);
  g_test_add_func ("/database/tables", test_tables);
  g_test_add_func ("/database/constraints", test_constraints);
  g_test_add_func ("/database/order", test_order);
  g_test_add_func ("/database/errors of tables", test_errors_of_tables);
  status = g_test_run ();
  remove_files ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
