/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to SQLite: databases, statements, tables that are not rows, and the extension for other programs. */
#include "database.h"

#include <math.h>
#include <string.h>

#ifdef LC_SQLITE_EXTENSION
#include <sqlite3ext.h>

#include "tables.h"
SQLITE_EXTENSION_INIT1
#else
#include <sqlite3.h>
#endif

#include "lightcone/history.h"

enum
{
  PATIENCE = 10000,     /* ms to wait for somebody else who has locked the file */
  BETWEEN_LOOKS = 1000, /* instructions of SQLite's, whether somebody has interrupted */
};

struct _LcDatabase
{
  sqlite3 *handle;
  char *path;
  guint running;        /* statements between their first step and their end */
  GCancellable *cancel; /* what lc_database_interrupt cancels, until lc_database_resume */
  GError *table_error;  /* of a table, on its way through SQLite */
  guint n_modules;      /* tables; what belongs to somebody else lives as long as it has any */
  gboolean borrowed;
};

struct _LcStatement
{
  LcDatabase *database;
  sqlite3_stmt *handle;
  gboolean running;
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
    case SQLITE_AUTH:
      return G_IO_ERROR_PERMISSION_DENIED;
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

/* What the system says tells more than what SQLite makes of it. */
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

static void
set_error (LcDatabase *database, int result, GError **error)
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

/* As above, with the place in the text that is meant. */
static void
set_sql_error (LcDatabase *database, int result, const char *sql, GError **error)
{
  int offset = sqlite3_error_offset (database->handle), line = 1, column = 1;
  GError *own = NULL;

  set_error (database, result, &own);
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

static LcDatabase *
new_database (const char *path)
{
  LcDatabase *database = g_new0 (LcDatabase, 1);

  database->path = g_strdup (path);
  database->cancel = g_cancellable_new ();
  return database;
}

/* SQLite itself forgets an interruption that comes before a statement has begun. */
static int
is_interrupted (gpointer database)
{
  return g_cancellable_is_cancelled (((LcDatabase *)database)->cancel);
}

static void
free_database (LcDatabase *database)
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
  free_database (database);
}

static LcDatabase *
open_with (const char *path, int flags, const char *sql, GError **error)
{
  LcDatabase *database = new_database (path);
  int result = sqlite3_open_v2 (path, &database->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);

  if (result == SQLITE_OK)
    {
      sqlite3_extended_result_codes (database->handle, 1);
      sqlite3_busy_timeout (database->handle, PATIENCE);
      sqlite3_progress_handler (database->handle, BETWEEN_LOOKS, is_interrupted, database);
      if (lc_database_run (database, sql, error))
        return database;
    }
  else if (database->handle == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, sqlite3_errstr (result));
  else
    set_error (database, result, error);
  lc_database_close (database);
  return NULL;
}

LcDatabase *
lc_database_create (const char *path, guint page_size, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA page_size = %u;"
                                          "PRAGMA journal_mode = OFF;"
                                          "PRAGMA synchronous = OFF;"
                                          "PRAGMA locking_mode = EXCLUSIVE;"
                                          "PRAGMA cache_size = -8192;"
                                          "BEGIN EXCLUSIVE",
                                          page_size);

  return open_with (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, sql, error);
}

gboolean
lc_database_commit (LcDatabase *database, GError **error)
{
  return lc_database_run (database, "COMMIT", error);
}

/* Reading the schema finds out whether it is a database at all. */
#define OPENING \
  "PRAGMA mmap_size = 268435456;" \
  "PRAGMA query_only = 1;" \
  "SELECT count(*) FROM sqlite_schema"

