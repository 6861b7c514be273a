/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the buckets of a chunk; encodes and decodes the shape of a pyramid. */
#include <string.h>

#include "column.h"
#include "lightcone/states.h"
#include "numbers.h"
#include "pyramid-chunk.h"

/* --- The shape --------------------------------------------------------------------------------------------- */

void
lc_pyramid_shape_encode (const LcPyramidShape *shape, GByteArray *bytes)
{
  lc_seal_begin (bytes, LC_SHAPE_SEAL);
  for (guint axis = 0; axis < G_N_ELEMENTS (shape->lowest); axis++)
    {
      lc_number_append (bytes, shape->lowest[axis]);
      lc_number_append (bytes, shape->highest[axis] - shape->lowest[axis]);
    }
  lc_number_append (bytes, shape->begin);
  lc_number_append (bytes, shape->end - shape->begin);
  lc_seal_set (bytes);
}

gboolean
lc_pyramid_shape_decode (LcPyramidShape *shape, const guint8 *bytes, gsize size)
{
  LcNumbers numbers;

  if (!lc_seal_open (&numbers, bytes, size, LC_SHAPE_SEAL))
    return FALSE;
  for (guint axis = 0; axis < G_N_ELEMENTS (shape->lowest); axis++)
    {
      guint64 lowest = lc_number_read (&numbers), more = lc_number_read (&numbers);

      if (lowest > 63 || more > 63 - lowest)
        return FALSE;
      shape->lowest[axis] = (guint)lowest;
      shape->highest[axis] = (guint)(lowest + more);
    }
  shape->begin = lc_number_read (&numbers);
  shape->end = shape->begin + lc_number_read (&numbers);
  return shape->end >= shape->begin && !numbers.bad && numbers.at == numbers.end;
}

/* --- Chunks ------------------------------------------------------------------------------------------------ */

/* The source of items; their numbers are among them, or in columns. */
typedef struct
{
  LcNumbers items;
  gboolean has_columns;
  guint64 full;
  guint64 ordinal;
  const guint64 *next[LC_PARTS];
  guint64 columns[LC_PARTS][LC_COLUMN_ROOM];
} Source;

static inline guint64
pyramid_read_take (Source *source, guint part)
{
  return source->has_columns ? *source->next[part]++ : lc_number_read (&source->items);
}

static inline guint64
pyramid_read_take_part (Source *source, guint part, guint how, guint64 full)
{
  switch (how & LC_CHUNK_HOW)
    {
    case LC_CHUNK_ZERO:
      return 0;
    case LC_CHUNK_FULL:
      return full;
    case LC_CHUNK_NUMBER:
      return pyramid_read_take (source, part);
    default:
      source->items.bad = TRUE;
      return 0;
    }
}

static inline void
take_states (Source *source, guint8 control, LcSummaryBucket *bucket)
{
  guint64 *const states[LC_CHUNK_MORE_STATES] = {
      &bucket->woken,       &bucket->preempted,   &bucket->outside,     &bucket->unseen,
      &bucket->exchange[0], &bucket->exchange[1], &bucket->exchange[2],
  };
  guint64 more;

  if (!lc_chunk_has_number (control, 0, LC_PART_MORE))
    {
      bucket->waiting =
          pyramid_read_take_part (source, LC_PART_WAITING, control >> LC_CHUNK_WAITING_SHIFT, source->full);
      return;
    }
  bucket->waiting = pyramid_read_take (source, LC_PART_WAITING);
  more = pyramid_read_take (source, LC_PART_MORE);
  source->items.bad |= more >> LC_CHUNK_MORE_STATES != 0;
  for (guint i = 0; i < LC_CHUNK_MORE_STATES; i++)
    if (lc_chunk_has_number (control, more, LC_PART_WOKEN + i))
      *states[i] = pyramid_read_take (source, LC_PART_WOKEN + i);
}

