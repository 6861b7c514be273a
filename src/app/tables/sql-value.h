/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a result of SQL. */
#ifndef LC_APP_SQL_VALUE_H
#define LC_APP_SQL_VALUE_H

#include "history/database.h"

typedef struct
{
  LcValueType type; /* bytes are a text, of hexadecimal digits */
  union
  {
    gint64 integer;
    double real;
  };
  const char *text; /* of a text, or a real number as SQLite writes it */
} LcSqlValue;

#endif
