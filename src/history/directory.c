/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a process's blocks as bytes: columns of differences, 512 entries at a time. */
#include "directory.h"

#include "column.h"

/*
 * byte 0      VERSION
 * byte 1-8    n_events; there are as many entries as these have blocks
 *             for each 512 entries, columns of: row, less the one before; first begin, less the last end before it;
 *             last end less that; first layer, less the last layer before it; last layer less that
 *             checksum of all of that (8 bytes)
 */
enum
{
  VERSION = 1,
  HEAD = 9,
  CHECKSUM = 8,
  CHUNK = LC_COLUMN_ROOM,
  COLUMNS = 5,
};

/* The upper bits of a row's number are its timeline. */
#define MOST_ROWS (G_GUINT64_CONSTANT (1) << 55)

G_STATIC_ASSERT (CHECKSUM >= LC_COLUMN_SLACK);

LcDirectory *
lc_directory_new (void)
{
  LcDirectory *directory = g_new0 (LcDirectory, 1);

  directory->entries = g_array_new (FALSE, FALSE, sizeof (LcDirectoryEntry));
  return directory;
}

void
lc_directory_free (LcDirectory *directory)
{
  if (directory == NULL)
    return;
  g_array_unref (directory->entries);
  g_free (directory);
}

static guint64
directory_count_blocks (guint64 n_events)
{
  return n_events / LC_BLOCK_EVENTS + (n_events % LC_BLOCK_EVENTS != 0);
}

static void
put_chunk (const LcDirectoryEntry *entries, guint n, LcDirectoryEntry before, GByteArray *bytes)
{
  guint64 columns[COLUMNS][CHUNK];

  for (guint i = 0; i < n; i++)
    {
      columns[0][i] = entries[i].row - before.row;
      columns[1][i] = entries[i].first_begin - before.last_end;
      columns[2][i] = entries[i].last_end - entries[i].first_begin;
      columns[3][i] = entries[i].first_layer - before.last_layer;
      columns[4][i] = entries[i].last_layer - entries[i].first_layer;
      before = entries[i];
    }
  for (guint i = 0; i < COLUMNS; i++)
    lc_column_put_signed (bytes, columns[i], n);
}

void
lc_directory_encode (const LcDirectory *directory, GByteArray *bytes)
{
  const LcDirectoryEntry *entries = (const LcDirectoryEntry *)(const void *)directory->entries->data;
  guint start = bytes->len, n_entries = directory->entries->len;

  g_return_if_fail (n_entries == directory_count_blocks (directory->n_events));

  lc_word_append (bytes, VERSION, 1);
  lc_word_append (bytes, directory->n_events, 8);
  for (guint done = 0; done < n_entries; done += CHUNK)
    put_chunk (entries + done, MIN (n_entries - done, CHUNK),
               done > 0 ? entries[done - 1] : (LcDirectoryEntry){.row = 0}, bytes);
  lc_word_append (bytes, lc_checksum (bytes->data + start, bytes->len - start), CHECKSUM);
}

/* Lookups by place and computed durations rely on this order. */
static gboolean
can_follow (const LcDirectoryEntry *before, const LcDirectoryEntry *entry)
{
  return entry->row < MOST_ROWS && before->last_end <= entry->first_begin && entry->first_begin <= entry->last_end &&
         entry->last_end <= LC_HISTORY_MOST && before->last_layer <= entry->first_layer &&
         entry->first_layer <= entry->last_layer && entry->last_layer <= LC_HISTORY_MOST;
}

static gboolean
get_chunk (LcColumnReader *reader, LcDirectoryEntry *entries, guint n, LcDirectoryEntry before)
{
  guint64 columns[COLUMNS][CHUNK];

  for (guint i = 0; i < COLUMNS; i++)
    if (!lc_column_get (reader, columns[i], n))
      return FALSE;
  for (guint i = 0; i < n; i++)
    {
      LcDirectoryEntry entry = {.row = before.row + columns[0][i]};

      entry.first_begin = before.last_end + columns[1][i];
      entry.last_end = entry.first_begin + columns[2][i];
      entry.first_layer = before.last_layer + columns[3][i];
      entry.last_layer = entry.first_layer + columns[4][i];
      if (!can_follow (&before, &entry))
        return FALSE;
      entries[i] = before = entry;
    }
  return TRUE;
}

static gboolean
get_entries (LcColumnReader *reader, LcDirectory *directory)
{
  LcDirectoryEntry before = {0};
  guint64 n_entries = directory_count_blocks (directory->n_events);
  guint n;

  /* Each column takes at least 2 bytes, so a larger number of entries is damage. */
  if (n_entries / CHUNK > (gsize)(reader->end - reader->at) / (2 * COLUMNS) || n_entries > G_MAXINT32)
    return FALSE;
  g_array_set_size (directory->entries, (guint)n_entries);
  for (guint done = 0; done < n_entries; done += n)
    {
      LcDirectoryEntry *entries = &g_array_index (directory->entries, LcDirectoryEntry, done);

      n = (guint)MIN (n_entries - done, CHUNK);
      if (!get_chunk (reader, entries, n, before))
        return FALSE;
      before = entries[n - 1];
    }
  return reader->at == reader->end;
}

LcDirectory *
lc_directory_decode (const guint8 *bytes, gsize size)
{
  g_autoptr (LcDirectory) directory = NULL;
  LcColumnReader reader;

  if (size < HEAD + CHECKSUM || bytes[0] != VERSION ||
      lc_word_get (bytes + size - CHECKSUM) != lc_checksum (bytes, size - CHECKSUM))
    return NULL;
  reader = (LcColumnReader){bytes + 1, bytes + size - CHECKSUM};
  directory = lc_directory_new ();
  if (!lc_word_read (&reader, &directory->n_events, 8) || !get_entries (&reader, directory))
    return NULL;
  return g_steal_pointer (&directory);
}

guint
lc_directory_find_time (const LcDirectory *directory, guint64 time)
{
  const LcDirectoryEntry *entries = (const LcDirectoryEntry *)(const void *)directory->entries->data;
  guint low = 0, high = directory->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (entries[middle].last_end < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint
lc_directory_find_layer (const LcDirectory *directory, guint64 layer)
{
  const LcDirectoryEntry *entries = (const LcDirectoryEntry *)(const void *)directory->entries->data;
  guint low = 0, high = directory->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (entries[middle].last_layer < layer)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
