/* SPDX-License-Identifier: Apache-2.0 */
/* One row of the list of processes. */
#ifndef LC_APP_PROCESS_ROW_H
#define LC_APP_PROCESS_ROW_H

#include <gtk/gtk.h>

#include "app/processes/process-item.h"

/*
 * Its signals:
 *
 *   ticked (LcProcessRow *, gboolean)   the user wants its item to be shown, or not
 *   turned (LcProcessRow *)             the user wants its group to be collapsed, or not
 *   chosen (LcProcessRow *)             its name was clicked
 */
#define LC_TYPE_PROCESS_ROW (lc_process_row_get_type ())
G_DECLARE_FINAL_TYPE (LcProcessRow, lc_process_row, LC, PROCESS_ROW, GtkWidget)

GtkWidget *lc_process_row_new (void);

/* NULL: none. It is held, and followed. */
void lc_process_row_set_item (LcProcessRow *row, LcProcessItem *item);
LcProcessItem *lc_process_row_get_item (LcProcessRow *row);

#endif
