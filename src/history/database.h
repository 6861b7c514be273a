/* SPDX-License-Identifier: Apache-2.0 */
/* The only interface to SQLite: databases, statements, and virtual tables. */
#ifndef LC_HISTORY_DATABASE_H
#define LC_HISTORY_DATABASE_H

#include <gio/gio.h>

/* Errors are LC_HISTORY_ERROR (damaged; version) or G_IO_ERROR (no space, not found, permission, cancelled), and their
 * messages begin with the file's path. Use a database and its statements in one thread at a time. */
typedef struct _LcDatabase LcDatabase;
typedef struct _LcStatement LcStatement;

/*
 * A database is opened by a descriptor, which stays the caller's; `path` is only its name in messages. No other file is
 * opened, looked for or removed, so a journal beside the file is ignored. The file is not mapped into memory, because
 * others may shorten it.
 */

/* Opens an empty file for a single writer: no journal, no sync, one transaction until lc_database_commit. */
LcDatabase *lc_database_create (int fd, const char *path, guint page_size, GError **error);
gboolean lc_database_commit (LcDatabase *database, GError **error);

/* Opens a file for reading, as one that does not change: writers put a new file into its place. The schema is read, but
 * nothing in it is executed; statements can only select. */
LcDatabase *lc_database_open_descriptor (int fd, const char *path, GError **error);
LcDatabase *lc_database_open (const char *path, GError **error); /* Only a regular file; links are refused. */

/* Opens for writing a file that nobody else reads. A change that fails leaves it half changed. */
LcDatabase *lc_database_open_writable (int fd, const char *path, GError **error);
gboolean lc_database_attach (LcDatabase *database, int fd, const char *name, GError **error);

LcDatabase *lc_database_new_in_memory (GError **error);

void lc_database_close (LcDatabase *database);
const char *lc_database_get_path (const LcDatabase *database);

/* Meant for statements that find each row of a table once: more than `most` rows are LC_HISTORY_ERROR_DAMAGED. */
void lc_database_set_most_rows (LcDatabase *database, guint64 most);

/* Runs statements that give no rows, separated by ';'. */
gboolean lc_database_run (LcDatabase *database, const char *sql, GError **error);

/* May be called in any thread. Running and later statements end with G_IO_ERROR_CANCELLED until lc_database_resume. */
void lc_database_interrupt (LcDatabase *database);
void lc_database_resume (LcDatabase *database);

/* Sets `*tail`, unless NULL, to the text after the first statement. NULL without an error: there was no statement. */
LcStatement *lc_database_prepare (LcDatabase *database, const char *sql, const char **tail, GError **error);
void lc_statement_free (LcStatement *statement);

/* Whether the text ends with the ';' of a statement, not within a string or a comment. */
gboolean lc_sql_is_complete (const char *sql);

/* Parameters count from 1. Text and blobs must live until the statement is reset or freed. */
void lc_statement_bind_int (LcStatement *statement, int at, gint64 value);
void lc_statement_bind_real (LcStatement *statement, int at, double value);
void lc_statement_bind_text (LcStatement *statement, int at, const char *text); /* NULL: null */
void lc_statement_bind_blob (LcStatement *statement, int at, gconstpointer data, gsize size);
void lc_statement_bind_null (LcStatement *statement, int at);

typedef enum
{
  LC_STEP_ERROR,
  LC_STEP_ROW,
  LC_STEP_DONE,
} LcStep;

LcStep lc_statement_step (LcStatement *statement, GError **error);
void lc_statement_reset (LcStatement *statement);

/* Runs a statement to its end and resets it. */
gboolean lc_statement_run (LcStatement *statement, GError **error);

typedef enum
{
  LC_VALUE_NULL,
  LC_VALUE_INT,
  LC_VALUE_REAL,
  LC_VALUE_TEXT,
  LC_VALUE_BLOB,
} LcValueType;

