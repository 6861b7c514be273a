/* SPDX-License-Identifier: Apache-2.0 */
/* A history that is asked in SQL: its database with all tables, and what a shell does with lines. */
#ifndef LC_CLI_SQL_SESSION_H
#define LC_CLI_SQL_SESSION_H

#include "history/database.h"
#include "rows.h"

typedef struct
{
  LcDatabase *database;
  LcFormat format;
  gboolean interactive; /* errors do not end it */
  gboolean done;        /* the user has had enough, or there was an error */
  gboolean failed;
  GString *text; /* the statement that has begun */
} LcSqlSession;

/* Opens the history file; FALSE: the user has been told why not. */
gboolean lc_sql_session_open (LcSqlSession *session, const char *path, LcFormat format, gboolean interactive);
void lc_sql_session_close (LcSqlSession *session);

/* The next line of input, without its newline: a command that begins with '.', or a part of statements. */
void lc_sql_session_add_line (LcSqlSession *session, const char *line);

/* What stands there without a ';' at the end of the input is a statement as well. */
void lc_sql_session_end (LcSqlSession *session);

/* Forgets the statement that has begun. */
void lc_sql_session_clear (LcSqlSession *session);

/* In sql-shell.c: the lines that are typed. */
void lc_sql_shell_run (LcSqlSession *session);

#endif
