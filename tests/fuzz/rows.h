/* SPDX-License-Identifier: Apache-2.0 */
/* Changes rows of a database as the bytes of a fuzzer say. */
#ifndef LC_TESTS_FUZZ_ROWS_H
#define LC_TESTS_FUZZ_ROWS_H

#include <glib.h>

/* The kinds of values that a change gives. */
enum
{
  ROWS_NUMBER,
  ROWS_TEXT,
  ROWS_BLOB,
  ROWS_CHECKED_BLOB,
  ROWS_NULL_VALUE,
  ROWS_DELETED,
  ROWS_KINDS,
};

/* Changes rows of these tables; bytes that make no change are passed over. */
void rows_change (const char *path, const char *const *tables, guint n_tables, const guint8 *bytes, gsize size);

/* Appends a change of the first row of a table. */
void rows_append_change (GByteArray *bytes, guint8 table, guint8 column, guint8 kind, const void *value, guint16 size);

#endif
