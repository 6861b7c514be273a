/* SPDX-License-Identifier: Apache-2.0 */
/* The list model of one page of the filter panel: many entries, of which only those that are seen become objects. */
#ifndef LC_APP_FILTER_MODEL_H
#define LC_APP_FILTER_MODEL_H

#include <gio/gio.h>

#include "app/filters/filter-entry.h"

/* What a row is bound to. */
#define LC_TYPE_FILTER_ITEM (lc_filter_item_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterItem, lc_filter_item, LC, FILTER_ITEM, GObject)

struct _LcFilterItem
{
  GObject parent;

  GPtrArray *entries; /* held */
  guint32 number;     /* of the entry */
};

const LcFilterEntry *lc_filter_item_get_entry (const LcFilterItem *item);

/*
 * A GListModel of LcFilterItem. Its signal
 *
 *   states-changed (LcFilterModel *)   what is ticked is not what it was
 */
#define LC_TYPE_FILTER_MODEL (lc_filter_model_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterModel, lc_filter_model, LC, FILTER_MODEL, GObject)

LcFilterModel *lc_filter_model_new (void);

/* Holds both; `found` are the numbers of those that are listed. NULL: none. */
void lc_filter_model_set (LcFilterModel *model, GPtrArray *entries, GArray *found);
GPtrArray *lc_filter_model_get_entries (LcFilterModel *model);

LcFilterState lc_filter_model_get_state (LcFilterModel *model, guint32 number);

/* Of all entries; those of headings follow from the others. To be changed, and then told. */
guint8 *lc_filter_model_get_states (LcFilterModel *model);
void lc_filter_model_states_changed (LcFilterModel *model);

/* An entry, or all under a heading. */
void lc_filter_model_tick (LcFilterModel *model, guint32 number, gboolean ticked);

/* All that are listed. */
void lc_filter_model_tick_listed (LcFilterModel *model, gboolean ticked);

#endif
