/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a history: makes them, and checks those of a file that anybody may have made. */
#ifndef LC_HISTORY_SCHEMA_H
#define LC_HISTORY_SCHEMA_H

#include "database.h"

/* Writes application, version and all tables into an empty database. */
gboolean lc_schema_create (LcDatabase *database, GError **error);

/* Checks that a database is a history of this version (else LC_HISTORY_ERROR_VERSION), and that its tables are ours,
 * byte for byte (else LC_HISTORY_ERROR_DAMAGED). Nothing may be queried before, for a foreign table may do anything. */
gboolean lc_schema_check (LcDatabase *database, GError **error);

#endif
