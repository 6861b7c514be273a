/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the table of events, and the texts of an event in them. */
#ifndef LC_APP_EVENTS_SOURCE_CELLS_H
#define LC_APP_EVENTS_SOURCE_CELLS_H

#include "app/tables/events-source.h"
#include "history/names.h"

void lc_events_cells_add_columns (LcTableSource *source);

/* Fills in a row of a page; in any thread. */
void lc_events_cells_fill (LcTablePage *page, guint row, LcNames *names, const LcSlacks *slacks,
                           const LcHistoryEvent *event);

#endif
