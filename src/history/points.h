/* SPDX-License-Identifier: Apache-2.0 */
/* The points that arcs may still come from, by what they belong to, and the processes that wait for some. */
#ifndef LC_HISTORY_POINTS_H
#define LC_HISTORY_POINTS_H

#include "lightcone/sweep.h"

/* What an arc comes from: an operation, on an object, with a number. */
typedef struct
{
  guint32 operation;
  guint32 object;
  gint64 sequence;
} LcPointKey;

#define LC_NO_ENTRY G_MAXUINT32

typedef struct _LcPoints LcPoints;

/* At most `kept` entries that have been used already are kept for others that may want them. */
LcPoints *lc_points_new (guint32 kept);
void lc_points_free (LcPoints *points);

/* The entry of this key, made if it is not there; or LC_NO_ENTRY. */
/* Sequences of a trace may be any numbers: after the last comes the first. */
static inline gint64
lc_sequence_step (gint64 sequence, gint64 step)
{
  return (gint64)((guint64)sequence + (guint64)step);
}

guint32 lc_points_find (const LcPoints *points, const LcPointKey *key);
guint32 lc_points_get (LcPoints *points, const LcPointKey *key);

/* One more point, which is the caller's to fill at once. */
LcSweepPoint *lc_points_add (LcPoints *points, guint32 entry);

/* So many events need it; 0: nobody knows how many. */
void lc_points_need (LcPoints *points, guint32 entry, guint32 uses);

guint32 lc_points_count (const LcPoints *points, guint32 entry);

/* The points, in the order in which they were added, until the next call that changes something. */
const LcSweepPoint *lc_points_list (LcPoints *points, guint32 entry);

/* The points that `process` has given for the event `ordinal` are of this rule from now on. */
void lc_points_set_rule (LcPoints *points, guint32 entry, guint32 process, guint64 ordinal, const LcArcRule *rule);

/* Processes that wait: a list, threaded through an array of the caller's with a place for each process. */
guint32 lc_points_first_waiting (const LcPoints *points, guint32 entry);
void lc_points_set_first_waiting (LcPoints *points, guint32 entry, guint32 process);

void lc_points_remove (LcPoints *points, guint32 entry);

/*
 * An event has had what it needed. The entry goes when that was the last; when nobody knows which will be, it stays
 * among those that are kept. One with waiting processes stays in any case.
 */
void lc_points_used (LcPoints *points, guint32 entry);

/*
 * Those go that were there before the last `kept` that were made, but for those with waiting processes: first what has
 * been used already, though not by all that need it; and if that is not enough, all.
 */
void lc_points_forget (LcPoints *points, guint32 kept);

/* It was taken by another process than the one that gave it. */
void lc_points_meet (LcPoints *points, guint32 entry);

/* Calls `visit` with the key and the first point of each entry that has points and that no other process has taken. */
typedef void (*LcPointsVisit) (const LcPointKey *key, const LcSweepPoint *point, gpointer data);
void lc_points_visit_lonely (LcPoints *points, LcPointsVisit visit, gpointer data);

/* One of those that its points belong to has no more use for it; TRUE: none of them has. */
gboolean lc_points_leave (LcPoints *points, guint32 entry);

/* How many there are, and how many there were at most. */
guint64 lc_points_size (const LcPoints *points);
guint64 lc_points_highest (const LcPoints *points);

#endif
