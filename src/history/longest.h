/* SPDX-License-Identifier: Apache-2.0 */
/* The longest arcs of each span of time, at each scale. */
#ifndef LC_HISTORY_LONGEST_H
#define LC_HISTORY_LONGEST_H

#include "block.h"

/*
 * An arc that lasts from 1 << l to below 1 << (l + 1) ns belongs to level l, and there to the bucket of its end
 * (end >> l). A bucket keeps the LC_LONGEST_KEPT longest arcs, on the two lowest levels a quarter of that. So the
 * longest arcs that touch a span are in the few buckets of each level at and just after the span (on level l up to
 * (span's end >> l) + 2), the longest on the highest levels. Arcs below level `lowest` are not kept: spans so short
 * that these matter have few enough events to be read.
 *
 * The following is exact: among the arcs of a level that end in a row of whole buckets, as many of the longest as a
 * bucket keeps; so also the longest of the whole trace. The longest arcs that touch a span are exact as long as no
 * bucket at the span's two ends is full, because a bucket that is not full has all its arcs. If one is full, an arc
 * that touches the span may have been displaced by longer arcs of its level, near in time, that do not touch it. Arcs
 * that last no time, or end before they begin, are left out.
 */
#define LC_LONGEST_KEPT 64

/* The key of a bucket in the table longest_arcs: 8 bits timeline, 6 level, 49 bucket. */
gint64 lc_longest_key (guint32 timeline, guint level, guint64 bucket);

typedef struct _LcLongest LcLongest;

/* `end` and `events` of the whole trace, perhaps estimated, decide on the lowest level. */
LcLongest *lc_longest_new (guint32 timeline, guint64 events, guint64 end);
void lc_longest_free (LcLongest *longest);

/* The lowest level may rise while arcs are added, if the trace is longer than expected or has too many long arcs. */
guint lc_longest_get_lowest (const LcLongest *longest);

void lc_longest_add (LcLongest *longest, const LcHistoryArc *arc);

/* Called with the bytes of each bucket, in the order of the keys. */
typedef gboolean (*LcLongestBucket) (gpointer data, gint64 key, const GByteArray *bytes, GError **error);
gboolean lc_longest_finish (LcLongest *longest, LcLongestBucket bucket, gpointer data, GError **error);

/* Compares two LcHistoryArc, the longest first. The order is total, so what is kept does not depend on the order of
 * adding. */
int lc_longest_compare (gconstpointer a, gconstpointer b);

/* Appends LcHistoryArc. FALSE: the bytes are damaged. */
gboolean lc_longest_decode (const guint8 *bytes, gsize size, GArray *arcs);

#endif
