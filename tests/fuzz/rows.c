/* SPDX-License-Identifier: Apache-2.0 */
/* Changes rows of a database as the bytes of a fuzzer say. */
#include "rows.h"

#include <sqlite3.h>
#include <string.h>

#include "history/block.h"

enum
{
  CHECKSUM = sizeof (guint64),
  MOST_CHANGES = 8,
};

/* What a change begins with; so many bytes of a value follow. */
typedef struct
{
  guint8 table, column, row, kind;
  guint8 size[2];
} Change;

static int
rows_count (sqlite3 *database, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  int count = 0;

  if (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step (statement) == SQLITE_ROW)
    count = sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  return count;
}

static void
rows_bind_value (sqlite3_stmt *statement, guint8 kind, const guint8 *bytes, gsize size)
{
  g_autofree guint8 *copy = g_malloc (size + CHECKSUM);
  guint64 checksum = GUINT64_TO_LE (lc_checksum (bytes, size));
  gint64 number = 0;

  memcpy (&number, bytes, MIN (size, sizeof number));
  memcpy (copy, bytes, size);
  memcpy (copy + size, &checksum, CHECKSUM);
  if (kind == ROWS_NUMBER)
    sqlite3_bind_int64 (statement, 1, number);
  else if (kind == ROWS_TEXT)
    sqlite3_bind_text (statement, 1, (const char *)bytes, (int)size, SQLITE_TRANSIENT);
  else if (kind == ROWS_BLOB || kind == ROWS_CHECKED_BLOB)
    sqlite3_bind_blob (statement, 1, copy, (int)(size + (kind == ROWS_CHECKED_BLOB ? CHECKSUM : 0)), SQLITE_TRANSIENT);
}

/* The first column may be a key without a row's number: rows are counted in the order of the table. */
static void
rows_change_one (sqlite3 *database, const char *const *tables, guint n_tables, const Change *change,
                 const guint8 *bytes, gsize size)
{
  const char *table = tables[change->table % n_tables];
  g_autofree char *counting = g_strdup_printf ("SELECT count(*) FROM %s", table);
  g_autofree char *columns = g_strdup_printf ("SELECT count(*) FROM pragma_table_info('%s')", table);
  int n_rows = rows_count (database, counting), n_columns = rows_count (database, columns);
  guint8 kind = change->kind % ROWS_KINDS;
  sqlite3_stmt *statement = NULL;
  g_autofree char *naming = NULL, *sql = NULL, *name = NULL;

  if (n_rows == 0 || n_columns == 0)
    return;
  naming =
      g_strdup_printf ("SELECT name FROM pragma_table_info('%s') LIMIT 1 OFFSET %d", table, change->column % n_columns);
  if (sqlite3_prepare_v2 (database, naming, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step (statement) == SQLITE_ROW)
    name = g_strdup ((const char *)sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  statement = NULL;
  if (name == NULL)
    return;
  if (strcmp (table, "meta") == 0)
    sql = g_strdup_printf ("UPDATE meta SET \"%s\" = ?1 WHERE key = (SELECT key FROM meta LIMIT 1 OFFSET %d)", name,
                           change->row % n_rows);
  else if (kind == ROWS_DELETED)
    sql = g_strdup_printf ("DELETE FROM %s WHERE rowid = (SELECT rowid FROM %s LIMIT 1 OFFSET %d)", table, table,
                           change->row % n_rows);
  else
    sql = g_strdup_printf ("UPDATE %s SET \"%s\" = ?1 WHERE rowid = (SELECT rowid FROM %s LIMIT 1 OFFSET %d)", table,
                           name, table, change->row % n_rows);
  if (sqlite3_prepare_v2 (database, sql, -1, &statement, NULL) == SQLITE_OK)
    {
      rows_bind_value (statement, kind, bytes, size);
      sqlite3_step (statement);
    }
  sqlite3_finalize (statement);
}

void
rows_change (const char *path, const char *const *tables, guint n_tables, const guint8 *bytes, gsize size)
{
  sqlite3 *database;

  g_assert_cmpint (sqlite3_open (path, &database), ==, SQLITE_OK);
  sqlite3_exec (database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
  for (guint i = 0; i < MOST_CHANGES && size >= sizeof (Change); i++)
    {
      Change change;
      gsize length;

      memcpy (&change, bytes, sizeof change);
      length = MIN ((gsize)(change.size[0] | change.size[1] << 8), size - sizeof change);
      rows_change_one (database, tables, n_tables, &change, bytes + sizeof change, length);
      bytes += sizeof change + length;
      size -= sizeof change + length;
    }
  sqlite3_exec (database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close (database);
}

void
rows_append_change (GByteArray *bytes, guint8 table, guint8 column, guint8 kind, const void *value, guint16 size)
{
  const Change change = {table, column, 0, kind, {size & 0xFF, (guint8)(size >> 8)}};

  g_byte_array_append (bytes, (const guint8 *)&change, sizeof change);
  g_byte_array_append (bytes, value, size);
}
