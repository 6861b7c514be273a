/* SPDX-License-Identifier: Apache-2.0 */
/* Translates between SQLite's virtual tables and LcVirtualTable. */
#include <math.h>

#include "database-private.h"
#include "lightcone/history.h"

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

/* Returns the SQLite code for an error, and keeps the error itself for lc_database_set_error. */
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
database_tables_kind_of (int operator)
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

/* Describes SQLite's query as a plan; `places` maps each of our constraints to SQLite's. */
static void
describe_query (const sqlite3_index_info *info, LcTablePlan *plan, int *places)
{
  plan->columns_used = info->colUsed;
  for (int i = 0; i < info->nConstraint; i++)
    {
      int column = info->aConstraint[i].iColumn, kind = database_tables_kind_of (info->aConstraint[i].op);

      if (column < 0)
        continue;
      /* The column of LIMIT and OFFSET means nothing. */
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

/* Turns a constraint with a real value into the equivalent one with an integer. */
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
  /* A value beyond all integers excludes either all of them or none. */
  if (real < 0 && value->kind == LC_CONSTRAINT_GREATER)
    value->kind = LC_CONSTRAINT_GREATER_EQUAL;
  else if (real > 0 && value->kind == LC_CONSTRAINT_LESS)
    value->kind = LC_CONSTRAINT_LESS_EQUAL;
}

static void
database_tables_take_value (LcConstraintValue *value, sqlite3_value *given)
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
      database_tables_take_value (value, arguments[i]);
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
database_tables_is_at_end (sqlite3_vtab_cursor *base)
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
database_tables_get_row (sqlite3_vtab_cursor *base, sqlite3_int64 *row)
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

/* A module without xCreate is a table that exists under the module's name. */
static const sqlite3_module table_methods = {
    .xConnect = connect_table,
    .xBestIndex = plan_query,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_cursor,
    .xNext = next_row,
    .xEof = database_tables_is_at_end,
    .xColumn = get_column,
    .xRowid = database_tables_get_row,
};

void
lc_database_drop_user (LcDatabase *database)
{
  database->n_modules--;
  if (database->borrowed && database->n_modules == 0)
    lc_database_free (database);
}

static void
free_module (void *data)
{
  Module *module = data;
  LcDatabase *database = module->database;

  if (module->destroy != NULL)
    module->destroy (module->data);
  g_free (module);
  lc_database_drop_user (database);
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
    lc_database_set_error (database, result, error);
  return result == SQLITE_OK;
}
