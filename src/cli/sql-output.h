/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a statement finds to standard output: aligned for people, or as CSV or JSON. */
#ifndef LC_CLI_SQL_OUTPUT_H
#define LC_CLI_SQL_OUTPUT_H

#include "history/database.h"
#include "rows.h"

/* Runs it to its end. What it found before an error has been written. */
gboolean lc_sql_print (LcStatement *statement, LcFormat format, GError **error);

#endif
