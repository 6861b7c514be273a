/* SPDX-License-Identifier: Apache-2.0 */
/* An SQL session on a history: its database with all tables, and the handling of input lines. */
#include "sql-session.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "history/tables.h"
#include "sql-output.h"

/* Errors in a statement are told without the path of the file. */
static void
complain_of_error (LcSqlSession *session, const GError *error)
{
  const char *path = lc_database_get_path (session->database), *message = error->message;
  gsize length = strlen (path);

  fflush (stdout);
  session->failed = TRUE;
  session->done = session->done || !session->interactive;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    lc_complain (_ ("sql: cancelled"));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    lc_complain (_ ("sql: a history can only be read"));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) && strncmp (message, path, length) == 0 &&
           message[length] == ':')
    lc_complain ("sql:%s", message + length + 1);
  else
    lc_complain ("%s", message);
}

static void
run_statements (LcSqlSession *session, const char *sql)
{
  g_autoptr (GError) error = NULL;

  for (;;)
    {
      LcStatement *statement = lc_database_prepare (session->database, sql, &sql, &error);
      gboolean good = statement != NULL && lc_sql_print (statement, session->format, &error);

      lc_statement_free (statement);
      if (!good)
        break;
    }
  if (error != NULL)
    complain_of_error (session, error);
  fflush (stdout);
}

/* --- Commands of the shell ------------------------------------------------------------------------------------- */

static void
sql_session_show_help (LcSqlSession *session, const char *argument)
{
  g_print (_ (".tables                  What there is to ask\n"
              ".schema [TABLE]          The columns of one table, or of all\n"
              ".mode table|csv|json     How to show what is found\n"
              ".help                    This\n"
              ".quit                    Leave (or Ctrl-D)\n"
              "Everything else is SQL, up to a ';'. Ctrl-C stops a query. docs/sql.md explains the tables.\n"
              "Other programs get them with .load %s\n"),
           LC_LIBRARY_FOLDER "/liblightcone-sql");
}

static void
sql_session_quit (LcSqlSession *session, const char *argument)
{
  session->done = TRUE;
}

static void
set_mode (LcSqlSession *session, const char *argument)
{
  if (argument == NULL)
    g_print ("%s\n", session->format == LC_FORMAT_TEXT ? "table" : session->format == LC_FORMAT_CSV ? "csv" : "json");
  else if (strcmp (argument, "table") == 0)
    session->format = LC_FORMAT_TEXT;
  else if (strcmp (argument, "csv") == 0)
    session->format = LC_FORMAT_CSV;
  else if (strcmp (argument, "json") == 0)
    session->format = LC_FORMAT_JSON;
  else
    {
      lc_complain (_ ("sql: .mode is one of table, csv, json"));
      session->failed = TRUE;
      session->done = session->done || !session->interactive;
    }
}

/* Prints the first column of a statement's result, a line for each row. */
static guint
sql_session_print_lines (LcSqlSession *session, const char *sql, const char *argument, const char *after)
{
  g_autoptr (GError) error = NULL;
  LcStatement *statement = lc_database_prepare (session->database, sql, NULL, &error);
  guint n_lines = 0;

  if (statement != NULL)
    lc_statement_bind_text (statement, 1, argument);
  while (statement != NULL && lc_statement_step (statement, &error) == LC_STEP_ROW)
    {
      g_print ("%s%s\n", lc_statement_text (statement, 0), after);
      n_lines++;
    }
  lc_statement_free (statement);
  if (error != NULL)
    complain_of_error (session, error);
  return n_lines;
}

/* Tables that store the data behind the others are left out. */
static void
show_tables (LcSqlSession *session, const char *argument)
{
  for (gsize i = 0; lc_tables_names[i] != NULL; i++)
    g_print ("%s\n", lc_tables_names[i]);
  sql_session_print_lines (
      session,
      "SELECT name FROM sqlite_schema AS t WHERE type IN ('table', 'view') AND coalesce (?1, 1)"
      " AND NOT EXISTS (SELECT 1 FROM pragma_table_info (t.name) WHERE type = 'BLOB') ORDER BY name",
      NULL, "");
}

static void
show_schema (LcSqlSession *session, const char *argument)
{
  guint n_lines = 0;

  for (gsize i = 0; lc_tables_names[i] != NULL; i++)
    if (argument == NULL || strcmp (argument, lc_tables_names[i]) == 0)
      {
        g_print ("%s;\n", lc_tables_get_declaration (lc_tables_names[i]));
        n_lines++;
      }
  n_lines += sql_session_print_lines (
      session, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND (name = ?1 OR ?1 IS NULL) ORDER BY rowid",
      argument, ";");
  if (n_lines > 0)
    return;
  lc_complain (_ ("sql: there is no table “%s”"), argument != NULL ? argument : "");
  session->failed = TRUE;
  session->done = session->done || !session->interactive;
}

static const struct
{
  const char *name;
  void (*run) (LcSqlSession *session, const char *argument);
} commands[] = {
    {".tables", show_tables},         {".schema", show_schema},    {".mode", set_mode},
    {".help", sql_session_show_help}, {".quit", sql_session_quit}, {".exit", sql_session_quit},
};

static void
run_command (LcSqlSession *session, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t;", -1);
  const char *argument = NULL;

  for (gsize i = 1; words[i] != NULL && argument == NULL; i++)
    if (words[i][0] != '\0')
      argument = words[i];
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (words[0], commands[i].name) == 0)
      {
        commands[i].run (session, argument);
        fflush (stdout);
        return;
      }
  lc_complain (_ ("sql: there is no command “%s” (see .help)"), words[0]);
  session->failed = TRUE;
  session->done = session->done || !session->interactive;
}

/* --- The session ------------------------------------------------------------------------------------------------ */

gboolean
lc_sql_session_open (LcSqlSession *session, const char *path, LcFormat format, gboolean interactive)
{
  g_autoptr (GError) error = NULL;

  *session = (LcSqlSession){.format = format, .interactive = interactive};
  session->database = lc_database_open (path, &error);
  if (session->database == NULL || !lc_tables_add (session->database, &error))
    {
      lc_complain ("%s", error->message);
      lc_database_close (session->database);
      return FALSE;
    }
  session->text = g_string_new (NULL);
  return TRUE;
}

void
lc_sql_session_close (LcSqlSession *session)
{
  lc_database_close (session->database);
  g_string_free (session->text, TRUE);
}

void
lc_sql_session_clear (LcSqlSession *session)
{
  g_string_truncate (session->text, 0);
}

void
lc_sql_session_add_line (LcSqlSession *session, const char *line)
{
  if (session->text->len == 0 && line[strspn (line, " \t")] == '.')
    {
      run_command (session, line + strspn (line, " \t"));
      return;
    }
  /* A statement does not begin with an empty line. */
  if (session->text->len == 0 && line[strspn (line, " \t\r")] == '\0')
    return;
  g_string_append (session->text, line);
  g_string_append_c (session->text, '\n');
  if (lc_sql_is_complete (session->text->str))
    lc_sql_session_end (session);
}

void
lc_sql_session_end (LcSqlSession *session)
{
  g_autofree char *sql = g_strdup (session->text->str);

  lc_sql_session_clear (session);
  if (!session->done)
    run_statements (session, sql);
}
