/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that know SQLite: the library's header, and the struct of a database. */
#ifndef LC_HISTORY_DATABASE_PRIVATE_H
#define LC_HISTORY_DATABASE_PRIVATE_H

#include "database.h"

/* An extension must call the SQLite that has loaded it. */
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
  GCancellable *cancel; /* cancelled by lc_database_interrupt, until lc_database_resume */
  GError *table_error;  /* an error of a virtual table, on its way through SQLite */
  guint n_modules;      /* virtual tables and functions; a borrowed database lives as long as it has any */
  gboolean borrowed;
  guint64 most_rows; /* rows that a statement may find; 0: any number */
  int looks_left;    /* calls of the progress handler before it interrupts by itself; -1: any number */
};

/* Makes a database without a handle. */
LcDatabase *lc_database_new (const char *path);

/* Frees the database after its handle was closed, or if the handle belongs to somebody else. */
void lc_database_free (LcDatabase *database);

/* Says that a virtual table or a function has gone: a borrowed database is freed with the last one. */
void lc_database_drop_user (LcDatabase *database);

void lc_database_set_error (LcDatabase *database, int result, GError **error);

/* Sets `name` to that of the file system in which the name of a file is the number of its descriptor. Returns SQLite's
 * result; the next call tries again. */
int lc_database_file_system (const char **name);

#endif
