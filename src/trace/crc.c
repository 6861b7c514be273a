/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum CRC-32 of ISO 3309. */
#include "crc.h"

#define POLYNOMIAL 0xedb88320u

static guint32
crc_make_entry (guint32 byte)
{
  guint32 entry = byte;

  for (int bit = 0; bit < 8; bit++)
    entry = (entry >> 1) ^ (entry % 2 != 0 ? POLYNOMIAL : 0);
  return entry;
}

guint32
lc_crc (guint32 before, gconstpointer bytes, gsize n_bytes)
{
  const guint8 *at = bytes;
  guint32 crc = ~before, table[256];

  for (guint32 i = 0; i < G_N_ELEMENTS (table); i++)
    table[i] = crc_make_entry (i);
  for (gsize i = 0; i < n_bytes; i++)
    crc = (crc >> 8) ^ table[(crc ^ at[i]) & 0xff];
  return ~crc;
}
