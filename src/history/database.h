/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to SQLite: databases, statements, and tables that are not rows. */
#ifndef LC_HISTORY_DATABASE_H
#define LC_HISTORY_DATABASE_H

#include <gio/gio.h>

/*
 * Errors are LC_HISTORY_ERROR (damaged; version) or G_IO_ERROR (no space, not found, permission, cancelled), and their
 * message begins with the file's path. A database and its statements are for one thread at a time.
 */
typedef struct _LcDatabase LcDatabase;
typedef struct _LcStatement LcStatement;

/*
 * A database is reached by a descriptor, which stays the caller's, and `path` is only what it is called in messages: no
 * other file is ever opened, looked for or removed, so that no journal is, whatever lies beside the file. It is not
 * mapped into memory, for others may shorten it.
 */

/* An empty file for one writer: no journal, no sync, one transaction from now to lc_database_commit. */
LcDatabase *lc_database_create (int fd, const char *path, guint page_size, GError **error);
gboolean lc_database_commit (LcDatabase *database, GError **error);

/*
 * For reading only, as a file that does not change: others who change it put another one into its place. What its
 * schema says is read, and nothing of it carried out; statements can only select.
 */
LcDatabase *lc_database_open_descriptor (int fd, const char *path, GError **error);
LcDatabase *lc_database_open (const char *path, GError **error); /* a regular file, and no link to one */

/* For changing a file that nobody else reads: what fails leaves it half changed. */
LcDatabase *lc_database_open_writable (int fd, const char *path, GError **error);
gboolean lc_database_attach (LcDatabase *database, int fd, const char *name, GError **error);

LcDatabase *lc_database_new_in_memory (GError **error);

void lc_database_close (LcDatabase *database);
const char *lc_database_get_path (const LcDatabase *database);

/* For statements that find each row of a table once: one that finds more than so many is LC_HISTORY_ERROR_DAMAGED. */
void lc_database_set_most_rows (LcDatabase *database, guint64 most);

/* Runs statements, separated by ';', that give no rows. */
gboolean lc_database_run (LcDatabase *database, const char *sql, GError **error);

/* Any thread: a statement that is running, and any after it, end with G_IO_ERROR_CANCELLED until it is resumed. */
void lc_database_interrupt (LcDatabase *database);
void lc_database_resume (LcDatabase *database);

/* `*tail`, if not NULL, is set to what comes after the first statement. NULL without an error: there was none. */
LcStatement *lc_database_prepare (LcDatabase *database, const char *sql, const char **tail, GError **error);
void lc_statement_free (LcStatement *statement);

/* Whether the text ends with the ';' of a statement, and not within a string or a comment. */
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

/* Runs it to its end, and resets it. */
gboolean lc_statement_run (LcStatement *statement, GError **error);

typedef enum
{
  LC_VALUE_NULL,
  LC_VALUE_INT,
  LC_VALUE_REAL,
  LC_VALUE_TEXT,
  LC_VALUE_BLOB,
} LcValueType;

/* Columns count from 0; what they return lives until the next step. */
int lc_statement_n_columns (LcStatement *statement);
const char *lc_statement_column_name (LcStatement *statement, int column);
LcValueType lc_statement_type (LcStatement *statement, int column);
gint64 lc_statement_int (LcStatement *statement, int column);
double lc_statement_real (LcStatement *statement, int column);
const char *lc_statement_text (LcStatement *statement, int column); /* always UTF-8; NULL: null */
gconstpointer lc_statement_blob (LcStatement *statement, int column, gsize *size);

/* --- Tables that are not rows -------------------------------------------------------------------------------- */

typedef enum
{
  LC_CONSTRAINT_EQUAL,
  LC_CONSTRAINT_GREATER,
  LC_CONSTRAINT_GREATER_EQUAL,
  LC_CONSTRAINT_LESS,
  LC_CONSTRAINT_LESS_EQUAL,
} LcConstraintKind;

/* A constraint of a query on a column, that the planner offers; `use` and `value` as below. */
typedef struct
{
  int column;
  LcConstraintKind kind;
  gboolean use; /* the table sets it: the cursor gets the value, and may give fewer rows for it */
} LcConstraint;

#define LC_ORDER_COLUMNS 8

typedef struct
{
  LcConstraint *constraints;
  gsize n_constraints;
  guint64 columns_used;                /* bits; bit 63: that column and all after it */
  guint64 columns_constrained;         /* likewise: by whatever, even if it is not among `constraints` */
  int order_columns[LC_ORDER_COLUMNS]; /* of the query's ORDER BY, if all of them are ascending */
  gsize n_order;                       /* 0: none, or not these */
  /* What the table sets: */
  int mode;         /* goes to `filter` */
  gboolean ordered; /* rows come so */
  gboolean unique;  /* there is at most one row */
  double cost;
  double rows;
} LcTablePlan;

/* A value of a constraint that the table uses. */
typedef struct
{
  int column;
  LcConstraintKind kind; /* of a real value: the one that fits `integer` */
  LcValueType type;
  gint64 integer; /* for real ones, rounded towards the side that loses no row */
  double real;
  const char *text; /* until `filter` returns */
} LcConstraintValue;

/* Where a cursor puts the value of a column. */
typedef struct _LcTableOutput LcTableOutput;
void lc_table_output_int (LcTableOutput *output, gint64 value);
void lc_table_output_real (LcTableOutput *output, double value);
void lc_table_output_text (LcTableOutput *output, const char *text);        /* is copied; NULL: null */
void lc_table_output_static_text (LcTableOutput *output, const char *text); /* outlives the statement */
void lc_table_output_null (LcTableOutput *output);

/* A read-only table of the program's own, eponymous: it is there without being created. */
typedef struct
{
  const char *name;
  const char *declaration; /* "CREATE TABLE x (process INTEGER, ...)" */
  /* Around all use of the table, or NULL: what is open in between may have statements of the database's. */
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

/* `data` goes to connect, disconnect, plan and open. `destroy`, or NULL, is called for it at the end of the database,
 * or when this fails; the table must live until then. */
gboolean lc_database_add_table (LcDatabase *database, const LcVirtualTable *table, gpointer data,
                                GDestroyNotify destroy, GError **error);

/* Is cancelled by lc_database_interrupt: for what a table does that takes long. Belongs to the database. */
GCancellable *lc_database_get_cancellable (LcDatabase *database);

#endif
