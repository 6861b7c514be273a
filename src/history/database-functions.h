/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of SQL that other programs get with the extension. docs/sql.md explains them. */
#ifndef LC_HISTORY_DATABASE_FUNCTIONS_H
#define LC_HISTORY_DATABASE_FUNCTIONS_H

#include "database-private.h"

/* The numbers of a pack of integers without nulls. */
typedef struct
{
  gint64 *all; /* of the caller's, to be freed with g_free */
  guint64 n;
} LcPackedNumbers;

/* Reads a pack, or an integer, which stands for a pack of one. FALSE if it is neither. */
gboolean lc_pack_read (sqlite3_value *value, LcPackedNumbers *numbers);

/* Add functions to a borrowed database, which lives as long as they do; the result is a code of SQLite. */
int lc_database_add_pack (LcDatabase *database);
int lc_database_add_mark_functions (LcDatabase *database);

#endif