static inline void
take_bucket (Source *source, guint8 control, LcSummaryBucket *bucket)
{
  take_states (source, control, bucket);
  bucket->running = pyramid_read_take_part (source, LC_PART_RUNNING, control >> LC_CHUNK_RUNNING_SHIFT,
                                            source->full - lc_summary_bucket_get_alive (bucket));
  bucket->holding = pyramid_read_take_part (source, LC_PART_HOLDING, control >> LC_CHUNK_HOLDING_SHIFT,
                                            lc_summary_bucket_get_alive (bucket));
  if (control & LC_CHUNK_EVENTS)
    {
      bucket->events = pyramid_read_take (source, LC_PART_EVENTS) + 1;
      bucket->longest = pyramid_read_take (source, LC_PART_LONGEST);
      bucket->longest_ordinal = source->ordinal += pyramid_read_take (source, LC_PART_ORDINAL);
    }
}

/* FALSE: the run is too long, or there is no bucket to repeat. */
static inline gboolean
take_run (guint8 control, guint *place, LcSummaryBucket *buckets)
{
  guint length = (control & LC_CHUNK_LENGTH) + 1u;

  if (length > LC_PYRAMID_CHUNK - *place || (control & LC_CHUNK_REPEATED && *place == 0))
    return FALSE;
  for (guint i = 0; i < length && control & LC_CHUNK_REPEATED; i++)
    buckets[*place + i] = buckets[*place - 1];
  *place += length;
  return TRUE;
}

/* Counts the numbers of a column; those before it have been read. */
static guint
count_numbers (const Source *source, guint part)
{
  guint n = 0, n_more = 0;

  for (const guint8 *item = source->items.at; item < source->items.end; item++)
    if (!(*item & LC_CHUNK_RUN))
      {
        const gboolean has_more = part > LC_PART_MORE && lc_chunk_has_number (*item, 0, LC_PART_MORE);

        n += lc_chunk_has_number (*item, has_more ? source->columns[LC_PART_MORE][n_more] : 0, part);
        n_more += has_more;
      }
  return n;
}

/* Reads the columns, which begin where the items end. */
static gboolean
open_columns (Source *source)
{
  guint64 n = lc_number_read (&source->items);
  guint n_numbers[LC_PARTS] = {0};
  LcColumnReader reader;

  if (n > LC_CHUNK_ITEMS || n > (gsize)(source->items.end - source->items.at))
    return FALSE;
  reader = (LcColumnReader){.at = source->items.at + n, .end = source->items.end};
  source->items.end = reader.at;
  for (guint part = 0; part < LC_PARTS; part++)
    {
      source->next[part] = source->columns[part];
      n_numbers[part] = count_numbers (source, part);
      if (n_numbers[part] > 0 && !lc_column_get (&reader, source->columns[part], n_numbers[part]))
        return FALSE;
    }
  return reader.at == reader.end;
}

static gboolean
open_source (Source *source, const guint8 *bytes, gsize size)
{
  guint8 width;

  G_STATIC_ASSERT ((int)LC_CHUNK_ITEMS <= LC_COLUMN_ROOM && LC_COLUMN_SLACK <= LC_SEAL_AFTER);
  source->has_columns = size > 0 && bytes[0] == LC_CHUNK_COLUMNS_SEAL;
  if (!lc_seal_open (&source->items, bytes, size, source->has_columns ? LC_CHUNK_COLUMNS_SEAL : LC_CHUNK_SEAL))
    return FALSE;
  width = lc_number_read_byte (&source->items);
  if (width > 63 && width != LC_PYRAMID_NO_WIDTH)
    return FALSE;
  source->full = width > 63 ? 0 : G_GUINT64_CONSTANT (1) << width;
  source->ordinal = 0;
  return !source->has_columns || open_columns (source);
}

gboolean
lc_pyramid_decode (const guint8 *bytes, gsize size, LcSummaryBucket *buckets)
{
  Source source;
  guint place = 0;

  memset (buckets, 0, LC_PYRAMID_CHUNK * sizeof *buckets);
  if (!open_source (&source, bytes, size))
    return FALSE;
  while (source.items.at < source.items.end)
    {
      guint8 control = *source.items.at++;

      if (control & LC_CHUNK_RUN)
        {
          if (!take_run (control, &place, buckets))
            return FALSE;
          continue;
        }
      if (place == LC_PYRAMID_CHUNK)
        return FALSE;
      take_bucket (&source, control, &buckets[place++]);
    }
  return !source.items.bad;
}
