/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes the buckets of a chunk. */
#include "pyramid-chunk.h"

#include <string.h>

#include "column.h"
#include "lightcone/states.h"
#include "numbers.h"

enum
{
  BUCKET_SIZE = 1 + 1 + 1 + LC_PARTS * LC_NUMBER_SIZE, /* bytes of a bucket with the runs before it, at most */
  FEW = 32,                                            /* columns do not make so few bytes shorter */
};

static void
pyramid_chunk_append (LcPyramidChunkBuilder *builder, const guint8 *written, gsize size)
{
  if (builder->size + size > builder->room)
    {
      builder->room = (guint16)(builder->size + size + builder->size / 2 + 24);
      builder->bytes = g_realloc (builder->bytes, builder->room);
    }
  memcpy (builder->bytes + builder->size, written, size);
  builder->size = (guint16)(builder->size + size);
}

static guint8 *
write_repeat (LcPyramidChunkBuilder *builder, guint8 *at)
{
  if (builder->repeat > 0)
    *at++ = (guint8)(LC_CHUNK_RUN | LC_CHUNK_REPEATED | (builder->repeat - 1));
  builder->repeat = 0;
  return at;
}

static guint8 *
write_part (guint8 *at, guint8 *control, guint shift, guint64 part, gboolean is_full)
{
  if (part == 0)
    return at;
  *control |= (guint8)((is_full ? LC_CHUNK_FULL : LC_CHUNK_NUMBER) << shift);
  return is_full ? at : lc_number_write (at, part);
}

/* Writes waiting, and the further states if there are any. */
static guint8 *
write_states (guint8 *at, guint8 *control, gboolean is_full, const LcSummaryBucket *bucket)
{
  const guint64 more[LC_CHUNK_MORE_STATES] = {
      bucket->woken,       bucket->preempted,   bucket->outside,     bucket->unseen,
      bucket->exchange[0], bucket->exchange[1], bucket->exchange[2],
  };
  guint bits = 0;

  for (guint i = 0; i < LC_CHUNK_MORE_STATES; i++)
    bits |= (more[i] != 0) << i;
  if (bits == 0)
    return write_part (at, control, LC_CHUNK_WAITING_SHIFT, bucket->waiting, is_full);
  *control |= LC_CHUNK_MORE << LC_CHUNK_WAITING_SHIFT;
  at = lc_number_write (at, bucket->waiting);
  at = lc_number_write (at, bits);
  for (guint i = 0; i < LC_CHUNK_MORE_STATES; i++)
    if (more[i] != 0)
      at = lc_number_write (at, more[i]);
  return at;
}

static guint8 *
write_bucket (LcPyramidChunkBuilder *builder, guint8 *at, guint width, const LcSummaryBucket *bucket)
{
  gboolean timed = width != LC_PYRAMID_NO_WIDTH;
  guint64 full = timed ? G_GUINT64_CONSTANT (1) << width : 0, there = lc_summary_bucket_get_alive (bucket);
  guint8 *control = at++;

  *control = 0;
  at = write_states (at, control, timed && bucket->waiting == full, bucket);
  at = write_part (at, control, LC_CHUNK_RUNNING_SHIFT, bucket->running, timed && there == full);
  at = write_part (at, control, LC_CHUNK_HOLDING_SHIFT, bucket->holding, bucket->holding == there);
  if (bucket->events == 0)
    return at;
  *control |= LC_CHUNK_EVENTS;
  at = lc_number_write (at, bucket->events - 1);
  at = lc_number_write (at, bucket->longest);
  at = lc_number_write (at, bucket->longest_ordinal - builder->ordinal);
  builder->ordinal = bucket->longest_ordinal;
  return at;
}

static gboolean
repeats_last (const LcPyramidChunkBuilder *builder, const LcSummaryBucket *bucket)
{
  const LcSummaryBucket *last = &builder->last;

  return bucket->running == last->running && bucket->waiting == last->waiting && bucket->woken == last->woken &&
         bucket->preempted == last->preempted && bucket->outside == last->outside && bucket->unseen == last->unseen &&
         bucket->holding == last->holding && memcmp (bucket->exchange, last->exchange, sizeof last->exchange) == 0;
}

