/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a history that are not rows: event, arc and span. docs/sql.md explains them. */
#ifndef LC_HISTORY_TABLES_H
#define LC_HISTORY_TABLES_H

#include "database.h"

/*
 * Adds them to an open database. FALSE with LC_HISTORY_ERROR when it is no history; they then stay away. What they
 * read with is opened when they are first used, and closed with the database.
 */
gboolean lc_tables_add (LcDatabase *database, GError **error);

/* Their names, and the statements that they could have been created with; NULL-terminated. */
extern const char *const lc_tables_names[];
const char *lc_tables_get_declaration (const char *name);

#endif
