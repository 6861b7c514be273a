/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a history: made, and compared with those of a file that anybody may have made. */
#ifndef LC_HISTORY_SCHEMA_H
#define LC_HISTORY_SCHEMA_H

#include "database.h"

/* Application, version and all tables, in an empty database. */
gboolean lc_schema_create (LcDatabase *database, GError **error);

/*
 * Whether a database is a history of this version (else LC_HISTORY_ERROR_VERSION), and its tables are ours, byte for
 * byte (else LC_HISTORY_ERROR_DAMAGED): nothing of it may be asked before, for a table may be anything.
 */
gboolean lc_schema_check (LcDatabase *database, GError **error);

#endif
