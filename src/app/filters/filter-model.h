/* SPDX-License-Identifier: Apache-2.0 */
/* The list model of a page of the filter panel. Only the visible ones of many entries become objects. */
#ifndef LC_APP_FILTER_MODEL_H
#define LC_APP_FILTER_MODEL_H

#include <gio/gio.h>

#include "app/filters/filter-entry.h"

/* The item of a row. */
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
 *   states-changed (LcFilterModel *)   some ticks have changed
 */
#define LC_TYPE_FILTER_MODEL (lc_filter_model_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterModel, lc_filter_model, LC, FILTER_MODEL, GObject)

LcFilterModel *lc_filter_model_new (void);

/* Holds both arrays; `found` has the numbers of the listed entries. NULL: none. */
void lc_filter_model_set (LcFilterModel *model, GPtrArray *entries, GArray *found);
GPtrArray *lc_filter_model_get_entries (LcFilterModel *model);

LcFilterState lc_filter_model_get_state (LcFilterModel *model, guint32 number);

/* Returns the states of all entries, which may be changed in place; then call lc_filter_model_states_changed, which
 * derives the states of headings. */
guint8 *lc_filter_model_get_states (LcFilterModel *model);
void lc_filter_model_states_changed (LcFilterModel *model);

/* Ticks or unticks an entry, or all entries under a heading. */
void lc_filter_model_tick (LcFilterModel *model, guint32 number, gboolean ticked);

/* Ticks or unticks all listed entries. */
void lc_filter_model_tick_listed (LcFilterModel *model, gboolean ticked);

#endif
