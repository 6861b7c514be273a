/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a statement to standard output: aligned for people, or as CSV or JSON. */
#ifndef LC_CLI_SQL_OUTPUT_H
#define LC_CLI_SQL_OUTPUT_H

#include "history/database.h"
#include "report/rows.h"

/* Runs a statement to its end. Rows found before an error have been written. */
gboolean lc_sql_print (LcStatement *statement, LcFormat format, GError **error);

#endif
