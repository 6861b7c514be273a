/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as bytes, few for a small one, and bytes under a seal: a checksum and what they are. */
#ifndef LC_HISTORY_NUMBERS_H
#define LC_HISTORY_NUMBERS_H

#include <glib.h>

/* The most bytes of one number. */
#define LC_NUMBER_SIZE 10

/* Before the contents a byte for the kind and version; after them 8 bytes checksum of what is before. */
#define LC_SEAL_BEFORE 1
#define LC_SEAL_AFTER 8

typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean bad; /* something was read that is not there; it was 0 */
} LcNumbers;

/* Begins the array anew, and ends it when the contents are there. */
void lc_seal_begin (GByteArray *bytes, guint8 kind);
void lc_seal_set (GByteArray *bytes);

/* FALSE: these are not bytes that were sealed as of this kind. */
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

/* Small for small differences of either sign. */
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
