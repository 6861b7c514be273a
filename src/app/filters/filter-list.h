/* SPDX-License-Identifier: Apache-2.0 */
/* One page of the filter panel: a list of entries of a kind, to be looked through, sorted and ticked. */
#ifndef LC_APP_FILTER_LIST_H
#define LC_APP_FILTER_LIST_H

#include <gtk/gtk.h>

#include "app/filters/filter-model.h"
#include "app/session/session.h"

#define LC_TYPE_FILTER_LIST (lc_filter_list_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterList, lc_filter_list, LC, FILTER_LIST, GtkWidget)

/* It collects its entries when it is seen for the first time, and again when they are others. */
GtkWidget *lc_filter_list_new (LcSession *session, const LcFilterKind *kind);

#endif
