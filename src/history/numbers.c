/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes numbers and sealed bytes. */
#include "numbers.h"

#include <string.h>

#include "block.h"

void
lc_seal_begin (GByteArray *bytes, guint8 kind)
{
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, &kind, LC_SEAL_BEFORE);
}

void
lc_seal_set (GByteArray *bytes)
{
  guint64 checksum = GUINT64_TO_LE (lc_checksum (bytes->data, bytes->len));

  G_STATIC_ASSERT (sizeof checksum == LC_SEAL_AFTER);
  g_byte_array_append (bytes, (const guint8 *)&checksum, sizeof checksum);
}

gboolean
lc_seal_open (LcNumbers *numbers, const guint8 *bytes, gsize size, guint8 kind)
{
  guint64 checksum;

  if (size < LC_SEAL_BEFORE + LC_SEAL_AFTER || bytes[0] != kind)
    return FALSE;
  size -= sizeof checksum;
  memcpy (&checksum, bytes + size, sizeof checksum);
  if (GUINT64_FROM_LE (checksum) != lc_checksum (bytes, size))
    return FALSE;
  *numbers = (LcNumbers){.at = bytes + LC_SEAL_BEFORE, .end = bytes + size};
  return TRUE;
}

guint64
lc_number_read_long (LcNumbers *numbers)
{
  guint64 number = 0;

  for (guint shift = 0; shift < 64 && numbers->at < numbers->end; shift += 7)
    {
      guint8 byte = *numbers->at++;

      number |= (guint64)(byte & 0x7f) << shift;
      if (byte < 0x80)
        return number;
    }
  numbers->bad = TRUE;
  return 0;
}

void
lc_number_append (GByteArray *bytes, guint64 number)
{
  guint8 written[LC_NUMBER_SIZE];

  g_byte_array_append (bytes, written, (guint)(lc_number_write (written, number) - written));
}