LcDatabase *
lc_database_open (const char *path, GError **error)
{
  g_autoptr (GError) own = NULL;
  LcDatabase *database = open_with (path, SQLITE_OPEN_READONLY, OPENING, &own), *writable;

  /* Somebody was killed while adding to it: what is half there is undone by whoever may write. */
  if (database == NULL && g_error_matches (own, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    {
      g_clear_error (&own);
      writable = lc_database_open_writable (path, &own);
      if (writable != NULL)
        {
          lc_database_close (writable);
          database = open_with (path, SQLITE_OPEN_READONLY, OPENING, &own);
        }
    }
  if (database == NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return database;
}

LcDatabase *
lc_database_open_writable (const char *path, GError **error)
{
  return open_with (path, SQLITE_OPEN_READWRITE,
                    "PRAGMA journal_mode = DELETE;"
                    "SELECT count(*) FROM sqlite_schema",
                    error);
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

  /* A comment alone is a statement without anything in it. */
  while (handle == NULL && *rest != '\0')
    {
      const char *begin = rest + strspn (rest, " \t\r\n");
      int result = sqlite3_prepare_v3 (database->handle, begin, -1, 0, &handle, &rest);

      if (result != SQLITE_OK)
        {
          /* What is interrupted while it makes a table says no more than that it has failed. */
          set_sql_error (database, is_interrupted (database) ? SQLITE_INTERRUPT : result, begin, error);
          return NULL;
        }
      if (handle == NULL && rest == begin)
        break;
    }
  if (tail != NULL)
    *tail = rest;
  if (handle == NULL)
    return NULL;
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
  statement->running = running;
  database->running += running ? 1 : -1;
}

void
lc_statement_free (LcStatement *statement)
{
  if (statement == NULL)
    return;
  set_running (statement, FALSE);
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
  /* NULL would be no blob but null. */
  sqlite3_bind_blob64 (statement->handle, at, size > 0 ? data : "", size, SQLITE_STATIC);
}

void
lc_statement_bind_null (LcStatement *statement, int at)
{
  sqlite3_bind_null (statement->handle, at);
}

LcStep
lc_statement_step (LcStatement *statement, GError **error)
{
  int result;

  set_running (statement, TRUE);
  result = is_interrupted (statement->database) ? SQLITE_INTERRUPT : sqlite3_step (statement->handle);
  if (result == SQLITE_ROW)
    return LC_STEP_ROW;
  set_running (statement, FALSE);
  if (result == SQLITE_DONE)
    return LC_STEP_DONE;
  set_error (statement->database, result, error);
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
  return (const char *)sqlite3_column_text (statement->handle, column);
}

gconstpointer
lc_statement_blob (LcStatement *statement, int column, gsize *size)
{
  gconstpointer data = sqlite3_column_blob (statement->handle, column);

  *size = (gsize)sqlite3_column_bytes (statement->handle, column);
  return data;
}

/* --- Tables that are not rows -------------------------------------------------------------------------------- */

typedef struct
{
  LcDatabase *database;
  const LcVirtualTable *table;
  gpointer data;
  GDestroyNotify destroy;
} Module;

typedef struct
{
  sqlite3_vtab base;
  Module *module;
} Table;

typedef struct
{
  sqlite3_vtab_cursor base;
  gpointer cursor;
  LcConstraintValue *values;
  gsize room;
} Cursor;

/* An error of ours becomes one of SQLite's, and is remembered as what it was. */
static int
take_error (Module *module, char **message, GError *error)
{
  int result = SQLITE_ERROR;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    result = SQLITE_INTERRUPT;
  else if (g_error_matches (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED))
    result = SQLITE_CORRUPT_VTAB;
  sqlite3_free (*message);
  *message = sqlite3_mprintf ("%s", error->message);
  g_clear_error (&module->database->table_error);
  module->database->table_error = error;
  return result;
}

static int
connect_table (sqlite3 *handle, void *data, int n_arguments, const char *const *arguments, sqlite3_vtab **result,
               char **message)
{
  Module *module = data;
  GError *error = NULL;
  int code = sqlite3_declare_vtab (handle, module->table->declaration);

  if (code != SQLITE_OK)
    return code;
  if (module->table->connect != NULL && !module->table->connect (module->data, &error))
    return take_error (module, message, error);
  Table *table = g_new0 (Table, 1);
  table->module = module;
  *result = &table->base;
  return SQLITE_OK;
}

static int
disconnect_table (sqlite3_vtab *base)
{
  Table *table = (Table *)base;
  Module *module = table->module;

  if (module->table->disconnect != NULL)
    module->table->disconnect (module->data);
  g_free (table);
  return SQLITE_OK;
}

static int
kind_of (int operator)
{
  switch (operator)
    {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return LC_CONSTRAINT_EQUAL;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return LC_CONSTRAINT_GREATER;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return LC_CONSTRAINT_GREATER_EQUAL;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return LC_CONSTRAINT_LESS;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return LC_CONSTRAINT_LESS_EQUAL;
    default:
      return -1;
    }
}

/* What SQLite asks, in our words; `places` says which of its constraints each of ours is. */
static void
describe_query (const sqlite3_index_info *info, LcTablePlan *plan, int *places)
{
  plan->columns_used = info->colUsed;
  for (int i = 0; i < info->nConstraint; i++)
    {
      int column = info->aConstraint[i].iColumn, kind = kind_of (info->aConstraint[i].op);

      if (column < 0)
        continue;
      /* LIMIT and OFFSET have a column that means nothing. */
      if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_LIMIT &&
          info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_OFFSET)
        plan->columns_constrained |= G_GUINT64_CONSTANT (1) << MIN (column, 63);
      if (kind < 0 || !info->aConstraint[i].usable)
        continue;
      places[plan->n_constraints] = i;
      plan->constraints[plan->n_constraints++] = (LcConstraint){column, (LcConstraintKind)kind, FALSE};
    }
  if (info->nOrderBy > LC_ORDER_COLUMNS)
    return;
  for (int i = 0; i < info->nOrderBy; i++)
    if (info->aOrderBy[i].desc || info->aOrderBy[i].iColumn < 0)
      return;
    else
      plan->order_columns[i] = info->aOrderBy[i].iColumn;
  plan->n_order = (gsize)info->nOrderBy;
}

static int
plan_query (sqlite3_vtab *base, sqlite3_index_info *info)
{
  Module *module = ((Table *)base)->module;
  g_autofree LcConstraint *constraints = g_new0 (LcConstraint, info->nConstraint + 1);
  g_autofree int *places = g_new0 (int, info->nConstraint + 1);
  g_autoptr (GString) text = g_string_new (NULL);
  LcTablePlan plan = {.constraints = constraints, .cost = 1e6, .rows = 1e6};
  int n_arguments = 0;

  describe_query (info, &plan, places);
  module->table->plan (module->data, &plan);
  g_string_append_printf (text, "%" G_GINT64_MODIFIER "x", plan.columns_used);
  for (gsize i = 0; i < plan.n_constraints; i++)
    if (plan.constraints[i].use)
      {
        info->aConstraintUsage[places[i]].argvIndex = ++n_arguments;
        g_string_append_printf (text, " %d,%d", plan.constraints[i].column, (int)plan.constraints[i].kind);
      }
  info->idxNum = plan.mode;
  info->idxStr = sqlite3_mprintf ("%s", text->str);
  info->needToFreeIdxStr = 1;
  info->orderByConsumed = plan.n_order > 0 && plan.ordered;
  info->estimatedCost = plan.cost;
  info->estimatedRows = (sqlite3_int64)MAX (plan.rows, 1);
  info->idxFlags = plan.unique ? SQLITE_INDEX_SCAN_UNIQUE : 0;
  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static int
open_cursor (sqlite3_vtab *base, sqlite3_vtab_cursor **result)
{
  Module *module = ((Table *)base)->module;
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->cursor = module->table->open (module->data);
  *result = &cursor->base;
  return SQLITE_OK;
}

static Module *
module_of (Cursor *cursor)
{
  return ((Table *)cursor->base.pVtab)->module;
}

static int
close_cursor (sqlite3_vtab_cursor *base)
{
  Cursor *cursor = (Cursor *)base;

  module_of (cursor)->table->close (cursor->cursor);
  g_free (cursor->values);
  g_free (cursor);
  return SQLITE_OK;
}

/* The constraint on integers that is the same as one with this value. */
static void
round_value (LcConstraintValue *value)
{
  const double limit = 9223372036854775808.0;
  double real = value->real;
  gboolean up = value->kind == LC_CONSTRAINT_GREATER_EQUAL || value->kind == LC_CONSTRAINT_LESS;

  real = up ? ceil (real) : floor (real);
  if (real >= -limit && real < limit)
    {
      value->integer = (gint64)real;
      return;
    }
  value->integer = real < 0 ? G_MININT64 : G_MAXINT64;
  /* Beyond all integers: none of them is left, or all. */
  if (real < 0 && value->kind == LC_CONSTRAINT_GREATER)
    value->kind = LC_CONSTRAINT_GREATER_EQUAL;
  else if (real > 0 && value->kind == LC_CONSTRAINT_LESS)
    value->kind = LC_CONSTRAINT_LESS_EQUAL;
}

static void
take_value (LcConstraintValue *value, sqlite3_value *given)
{
  switch (sqlite3_value_type (given))
    {
    case SQLITE_INTEGER:
      value->type = LC_VALUE_INT;
      value->integer = sqlite3_value_int64 (given);
      value->real = (double)value->integer;
      break;
    case SQLITE_FLOAT:
      value->type = LC_VALUE_REAL;
      value->real = sqlite3_value_double (given);
      round_value (value);
      break;
    case SQLITE_TEXT:
      value->type = LC_VALUE_TEXT;
      value->text = (const char *)sqlite3_value_text (given);
      break;
    case SQLITE_NULL:
      value->type = LC_VALUE_NULL;
      break;
    default:
      value->type = LC_VALUE_BLOB;
      break;
    }
}

static int
filter_cursor (sqlite3_vtab_cursor *base, int mode, const char *plan, int n_arguments, sqlite3_value **arguments)
{
  Cursor *cursor = (Cursor *)base;
  Module *module = module_of (cursor);
  GError *error = NULL;
  char *at = NULL;
  guint64 columns_used = g_ascii_strtoull (plan, &at, 16);

  if (cursor->room < (gsize)n_arguments)
    {
      cursor->room = (gsize)n_arguments;
      cursor->values = g_renew (LcConstraintValue, cursor->values, cursor->room);
    }
  for (int i = 0; i < n_arguments; i++)
    {
      LcConstraintValue *value = &cursor->values[i];

      *value = (LcConstraintValue){0};
      value->column = (int)g_ascii_strtoll (at + 1, &at, 10);
      value->kind = (LcConstraintKind)g_ascii_strtoll (at + 1, &at, 10);
      take_value (value, arguments[i]);
    }
  if (module->table->filter (cursor->cursor, mode, cursor->values, (gsize)n_arguments, columns_used, &error))
    return SQLITE_OK;
  return take_error (module, &base->pVtab->zErrMsg, error);
}

static int
next_row (sqlite3_vtab_cursor *base)
{
  Cursor *cursor = (Cursor *)base;
  Module *module = module_of (cursor);
  GError *error = NULL;

  if (module->table->next (cursor->cursor, &error))
    return SQLITE_OK;
  return take_error (module, &base->pVtab->zErrMsg, error);
}

static int
is_at_end (sqlite3_vtab_cursor *base)
{
  Cursor *cursor = (Cursor *)base;

  return module_of (cursor)->table->is_at_end (cursor->cursor);
}

static int
get_column (sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
  Cursor *cursor = (Cursor *)base;

  module_of (cursor)->table->column (cursor->cursor, column, (LcTableOutput *)context);
  return SQLITE_OK;
}

static int
get_row (sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
  Cursor *cursor = (Cursor *)base;

  *row = module_of (cursor)->table->row (cursor->cursor);
  return SQLITE_OK;
}

void
lc_table_output_int (LcTableOutput *output, gint64 value)
{
  sqlite3_result_int64 ((sqlite3_context *)output, value);
}

void
lc_table_output_real (LcTableOutput *output, double value)
{
  sqlite3_result_double ((sqlite3_context *)output, value);
}

void
lc_table_output_text (LcTableOutput *output, const char *text)
{
  sqlite3_result_text ((sqlite3_context *)output, text, -1, SQLITE_TRANSIENT);
}

void
lc_table_output_static_text (LcTableOutput *output, const char *text)
{
  sqlite3_result_text ((sqlite3_context *)output, text, -1, SQLITE_STATIC);
}

void
lc_table_output_null (LcTableOutput *output)
{
  sqlite3_result_null ((sqlite3_context *)output);
}

/* Without a way to create it, a table is there under its module's name. */
static const sqlite3_module table_methods = {
    .xConnect = connect_table,
    .xBestIndex = plan_query,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_cursor,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = get_column,
    .xRowid = get_row,
};

static void
free_module (void *data)
{
  Module *module = data;
  LcDatabase *database = module->database;

  if (module->destroy != NULL)
    module->destroy (module->data);
  g_free (module);
  database->n_modules--;
  if (database->borrowed && database->n_modules == 0)
    free_database (database);
}

gboolean
lc_database_add_table (LcDatabase *database, const LcVirtualTable *table, gpointer data, GDestroyNotify destroy,
                       GError **error)
{
  Module *module = g_new0 (Module, 1);
  int result;

  *module = (Module){database, table, data, destroy};
  database->n_modules++;
  result = sqlite3_create_module_v2 (database->handle, table->name, &table_methods, module, free_module);
  if (result != SQLITE_OK)
    set_error (database, result, error);
  return result == SQLITE_OK;
}

#ifdef LC_SQLITE_EXTENSION

/* --- The extension for other programs ---------------------------------------------------------------------- */

/* The tables `event`, `arc` and `span` in a database that another program has opened, if it is a history. */
static int
add_to (sqlite3 *handle, char **message)
{
  const char *path = sqlite3_db_filename (handle, "main");
  LcDatabase *database = new_database (path != NULL && *path != '\0' ? path : "main");
  g_autoptr (GError) error = NULL;

  database->handle = handle;
  database->borrowed = TRUE;
  database->n_modules = 1; /* until we are done */
  if (!lc_tables_add (database, &error))
    *message = sqlite3_mprintf ("%s", error->message);
  if (--database->n_modules == 0)
    free_database (database);
  /* GLib cannot be unloaded. */
  return error == NULL ? SQLITE_OK_LOAD_PERMANENTLY : SQLITE_ERROR;
}

__attribute__ ((visibility ("default"))) int sqlite3_extension_init (sqlite3 *handle, char **message,
                                                                     const sqlite3_api_routines *api);
__attribute__ ((visibility ("default"))) int sqlite3_lightconesql_init (sqlite3 *handle, char **message,
                                                                        const sqlite3_api_routines *api);

int
sqlite3_extension_init (sqlite3 *handle, char **message, const sqlite3_api_routines *api)
{
  SQLITE_EXTENSION_INIT2 (api);
  if (sqlite3_libversion_number () < 3040000)
    {
      *message = sqlite3_mprintf ("lightcone needs SQLite 3.40 or later");
      return SQLITE_ERROR;
    }
  return add_to (handle, message);
}

/* What the file's name stands for. */
int
sqlite3_lightconesql_init (sqlite3 *handle, char **message, const sqlite3_api_routines *api)
{
  return sqlite3_extension_init (handle, message, api);
}

#endif
