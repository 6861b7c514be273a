/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual tables of a history. docs/sql.md explains them. */
#ifndef LC_HISTORY_TABLES_H
#define LC_HISTORY_TABLES_H

#include "database.h"

/* Adds the tables to an open database. FALSE with LC_HISTORY_ERROR if it is no history; then it gets no tables. The
 * history that the tables read is opened on their first use, and closed with the database. */
gboolean lc_tables_add (LcDatabase *database, GError **error);

/* The names of the tables, NULL-terminated, and statements that could have created them. */
extern const char *const lc_tables_names[];
const char *lc_tables_get_declaration (const char *name);

#endif
