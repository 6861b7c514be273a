/* SPDX-License-Identifier: Apache-2.0 */
/* The SQLite extension that gives other programs the tables of a history, and functions on them. */
#define LC_SQLITE_EXTENSION_MAIN
#include "database-functions.h"
#include "tables.h"

SQLITE_EXTENSION_INIT1

/* Adds the tables `event`, `arc` and so on, and the functions, to a database that another program has opened, if it is
 * a history. */
static int
database_extension_add_to (sqlite3 *handle, char **message)
{
  const char *path = sqlite3_db_filename (handle, "main");
  LcDatabase *database = lc_database_new (path != NULL && *path != '\0' ? path : "main");
  g_autoptr (GError) error = NULL;

  database->handle = handle;
  database->borrowed = TRUE;
  database->n_modules = 1; /* keeps the database alive until we are done */
  if (!lc_tables_add (database, &error))
    *message = sqlite3_mprintf ("%s", error->message);
  else if (lc_database_add_pack (database) != SQLITE_OK || lc_database_add_mark_functions (database) != SQLITE_OK)
    {
      g_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", sqlite3_errmsg (handle));
      *message = sqlite3_mprintf ("%s", error->message);
    }
  lc_database_drop_user (database);
  /* GLib cannot be unloaded, so neither can the extension. */
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
  return database_extension_add_to (handle, message);
}

/* SQLite derives this name from the file's name. */
int
sqlite3_lightconesql_init (sqlite3 *handle, char **message, const sqlite3_api_routines *api)
{
  return sqlite3_extension_init (handle, message, api);
}
