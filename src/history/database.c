/* SPDX-License-Identifier: Apache-2.0 */
/* The only interface to SQLite: databases and statements. */
#include <string.h>

#include "database-private.h"
#include "history-file.h"
#include "lightcone/history.h"

enum
{
  BETWEEN_LOOKS = 1000, /* SQLite's instructions between two checks for an interruption */
  SCHEMA_LOOKS = 100,   /* checks during which a schema must have been read; ours takes one or two */
  SCHEMA_TEXT = 65536,  /* bytes of a statement in a schema, at most */
  LONGEST = 256 << 20,  /* bytes of a row, at most */
};

struct _LcStatement
{
  LcDatabase *database;
  sqlite3_stmt *handle;
  gboolean running;
  guint64 n_rows;   /* rows found since the first step */
  GPtrArray *texts; /* texts of this row that had to be made UTF-8; or NULL */
};

/* --- Errors ------------------------------------------------------------------------------------------------- */

static GIOErrorEnum
io_code (int result)
{
  switch (result & 0xFF)
    {
    case SQLITE_FULL:
      return G_IO_ERROR_NO_SPACE;
    case SQLITE_PERM:
      return G_IO_ERROR_PERMISSION_DENIED;
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return G_IO_ERROR_READ_ONLY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return G_IO_ERROR_BUSY;
    case SQLITE_INTERRUPT:
      return G_IO_ERROR_CANCELLED;
    case SQLITE_ERROR:
    case SQLITE_RANGE:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
      return G_IO_ERROR_INVALID_ARGUMENT;
    default:
      return G_IO_ERROR_FAILED;
    }
}

/* The system's error says more than what SQLite makes of it. */
static gboolean
is_system_error (int result)
{
  switch (result & 0xFF)
    {
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
      return TRUE;
    default:
      return FALSE;
    }
}

void
lc_database_set_error (LcDatabase *database, int result, GError **error)
{
  int code = result & 0xFF, system = sqlite3_system_errno (database->handle);

  if (database->table_error != NULL)
    g_propagate_error (error, g_steal_pointer (&database->table_error));
  else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: %s", database->path,
                 sqlite3_errstr (result));
  else if (is_system_error (result) && system != 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (system), "%s: %s", database->path, g_strerror (system));
  else
    g_set_error (error, G_IO_ERROR, io_code (result), "%s: %s", database->path,
                 code == SQLITE_INTERRUPT ? sqlite3_errstr (result) : sqlite3_errmsg (database->handle));
}

