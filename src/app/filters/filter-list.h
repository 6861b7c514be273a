/* SPDX-License-Identifier: Apache-2.0 */
/* A page of the filter panel: a list of entries that can be searched, sorted and ticked. */
#ifndef LC_APP_FILTER_LIST_H
#define LC_APP_FILTER_LIST_H

#include <gtk/gtk.h>

#include "app/filters/filter-model.h"
#include "app/session/session.h"

#define LC_TYPE_FILTER_LIST (lc_filter_list_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterList, lc_filter_list, LC, FILTER_LIST, GtkWidget)

/* The list collects its entries when it is first mapped, and again after the history or the timeline has changed. */
GtkWidget *lc_filter_list_new (LcSession *session, const LcFilterKind *kind);

#endif
