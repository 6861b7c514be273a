/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of our files: makes them, and checks those of a file that anybody may have made. */
#ifndef LC_HISTORY_SCHEMA_H
#define LC_HISTORY_SCHEMA_H

#include "database.h"

/* PRAGMA user_version and application_id of a file of marks. */
#define LC_MARKS_VERSION 1
#define LC_MARKS_APPLICATION 0x4c434d31 /* "LCM1" */

typedef enum
{
  LC_SCHEMA_HISTORY,
  LC_SCHEMA_MARKS,
} LcSchema;

/* Writes application, version and all tables into an empty database. */
gboolean lc_schema_create (LcDatabase *database, LcSchema schema, GError **error);

/* Checks that a database is a history, or has marks, of this version (else LC_HISTORY_ERROR_VERSION), and that its
 * tables are ours, byte for byte (else LC_HISTORY_ERROR_DAMAGED). Nothing may be queried before, for a foreign table
 * may do anything. */
gboolean lc_schema_check (LcDatabase *database, LcSchema schema, GError **error);

#endif
