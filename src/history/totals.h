/* SPDX-License-Identifier: Apache-2.0 */
/* Totals over all events: by process and operation, and by object. */
#ifndef LC_HISTORY_TOTALS_H
#define LC_HISTORY_TOTALS_H

#include "block.h"
#include "lightcone/unseen.h"

typedef struct
{
  guint32 process;
  guint32 operation;
  guint64 events;
  guint64 time;
  guint64 waited;
  guint64 longest;
} LcOperationTotal;

typedef struct
{
  guint64 events;
  guint64 waited;
  guint64 held;
} LcObjectTotal;

typedef struct _LcTotals LcTotals;

/* `n_objects` may be 0 to count nothing by object. */
LcTotals *lc_totals_new (guint32 n_operations, guint32 n_objects);
void lc_totals_free (LcTotals *totals);

void lc_totals_add_block (LcTotals *totals, const LcBlock *block);
void lc_totals_add_held (LcTotals *totals, guint32 object, guint64 time);

/* Returns a new array of LcOperationTotal, by process and operation. */
GArray *lc_totals_list_operations (const LcTotals *totals);
LcExplained lc_totals_get_explained (const LcTotals *totals, guint32 process);
const LcObjectTotal *lc_totals_get_object (const LcTotals *totals, guint32 object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcTotals, lc_totals_free)

#endif
