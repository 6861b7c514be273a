/* SPDX-License-Identifier: Apache-2.0 */
/* Why an event is where it is in a timeline. */
#ifndef LC_REPORT_EXPLANATION_H
#define LC_REPORT_EXPLANATION_H

#include "lightcone/explanation.h"
#include "history/names.h"

typedef struct
{
  const LcExplanation *explanation;
  LcHistory *history;
  LcNames *names;
  const char *timeline_name;
  guint32 timeline;
  gboolean json;
  gboolean has_slack;            /* it was looked for */
  guint64 measured_slack, slack; /* of the event, on the measured timeline and on this one, ns */
} LcExplanationShow;

/* Returns FALSE with an error if the history cannot be read. */
gboolean lc_explanation_show (const LcExplanationShow *show, GError **error);

/* A reason why an event's end moved, and by how much. */
typedef struct
{
  const char *label;
  gint64 own; /* ns of the event itself */
  gint64 all; /* with all before it on its process */
} LcMovementPart;

#define LC_MOVEMENT_MOST_PARTS 5

/* Lists the parts, of which the last is the sum of the others, and returns how many there are. */
guint lc_movement_list_parts (const LcExplanation *explanation, LcMovementPart parts[LC_MOVEMENT_MOST_PARTS]);

/* Gives a part to the nanosecond, so that all of them add up. Free with g_free. */
char *lc_movement_format (gint64 ns);

#endif
