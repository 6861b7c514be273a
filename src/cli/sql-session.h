/* SPDX-License-Identifier: Apache-2.0 */
/* An SQL session on a history: its database with all tables, and the handling of input lines. */
#ifndef LC_CLI_SQL_SESSION_H
#define LC_CLI_SQL_SESSION_H

#include "history/database.h"
#include "report/rows.h"

typedef struct
{
  LcDatabase *database;
  LcFormat format;
  gboolean interactive; /* errors do not end the session */
  gboolean done;        /* the user has left, or there was an error */
  gboolean failed;
  GString *text; /* the statement that has begun */
} LcSqlSession;

/* Opens the history file. FALSE: the user has been told why not. */
gboolean lc_sql_session_open (LcSqlSession *session, const char *path, LcFormat format, gboolean interactive);
void lc_sql_session_close (LcSqlSession *session);

/* Handles a line of input without its newline: a command that begins with '.', or part of a statement. */
void lc_sql_session_add_line (LcSqlSession *session, const char *line);

/* Runs a statement that has no ';' at the end of the input. */
void lc_sql_session_end (LcSqlSession *session);

/* Drops the statement that has begun. */
void lc_sql_session_clear (LcSqlSession *session);

/* Reads lines from a terminal (sql-shell.c). */
void lc_sql_shell_run (LcSqlSession *session);

#endif
