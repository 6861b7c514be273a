/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a history: what a table finds by itself is what SQLite finds when it is given all rows. */
#include "add-timeline.h"
#include "case.h"
#include "history/database.h"
#include "history/tables.h"

enum
{
  QUERIES = 250, /* of each table */
  MOST_CONDITIONS = 4,
};

typedef struct
{
  char *name;
  GPtrArray *columns; /* quoted */
  GPtrArray *rows;    /* GStrv, each value as a literal */
  int timeline;       /* which column it is, or -1 */
} Table;

static LcStatement *
prepare (LcDatabase *database, const char *sql)
{
  g_autoptr (GError) error = NULL;
  LcStatement *statement = lc_database_prepare (database, sql, NULL, &error);

  if (error != NULL)
    g_error ("%s: %s", sql, error->message);
  return statement;
}

/* All rows as text, a line each. */
static char *
rows_of (LcDatabase *database, const char *sql)
{
  g_autoptr (GError) error = NULL;
  LcStatement *statement = prepare (database, sql);
  GString *text = g_string_new (NULL);

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

static void
table_read_columns (Table *table, LcDatabase *database)
{
  g_autofree char *sql = g_strdup_printf ("SELECT name FROM pragma_table_info ('%s')", table->name);
  g_autofree char *names = rows_of (database, sql);
  g_auto (GStrv) lines = g_strsplit (names, "\n", -1);

  table->timeline = -1;
  for (guint i = 0; *lines[i] != '\0'; i++)
    {
      if (g_str_equal (lines[i], "timeline"))
        table->timeline = (int)i;
      g_ptr_array_add (table->columns, g_strdup_printf ("\"%s\"", lines[i]));
    }
}

static Table *
table_new (LcDatabase *database, const char *name)
{
  Table *table = g_new0 (Table, 1);
  g_autoptr (GString) sql = g_string_new ("SELECT ");
  g_autofree char *all = NULL;
  g_auto (GStrv) lines = NULL;

  table->name = g_strdup (name);
  table->columns = g_ptr_array_new_with_free_func (g_free);
  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  table_read_columns (table, database);
  for (guint i = 0; i < table->columns->len; i++)
    g_string_append_printf (sql, "%squote (%s)", i > 0 ? " || ',' || " : "", (char *)table->columns->pdata[i]);
  g_string_append_printf (sql, " FROM %s%s", name, table->timeline >= 0 ? " WHERE timeline LIKE '%'" : "");
  all = rows_of (database, sql->str);
  lines = g_strsplit (all, "\n", -1);
  for (guint i = 0; *lines[i] != '\0'; i++)
    g_ptr_array_add (table->rows, g_strsplit (lines[i], ",", -1));
  return table;
}

static void
table_free (Table *table)
{
  g_free (table->name);
  g_ptr_array_unref (table->columns);
  g_ptr_array_unref (table->rows);
  g_free (table);
}

/* A value that the column has in a row, or another one, even of another kind. */
static const char *
choose_value (const char *value, GRand *random)
{
  static const char *const odd[] = {"-1", "0", "3.5", "NULL", "1e300", "-1e300", "9223372036854775807"};
  gboolean is_text = *value == '\'';

  return is_text || g_rand_int_range (random, 0, 8) > 0 ? value : odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
}

/* Adds a condition to both queries; SQLite itself looks at that with a plus sign. A timeline must be asked for. */
static void
add_condition (const Table *table, int column, const char *relation, const char *value, GString *with, GString *without)
{
  const char *name = table->columns->pdata[column];

  g_string_append_printf (with, " AND %s %s %s", name, relation, value);
  if (column == table->timeline)
    g_string_append_printf (without, " AND %s LIKE %s", name, value);
  else
    g_string_append_printf (without, " AND +%s %s %s", name, relation, value);
}

/* What is asked of the rows: all of them, so much that they need not be decoded, or little of it. */
static const struct
{
  const char *columns, *order;
} questions[] = {
    {"*", " ORDER BY 1, 2, 3, 4, 5, 6"}, {"count (*)", ""}, {"count (rowid)", ""}, {NULL, " ORDER BY 1, 2"}};

static void
ask_table (LcDatabase *database, const Table *table, GRand *random)
{
  static const char *const relations[] = {"=", "=", "=", "<", "<=", ">", ">="};
  GStrv row = table->rows->pdata[g_rand_int_range (random, 0, (gint32)table->rows->len)];
  g_autoptr (GString) with = g_string_new (NULL), without = g_string_new (NULL);
  g_autofree char *found = NULL, *expected = NULL;
  int n = g_rand_int_range (random, 0, MOST_CONDITIONS + 1);
  int question = g_rand_int_range (random, 0, G_N_ELEMENTS (questions));

  if (questions[question].columns != NULL)
    g_string_printf (with, "SELECT %s FROM %s WHERE 1", questions[question].columns, table->name);
  else
    g_string_printf (with, "SELECT %s, %s FROM %s WHERE 1", (char *)table->columns->pdata[0],
                     (char *)table->columns->pdata[1], table->name);
  g_string_assign (without, with->str);
  /* The first two columns are what rows are mostly asked by. */
  for (int column = 0; column < 2 && n < 2; column++)
    add_condition (table, column, "=", choose_value (row[column], random), with, without);
  for (int i = 0; i < n; i++)
    {
      int column = g_rand_int_range (random, 0, (gint32)table->columns->len);
      const char *relation = relations[g_rand_int_range (random, 0, G_N_ELEMENTS (relations))];

      if (column != table->timeline)
        add_condition (table, column, relation, choose_value (row[column], random), with, without);
    }
  if (table->timeline >= 0 && g_rand_boolean (random))
    add_condition (table, table->timeline, "=", row[table->timeline], with, without);
  g_string_append (with, questions[question].order);
  g_string_append (without, questions[question].order);
  found = rows_of (database, with->str);
  expected = rows_of (database, without->str);
  if (!g_str_equal (found, expected))
    g_error ("%s:\n%s\n%s:\n%s", with->str, found, without->str, expected);
}

/* Two timelines beside the measured one, of which one has events of its own. */
static void
add_timelines (const Case *at)
{
  const char *path = lc_history_get_path (at->history);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (GError) error = NULL;
  Model *own = model_new (at->directory), *moved = model_new (at->directory);
  guint32 number;

  model_redecide (own, random);
  model_move (moved);
  add_own_timeline (path, at->directory, own, "own", &number, &error);
  g_assert_no_error (error);
  add_timeline (path, at->directory, moved, "moved", &number, &error);
  g_assert_no_error (error);
  model_free (own);
  model_free (moved);
}

static void
ask_tables (const Case *at, const char *const *names)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;
  LcDatabase *database = lc_database_open (lc_history_get_path (at->history), &error);

  g_assert_no_error (error);
  g_assert_true (lc_tables_add (database, &error));
  for (; *names != NULL; names++)
    {
      Table *table = table_new (database, *names);

      g_assert_cmpuint (table->rows->len, >, 10);
      for (guint k = 0; k < QUERIES; k++)
        ask_table (database, table, random);
      table_free (table);
    }
  lc_database_close (database);
}

static void
test_conditions (void)
{
  static const char *const of_the_measured[] = {"slack", NULL}, *const of_all[] = {"event", "arc", "span", NULL};
  Case at;

  case_init (&at, 7, 4, 150);
  ask_tables (&at, of_the_measured);
  add_timelines (&at); /* the order of whose layers is made up */
  ask_tables (&at, of_all);
  case_clear (&at);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tables/conditions", test_conditions);
  return g_test_run ();
}
