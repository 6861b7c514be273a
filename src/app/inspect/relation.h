/* SPDX-License-Identifier: Apache-2.0 */
/* The relation between two events in words: by causality, and in time. */
#ifndef LC_APP_RELATION_H
#define LC_APP_RELATION_H

#include "app/session/listed.h"

/* Both events are named as on the measured timeline. */
typedef struct
{
  LcOpened *opened;
  guint32 timeline; /* on which the time between them is measured */
  LcEventName pinned;
  LcEventName selected;
} LcRelationAsked;

void lc_relation_asked_free (gpointer asked);

typedef struct
{
  LcListed *pinned;
  char *relation; /* sentences */
  char *between;
} LcRelationReport;

/* An LcJobWork that returns an LcRelationReport. */
gpointer lc_relation_report_new (gpointer asked, gint *done, GCancellable *cancellable, GError **error);
void lc_relation_report_free (gpointer report);

/* Describes the events of the highlighted past, future or cone; NULL: none is highlighted, or it is not found yet. Free
 * with g_free. */
char *lc_relation_dup_cone (const LcShown *shown);

#endif
