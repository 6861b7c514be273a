/* SPDX-License-Identifier: Apache-2.0 */
/* Runs queries in SQL on a history, for a table. */
#ifndef LC_APP_SQL_RESULT_H
#define LC_APP_SQL_RESULT_H

#include "app/job.h"
#include "report/result.h"

enum
{
  LC_SQL_MOST_ROWS = 100 * 1000, /* that are kept */
};

/* A query: of the history file at `path`. */
typedef struct
{
  char *path;
  char *text;
} LcSqlQuery;

LcSqlQuery *lc_sql_query_new (const char *path, const char *text);
void lc_sql_query_free (gpointer query);

/* The way in which it ended. */
typedef struct
{
  LcResult *result; /* of the last statement that has columns; NULL: there is none */
  char *problem;    /* what is wrong with the query, or NULL */
  gint place;       /* where in the text that is, in characters; -1: not known */
} LcSqlAnswer;

/* An LcJobWork of an LcSqlQuery that returns an LcSqlAnswer. The database can only be read, as with `lightcone sql`. */
gpointer lc_sql_query_run (gpointer query, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_sql_answer_free (gpointer answer);

/* An LcJobWork of the path of a history file that returns the names of tables and columns, and the words of SQL, as a
 * GStrv, sorted. */
gpointer lc_sql_list_words (gpointer path, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
