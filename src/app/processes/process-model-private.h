/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the model of processes know of each other. */
#ifndef LC_APP_PROCESS_MODEL_PRIVATE_H
#define LC_APP_PROCESS_MODEL_PRIVATE_H

#include "app/processes/process-model.h"

struct _LcProcessModel
{
  GObject parent;

  const LcHistory *history; /* not held: who sets it sets another one before it goes */
  GPtrArray *items;         /* LcProcessItem by process */
  GArray *order;            /* guint32: all processes, in the order of the list */
  GPtrArray *headings;      /* LcProcessItem by group, in the order of the list; NULL: no groups */
  GPtrArray *listed;        /* LcProcessItem, what the list model has */
  LcProcessSort sort;
  gboolean descending;
  LcProcessGrouping grouping;
  char *text;         /* what is looked for, as it was typed */
  char *folded;       /* NULL: nothing is looked for */
  gboolean *unsoloed; /* by process: what was shown before only some were; NULL: nothing was */
};

LcProcessItem *_lc_process_model_get_item (const LcProcessModel *model, guint32 process);

/* Brings the groups together in the order, counts what is in them, and lists what is to be listed. */
void _lc_process_model_update (LcProcessModel *model);

/* Sorts again what is sorted. */
void _lc_process_model_resort (LcProcessModel *model);

gboolean _lc_process_model_fits (const LcProcessModel *model, const LcProcessItem *item);

#endif
