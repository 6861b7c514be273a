/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that know SQLite share: the library's header, and what a database is. */
#ifndef LC_HISTORY_DATABASE_PRIVATE_H
#define LC_HISTORY_DATABASE_PRIVATE_H

#include "database.h"

/* An extension calls the SQLite that has loaded it. */
#ifdef LC_SQLITE_EXTENSION
#include <sqlite3ext.h>
#ifndef LC_SQLITE_EXTENSION_MAIN
SQLITE_EXTENSION_INIT3
#endif
#else
#include <sqlite3.h>
#endif

struct _LcDatabase
{
  sqlite3 *handle;
  char *path;
  guint running;        /* statements between their first step and their end */
  GCancellable *cancel; /* what lc_database_interrupt cancels, until lc_database_resume */
  GError *table_error;  /* of a table, on its way through SQLite */
  guint n_modules;      /* tables; what belongs to somebody else lives as long as it has any */
  gboolean borrowed;
  guint64 most_rows; /* that a statement may find; 0: any number */
  int looks_left;    /* of the progress handler, before it interrupts by itself; -1: any number */
};

/* Without a handle. */
LcDatabase *lc_database_new (const char *path);

/* What is left when its handle is closed, or belongs to somebody else. */
void lc_database_free (LcDatabase *database);

void lc_database_set_error (LcDatabase *database, int result, GError **error);

/* The name of the file system whose files are descriptors: the name of a file is its number. */
const char *lc_database_file_system (void);

#endif
