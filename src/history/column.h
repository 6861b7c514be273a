/* SPDX-License-Identifier: Apache-2.0 */
/* Columns: up to 512 numbers in as few bits as they need, packed and unpacked at memory speed. */
#ifndef LC_HISTORY_COLUMN_H
#define LC_HISTORY_COLUMN_H

#include <glib.h>
#include <string.h>

/* The most numbers in one column. */
#define LC_COLUMN_ROOM 512

/* Counts and times of a history are at most this, so that sums of a few of them do not overflow. */
#define LC_HISTORY_MOST (G_GUINT64_CONSTANT (1) << 62)

/* Bytes after `end` that can be read, though they are not part of the column: a checksum follows. */
#define LC_COLUMN_SLACK 8

typedef struct
{
  const guint8 *at;
  const guint8 *end;
} LcColumnReader;

/*
 * A column has a base (the smallest number, or 0) and the difference of each number to it, in a width that most of them
 * fit. Wider differences are exceptions: their places and upper bits follow. Use the signed variant for numbers that
 * may be negative.
 */
void lc_column_put (GByteArray *bytes, const guint64 *values, guint n);
void lc_column_put_signed (GByteArray *bytes, const guint64 *values, guint n);

/* For columns with few different numbers: writes indices into a list of these, where that is shorter. */
void lc_column_put_names (GByteArray *bytes, const guint32 *values, guint n);

/* Reads a column; FALSE if the bytes are none. `values` has room for LC_COLUMN_ROOM. */
gboolean lc_column_get (LcColumnReader *reader, guint64 *values, guint n);
gboolean lc_column_get_names (LcColumnReader *reader, guint64 *values, guint n);

static inline guint64
lc_word_get (const guint8 *at)
{
  guint64 word;

  memcpy (&word, at, sizeof word);
  return GUINT64_FROM_LE (word);
}

static inline void
lc_word_put (guint8 *at, guint64 word)
{
  word = GUINT64_TO_LE (word);
  memcpy (at, &word, sizeof word);
}

static inline void
lc_word_append (GByteArray *bytes, guint64 word, guint size)
{
  word = GUINT64_TO_LE (word);
  g_byte_array_append (bytes, (const guint8 *)&word, size);
}

/* Reads a number of `size` bytes, up to 8. */
static inline gboolean
lc_word_read (LcColumnReader *reader, guint64 *word, guint size)
{
  if ((gsize)(reader->end - reader->at) < size)
    return FALSE;
  *word = size == 0 ? 0 : lc_word_get (reader->at) & G_MAXUINT64 >> (64 - 8 * size);
  reader->at += size;
  return TRUE;
}

#endif
