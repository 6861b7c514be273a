/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as bytes, fewer for smaller ones; and sealed bytes, which carry their kind and a checksum. */
#ifndef LC_HISTORY_NUMBERS_H
#define LC_HISTORY_NUMBERS_H

#include <glib.h>

/* The most bytes of one number. */
#define LC_NUMBER_SIZE 10

/* A byte for kind and version precedes the contents, and 8 bytes of checksum follow. */
#define LC_SEAL_BEFORE 1
#define LC_SEAL_AFTER 8

typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean bad; /* reading went beyond the end, and gave 0 */
} LcNumbers;

/* lc_seal_begin empties the array; lc_seal_set seals it when the contents are complete. */
void lc_seal_begin (GByteArray *bytes, guint8 kind);
void lc_seal_set (GByteArray *bytes);

/* FALSE: the bytes were not sealed as this kind. */
gboolean lc_seal_open (LcNumbers *numbers, const guint8 *bytes, gsize size, guint8 kind);

guint64 lc_number_read_long (LcNumbers *numbers);
void lc_number_append (GByteArray *bytes, guint64 number);

static inline guint8 *
lc_number_write (guint8 *at, guint64 number)
{
  while (number >= 0x80)
    {
      *at++ = (guint8)(number | 0x80);
      number >>= 7;
    }
  *at++ = (guint8)number;
  return at;
}

static inline guint64
lc_number_read (LcNumbers *numbers)
{
  if (G_LIKELY (numbers->at < numbers->end && *numbers->at < 0x80))
    return *numbers->at++;
  return lc_number_read_long (numbers);
}

static inline guint8
lc_number_read_byte (LcNumbers *numbers)
{
  if (G_LIKELY (numbers->at < numbers->end))
    return *numbers->at++;
  numbers->bad = TRUE;
  return 0;
}

/* Maps small differences of either sign to small numbers. */
static inline guint64
lc_number_fold (guint64 difference)
{
  return (difference << 1) ^ (guint64)((gint64)difference >> 63);
}

static inline guint64
lc_number_unfold (guint64 folded)
{
  return (folded >> 1) ^ (0 - (folded & 1));
}

#endif