void
lc_pyramid_chunk_put (LcPyramidChunkBuilder *builder, guint width, guint place, guint count,
                      const LcSummaryBucket *bucket)
{
  guint8 written[BUCKET_SIZE], *at;

  if (builder->repeats && place == builder->next && bucket->events == 0 && repeats_last (builder, bucket))
    {
      builder->repeat = (guint8)(builder->repeat + count);
      builder->next = (guint8)(place + count);
      return;
    }
  at = write_repeat (builder, written);
  if (place > builder->next)
    *at++ = (guint8)(LC_CHUNK_RUN | (place - builder->next - 1));
  at = write_bucket (builder, at, width, bucket);
  pyramid_chunk_append (builder, written, (gsize)(at - written));
  builder->repeats = bucket->events == 0;
  builder->last = *bucket;
  builder->repeat = (guint8)(count - 1);
  builder->next = (guint8)(place + count);
}

void
lc_pyramid_chunk_complete (LcPyramidChunkBuilder *builder)
{
  guint8 written[1];

  pyramid_chunk_append (builder, written, (gsize)(write_repeat (builder, written) - written));
}

void
lc_pyramid_chunk_begin (LcPyramidChunkBuilder *builder)
{
  *builder = (LcPyramidChunkBuilder){.bytes = builder->bytes, .room = builder->room};
}

void
lc_pyramid_chunk_clear (LcPyramidChunkBuilder *builder)
{
  g_free (builder->bytes);
  *builder = (LcPyramidChunkBuilder){0};
}

/* Splits the contents into items and their numbers; returns the number of items. */
static guint
pyramid_chunk_split (const guint8 *contents, gsize size, guint8 *items, guint64 numbers[LC_PARTS][LC_PYRAMID_CHUNK],
                     guint n_numbers[LC_PARTS])
{
  LcNumbers reader = {.at = contents, .end = contents + size};
  guint n = 0;

  while (reader.at < reader.end)
    {
      guint8 item = items[n++] = lc_number_read_byte (&reader);
      guint64 more = 0, number;

      for (guint part = 0; part < LC_PARTS && !(item & LC_CHUNK_RUN); part++)
        if (lc_chunk_has_number (item, more, part))
          {
            numbers[part][n_numbers[part]++] = number = lc_number_read (&reader);
            more = part == LC_PART_MORE ? number : more;
          }
    }
  return n;
}

static void
append_columns (GByteArray *bytes, const guint8 *contents, gsize size)
{
  guint64 numbers[LC_PARTS][LC_PYRAMID_CHUNK];
  guint n_numbers[LC_PARTS] = {0}, n;
  guint8 items[LC_CHUNK_ITEMS];

  n = pyramid_chunk_split (contents, size, items, numbers, n_numbers);
  lc_number_append (bytes, n);
  g_byte_array_append (bytes, items, n);
  for (guint part = 0; part < LC_PARTS; part++)
    if (n_numbers[part] > 0)
      lc_column_put (bytes, numbers[part], n_numbers[part]);
}

void
lc_pyramid_chunk_seal (guint width, const guint8 *contents, gsize size, GByteArray *bytes)
{
  guint8 byte = (guint8)width;

  lc_seal_begin (bytes, LC_CHUNK_COLUMNS_SEAL);
  g_byte_array_append (bytes, &byte, 1);
  if (size > FEW)
    append_columns (bytes, contents, size);
  if (size <= FEW || bytes->len > LC_SEAL_BEFORE + 1 + size)
    {
      lc_seal_begin (bytes, LC_CHUNK_SEAL);
      g_byte_array_append (bytes, &byte, 1);
      g_byte_array_append (bytes, contents, (guint)size);
    }
  lc_seal_set (bytes);
}
