/* SPDX-License-Identifier: Apache-2.0 */
/* An item of the list of processes: a process, or the heading of a group. */
#ifndef LC_APP_PROCESS_ITEM_H
#define LC_APP_PROCESS_ITEM_H

#include <glib-object.h>

#include "lightcone/history.h"

/*
 * An item belongs to the main thread. Only its model changes it, and emits its signal
 *
 *   changed (LcProcessItem *)   emitted when any field has changed
 */
#define LC_TYPE_PROCESS_ITEM (lc_process_item_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessItem, lc_process_item, LC, PROCESS_ITEM, GObject)

struct _LcProcessItem
{
  GObject parent;

  guint32 process; /* LC_TRACE_NONE: the item is a heading */
  guint32 group;   /* LC_TRACE_NONE: no grouping */
  char *name;
  char *host;     /* or NULL */
  char *name_key; /* collation key that sorts numbers by value: worker-2 before worker-10 */
  char *folded;   /* casefolded name and host, for searching */
  guint64 events;
  guint64 begin;
  guint64 span; /* ns alive, of which `waiting` ns waiting */
  guint64 waiting;
  gboolean known;  /* span and waiting are valid */
  gboolean marked; /* the selected event is on this process */

  /* Number of processes and of shown ones; a process has n_members 1. */
  guint n_members;
  guint n_shown;
  gboolean collapsed; /* heading: the members share one row */
};

LcProcessItem *lc_process_item_new (const LcHistoryProcess *process);
LcProcessItem *lc_process_item_new_heading (guint32 group, const char *name);

gboolean lc_process_item_is_heading (const LcProcessItem *item);

/* Returns the share of its life that the process waited, 0 to 1; negative: not known yet. */
double lc_process_item_get_share (const LcProcessItem *item);

void lc_process_item_changed (LcProcessItem *item);

#endif
