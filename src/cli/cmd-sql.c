/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone sql: asks the history of a trace in SQL. */
#include <glib/gi18n.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "open-history.h"
#include "sql-session.h"

static gboolean csv, json;
static char **rules_files;

static const GOptionEntry options[] = {
    {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_ ("Write comma-separated values"), NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Write JSON"), NULL},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandLine line = {
    .name = "sql",
    .arguments = N_ ("DIR [SQL]"),
    .description = N_ ("Without SQL, statements are read from standard input. The tables are event, arc, span,\n"
                       "process, object, operation, timeline and others: see .tables and .schema."),
    .options = options,
    .n_arguments = 1,
    .n_optional = 1,
};

static void
sql_add_lines (LcSqlSession *session, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (gsize i = 0; lines[i] != NULL && !session->done; i++)
    lc_sql_session_add_line (session, lines[i]);
}

static void
read_lines (LcSqlSession *session)
{
  g_autofree char *text = NULL;
  size_t room = 0;
  ssize_t length;

  while (!session->done && (length = getline (&text, &room, stdin)) >= 0)
    {
      if (length > 0 && text[length - 1] == '\n')
        text[length - 1] = '\0';
      lc_sql_session_add_line (session, text);
    }
}

static int
sql_run (const char *path, const char *sql)
{
  gboolean interactive = sql == NULL && isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  LcFormat format = csv ? LC_FORMAT_CSV : json ? LC_FORMAT_JSON : LC_FORMAT_TEXT;
  LcSqlSession session;
  gboolean failed;

  if (!lc_sql_session_open (&session, path, format, interactive))
    return LC_EXIT_UNUSABLE;
  if (interactive)
    lc_sql_shell_run (&session);
  else if (sql != NULL)
    sql_add_lines (&session, sql);
  else
    read_lines (&session);
  if (!interactive)
    lc_sql_session_end (&session);
  failed = session.failed && !interactive;
  lc_sql_session_close (&session);
  return failed ? LC_EXIT_UNUSABLE : LC_EXIT_GOOD;
}

int
lc_cmd_sql (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  LcHistory *history;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (csv && json)
    {
      lc_complain (_ ("sql: --csv and --json exclude each other"));
      return LC_EXIT_UNUSABLE;
    }
  history = lc_open_history (argv[1], (const char *const *)rules_files, FALSE, &error);
  if (history == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  path = g_strdup (lc_history_get_path (history));
  lc_history_free (history);
  return sql_run (path, argc > 2 ? argv[2] : NULL);
}
