/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of one name: where they begin among all marks, and how to go to them. */
#ifndef LC_APP_MARK_SETS_H
#define LC_APP_MARK_SETS_H

#include "app/session/session.h"

typedef struct
{
  const char *name; /* belongs to the marks */
  guint number;     /* among all names, for its look */
  guint first;      /* index of its first mark */
  guint n_events;
  guint n_spans;
} LcMarkSet;

/* Lists the sets, as LcMarkSet. */
GArray *lc_mark_sets_list (const LcMarks *marks);

/* Tells whether a mark is on this event, or is a span that has a part of it. */
gboolean lc_mark_covers (const LcUserMark *mark, const LcHistoryEvent *event);

/* Returns the text of an event's annotation, or NULL. */
const char *lc_marks_get_note (const LcMarks *marks, const LcHistoryEvent *event);

/* Describes what is marked at an event, as lines; NULL: nothing. Free with g_free. */
char *lc_marks_dup_text (const LcMarks *marks, const LcHistoryEvent *event);

/* Goes to the mark with this index: selects an event, or shows a span on the measured timeline. */
void lc_mark_go_to (LcSession *session, guint number);

/* Shows all marks of a set at once. */
void lc_mark_set_zoom (LcSession *session, const LcMarkSet *set);

#endif
