/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of an event: waiting for others, and what its process takes for itself. */
#ifndef LC_ANALYSIS_WORK_PARTS_H
#define LC_ANALYSIS_WORK_PARTS_H

#include "lightcone/history.h"

typedef struct
{
  guint64 waited; /* until others have come so far, ns */
  guint64 rest;   /* for a time that no other process decides */
  guint64 own;    /* computing */
} LcWorkParts;

/* `awaits`: it is known whom the event waits for, by its arcs or its group. */
LcWorkParts lc_work_parts_of (const LcHistoryEvent *event, gboolean awaits);

#endif