/* Columns count from 0; what these functions return lives until the next step. */
int lc_statement_n_columns (LcStatement *statement);
const char *lc_statement_column_name (LcStatement *statement, int column);
LcValueType lc_statement_type (LcStatement *statement, int column);
gint64 lc_statement_int (LcStatement *statement, int column);
double lc_statement_real (LcStatement *statement, int column);
const char *lc_statement_text (LcStatement *statement, int column); /* always UTF-8; NULL: null */
gconstpointer lc_statement_blob (LcStatement *statement, int column, gsize *size);

/* --- Virtual tables ------------------------------------------------------------------------------------------ */

typedef enum
{
  LC_CONSTRAINT_EQUAL,
  LC_CONSTRAINT_GREATER,
  LC_CONSTRAINT_GREATER_EQUAL,
  LC_CONSTRAINT_LESS,
  LC_CONSTRAINT_LESS_EQUAL,
} LcConstraintKind;

/* A constraint on a column that the planner offers to a table. */
typedef struct
{
  int column;
  LcConstraintKind kind;
  gboolean use; /* set by the table: the cursor gets the value and may skip rows by it */
} LcConstraint;

#define LC_ORDER_COLUMNS 8

typedef struct
{
  LcConstraint *constraints;
  gsize n_constraints;
  guint64 columns_used;                /* a bit for each column; bit 63 stands for column 63 and all after it */
  guint64 columns_constrained;         /* the same for columns with any constraint, offered or not */
  int order_columns[LC_ORDER_COLUMNS]; /* columns of the query's ORDER BY, if all are ascending */
  gsize n_order;                       /* 0: there is no ORDER BY, or one that does not fit here */
  /* Fields that the table sets. */
  int mode;         /* passed to `filter` */
  gboolean ordered; /* rows come in that order */
  gboolean unique;  /* there is at most one row */
  double cost;
  double rows;
} LcTablePlan;

/* The value of a constraint that the table uses. */
typedef struct
{
  int column;
  LcConstraintKind kind; /* adapted to `integer` if the value is real */
  LcValueType type;
  gint64 integer; /* a real value is rounded so that no row is lost */
  double real;
  const char *text; /* until `filter` returns */
} LcConstraintValue;

/* Receives the value of a column from a cursor. */
typedef struct _LcTableOutput LcTableOutput;
void lc_table_output_int (LcTableOutput *output, gint64 value);
void lc_table_output_text (LcTableOutput *output, const char *text);        /* copied; NULL: null */
void lc_table_output_static_text (LcTableOutput *output, const char *text); /* must outlive the statement */
void lc_table_output_null (LcTableOutput *output);

/* A read-only virtual table, eponymous: it exists without being created. */
typedef struct
{
  const char *name;
  const char *declaration; /* "CREATE TABLE x (process INTEGER, ...)" */
  /* Called around all use of the table; may be NULL. Statements of the database may be open in between. */
  gboolean (*connect) (gpointer data, GError **error);
  void (*disconnect) (gpointer data);
  void (*plan) (gpointer data, LcTablePlan *plan);
  gpointer (*open) (gpointer data);
  gboolean (*filter) (gpointer cursor, int mode, const LcConstraintValue *values, gsize n_values, guint64 columns_used,
                      GError **error);
  gboolean (*next) (gpointer cursor, GError **error);
  gboolean (*is_at_end) (gpointer cursor);
  void (*column) (gpointer cursor, int column, LcTableOutput *output);
  gint64 (*row) (gpointer cursor);
  void (*close) (gpointer cursor);
} LcVirtualTable;

/* `data` is passed to connect, disconnect, plan and open. `destroy` (may be NULL) is called for it when the database is
 * closed or when this function fails; the table must live until then. */
gboolean lc_database_add_table (LcDatabase *database, const LcVirtualTable *table, gpointer data,
                                GDestroyNotify destroy, GError **error);

/* Cancelled by lc_database_interrupt, for long work in a table. Belongs to the database. */
GCancellable *lc_database_get_cancellable (LcDatabase *database);

#endif
