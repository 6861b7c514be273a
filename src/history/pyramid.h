/* SPDX-License-Identifier: Apache-2.0 */
/* The summary pyramid of one process on one timeline: what it did in each bucket of time, and of layers. */
#ifndef LC_HISTORY_PYRAMID_H
#define LC_HISTORY_PYRAMID_H

#include "block.h"

/*
 * Bucket k of level l covers k << l to (k + 1) << l. The lowest level of a process is such that it has some 32 events a
 * bucket; each level above has half as many buckets, up to one that has one. Buckets are kept in chunks of
 * LC_PYRAMID_CHUNK, as bytes; a chunk in which nothing is but what its first bucket has is not written when that is
 * nothing.
 */
#define LC_PYRAMID_CHUNK 64

/* The key of a chunk in the table summary: 8 bits timeline, 1 axis, 22 process, 6 level, 26 chunk. */
gint64 lc_pyramid_key (guint32 timeline, LcAxis axis, guint32 process, guint level, guint64 chunk);

typedef struct
{
  guint lowest[2]; /* by LcAxis */
  guint highest[2];
  guint64 begin; /* when the process was there, of this timeline */
  guint64 end;
} LcPyramidShape; /* the row of summary_index */

void lc_pyramid_shape_encode (const LcPyramidShape *shape, GByteArray *bytes);
gboolean lc_pyramid_shape_decode (LcPyramidShape *shape, const guint8 *bytes, gsize size);

/* --- Writing ----------------------------------------------------------------------------------------------- */

typedef struct _LcPyramid LcPyramid;

/* Gives the bytes of a chunk. */
typedef gboolean (*LcPyramidChunk) (gpointer data, gint64 key, const GByteArray *bytes, GError **error);

/* `events` and `end` (of time) may be estimates: they decide how fine the lowest level is. */
LcPyramid *lc_pyramid_new (guint32 timeline, guint32 process, guint64 events, guint64 end, LcPyramidChunk chunk,
                           gpointer data);
void lc_pyramid_free (LcPyramid *pyramid);

/* What the process holds, of each event: bits. */
enum
{
  LC_PYRAMID_HOLDING = 1 << 0,    /* an object, from the event's begin to its end */
  LC_PYRAMID_HELD_AFTER = 1 << 1, /* one from its end to the next event's begin */
};

/* The events of a block, in order; `held` has the bits of each. */
gboolean lc_pyramid_add_block (LcPyramid *pyramid, const LcBlock *block, const guint8 *held, GError **error);

/* Writes what is left. */
gboolean lc_pyramid_finish (LcPyramid *pyramid, LcPyramidShape *shape, GError **error);

/* --- Reading ----------------------------------------------------------------------------------------------- */

/* The buckets of one chunk, LC_PYRAMID_CHUNK of them. FALSE: these are not the bytes that were written. */
gboolean lc_pyramid_decode (const guint8 *bytes, gsize size, LcSummaryBucket *buckets);

#endif
