/* SPDX-License-Identifier: Apache-2.0 */
/* The points that arcs may still come from, in entries by their key, and the processes that wait for them. */
#ifndef LC_HISTORY_POINTS_H
#define LC_HISTORY_POINTS_H

#include "lightcone/sweep.h"

/* The key of a point: an operation, an object and a sequence number. */
typedef struct
{
  guint32 operation;
  guint32 object;
  gint64 sequence;
} LcPointKey;

#define LC_NO_ENTRY G_MAXUINT32

typedef struct _LcPoints LcPoints;

/* At most `kept` used entries are kept for events that may still need them. */
LcPoints *lc_points_new (guint32 kept);
void lc_points_free (LcPoints *points);

/* Sequence numbers of a trace may be any numbers: after the largest comes the least. */
static inline gint64
lc_sequence_step (gint64 sequence, gint64 step)
{
  return (gint64)((guint64)sequence + (guint64)step);
}

/* Returns the entry of this key, or LC_NO_ENTRY; lc_points_get makes it if there is none. */
guint32 lc_points_find (const LcPoints *points, const LcPointKey *key);
guint32 lc_points_get (LcPoints *points, const LcPointKey *key);

/* Adds a point, which the caller must fill at once. */
LcSweepPoint *lc_points_add (LcPoints *points, guint32 entry);

/* Sets how many events need the entry; 0: nobody knows. */
void lc_points_need (LcPoints *points, guint32 entry, guint32 uses);

guint32 lc_points_count (const LcPoints *points, guint32 entry);

/* Returns the points in the order in which they were added, valid until the next call that changes something. */
const LcSweepPoint *lc_points_list (LcPoints *points, guint32 entry);

/* Sets the rule of the points that event `ordinal` of `process` has given. */
void lc_points_set_rule (LcPoints *points, guint32 entry, guint32 process, guint64 ordinal, const LcArcRule *rule);

/* The processes that wait for an entry are a list, linked through an array of the caller's with a place for each
 * process. */
guint32 lc_points_first_waiting (const LcPoints *points, guint32 entry);
void lc_points_set_first_waiting (LcPoints *points, guint32 entry, guint32 process);

void lc_points_remove (LcPoints *points, guint32 entry);

/* Tells that an event has taken what it needed. The entry is removed if that was the last use; if nobody knows the
 * number of uses, it becomes one of the used entries that are kept. Entries with waiting processes always stay. */
void lc_points_used (LcPoints *points, guint32 entry);

/* Removes entries older than the last `kept` ones, except those with waiting processes: first those that were used, but
 * not by all events that need them; if that is not enough, all. */
void lc_points_forget (LcPoints *points, guint32 kept);

/* Notes that another process than the giver has taken the entry. */
void lc_points_meet (LcPoints *points, guint32 entry);

/* Calls `visit` with the key and first point of each entry that has points and was taken by no other process. */
typedef void (*LcPointsVisit) (const LcPointKey *key, const LcSweepPoint *point, gpointer data);
void lc_points_visit_lonely (LcPoints *points, LcPointsVisit visit, gpointer data);

/* Tells that one member of a group needs the entry no more. TRUE: no member does. */
gboolean lc_points_leave (LcPoints *points, guint32 entry);

/* The present and the largest number of entries. */
guint64 lc_points_size (const LcPoints *points);
guint64 lc_points_highest (const LcPoints *points);

#endif
