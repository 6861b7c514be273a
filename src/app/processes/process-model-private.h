/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the process model. */
#ifndef LC_APP_PROCESS_MODEL_PRIVATE_H
#define LC_APP_PROCESS_MODEL_PRIVATE_H

#include "app/processes/process-model.h"

struct _LcProcessModel
{
  GObject parent;

  const LcHistory *history; /* not held: its owner sets another one before freeing it */
  GPtrArray *items;         /* LcProcessItem, by process */
  GArray *order;            /* guint32: all processes, in the order of the list */
  GPtrArray *headings;      /* LcProcessItem by group, in the order of the list; NULL: no groups */
  GPtrArray *listed;        /* LcProcessItem: the items of the list model */
  LcProcessSort sort;
  gboolean descending;
  LcProcessGrouping grouping;
  char *text;         /* the search text as typed */
  char *folded;       /* casefolded search text; NULL: no search */
  gboolean *unsoloed; /* by process: the processes shown before a solo; NULL: no solo */
};

LcProcessItem *_lc_process_model_get_item (const LcProcessModel *model, guint32 process);

/* Arranges the order by groups, counts the members of each, and lists the visible items. */
void _lc_process_model_update (LcProcessModel *model);

/* Sorts again unless the order is the user's own. */
void _lc_process_model_resort (LcProcessModel *model);

gboolean _lc_process_model_fits (const LcProcessModel *model, const LcProcessItem *item);

#endif
