/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that a query in SQL found, in memory, sorted and filtered as the rows of a table. */
#ifndef LC_APP_SQL_RESULT_H
#define LC_APP_SQL_RESULT_H

#include "app/job.h"
#include "app/tables/table-source.h"

enum
{
  LC_SQL_MOST_ROWS = 100 * 1000, /* that are kept */
};

/* A result never changes once it is made, so any thread may hold it. */
typedef struct
{
  guint n_columns;
  char **names;
  guint n_rows;
  gboolean is_cut; /* there are more rows */
  GArray *values;  /* row by row */
  GStringChunk *texts;
} LcSqlResult;

LcSqlResult *lc_sql_result_ref (LcSqlResult *result);
void lc_sql_result_unref (LcSqlResult *result);

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
  LcSqlResult *result; /* of the last statement that has columns; NULL: there is none */
  char *problem;       /* what is wrong with the query, or NULL */
  gint place;          /* where in the text that is, in characters; -1: not known */
} LcSqlAnswer;

/* An LcJobWork of an LcSqlQuery that returns an LcSqlAnswer. The database can only be read, as with `lightcone sql`. */
gpointer lc_sql_query_run (gpointer query, LcJobPermille *done, GCancellable *cancellable, GError **error);
void lc_sql_answer_free (gpointer answer);

/* An LcJobWork of the path of a history file that returns the names of tables and columns, and the words of SQL, as a
 * GStrv, sorted. */
gpointer lc_sql_list_words (gpointer path, LcJobPermille *done, GCancellable *cancellable, GError **error);

/* The rows of a result that are shown, in their order. */
typedef struct
{
  LcSqlResult *result;
  char *filter; /* part of any of the texts of a row; upper and lower case are the same */
  gint column;  /* -1: as they came */
  gboolean descending;
} LcSqlRowsAsked;

void lc_sql_rows_asked_free (gpointer asked);

/* An LcJobWork of an LcSqlRowsAsked that returns an LcTableSource. */
gpointer lc_sql_rows_new (gpointer asked, LcJobPermille *done, GCancellable *cancellable, GError **error);

#endif
