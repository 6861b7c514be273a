/* SPDX-License-Identifier: Apache-2.0 */
/* The row of an item in the list of processes. */
#ifndef LC_APP_PROCESS_ROW_H
#define LC_APP_PROCESS_ROW_H

#include <gtk/gtk.h>

#include "app/processes/process-item.h"

/*
 * Its signals:
 *
 *   ticked (LcProcessRow *, gboolean)   the user wants to show or hide the item
 *   turned (LcProcessRow *)             the user wants to collapse or expand the group
 *   chosen (LcProcessRow *)             the user has clicked the name
 */
#define LC_TYPE_PROCESS_ROW (lc_process_row_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessRow, lc_process_row, LC, PROCESS_ROW, GtkWidget)

GtkWidget *lc_process_row_new (void);

/* Sets the item, which the row holds and follows; NULL: none. */
void lc_process_row_set_item (LcProcessRow *row, LcProcessItem *item);
LcProcessItem *lc_process_row_get_item (LcProcessRow *row);

#endif
