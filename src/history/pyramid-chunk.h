/* SPDX-License-Identifier: Apache-2.0 */
/* The buckets of a chunk as bytes, built while buckets are completed. */
#ifndef LC_HISTORY_PYRAMID_CHUNK_H
#define LC_HISTORY_PYRAMID_CHUNK_H

#include "pyramid.h"

/* Buckets of layers have no width in time. */
#define LC_PYRAMID_NO_WIDTH 0xff

/*
 * A chunk is a byte for the level (or LC_PYRAMID_NO_WIDTH), and items up to the last bucket that is not empty. An item
 * is a byte, followed by the numbers of those parts of a bucket that do not follow from others. Where it is shorter, a
 * chunk has instead the number of items, all their bytes, and a column (column.h) of numbers for each part that has
 * any.
 */
enum
{
  LC_CHUNK_SEAL = 0x64,
  LC_CHUNK_COLUMNS_SEAL = 0x65,
  LC_SHAPE_SEAL = 0x63,

  LC_CHUNK_RUN = 0x80,      /* LENGTH + 1 buckets: ... */
  LC_CHUNK_REPEATED = 0x40, /* ... equal to the previous bucket, or else empty */
  LC_CHUNK_LENGTH = 0x3f,

  LC_CHUNK_ZERO = 0,
  LC_CHUNK_FULL = 1, /* running: the width less all other states; waiting: the width; holding: all states together */
  LC_CHUNK_NUMBER = 2,
  LC_CHUNK_MORE = 3, /* waiting: a number; and bits for which further states, and kinds of calls, there is one */
  LC_CHUNK_HOW = 3,
  LC_CHUNK_RUNNING_SHIFT = 0,
  LC_CHUNK_WAITING_SHIFT = 2,
  LC_CHUNK_HOLDING_SHIFT = 4,
  LC_CHUNK_EVENTS = 0x40, /* numbers: events - 1, longest, difference of the ordinal to the last one */

  LC_CHUNK_ITEMS = LC_PYRAMID_CHUNK, /* at most, as each item is at least one bucket */
};

/* The parts of a bucket, in the order of their numbers in an item. */
enum
{
  LC_PART_WAITING,
  LC_PART_MORE, /* the bits */
  LC_PART_WOKEN,
  LC_PART_PREEMPTED,
  LC_PART_OUTSIDE,
  LC_PART_UNSEEN,
  LC_PART_EXCHANGE, /* the first of LC_EXCHANGES */
  LC_PART_RUNNING = LC_PART_EXCHANGE + LC_EXCHANGES,
  LC_PART_HOLDING,
  LC_PART_EVENTS,
  LC_PART_LONGEST,
  LC_PART_ORDINAL,
  LC_PARTS,
};

enum
{
  LC_CHUNK_MORE_STATES = LC_PART_RUNNING - LC_PART_WOKEN,
};

static inline guint
lc_chunk_get_how (guint8 control, guint part)
{
  const guint shift = part == LC_PART_WAITING   ? LC_CHUNK_WAITING_SHIFT
                      : part == LC_PART_RUNNING ? LC_CHUNK_RUNNING_SHIFT
                                                : LC_CHUNK_HOLDING_SHIFT;

  return control >> shift & LC_CHUNK_HOW;
}

/* Whether a bucket has a number for this part; `more` are the bits that it has for further states. */
static inline gboolean
lc_chunk_has_number (guint8 control, guint64 more, guint part)
{
  if (part >= LC_PART_WOKEN && part < LC_PART_RUNNING)
    return more >> (part - LC_PART_WOKEN) & 1;
  switch (part)
    {
    case LC_PART_MORE:
      return lc_chunk_get_how (control, LC_PART_WAITING) == LC_CHUNK_MORE;
    case LC_PART_WAITING:
    case LC_PART_RUNNING:
    case LC_PART_HOLDING:
      return lc_chunk_get_how (control, part) >= LC_CHUNK_NUMBER;
    default:
      return (control & LC_CHUNK_EVENTS) != 0;
    }
}

/* All zero: empty. */
typedef struct
{
  guint8 *bytes;
  guint16 size, room;
  guint8 next;          /* the place after the last bucket */
  guint8 repeat;        /* repetitions of the last bucket that are not written yet */
  gboolean repeats;     /* the last bucket may be repeated: no event ends in it */
  LcSummaryBucket last; /* the last bucket */
  guint64 ordinal;      /* the last ordinal */
} LcPyramidChunkBuilder;

/* Adds the same bucket `count` times from `place` on. Places must rise, and the bucket must not be empty. Only a bucket
 * without events may be repeated. `width` is the level on the axis of time, or LC_PYRAMID_NO_WIDTH. */
void lc_pyramid_chunk_put (LcPyramidChunkBuilder *builder, guint width, guint place, guint count,
                           const LcSummaryBucket *bucket);

/* Writes pending repetitions; then `bytes` and `size` are the contents. */
void lc_pyramid_chunk_complete (LcPyramidChunkBuilder *builder);

/* Empties the builder, but keeps its memory: the next chunk will need about as much. */
void lc_pyramid_chunk_begin (LcPyramidChunkBuilder *builder);
void lc_pyramid_chunk_clear (LcPyramidChunkBuilder *builder);

/* Seals the contents, in the shorter of the two forms. */
void lc_pyramid_chunk_seal (guint width, const guint8 *contents, gsize size, GByteArray *bytes);

#endif
