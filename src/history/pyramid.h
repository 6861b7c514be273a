/* SPDX-License-Identifier: Apache-2.0 */
/* The summary pyramid of a process on one timeline: what the process did in each bucket of time, and of layers. */
#ifndef LC_HISTORY_PYRAMID_H
#define LC_HISTORY_PYRAMID_H

#include "block.h"

/*
 * Bucket k of level l covers k << l to (k + 1) << l. The lowest level of a process is chosen for some 32 events a
 * bucket; each level above has half as many buckets, up to a level with one. Buckets are stored in chunks of
 * LC_PYRAMID_CHUNK. An empty chunk is not written.
 */
#define LC_PYRAMID_CHUNK 64

/* The key of a chunk in the table summary: 8 bits timeline, 1 axis, 22 process, 6 level, 26 chunk. */
gint64 lc_pyramid_key (guint32 timeline, LcAxis axis, guint32 process, guint level, guint64 chunk);

typedef struct
{
  guint lowest[2]; /* by LcAxis */
  guint highest[2];
  guint64 begin; /* span of the process on this timeline */
  guint64 end;
} LcPyramidShape; /* a row of summary_index */

void lc_pyramid_shape_encode (const LcPyramidShape *shape, GByteArray *bytes);
gboolean lc_pyramid_shape_decode (LcPyramidShape *shape, const guint8 *bytes, gsize size);

/* --- Writing ----------------------------------------------------------------------------------------------- */

typedef struct _LcPyramid LcPyramid;

/* Called with the bytes of a chunk. */
typedef gboolean (*LcPyramidChunk) (gpointer data, gint64 key, const GByteArray *bytes, GError **error);

/* `events` and `end` (in time) may be estimates: they decide how fine the lowest level is. */
/* Each process of MPI has the kinds of its operations (LcExchange), by number; they must live as long. NULL: it is
 * none. */
void lc_pyramid_set_exchanges (LcPyramid *pyramid, const guint8 *exchanges);

LcPyramid *lc_pyramid_new (guint32 timeline, guint32 process, guint64 events, guint64 end, LcPyramidChunk chunk,
                           gpointer data);
void lc_pyramid_free (LcPyramid *pyramid);

/* The process runs from then on, if that is before its first event. */
void lc_pyramid_set_begin (LcPyramid *pyramid, guint64 begin);

/* Bits for each event: whether the process holds an object. */
enum
{
  LC_PYRAMID_HOLDING = 1 << 0,     /* from the event's begin to its end */
  LC_PYRAMID_HELD_AFTER = 1 << 1,  /* one from its end to the next event's begin, ... */
  LC_PYRAMID_LOST_BEFORE = 1 << 2, /* ... unless this is said of that: a gap lies between them */
};

/* Adds the events of a block, in order; `held` has the bits of each. */
gboolean lc_pyramid_add_block (LcPyramid *pyramid, const LcBlock *block, const guint8 *held, GError **error);

/* Writes the open buckets, and sets the shape. */
gboolean lc_pyramid_finish (LcPyramid *pyramid, LcPyramidShape *shape, GError **error);

/* --- Reading ----------------------------------------------------------------------------------------------- */

/* Decodes the LC_PYRAMID_CHUNK buckets of one chunk. FALSE: the bytes are damaged. */
gboolean lc_pyramid_decode (const guint8 *bytes, gsize size, LcSummaryBucket *buckets);

#endif
