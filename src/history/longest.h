/* SPDX-License-Identifier: Apache-2.0 */
/* The longest arcs of each part of the time, at each scale. */
#ifndef LC_HISTORY_LONGEST_H
#define LC_HISTORY_LONGEST_H

#include "block.h"

/*
 * An arc that lasts from 1 << l to below 1 << (l + 1) ns belongs to level l, and there to the bucket of its end
 * (end >> l). A bucket keeps the LC_LONGEST_KEPT longest, on the two lowest levels a quarter of that. So those that
 * touch a span are in the few buckets at and just after it of each level (of level l the last is
 * (span's end >> l) + 2), the longest at the highest levels; arcs below `lowest` are not kept: whoever needs those
 * looks at a span so short that its events can be read.
 *
 * What is exact: of the arcs that end in any row of whole buckets of a level and belong to it, the longest, as many as
 * a bucket keeps; so also the longest of the whole trace. Of those that touch a span, the longest are exact as long as
 * none of the buckets at its two ends is full: a bucket with fewer arcs than it keeps has all of them. Where one is
 * full, an arc that touches the span may be missing because there are so many of its level, near in time, that are
 * longer and do not. An arc that lasts no time, or ends before it begins, is none of the longest.
 */
#define LC_LONGEST_KEPT 64

/* The key of a bucket in the table longest_arcs: 8 bits timeline, 6 level, 49 bucket. */
gint64 lc_longest_key (guint32 timeline, guint level, guint64 bucket);

typedef struct _LcLongest LcLongest;

/* `end` and `events` of the whole trace, perhaps estimated, decide on the lowest level. */
LcLongest *lc_longest_new (guint32 timeline, guint64 events, guint64 end);
void lc_longest_free (LcLongest *longest);

/* It may rise as arcs are added, when the trace is longer or has more long arcs than there is memory for. */
guint lc_longest_get_lowest (const LcLongest *longest);

void lc_longest_add (LcLongest *longest, const LcHistoryArc *arc);

/* Gives the bytes of a bucket, in the order of the keys. */
typedef gboolean (*LcLongestBucket) (gpointer data, gint64 key, const GByteArray *bytes, GError **error);
gboolean lc_longest_finish (LcLongest *longest, LcLongestBucket bucket, gpointer data, GError **error);

/* Longest first; and any two that differ have an order, so that what is kept does not depend on how they came. */
int lc_longest_compare (gconstpointer a, gconstpointer b); /* LcHistoryArc */

/* Appends LcHistoryArc. FALSE: these are not the bytes that were written. */
gboolean lc_longest_decode (const guint8 *bytes, gsize size, GArray *arcs);

#endif