/* Sets the same error with its line and column in the text. */
static void
set_sql_error (LcDatabase *database, int result, const char *sql, GError **error)
{
  int offset = sqlite3_error_offset (database->handle), line = 1, column = 1;
  GError *own = NULL;

  lc_database_set_error (database, result, &own);
  for (int i = 0; i < offset && sql[i] != '\0'; i++)
    if (sql[i] == '\n')
      {
        line++;
        column = 1;
      }
    else if (((guchar)sql[i] & 0xC0) != 0x80)
      column++;
  if (offset >= 0 && g_error_matches (own, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
    {
      g_autofree char *message = g_steal_pointer (&own->message);

      own->message = g_strdup_printf ("%s (line %d, column %d)", message, line, column);
    }
  g_propagate_error (error, own);
}

/* --- Databases ---------------------------------------------------------------------------------------------- */

LcDatabase *
lc_database_new (const char *path)
{
  LcDatabase *database = g_new0 (LcDatabase, 1);

  database->path = g_strdup (path);
  database->cancel = g_cancellable_new ();
  database->looks_left = -1;
  return database;
}

/* SQLite forgets an interruption that comes before a statement has begun, so we remember it ourselves. */
static int
is_interrupted (gpointer data)
{
  LcDatabase *database = data;

  if (database->looks_left > 0)
    database->looks_left--;
  return database->looks_left == 0 || g_cancellable_is_cancelled (database->cancel);
}

void
lc_database_free (LcDatabase *database)
{
  g_clear_error (&database->table_error);
  g_object_unref (database->cancel);
  g_free (database->path);
  g_free (database);
}

void
lc_database_close (LcDatabase *database)
{
  if (database == NULL)
    return;
  sqlite3_close_v2 (database->handle);
  lc_database_free (database);
}

/* Nothing in a schema is ever executed: no views, no triggers, no unsafe functions. */
static void
database_distrust (sqlite3 *handle)
{
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_limit (handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
  sqlite3_limit (handle, SQLITE_LIMIT_WORKER_THREADS, 0);
}

/* `name` is for SQLite: the number of a descriptor, or ":memory:". */
static LcDatabase *
database_open (const char *name, const char *path, int flags, const char *sql, GError **error)
{
  LcDatabase *database = lc_database_new (path);
  const char *system = NULL;
  int result = (flags & SQLITE_OPEN_MEMORY) != 0 ? SQLITE_OK : lc_database_file_system (&system);

  if (result == SQLITE_OK)
    result = sqlite3_open_v2 (name, &database->handle, flags | SQLITE_OPEN_NOMUTEX, system);
  if (result == SQLITE_OK)
    {
      sqlite3_extended_result_codes (database->handle, 1);
      sqlite3_progress_handler (database->handle, BETWEEN_LOOKS, is_interrupted, database);
      if (lc_database_run (database, sql, error))
        {
          database_distrust (database->handle);
          return database;
        }
    }
  else if (database->handle == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, sqlite3_errstr (result));
  else
    lc_database_set_error (database, result, error);
  lc_database_close (database);
  return NULL;
}

static LcDatabase *
database_open_descriptor (int fd, const char *path, int flags, const char *sql, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%d", fd);

  return database_open (name, path, flags, sql, error);
}

/* No journal is needed: files are made or changed aside, and thrown away if that fails. */
#define WRITING \
  "PRAGMA journal_mode = OFF;" \
  "PRAGMA synchronous = OFF;" \
  "PRAGMA locking_mode = EXCLUSIVE;" \
  "PRAGMA cache_size = -8192;"

LcDatabase *
lc_database_create (int fd, const char *path, guint page_size, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA page_size = %u;" WRITING "BEGIN EXCLUSIVE", page_size);

  return database_open_descriptor (fd, path, SQLITE_OPEN_READWRITE, sql, error);
}

gboolean
lc_database_commit (LcDatabase *database, GError **error)
{
  return lc_database_run (database, "COMMIT", error);
}

LcDatabase *
lc_database_new_in_memory (GError **error)
{
  return database_open (":memory:", ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, "", error);
}

/* --- Reading only ----------------------------------------------------------------------------------------------- */

/* Allows pragmas that only report, about something named or about all. */
static gboolean
pragma_is_allowed (const char *name, const char *argument)
{
  static const char *const of_something[] = {"foreign_key_list", "index_info", "index_list",  "index_xinfo",
                                             "table_info",       "table_list", "table_xinfo", NULL};
  static const char *const of_all[] = {
      "application_id", "cache_size", "collation_list", "compile_options", "data_version",
      "database_list",  "encoding",   "freelist_count", "function_list",   "integrity_check",
      "journal_mode",   "mmap_size",  "module_list",    "page_count",      "page_size",
      "pragma_list",    "query_only", "quick_check",    "schema_version",  "trusted_schema",
      "user_version",   NULL};

  return g_strv_contains (of_something, name) || (argument == NULL && g_strv_contains (of_all, name));
}

/* Readers may not create, attach, set or load anything. */
static int
database_authorize (gpointer data, int action, const char *one, const char *other, const char *schema,
                    const char *inside)
{
  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return SQLITE_OK;
    case SQLITE_UPDATE: /* SQLite asks this when one of our tables declares its columns; nothing is written */
      return g_str_equal (one, "sqlite_master") ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return g_ascii_strcasecmp (other, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      {
        g_autofree char *name = g_ascii_strdown (one, -1);

        return pragma_is_allowed (name, other) ? SQLITE_OK : SQLITE_DENY;
      }
    default:
      return SQLITE_DENY;
    }
}

/* Reading the schema shows whether the file is a database at all. Anybody may have written it, so it is read with
 * limits. */
#define READING \
  "PRAGMA query_only = 1;" \
  "PRAGMA cell_size_check = 1"

static gboolean
database_read_schema (LcDatabase *database, GError **error)
{
  GError *own = NULL;
  gboolean good;

  sqlite3_limit (database->handle, SQLITE_LIMIT_LENGTH, SCHEMA_TEXT);
  database->looks_left = SCHEMA_LOOKS;
  good = lc_database_run (database, "SELECT count(*) FROM sqlite_schema", &own);
  if (own != NULL && database->looks_left == 0)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: its schema has no end",
                 database->path);
  else if (own != NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  g_clear_error (&own);
  database->looks_left = -1;
  sqlite3_limit (database->handle, SQLITE_LIMIT_LENGTH, LONGEST);
  return good;
}

LcDatabase *
lc_database_open_descriptor (int fd, const char *path, GError **error)
{
  LcDatabase *database = database_open_descriptor (fd, path, SQLITE_OPEN_READONLY, READING, error);

  if (database == NULL)
    return NULL;
  sqlite3_limit (database->handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_set_authorizer (database->handle, database_authorize, NULL);
  if (database_read_schema (database, error))
    return database;
  lc_database_close (database);
  return NULL;
}

LcDatabase *
lc_database_open (const char *path, GError **error)
{
  LcHistoryFile *file = lc_history_file_open (path, error);
  LcDatabase *database = file != NULL ? lc_database_open_descriptor (file->fd, path, error) : NULL;

  lc_history_file_unref (file);
  return database;
}

LcDatabase *
lc_database_open_writable (int fd, const char *path, GError **error)
{
  return database_open_descriptor (fd, path, SQLITE_OPEN_READWRITE, WRITING "SELECT count(*) FROM sqlite_schema",
                                   error);
}

gboolean
lc_database_attach (LcDatabase *database, int fd, const char *name, GError **error)
{
  g_autofree char *number = g_strdup_printf ("%d", fd);
  LcStatement *statement = lc_database_prepare (database, "ATTACH ?1 AS ?2", NULL, error);
  gboolean good;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_text (statement, 1, number);
  lc_statement_bind_text (statement, 2, name);
  good = lc_statement_run (statement, error);
  lc_statement_free (statement);
  return good;
}

const char *
lc_database_get_path (const LcDatabase *database)
{
  return database->path;
}

gboolean
lc_database_run (LcDatabase *database, const char *sql, GError **error)
{
  GError *own = NULL;

  for (;;)
    {
      LcStatement *statement = lc_database_prepare (database, sql, &sql, &own);
      gboolean good = statement != NULL && lc_statement_run (statement, &own);

      lc_statement_free (statement);
      if (good)
        continue;
      if (own != NULL)
        g_propagate_error (error, own);
      return own == NULL;
    }
}

void
lc_database_set_most_rows (LcDatabase *database, guint64 most)
{
  database->most_rows = most;
}

void
lc_database_interrupt (LcDatabase *database)
{
  g_cancellable_cancel (database->cancel);
  sqlite3_interrupt (database->handle);
}

void
lc_database_resume (LcDatabase *database)
{
  g_cancellable_reset (database->cancel);
}

GCancellable *
lc_database_get_cancellable (LcDatabase *database)
{
  return database->cancel;
}

/* --- Statements --------------------------------------------------------------------------------------------- */

LcStatement *
lc_database_prepare (LcDatabase *database, const char *sql, const char **tail, GError **error)
{
  const char *rest = sql;
  sqlite3_stmt *handle = NULL;

  /* SQLite compiles a lone comment to no statement at all. */
  while (handle == NULL && *rest != '\0')
    {
      const char *begin = rest + strspn (rest, " \t\r\n");
      int result = sqlite3_prepare_v3 (database->handle, begin, -1, 0, &handle, &rest);

      if (result != SQLITE_OK)
        {
          /* An interruption while SQLite makes a virtual table is reported as a plain failure. */
          set_sql_error (database, g_cancellable_is_cancelled (database->cancel) ? SQLITE_INTERRUPT : result, begin,
                         error);
          return NULL;
        }
      if (handle == NULL && rest == begin)
        break;
    }
  if (tail != NULL)
    *tail = rest;
  if (handle == NULL)
    return NULL;
  /* GLib would write the line first and drop it then, and a program of tests would print it. */
  if (!g_log_writer_default_would_drop (G_LOG_LEVEL_DEBUG, G_LOG_DOMAIN))
    g_debug ("query: %s", sqlite3_sql (handle));
  LcStatement *statement = g_new0 (LcStatement, 1);
  statement->database = database;
  statement->handle = handle;
  return statement;
}

gboolean
lc_sql_is_complete (const char *sql)
{
  return sqlite3_complete (sql) != 0;
}

static void
set_running (LcStatement *statement, gboolean running)
{
  LcDatabase *database = statement->database;

  if (statement->running == running)
    return;
  if (running && database->running == 0)
    g_clear_error (&database->table_error);
  statement->n_rows = 0;
  statement->running = running;
  database->running += running ? 1 : -1;
}

void
lc_statement_free (LcStatement *statement)
{
  if (statement == NULL)
    return;
  set_running (statement, FALSE);
  g_clear_pointer (&statement->texts, g_ptr_array_unref);
  sqlite3_finalize (statement->handle);
  g_free (statement);
}

void
lc_statement_bind_int (LcStatement *statement, int at, gint64 value)
{
  sqlite3_bind_int64 (statement->handle, at, value);
}

void
lc_statement_bind_real (LcStatement *statement, int at, double value)
{
  sqlite3_bind_double (statement->handle, at, value);
}

void
lc_statement_bind_text (LcStatement *statement, int at, const char *text)
{
  sqlite3_bind_text (statement->handle, at, text, -1, SQLITE_STATIC);
}

void
lc_statement_bind_blob (LcStatement *statement, int at, gconstpointer data, gsize size)
{
  /* A NULL pointer would bind null instead of an empty blob. */
  sqlite3_bind_blob64 (statement->handle, at, size > 0 ? data : "", size, SQLITE_STATIC);
}

void
lc_statement_bind_null (LcStatement *statement, int at)
{
  sqlite3_bind_null (statement->handle, at);
}

/* In a damaged file the pages of a table may form a circle, so that a statement never ends. */
static gboolean
statement_check_rows (LcStatement *statement, GError **error)
{
  const LcDatabase *database = statement->database;

  if (database->most_rows == 0 || ++statement->n_rows <= database->most_rows)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED,
               "%s: damaged: a table has more rows than there is room", database->path);
  return FALSE;
}

LcStep
lc_statement_step (LcStatement *statement, GError **error)
{
  int result;

  g_clear_pointer (&statement->texts, g_ptr_array_unref);
  set_running (statement, TRUE);
  result =
      g_cancellable_is_cancelled (statement->database->cancel) ? SQLITE_INTERRUPT : sqlite3_step (statement->handle);
  if (result == SQLITE_ROW)
    return statement_check_rows (statement, error) ? LC_STEP_ROW : LC_STEP_ERROR;
  set_running (statement, FALSE);
  if (result == SQLITE_DONE)
    return LC_STEP_DONE;
  lc_database_set_error (statement->database, result, error);
  return LC_STEP_ERROR;
}

void
lc_statement_reset (LcStatement *statement)
{
  set_running (statement, FALSE);
  sqlite3_reset (statement->handle);
}

gboolean
lc_statement_run (LcStatement *statement, GError **error)
{
  LcStep step;

  do
    step = lc_statement_step (statement, error);
  while (step == LC_STEP_ROW);
  lc_statement_reset (statement);
  return step == LC_STEP_DONE;
}

int
lc_statement_n_columns (LcStatement *statement)
{
  return sqlite3_column_count (statement->handle);
}

const char *
lc_statement_column_name (LcStatement *statement, int column)
{
  return sqlite3_column_name (statement->handle, column);
}

LcValueType
lc_statement_type (LcStatement *statement, int column)
{
  switch (sqlite3_column_type (statement->handle, column))
    {
    case SQLITE_INTEGER:
      return LC_VALUE_INT;
    case SQLITE_FLOAT:
      return LC_VALUE_REAL;
    case SQLITE_TEXT:
      return LC_VALUE_TEXT;
    case SQLITE_BLOB:
      return LC_VALUE_BLOB;
    default:
      return LC_VALUE_NULL;
    }
}

gint64
lc_statement_int (LcStatement *statement, int column)
{
  return sqlite3_column_int64 (statement->handle, column);
}

double
lc_statement_real (LcStatement *statement, int column)
{
  return sqlite3_column_double (statement->handle, column);
}

const char *
lc_statement_text (LcStatement *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text (statement->handle, column);
  char *made;

  if (text == NULL || g_utf8_validate (text, -1, NULL))
    return text;
  made = g_utf8_make_valid (text, -1);
  if (statement->texts == NULL)
    statement->texts = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (statement->texts, made);
  return made;
}

gconstpointer
lc_statement_blob (LcStatement *statement, int column, gsize *size)
{
  gconstpointer data = sqlite3_column_blob (statement->handle, column);

  *size = (gsize)sqlite3_column_bytes (statement->handle, column);
  return data;
}
