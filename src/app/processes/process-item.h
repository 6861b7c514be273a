/* SPDX-License-Identifier: Apache-2.0 */
/* One row in the list of processes: a process, or the heading of a group of them. */
#ifndef LC_APP_PROCESS_ITEM_H
#define LC_APP_PROCESS_ITEM_H

#include <glib-object.h>

#include "lightcone/history.h"

/*
 * It belongs to the main thread and is changed by its model only, which emits the signal
 *
 *   changed (LcProcessItem *)   what is to be read in it is not as it was
 */
#define LC_TYPE_PROCESS_ITEM (lc_process_item_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessItem, lc_process_item, LC, PROCESS_ITEM, GObject)

struct _LcProcessItem
{
  GObject parent;

  guint32 process; /* LC_TRACE_NONE: a heading */
  guint32 group;   /* LC_TRACE_NONE: there are no groups */
  char *name;
  char *host;     /* or NULL */
  char *name_key; /* compares as people count: worker-2 before worker-10 */
  char *folded;   /* name and host, to be looked through */
  guint64 events;
  guint64 begin;
  guint64 span; /* alive, and waiting in that time, ns */
  guint64 waiting;
  gboolean known;  /* span and waiting are */
  gboolean marked; /* the selected event is one of its events */

  /* A process is shown or is not: n_members is 1. */
  guint n_members;
  guint n_shown;
  gboolean collapsed; /* heading: its members are one row */
};

LcProcessItem *lc_process_item_new (const LcHistoryProcess *process);
LcProcessItem *lc_process_item_new_heading (guint32 group, const char *name);

gboolean lc_process_item_is_heading (const LcProcessItem *item);

/* What part of its life it waited, 0 to 1; below 0: that is not known yet. */
double lc_process_item_get_share (const LcProcessItem *item);

void lc_process_item_changed (LcProcessItem *item);

#endif
